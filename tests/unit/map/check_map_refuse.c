/* SPDX-License-Identifier: MIT */
#include <time.h>

#include "fixture.h"

/* One fault is reported once: what follows from it stays silent. */

static void fault(strew_builder *builder)
{
	strew_builder_report(builder, STREW_FAULT, STREW_ESYNTAX, "broken");
}

/* The build must fail with the fault above and no other. Frees the builder. */
static void only_fault(strew_builder *builder)
{
	strew_map *map;

	ck_assert_int_eq(strew_builder_build(&map, builder, NULL), STREW_ESYNTAX);
	for (size_t i = 1; i < strew_builder_fault_count(builder); i++)
		ck_abort_msg("a second fault: %s",
			     strew_builder_fault_at(builder, i)->text);
	for (size_t i = 0; i < strew_builder_warning_count(builder); i++)
		ck_abort_msg("a warning: %s", strew_builder_warning_at(builder, i)->text);
	strew_builder_free(builder);
}

/* References to the bucket "h9" (-9), the device 9 of class "ssd", the type "row" (9),
 * the rule "r9" (9) and the pool 9, by id and by name. */
static void refer(strew_builder *builder)
{
	strew_pool_desc desc = pool_desc(1, "p");
	const uint32_t weight = ONE;

	hang(builder, -1, -9);
	hang(builder, -2, 9);
	add_bucket(builder, -8, "of row", 9);
	add_rule(builder, 0, "r");
	strew_builder_add_take(builder, -9);
	strew_builder_add_take_name(builder, "h9", NULL);
	strew_builder_add_take_name(builder, "default", "ssd");
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 0, 9, NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 0, 0, "row");
	strew_builder_add_weight_set(builder, 1, NULL);
	strew_builder_add_weight_row(builder, -9, &weight, 1);
	desc.rule = 9;
	strew_builder_add_pool(builder, &desc);
	desc.id = 2;
	desc.name = "q";
	desc.rule_name = "r9";
	strew_builder_add_pool(builder, &desc);
	strew_builder_set_primary_temp(builder, (strew_pg){9, 0}, 0);
	strew_builder_derive_shadows(builder);
}

START_TEST(what_refers_to_refused_things_is_no_fault)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	fault(builder);
	ck_assert_int_eq(map_refuse_bucket(builder, -9, "h9"), -9);
	map_refuse_device(builder, 9, NULL, "ssd");
	strew_builder_add_type(builder, 9, "row");
	map_refuse_rule(builder, 9, "r9");
	map_refuse_pool(builder, 9, NULL);
	refer(builder);
	only_fault(builder);
}
END_TEST

START_TEST(what_refers_to_things_not_known_is_no_fault)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	fault(builder);
	for (int part = 0; part < MAP_PARTS; part++) {
		ck_assert(!map_refuses_all(builder, (enum map_part)part));
		map_refuse_all(builder, (enum map_part)part);
		ck_assert(map_refuses_all(builder, (enum map_part)part));
	}
	refer(builder);
	only_fault(builder);
}
END_TEST

START_TEST(what_a_refused_bucket_holds_is_dropped)
{
	strew_builder *builder = start(NULL);
	int32_t id;

	add_tree(builder);
	fault(builder);
	id = map_refuse_bucket(builder, STREW_AUTO_ID, NULL);
	hang(builder, id, 77);
	hang(builder, id, 0);
	hang(builder, -1, id);
	only_fault(builder);
}
END_TEST

START_TEST(other_missing_things_are_still_faults)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	fault(builder);
	map_refuse_bucket(builder, -9, NULL);
	map_refuse_all(builder, MAP_DEVICES);
	strew_builder_at_path(builder, "/item");
	hang(builder, -1, -10);
	ck_assert_int_eq(strew_builder_build(&(strew_map *){NULL}, builder, NULL),
			 STREW_ESYNTAX);
	ck_assert_uint_eq(strew_builder_fault_count(builder), 2);
	ck_assert_str_eq(strew_builder_fault_at(builder, 1)->where, "map.json: /item");
	strew_builder_free(builder);
}
END_TEST

static void add_shadow(strew_builder *builder, int32_t id, const char *name)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.type = 3;
	desc.shadow_of = -1;
	desc.class_name = "hdd";
	strew_builder_add_bucket(builder, &desc);
}

START_TEST(twin_shadows_of_one_name_are_one_fault)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_at_path(builder, "/first");
	add_shadow(builder, -8, "default~hdd");
	strew_builder_at_path(builder, "/second");
	add_shadow(builder, -9, "default~hdd");
	refuse(builder, "map.json: /second",
	       "the name \"default~hdd\" is given to the id -8 (/first) and to the id "
	       "-9; "
	       "names of devices and buckets must be unique");
}
END_TEST

