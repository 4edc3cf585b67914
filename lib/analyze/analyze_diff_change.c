/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base_error.h"

/* What differs in the trees of the two maps and in their devices. */

#define TEXT_ROOM 32

static uint32_t bucket_named(const strew_map *map, const char *name)
{
	const strew_bucket *bucket = strew_map_bucket_by_name(map, name);

	return bucket ? (uint32_t)(bucket - map->buckets) : ANALYZE_NOWHERE;
}

/* The bucket of the same id, if its name is not in use on the other side. */
static uint32_t bucket_renamed(const strew_map *map, const strew_bucket *other,
			       const strew_map *others)
{
	int64_t index = map_bucket_index(map, other->id);

	if (index < 0 || map->buckets[index].type != other->type ||
	    strew_map_bucket_by_name(others, map->buckets[index].name))
		return ANALYZE_NOWHERE;
	return (uint32_t)index;
}

void analyze_diff_match(struct diff *diff)
{
	struct diff_side *before = &diff->sides[0], *after = &diff->sides[1];

	for (size_t i = 0; i < before->map->bucket_count; i++)
		before->buckets[i] = ANALYZE_NOWHERE;
	for (size_t i = 0; i < after->map->bucket_count; i++) {
		const strew_bucket *bucket = &after->map->buckets[i];
		uint32_t like = bucket_named(before->map, bucket->name);

		if (like == ANALYZE_NOWHERE)
			like = bucket_renamed(before->map, bucket, after->map);
		after->buckets[i] = like;
		if (like != ANALYZE_NOWHERE)
			before->buckets[like] = (uint32_t)i;
	}
}

static const char *const words[DIFF_CHANGE_COUNT] = {
	[DIFF_ADDED] = "added",     [DIFF_REMOVED] = "removed",
	[DIFF_MOVED] = "moved",     [DIFF_PLACES] = "places",
	[DIFF_ORDER] = "order",     [DIFF_RENAMED] = "renamed",
	[DIFF_TYPE] = "type",       [DIFF_ALG] = "alg",
	[DIFF_ID] = "id",           [DIFF_WEIGHT] = "weight",
	[DIFF_CLASS] = "class",     [DIFF_REWEIGHT] = "reweight",
	[DIFF_STATE] = "state",     [DIFF_AFFINITY] = "affinity",
	[DIFF_TUNABLE] = "tunable", [DIFF_RULE] = "rule",
	[DIFF_CHOICE] = "choice",   [DIFF_WEIGHT_SET] = "weight_set",
	[DIFF_POOL] = "pool",       [DIFF_UPMAP] = "upmap",
};

void analyze_diff_add_change(struct diff *diff, enum diff_change what, const char *item,
			     const char *from, const char *to)
{
	diff->changes.counts[what]++;
	result_row(diff->tables.changes);
	result_text(diff->tables.changes, words[what]);
	result_text(diff->tables.changes, item);
	result_text(diff->tables.changes, from);
	result_text(diff->tables.changes, to);
}

/* Five decimals tell all 16.16 numbers apart; zeros at the end say nothing. */
static void print_weight(char text[TEXT_ROOM], uint32_t weight)
{
	uint64_t parts =
		((uint64_t)weight * 100000 + STREW_WEIGHT_ONE / 2) / STREW_WEIGHT_ONE;
	size_t len;

	snprintf(text, TEXT_ROOM, "%" PRIu64 ".%05" PRIu64, parts / 100000,
		 parts % 100000);
	len = strlen(text);
	while (text[len - 1] == '0')
		text[--len] = '\0';
	if (text[len - 1] == '.')
		text[len - 1] = '\0';
}

static void compare_weights(struct diff *diff, enum diff_change what, const char *item,
			    uint32_t before, uint32_t after)
{
	char from[TEXT_ROOM], to[TEXT_ROOM];

	if (before == after)
		return;
	print_weight(from, before);
	print_weight(to, after);
	analyze_diff_add_change(diff, what, item, from, to);
}

