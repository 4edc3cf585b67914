/* SPDX-License-Identifier: MIT */
#include "fixture.h"

START_TEST(auto_ids_are_the_highest_free_ones)
{
	strew_builder *builder = start(NULL);
	int32_t first, second, third;
	strew_map *map;

	first = add_host(builder, STREW_AUTO_ID, "a", 0, 1);
	add_host(builder, -2, "b", 1, 1);
	second = add_host(builder, STREW_AUTO_ID, "c", 2, 1);
	strew_builder_set_shadow_id(builder, -2, "hdd", -3);
	third = add_bucket(builder, STREW_AUTO_ID, "top", 3);
	hang(builder, third, first);
	hang(builder, third, second);
	hang(builder, third, -2);
	add_bucket(builder, -1, "empty", 2);
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_REPLICATED);
	strew_builder_add_take(builder, third);
	map = finish(builder);
	ck_assert_int_lt(first, STREW_BUCKET_ID_MIN);
	ck_assert_str_eq(draw(map, "a"), "-4 16: 0*16");
	ck_assert_str_eq(draw(map, "c"), "-5 16: 2*16");
	ck_assert_str_eq(draw(map, "top"), "-6 48: -4*16 -5*16 -2*16");
	ck_assert_int_eq(map->rules[0].steps[0].arg1, -6);
	ck_assert(strew_map_bucket_by_id(map, -4)->auto_id);
	ck_assert(!strew_map_bucket_by_id(map, -2)->auto_id);
	warned(map, NULL);
}
END_TEST

START_TEST(auto_weights_are_sums_and_written_ones_win)
{
	strew_builder *builder = start(NULL);
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	strew_map *map;

	add_bucket(builder, -1, "default", 3);
	desc.id = -2;
	desc.name = "h1";
	desc.type_name = "host";
	desc.weight = 9 * ONE;
	strew_builder_add_bucket(builder, &desc);
	strew_builder_add_device(builder, 0, NULL, NULL);
	strew_builder_add_item(builder, -2, 0, ONE / 2, 0);
	hang(builder, -1, -2);
	add_bucket(builder, -3, "h2", 1);
	strew_builder_add_item(builder, -1, -3, 0xfffe0000u - ONE, 0);
	map = finish(builder);
	ck_assert_str_eq(draw(map, "h1"), "-2 144: 0*8");
	ck_assert_str_eq(draw(map, "default"), "-1 1048536: -2*8 -3*1048528");
	ck_assert_uint_eq(strew_map_bucket_by_name(map, "h2")->weight, 0);
	warned(map, NULL);
}
END_TEST

START_TEST(old_structs_get_defaults_for_what_they_lack)
{
	strew_builder *builder = start(NULL);
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	strew_map *map;

	desc.size = offsetof(strew_bucket_desc, alg);
	desc.id = -1;
	desc.name = "h";
	desc.type = 1;
	desc.alg = "list";
	strew_builder_add_bucket(builder, &desc);
	map = finish(builder);
	ck_assert_str_eq(map->buckets[0].alg, "straw2");
	strew_map_release(map);
}
END_TEST

START_TEST(type_0_is_there_without_being_added)
{
	strew_builder *builder;
	strew_map *map;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	map = finish(builder);
	ck_assert_str_eq(strew_map_type_name(map, 0), "device");
	strew_map_release(map);
	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 4, "device");
	map = finish(builder);
	ck_assert_ptr_null(strew_map_type_name(map, 0));
	strew_map_release(map);
}
END_TEST

START_TEST(devices_have_defaults_and_what_is_told_last)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	strew_builder_set_state(builder, 1, 1, 0);
	strew_builder_set_reweight(builder, 1, 7);
	strew_builder_set_reweight(builder, 1, 9);
	strew_builder_add_device(builder, 1, "one", NULL);
	strew_builder_add_device(builder, 0, NULL, NULL);
	strew_builder_set_primary_affinity(builder, 5, 3);
	strew_builder_set_capacity(builder, 5, 100, 50);
	strew_builder_set_state(builder, 5, 0, 1);
	map = finish(builder);
	ck_assert_uint_eq(map->device_count, 3);
	ck_assert(map->devices[0].exists && map->devices[0].up);
	ck_assert_uint_eq(map->devices[0].reweight, ONE);
	ck_assert_uint_eq(map->devices[0].primary_affinity, ONE);
	ck_assert(map->devices[1].exists && !map->devices[1].up);
	ck_assert_uint_eq(map->devices[1].reweight, 9);
	ck_assert_str_eq(map->devices[1].name, "one");
	ck_assert_str_eq(map->devices[2].name, "osd.5");
	ck_assert(!map->devices[2].exists && !map->devices[2].up);
	ck_assert_int_eq(map->devices[2].id, 5);
	ck_assert_uint_eq(map->devices[2].primary_affinity, 3);
	ck_assert_uint_eq(map->devices[2].used_bytes, 50);
	ck_assert_int_eq(map->device_limit, 6);
	strew_map_release(map);
}
END_TEST