START_TEST(a_bucket_too_heavy_is_one_fault_shadow_or_not)
{
	strew_builder *builder = start(NULL);

	add_bucket(builder, -1, "default", 3);
	for (int32_t i = 0; i < 3; i++) {
		strew_builder_add_device(builder, i, NULL, "hdd");
		strew_builder_add_item(builder, -1, i, STREW_DEVICE_WEIGHT_END - 1, 0);
	}
	strew_builder_derive_shadows(builder);
	refuse(builder, "map.json",
	       "the items of root default (id -1) weigh 98303 together; the sum must be "
	       "below 65536");
}
END_TEST

START_TEST(weights_are_checked_beside_a_cycle)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	hang(builder, -3, -3);
	strew_builder_add_device(builder, 9, NULL, NULL);
	strew_builder_at_path(builder, "/heavy");
	strew_builder_add_item(builder, -2, 9, STREW_DEVICE_WEIGHT_END, 0);
	ck_assert_int_eq(strew_builder_build(&(strew_map *){NULL}, builder, NULL),
			 STREW_EMAP);
	ck_assert_uint_eq(strew_builder_fault_count(builder), 2);
	ck_assert_str_eq(strew_builder_fault_at(builder, 1)->where, "map.json: /heavy");
	strew_builder_free(builder);
}
END_TEST

START_TEST(rules_out_of_range_have_a_place)
{
	strew_builder *builder = start(NULL);

	for (int i = 0; i <= UINT16_MAX; i++)
		strew_builder_add_rule(builder, STREW_AUTO_ID, "", STREW_KIND_REPLICATED);
	strew_builder_at_path(builder, "/last");
	strew_builder_add_rule(builder, STREW_AUTO_ID, "", STREW_KIND_REPLICATED);
	refuse(builder, "map.json: /last",
	       "the rule id 65536 is out of range; it must be from 0 to 65535");
}
END_TEST

START_TEST(places_in_another_file_are_told_with_it)
{
	strew_builder *builder = start(NULL);

	strew_builder_at_path(builder, "/a");
	strew_builder_add_device(builder, 9, "x", NULL);
	strew_builder_in_file(builder, "other.json");
	strew_builder_at_path(builder, "/b");
	strew_builder_add_device(builder, 9, "y", NULL);
	refuse(builder, "other.json: /b",
	       "device \"y\" has the id 9, which device \"x\" (map.json: /a) has too; "
	       "ids "
	       "must be unique");
}
END_TEST

/* Each bucket holds the next, and the first one: as many cycles, each longer.
 * @return the processor time that the build took */
static double build_cycles(int32_t count)
{
	strew_builder *builder = start(NULL);
	char name[16];
	clock_t begin;

	for (int32_t i = 1; i <= count; i++) {
		snprintf(name, sizeof(name), "b%d", (int)i);
		add_bucket(builder, -i, name, 1);
		if (i < count)
			hang(builder, -i, -i - 1);
		hang(builder, -i, -1);
	}
	begin = clock();
	ck_assert_int_eq(strew_builder_build(&(strew_map *){NULL}, builder, NULL),
			 STREW_EMAP);
	begin = clock() - begin;
	ck_assert_uint_eq(strew_builder_fault_count(builder), (size_t)count);
	strew_builder_free(builder);
	return (double)begin;
}

/* Sixteen times as many: quadratic work would take 256 times as long. */
START_TEST(time_for_long_cycles_grows_with_their_number)
{
	double few = build_cycles(10000), many = build_cycles(160000);

	ck_assert_double_lt(many, 80 * few);
}
END_TEST

TCase *check_map_refuse(void)
{
	TCase *tcase = tcase_create("map_refuse");

	tcase_add_test(tcase, what_refers_to_refused_things_is_no_fault);
	tcase_add_test(tcase, what_refers_to_things_not_known_is_no_fault);
	tcase_add_test(tcase, what_a_refused_bucket_holds_is_dropped);
	tcase_add_test(tcase, other_missing_things_are_still_faults);
	tcase_add_test(tcase, twin_shadows_of_one_name_are_one_fault);
	tcase_add_test(tcase, a_bucket_too_heavy_is_one_fault_shadow_or_not);
	tcase_add_test(tcase, weights_are_checked_beside_a_cycle);
	tcase_add_test(tcase, rules_out_of_range_have_a_place);
	tcase_add_test(tcase, places_in_another_file_are_told_with_it);
	tcase_add_test(tcase, time_for_long_cycles_grows_with_their_number);
	return tcase;
}