static void compare_texts(struct diff *diff, enum diff_change what, const char *item,
			  const char *before, const char *after)
{
	if (before == after || (before && after && strcmp(before, after) == 0))
		return;
	analyze_diff_add_change(diff, what, item, before, after);
}

static const char *name_of(const struct diff_side *side, uint32_t bucket)
{
	return bucket == ANALYZE_NOWHERE ? NULL : side->map->buckets[bucket].name;
}

static uint32_t weight_at(const struct diff_side *side, const struct analyze_spot *spot)
{
	return side->map->buckets[spot->bucket].items[spot->slot].weight;
}

/* `parent` is in both maps; NULL: the item is only part of something larger. */
static void join_crowd(struct diff_crowd *crowd, const strew_map *map, int32_t type,
		       const char *parent)
{
	crowd->by_type[analyze_type_place(map, type)]++;
	if (parent && crowd->place && strcmp(parent, crowd->place) != 0)
		crowd->many_places = true;
	if (parent)
		crowd->place = parent;
}

/* Only on one side: 0, OLD, means removed. */
static void tell_one_sided(struct diff *diff, int side, const char *item, int32_t type,
			   uint32_t parent)
{
	const struct diff_side *from = &diff->sides[side];
	struct diff_crowd *crowd =
		side == 0 ? &diff->changes.removed : &diff->changes.added;
	const char *place = name_of(from, parent);
	bool stays =
		parent != ANALYZE_NOWHERE && from->buckets[parent] != ANALYZE_NOWHERE;

	analyze_diff_add_change(diff, side == 0 ? DIFF_REMOVED : DIFF_ADDED, item,
				side == 0 ? place : NULL, side == 0 ? NULL : place);
	join_crowd(crowd, from->map, type, stays ? place : NULL);
}

static void compare_numbers(struct diff *diff, enum diff_change what, const char *item,
			    int64_t before, int64_t after)
{
	char from[TEXT_ROOM], to[TEXT_ROOM];

	if (before == after)
		return;
	snprintf(from, sizeof(from), "%" PRId64, before);
	snprintf(to, sizeof(to), "%" PRId64, after);
	analyze_diff_add_change(diff, what, item, from, to);
}

/* Where an item of both maps hangs. */
static void compare_spots(struct diff *diff, const char *item, int32_t type,
			  const struct analyze_spot *from, const struct analyze_spot *to)
{
	uint32_t before = from->bucket, after = to->bucket;
	uint32_t like = after == ANALYZE_NOWHERE ? after : diff->sides[1].buckets[after];

	if (before == ANALYZE_NOWHERE && after != ANALYZE_NOWHERE)
		tell_one_sided(diff, 1, item, type, after);
	else if (before != ANALYZE_NOWHERE && after == ANALYZE_NOWHERE)
		tell_one_sided(diff, 0, item, type, before);
	else if (before != like)
		analyze_diff_add_change(diff, DIFF_MOVED, item,
					name_of(&diff->sides[0], before),
					name_of(&diff->sides[1], after));
	if (from->places > 1 || to->places > 1)
		compare_numbers(diff, DIFF_PLACES, item, from->places, to->places);
}

static const char *state_of(const strew_device *device)
{
	if (!device->exists)
		return "gone";
	return device->up ? "up" : "down";
}

