/* SPDX-License-Identifier: MIT */
#include "fixture.h"

/* A case per invariant of map.h, by number: its sentence and its place. */

START_TEST(invariant_1_ids_are_unique)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_at_path(builder, "/a");
	strew_builder_add_device(builder, 9, "x", NULL);
	strew_builder_at_path(builder, "/b");
	strew_builder_add_device(builder, 9, "y", NULL);
	refuse(builder, "map.json: /b",
	       "device \"y\" has the id 9, which device \"x\" (/a) has too; "
	       "ids must be unique");

	builder = start(NULL);
	add_tree(builder);
	strew_builder_at_line(builder, 7, 3);
	add_host(builder, -2, "twin", 4, 2);
	refuse(builder, "map.json",
	       "bucket \"twin\" has the id -2, which bucket \"h1\" has too; "
	       "ids must be unique");

	builder = start(NULL);
	strew_builder_add_type(builder, 3, "row");
	refuse(builder, "map.json",
	       "type \"row\" has the id 3, which type \"root\" has too; ids "
	       "must be unique");

	builder = start(NULL);
	strew_builder_add_weight_set(builder, 1, "a");
	strew_builder_add_weight_set(builder, 1, "b");
	strew_builder_add_weight_row(builder, -1, NULL, 0);
	refuse(builder, "map.json",
	       "weight set \"b\" has the id 1, which weight set \"a\" has "
	       "too; ids must be unique");
}
END_TEST

START_TEST(invariant_1_covers_rules_and_pools)
{
	strew_builder *builder = start(NULL);
	strew_pool_desc desc = pool_desc(1, "p");

	add_tree(builder);
	add_rule(builder, 0, "a");
	add_rule(builder, 0, "b");
	refuse(builder, "map.json",
	       "rule \"b\" has the id 0, which rule \"a\" has too; ids must "
	       "be unique");

	builder = start(NULL);
	add_tree(builder);
	add_rule(builder, 0, "a");
	strew_builder_add_pool(builder, &desc);
	desc.name = "q";
	strew_builder_add_pool(builder, &desc);
	refuse(builder, "map.json",
	       "pool \"q\" has the id 1, which pool \"p\" has too; ids must "
	       "be unique");
}
END_TEST

START_TEST(invariant_2_names_are_unique_and_not_empty)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_at_line(builder, 12, 5);
	strew_builder_add_device(builder, 9, "h1", NULL);
	refuse(builder, "map.json",
	       "the name \"h1\" is given to the id -2 and to the id 9; names "
	       "of devices and buckets must be unique");

	builder = start(NULL);
	add_tree(builder);
	strew_builder_at_path(builder, "/buckets/3");
	add_bucket(builder, -9, "", 1);
	refuse(builder, "map.json: /buckets/3",
	       "the bucket with the id -9 has an empty name");

	builder = start(NULL);
	add_tree(builder);
	add_rule(builder, 0, "");
	add_rule(builder, 1, "");
	warned(finish(builder), NULL);
}
END_TEST

START_TEST(invariant_2_covers_rules_pools_and_types)
{
	strew_builder *builder = start(NULL);
	strew_pool_desc desc = pool_desc(1, "p");

	add_tree(builder);
	add_rule(builder, 0, "a");
	add_rule(builder, 1, "a");
	refuse(builder, "map.json",
	       "the name \"a\" is given to the id 0 and to the id 1; names of "
	       "rules must be unique");

	builder = start(NULL);
	add_tree(builder);
	add_rule(builder, 0, "a");
	strew_builder_add_pool(builder, &desc);
	desc.id = 2;
	strew_builder_add_pool(builder, &desc);
	refuse(builder, "map.json",
	       "the name \"p\" is given to the id 1 and to the id 2; names of "
	       "pools must be unique");

	builder = start(NULL);
	strew_builder_add_type(builder, 9, "rack");
	refuse(builder, "map.json",
	       "the name \"rack\" is given to the id 2 and to the id 9; names "
	       "of types must be unique");
}
END_TEST

