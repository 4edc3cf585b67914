/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include "base_error.h"

struct reach {
	const struct analyze_tree *tree;
	bool *buckets; /* that a take leads to, by index in the map */
	double *weights;
};

static void take_bucket(struct reach *reach, int32_t id)
{
	int64_t index = map_bucket_index(reach->tree->map, id);

	if (index >= 0)
		reach->buckets[index] = true;
}

/* A device that is taken by itself has the weight that it has where it hangs. */
static void take_device(struct reach *reach, int32_t id)
{
	int64_t index = map_device_index(reach->tree->map, id);

	if (index >= 0 && reach->weights[index] < 0)
		reach->weights[index] = analyze_device_weight(reach->tree, (size_t)index);
}

static void go_down(struct reach *reach)
{
	const struct analyze_tree *tree = reach->tree;

	for (size_t i = 0; i < tree->map->bucket_count; i++) {
		uint32_t bucket = tree->order[i];

		if (!reach->buckets[bucket])
			continue;
		for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1];
		     at++) {
			if (tree->items[at] < 0)
				reach->buckets[-1 - tree->items[at]] = true;
		}
	}
}

/* Where a rule takes a bucket and its shadow too, the devices are the bucket's. */
static bool is_covered(const struct reach *reach, const strew_bucket *bucket)
{
	int64_t original = bucket->shadow_of
				   ? map_bucket_index(reach->tree->map, bucket->shadow_of)
				   : -1;

	return original >= 0 && reach->buckets[original];
}

static void add_devices(struct reach *reach, size_t index)
{
	const struct analyze_tree *tree = reach->tree;
	const strew_bucket *bucket = &tree->map->buckets[index];
	const int32_t *items = tree->items + tree->first[index];

	for (size_t i = 0; i < bucket->item_count; i++) {
		double *weight = items[i] >= 0 ? &reach->weights[items[i]] : NULL;

		if (weight == NULL)
			continue;
		if (*weight < 0)
			*weight = 0;
		*weight += (double)bucket->items[i].weight / STREW_WEIGHT_ONE;
	}
}

strew_status analyze_reach(double *weights, const struct analyze_tree *tree,
			   const struct map_rule *rule, const strew_allocator *allocator,
			   strew_error *error)
{
	const strew_map *map = tree->map;
	struct reach reach = {.tree = tree, .weights = weights};

	reach.buckets =
		base_calloc(allocator, map->bucket_count + 1, sizeof(*reach.buckets));
	if (reach.buckets == NULL)
		return base_error_nomem(error);
	for (size_t i = 0; i < map->device_count; i++)
		weights[i] = -1;
	for (size_t i = 0; i < rule->step_count; i++) {
		if (rule->steps[i].op == STREW_OP_TAKE && rule->steps[i].arg1 < 0)
			take_bucket(&reach, rule->steps[i].arg1);
	}
	go_down(&reach);
	for (size_t i = 0; i < map->bucket_count; i++) {
		if (reach.buckets[i] && !is_covered(&reach, &map->buckets[i]))
			add_devices(&reach, i);
	}
	for (size_t i = 0; i < rule->step_count; i++) {
		if (rule->steps[i].op == STREW_OP_TAKE && rule->steps[i].arg1 >= 0)
			take_device(&reach, rule->steps[i].arg1);
	}
	base_free(allocator, reach.buckets,
		  (map->bucket_count + 1) * sizeof(*reach.buckets));
	return STREW_OK;
}
