/* SPDX-License-Identifier: MIT */
/* The two maps of the commands: which bucket is which, and where things hang. */
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "format_ceph_commands.h"

static int compare_hangs(const void *a, const void *b)
{
	const struct format_hang *left = a, *right = b;

	if (left->item != right->item)
		return left->item < right->item ? -1 : 1;
	return left->bucket < right->bucket ? -1 : left->bucket > right->bucket;
}

static size_t count_hangs(const strew_map *map)
{
	size_t count = 0;

	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of == 0)
			count += map->buckets[i].item_count;
	return count;
}

static void add_hangs(struct format_side *side, size_t index)
{
	const strew_bucket *bucket = &side->map->buckets[index];

	for (size_t i = 0; i < bucket->item_count; i++)
		side->hangs[side->hang_count++] = (struct format_hang){
			bucket->items[i].id, (uint32_t)index, (uint32_t)i};
}

static bool find_hangs(struct format_side *side, const strew_allocator *allocator)
{
	size_t count = count_hangs(side->map);

	if (count == 0)
		return true;
	side->hangs = base_alloc(allocator, count, sizeof(*side->hangs));
	if (side->hangs == NULL)
		return false;
	for (size_t i = 0; i < side->map->bucket_count; i++)
		if (side->map->buckets[i].shadow_of == 0)
			add_hangs(side, i);
	qsort(side->hangs, count, sizeof(*side->hangs), compare_hangs);
	return true;
}

struct format_hangs format_hangs_of(const struct format_side *side, int32_t item)
{
	size_t low = 0, high = side->hang_count;
	struct format_hangs found;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (side->hangs[middle].item < item)
			low = middle + 1;
		else
			high = middle;
	}
	found = (struct format_hangs){side->hangs ? side->hangs + low : NULL, 0};
	while (low + found.count < side->hang_count &&
	       found.items[found.count].item == item)
		found.count++;
	return found;
}

struct format_hangs format_hangs_before(const struct format_commands *commands,
					int32_t item)
{
	const strew_bucket *bucket;

	if (item >= 0)
		return format_hangs_of(&commands->before, item);
	bucket = format_other(&commands->after,
			      strew_map_bucket_by_id(commands->after.map, item));
	return bucket ? format_hangs_of(&commands->before, bucket->id)
		      : (struct format_hangs){NULL, 0};
}

const struct format_hang *format_hang_in(const struct format_side *side,
					 struct format_hangs hangs,
					 const strew_bucket *bucket)
{
	for (size_t i = 0; i < hangs.count; i++)
		if (&side->map->buckets[hangs.items[i].bucket] == bucket)
			return &hangs.items[i];
	return NULL;
}

const strew_bucket *format_other(const struct format_side *side,
				 const strew_bucket *bucket)
{
	return side->others[bucket - side->map->buckets];
}

const char *format_type_of(const struct format_side *side, const strew_bucket *bucket)
{
	const char *name = strew_map_type_name(side->map, bucket->type);

	return name ? name : "";
}

/* How many parents of each bucket have not been put in order yet. */
static void count_parents(const struct format_side *side, uint32_t *waiting)
{
	for (size_t i = 0; i < side->hang_count && side->hangs[i].item < 0; i++)
		waiting[map_bucket_index(side->map, side->hangs[i].item)]++;
}

static void follow(struct format_side *side, const strew_bucket *bucket,
		   uint32_t *waiting)
{
	for (size_t i = 0; i < bucket->item_count; i++) {
		int64_t child = bucket->items[i].id < 0
					? map_bucket_index(side->map, bucket->items[i].id)
					: -1;

		if (child >= 0 && --waiting[child] == 0)
			side->order[side->order_count++] = (uint32_t)child;
	}
}

/* Parents first: a bucket's turn comes when all that hold it have had theirs. */
static bool find_order(struct format_side *side, const strew_allocator *allocator)
{
	size_t count = side->map->bucket_count;
	uint32_t *waiting;

	if (count == 0)
		return true;
	waiting = base_calloc(allocator, count, sizeof(*waiting));
	side->order = base_alloc(allocator, count, sizeof(*side->order));
	side->others = base_calloc(allocator, count, sizeof(*side->others));
	if (waiting && side->order && side->others) {
		count_parents(side, waiting);
		for (size_t i = 0; i < count; i++)
			if (side->map->buckets[i].shadow_of == 0 && waiting[i] == 0)
				side->order[side->order_count++] = (uint32_t)i;
		for (size_t i = 0; i < side->order_count; i++)
			follow(side, &side->map->buckets[side->order[i]], waiting);
	}
	base_free(allocator, waiting, count * sizeof(*waiting));
	return waiting && side->order && side->others;
}

static void pair(struct format_commands *commands, const strew_bucket *before,
		 const strew_bucket *after)
{
	commands->before.others[before - commands->before.map->buckets] = after;
	commands->after.others[after - commands->after.map->buckets] = before;
}

static bool is_free(const struct format_side *side, const strew_bucket *bucket)
{
	return bucket && bucket->shadow_of == 0 && format_other(side, bucket) == NULL;
}

/* By name; what is left then, by id and type: it has been renamed. */
static void pair_buckets(struct format_commands *commands)
{
	const struct format_side *before = &commands->before, *after = &commands->after;

	for (size_t i = 0; i < after->map->bucket_count; i++) {
		const strew_bucket *bucket = &after->map->buckets[i], *same;

		same = strew_map_bucket_by_name(before->map, bucket->name);
		if (is_free(after, bucket) && is_free(before, same))
			pair(commands, same, bucket);
	}
	for (size_t i = 0; i < after->map->bucket_count; i++) {
		const strew_bucket *bucket = &after->map->buckets[i], *same;

		same = strew_map_bucket_by_id(before->map, bucket->id);
		if (is_free(after, bucket) && is_free(before, same) &&
		    strcmp(format_type_of(before, same), format_type_of(after, bucket)) ==
			    0)
			pair(commands, same, bucket);
	}
}

bool format_sides_match(struct format_commands *commands)
{
	const strew_allocator *allocator = commands->allocator;
	size_t count = commands->after.map->bucket_count;

	if (!find_hangs(&commands->before, allocator) ||
	    !find_hangs(&commands->after, allocator) ||
	    !find_order(&commands->before, allocator) ||
	    !find_order(&commands->after, allocator))
		return false;
	pair_buckets(commands);
	if (count == 0)
		return true;
	commands->touched = base_calloc(allocator, count, sizeof(*commands->touched));
	return commands->touched != NULL;
}

static void free_side(struct format_side *side, const strew_allocator *allocator)
{
	size_t count = side->map->bucket_count;

	base_free(allocator, side->hangs, count_hangs(side->map) * sizeof(*side->hangs));
	base_free(allocator, side->order, count * sizeof(*side->order));
	base_free(allocator, side->others, count * sizeof(*side->others));
}

void format_sides_free(struct format_commands *commands)
{
	base_free(commands->allocator, commands->touched,
		  commands->after.map->bucket_count * sizeof(*commands->touched));
	free_side(&commands->before, commands->allocator);
	free_side(&commands->after, commands->allocator);
}