START_TEST(invariant_3_ids_are_in_range)
{
	strew_builder *builder = start(NULL);
	strew_pool_desc desc = pool_desc(-1, "p");
	int32_t bucket;

	strew_builder_at_path(builder, "/x");
	bucket = add_bucket(builder, 5, "b", 1);
	strew_builder_add_item(builder, bucket, 77, ONE, 0);
	refuse(builder, "map.json: /x",
	       "the bucket id 5 is out of range; it must be from -1073741824 to -1");

	builder = start(NULL);
	strew_builder_add_device(builder, STREW_DEVICE_ID_MAX, NULL, NULL);
	strew_builder_add_device(builder, STREW_DEVICE_ID_MAX + 1, NULL, NULL);
	refuse(builder, "map.json",
	       "the device id 1073741824 is out of range; it must be from 0 to "
	       "1073741823");

	builder = start(NULL);
	strew_builder_add_type(builder, 65536, "big");
	refuse(builder, "map.json",
	       "the type id 65536 is out of range; it must be from 0 to 65535");

	builder = start(NULL);
	strew_builder_add_rule(builder, -3, "r", STREW_KIND_REPLICATED);
	refuse(builder, "map.json",
	       "the rule id -3 is out of range; it must be from 0 to 65535");

	builder = start(NULL);
	add_tree(builder);
	add_rule(builder, 0, "a");
	strew_builder_add_pool(builder, &desc);
	refuse(builder, "map.json", "the pool id -1 is negative; it must be 0 or more");

	builder = start(NULL);
	strew_builder_add_weight_set(builder, -2, NULL);
	refuse(builder, "map.json",
	       "the weight set id -2 is out of range; it must be -1 or more");
}
END_TEST

START_TEST(invariant_4_types_are_known)
{
	strew_builder *builder = start(NULL);
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	add_bucket(builder, -1, "b", 0);
	refuse(builder, "map.json",
	       "device b (id -1) has the type of devices; a bucket's type is above 0");

	builder = start(NULL);
	add_bucket(builder, -1, "b", 9);
	refuse(builder, "map.json",
	       "bucket b (id -1) has the type 9, which does not exist; add the type too");

	builder = start(NULL);
	desc.id = -1;
	desc.name = "b";
	desc.type_name = "rakc";
	strew_builder_add_bucket(builder, &desc);
	refuse(builder, "map.json",
	       "bucket b (id -1) has the type \"rakc\", which does not exist; did you "
	       "mean \"rack\"?");
}
END_TEST

START_TEST(invariant_5_items_exist)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_at_path(builder, "/buckets/1/items/2");
	hang(builder, -2, 44);
	refuse(builder, "map.json: /buckets/1/items/2",
	       "host h1 (id -2) holds device 44, which does not exist; add it to the map "
	       "too");

	builder = start(NULL);
	add_tree(builder);
	hang(builder, -1, -44);
	refuse(builder, "map.json",
	       "root default (id -1) holds bucket -44, which does not exist; add it to "
	       "the map too");

	builder = start(NULL);
	add_tree(builder);
	strew_builder_add_device(builder, 9, NULL, NULL);
	hang(builder, -9, 9);
	refuse(builder, "map.json",
	       "device osd.9 (id 9) is added to the bucket -9, which does not exist; add "
	       "the bucket too");
}
END_TEST

START_TEST(invariant_6_no_bucket_contains_itself)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_at_path(builder, "/loop");
	hang(builder, -3, -1);
	refuse(builder, "map.json: /loop",
	       "root default (id -1) contains itself: it holds host h2 (id -3), 1 level "
	       "below, which holds it in turn; take one out of the other");

	builder = start(NULL);
	add_tree(builder);
	strew_builder_at_path(builder, "/self");
	hang(builder, -3, -3);
	refuse(builder, "map.json: /self",
	       "host h2 (id -3) holds itself; take it out of itself");
}
END_TEST

static strew_builder *second_place(int32_t bucket, int32_t item, unsigned flags)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	add_bucket(builder, -9, "other", 3);
	strew_builder_at_path(builder, "/second");
	strew_builder_add_item(builder, bucket, item, ONE, flags);
	return builder;
}

START_TEST(invariant_7_items_hang_once)
{
	refuse(second_place(-3, 1, 0), "map.json: /second",
	       "device osd.1 (id 1) hangs in host h1 (id -2) and in host h2 "
	       "(id -3); an item hangs in one place, once, unless it is linked");
	refuse(second_place(-9, -2, 0), "map.json: /second",
	       "host h1 (id -2) hangs in root default (id -1) and in root "
	       "other (id -9); an item hangs in one place, once, unless it is linked");
	warned(finish(second_place(-3, 1, STREW_ITEM_TWICE_OK)),
	       "device osd.1 (id 1) hangs in host h1 (id -2) and in host h2 "
	       "(id -3); it gets the data of both places");
	warned(finish(second_place(-3, 1, STREW_ITEM_LINK)),
	       "device osd.1 (id 1) hangs in host h1 (id -2) and in host h2 "
	       "(id -3); it gets the data of both places");
	warned(finish(second_place(-9, -2, STREW_ITEM_LINK)), NULL);
}
END_TEST

