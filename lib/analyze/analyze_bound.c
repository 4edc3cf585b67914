/* SPDX-License-Identifier: MIT */
#include "analyze_bound_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_error.h"

/* A rule's blocks, and the shares that are as near to the weights as they allow. */

size_t analyze_bound_index(const struct bound *bound, int32_t item)
{
	size_t devices = bound->tree->map->device_count;

	return item >= 0 ? (size_t)item : devices + (size_t)(-1 - item);
}

static int32_t item_at(const struct bound *bound, size_t index)
{
	size_t devices = bound->tree->map->device_count;

	return index < devices ? (int32_t)index : -1 - (int32_t)(index - devices);
}

strew_status analyze_bound_new(struct bound *bound, const struct analyze_tree *tree,
			       const strew_allocator *allocator, strew_error *error)
{
	size_t room = tree->map->device_count + tree->map->bucket_count + 1;

	*bound = (struct bound){.tree = tree, .allocator = allocator, .items = room - 1};
	base_arena_init(&bound->arena, allocator);
	bound->sums = base_alloc(allocator, 4 * room, sizeof(*bound->sums));
	bound->marks = base_calloc(allocator, room, sizeof(*bound->marks));
	bound->domains = base_alloc(allocator, 2 * room, sizeof(*bound->domains));
	if (!bound->sums || !bound->marks || !bound->domains) {
		analyze_bound_free(bound);
		return base_error_nomem(error);
	}
	bound->now = bound->sums + room;
	bound->next = bound->sums + 2 * room;
	bound->numbers = bound->sums + 3 * room;
	bound->stack = bound->domains + room;
	return STREW_OK;
}

void analyze_bound_free(struct bound *bound)
{
	size_t room = bound->items + 1;

	if (bound->tree == NULL)
		return;
	base_vec_free(&bound->blocks, bound->allocator);
	base_arena_free(&bound->arena);
	base_free(bound->allocator, bound->sums, 4 * room * sizeof(*bound->sums));
	base_free(bound->allocator, bound->marks, room * sizeof(*bound->marks));
	base_free(bound->allocator, bound->domains, 2 * room * sizeof(*bound->domains));
	bound->tree = NULL;
}

void analyze_bound_sum(struct bound *bound, const double *devices)
{
	const struct analyze_tree *tree = bound->tree;
	const strew_map *map = tree->map;

	for (size_t i = 0; i < map->device_count; i++)
		bound->sums[i] = devices ? devices[i] : analyze_device_weight(tree, i);
	for (size_t i = map->bucket_count; i-- > 0;) {
		uint32_t bucket = tree->order[i];
		const struct map_item *items = map->buckets[bucket].items;
		double sum = 0;

		for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1];
		     at++) {
			size_t index = analyze_bound_index(bound, tree->items[at]);

			sum += devices || tree->items[at] < 0
				       ? bound->sums[index]
				       : (double)items[at - tree->first[bucket]].weight /
						 STREW_WEIGHT_ONE;
		}
		bound->sums[map->device_count + bucket] = sum;
	}
}

/* @return is it the first time since `mark` was set? */
static bool see(struct bound *bound, int32_t item)
{
	uint32_t *mark = &bound->marks[analyze_bound_index(bound, item)];
	bool is_new = *mark != bound->mark;

	*mark = bound->mark;
	return is_new;
}

size_t analyze_bound_collect(struct bound *bound, int32_t bucket, int32_t type)
{
	const struct analyze_tree *tree = bound->tree;
	size_t count = 0, depth = 1;

	bound->mark++;
	bound->stack[0] = bucket;
	while (depth > 0) {
		size_t index = (size_t)(-1 - bound->stack[--depth]);

		for (size_t at = tree->first[index]; at < tree->first[index + 1]; at++) {
			int32_t item = tree->items[at];
			int32_t own = item >= 0 ? 0 : tree->map->buckets[-1 - item].type;

			if (!see(bound, item) ||
			    !(bound->sums[analyze_bound_index(bound, item)] > 0))
				continue;
			if (own == type)
				bound->domains[count++] = item;
			else if (item < 0)
				bound->stack[depth++] = item;
		}
	}
	return count;
}

static int compare_down(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left < right) - (left > right);
}

void analyze_bound_sort(double *numbers, size_t count)
{
	if (count > 1)
		qsort(numbers, count, sizeof(*numbers), compare_down);
}

/* What lacks room is left out: whole choices of the first step, and then, in the mean,
 * places of the last one. */
static void fit(struct bound_block *block, double room)
{
	struct bound_step *steps = block->steps;
	double below = 1, others = 1, all;

	for (size_t i = 1; i < block->step_count; i++)
		below *= steps[i].ranks;
	all = below * steps[0].ranks;
	block->places = fmin(all, room);
	if (!(all > room))
		return;
	steps[0].ranks = ceil(room / below);
	for (size_t i = 0; i + 1 < block->step_count; i++)
		others *= steps[i].ranks;
	block->is_ragged = block->step_count > 1 &&
			   others * steps[block->step_count - 1].ranks > room;
	steps[block->step_count - 1].ranks =
		fmin(steps[block->step_count - 1].ranks, room / others);
}

/* A block ends: how many places does it fill? */
static double settle(struct bound *bound, double room)
{
	struct bound_block *blocks = bound->blocks.items;
	struct bound_block *block = &blocks[bound->blocks.count - 1];
	struct bound_step *steps = block->steps;
	double count;

	if (block->step_count == 0) {
		block->places = block->taken >= 0 && room >= 1 ? 1 : 0;
		return block->places;
	}
	if (block->taken >= 0)
		return 0;
	count = (double)analyze_bound_collect(bound, block->taken, steps[0].type);
	steps[0].ranks = fmin(steps[0].ranks, count);
	fit(block, room);
	return block->places;
}

