/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "analyze.h"
#include "analyze_support.h"

#define DEVICE_COUNT 5

/* Hosts h0: osd.0 (ssd), osd.1 (hdd); h1: osd.2 (ssd); weights 1, 2, 3. osd.3, of weight
 * 4, hangs in the root; osd.4 nowhere. */
static strew_builder *start_two_hosts(void)
{
	static const char *const classes[] = {"ssd", "hdd", "ssd", NULL};
	static const int32_t hosts[] = {-2, -2, -3, -1};
	strew_builder *builder = start_map(NULL);

	add_bucket(builder, -2, "h0", HOST, -1);
	add_bucket(builder, -3, "h1", HOST, -1);
	for (int32_t i = 0; i < 4; i++) {
		strew_builder_add_device(builder, i, NULL, classes[i]);
		strew_builder_add_item(builder, hosts[i], i,
				       (uint32_t)(i + 1) * STREW_WEIGHT_ONE, 0);
	}
	strew_builder_add_device(builder, 4, NULL, NULL);
	strew_builder_derive_shadows(builder);
	return builder;
}

/* What a rule takes: items, perhaps of a class. */
struct takes {
	const char *items[2];
	const char *classes[2];
	double weights[DEVICE_COUNT];
};

static const struct takes takes[] = {
	{{"default"}, {NULL}, {1, 2, 3, 4, -1}},
	{{"default"}, {"ssd"}, {1, -1, 3, -1, -1}},
	{{"default", "default"}, {"ssd", "hdd"}, {1, 2, 3, -1, -1}},
	{{"default", "default"}, {NULL, "ssd"}, {1, 2, 3, 4, -1}},
	{{"default", "default"}, {"ssd", NULL}, {1, 2, 3, 4, -1}},
	{{"default", "default"}, {NULL, NULL}, {1, 2, 3, 4, -1}},
	{{"h0", "h1"}, {NULL, "ssd"}, {1, 2, 3, -1, -1}},
	{{"osd.3"}, {NULL}, {-1, -1, -1, 4, -1}},
	{{"osd.4"}, {NULL}, {-1, -1, -1, -1, 0}},
	{{"h0", "osd.1"}, {NULL, NULL}, {1, 2, -1, -1, -1}},
};

static void add_takes(strew_builder *builder, const struct takes *from)
{
	strew_builder_add_rule(builder, 0, "rule", STREW_KIND_REPLICATED);
	for (int i = 0; i < 2 && from->items[i]; i++) {
		strew_builder_add_take_name(builder, from->items[i], from->classes[i]);
		strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 1, 0, NULL);
		strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	}
}

START_TEST(devices_below_the_takes_are_reached)
{
	strew_builder *builder = start_two_hosts();
	strew_placer *placer;
	const strew_map *map;
	struct analyze_tree tree;
	double weights[DEVICE_COUNT];

	add_takes(builder, &takes[_i]);
	placer = finish_map(builder);
	map = strew_placer_map(placer);
	ck_assert_int_eq(analyze_tree_new(&tree, map, &base_heap, NULL), STREW_OK);
	ck_assert_int_eq(
		analyze_reach(weights, &tree, map_rule_by_id(map, 0), &base_heap, NULL),
		STREW_OK);
	for (int i = 0; i < DEVICE_COUNT; i++)
		ck_assert_msg(weights[i] == takes[_i].weights[i], "osd.%d has %g", i,
			      weights[i]);
	analyze_tree_free(&tree, &base_heap);
	strew_placer_release(placer);
}
END_TEST

START_TEST(a_device_linked_twice_has_the_sum)
{
	strew_builder *builder = start_two_hosts();
	strew_placer *placer;
	const strew_map *map;
	struct analyze_tree tree;
	double weights[DEVICE_COUNT];

	strew_builder_add_item(builder, -2, 2, 5 * STREW_WEIGHT_ONE, STREW_ITEM_LINK);
	add_takes(builder, &takes[0]);
	placer = finish_map(builder);
	map = strew_placer_map(placer);
	ck_assert_int_eq(analyze_tree_new(&tree, map, &base_heap, NULL), STREW_OK);
	ck_assert_int_eq(
		analyze_reach(weights, &tree, map_rule_by_id(map, 0), &base_heap, NULL),
		STREW_OK);
	ck_assert(weights[2] == 8);
	analyze_tree_free(&tree, &base_heap);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_reach(void)
{
	TCase *tcase = tcase_create("analyze_reach");

	tcase_add_loop_test(tcase, devices_below_the_takes_are_reached, 0,
			    (int)(sizeof(takes) / sizeof(takes[0])));
	tcase_add_test(tcase, a_device_linked_twice_has_the_sum);
	return tcase;
}
