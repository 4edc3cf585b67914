/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "support.h"

static strew_map *copy_of(const strew_map *map)
{
	strew_builder *builder = NULL;

	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	return finish(builder);
}

static strew_builder *editor_of(const strew_map *map)
{
	strew_builder *builder = NULL;

	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	return builder;
}

static void add_stray_name(strew_builder *builder, enum map_stray_kind kind, int32_t id,
			   const char *name)
{
	map_add_stray(builder, &(struct map_stray){.kind = kind, .id = id, .name = name});
}

static void add_stray_shadow(strew_builder *builder, int32_t bucket, int32_t class_id,
			     int32_t shadow)
{
	map_add_stray(builder, &(struct map_stray){.kind = MAP_STRAY_SHADOW,
						   .id = bucket,
						   .class_id = class_id,
						   .shadow = shadow});
}

START_TEST(classes_have_ids_of_their_own)
{
	strew_builder *builder = start(NULL);
	strew_map *map, *again;

	map_add_class_id(builder, 7, "ssd");
	strew_builder_add_device(builder, 0, NULL, "hdd");
	strew_builder_add_device(builder, 1, NULL, "ssd");
	map_add_class_id(builder, 2, "nvme");
	map = finish(builder);
	again = copy_of(map);
	strew_map_release(map);
	ck_assert_uint_eq(again->class_count, 3);
	ck_assert_int_eq(again->classes[0].id, 2);
	ck_assert_int_eq(again->classes[1].id, 7);
	ck_assert_int_eq(again->classes[2].id, 8);
	ck_assert_str_eq(again->classes[2].name, "hdd");
	ck_assert_str_eq(again->devices[0].class_name, "hdd");
	ck_assert_str_eq(again->devices[1].class_name, "ssd");
	strew_map_release(again);
}
END_TEST

START_TEST(class_ids_that_clash_are_refused)
{
	strew_builder *builder = start(NULL);

	map_add_class_id(builder, 7, "ssd");
	map_add_class_id(builder, 8, "ssd");
	refuse(builder, "map.json",
	       "the device class \"ssd\" is given the ids 7 and 8; it can have one");
	builder = start(NULL);
	map_add_class_id(builder, 7, "ssd");
	map_add_class_id(builder, 7, "hdd");
	refuse(builder, "map.json",
	       "the device classes \"ssd\" and \"hdd\" both have the id 7; ids must be "
	       "unique");
	builder = start(NULL);
	map_add_class_id(builder, -7, "ssd");
	refuse(builder, "map.json",
	       "the device class \"ssd\" has the id -7; it must be from 0 to 2147483647");
	builder = start(NULL);
	map_add_class_id(builder, INT32_MAX, "ssd");
	map_add_class(builder, "hdd");
	refuse(builder, "map.json",
	       "there is no id left for the device class \"hdd\" above 2147483647, which "
	       "another class has");
}
END_TEST

/* Classes in gaps have shadows as others do. */
START_TEST(shadows_go_by_class_id)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	map_add_class_id(builder, 9, "hdd");
	map_add_class_id(builder, 4, "ssd");
	add_bucket(builder, -1, "h1", 1);
	strew_builder_add_device(builder, 0, NULL, "hdd");
	strew_builder_add_device(builder, 1, NULL, "ssd");
	hang(builder, -1, 0);
	hang(builder, -1, 1);
	strew_builder_derive_shadows(builder);
	map = finish(builder);
	ck_assert_str_eq(draw(map, "h1~ssd"), "-2 16: 1*16");
	ck_assert_str_eq(draw(map, "h1~hdd"), "-3 16: 0*16");
	strew_map_release(map);
}
END_TEST

START_TEST(layouts_are_kept_where_they_are_unusual)
{
	static const uint8_t rest[] = {0, 255};
	const struct map_layout usual = {8, 1, MAP_TAIL_WEIGHT_SETS, NULL, 0};
	const struct map_layout odd = {5, 4, MAP_TAIL_MSR, rest, 2};
	strew_builder *builder = start(NULL);
	strew_map *map, *again;

	add_tree(builder);
	add_rule(builder, 0, "r");
	map_set_layout(builder, &usual);
	map = finish(builder);
	ck_assert_uint_eq(map->layout.bucket_slots, 0);
	ck_assert_uint_eq(map->layout.rule_slots, 0);
	ck_assert_int_eq(map->layout.tail, MAP_TAIL_USUAL);
	ck_assert_uint_eq(map_layout_of(map).bucket_slots, 8);
	ck_assert_uint_eq(map_layout_of(map).rule_slots, 1);
	ck_assert_int_eq(map_layout_of(map).tail, MAP_TAIL_WEIGHT_SETS);
	builder = editor_of(map);
	strew_map_release(map);
	map_set_layout(builder, &odd);
	map = finish(builder);
	again = copy_of(map);
	strew_map_release(map);
	ck_assert_uint_eq(again->layout.bucket_slots, 5);
	ck_assert_uint_eq(again->layout.rule_slots, 4);
	ck_assert_int_eq(again->layout.tail, MAP_TAIL_MSR);
	ck_assert_uint_eq(again->layout.rest_count, 2);
	ck_assert_mem_eq(again->layout.rest, rest, 2);
	strew_map_release(again);
}
END_TEST

