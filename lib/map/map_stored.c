/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_priv.h"

/* What only a stored map has: how it was laid out, what it tells of things that aren't
 * there, and which things have no name in it. */

/* The bucket array of Ceph's tools begins with so many slots, and doubles. */
#define FIRST_SLOTS 8

void map_set_layout(strew_builder *builder, const struct map_layout *layout)
{
	builder->layout = *layout;
	builder->layout.rest =
		map_keep_array(builder, layout->rest, layout->rest_count, 1);
}

static uint32_t grow_slots(uint32_t slots, uint32_t needed)
{
	while (slots < needed)
		slots *= 2; /* ids end at 2^30 */
	return slots;
}

static uint32_t needed_bucket_slots(const strew_map *map)
{
	return map->bucket_count ? (uint32_t)-map->buckets[map->bucket_count - 1].id : 0;
}

static uint32_t usual_bucket_slots(const strew_map *map)
{
	return map->bucket_count ? grow_slots(FIRST_SLOTS, needed_bucket_slots(map)) : 0;
}

static uint32_t usual_rule_slots(const strew_map *map)
{
	return map->rule_count ? (uint32_t)map->rules[map->rule_count - 1].id + 1 : 0;
}

static bool has_msr_rule(const strew_map *map)
{
	for (size_t i = 0; i < map->rule_count; i++)
		if (map_kind_is_msr(map->rules[i].kind))
			return true;
	return false;
}

static bool has_classes(const strew_map *map)
{
	bool has_any = map->class_count > 0;

	for (size_t i = 0; i < map->stray_count; i++)
		has_any |= map->strays[i].kind >= MAP_STRAY_CLASS;
	return has_any;
}

/* What a map without the parts of the tail would be read with. */
static enum map_tail needed_tail(const strew_map *map)
{
	const struct map_tunables *t = &map->tunables;

	if (t->msr_descents != 100 || t->msr_collision_tries != 100)
		return MAP_TAIL_MSR;
	if (map->weight_set_count > 0)
		return MAP_TAIL_WEIGHT_SETS;
	if (has_classes(map))
		return MAP_TAIL_CLASSES;
	if (t->chooseleaf_stable != 0)
		return MAP_TAIL_STABLE;
	if (t->allowed_bucket_algs != 22)
		return MAP_TAIL_ALGS;
	if (t->straw_calc_version != 0)
		return MAP_TAIL_STRAW_CALC;
	if (t->chooseleaf_vary_r != 0)
		return MAP_TAIL_VARY_R;
	if (t->chooseleaf_descend_once != 0)
		return MAP_TAIL_DESCEND_ONCE;
	if (t->choose_local_tries != 2 || t->choose_local_fallback_tries != 5 ||
	    t->choose_total_tries != 19)
		return MAP_TAIL_TRIES;
	return MAP_TAIL_NAMES;
}

/* Releases that know MSR rules write that part always, the others never. */
static enum map_tail usual_tail(const strew_map *map)
{
	return needed_tail(map) == MAP_TAIL_MSR || has_msr_rule(map)
		       ? MAP_TAIL_MSR
		       : MAP_TAIL_WEIGHT_SETS;
}

struct map_layout map_layout_of(const strew_map *map)
{
	struct map_layout full = map->layout;

	if (full.bucket_slots == 0)
		full.bucket_slots = usual_bucket_slots(map);
	if (full.rule_slots == 0)
		full.rule_slots = usual_rule_slots(map);
	if (full.tail == MAP_TAIL_USUAL)
		full.tail = usual_tail(map);
	return full;
}

/* What was stored has room for what an edit added; what is as usual goes without saying.
 */
static void settle_layout(strew_map *map)
{
	struct map_layout *layout = &map->layout;

	if (layout->bucket_slots > 0)
		layout->bucket_slots =
			grow_slots(layout->bucket_slots, needed_bucket_slots(map));
	if (layout->bucket_slots == usual_bucket_slots(map))
		layout->bucket_slots = 0;
	if (layout->rule_slots <= usual_rule_slots(map))
		layout->rule_slots = 0;
	if (layout->tail != MAP_TAIL_USUAL && layout->tail < needed_tail(map))
		layout->tail = needed_tail(map);
	if (layout->tail == usual_tail(map))
		layout->tail = MAP_TAIL_USUAL;
}

void map_add_stray(strew_builder *builder, const struct map_stray *stray)
{
	struct map_stray_draft *added =
		map_push(builder, &builder->strays, sizeof(*added));

	if (added == NULL)
		return;
	added->stray = *stray;
	if (stray->kind < MAP_STRAY_CLASS)
		added->stray.name = map_keep(builder, stray->name);
	else if (stray->name)
		added->stray.name = map_add_class(builder, stray->name);
}

static int compare_strays(const void *left, const void *right)
{
	const struct map_stray *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->class_id < b->class_id ? -1 : a->class_id > b->class_id;
}

/* Of equals the last one told stays; each knows its place while they are sorted. */
static int compare_told(const void *left, const void *right)
{
	const struct map_stray_draft *a = left, *b = right;
	int order = compare_strays(&a->stray, &b->stray);

	return order ? order : a->number < b->number ? -1 : a->number > b->number;
}

