/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <stdlib.h>
#include <string.h>

#include "base_error.h"

/* The shards of one input as they run down the tree. */
struct flow {
	const struct analyze_share *share;
	/* Of one shard from the item that was taken last, by index in the map. */
	double *buckets;
	double *devices;
	double *shares; /* of all blocks so far */
	int placed;     /* shards of all blocks so far */
	int count;      /* shards of the block now; 0: nothing is taken */
};

double analyze_reweight(const struct analyze_share *share, size_t device)
{
	uint32_t reweight = share->tree->map->devices[device].reweight;

	if (share->is_whole || reweight > STREW_WEIGHT_ONE)
		return 1;
	return (double)reweight / STREW_WEIGHT_ONE;
}

bool analyze_serves(const struct analyze_share *share, size_t device)
{
	const strew_device *found = &share->tree->map->devices[device];

	return share->is_whole || (found->exists && found->up);
}

static const uint32_t *set_weights(const struct map_weight_set *set, int32_t bucket)
{
	const struct map_weights *part = map_weights_of(set, bucket);

	return part && part->positions > 0 ? part->rows : NULL;
}

static double weight_of(const strew_bucket *bucket, const uint32_t *weights, size_t slot)
{
	return weights ? weights[slot] : bucket->items[slot].weight;
}

static void split_bucket(struct flow *flow, uint32_t index)
{
	const struct analyze_tree *tree = flow->share->tree;
	const strew_bucket *bucket = &tree->map->buckets[index];
	const uint32_t *weights = set_weights(flow->share->set, bucket->id);
	const int32_t *items = tree->items + tree->first[index];
	double total = 0;

	for (size_t i = 0; i < bucket->item_count; i++)
		total += weight_of(bucket, weights, i);
	for (size_t i = 0; i < bucket->item_count && total > 0; i++) {
		double part =
			flow->buckets[index] * weight_of(bucket, weights, i) / total;

		if (items[i] >= 0)
			flow->devices[items[i]] += part;
		else
			flow->buckets[-1 - items[i]] += part;
	}
}

/* `item`: as in analyze_tree. A device turned down leaves its part to all others. */
static void run_down(struct flow *flow, int32_t item)
{
	const struct analyze_tree *tree = flow->share->tree;
	const strew_map *map = tree->map;

	memset(flow->buckets, 0, map->bucket_count * sizeof(*flow->buckets));
	memset(flow->devices, 0, map->device_count * sizeof(*flow->devices));
	if (item >= 0)
		flow->devices[item] = 1;
	else
		flow->buckets[-1 - item] = 1;
	for (size_t i = 0; i < map->bucket_count; i++) {
		if (flow->buckets[tree->order[i]] > 0)
			split_bucket(flow, tree->order[i]);
	}
	for (size_t i = 0; i < map->device_count; i++)
		flow->devices[i] *= analyze_reweight(flow->share, i);
}

static bool leads_on(const struct flow *flow, uint32_t bucket)
{
	const struct analyze_tree *tree = flow->share->tree;

	for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1]; at++) {
		int32_t item = tree->items[at];

		if (item >= 0 ? flow->devices[item] > 0 : flow->buckets[-1 - item] > 0)
			return true;
	}
	return false;
}

/* Buckets below which no device is left count for nothing. */
static void close_dead_ends(struct flow *flow)
{
	const struct analyze_tree *tree = flow->share->tree;

	for (size_t i = tree->map->bucket_count; i-- > 0;) {
		if (!leads_on(flow, tree->order[i]))
			flow->buckets[tree->order[i]] = 0;
	}
}

static void take(struct flow *flow, int32_t id)
{
	const strew_map *map = flow->share->tree->map;
	int64_t index = id >= 0 ? map_device_index(map, id) : map_bucket_index(map, id);

	if (index < 0)
		return;
	run_down(flow, (int32_t)(id >= 0 ? index : -1 - index));
	close_dead_ends(flow);
	flow->count = 1;
}