START_TEST(layouts_grow_with_edits)
{
	const struct map_layout small = {3, 1, MAP_TAIL_NAMES, NULL, 0};
	strew_builder *builder = start(NULL);
	strew_map *map;

	strew_builder_set_profile(builder, "legacy");
	add_tree(builder);
	add_rule(builder, 0, "r");
	map_set_layout(builder, &small);
	map = finish(builder);
	ck_assert_uint_eq(map->layout.bucket_slots, 3);
	ck_assert_int_eq(map->layout.tail, MAP_TAIL_NAMES);
	builder = editor_of(map);
	strew_map_release(map);
	add_bucket(builder, -4, "h3", 1);
	add_rule(builder, 6, "s");
	strew_builder_set_tunable(builder, "chooseleaf_vary_r", 1);
	map = finish(builder);
	ck_assert_uint_eq(map->layout.bucket_slots, 6);
	ck_assert_uint_eq(map->layout.rule_slots, 0);
	ck_assert_uint_eq(map_layout_of(map).rule_slots, 7);
	ck_assert_int_eq(map->layout.tail, MAP_TAIL_VARY_R);
	strew_map_release(map);
}
END_TEST

/* What a tail must have for what the map says; the last one needs no such tunable. */
START_TEST(tails_are_as_long_as_the_map_needs)
{
	static const struct {
		const char *tunable;
		uint32_t value;
		enum map_tail tail;
	} cases[] = {
		{"choose_local_tries", 3, MAP_TAIL_TRIES},
		{"choose_local_fallback_tries", 0, MAP_TAIL_TRIES},
		{"choose_total_tries", 50, MAP_TAIL_TRIES},
		{"chooseleaf_descend_once", 1, MAP_TAIL_DESCEND_ONCE},
		{"chooseleaf_vary_r", 2, MAP_TAIL_VARY_R},
		{"straw_calc_version", 1, MAP_TAIL_STRAW_CALC},
		{"allowed_bucket_algs", 54, MAP_TAIL_ALGS},
		{"chooseleaf_stable", 1, MAP_TAIL_STABLE},
		{"msr_descents", 99, MAP_TAIL_MSR},
		{"msr_collision_tries", 99, MAP_TAIL_MSR},
	};
	const struct map_layout none = {0, 0, MAP_TAIL_NAMES, NULL, 0};
	strew_builder *builder = start(NULL);
	strew_map *map;

	strew_builder_set_profile(builder, "legacy");
	strew_builder_set_tunable(builder, cases[_i].tunable, cases[_i].value);
	map_set_layout(builder, &none);
	map = finish(builder);
	ck_assert_int_eq(map_layout_of(map).tail, cases[_i].tail);
	strew_map_release(map);
}
END_TEST

START_TEST(msr_rules_have_their_part)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	add_tree(builder);
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_MSR_FIRSTN);
	strew_builder_add_take(builder, -1);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 0, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	map = finish(builder);
	ck_assert_int_eq(map->layout.tail, MAP_TAIL_USUAL);
	ck_assert_int_eq(map_layout_of(map).tail, MAP_TAIL_MSR);
	strew_map_release(map);
}
END_TEST

