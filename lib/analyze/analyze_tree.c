/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <string.h>

#include "base_error.h"

static size_t count_items(const strew_map *map)
{
	size_t count = 0;

	for (size_t i = 0; i < map->bucket_count; i++)
		count += map->buckets[i].item_count;
	return count;
}

/* At least one entry, so that NULL always means no memory. */
static void *alloc_some(const strew_allocator *allocator, size_t count, size_t size)
{
	return base_calloc(allocator, count + 1, size);
}

static bool alloc_tree(struct analyze_tree *tree, const strew_allocator *allocator)
{
	const strew_map *map = tree->map;

	tree->first = alloc_some(allocator, map->bucket_count, sizeof(*tree->first));
	tree->items = alloc_some(allocator, count_items(map), sizeof(*tree->items));
	tree->order = alloc_some(allocator, map->bucket_count, sizeof(*tree->order));
	tree->device_spots =
		alloc_some(allocator, map->device_count, sizeof(*tree->device_spots));
	tree->bucket_spots =
		alloc_some(allocator, map->bucket_count, sizeof(*tree->bucket_spots));
	return tree->first && tree->items && tree->order && tree->device_spots &&
	       tree->bucket_spots;
}

static void free_some(const strew_allocator *allocator, void *block, size_t count,
		      size_t size)
{
	base_free(allocator, block, (count + 1) * size);
}

void analyze_tree_free(struct analyze_tree *tree, const strew_allocator *allocator)
{
	const strew_map *map = tree->map;

	if (map == NULL)
		return;
	free_some(allocator, tree->first, map->bucket_count, sizeof(*tree->first));
	free_some(allocator, tree->items, count_items(map), sizeof(*tree->items));
	free_some(allocator, tree->order, map->bucket_count, sizeof(*tree->order));
	free_some(allocator, tree->device_spots, map->device_count,
		  sizeof(*tree->device_spots));
	free_some(allocator, tree->bucket_spots, map->bucket_count,
		  sizeof(*tree->bucket_spots));
	memset(tree, 0, sizeof(*tree));
}

static int32_t index_of(const strew_map *map, int32_t id)
{
	if (id >= 0)
		return (int32_t)map_device_index(map, id);
	return (int32_t)(-1 - map_bucket_index(map, id));
}

static void index_items(struct analyze_tree *tree)
{
	const strew_map *map = tree->map;
	size_t next = 0;

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];

		tree->first[i] = next;
		for (size_t slot = 0; slot < bucket->item_count; slot++)
			tree->items[next++] = index_of(map, bucket->items[slot].id);
	}
	tree->first[map->bucket_count] = next;
}

static struct analyze_spot *spot_of(struct analyze_tree *tree, int32_t item)
{
	return item >= 0 ? &tree->device_spots[item] : &tree->bucket_spots[-1 - item];
}

/* Of several places the lowest, which says most: a host rather than a root. */
static void add_place(const strew_map *map, struct analyze_spot *spot, uint32_t bucket,
		      size_t slot)
{
	if (spot->places++ > 0 &&
	    map->buckets[bucket].type >= map->buckets[spot->bucket].type)
		return;
	spot->bucket = bucket;
	spot->slot = (uint32_t)slot;
}

static void find_spots(struct analyze_tree *tree)
{
	const strew_map *map = tree->map;

	for (size_t i = 0; i < map->device_count; i++)
		tree->device_spots[i].bucket = ANALYZE_NOWHERE;
	for (size_t i = 0; i < map->bucket_count; i++)
		tree->bucket_spots[i].bucket = ANALYZE_NOWHERE;
	for (uint32_t i = 0; i < map->bucket_count; i++) {
		for (size_t at = tree->first[i]; at < tree->first[i + 1]; at++) {
			int32_t item = tree->items[at];

			/* A shadow's devices hang in the bucket that it shadows. */
			if (map->buckets[i].shadow_of == 0 || item < 0)
				add_place(map, spot_of(tree, item), i,
					  at - tree->first[i]);
		}
	}
}

/* How often a bucket is an item that has not been passed yet. */
static void count_holders(const struct analyze_tree *tree, uint32_t *holders)
{
	size_t count = tree->first[tree->map->bucket_count];

	for (size_t i = 0; i < count; i++) {
		if (tree->items[i] < 0)
			holders[-1 - tree->items[i]]++;
	}
}

/* A bucket comes when all that hold it have come. */
static void sort_buckets(struct analyze_tree *tree, uint32_t *holders)
{
	size_t count = tree->map->bucket_count, end = 0;

	count_holders(tree, holders);
	for (size_t i = 0; i < count; i++) {
		if (holders[i] == 0)
			tree->order[end++] = (uint32_t)i;
	}
	for (size_t next = 0; next < end; next++) {
		uint32_t bucket = tree->order[next];

		for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1];
		     at++) {
			int32_t item = tree->items[at];

			if (item < 0 && --holders[-1 - item] == 0)
				tree->order[end++] = (uint32_t)(-1 - item);
		}
	}
}

strew_status analyze_tree_new(struct analyze_tree *tree, const strew_map *map,
			      const strew_allocator *allocator, strew_error *error)
{
	uint32_t *holders;

	memset(tree, 0, sizeof(*tree));
	tree->map = map;
	holders = alloc_some(allocator, map->bucket_count, sizeof(*holders));
	if (holders == NULL || !alloc_tree(tree, allocator)) {
		analyze_tree_free(tree, allocator);
		if (holders)
			free_some(allocator, holders, map->bucket_count,
				  sizeof(*holders));
		return base_error_nomem(error);
	}
	index_items(tree);
	find_spots(tree);
	sort_buckets(tree, holders);
	free_some(allocator, holders, map->bucket_count, sizeof(*holders));
	return STREW_OK;
}

double analyze_device_weight(const struct analyze_tree *tree, size_t device)
{
	const struct analyze_spot *spot = &tree->device_spots[device];

	if (spot->bucket == ANALYZE_NOWHERE)
		return 0;
	return (double)tree->map->buckets[spot->bucket].items[spot->slot].weight /
	       STREW_WEIGHT_ONE;
}

#define LOCATION_MAX 12

void analyze_add_location(struct base_str *text, const struct analyze_tree *tree,
			  size_t device)
{
	uint32_t chain[LOCATION_MAX];
	uint32_t bucket = tree->device_spots[device].bucket;
	size_t count = 0;

	while (bucket != ANALYZE_NOWHERE && count < LOCATION_MAX) {
		chain[count++] = bucket;
		bucket = tree->bucket_spots[bucket].bucket;
	}
	while (count-- > 0) {
		base_str_add(text, tree->map->buckets[chain[count]].name);
		base_str_add(text, count > 0 ? "/" : "");
	}
}
