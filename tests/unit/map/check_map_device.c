/* SPDX-License-Identifier: MIT */
#include "fixture.h"

static void finds(const strew_map *map, const char *name, int32_t id)
{
	const strew_device *device = strew_map_device_by_name(map, name);

	ck_assert_int_eq(device ? strew_device_id(device) : -1, id);
}

START_TEST(devices_are_found_by_the_name_they_have_by_default)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	add_tree(builder);
	strew_builder_add_device(builder, STREW_DEVICE_ID_MAX, NULL, NULL);
	strew_builder_add_device(builder, 40, "osd.40", NULL);
	strew_builder_add_device(builder, 41, "fast", NULL);
	map = finish(builder);
	finds(map, "osd.0", 0);
	finds(map, "osd.3", 3);
	finds(map, "osd.40", 40);
	finds(map, "osd.1073741823", STREW_DEVICE_ID_MAX);
	finds(map, "fast", 41);
	finds(map, "osd.41", -1);
	finds(map, "osd.4", -1);
	finds(map, "osd.03", -1);
	finds(map, "osd.", -1);
	finds(map, "osd", -1);
	finds(map, "", -1);
	finds(map, "osd.3 ", -1);
	finds(map, "osd.-1", -1);
	finds(map, "osd.4294967299", -1);
	finds(map, "osd.18446744073709551619", -1);
	strew_map_release(map);
}
END_TEST

START_TEST(devices_may_have_each_others_names)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	add_bucket(builder, -1, "default", 3);
	for (int32_t i = 0; i < 4; i++) {
		char name[16];

		snprintf(name, sizeof(name), "osd.%d", (int)(3 - i));
		strew_builder_add_device(builder, i, name, NULL);
		hang(builder, -1, i);
	}
	map_weigh_device(builder, 0, "osd.3", 5 * ONE);
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "osd.1", NULL);
	map = finish(builder);
	finds(map, "osd.0", 3);
	finds(map, "osd.3", 0);
	ck_assert_int_eq(map->rules[0].steps[0].arg1, 2);
	ck_assert_str_eq(draw(map, "default"), "-1 128: 0*80 1*16 2*16 3*16");
	strew_map_release(map);
}
END_TEST

#define TWIN(id, other)                                                                  \
	"the name \"osd.2\" is given to the id " id " and to the id " other              \
	"; names of devices and buckets must be unique"

START_TEST(names_that_others_have_by_default_are_refused)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_at_path(builder, "/a");
	strew_builder_add_device(builder, 9, "osd.2", NULL);
	refuse(builder, "map.json: /a", TWIN("2", "9"));

	builder = start(NULL);
	add_tree(builder);
	strew_builder_at_path(builder, "/b");
	add_bucket(builder, -9, "osd.2", 1);
	refuse(builder, "map.json: /b", TWIN("2", "-9"));

	/* Of three the later two are told of, once each. */
	builder = start(NULL);
	strew_builder_at_path(builder, "/first");
	add_bucket(builder, -9, "osd.2", 1);
	strew_builder_at_path(builder, "/second");
	add_tree(builder);
	strew_builder_at_path(builder, "/third");
	strew_builder_add_device(builder, 9, "osd.2", NULL);
	ck_assert_int_eq(strew_builder_build(&(strew_map *){NULL}, builder, NULL),
			 STREW_EMAP);
	ck_assert_uint_eq(strew_builder_fault_count(builder), 2);
	ck_assert_str_eq(strew_builder_fault_at(builder, 0)->where, "map.json: /second");
	ck_assert_str_eq(strew_builder_fault_at(builder, 1)->where, "map.json: /third");
	strew_builder_free(builder);
}
END_TEST

START_TEST(names_by_default_are_suggested)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "osd.3x", NULL);
	refuse(builder, "map.json",
	       "rule r (id 0) takes \"osd.3x\", but nothing has that name; did you mean "
	       "\"osd.3\"?");
}
END_TEST

static const char *const pointers[] = {
	"",
	"/",
	"/7",
	"/a/0",
	"/a/12",
	"/a/012",
	"/a/00",
	"/a/x12",
	"/a/999999999",
	"/a/1000000000",
	"/a/1/b2",
	"/a/4294967295",
	"/a/4294967296",
	"/a/12/link",
	"12",
};

START_TEST(pointers_are_told_as_they_were_given)
{
	strew_builder *builder = start(NULL);
	char where[64];

	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++) {
		strew_builder_at_path(builder, pointers[i]);
		strew_builder_report(builder, STREW_FAULT, STREW_EMAP, "no");
	}
	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++) {
		snprintf(where, sizeof(where), "map.json: %s", pointers[i]);
		ck_assert_str_eq(strew_builder_fault_at(builder, i)->where, where);
	}
	strew_builder_free(builder);
}
END_TEST

/* The tree has osd.0 to osd.3. What a list of devices has, and what is warned of. */
static const struct {
	int32_t first, count;
	const char *warning;
} lists[] = {
	{0, 4, NULL},
	{0, 2, NULL},
	{0, 8, NULL},
	{3, 2,
	 "3 of the 4 devices in the tree don't exist by this list of devices, device "
	 "osd.0 (id 0) the first: is it of the same cluster?"},
	{0, 9,
	 "5 of the 9 devices in this list hang nowhere in the tree, device osd.4 (id 4) "
	 "the first: is it of the same cluster?"},
};

START_TEST(list_of_another_clusters_devices_is_warned_of)
{
	strew_builder *builder = start(NULL);
	strew_map *map;
	size_t count = lists[_i].warning ? 1 : 0;

	add_tree(builder);
	strew_builder_in_file(builder, "osd-dump.json");
	strew_builder_set_device_limit(builder, 20);
	for (int32_t i = 0; i < lists[_i].count; i++)
		strew_builder_set_state(builder, lists[_i].first + i, 1, 1);
	map = finish(builder);
	ck_assert_uint_eq(strew_map_warning_count(map), count);
	if (count > 0) {
		ck_assert_str_eq(strew_map_warning_at(map, 0)->text, lists[_i].warning);
		ck_assert_str_eq(strew_map_warning_at(map, 0)->where, "osd-dump.json");
	}
	strew_map_release(map);
}
END_TEST

TCase *check_map_device(void)
{
	TCase *tcase = tcase_create("map_device");

	tcase_add_test(tcase, devices_are_found_by_the_name_they_have_by_default);
	tcase_add_test(tcase, devices_may_have_each_others_names);
	tcase_add_test(tcase, names_that_others_have_by_default_are_refused);
	tcase_add_test(tcase, names_by_default_are_suggested);
	tcase_add_test(tcase, pointers_are_told_as_they_were_given);
	tcase_add_loop_test(tcase, list_of_another_clusters_devices_is_warned_of, 0,
			    sizeof(lists) / sizeof(lists[0]));
	return tcase;
}