START_TEST(strays_are_kept_in_order)
{
	strew_builder *builder = start(NULL);
	strew_map *map, *again;

	add_stray_shadow(builder, -5, 3, -9);
	add_stray_shadow(builder, -5, 2, -8);
	map_add_stray(builder, &(struct map_stray){
				       .kind = MAP_STRAY_CLASS, .id = 12, .name = "ssd"});
	add_stray_name(builder, MAP_STRAY_RULE, 4, "old");
	add_stray_name(builder, MAP_STRAY_ITEM, -4, "first");
	add_stray_name(builder, MAP_STRAY_ITEM, -4, "last");
	add_stray_name(builder, MAP_STRAY_TYPE, 70000, "huge");
	map_add_class_id(builder, 2, "hdd");
	map = finish(builder);
	again = copy_of(map);
	strew_map_release(map);
	ck_assert_uint_eq(again->stray_count, 6);
	ck_assert_str_eq(again->strays[0].name, "huge");
	ck_assert_str_eq(again->strays[1].name, "last");
	ck_assert_int_eq(again->strays[2].id, 4);
	ck_assert_int_eq(again->strays[3].class_id, 3);
	ck_assert_ptr_null(again->strays[3].name);
	ck_assert_int_eq(again->strays[4].shadow, -8);
	ck_assert_int_eq(again->strays[5].shadow, -9);
	ck_assert_int_eq(map_layout_of(again).tail, MAP_TAIL_WEIGHT_SETS);
	strew_map_release(again);
}
END_TEST

START_TEST(strays_go_when_their_thing_comes)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	add_stray_name(builder, MAP_STRAY_TYPE, 1, "x");
	add_stray_name(builder, MAP_STRAY_ITEM, -2, "x");
	add_stray_name(builder, MAP_STRAY_RULE, 0, "x");
	map_add_stray(builder, &(struct map_stray){
				       .kind = MAP_STRAY_CLASS, .id = 0, .class_id = 5});
	add_tree(builder);
	strew_builder_add_device(builder, 9, NULL, "hdd");
	map_add_stray(builder, &(struct map_stray){
				       .kind = MAP_STRAY_CLASS, .id = 9, .class_id = 5});
	add_rule(builder, 0, "r");
	map = finish(builder);
	ck_assert_uint_eq(map->stray_count, 1);
	ck_assert_int_eq(map->strays[0].id, 0);
	strew_map_release(map);
}
END_TEST

/* Ceph's text can say which id a shadow is to have before there is one. */
START_TEST(stray_shadows_have_their_ids_once_they_are_made)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	map_add_class_id(builder, 0, "hdd");
	add_bucket(builder, -1, "h1", 1);
	strew_builder_add_device(builder, 0, NULL, "hdd");
	hang(builder, -1, 0);
	add_stray_shadow(builder, -1, 0, -2);
	add_stray_shadow(builder, -1, 6, -4);
	map = finish(builder);
	ck_assert_uint_eq(map->stray_count, 2);
	builder = editor_of(map);
	strew_map_release(map);
	add_bucket(builder, STREW_AUTO_ID, "h2", 1);
	strew_builder_add_device(builder, 1, NULL, "hdd");
	hang(builder, -1, 1);
	strew_builder_derive_shadows(builder);
	map = finish(builder);
	ck_assert_str_eq(draw(map, "h1~hdd"), "-2 32: 0*16 1*16");
	ck_assert_str_eq(draw(map, "h2"), "-3 0:");
	ck_assert_str_eq(draw(map, "h2~hdd"), "-5 0:");
	ck_assert_uint_eq(map->stray_count, 1);
	strew_map_release(map);
}
END_TEST

START_TEST(names_stand_in_until_there_are_others)
{
	strew_builder *builder = start(NULL);
	strew_map *map, *again;

	map_set_unnamed(builder, MAP_DEVICES, 3);
	map_set_unnamed(builder, MAP_DEVICES, 4);
	map_set_unnamed(builder, MAP_DEVICES, 5);
	map_set_unnamed(builder, MAP_BUCKETS, -2);
	map_set_unnamed(builder, MAP_TYPES, 9);
	strew_builder_add_device(builder, 3, map_stand_in(MAP_DEVICES, 3).name, NULL);
	strew_builder_add_device(builder, 4, "named", NULL);
	strew_builder_add_type(builder, 9, map_stand_in(MAP_TYPES, 9).name);
	add_bucket(builder, -2, map_stand_in(MAP_BUCKETS, -2).name, 9);
	map = finish(builder);
	again = copy_of(map);
	strew_map_release(map);
	ck_assert_str_eq(again->devices[0].name, "device3");
	ck_assert(again->devices[0].unnamed);
	ck_assert(!again->devices[1].unnamed);
	ck_assert_str_eq(again->buckets[0].name, "bucket1");
	ck_assert(again->buckets[0].unnamed);
	ck_assert_str_eq(again->types[4].name, "type9");
	ck_assert(again->types[4].unnamed);
	ck_assert(!again->types[0].unnamed);
	strew_map_release(again);
}
END_TEST