static void compare_device(struct diff *diff, const struct diff_device *both)
{
	const strew_device *before = &diff->sides[0].map->devices[both->indexes[0]];
	const strew_device *after = &diff->sides[1].map->devices[both->indexes[1]];
	const struct analyze_spot *from =
		&diff->sides[0].tree.device_spots[both->indexes[0]];
	const struct analyze_spot *to =
		&diff->sides[1].tree.device_spots[both->indexes[1]];
	const char *item = after->name;

	compare_texts(diff, DIFF_RENAMED, item, before->name, after->name);
	compare_spots(diff, item, 0, from, to);
	if (from->bucket != ANALYZE_NOWHERE && to->bucket != ANALYZE_NOWHERE)
		compare_weights(diff, DIFF_WEIGHT, item, weight_at(&diff->sides[0], from),
				weight_at(&diff->sides[1], to));
	compare_texts(diff, DIFF_CLASS, item, before->class_name, after->class_name);
	compare_weights(diff, DIFF_REWEIGHT, item, before->reweight, after->reweight);
	compare_texts(diff, DIFF_STATE, item, state_of(before), state_of(after));
	compare_weights(diff, DIFF_AFFINITY, item, before->primary_affinity,
			after->primary_affinity);
}

static void compare_devices(struct diff *diff)
{
	for (size_t i = 0; i < diff->device_count; i++) {
		const struct diff_device *device = &diff->devices[i];
		int side = device->indexes[1] >= 0 ? 1 : 0;

		if (device->indexes[0] >= 0 && device->indexes[1] >= 0)
			compare_device(diff, device);
		else
			tell_one_sided(diff, side, analyze_diff_device_name(diff, device),
				       0,
				       diff->sides[side]
					       .tree.device_spots[device->indexes[side]]
					       .bucket);
	}
}

/* How far a bucket's weight in its parent is from what it holds. A change of that is one
 * of its own; other weights of buckets only follow. */
static int64_t own_weight(const struct diff_side *side, uint32_t bucket)
{
	const strew_bucket *found = &side->map->buckets[bucket];
	int64_t weight = weight_at(side, &side->tree.bucket_spots[bucket]);

	for (size_t i = 0; i < found->item_count; i++)
		weight -= found->items[i].weight;
	return weight;
}

/* The same items in another order; straw2 does not care. Sums of mixed ids tell whether
 * the items are the same. */
static bool differ_in_order(const strew_bucket *before, const strew_bucket *after)
{
	uint64_t sums[2] = {0, 0};
	bool same_order = true;

	if (strcmp(after->alg, "straw2") == 0 || before->item_count != after->item_count)
		return false;
	for (size_t i = 0; i < after->item_count; i++) {
		uint64_t ids[2] = {(uint32_t)before->items[i].id,
				   (uint32_t)after->items[i].id};

		same_order = same_order && ids[0] == ids[1];
		for (int side = 0; side < 2; side++)
			sums[side] += (ids[side] + 1) * (ids[side] ^ 0x9e3779b97f4a7c15u);
	}
	return !same_order && sums[0] == sums[1];
}

static void reach_takes(struct diff *diff, const struct analyze_group *group)
{
	const strew_map *map = diff->sides[1].map;
	const struct map_rule *rule =
		map_rule_by_id(map, analyze_diff_rule(diff, group, 1));

	for (size_t i = 0; i < rule->step_count; i++) {
		const struct map_step *step = &rule->steps[i];
		int64_t bucket = -1;

		if (step->op == STREW_OP_TAKE && step->arg1 < 0)
			bucket = map_bucket_index(map, step->arg1);
		if (bucket >= 0)
			diff->changes.reached[bucket] = true;
	}
}

/* The buckets that the rules compared take, and all below them. */
static void reach_buckets(struct diff *diff)
{
	const struct analyze_tree *tree = &diff->sides[1].tree;
	bool *reached = diff->changes.reached;

	for (size_t i = 0; i < diff->plan.group_count; i++)
		reach_takes(diff, &diff->plan.groups[i]);
	for (size_t i = 0; i < tree->map->bucket_count; i++) {
		uint32_t bucket = tree->order[i];

		if (!reached[bucket])
			continue;
		for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1];
		     at++) {
			if (tree->items[at] < 0)
				reached[-1 - tree->items[at]] = true;
		}
	}
}

static void compare_ids(struct diff *diff, uint32_t old, uint32_t new)
{
	const strew_bucket *before = &diff->sides[0].map->buckets[old];
	const strew_bucket *after = &diff->sides[1].map->buckets[new];

	compare_numbers(diff, DIFF_ID, after->name, before->id, after->id);
}

