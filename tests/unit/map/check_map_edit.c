/* SPDX-License-Identifier: MIT */
#include "fixture.h"

/* default over the racks r1 (hosts h1, h2) and r2 (host h3); two devices a host, the
 * first of class ssd, the second hdd. Shadows are derived from -7 downward. */
static strew_map *make_map(void)
{
	strew_builder *builder = start(NULL);
	static const uint32_t weights[3] = {ONE, 2 * ONE, 3 * ONE};

	add_bucket(builder, -1, "default", 3);
	add_bucket(builder, -2, "r1", 2);
	add_bucket(builder, -3, "r2", 2);
	hang(builder, -1, -2);
	hang(builder, -1, -3);
	for (int32_t i = 0; i < 3; i++) {
		add_bucket(builder, -4 - i, (const char *[]){"h1", "h2", "h3"}[i], 1);
		hang(builder, i < 2 ? -2 : -3, -4 - i);
		strew_builder_add_device(builder, 2 * i, NULL, "ssd");
		strew_builder_add_device(builder, 2 * i + 1, NULL, "hdd");
		hang(builder, -4 - i, 2 * i);
		hang(builder, -4 - i, 2 * i + 1);
	}
	strew_builder_derive_shadows(builder);
	strew_builder_add_weight_set(builder, -1, NULL);
	strew_builder_add_weight_row(builder, -4, weights, 2);
	strew_builder_add_weight_row(builder, -1, weights, 2);
	add_rule(builder, 0, "r");
	return finish(builder);
}

/* A builder of that map. */
static strew_builder *edit(void)
{
	strew_map *map = make_map();
	strew_builder *builder;

	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	strew_map_release(map);
	return builder;
}

START_TEST(reweight_is_followed_up_to_the_root_and_in_shadows)
{
	strew_builder *builder = edit();
	strew_map *map;

	strew_builder_reweight(builder, "osd.0", 3 * ONE);
	map = finish(builder);
	ck_assert_str_eq(draw(map, "h1"), "-4 64: 0*48 1*16");
	ck_assert_str_eq(draw(map, "r1"), "-2 96: -4*64 -5*32");
	ck_assert_str_eq(draw(map, "default"), "-1 128: -2*96 -3*32");
	ck_assert_str_eq(draw(map, "h1~ssd"), "-7 48: 0*48");
	ck_assert_str_eq(draw(map, "r1~ssd"), "-9 64: -7*48 -8*16");
	ck_assert_str_eq(draw(map, "default~ssd"), "-12 80: -9*64 -11*16");
	ck_assert_str_eq(draw(map, "default~hdd"), "-18 48: -15*32 -17*16");
	ck_assert_uint_eq(map->weight_sets[0].bucket_count, 2);
	warned(map, NULL);
}
END_TEST

START_TEST(reweights_of_buckets_hold_until_something_below_changes)
{
	strew_builder *builder = edit();
	strew_map *map;

	strew_builder_reweight(builder, "osd.0", 3 * ONE);
	strew_builder_reweight(builder, "h1", 10 * ONE);
	strew_builder_reweight(builder, "r2", 10 * ONE);
	strew_builder_reweight(builder, "osd.4", 5 * ONE);
	map = finish(builder);
	ck_assert_str_eq(draw(map, "h1"), "-4 64: 0*48 1*16");
	ck_assert_str_eq(draw(map, "r1"), "-2 192: -4*160 -5*32");
	ck_assert_str_eq(draw(map, "default"), "-1 288: -2*192 -3*96");
	strew_map_release(map);
}
END_TEST

START_TEST(move_takes_along_what_is_below)
{
	strew_builder *builder = edit();
	strew_map *map;

	strew_builder_reweight(builder, "osd.0", 3 * ONE);
	strew_builder_move(builder, "h1", "r2");
	map = finish(builder);
	ck_assert_str_eq(draw(map, "r1"), "-2 32: -5*32");
	ck_assert_str_eq(draw(map, "r2"), "-3 96: -6*32 -4*64");
	ck_assert_str_eq(draw(map, "default"), "-1 128: -2*32 -3*96");
	ck_assert_str_eq(draw(map, "h1~ssd"), "-7 48: 0*48");
	ck_assert_str_eq(draw(map, "r1~ssd"), "-9 16: -8*16");
	ck_assert_str_eq(draw(map, "r2~ssd"), "-11 64: -10*16 -7*48");
	ck_assert_str_eq(draw(map, "default~ssd"), "-12 80: -9*16 -11*64");
	ck_assert_uint_eq(map->bucket_count, 18);
	warned(map, NULL);
}
END_TEST

