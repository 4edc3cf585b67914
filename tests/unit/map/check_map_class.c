/* SPDX-License-Identifier: MIT */
#include "fixture.h"

static void add_class_host(strew_builder *builder, int32_t id, int32_t first,
			   const char *const *classes, const char *alg)
{
	static const uint32_t weights[4] = {ONE, 2 * ONE, ONE / 2, 3 * ONE};
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	char name[16];

	snprintf(name, sizeof(name), "host%d", (int)(-1 - id));
	desc.id = id;
	desc.name = name;
	desc.type = 1;
	desc.alg = alg;
	strew_builder_add_bucket(builder, &desc);
	for (int32_t i = 0; i < 4; i++) {
		strew_builder_add_device(builder, first + i, NULL, classes[i]);
		strew_builder_add_item(builder, id, first + i, weights[i], 0);
	}
}

/* What crushtool 16.2 made of six hosts under "default", three of them under "other" too:
 * the golden map crush/classes. */
START_TEST(derived_shadows_are_those_of_ceph)
{
	static const char *const mixed[4] = {"hdd", "hdd", "ssd", NULL};
	static const char *const nvme[4] = {"nvme", "nvme", "nvme", "nvme"};
	static const char *const algs[3] = {"straw2", "list", "straw"};
	static const char *const expected[][2] = {
		{"host0~hdd", "-9 48: 0*16 1*32"},
		{"host2~hdd", "-11 48: 8*16 9*32"},
		{"other~hdd", "-12 144: -9*48 -10*48 -11*48"},
		{"host1~ssd", "-14 8: 6*8"},
		{"other~ssd", "-16 24: -13*8 -14*8 -15*8"},
		{"host0~nvme", "-17 0:"},
		{"other~nvme", "-20 0: -17*0 -18*0 -19*0"},
		{"host5~hdd", "-23 0:"},
		{"default~hdd", "-24 240: -9*48 -10*48 -11*48 -21*48 -22*48 -23*0"},
		{"default~ssd", "-28 40: -13*8 -14*8 -15*8 -25*8 -26*8 -27*0"},
		{"host5~nvme", "-31 104: 20*16 21*32 22*8 23*48"},
		{"default~nvme", "-32 104: -17*0 -18*0 -19*0 -29*0 -30*0 -31*104"},
	};
	strew_builder *builder = start(NULL);
	strew_map *map;

	add_bucket(builder, -7, "default", 3);
	add_bucket(builder, -8, "other", 3);
	for (int32_t i = 0; i < 6; i++) {
		add_class_host(builder, -1 - i, 4 * i, i == 5 ? nvme : mixed,
			       algs[i % 3]);
		hang(builder, -7, -1 - i);
		if (i < 3)
			strew_builder_add_item(builder, -8, -1 - i, STREW_AUTO_WEIGHT,
					       STREW_ITEM_LINK);
	}
	strew_builder_derive_shadows(builder);
	strew_builder_add_rule(builder, 0, "on_nvme", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "default", "nvme");
	strew_builder_add_take_name(builder, "host0~ssd", NULL);
	map = finish(builder);
	ck_assert_uint_eq(map->bucket_count, 32);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		ck_assert_str_eq(draw(map, expected[i][0]), expected[i][1]);
	ck_assert_str_eq(strew_map_bucket_by_name(map, "host1~hdd")->alg, "list");
	ck_assert_str_eq(strew_map_bucket_by_name(map, "host1~hdd")->class_name, "hdd");
	ck_assert_int_eq(strew_map_bucket_by_name(map, "host1~hdd")->shadow_of, -2);
	ck_assert_ptr_null(strew_map_bucket_by_name(map, "host1")->class_name);
	ck_assert_uint_eq(map->class_count, 3);
	ck_assert_str_eq(map->classes[2].name, "nvme");
	ck_assert_ptr_eq(strew_map_device_by_id(map, 23)->class_name,
			 map->classes[2].name);
	ck_assert_int_eq(map->rules[0].steps[0].arg1, -32);
	ck_assert_int_eq(map->rules[0].steps[1].arg1, -13);
	warned(map, NULL);
}
END_TEST

/* default over h1 with a device of each class. */
static strew_builder *two_classes(void)
{
	strew_builder *builder = start(NULL);

	add_bucket(builder, -1, "default", 3);
	add_bucket(builder, -2, "h1", 1);
	hang(builder, -1, -2);
	strew_builder_add_device(builder, 0, NULL, "ssd");
	strew_builder_add_device(builder, 1, NULL, "hdd");
	hang(builder, -2, 0);
	hang(builder, -2, 1);
	return builder;
}

START_TEST(pinned_ids_are_kept_free_and_used)
{
	strew_builder *builder = two_classes();
	strew_map *map;

	strew_builder_set_shadow_id(builder, -1, "hdd", -3);
	strew_builder_set_shadow_id(builder, -2, "ssd", -5);
	strew_builder_derive_shadows(builder);
	map = finish(builder);
	ck_assert_str_eq(draw(map, "h1~ssd"), "-5 16: 0*16");
	ck_assert_str_eq(draw(map, "default~ssd"), "-4 16: -5*16");
	ck_assert_str_eq(draw(map, "h1~hdd"), "-6 16: 1*16");
	ck_assert_str_eq(draw(map, "default~hdd"), "-3 16: -6*16");
	warned(map, NULL);
}
END_TEST

