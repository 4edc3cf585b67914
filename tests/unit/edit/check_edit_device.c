/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"

static const struct edit_refusal refusals[] = {
	{"add device 3 to h1 weight 1", 12,
	 "device osd.3 hangs in the tree already; move or link it"},
	{"add device x to h1 weight 1", 12,
	 "\"x\" is no device id; ids are given as 88, 88-99 or 3,5,8-9"},
	{"add device 9,9 to h1 weight 1", 12, "the id 9 is given twice"},
	{"add device 0-200000 to h1 weight 1", 12,
	 "one operation takes at most 100000 devices"},
	{"add device 9 to h1 weight 40000", 27,
	 "item 9 can't weigh 40000; a device's weight must be below 32768"},
	{"add device 8-9 to h1 weight 1 name d", 36, "one name is given for 2 devices"},
	{"add device 9 to h1 weight 1 name h2", 12,
	 "the name \"h2\" is taken, by host h2; names of devices and buckets must be "
	 "unique"},
	{"rename class sdd x", 14,
	 "there is no device class \"sdd\"; did you mean \"ssd\"?"},
	{"add device 9 to h1 weight 1 name a~b", 12,
	 "\"a~b\" has a \"~\", which only the shadows of device classes have"},
	{"set class 0 \"\"", 13, "CLASS can't be empty"},
	{"set class 0 a~b", 13, "\"a~b\" is no device class: it can't have a \"~\""},
	{"rename class ssd s~", 18, "\"s~\" is no device class: it can't have a \"~\""},
	{"rename class ssd hdd", 18, "there is a device class \"hdd\" already"},
};

START_TEST(what_cannot_be_done_is_refused_with_what_would_be_right)
{
	refused(&refusals[_i]);
}
END_TEST

START_TEST(devices_are_added_whole)
{
	strew_map *map = edited("add device 9 to h1 weight 1 name disk\n"
				"add device 6-7 to h1 weight 2.5 class hdd");
	const strew_device *device = strew_map_device_by_name(map, "disk");

	ck_assert_ptr_nonnull(device);
	ck_assert_int_eq(device->id, 9);
	ck_assert(device->exists && device->up);
	ck_assert_uint_eq(device->reweight, ONE);
	ck_assert_uint_eq(device->primary_affinity, ONE);
	ck_assert_int_eq(map->device_limit, 10);
	ck_assert_str_eq(strew_map_device_by_id(map, 7)->class_name, "hdd");
	ck_assert_str_eq(strew_map_device_by_id(map, 7)->name, "osd.7");
	drawn(map, "h1", "-4 128: 0*16 1*16 9*16 6*40 7*40");
}
END_TEST

START_TEST(a_device_that_hangs_nowhere_is_hung)
{
	strew_map *map = edited("out osd.0\nunlink osd.0 from h1\n"
				"add device 0 to h3 weight 2");

	ck_assert_uint_eq(strew_map_device_by_id(map, 0)->reweight, 0);
	drawn(map, "h3", "-6 64: 4*16 5*16 0*32");
}
END_TEST

START_TEST(the_limit_follows_devices_that_it_followed)
{
	strew_map *map = edited("remove osd.5");

	ck_assert_int_eq(map->device_limit, 5);
	strew_map_release(map);
}
END_TEST

START_TEST(states_are_set)
{
	strew_map *map = edited("set reweight osd.1 0.333\nout 2-3\nin osd.3\n"
				"down 4,5\nup 5\nset affinity 0 0.5");

	ck_assert_uint_eq(map->devices[1].reweight, 21823);
	ck_assert_uint_eq(map->devices[2].reweight, 0);
	ck_assert_uint_eq(map->devices[3].reweight, ONE);
	ck_assert(!map->devices[4].up && map->devices[5].up);
	ck_assert_uint_eq(map->devices[0].primary_affinity, ONE / 2);
	strew_map_release(map);
}
END_TEST

START_TEST(what_does_not_exist_is_not_up)
{
	strew_map *map = edit_map(NULL);
	strew_builder *builder;
	strew_edit *edit;
	strew_error error;

	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	strew_map_release(map);
	strew_builder_set_state(builder, 3, 0, 0);
	ck_assert_int_eq(strew_builder_build(&map, builder, &error), STREW_OK);
	strew_builder_free(builder);
	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	ck_assert_int_eq(strew_edit_apply(edit, "up 0-5", &error), STREW_EMAP);
	ck_assert_str_eq(error.text,
			 "device osd.3 does not exist for the cluster, so that "
			 "it can't be up");
	strew_edit_free(edit);
	strew_map_release(map);
}
END_TEST

TCase *check_edit_device(void)
{
	TCase *tcase = tcase_create("edit_device");

	tcase_add_loop_test(tcase,
			    what_cannot_be_done_is_refused_with_what_would_be_right, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	tcase_add_test(tcase, devices_are_added_whole);
	tcase_add_test(tcase, a_device_that_hangs_nowhere_is_hung);
	tcase_add_test(tcase, the_limit_follows_devices_that_it_followed);
	tcase_add_test(tcase, states_are_set);
	tcase_add_test(tcase, what_does_not_exist_is_not_up);
	return tcase;
}