START_TEST(invariant_8_weights_fit)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_add_device(builder, 9, NULL, NULL);
	strew_builder_at_path(builder, "/heavy");
	strew_builder_add_item(builder, -2, 9, STREW_DEVICE_WEIGHT_END, 0);
	refuse(builder, "map.json: /heavy",
	       "device osd.9 (id 9) has the weight 32768.0 in host h1 (id -2); a "
	       "device's weight must be below 32768.0");

	builder = start(NULL);
	add_tree(builder);
	strew_builder_add_device(builder, 9, NULL, NULL);
	strew_builder_add_item(builder, -2, 9, 101 * ONE, 0);
	warned(finish(builder),
	       "device osd.9 (id 9) has the weight 101 in host h1 (id -2); over 100, "
	       "crushtool's text compiler of 16.2 won't take it back");

	builder = start(NULL);
	add_bucket(builder, -1, "default", 3);
	for (int32_t i = 0; i < 3; i++) {
		add_bucket(builder, -2 - i, (const char *[]){"a", "b", "c"}[i], 1);
		strew_builder_add_item(builder, -1, -2 - i, i < 2 ? 40000 * ONE : 7, 0);
	}
	refuse(builder, "map.json",
	       "the items of root default (id -1) weigh 80000 together; the sum must be "
	       "below 65536");
}
END_TEST

START_TEST(invariant_8_holds_for_derived_shadows)
{
	strew_builder *builder = start(NULL);

	/* The tree above has weights of its own, and fits; its shadow is summed. */
	add_bucket(builder, -1, "default", 3);
	for (int32_t i = 0; i < 3; i++) {
		add_bucket(builder, -2 - i, (const char *[]){"a", "b", "c"}[i], 1);
		strew_builder_add_device(builder, i, NULL, "hdd");
		strew_builder_add_item(builder, -2 - i, i, STREW_DEVICE_WEIGHT_END - 1,
				       0);
		strew_builder_add_item(builder, -1, -2 - i, ONE, 0);
	}
	strew_builder_derive_shadows(builder);
	refuse(builder, "map.json",
	       "the items of root default~hdd (id -8) weigh 98303 together; the sum must "
	       "be below 65536");
}
END_TEST

START_TEST(invariant_10_pools_are_whole)
{
	static const struct {
		int64_t rule;
		int size, min_size, kind, k;
		uint32_t pg_num, pgp_num;
		const char *text;
	} cases[] = {
		{7, 3, 0, 1, 0, 8, 0,
		 "pool p has the rule 7, which does not exist; add it too"},
		{0, 0, 0, 1, 0, 8, 0, "pool p has the size 0; it must be from 1 to 255"},
		{0, 256, 0, 1, 0, 8, 0,
		 "pool p has the size 256; it must be from 1 to 255"},
		{0, 3, 4, 1, 0, 8, 0,
		 "pool p has the min_size 4; it must be from 1 to its size, 3"},
		{0, 3, -1, 1, 0, 8, 0,
		 "pool p has the min_size -1; it must be from 1 to its size, 3"},
		{0, 3, 0, 1, 0, 0, 0, "pool p has no PGs; pg_num must be 1 or more"},
		{0, 3, 0, 1, 0, 8, 9,
		 "pool p has the pgp_num 9; it must be from 1 to its pg_num, 8"},
		{0, 3, 0, 4, 0, 8, 0,
		 "pool p is of kind 4; it must be replicated (1) or erasure (3)"},
		{0, 3, 2, 3, 4, 8, 0,
		 "pool p has 4 data shards; it must have from 1 to its size, 3"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		strew_builder *builder = start(NULL);
		strew_pool_desc desc = pool_desc(1, "p");

		add_tree(builder);
		add_rule(builder, 0, "replicated");
		desc.rule = (int32_t)cases[i].rule;
		desc.size = cases[i].size;
		desc.min_size = cases[i].min_size;
		desc.kind = (strew_kind)cases[i].kind;
		desc.k = cases[i].k;
		desc.pg_num = cases[i].pg_num;
		desc.pgp_num = cases[i].pgp_num;
		strew_builder_at_path(builder, "/pools/0");
		strew_builder_add_pool(builder, &desc);
		refuse(builder, "map.json: /pools/0", cases[i].text);
	}
}
END_TEST

START_TEST(invariant_10_rule_names_are_known)
{
	strew_builder *builder = start(NULL);
	strew_pool_desc desc = pool_desc(1, "p");

	add_tree(builder);
	add_rule(builder, 0, "replicated");
	desc.rule_name = "replicate";
	strew_builder_add_pool(builder, &desc);
	refuse(builder, "map.json",
	       "pool p has the rule \"replicate\", which does not exist; did you mean "
	       "\"replicated\"?");
}
END_TEST

START_TEST(invariant_11_rows_fit)
{
	static const uint32_t weights[3] = {ONE, ONE, ONE};
	static const int32_t ids[1] = {5};
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_add_weight_set(builder, 0, NULL);
	strew_builder_at_path(builder, "/row");
	strew_builder_add_weight_row(builder, -2, weights, 3);
	refuse(builder, "map.json: /row",
	       "weight set 0 has 3 weights for host h1 (id -2), which has 2 items; there "
	       "must be one an item");

	builder = start(NULL);
	add_tree(builder);
	strew_builder_add_weight_set(builder, -1, NULL);
	strew_builder_set_weight_ids(builder, -2, ids, 1);
	refuse(builder, "map.json",
	       "weight set -1 has 1 ids for host h1 (id -2), which has 2 items; there "
	       "must be one an item");
}
END_TEST

START_TEST(invariant_12_shares_are_at_most_1)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_at_path(builder, "/in");
	strew_builder_set_reweight(builder, 1, ONE + ONE / 2);
	refuse(builder, "map.json: /in",
	       "device osd.1 (id 1) has a reweight of 1.50000; it must be from 0 to 1");

	builder = start(NULL);
	add_tree(builder);
	strew_builder_set_primary_affinity(builder, 1, 2 * ONE);
	refuse(builder, "map.json",
	       "device osd.1 (id 1) has a primary affinity of 2.00000; it must be from 0 "
	       "to 1");
}
END_TEST