void map_settle_strays(strew_builder *builder)
{
	struct map_stray_draft *drafts = builder->strays.items;
	size_t count = 0;

	for (size_t i = 0; i < builder->strays.count; i++) {
		struct map_stray *stray = &drafts[i].stray;

		drafts[i].number = i;
		if (stray->kind < MAP_STRAY_CLASS || stray->name == NULL)
			continue;
		stray->class_id =
			map_class_id(builder, map_class_index(builder, stray->name));
		stray->name = NULL;
	}
	if (builder->strays.count > 1)
		qsort(drafts, builder->strays.count, sizeof(*drafts), compare_told);
	for (size_t i = 0; i < builder->strays.count; i++) {
		if (count > 0 &&
		    compare_strays(&drafts[count - 1].stray, &drafts[i].stray) == 0)
			count--;
		drafts[count++] = drafts[i];
	}
	builder->strays.count = count;
}

void map_pin_stray_shadows(strew_builder *builder)
{
	const struct map_stray_draft *drafts = builder->strays.items;
	size_t told = builder->pins.vec.count;

	for (size_t i = 0; i < builder->strays.count; i++) {
		const struct map_stray *stray = &drafts[i].stray;
		int32_t class_index = map_class_by_id(builder, stray->class_id);
		struct map_list pins = {builder->pins.kind, builder->pins.vec};
		struct map_shadow_draft *pin;

		pins.vec.count = told;
		if (stray->kind != MAP_STRAY_SHADOW || class_index < 0 ||
		    map_bucket_draft(builder, stray->shadow) ||
		    map_list_find(&pins, -(int64_t)stray->id, class_index))
			continue;
		pin = map_push(builder, &builder->pins.vec, sizeof(*pin));
		if (pin == NULL)
			return;
		pin->bucket = stray->id;
		pin->class_index = class_index;
		pin->id = stray->shadow;
	}
	map_list_sort(builder, &builder->pins);
}

void map_set_unnamed(strew_builder *builder, enum map_part part, int32_t id)
{
	struct map_unnamed *added = map_push(builder, &builder->unnamed, sizeof(*added));

	if (added)
		*added = (struct map_unnamed){part, id};
}

struct map_stand_in map_stand_in(enum map_part part, int32_t id)
{
	struct map_stand_in out;

	if (part == MAP_BUCKETS)
		snprintf(out.name, sizeof(out.name), "bucket%d", -1 - (int)id);
	else if (part == MAP_DEVICES)
		snprintf(out.name, sizeof(out.name), "device%d", (int)id);
	else if (id != 0)
		snprintf(out.name, sizeof(out.name), "type%d", (int)id);
	else
		snprintf(out.name, sizeof(out.name), "device");
	return out;
}

static bool stands_in(enum map_part part, int32_t id, const char *name)
{
	return strcmp(map_stand_in(part, id).name, name) == 0;
}

/* Until something gives it a name. */
static void mark_unnamed(const strew_map *map, const struct map_unnamed *unnamed)
{
	int32_t id = unnamed->id;
	int64_t index;

	if (unnamed->part == MAP_DEVICES) {
		index = map_device_index(map, id);
		if (index >= 0)
			map->devices[index].unnamed =
				stands_in(MAP_DEVICES, id, map->devices[index].name);
	} else if (unnamed->part == MAP_BUCKETS) {
		index = map_bucket_index(map, id);
		if (index >= 0)
			map->buckets[index].unnamed =
				stands_in(MAP_BUCKETS, id, map->buckets[index].name);
	} else {
		index = map_type_index(map, id);
		if (index >= 0)
			map->types[index].unnamed =
				stands_in(MAP_TYPES, id, map->types[index].name);
	}
}

/* Is the thing that a stray is of there by now? A class or a shadow may also be stray
 * because the file contradicts itself; then its thing has none here. */
static bool is_there(const strew_map *map, const strew_builder *builder,
		     const struct map_stray *stray)
{
	const strew_bucket *bucket = strew_map_bucket_by_id(map, stray->id);
	const strew_device *device = strew_map_device_by_id(map, stray->id);

	switch (stray->kind) {
	case MAP_STRAY_TYPE:
		return strew_map_type_name(map, stray->id) != NULL;
	case MAP_STRAY_ITEM:
		return bucket || device;
	case MAP_STRAY_RULE:
		return map_rule_by_id(map, stray->id) != NULL;
	case MAP_STRAY_CLASS:
		return (bucket && bucket->class_name) || (device && device->class_name);
	case MAP_STRAY_SHADOW:
		break;
	}
	return map_shadow_id(builder, stray->id,
			     map_class_by_id(builder, stray->class_id)) != 0;
}

bool map_freeze_stored(strew_map *map, strew_builder *builder)
{
	const struct map_stray_draft *drafts = builder->strays.items;
	const struct map_unnamed *unnamed = builder->unnamed.items;

	map->strays = base_arena_alloc(&builder->kept, builder->strays.count,
				       sizeof(*map->strays));
	if (map->strays == NULL)
		return false;
	for (size_t i = 0; i < builder->strays.count; i++)
		if (!is_there(map, builder, &drafts[i].stray))
			map->strays[map->stray_count++] = drafts[i].stray;
	for (size_t i = 0; i < builder->unnamed.count; i++)
		mark_unnamed(map, &unnamed[i]);
	map->layout = builder->layout;
	settle_layout(map);
	return true;
}
