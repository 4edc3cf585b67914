/* SPDX-License-Identifier: MIT */
#include "analyze_bound_priv.h"

#include <math.h>
#include <stdlib.h>

#include "base_error.h"

/*
 * How much fits when nothing limits but the devices' sizes and the failure domains: the
 * most of each PG's places can be D, where
 *
 *     sum of min(what a domain takes, D)  >=  ranks × D
 *
 * over the domains that a step chooses from, from the last step to the first. This is the
 * least, over c, of what all but the c largest take, divided by ranks - c.
 */

struct limit {
	struct bound bound;
	const struct analyze_demand *demands;
	struct base_vec parents; /* int32_t: what the steps of a block choose below */
	uint32_t *heads;         /* by block: a forest of those that share devices */
	struct analyze_limit *limits; /* by block that heads others */
};

/* `numbers` are sorted. */
static double solve(const double *numbers, size_t count, double ranks)
{
	double most = HUGE_VAL, rest = 0;

	for (size_t i = count; i-- > 0;) {
		rest += numbers[i];
		if ((double)i < ranks)
			most = fmin(most, rest / (ranks - (double)i));
	}
	return isfinite(most) ? most : 0;
}

static double solve_below(struct bound *bound, int32_t bucket,
			  const struct bound_step *step, const double *values)
{
	size_t count = analyze_bound_collect(bound, bucket, step->type);

	for (size_t i = 0; i < count; i++)
		bound->numbers[i] = values[analyze_bound_index(bound, bound->domains[i])];
	analyze_bound_sort(bound->numbers, count);
	return solve(bound->numbers, count, fmin(step->ranks, (double)count));
}

static bool add_parent(struct limit *limit, int32_t item)
{
	int32_t *parent =
		base_vec_push(&limit->parents, limit->bound.allocator, sizeof(*parent));

	if (parent)
		*parent = item;
	return parent != NULL;
}

/* What a step chooses is below what the next one chooses, each once. */
static bool add_parents(struct limit *limit, const struct bound_step *step, size_t first)
{
	struct bound *bound = &limit->bound;
	size_t end = limit->parents.count;
	bool ok = true;

	for (size_t i = 0; i < bound->items; i++)
		bound->next[i] = 0;
	for (size_t p = first; p < end && ok; p++) {
		int32_t parent = ((int32_t *)limit->parents.items)[p];
		size_t count =
			parent < 0 ? analyze_bound_collect(bound, parent, step->type) : 0;

		for (size_t i = 0; i < count && ok; i++) {
			double *seen = &bound->next[analyze_bound_index(
				bound, bound->domains[i])];

			if (*seen == 0)
				ok = add_parent(limit, bound->domains[i]);
			*seen = 1;
		}
	}
	return ok;
}

/* From the last step to the first. */
static double climb(struct limit *limit, const struct bound_block *block)
{
	struct bound *bound = &limit->bound;
	const struct bound_step *steps = block->steps;
	const int32_t *parents = limit->parents.items;
	size_t end = limit->parents.count;

	for (size_t s = block->step_count; s-- > 0; end = steps[s].first_parent) {
		const double *values =
			s + 1 < block->step_count ? bound->now : bound->sums;

		for (size_t p = steps[s].first_parent; p < end; p++) {
			size_t index = analyze_bound_index(bound, parents[p]);

			bound->next[index] = parents[p] < 0
						     ? solve_below(bound, parents[p],
								   &steps[s], values)
						     : 0;
		}
		analyze_bound_swap(bound);
	}
	return bound->now[analyze_bound_index(bound, block->taken)];
}

/* Where some choices are cut short it isn't told which: each level alone is a bound. */
static double find_ragged(struct limit *limit, const struct bound_block *block)
{
	struct bound *bound = &limit->bound;
	const struct bound_step *steps = block->steps;
	double below = 1, most = HUGE_VAL;

	for (size_t s = block->step_count; s-- > 0;) {
		size_t count = analyze_bound_collect(bound, block->taken, steps[s].type);

		for (size_t i = 0; i < count; i++)
			bound->numbers[i] = bound->sums[analyze_bound_index(
						    bound, bound->domains[i])] /
					    below;
		analyze_bound_sort(bound->numbers, count);
		most = fmin(most, solve(bound->numbers, count, block->places / below));
		below *= ceil(steps[s].ranks);
	}
	return most;
}