START_TEST(after_the_limit_devices_exist_when_told)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	for (int32_t i = 0; i < 3; i++)
		strew_builder_add_device(builder, i, NULL, NULL);
	strew_builder_set_state(builder, 0, 1, 1);
	strew_builder_set_reweight(builder, 0, ONE);
	strew_builder_set_primary_affinity(builder, 0, 5);
	strew_builder_set_device_limit(builder, 10);
	strew_builder_set_state(builder, 1, 1, 1);
	strew_builder_set_reweight(builder, 1, ONE / 2);
	strew_builder_add_device(builder, 3, NULL, NULL);
	map = finish(builder);
	ck_assert_int_eq(map->device_limit, 10);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(map->devices[i].exists, i == 1);
		ck_assert_int_eq(map->devices[i].up, i == 1);
		ck_assert_uint_eq(map->devices[i].reweight, i == 1 ? ONE / 2 : 0);
	}
	ck_assert_uint_eq(map->devices[0].primary_affinity, 5);
	strew_map_release(map);
}
END_TEST

START_TEST(tunables_have_profiles_and_limits)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	strew_builder_set_profile(builder, "legacy");
	strew_builder_set_profile(builder, "hammer");
	strew_builder_set_tunable(builder, "chooseleaf_descend_once", 7);
	strew_builder_set_tunable(builder, "chooseleaf_vary_r", 255);
	strew_builder_set_tunable(builder, "msr_collision_tries", 12);
	map = finish(builder);
	ck_assert_uint_eq(map->tunables.choose_total_tries, 50);
	ck_assert_uint_eq(map->tunables.straw_calc_version, 0);
	ck_assert_uint_eq(map->tunables.allowed_bucket_algs, 54);
	ck_assert_uint_eq(map->tunables.chooseleaf_descend_once, 7);
	ck_assert_uint_eq(map->tunables.chooseleaf_vary_r, 255);
	ck_assert_uint_eq(map->tunables.chooseleaf_stable, 0);
	ck_assert_uint_eq(map->tunables.msr_descents, 100);
	ck_assert_uint_eq(map->tunables.msr_collision_tries, 12);
	strew_map_release(map);

	map = finish(start(NULL));
	ck_assert_uint_eq(map->tunables.chooseleaf_stable, 1);
	ck_assert_uint_eq(map->tunables.straw_calc_version, 1);
	strew_map_release(map);
}
END_TEST

START_TEST(unknown_tunables_are_refused)
{
	strew_builder *builder = start(NULL);

	strew_builder_set_tunable(builder, "choose_total_trys", 1);
	refuse(builder, "map.json",
	       "there is no tunable \"choose_total_trys\"; the nearest one is "
	       "choose_total_tries");
	builder = start(NULL);
	strew_builder_set_tunable(builder, "chooseleaf_stable", 256);
	refuse(builder, "map.json",
	       "the tunable chooseleaf_stable is 256; it must be at most 255");
	builder = start(NULL);
	strew_builder_set_profile(builder, "infernalis");
	refuse(builder, "map.json",
	       "there is no tunables profile \"infernalis\"; there are argonaut "
	       "(legacy), bobtail, firefly, hammer, jewel (optimal, default)");
}
END_TEST