START_TEST(invariant_13_overrides_are_of_pgs_that_exist)
{
	static const int32_t devices[2] = {0, 2};
	strew_builder *builder = start(NULL);
	strew_pool_desc desc = pool_desc(1, "p");
	strew_map *map;

	add_tree(builder);
	add_rule(builder, 0, "replicated");
	strew_builder_add_pool(builder, &desc);
	strew_builder_add_upmap(builder, (strew_pg){1, 7}, devices, 2);
	strew_builder_at_path(builder, "/upmaps/1");
	strew_builder_add_upmap(builder, (strew_pg){1, 8}, devices, 2);
	strew_builder_add_upmap(builder, (strew_pg){2, 0xa}, devices, 2);
	map = finish(builder);
	ck_assert_uint_eq(map->override_count, 1);
	ck_assert_uint_eq(strew_map_warning_count(map), 2);
	ck_assert_str_eq(strew_map_warning_at(map, 0)->text,
			 "an override of PG 1.8 is dropped, because the pool has 8 PGs");
	ck_assert_str_eq(strew_map_warning_at(map, 0)->where, "map.json: /upmaps/1");
	ck_assert_str_eq(
		strew_map_warning_at(map, 1)->text,
		"an override of PG 2.a is dropped, because there is no such pool");
	strew_map_release(map);
}
END_TEST

START_TEST(invariant_14_tables_fit)
{
	static const struct {
		const char *alg;
		int32_t items;
		size_t words;
		const char *text;
	} cases[] = {
		{"straw", 3, 3, NULL},
		{"tree", 1, 2, NULL},
		{"tree", 3, 8, NULL},
		{"tree", 5, 16, NULL},
		{"straw", 3, 2,
		 "host h (id -1) has 2 stored numbers for its selector, straw; with 3 "
		 "items it must have 3"},
		{"tree", 3, 4,
		 "host h (id -1) has 4 stored numbers for its selector, tree; with 3 "
		 "items it must have 8"},
		{"straw2", 3, 3,
		 "host h (id -1) has 3 stored numbers for its selector, straw2; with 3 "
		 "items it must have 0"},
	};
	static const uint32_t words[16] = {1, 2, 3, 4};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		strew_builder *builder = start(NULL);
		strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
		strew_map *map;

		desc.id = -1;
		desc.name = "h";
		desc.type = 1;
		desc.alg = cases[i].alg;
		strew_builder_add_bucket(builder, &desc);
		for (int32_t j = 0; j < cases[i].items; j++) {
			strew_builder_add_device(builder, j, NULL, NULL);
			hang(builder, -1, j);
		}
		map_set_table(builder, -1, words, cases[i].words);
		if (cases[i].text) {
			refuse(builder, "map.json", cases[i].text);
			continue;
		}
		map = finish(builder);
		ck_assert_uint_eq(map->buckets[0].table_words, cases[i].words);
		ck_assert_uint_eq(map->buckets[0].table[1], 2);
		strew_map_release(map);
	}
}
END_TEST