/* There are no more different items to choose than this. */
static int64_t count_of_type(const struct flow *flow, int32_t type)
{
	const strew_map *map = flow->share->tree->map;
	int64_t count = 0;

	for (size_t i = 0; i < map->device_count && type == 0; i++)
		count += flow->devices[i] > 0;
	for (size_t i = 0; i < map->bucket_count && type != 0; i++)
		count += map->buckets[i].type == type && flow->buckets[i] > 0;
	return count;
}

/* As the interpreter counts: not positive means so many fewer than wanted. */
static void choose(struct flow *flow, const struct map_step *step)
{
	int64_t most = count_of_type(flow, step->arg2);
	int64_t each =
		step->arg1 > 0 ? step->arg1 : (int64_t)flow->share->want + step->arg1;
	int64_t count = flow->count * (each > 0 ? each : 0);

	if (count > most)
		count = most;
	flow->count = count < flow->share->want ? (int)count : flow->share->want;
}

/* A device that is gone or down leaves a hole. */
static void emit(struct flow *flow)
{
	const strew_map *map = flow->share->tree->map;
	int room = flow->share->want - flow->placed;
	int shards = flow->count < room ? flow->count : room;
	double total = 0;

	flow->count = 0;
	if (shards <= 0)
		return;
	flow->placed += shards;
	for (size_t i = 0; i < map->device_count; i++)
		total += flow->devices[i];
	for (size_t i = 0; i < map->device_count && total > 0; i++) {
		if (analyze_serves(flow->share, i))
			flow->shares[i] += flow->devices[i] / total * shards;
	}
}

static void walk_rule(struct flow *flow)
{
	const struct map_rule *rule = flow->share->rule;

	for (size_t i = 0; i < rule->step_count; i++) {
		const struct map_step *step = &rule->steps[i];

		if (step->op == STREW_OP_TAKE)
			take(flow, step->arg1);
		else if (step->op == STREW_OP_EMIT)
			emit(flow);
		else if (map_op_chooses((int)step->op))
			choose(flow, step);
	}
}

strew_status analyze_share(double *shares, const struct analyze_share *share,
			   const strew_allocator *allocator, strew_error *error)
{
	const strew_map *map = share->tree->map;
	size_t count = map->bucket_count + map->device_count + 1;
	double *block = base_alloc(allocator, count, sizeof(*block));
	struct flow flow = {.share = share, .shares = shares};

	if (block == NULL)
		return base_error_nomem(error);
	flow.buckets = block;
	flow.devices = block + map->bucket_count;
	memset(shares, 0, map->device_count * sizeof(*shares));
	walk_rule(&flow);
	base_free(allocator, block, count * sizeof(*block));
	return STREW_OK;
}

static int compare_sets(const struct map_weight_set *a, const struct map_weight_set *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return (a->id > b->id) - (a->id < b->id);
}

static int compare_demands(const void *left, const void *right)
{
	const struct analyze_share *a = &((const struct analyze_demand *)left)->share;
	const struct analyze_share *b = &((const struct analyze_demand *)right)->share;

	if (a->rule->id != b->rule->id)
		return a->rule->id < b->rule->id ? -1 : 1;
	if (a->want != b->want)
		return a->want < b->want ? -1 : 1;
	return compare_sets(a->set, b->set);
}

size_t analyze_merge_demands(struct analyze_demand *demands, size_t count)
{
	size_t kept = 0;

	if (count > 1)
		qsort(demands, count, sizeof(*demands), compare_demands);
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && compare_demands(&demands[kept - 1], &demands[i]) == 0) {
			demands[kept - 1].units += demands[i].units;
			demands[kept - 1].part += demands[i].part;
			demands[kept - 1].load += demands[i].load;
		} else {
			demands[kept++] = demands[i];
		}
	}
	return kept;
}

size_t analyze_find_demand(const struct analyze_demand *demands, size_t count,
			   const struct analyze_share *share)
{
	const struct analyze_demand wanted = {.share = *share};
	const struct analyze_demand *found =
		bsearch(&wanted, demands, count, sizeof(*demands), compare_demands);

	return (size_t)(found - demands);
}