static size_t count_choices(const struct analyze_block *block)
{
	size_t count = 0, at = 0;

	while (analyze_next_choice(block, &at))
		count++;
	return count;
}

static strew_status add_block(struct bound *bound, const struct analyze_block *from,
			      int want, strew_error *error)
{
	const strew_map *map = bound->tree->map;
	int32_t id = from->take->arg1;
	int64_t index = id >= 0 ? map_device_index(map, id) : map_bucket_index(map, id);
	struct bound_block *block =
		base_vec_push(&bound->blocks, bound->allocator, sizeof(*block));
	const struct map_step *step;
	size_t at = 0;

	if (block == NULL)
		return base_error_nomem(error);
	block->steps = base_arena_alloc(&bound->arena, count_choices(from),
					sizeof(*block->steps));
	if (block->steps == NULL)
		return base_error_nomem(error);
	block->taken = (int32_t)(id >= 0 ? index : -1 - index);
	while ((step = analyze_next_choice(from, &at))) {
		double ranks = step->arg1 > 0 ? step->arg1 : step->arg1 + (double)want;

		block->steps[block->step_count++] =
			(struct bound_step){.type = step->arg2, .ranks = fmax(0, ranks)};
	}
	return STREW_OK;
}

strew_status analyze_bound_add_rule(struct bound *bound, const struct map_rule *rule,
				    int want, strew_error *error)
{
	struct analyze_block block;
	strew_status status = STREW_OK;
	double room = want;
	size_t at = 0;

	while (status == STREW_OK && analyze_next_block(&block, rule, &at)) {
		status = add_block(bound, &block, want, error);
		if (status == STREW_OK)
			room -= settle(bound, room);
	}
	return status;
}

/* The factor for weights, sorted downward, so that the least of it and 1 sums to
 * `ranks`. */
static double find_factor(const double *weights, size_t count, double ranks)
{
	double rest = 0;

	for (size_t i = 0; i < count; i++)
		rest += weights[i];
	for (size_t full = 0; full < count && ranks > 0; full++, ranks--) {
		if (weights[full] * ranks <= rest)
			return ranks / rest;
		rest -= weights[full];
	}
	return ranks > 0 ? HUGE_VAL : 0;
}

/* Domains get places by weight, but each one at most. */
static void share_below(struct bound *bound, int32_t bucket, double places,
			const struct bound_step *step)
{
	size_t count = analyze_bound_collect(bound, bucket, step->type);
	double factor = HUGE_VAL;

	for (size_t i = 0; i < count; i++)
		bound->numbers[i] =
			bound->sums[analyze_bound_index(bound, bound->domains[i])];
	analyze_bound_sort(bound->numbers, count);
	if (step->ranks < (double)count)
		factor = find_factor(bound->numbers, count, step->ranks);
	for (size_t i = 0; i < count; i++) {
		size_t index = analyze_bound_index(bound, bound->domains[i]);

		bound->next[index] += places * fmin(1, factor * bound->sums[index]);
	}
}

void analyze_bound_swap(struct bound *bound)
{
	double *old = bound->now;

	bound->now = bound->next;
	bound->next = old;
}

static void turn(struct bound *bound)
{
	analyze_bound_swap(bound);
	memset(bound->next, 0, (bound->items + 1) * sizeof(*bound->next));
}

/* What a domain has goes to its devices by weight. */
static void run_down(struct bound *bound)
{
	const struct analyze_tree *tree = bound->tree;
	const strew_map *map = tree->map;

	for (size_t i = 0; i < map->bucket_count; i++) {
		uint32_t bucket = tree->order[i];
		double own = bound->now[map->device_count + bucket];
		double sum = bound->sums[map->device_count + bucket];

		for (size_t at = tree->first[bucket];
		     own > 0 && sum > 0 && at < tree->first[bucket + 1]; at++) {
			size_t index = analyze_bound_index(bound, tree->items[at]);
			double part = bound->sums[index];

			if (tree->items[at] >= 0)
				part = (double)map->buckets[bucket]
					       .items[at - tree->first[bucket]]
					       .weight /
				       STREW_WEIGHT_ONE;
			bound->now[index] += own * part / sum;
		}
	}
}

static void share_block(double *shares, struct bound *bound,
			const struct bound_block *block)
{
	memset(bound->next, 0, (bound->items + 1) * sizeof(*bound->next));
	bound->next[analyze_bound_index(bound, block->taken)] = 1;
	turn(bound);
	for (size_t s = 0; s < block->step_count; s++) {
		for (size_t i = bound->tree->map->device_count; i < bound->items; i++) {
			if (bound->now[i] > 0)
				share_below(bound, item_at(bound, i), bound->now[i],
					    &block->steps[s]);
		}
		turn(bound);
	}
	run_down(bound);
	for (size_t i = 0; i < bound->tree->map->device_count; i++)
		shares[i] += bound->now[i];
}

strew_status analyze_bound_shares(double *shares, const struct analyze_share *share,
				  const strew_allocator *allocator, strew_error *error)
{
	struct bound bound;
	const struct bound_block *blocks;
	strew_status status = analyze_bound_new(&bound, share->tree, allocator, error);

	if (status)
		return status;
	memset(shares, 0, share->tree->map->device_count * sizeof(*shares));
	analyze_bound_sum(&bound, NULL);
	status = analyze_bound_add_rule(&bound, share->rule, share->want, error);
	blocks = bound.blocks.items;
	for (size_t i = 0; i < bound.blocks.count && status == STREW_OK; i++) {
		if (blocks[i].places > 0)
			share_block(shares, &bound, &blocks[i]);
	}
	analyze_bound_free(&bound);
	return status;
}
