/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <string.h>

#include "base_error.h"

int32_t analyze_diff_rule(const struct diff *diff, const struct analyze_group *group,
			  int side)
{
	if (side == 1 && diff->how.new_rule >= 0)
		return diff->how.new_rule;
	return group->pools[side] ? group->pools[side]->rule : diff->plan.inputs.rule;
}

int analyze_diff_want(const struct diff *diff, const struct analyze_group *group,
		      int side)
{
	if (side == 1 && diff->how.new_want > 0)
		return diff->how.new_want;
	return group->pools[side] ? group->pools[side]->size : diff->plan.inputs.want;
}

struct diff_device *analyze_diff_device(const struct diff *diff, int32_t id)
{
	size_t low = 0, high = diff->device_count;

	/* Without gaps an id is its own place. */
	if (id >= 0 && (size_t)id < high && diff->devices[id].id == id)
		return &diff->devices[id];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (diff->devices[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == diff->device_count || diff->devices[low].id != id)
		return NULL;
	return &diff->devices[low];
}

const char *analyze_diff_device_name(const struct diff *diff,
				     const struct diff_device *device)
{
	int side = device->indexes[1] >= 0 ? 1 : 0;

	return diff->sides[side].map->devices[device->indexes[side]].name;
}

/* Both maps list devices by id. */
static void merge_devices(struct diff *diff)
{
	const strew_map *maps[2] = {diff->sides[0].map, diff->sides[1].map};
	size_t next[2] = {0, 0};

	while (next[0] < maps[0]->device_count || next[1] < maps[1]->device_count) {
		struct diff_device *device = &diff->devices[diff->device_count++];

		device->id = STREW_NONE;
		for (int side = 0; side < 2; side++) {
			if (next[side] < maps[side]->device_count &&
			    maps[side]->devices[next[side]].id < device->id)
				device->id = maps[side]->devices[next[side]].id;
		}
		for (int side = 0; side < 2; side++) {
			bool has = next[side] < maps[side]->device_count &&
				   maps[side]->devices[next[side]].id == device->id;

			device->indexes[side] = has ? (int32_t)next[side]++ : -1;
		}
	}
}

static size_t device_room(const struct diff *diff)
{
	return diff->sides[0].map->device_count + diff->sides[1].map->device_count + 1;
}

static strew_status open_sides(struct diff *diff)
{
	strew_status status = STREW_OK;

	for (int i = 0; i < 2 && !status; i++) {
		struct diff_side *side = &diff->sides[i];

		status = analyze_tree_new(&side->tree, side->map, diff->allocator,
					  diff->error);
		side->shares = base_calloc(diff->allocator, side->map->device_count + 1,
					   sizeof(*side->shares));
		side->buckets = base_alloc(diff->allocator, side->map->bucket_count + 1,
					   sizeof(*side->buckets));
		if (side->shares == NULL || side->buckets == NULL)
			status = base_error_nomem(diff->error);
	}
	if (status)
		return status;
	diff->devices =
		base_calloc(diff->allocator, device_room(diff), sizeof(*diff->devices));
	if (diff->devices == NULL)
		return base_error_nomem(diff->error);
	merge_devices(diff);
	analyze_diff_match(diff);
	return STREW_OK;
}

static void close_sides(struct diff *diff)
{
	for (int i = 0; i < 2; i++) {
		struct diff_side *side = &diff->sides[i];

		analyze_tree_free(&side->tree, diff->allocator);
		base_free(diff->allocator, side->shares,
			  (side->map->device_count + 1) * sizeof(*side->shares));
		base_free(diff->allocator, side->buckets,
			  (side->map->bucket_count + 1) * sizeof(*side->buckets));
	}
	base_free(diff->allocator, diff->devices,
		  device_room(diff) * sizeof(*diff->devices));
}

/* A unit's words: the size of OLD's set, its devices, the same of NEW. */

static int32_t *side_words(const struct diff *diff, const int32_t *words, int side)
{
	return (int32_t *)words + (side == 1 ? 1 + diff->sides[0].room : 0);
}

static void place_side(const struct diff *diff, int side, uint64_t first, size_t count,
		       int32_t *words, strew_scratch *scratch)
{
	struct analyze_units units = {.plan = &diff->plan,
				      .placer = diff->sides[side].placer,
				      .first = first,
				      .count = count};
	strew_stages stages[ANALYZE_CHUNK] = {0};
	strew_pg pgs[ANALYZE_CHUNK];
	size_t stride = 2 + diff->sides[0].room + diff->sides[1].room;

	if (diff->plan.kind == ANALYZE_RAW) {
		units.rule = analyze_diff_rule(diff, diff->plan.groups, side);
		units.want = analyze_diff_want(diff, diff->plan.groups, side);
	}
	for (size_t i = 0; i < count; i++) {
		stages[i].up.devices = side_words(diff, words + i * stride, side) + 1;
		stages[i].up.room = (int)diff->sides[side].room;
	}
	analyze_place_units(stages, pgs, &units, scratch);
	for (size_t i = 0; i < count; i++)
		side_words(diff, words + i * stride, side)[0] = stages[i].up.count;
}

static void place_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
			strew_scratch *const scratch[2])
{
	for (int side = 0; side < 2; side++)
		place_side(ctx, side, first, count, words, scratch[side]);
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	struct diff *diff = ctx;
	const struct analyze_group *group = diff->now.group;
	strew_set sets[2];
	strew_status status = STREW_OK;

	if (group == NULL || unit >= group->first + group->count) {
		group = analyze_find_group(&diff->plan, unit);
		status = analyze_diff_enter(diff, group);
	}
	for (int side = 0; side < 2; side++) {
		int32_t *set = side_words(diff, words, side);

		sets[side] = (strew_set){.devices = set + 1, .count = set[0]};
	}
	return status ? status : analyze_diff_count(diff, unit, &sets[0], &sets[1]);
}