START_TEST(pools_get_their_defaults)
{
	strew_builder *builder = start(NULL);
	strew_pool_desc desc = pool_desc(1, "a");
	strew_map *map;

	add_tree(builder);
	add_rule(builder, 0, "replicated");
	strew_builder_add_pool(builder, &desc);
	desc = pool_desc(4000000000, "b");
	desc.kind = STREW_KIND_ERASURE;
	desc.size = 6;
	desc.k = 4;
	desc.pgp_num = 4;
	desc.has_bytes = 1;
	desc.bytes = 12;
	strew_builder_add_pool(builder, &desc);
	desc = pool_desc(2, "c");
	desc.kind = STREW_KIND_ERASURE;
	desc.k = 3;
	strew_builder_add_pool(builder, &desc);
	map = finish(builder);
	ck_assert_int_eq(map->pools[0].min_size, 2);
	ck_assert_int_eq(map->pools[0].k, 1);
	ck_assert_uint_eq(map->pools[0].pgp_num, 8);
	ck_assert(map->pools[0].hashpspool && !map->pools[0].has_bytes);
	ck_assert_int_eq(map->pools[1].min_size, 3);
	ck_assert_int_eq(map->pools[2].id, 4000000000);
	ck_assert_int_eq(map->pools[2].min_size, 5);
	ck_assert_int_eq(map->pools[2].k, 4);
	ck_assert_uint_eq(map->pools[2].pgp_num, 4);
	ck_assert_uint_eq(map->pools[2].bytes, 12);
	strew_map_release(map);
}
END_TEST

START_TEST(overrides_of_one_pg_are_merged)
{
	static const int32_t devices[2] = {0, 2}, others[1] = {3};
	strew_builder *builder = start(NULL);
	strew_pool_desc desc = pool_desc(1, "a");
	const struct map_override *override;
	strew_pg pg = {1, 5};
	strew_map *map;

	add_tree(builder);
	add_rule(builder, 0, "replicated");
	strew_builder_add_pool(builder, &desc);
	strew_builder_add_upmap_item(builder, pg, 0, 1);
	strew_builder_set_primary_temp(builder, (strew_pg){1, 2}, 3);
	strew_builder_add_upmap(builder, pg, devices, 2);
	strew_builder_add_upmap_item(builder, pg, 2, 3);
	strew_builder_set_upmap_primary(builder, pg, 2);
	strew_builder_add_pg_temp(builder, pg, devices, 2);
	strew_builder_add_pg_temp(builder, pg, others, 1);
	strew_builder_set_primary_temp(builder, pg, -1);
	map = finish(builder);
	ck_assert_uint_eq(map->override_count, 2);
	override = &map->overrides[0];
	ck_assert_uint_eq(override->pg.seed, 2);
	ck_assert_int_eq(override->primary_temp, 3);
	ck_assert_int_eq(override->upmap_primary, STREW_NONE);
	ck_assert_ptr_null(override->upmap);
	ck_assert_ptr_null(override->upmap_items);
	ck_assert_ptr_null(override->temp);
	override = &map->overrides[1];
	ck_assert_uint_eq(override->upmap_count, 2);
	ck_assert_int_eq(override->upmap[1], 2);
	ck_assert_uint_eq(override->upmap_item_count, 2);
	ck_assert_mem_eq(override->upmap_items, ((int32_t[4]){0, 1, 2, 3}), 16);
	ck_assert_int_eq(override->upmap_primary, 2);
	ck_assert_uint_eq(override->temp_count, 1);
	ck_assert_int_eq(override->temp[0], 3);
	ck_assert_int_eq(override->primary_temp, STREW_NONE);
	warned(map, NULL);
}
END_TEST

START_TEST(weight_sets_are_grouped_by_bucket)
{
	static const uint32_t a[2] = {1, 2}, b[2] = {3, 4}, c[2] = {5, 6};
	static const int32_t ids[2] = {-30, -40};
	strew_builder *builder = start(NULL);
	const struct map_weight_set *set;
	strew_map *map;

	add_tree(builder);
	strew_builder_add_weight_set(builder, 7, NULL);
	strew_builder_add_weight_row(builder, -3, a, 2);
	strew_builder_add_weight_row(builder, -1, b, 2);
	strew_builder_set_weight_ids(builder, -1, ids, 2);
	strew_builder_add_weight_row(builder, -3, c, 2);
	strew_builder_add_weight_set(builder, -1, "compat");
	strew_builder_set_weight_ids(builder, -2, ids, 2);
	map = finish(builder);
	ck_assert_uint_eq(map->weight_set_count, 2);
	set = map_weight_set_by_id(map, -1);
	ck_assert_ptr_eq(set, &map->weight_sets[0]);
	ck_assert_uint_eq(set->bucket_count, 1);
	ck_assert_uint_eq(set->buckets[0].positions, 0);
	ck_assert_int_eq(set->buckets[0].ids[1], -40);
	set = map_weight_set_by_id(map, 7);
	ck_assert_str_eq(set->name, "7");
	ck_assert_uint_eq(set->bucket_count, 2);
	ck_assert_int_eq(set->buckets[0].bucket, -1);
	ck_assert_uint_eq(set->buckets[0].positions, 1);
	ck_assert_mem_eq(set->buckets[0].ids, ids, sizeof(ids));
	ck_assert_int_eq(set->buckets[1].bucket, -3);
	ck_assert_uint_eq(set->buckets[1].positions, 2);
	ck_assert_ptr_null(set->buckets[1].ids);
	ck_assert_mem_eq(set->buckets[1].rows, ((uint32_t[4]){1, 2, 5, 6}), 16);
	warned(map, NULL);
}
END_TEST

