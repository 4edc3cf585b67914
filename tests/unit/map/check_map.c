/* SPDX-License-Identifier: MIT */
#include "fixture.h"

START_TEST(tunables_are_told_by_name)
{
	strew_builder *builder = start(NULL);
	strew_map *map;
	uint32_t value = 0;

	strew_builder_set_tunable(builder, "choose_total_tries", 77);
	map = finish(builder);
	ck_assert_int_eq(strew_map_tunable(&value, map, "choose_total_tries"), STREW_OK);
	ck_assert_uint_eq(value, 77);
	ck_assert_int_eq(strew_map_tunable(&value, map, "chooseleaf_stable"), STREW_OK);
	ck_assert_uint_eq(value, 1);
	ck_assert_int_eq(strew_map_tunable(&value, map, "choose_tries"), STREW_ENOTFOUND);
	strew_map_release(map);
}
END_TEST

START_TEST(getters_find_what_was_added)
{
	strew_builder *builder = start(NULL);
	const strew_bucket *bucket;
	const strew_device *device;
	strew_map *map;

	add_tree(builder);
	strew_builder_set_name(builder, "ams");
	strew_builder_set_epoch(builder, 7);
	strew_builder_set_capacity(builder, 3, 4000, 1000);
	map = finish(builder);
	ck_assert_str_eq(strew_map_name(map), "ams");
	ck_assert_int_eq(strew_map_epoch(map), 7);
	ck_assert_str_eq(strew_map_type_name(map, 3), "root");
	ck_assert_ptr_null(strew_map_type_name(map, 4));
	ck_assert_int_eq(strew_map_find_type(map, "rack"), 2);
	ck_assert_int_eq(strew_map_find_type(map, "row"), STREW_ENOTFOUND);

	ck_assert_uint_eq(strew_map_bucket_count(map), 3);
	ck_assert_int_eq(strew_bucket_id(strew_map_bucket_at(map, 0)), -1);
	ck_assert_int_eq(strew_bucket_id(strew_map_bucket_at(map, 2)), -3);
	ck_assert_ptr_null(strew_map_bucket_at(map, 3));
	bucket = strew_map_bucket_by_name(map, "h2");
	ck_assert_ptr_eq(bucket, strew_map_bucket_by_id(map, -3));
	ck_assert_ptr_null(strew_map_bucket_by_name(map, "h3"));
	ck_assert_ptr_null(strew_map_bucket_by_id(map, -4));
	ck_assert_int_eq(strew_bucket_type(bucket), 1);
	ck_assert_str_eq(strew_bucket_alg(bucket), "straw2");
	ck_assert_uint_eq(strew_bucket_weight(bucket), 2 * ONE);
	ck_assert_uint_eq(strew_bucket_item_count(bucket), 2);
	ck_assert_int_eq(strew_bucket_item(bucket, 1), 3);
	ck_assert_uint_eq(strew_bucket_item_weight(bucket, 1), ONE);
	ck_assert_int_eq(strew_bucket_shadow_of(bucket), 0);

	ck_assert_uint_eq(strew_map_device_count(map), 4);
	device = strew_map_device_by_name(map, "osd.3");
	ck_assert_ptr_eq(device, strew_map_device_by_id(map, 3));
	ck_assert_ptr_eq(device, strew_map_device_at(map, 3));
	ck_assert_ptr_null(strew_map_device_at(map, 4));
	ck_assert_ptr_null(strew_map_device_by_id(map, 4));
	ck_assert_ptr_null(strew_map_device_by_name(map, "osd.4"));
	ck_assert_ptr_null(strew_device_class(device));
	ck_assert_uint_eq(strew_device_size(device), 4000);
	ck_assert_int_eq(map->device_limit, 4);
	warned(map, NULL);
}
END_TEST

