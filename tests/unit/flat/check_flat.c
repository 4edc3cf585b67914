/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>

#include "flat_fixture.h"

START_TEST(rules_are_found_by_id)
{
	static const struct fixture_rule rules[] = {
		{.id = 0}, {.id = 3}, {.id = 4}, {.id = 900}};
	struct fixture_map map = {.rules = rules, .rule_count = FIXTURE_COUNT(rules)};
	struct flat *flat = fixture_flat(&map);

	for (uint32_t i = 0; i < map.rule_count; i++)
		ck_assert_ptr_eq(flat_find_rule(flat, rules[i].id),
				 flat_rule_at(flat, i));
	ck_assert_ptr_null(flat_find_rule(flat, -1));
	ck_assert_ptr_null(flat_find_rule(flat, 1));
	ck_assert_ptr_null(flat_find_rule(flat, 901));
	free(flat);
}
END_TEST

START_TEST(no_rules_nothing_found)
{
	struct flat *flat = fixture_flat(&(struct fixture_map){0});

	ck_assert_ptr_null(flat_find_rule(flat, 0));
	ck_assert_int_eq(flat_find_device(flat, 0), -1);
	ck_assert_ptr_null(flat_pick_set(flat, 0));
	free(flat);
}
END_TEST

START_TEST(devices_are_found_by_id)
{
	struct fixture_map map = {.device_count = 5};
	struct flat *flat = fixture_flat(&map);

	for (int32_t i = 0; i < 5; i++)
		ck_assert_int_eq(flat_find_device(flat, i), i);
	ck_assert_int_eq(flat_find_device(flat, 5), -1);
	ck_assert_int_eq(flat_find_device(flat, -1), -1);
	free(flat);
}
END_TEST

START_TEST(devices_are_found_by_id_between_gaps)
{
	static const int32_t ids[] = {0, 1, 4, 5, 2147483645};
	struct fixture_map map = {.device_count = FIXTURE_COUNT(ids), .device_ids = ids};
	struct flat *flat = fixture_flat(&map);

	for (int32_t i = 0; i < 5; i++)
		ck_assert_int_eq(flat_find_device(flat, ids[i]), i);
	ck_assert_int_eq(flat_find_device(flat, 2), -1);
	ck_assert_int_eq(flat_find_device(flat, 6), -1);
	ck_assert_int_eq(flat_find_device(flat, -5), -1);
	ck_assert_int_eq(flat_id_of(flat, 2), 4);
	ck_assert_int_eq(flat_id_of(flat, FLAT_NONE), FLAT_NONE);
	free(flat);
}
END_TEST

START_TEST(sets_fall_back_to_the_compat_set)
{
	static const struct fixture_set sets[] = {
		{.id = -1}, {.id = 2}, {.id = 5000000000}};
	struct fixture_map map = {.sets = sets, .set_count = FIXTURE_COUNT(sets)};
	struct flat *flat = fixture_flat(&map);

	ck_assert_ptr_eq(flat_pick_set(flat, 2), flat_set_at(flat, 1));
	ck_assert_ptr_eq(flat_pick_set(flat, 5000000000), flat_set_at(flat, 2));
	ck_assert_ptr_eq(flat_pick_set(flat, 3), flat_set_at(flat, 0));
	ck_assert_ptr_eq(flat_pick_set(flat, -1), flat_set_at(flat, 0));
	free(flat);
}
END_TEST

START_TEST(without_a_compat_set_other_ids_have_none)
{
	static const struct fixture_set sets[] = {{.id = 2}};
	struct fixture_map map = {.sets = sets, .set_count = FIXTURE_COUNT(sets)};
	struct flat *flat = fixture_flat(&map);

	ck_assert_ptr_null(flat_pick_set(flat, 0));
	ck_assert_ptr_nonnull(flat_pick_set(flat, 2));
	free(flat);
}
END_TEST

START_TEST(layout_aligns)
{
	struct flat_layout layout = {0};

	ck_assert_uint_eq(flat_layout_add(&layout, 3, 4, 64), 0);
	ck_assert_uint_eq(flat_layout_add(&layout, 1, 1, 64), 64);
	ck_assert_uint_eq(flat_layout_add(&layout, 0, 8, 8), 72);
	ck_assert_uint_eq(layout.used, 72);
	ck_assert(flat_layout_fits(&layout));
}
END_TEST

static const struct {
	uint64_t count;
	uint64_t size;
} too_large[] = {
	{1ull << 32, 1}, {1ull << 33, 1ull << 33}, {UINT64_MAX, 1}, {UINT32_MAX, 2}};

START_TEST(layout_that_is_too_large_stays_so)
{
	struct flat_layout layout = {0};

	flat_layout_add(&layout, 100, 1, 4);
	flat_layout_add(&layout, too_large[_i].count, too_large[_i].size, 64);
	ck_assert(!flat_layout_fits(&layout));
	flat_layout_add(&layout, 1, 1, 64);
	ck_assert(!flat_layout_fits(&layout));
}
END_TEST

TCase *check_flat(void)
{
	TCase *tcase = tcase_create("flat");

	tcase_add_test(tcase, rules_are_found_by_id);
	tcase_add_test(tcase, no_rules_nothing_found);
	tcase_add_test(tcase, devices_are_found_by_id);
	tcase_add_test(tcase, devices_are_found_by_id_between_gaps);
	tcase_add_test(tcase, sets_fall_back_to_the_compat_set);
	tcase_add_test(tcase, without_a_compat_set_other_ids_have_none);
	tcase_add_test(tcase, layout_aligns);
	tcase_add_loop_test(tcase, layout_that_is_too_large_stays_so, 0,
			    (int)FIXTURE_COUNT(too_large));
	return tcase;
}