START_TEST(the_type_of_devices_may_have_no_name)
{
	strew_builder *builder = NULL;
	strew_map *map, *again;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 1, "host");
	map = finish(builder);
	again = copy_of(map);
	strew_map_release(map);
	ck_assert_str_eq(again->types[0].name, "device");
	ck_assert(again->types[0].unnamed);
	strew_map_release(again);
}
END_TEST

START_TEST(raw_steps_keep_their_arguments)
{
	static const struct map_step expected[] = {
		{(strew_op)77, -1, 5},
		{STREW_OP_TAKE, -1, 6},
		{STREW_OP_EMIT, 7, 8},
		{(strew_op)0xffffffffu, INT32_MIN, INT32_MAX},
	};
	strew_builder *builder = start(NULL);
	strew_map *map, *again;

	add_tree(builder);
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_REPLICATED);
	for (size_t i = 0; i < 4; i++)
		map_add_raw_step(builder, (uint32_t)expected[i].op, expected[i].arg1,
				 expected[i].arg2);
	map = finish(builder);
	again = copy_of(map);
	strew_map_release(map);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_uint_eq((unsigned)again->rules[0].steps[i].op,
				  (unsigned)expected[i].op);
		ck_assert_int_eq(again->rules[0].steps[i].arg1, expected[i].arg1);
		ck_assert_int_eq(again->rules[0].steps[i].arg2, expected[i].arg2);
	}
	ck_assert_uint_eq(strew_map_warning_count(again), 2);
	ck_assert_str_eq(strew_map_warning_at(again, 1)->text,
			 "rule r (id 0) has a step of an unknown kind, 4294967295, which "
			 "does nothing");
	strew_map_release(again);
}
END_TEST

static strew_map *build_stored(const strew_allocator *allocator)
{
	const struct map_layout layout = {20, 4, MAP_TAIL_MSR, (const uint8_t *)"ab", 2};
	strew_builder *builder = NULL;
	strew_map *map = NULL;

	if (strew_builder_new(&builder, allocator) != STREW_OK)
		return NULL;
	map_set_layout(builder, &layout);
	add_stray_name(builder, MAP_STRAY_ITEM, -4, "x");
	add_stray_shadow(builder, -1, 1, -9);
	map_add_class_id(builder, 1, "ssd");
	strew_builder_add_type(builder, 1, "host");
	add_bucket(builder, -1, "bucket0", 1);
	map_set_unnamed(builder, MAP_BUCKETS, -1);
	strew_builder_derive_shadows(builder);
	if (strew_builder_build(&map, builder, NULL) != STREW_OK)
		ck_assert_ptr_null(map);
	strew_builder_free(builder);
	return map;
}

START_TEST(each_failed_allocation_is_survived)
{
	strew_map *map = NULL;
	size_t failures = 0;

	for (size_t i = 1; map == NULL; i++) {
		struct support_heap heap;

		support_heap_init(&heap);
		heap.fail_at = i;
		map = build_stored(&heap.allocator);
		failures += map == NULL;
		if (map) {
			ck_assert_str_eq(draw(map, "bucket0~ssd"), "-9 0:");
			ck_assert(map->buckets[0].unnamed);
			strew_map_release(map);
		}
		ck_assert_uint_eq(heap.blocks, 0);
	}
	ck_assert_uint_gt(failures, 20);
}
END_TEST

TCase *check_map_stored(void)
{
	TCase *tcase = tcase_create("map_stored");

	tcase_add_test(tcase, classes_have_ids_of_their_own);
	tcase_add_test(tcase, class_ids_that_clash_are_refused);
	tcase_add_test(tcase, shadows_go_by_class_id);
	tcase_add_test(tcase, layouts_are_kept_where_they_are_unusual);
	tcase_add_test(tcase, layouts_grow_with_edits);
	tcase_add_loop_test(tcase, tails_are_as_long_as_the_map_needs, 0, 10);
	tcase_add_test(tcase, msr_rules_have_their_part);
	tcase_add_test(tcase, strays_are_kept_in_order);
	tcase_add_test(tcase, strays_go_when_their_thing_comes);
	tcase_add_test(tcase, stray_shadows_have_their_ids_once_they_are_made);
	tcase_add_test(tcase, names_stand_in_until_there_are_others);
	tcase_add_test(tcase, the_type_of_devices_may_have_no_name);
	tcase_add_test(tcase, raw_steps_keep_their_arguments);
	tcase_add_test(tcase, each_failed_allocation_is_survived);
	return tcase;
}