START_TEST(rules_and_pools_are_found)
{
	strew_builder *builder = start(NULL);
	strew_pool_desc desc = pool_desc(5, "rbd");
	strew_map *map;

	add_tree(builder);
	add_rule(builder, 2, "two");
	add_rule(builder, STREW_AUTO_ID, "zero");
	add_rule(builder, 1, "");
	add_rule(builder, STREW_AUTO_ID, "three");
	desc.rule_name = "two";
	strew_builder_add_pool(builder, &desc);
	map = finish(builder);
	ck_assert_uint_eq(strew_map_rule_count(map), 4);
	ck_assert_int_eq(strew_map_find_rule(map, "zero"), 0);
	ck_assert_int_eq(strew_map_find_rule(map, "three"), 3);
	ck_assert_int_eq(strew_map_find_rule(map, "four"), STREW_ENOTFOUND);
	ck_assert_int_eq(strew_map_rule_at(map, 2), 2);
	ck_assert_int_eq(strew_map_rule_at(map, 4), STREW_ENOTFOUND);
	ck_assert_str_eq(strew_map_rule_name(map, 1), "");
	ck_assert_ptr_null(strew_map_rule_name(map, 4));
	ck_assert_uint_eq(strew_map_step_count(map, 0), map->rules[0].step_count);
	ck_assert_uint_eq(strew_map_step_count(map, 4), 0);
	ck_assert_int_eq(strew_map_step_at(map, 0, 0).op, STREW_OP_TAKE);
	ck_assert_int_eq(strew_map_step_at(map, 0, 0).arg1, -1);
	ck_assert_int_eq(strew_map_step_at(map, 0, 1).arg2, 1);
	ck_assert_ptr_eq(strew_map_pool_by_id(map, 5),
			 strew_map_pool_by_name(map, "rbd"));
	ck_assert_ptr_eq(strew_map_pool_by_id(map, 5), strew_map_pool_at(map, 0));
	ck_assert_ptr_null(strew_map_pool_by_id(map, 4));
	ck_assert_ptr_null(strew_map_pool_by_name(map, "rgw"));
	ck_assert_int_eq(strew_pool_rule(strew_map_pool_at(map, 0)), 2);
	ck_assert_uint_eq(strew_pool_pg_num(strew_map_pool_at(map, 0)), 8);
	warned(map, NULL);
}
END_TEST

START_TEST(weight_sets_are_found_by_name_and_number)
{
	strew_builder *builder = start(NULL);
	strew_map *map;
	int64_t id;

	strew_builder_add_weight_set(builder, -1, "compat");
	strew_builder_add_weight_set(builder, 12, NULL);
	map = finish(builder);
	ck_assert_int_eq(strew_map_find_weight_set(&id, map, "compat"), STREW_OK);
	ck_assert_int_eq(id, -1);
	ck_assert_int_eq(strew_map_find_weight_set(&id, map, "-1"), STREW_OK);
	ck_assert_int_eq(id, -1);
	ck_assert_int_eq(strew_map_find_weight_set(&id, map, "12"), STREW_OK);
	ck_assert_int_eq(id, 12);
	ck_assert_int_eq(strew_map_find_weight_set(&id, map, "12x"), STREW_ENOTFOUND);
	ck_assert_int_eq(strew_map_find_weight_set(&id, map, ""), STREW_ENOTFOUND);
	ck_assert_int_eq(strew_map_find_weight_set(&id, map, "7"), STREW_ENOTFOUND);
	warned(map, NULL);
}
END_TEST

START_TEST(a_map_lives_until_its_last_reference)
{
	strew_builder *builder = start(NULL);
	strew_map *map = finish(builder), *second = strew_map_retain(map);

	ck_assert_ptr_eq(map, second);
	strew_map_release(map);
	ck_assert_uint_eq(strew_map_bucket_count(second), 0);
	ck_assert_str_eq(strew_map_name(second), "");
	strew_map_release(second);
	strew_map_release(NULL);
}
END_TEST

TCase *check_map(void)
{
	TCase *tcase = tcase_create("map");

	tcase_add_test(tcase, tunables_are_told_by_name);
	tcase_add_test(tcase, getters_find_what_was_added);
	tcase_add_test(tcase, rules_and_pools_are_found);
	tcase_add_test(tcase, weight_sets_are_found_by_name_and_number);
	tcase_add_test(tcase, a_map_lives_until_its_last_reference);
	return tcase;
}
