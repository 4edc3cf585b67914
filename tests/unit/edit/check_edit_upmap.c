/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"

static const struct edit_refusal refusals[] = {
	{"add upmap 1-3 0 to 4", 11, "\"1-3\" is no PG; PGs are written as 1.2f"},
	{"add upmap 9.0 0 to 4", 11, "there is no pool with the id 9"},
	{"add upmap 1.8 0 to 4", 11, "pool p has the PGs 1.0 to 1.7"},
	{"add upmap 1.3 0 to 0", 20, "a device is mapped to another one, not to itself"},
	{"set upmap 1.3 0,1,2,3", 15, "4 devices are given; the pool's size is 3"},
	{"set upmap 1.3 0,1,0", 15, "device osd.0 is given twice"},
	{"remove upmap 1.3", 14, "PG 1.3 has no upmap"},
	{"remove primary 1.3", 16, "PG 1.3 has no primary of its own"},
};

START_TEST(what_cannot_be_done_is_refused_with_what_would_be_right)
{
	refused(&refusals[_i]);
}
END_TEST

START_TEST(a_device_is_mapped_once)
{
	strew_map *map = edited("add upmap 1.3 0 to 4");
	strew_edit *edit;
	strew_error error;

	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	strew_map_release(map);
	ck_assert_int_eq(strew_edit_apply(edit, "add upmap 1.3 0 to 5", &error),
			 STREW_EMAP);
	ck_assert_str_eq(error.text, "device osd.0 is mapped already, to device osd.4; "
				     "\"remove upmap\" takes that away");
	ck_assert_int_eq(strew_edit_apply(edit, "add upmap 1.3 1 to 4", &error),
			 STREW_EMAP);
	ck_assert_str_eq(error.text,
			 "device osd.4 is mapped to already, from device osd.0");
	strew_edit_free(edit);
}
END_TEST

START_TEST(overrides_are_kept_in_order)
{
	strew_map *map = edited("add upmap 1.3 0 to 4\nset primary 2.1 3\n"
				"set upmap 1.1 5,3,1\nadd upmap 1.3 1 to 5\n"
				"set primary 1.3 5");

	ck_assert_uint_eq(map->override_count, 3);
	ck_assert_uint_eq(map->overrides[0].pg.seed, 1);
	ck_assert_uint_eq(map->overrides[0].upmap_count, 3);
	ck_assert_int_eq(map->overrides[0].upmap[2], 1);
	ck_assert_uint_eq(map->overrides[1].upmap_item_count, 2);
	ck_assert_int_eq(map->overrides[1].upmap_items[2], 1);
	ck_assert_int_eq(map->overrides[1].upmap_primary, 5);
	ck_assert_int_eq(map->overrides[2].upmap_primary, 3);
	strew_map_release(map);
}
END_TEST

TCase *check_edit_upmap(void)
{
	TCase *tcase = tcase_create("edit_upmap");

	tcase_add_loop_test(tcase,
			    what_cannot_be_done_is_refused_with_what_would_be_right, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	tcase_add_test(tcase, a_device_is_mapped_once);
	tcase_add_test(tcase, overrides_are_kept_in_order);
	return tcase;
}