/* What one place of a block can hold at most, when it has its devices for itself. */
static bool find_most(double *most, struct limit *limit, const struct bound_block *block)
{
	struct bound *bound = &limit->bound;
	struct bound_step *steps = block->steps;
	bool ok;

	if (block->step_count == 0) {
		*most = bound->sums[analyze_bound_index(bound, block->taken)];
		return true;
	}
	if (block->is_ragged) {
		*most = find_ragged(limit, block);
		return true;
	}
	limit->parents.count = 0;
	ok = add_parent(limit, block->taken);
	for (size_t s = 0, first = 0; s < block->step_count && ok; s++) {
		size_t end = limit->parents.count;

		steps[s].first_parent = first;
		if (s + 1 < block->step_count)
			ok = add_parents(limit, &steps[s], first);
		first = end;
	}
	if (ok)
		*most = climb(limit, block);
	return ok;
}

static uint32_t head_of(uint32_t *heads, uint32_t block)
{
	while (heads[block] != block) {
		heads[block] = heads[heads[block]];
		block = heads[block];
	}
	return block;
}

/* Blocks that come to one device share a head. owners: by device, from 1. */
static void join_blocks(struct limit *limit, uint32_t *owners)
{
	struct bound *bound = &limit->bound;
	struct bound_block *blocks = bound->blocks.items;

	for (uint32_t b = 0; b < bound->blocks.count; b++) {
		size_t count = 1;

		limit->heads[b] = b;
		bound->domains[0] = blocks[b].taken;
		if (blocks[b].taken < 0)
			count = analyze_bound_collect(bound, blocks[b].taken, 0);
		for (size_t i = 0; i < count; i++) {
			uint32_t *owner = &owners[bound->domains[i]];

			if (*owner > 0)
				limit->heads[head_of(limit->heads, *owner - 1)] = b;
			*owner = b + 1;
		}
	}
	for (uint32_t b = 0; b < bound->blocks.count; b++)
		blocks[b].head = head_of(limit->heads, b);
}

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* One step each from the same bucket and of the same type: how many differs at most. Or
 * several steps, all alike. */
static int compare_shapes(const struct bound_block *a, const struct bound_block *b)
{
	int order = compare(a->head, b->head);

	if (order == 0)
		order = compare(a->taken, b->taken);
	if (order == 0)
		order = compare((double)a->step_count, (double)b->step_count);
	if (order == 0 && a->step_count > 1)
		order = compare(a->places, b->places);
	for (size_t s = 0; s < a->step_count && order == 0; s++) {
		order = compare(a->steps[s].type, b->steps[s].type);
		if (order == 0 && a->step_count > 1)
			order = compare(a->steps[s].ranks, b->steps[s].ranks);
	}
	return order;
}

static int compare_blocks(const void *a, const void *b)
{
	return compare_shapes(a, b);
}

static double load_of(const struct limit *limit, const struct bound_block *block)
{
	return block->places > 0 ? limit->demands[block->demand].load : 0;
}

/* What all need beyond what `full` domains can hold of each. */
static double need_beyond(const struct limit *limit, const struct bound_block *blocks,
			  size_t count, double full)
{
	double need = 0;

	for (size_t i = 0; i < count; i++)
		need += load_of(limit, &blocks[i]) * fmax(0, blocks[i].places - full);
	return need;
}

/* Blocks of one step from the same domains. */
static double share_domains(struct limit *limit, const struct bound_block *blocks,
			    size_t count)
{
	struct bound *bound = &limit->bound;
	size_t domains =
		analyze_bound_collect(bound, blocks->taken, blocks->steps[0].type);
	double growth = HUGE_VAL, rest = 0;

	for (size_t i = 0; i < domains; i++)
		bound->numbers[i] =
			bound->sums[analyze_bound_index(bound, bound->domains[i])];
	analyze_bound_sort(bound->numbers, domains);
	for (size_t i = domains; i-- > 0;) {
		double need;

		rest += bound->numbers[i];
		need = i < STREW_WANT_MAX ? need_beyond(limit, blocks, count, (double)i)
					  : 0;
		if (need > 0)
			growth = fmin(growth, rest / need);
	}
	return growth;
}

/* Of blocks of one shape, how far they can grow when they have all devices. */
static bool grow_alike(double *growth, struct limit *limit,
		       const struct bound_block *blocks, size_t count)
{
	double load = 0, most = 0;

	for (size_t i = 0; i < count; i++)
		load += load_of(limit, &blocks[i]);
	*growth = HUGE_VAL;
	if (!(load > 0))
		return true;
	if (blocks->step_count == 1) {
		*growth = share_domains(limit, blocks, count);
		return true;
	}
	if (!find_most(&most, limit, blocks))
		return false;
	*growth = most / load;
	return true;
}