static void add_shadow(strew_builder *builder, int32_t id, const char *name,
		       int32_t shadow_of, const char *class_name)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.type = 1;
	desc.shadow_of = shadow_of;
	desc.class_name = class_name;
	strew_builder_add_bucket(builder, &desc);
}

START_TEST(only_missing_shadows_are_derived)
{
	strew_builder *builder = two_classes();
	strew_map *map;

	add_shadow(builder, -9, "h1~ssd", 0, "ssd");
	strew_builder_add_item(builder, -9, 0, 3 * ONE, 0);
	add_shadow(builder, -10, "of hdd", -2, "hdd");
	hang(builder, -10, 1);
	strew_builder_derive_shadows(builder);
	map = finish(builder);
	ck_assert_uint_eq(map->bucket_count, 6);
	ck_assert_str_eq(draw(map, "h1~ssd"), "-9 48: 0*48");
	ck_assert_int_eq(strew_map_bucket_by_name(map, "h1~ssd")->shadow_of, -2);
	ck_assert_str_eq(draw(map, "default~ssd"), "-3 48: -9*48");
	ck_assert_str_eq(draw(map, "default~hdd"), "-4 16: -10*16");
	warned(map, NULL);
}
END_TEST

START_TEST(shadows_have_one_base_and_one_class)
{
	strew_builder *builder = two_classes();
	strew_map *map;

	add_shadow(builder, -9, "h7~ssd", 0, "ssd");
	map = finish(builder);
	ck_assert_int_eq(strew_map_bucket_by_name(map, "h7~ssd")->shadow_of, 0);
	ck_assert_ptr_null(strew_map_bucket_by_name(map, "h7~ssd")->class_name);
	warned(map, "host h7~ssd (id -9) is of class \"ssd\", but there is no bucket "
		    "that it could be the shadow of; it is taken for an ordinary bucket");

	builder = two_classes();
	add_shadow(builder, -9, "s", -7, "ssd");
	refuse(builder, "map.json",
	       "host s (id -9) is said to be the shadow of bucket -7 for class ssd; a "
	       "shadow needs an ordinary bucket and a device class");
	builder = two_classes();
	add_shadow(builder, -9, "s", -2, NULL);
	refuse(builder, "map.json",
	       "host s (id -9) is said to be the shadow of host h1 (id -2) for no class; "
	       "a shadow needs an ordinary bucket and a device class");
	builder = two_classes();
	add_shadow(builder, -9, "s", -2, "ssd");
	add_shadow(builder, -10, "t", -2, "ssd");
	refuse(builder, "map.json",
	       "host s (id -9) and host t (id -10) are both the shadow of host h1 (id "
	       "-2) for one device class; there can be one");
}
END_TEST

START_TEST(pins_clash_with_nothing)
{
	strew_builder *builder = two_classes();

	strew_builder_set_shadow_id(builder, -2, "ssd", -1);
	strew_builder_derive_shadows(builder);
	refuse(builder, "map.json",
	       "the id -1 can't be kept for the shadow of host h1 (id -2), because root "
	       "default (id -1) has it");
	builder = two_classes();
	strew_builder_set_shadow_id(builder, -2, "ssd", -9);
	strew_builder_at_path(builder, "/class_buckets/1");
	strew_builder_set_shadow_id(builder, -2, "hdd", -9);
	strew_builder_derive_shadows(builder);
	refuse(builder, "map.json: /class_buckets/1",
	       "the id -9 can't be kept for the shadow of host h1 (id -2), because it is "
	       "kept for another shadow too");
	builder = two_classes();
	strew_builder_set_shadow_id(builder, -7, "ssd", -9);
	refuse(builder, "map.json",
	       "the id -9 can't be kept for the shadow of bucket -7, because the bucket "
	       "does not exist");
	builder = two_classes();
	add_bucket(builder, -9, "h1~ssd", 1);
	strew_builder_derive_shadows(builder);
	refuse(builder, "map.json",
	       "the name \"h1~ssd\" is given to the id -9 and to the id -5; "
	       "names of devices and buckets must be unique");
}
END_TEST

START_TEST(shadows_are_not_derived_without_end)
{
	strew_builder *builder = start(NULL);
	char name[32];

	for (int32_t i = 0; i < 1100; i++) {
		snprintf(name, sizeof(name), "b%d", (int)i);
		add_bucket(builder, STREW_AUTO_ID, name, 1);
		snprintf(name, sizeof(name), "class%d", (int)i);
		strew_builder_add_device(builder, i, NULL, name);
	}
	strew_builder_derive_shadows(builder);
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "b1", "class1");
	refuse(builder, "map.json",
	       "1100 device classes for 1100 buckets with 0 items are too many to make "
	       "shadow buckets of; at most 1048576 shadows can be made, from 268435456 "
	       "items in all");
}
END_TEST

TCase *check_map_class(void)
{
	TCase *tcase = tcase_create("map_class");

	tcase_add_test(tcase, derived_shadows_are_those_of_ceph);
	tcase_add_test(tcase, pinned_ids_are_kept_free_and_used);
	tcase_add_test(tcase, only_missing_shadows_are_derived);
	tcase_add_test(tcase, shadows_have_one_base_and_one_class);
	tcase_add_test(tcase, pins_clash_with_nothing);
	tcase_add_test(tcase, shadows_are_not_derived_without_end);
	return tcase;
}