static void compare_buckets(struct diff *diff, uint32_t old, uint32_t new)
{
	const struct diff_side *sides = diff->sides;
	const strew_bucket *before = &sides[0].map->buckets[old];
	const strew_bucket *after = &sides[1].map->buckets[new];
	const struct analyze_spot *from = &sides[0].tree.bucket_spots[old];
	const struct analyze_spot *to = &sides[1].tree.bucket_spots[new];

	compare_ids(diff, old, new);
	/* Shadows follow the buckets that they shadow in all else. */
	if (after->shadow_of)
		return;
	compare_texts(diff, DIFF_RENAMED, after->name, before->name, after->name);
	compare_texts(diff, DIFF_TYPE, after->name,
		      strew_map_type_name(sides[0].map, before->type),
		      strew_map_type_name(sides[1].map, after->type));
	compare_texts(diff, DIFF_ALG, after->name, before->alg, after->alg);
	compare_spots(diff, after->name, after->type, from, to);
	if (differ_in_order(before, after))
		analyze_diff_add_change(diff, DIFF_ORDER, after->name, NULL, NULL);
	if (from->bucket != ANALYZE_NOWHERE && to->bucket != ANALYZE_NOWHERE &&
	    own_weight(&sides[0], old) != own_weight(&sides[1], new))
		compare_weights(diff, DIFF_WEIGHT, after->name,
				weight_at(&sides[0], from), weight_at(&sides[1], to));
}

static void tell_bucket(struct diff *diff, int side, uint32_t index)
{
	const struct diff_side *from = &diff->sides[side];
	const strew_bucket *bucket = &from->map->buckets[index];

	if (bucket->shadow_of == 0)
		tell_one_sided(diff, side, bucket->name, bucket->type,
			       from->tree.bucket_spots[index].bucket);
}

static void compare_trees(struct diff *diff)
{
	const struct diff_side *before = &diff->sides[0], *after = &diff->sides[1];

	for (uint32_t i = 0; i < before->map->bucket_count; i++) {
		if (before->buckets[i] == ANALYZE_NOWHERE)
			tell_bucket(diff, 0, i);
	}
	for (uint32_t i = 0; i < after->map->bucket_count; i++) {
		if (after->buckets[i] == ANALYZE_NOWHERE)
			tell_bucket(diff, 1, i);
		else
			compare_buckets(diff, after->buckets[i], i);
	}
}

strew_status analyze_diff_changes(struct diff *diff)
{
	struct diff_changes *changes = &diff->changes;

	changes->removed.by_type = base_calloc(
		diff->allocator, diff->sides[0].map->type_count + 1, sizeof(size_t));
	changes->added.by_type = base_calloc(
		diff->allocator, diff->sides[1].map->type_count + 1, sizeof(size_t));
	changes->reached = base_calloc(
		diff->allocator, diff->sides[1].map->bucket_count + 1, sizeof(bool));
	if (changes->removed.by_type == NULL || changes->added.by_type == NULL ||
	    changes->reached == NULL)
		return base_error_nomem(diff->error);
	reach_buckets(diff);
	compare_trees(diff);
	compare_devices(diff);
	analyze_diff_rule_changes(diff);
	analyze_diff_pool_changes(diff);
	return diff->out_of_memory ? base_error_nomem(diff->error) : STREW_OK;
}

void analyze_diff_changes_free(struct diff *diff)
{
	base_free(diff->allocator, diff->changes.removed.by_type,
		  (diff->sides[0].map->type_count + 1) * sizeof(size_t));
	base_free(diff->allocator, diff->changes.added.by_type,
		  (diff->sides[1].map->type_count + 1) * sizeof(size_t));
	base_free(diff->allocator, diff->changes.reached,
		  (diff->sides[1].map->bucket_count + 1) * sizeof(bool));
}
