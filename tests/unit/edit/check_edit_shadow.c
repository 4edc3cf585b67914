/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"

static const struct edit_change changes[] = {
	{"move h1 to r2", "r2~ssd", "-11 32: -10*16 -7*16"},
	{"move h1 to r2", "r1~ssd", "-9 16: -8*16"},
	{"move h1 to r2", "h1~ssd", "-7 16: 0*16"},
	{"add host:h9 to r2", "h9~ssd", "-20 0:"},
	{"add host:h9 to r2", "h9~hdd", "-21 0:"},
	{"add host:h9 to r2\nadd host:h8 to r2", "h8", "-22 0:"},
	{"add host:h9 to r2\nadd host:h8 to r2", "r2~hdd", "-17 16: -16*16 -21*0 -24*0"},
	{"set class osd.1 ssd", "h1~ssd", "-7 32: 0*16 1*16"},
	{"set class osd.1 ssd", "default~hdd", "-18 32: -15*16 -17*16"},
	{"set class osd.1 nvme", "h1~nvme", "-19 16: 1*16"},
	{"set class osd.1 nvme", "default~nvme", "-24 16: -21*16 -23*0"},
	{"remove class 1,3,5", "h1~hdd", "no such bucket"},
	{"remove class 0,2,4", "h1~ssd", "-7 0:"},
	{"remove rule fast\nremove class 0,2,4", "h1~ssd", "no such bucket"},
	{"rename h1 host1", "host1~ssd", "-7 16: 0*16"},
	{"rename class hdd slow", "h1~slow", "-13 16: 1*16"},
	{"link h1 to r2", "r2~ssd", "-11 32: -10*16 -7*16"},
	{"swap h1 with h3", "h3~ssd", "-7 16: 4*16"},
	{"remove h1 with contents", "r1~ssd", "-9 16: -8*16"},
	{"add device 9 to h1 weight 3 class ssd", "default~ssd", "-12 96: -9*80 -11*16"},
};

START_TEST(buckets_are_as_the_monitor_leaves_them)
{
	changed(&changes[_i]);
}
END_TEST

START_TEST(a_map_without_shadows_gets_them_with_its_first_class)
{
	strew_map *map = edited_map(edit_plain_map(), "reweight osd.0 2");

	ck_assert_uint_eq(map->bucket_count, 6);
	map = edited_map(map, "set class osd.0 ssd");
	ck_assert_str_eq(draw(map, "h1~ssd"), "-7 32: 0*32");
	drawn(map, "default~ssd", "-12 32: -9*32 -11*0");
}
END_TEST

START_TEST(a_shadow_has_its_selector_from_what_it_shadows)
{
	strew_map *map = edited("set h1 alg list");

	ck_assert_str_eq(strew_map_bucket_by_name(map, "h1~ssd")->alg, "list");
	strew_map_release(map);
}
END_TEST

TCase *check_edit_shadow(void)
{
	TCase *tcase = tcase_create("edit_shadow");

	tcase_add_loop_test(tcase, buckets_are_as_the_monitor_leaves_them, 0,
			    (int)(sizeof(changes) / sizeof(changes[0])));
	tcase_add_test(tcase, a_map_without_shadows_gets_them_with_its_first_class);
	tcase_add_test(tcase, a_shadow_has_its_selector_from_what_it_shadows);
	return tcase;
}