static strew_status count_all(struct diff *diff, const strew_run *run)
{
	struct analyze_walk walk = {
		.units = diff->plan.units,
		.placers = {diff->sides[0].placer, diff->sides[1].placer},
		.place = place_units,
		.take = take_unit,
		.ctx = diff};

	for (int i = 0; i < 2; i++) {
		struct diff_side *side = &diff->sides[i];

		side->room =
			diff->plan.kind == ANALYZE_RAW
				? (size_t)analyze_diff_want(diff, diff->plan.groups, i)
				: (size_t)strew_placer_max_set(side->placer);
		walk.words += 1 + side->room;
	}
	return analyze_walk(&walk, run, diff->error);
}

/* NEW with its pools placed by another rule or size, if that is asked for. */
static strew_status vary_pools(strew_placer **out, struct diff *diff)
{
	struct diff_side *side = &diff->sides[1];
	strew_status status;

	if (diff->plan.kind == ANALYZE_RAW ||
	    (diff->how.new_rule < 0 && diff->how.new_want <= 0))
		return STREW_OK;
	status = place_vary(out, side->placer, diff->how.new_rule, diff->how.new_want,
			    diff->allocator, diff->error);
	if (status == STREW_OK)
		side->placer = *out;
	return status;
}

/* The new side's rule and size, for raw inputs or in place of the pools' own. */
static strew_status check_new_side(const struct diff *diff)
{
	const struct analyze_group *group = diff->plan.groups;

	if (diff->how.new_want < 0 || diff->how.new_want > STREW_WANT_MAX)
		return base_error_set(diff->error, STREW_ERANGE,
				      "a rule can choose 1 to %d devices, not %d",
				      STREW_WANT_MAX, diff->how.new_want);
	if (diff->plan.kind != ANALYZE_RAW && diff->how.new_rule < 0)
		return STREW_OK;
	return analyze_check_rule(diff->sides[1].map, analyze_diff_rule(diff, group, 1),
				  analyze_diff_want(diff, group, 1), diff->error);
}

static strew_status compare(struct diff *diff, const strew_run *run)
{
	strew_status status = open_sides(diff);

	if (status == STREW_OK)
		status = analyze_diff_domains(diff);
	if (status)
		return status;
	analyze_diff_add_tables(diff);
	status = analyze_diff_changes(diff);
	if (status == STREW_OK)
		status = count_all(diff, run);
	if (status)
		return status;
	analyze_diff_fill_tables(diff);
	analyze_diff_tell(diff);
	if (result_status(diff->result) || diff->out_of_memory)
		return base_error_nomem(diff->error);
	return STREW_OK;
}

static strew_status run_diff(struct diff *diff, const strew_run *run)
{
	strew_placer *varied = NULL;
	strew_status status = check_new_side(diff);

	if (status == STREW_OK)
		status = vary_pools(&varied, diff);
	diff->result = status ? NULL : result_new("diff", diff->allocator);
	if (status == STREW_OK && diff->result == NULL)
		status = base_error_nomem(diff->error);
	if (status == STREW_OK)
		status = compare(diff, run);
	analyze_diff_changes_free(diff);
	analyze_diff_domains_free(diff);
	close_sides(diff);
	strew_placer_release(varied);
	return status;
}

static struct diff *new_diff(const strew_placer *const placers[2],
			     const strew_allocator *allocator, strew_error *error)
{
	struct diff *diff = base_calloc(allocator, 1, sizeof(*diff));

	if (diff == NULL)
		return NULL;
	diff->allocator = allocator;
	diff->error = error;
	for (int i = 0; i < 2; i++) {
		diff->sides[i].placer = placers[i];
		diff->sides[i].map = strew_placer_map(placers[i]);
	}
	return diff;
}

strew_status strew_diff(strew_result **out, const strew_placer *before,
			const strew_placer *after, const strew_inputs *inputs,
			const strew_diff_options *options, const strew_run *run,
			strew_error *error)
{
	const strew_placer *placers[2] = {before, after};
	const strew_map *maps[2] = {strew_placer_map(before), strew_placer_map(after)};
	strew_diff_options how = STREW_DIFF_OPTIONS_INIT;
	strew_run with = STREW_RUN_INIT;
	const strew_allocator *allocator;
	struct diff *diff;
	strew_status status;

	*out = NULL;
	analyze_read_options(&how, options);
	analyze_read_options(&with, run);
	allocator = base_allocator_or_heap(with.allocator);
	diff = new_diff(placers, allocator, error);
	if (diff == NULL)
		return base_error_nomem(error);
	diff->how = how;
	status = analyze_plan_new(&diff->plan, maps, inputs, allocator, error);
	if (status == STREW_OK)
		status = run_diff(diff, &with);
	if (status)
		strew_result_free(diff->result);
	else
		*out = diff->result;
	analyze_plan_free(&diff->plan);
	base_free(allocator, diff, sizeof(*diff));
	return status;
}
