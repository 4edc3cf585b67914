/* SPDX-License-Identifier: MIT */
#include "fixture.h"

static void note(strew_builder *builder, enum map_owner owner, int64_t id,
		 const char *name, const char *text)
{
	const struct map_remark remark = {
		.owner = owner, .id = id, .name = name, .text = text};

	map_add_remark(builder, &remark);
}

/* An owner's remarks: "name text, name text". */
static const char *tell(const strew_map *map, enum map_owner owner, int64_t id,
			int64_t other)
{
	static char text[256];
	size_t count = 0, len = 0;
	const struct map_remark *remarks = map_remarks(map, owner, id, other, &count);

	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %s",
					i ? ", " : "", remarks[i].name, remarks[i].text);
	return text;
}

static strew_map *noted(void)
{
	strew_builder *builder = start(NULL);
	int32_t host = add_host(builder, STREW_AUTO_ID, "h", 0, 1);

	add_bucket(builder, -9, "inner", 1);
	strew_builder_add_item(builder, host, -9, STREW_WEIGHT_ONE, STREW_ITEM_LINK);
	note(builder, MAP_OF_LINK, 0, "_", "l");
	note(builder, MAP_OF_BUCKET, host, "note", "b");
	note(builder, MAP_OF_MAP, 0, "note", "first");
	note(builder, MAP_OF_MAP, 0, "_z", "z");
	note(builder, MAP_OF_MAP, 0, "note", "last");
	strew_builder_add_rule(builder, STREW_AUTO_ID, "b", STREW_KIND_REPLICATED);
	note(builder, MAP_OF_RULE, STREW_AUTO_ID, "_", "of b");
	strew_builder_add_rule(builder, 0, "a", STREW_KIND_REPLICATED);
	note(builder, MAP_OF_RULE, 0, "_", "of a");
	strew_builder_add_rule(builder, STREW_AUTO_ID, "", STREW_KIND_REPLICATED);
	note(builder, MAP_OF_RULE, STREW_AUTO_ID, "_", "of no name");
	return finish(builder);
}

static void check(const strew_map *map)
{
	ck_assert_str_eq(tell(map, MAP_OF_MAP, 0, 0), "_z z, note last");
	ck_assert_str_eq(tell(map, MAP_OF_BUCKET, -1, 0), "note b");
	ck_assert_str_eq(tell(map, MAP_OF_BUCKET, -9, 0), "");
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 1), "_ l");
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 0), "");
	ck_assert_str_eq(tell(map, MAP_OF_RULE, 0, 0), "_ of a");
	ck_assert_str_eq(tell(map, MAP_OF_RULE, 1, 0), "_ of b");
	ck_assert_str_eq(tell(map, MAP_OF_RULE, 2, 0), "_ of no name");
	ck_assert_str_eq(tell(map, MAP_OF_POOL, 0, 0), "");
}

START_TEST(remarks_are_found_by_their_owner)
{
	strew_map *map = noted();

	check(map);
	ck_assert_uint_eq(map->remark_count, 7);
	warned(map, NULL);
}
END_TEST

START_TEST(a_copy_has_the_remarks)
{
	strew_map *map = noted(), *copy = NULL;
	strew_builder *builder = NULL;

	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	ck_assert_int_eq(strew_builder_build(&copy, builder, NULL), STREW_OK);
	strew_builder_free(builder);
	check(copy);
	strew_map_release(copy);
	warned(map, NULL);
}
END_TEST

static void link_with(strew_builder *builder, int32_t bucket, int32_t item,
		      const char *text)
{
	strew_builder_add_item(builder, bucket, item, STREW_WEIGHT_ONE, STREW_ITEM_LINK);
	note(builder, MAP_OF_LINK, 0, "_", text);
}

/* default (-1): h1 (-2), h2 (-3), a link to h3 (-4), osd.0, two links to h3. */
static strew_builder *copy_links(void)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	add_tree(builder);
	add_host(builder, -4, "h3", 4, 1);
	link_with(builder, -1, -4, "one");
	link_with(builder, -1, 0, "device");
	link_with(builder, -1, -4, "two");
	strew_builder_add_item(builder, -1, -4, STREW_WEIGHT_ONE, STREW_ITEM_LINK);
	note(builder, MAP_OF_BUCKET, -2, "_", "h1");
	note(builder, MAP_OF_DEVICES, 1, "_", "osd.1");
	map = finish(builder);
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 2), "_ one");
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 3), "_ device");
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 4), "_ two");
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 5), "");
	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	strew_map_release(map);
	return builder;
}

START_TEST(a_copy_has_the_remarks_on_links)
{
	strew_builder *builder = copy_links();
	strew_map *map;

	strew_builder_add_item(builder, -2, -4, STREW_WEIGHT_ONE, STREW_ITEM_LINK);
	map = finish(builder);
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 2), "_ one");
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 3), "_ device");
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 4), "_ two");
	ck_assert_str_eq(tell(map, MAP_OF_LINK, -1, 5), "");
	ck_assert_uint_eq(map->remark_count, 5);
	strew_map_release(map);
}
END_TEST

/* Each profile is nearest to itself, and to what differs from it a little. */
START_TEST(profiles_are_nearest_to_themselves)
{
	static const char *const names[] = {"argonaut", "legacy", "bobtail",
					    "firefly",  "hammer", "jewel"};
	struct map_tunables profile;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		strew_builder *builder = start(NULL);
		strew_map *map;

		strew_builder_set_profile(builder, names[i]);
		strew_builder_set_tunable(builder, "choose_total_tries", 77);
		map = finish(builder);
		ck_assert_str_eq(map_nearest_profile(&map->tunables, &profile), names[i]);
		ck_assert_uint_ne(profile.choose_total_tries, 77);
		warned(map, NULL);
	}
}
END_TEST

START_TEST(tunables_are_told_one_by_one)
{
	struct map_tunables tunables = {0};
	uint32_t value = 1;
	size_t count = 0;

	tunables.msr_descents = 9;
	while (map_tunable(&tunables, count, &value)) {
		const char *name = map_tunable(&tunables, count++, &value);

		ck_assert_uint_eq(value, strcmp(name, "msr_descents") == 0 ? 9 : 0);
	}
	ck_assert_uint_eq(count, 10);
}
END_TEST

START_TEST(a_limit_alone_says_nothing_of_devices)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	strew_builder_add_device(builder, 3, NULL, NULL);
	map_set_limit(builder, 2);
	map = finish(builder);
	ck_assert_int_eq(map->device_limit, 2);
	ck_assert(map->devices[0].exists && map->devices[0].up);
	ck_assert_uint_eq(map->devices[0].reweight, STREW_WEIGHT_ONE);
	warned(map, NULL);
}
END_TEST

TCase *check_map_remark(void)
{
	TCase *tcase = tcase_create("map_remark");

	tcase_add_test(tcase, remarks_are_found_by_their_owner);
	tcase_add_test(tcase, a_copy_has_the_remarks);
	tcase_add_test(tcase, a_copy_has_the_remarks_on_links);
	tcase_add_test(tcase, profiles_are_nearest_to_themselves);
	tcase_add_test(tcase, tunables_are_told_one_by_one);
	tcase_add_test(tcase, a_limit_alone_says_nothing_of_devices);
	return tcase;
}