START_TEST(move_of_a_device_drops_its_hosts_weight_set)
{
	strew_builder *builder = edit();
	strew_map *map;

	strew_builder_move(builder, "osd.0", "h3");
	map = finish(builder);
	ck_assert_str_eq(draw(map, "h1"), "-4 16: 1*16");
	ck_assert_str_eq(draw(map, "h3"), "-6 48: 4*16 5*16 0*16");
	ck_assert_str_eq(draw(map, "h3~ssd"), "-10 32: 4*16 0*16");
	ck_assert_uint_eq(map->weight_sets[0].bucket_count, 1);
	ck_assert_int_eq(map->weight_sets[0].buckets[0].bucket, -1);
	warned(map, "the part of weight set -1 for host h1 (id -4) is dropped, because "
		    "an edit changed what the bucket holds");
}
END_TEST

START_TEST(remove_takes_devices_and_empty_buckets)
{
	strew_builder *builder = edit();
	strew_map *map;

	strew_builder_remove(builder, "osd.4");
	strew_builder_remove(builder, "osd.5");
	strew_builder_remove(builder, "h3");
	map = finish(builder);
	ck_assert_uint_eq(map->device_count, 4);
	ck_assert_int_eq(map->device_limit, 4);
	ck_assert_ptr_null(strew_map_bucket_by_name(map, "h3"));
	ck_assert_ptr_null(strew_map_bucket_by_name(map, "h3~ssd"));
	ck_assert_str_eq(draw(map, "r2"), "-3 0:");
	ck_assert_str_eq(draw(map, "r2~ssd"), "-11 0:");
	ck_assert_str_eq(draw(map, "default"), "-1 64: -2*64 -3*0");
	ck_assert_str_eq(draw(map, "default~hdd"), "-18 32: -15*32 -17*0");
	warned(map, NULL);
}
END_TEST

START_TEST(edits_that_cannot_be_are_refused)
{
	strew_builder *builder = edit();

	strew_builder_remove(builder, "h3");
	refuse(builder, "",
	       "host h3 (id -6) still holds items; move or remove them first");
	builder = edit();
	strew_builder_reweight(builder, "osd0", ONE);
	refuse(builder, "",
	       "there is no device or bucket \"osd0\" to edit; did you mean \"osd.0\"?");
	builder = edit();
	strew_builder_move(builder, "osd.0", "osd.1");
	refuse(builder, "",
	       "device osd.1 (id 1) can't hold other items; move them into a bucket");
	builder = edit();
	strew_builder_move(builder, "osd.0", "h2~ssd");
	refuse(builder, "",
	       "host h2~ssd (id -8) is the shadow of another bucket, which it follows; "
	       "edit that one");
	builder = edit();
	strew_builder_move(builder, "r1", "h1");
	refuse(builder, "",
	       "rack r1 (id -2) contains itself: it holds host h1 (id -4), 1 level "
	       "below, which holds it in turn; take one out of the other");
	builder = edit();
	strew_builder_remove(builder, "osd.0");
	strew_builder_remove(builder, "osd.0");
	refuse(builder, "",
	       "there is no device or bucket \"osd.0\" to edit; did you mean \"osd.0\"?");
}
END_TEST

TCase *check_map_edit(void)
{
	TCase *tcase = tcase_create("map_edit");

	tcase_add_test(tcase, reweight_is_followed_up_to_the_root_and_in_shadows);
	tcase_add_test(tcase, reweights_of_buckets_hold_until_something_below_changes);
	tcase_add_test(tcase, move_takes_along_what_is_below);
	tcase_add_test(tcase, move_of_a_device_drops_its_hosts_weight_set);
	tcase_add_test(tcase, remove_takes_devices_and_empty_buckets);
	tcase_add_test(tcase, edits_that_cannot_be_are_refused);
	return tcase;
}