/* All devices that the blocks of one head come to, against all that lies on them. */
static void bound_totals(struct limit *limit, const uint32_t *owners, double *sizes,
			 double *needs)
{
	const struct bound *bound = &limit->bound;
	const struct bound_block *blocks = bound->blocks.items;

	for (size_t i = 0; i < bound->tree->map->device_count; i++) {
		if (owners[i] > 0)
			sizes[head_of(limit->heads, owners[i] - 1)] += bound->sums[i];
	}
	for (size_t b = 0; b < bound->blocks.count; b++)
		needs[blocks[b].head] += load_of(limit, &blocks[b]) * blocks[b].places;
	for (size_t b = 0; b < bound->blocks.count; b++) {
		struct analyze_limit *limit_of = &limit->limits[b];

		limit_of->is_exact = true;
		limit_of->growth = needs[b] > 0 ? sizes[b] / needs[b] : HUGE_VAL;
	}
}

static bool bound_shapes(struct limit *limit)
{
	struct bound_block *blocks = limit->bound.blocks.items;
	size_t count = limit->bound.blocks.count, end;

	if (count > 1)
		qsort(blocks, count, sizeof(*blocks), compare_blocks);
	for (size_t first = 0; first < count; first = end) {
		struct analyze_limit *found = &limit->limits[blocks[first].head];
		double growth;

		for (end = first + 1; end < count; end++) {
			if (compare_shapes(&blocks[first], &blocks[end]) != 0)
				break;
		}
		if (!grow_alike(&growth, limit, &blocks[first], end - first))
			return false;
		found->growth = fmin(found->growth, growth);
		if (blocks[first].is_ragged ||
		    (first > 0 && blocks[first - 1].head == blocks[first].head))
			found->is_exact = false;
	}
	return true;
}

/* A demand can grow as far as each of its blocks. */
static void take_least(struct analyze_limit *out, const struct limit *limit, size_t count)
{
	const struct bound_block *blocks = limit->bound.blocks.items;

	for (size_t i = 0; i < count; i++)
		out[i] = (struct analyze_limit){HUGE_VAL, true};
	for (size_t b = 0; b < limit->bound.blocks.count; b++) {
		const struct analyze_limit *found = &limit->limits[blocks[b].head];
		struct analyze_limit *least = &out[blocks[b].demand];

		if (found->growth < least->growth)
			*least = *found;
	}
}

static bool find_limits(struct limit *limit)
{
	const strew_allocator *allocator = limit->bound.allocator;
	size_t blocks = limit->bound.blocks.count + 1;
	size_t devices = limit->bound.tree->map->device_count + 1;
	uint32_t *owners = base_calloc(allocator, devices, sizeof(*owners));
	double *sums = base_calloc(allocator, 2 * blocks, sizeof(*sums));
	bool ok;

	limit->heads = base_alloc(allocator, blocks, sizeof(*limit->heads));
	limit->limits = base_alloc(allocator, blocks, sizeof(*limit->limits));
	ok = owners && sums && limit->heads && limit->limits;
	if (ok) {
		join_blocks(limit, owners);
		bound_totals(limit, owners, sums, sums + blocks);
		ok = bound_shapes(limit);
	}
	base_free(allocator, owners, devices * sizeof(*owners));
	base_free(allocator, sums, 2 * blocks * sizeof(*sums));
	return ok;
}

static strew_status add_rules(struct limit *limit, size_t count, strew_error *error)
{
	strew_status status = STREW_OK;
	size_t next = 0;

	for (size_t i = 0; i < count && status == STREW_OK; i++) {
		const struct analyze_share *share = &limit->demands[i].share;
		struct bound_block *blocks;

		status = analyze_bound_add_rule(&limit->bound, share->rule, share->want,
						error);
		blocks = limit->bound.blocks.items;
		for (; next < limit->bound.blocks.count; next++)
			blocks[next].demand = (uint32_t)i;
	}
	return status;
}

strew_status analyze_bound_limits(struct analyze_limit *out,
				  const struct analyze_demand *demands, size_t count,
				  const double *sizes, const strew_allocator *allocator,
				  strew_error *error)
{
	struct limit limit = {.demands = demands};
	strew_status status =
		analyze_bound_new(&limit.bound, demands->share.tree, allocator, error);
	size_t blocks;

	if (status)
		return status;
	analyze_bound_sum(&limit.bound, sizes);
	status = add_rules(&limit, count, error);
	if (status == STREW_OK && !find_limits(&limit))
		status = base_error_nomem(error);
	if (status == STREW_OK)
		take_least(out, &limit, count);
	blocks = limit.bound.blocks.count + 1;
	base_free(allocator, limit.heads, blocks * sizeof(*limit.heads));
	base_free(allocator, limit.limits, blocks * sizeof(*limit.limits));
	base_vec_free(&limit.parents, allocator);
	analyze_bound_free(&limit.bound);
	return status;
}