START_TEST(weight_sets_of_other_selectors_are_dropped)
{
	static const uint32_t row[1] = {1};
	strew_builder *builder = start(NULL);
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	strew_map *map;

	desc.id = -1;
	desc.name = "h";
	desc.type = 1;
	desc.alg = "list";
	strew_builder_add_bucket(builder, &desc);
	strew_builder_add_weight_set(builder, 7, NULL);
	strew_builder_add_weight_row(builder, -1, row, 1);
	strew_builder_add_weight_row(builder, -1, row, 1);
	strew_builder_add_weight_row(builder, -5, row, 1);
	map = finish(builder);
	ck_assert_uint_eq(map->weight_sets[0].bucket_count, 0);
	ck_assert_uint_eq(strew_map_warning_count(map), 2);
	ck_assert_str_eq(strew_map_warning_at(map, 0)->text,
			 "the part of weight set 7 for host h (id -1) is dropped, "
			 "because only straw2 buckets heed one");
	ck_assert_str_eq(strew_map_warning_at(map, 1)->text,
			 "the part of weight set 7 for bucket -5 is dropped, because the "
			 "bucket does not exist");
	strew_map_release(map);

	builder = start(NULL);
	strew_builder_add_weight_row(builder, -1, row, 1);
	refuse(builder, "map.json",
	       "weights of a weight set come before any weight set; add the set first");
}
END_TEST

/* A chain of buckets 1000 levels deep over 100,000 devices. */
START_TEST(large_and_deep_maps_are_built)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	for (int32_t level = 0; level < 1000; level++) {
		char name[16];

		snprintf(name, sizeof(name), "b%d", (int)level);
		add_bucket(builder, -1 - level, name, 1);
		for (int32_t i = level * 100; i < level * 100 + 100; i++) {
			strew_builder_add_device(builder, i, NULL, NULL);
			strew_builder_add_item(builder, -1 - level, i, ONE / 2, 0);
		}
		if (level > 0)
			hang(builder, -level, -1 - level);
	}
	map = finish(builder);
	ck_assert_uint_eq(map->device_count, 100000);
	ck_assert_uint_eq(map->buckets[999].weight, 50 * ONE);
	ck_assert_uint_eq(map->buckets[701].weight, 14950 * ONE);
	strew_map_release(map);
}
END_TEST

START_TEST(object_hashes_fit_a_byte)
{
	strew_builder *builder = start(NULL);
	strew_pool_desc desc = pool_desc(1, "p");

	add_tree(builder);
	add_rule(builder, 0, "replicated");
	desc.object_hash = 256;
	strew_builder_add_pool(builder, &desc);
	refuse(builder, "map.json",
	       "pool p has the object_hash 256; it must be from 0 to 255");
}
END_TEST

TCase *check_map_build(void)
{
	TCase *tcase = tcase_create("map_build");

	tcase_add_test(tcase, auto_ids_are_the_highest_free_ones);
	tcase_add_test(tcase, auto_weights_are_sums_and_written_ones_win);
	tcase_add_test(tcase, old_structs_get_defaults_for_what_they_lack);
	tcase_add_test(tcase, type_0_is_there_without_being_added);
	tcase_add_test(tcase, devices_have_defaults_and_what_is_told_last);
	tcase_add_test(tcase, after_the_limit_devices_exist_when_told);
	tcase_add_test(tcase, tunables_have_profiles_and_limits);
	tcase_add_test(tcase, unknown_tunables_are_refused);
	tcase_add_test(tcase, pools_get_their_defaults);
	tcase_add_test(tcase, overrides_of_one_pg_are_merged);
	tcase_add_test(tcase, weight_sets_are_grouped_by_bucket);
	tcase_add_test(tcase, weight_sets_of_other_selectors_are_dropped);
	tcase_add_test(tcase, large_and_deep_maps_are_built);
	tcase_add_test(tcase, object_hashes_fit_a_byte);
	return tcase;
}