START_TEST(all_faults_are_counted_and_the_first_hundred_kept)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	add_bucket(builder, -1, "h", 1);
	for (int32_t i = 0; i < 150; i++) {
		char path[32];

		snprintf(path, sizeof(path), "/items/%d", (int)i);
		strew_builder_at_path(builder, path);
		hang(builder, -1, i);
	}
	ck_assert_int_eq(strew_builder_build(&map, builder, NULL), STREW_EMAP);
	ck_assert_uint_eq(strew_builder_fault_count(builder), 150);
	ck_assert_str_eq(strew_builder_fault_at(builder, 99)->where,
			 "map.json: /items/99");
	ck_assert_ptr_null(strew_builder_fault_at(builder, 100));
	ck_assert_int_eq(strew_builder_build(&map, builder, NULL), STREW_EINVAL);
	strew_builder_free(builder);
}
END_TEST

START_TEST(reports_from_outside_stop_the_build_or_stay_with_the_map)
{
	strew_builder *builder = start(NULL);
	strew_error error;
	strew_map *map;

	strew_builder_at_line(builder, 3, 9);
	strew_builder_report(builder, STREW_WARNING, STREW_ESYNTAX, "%d is odd", 3);
	ck_assert_uint_eq(strew_builder_warning_count(builder), 1);
	ck_assert_str_eq(strew_builder_warning_at(builder, 0)->text, "3 is odd");
	ck_assert_ptr_null(strew_builder_warning_at(builder, 1));
	map = finish(builder);
	ck_assert_int_eq(strew_map_warning_at(map, 0)->line, 3);
	ck_assert_int_eq(strew_map_warning_at(map, 0)->column, 9);
	ck_assert_ptr_null(strew_map_warning_at(map, 1));
	strew_map_release(map);

	builder = start(NULL);
	strew_builder_report(builder, STREW_FAULT, STREW_ESYNTAX, "no");
	ck_assert_int_eq(strew_builder_build(&map, builder, &error), STREW_ESYNTAX);
	ck_assert_int_eq(error.status, STREW_ESYNTAX);
	strew_builder_free(builder);
}
END_TEST

START_TEST(long_names_are_cut_between_characters)
{
	strew_builder *builder = start(NULL);
	char name[201] = "x", text[256];

	for (size_t i = 1; i < 199; i += 2)
		memcpy(name + i, "\xc3\xa9", 2);
	add_tree(builder);
	map_weigh_device(builder, 0, name, ONE);
	name[95] = '\0';
	snprintf(text, sizeof(text), "the map has no device \"%s\"", name);
	refuse(builder, "map.json", text);
}
END_TEST

TCase *check_map_check(void)
{
	TCase *tcase = tcase_create("map_check");

	tcase_add_test(tcase, invariant_1_ids_are_unique);
	tcase_add_test(tcase, invariant_1_covers_rules_and_pools);
	tcase_add_test(tcase, invariant_2_names_are_unique_and_not_empty);
	tcase_add_test(tcase, invariant_2_covers_rules_pools_and_types);
	tcase_add_test(tcase, invariant_3_ids_are_in_range);
	tcase_add_test(tcase, invariant_4_types_are_known);
	tcase_add_test(tcase, invariant_5_items_exist);
	tcase_add_test(tcase, invariant_6_no_bucket_contains_itself);
	tcase_add_test(tcase, invariant_7_items_hang_once);
	tcase_add_test(tcase, invariant_8_weights_fit);
	tcase_add_test(tcase, invariant_8_holds_for_derived_shadows);
	tcase_add_test(tcase, invariant_10_pools_are_whole);
	tcase_add_test(tcase, invariant_10_rule_names_are_known);
	tcase_add_test(tcase, invariant_11_rows_fit);
	tcase_add_test(tcase, invariant_12_shares_are_at_most_1);
	tcase_add_test(tcase, invariant_13_overrides_are_of_pgs_that_exist);
	tcase_add_test(tcase, invariant_14_tables_fit);
	tcase_add_test(tcase, all_faults_are_counted_and_the_first_hundred_kept);
	tcase_add_test(tcase, long_names_are_cut_between_characters);
	tcase_add_test(tcase, reports_from_outside_stop_the_build_or_stay_with_the_map);
	return tcase;
}
