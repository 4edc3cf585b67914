/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

#include "base_error.h"
#include "place.h"

/* What would move, if OLD or NEW were other than they are. */

/* A diff of its own, of the same units. */
struct attempt {
	struct diff diff;
	strew_placer *bare[2]; /* placers without overrides */
};

static strew_status share_plan(struct attempt *attempt, const struct diff *from)
{
	struct analyze_plan *plan = &attempt->diff.plan;

	plan->groups =
		base_alloc(from->allocator, plan->group_room, sizeof(*plan->groups));
	if (plan->groups == NULL)
		return STREW_ENOMEM;
	for (size_t i = 0; i < plan->group_count; i++) {
		struct analyze_group *group = &plan->groups[i];

		*group = from->plan.groups[i];
		for (int side = 0; side < 2 && group->pools[side]; side++)
			group->pools[side] = strew_map_pool_by_id(
				attempt->diff.sides[side].map, group->pools[side]->id);
	}
	return STREW_OK;
}

/* What shards are counted by is as it was, whatever the rules are. */
static strew_diff_by by_of(const struct diff *diff)
{
	if (diff->plan.kind != ANALYZE_RAW)
		return diff->how.by;
	return diff->now.by_position ? STREW_BY_POSITION : STREW_BY_SET;
}

static strew_status strip(struct attempt *attempt, int side)
{
	struct diff_side *on = &attempt->diff.sides[side];
	strew_placer *small = NULL;
	strew_status status =
		place_vary(&small, on->placer, -1, 1, attempt->diff.allocator, NULL);

	if (status == STREW_OK)
		status = place_without_overrides(&attempt->bare[side], small,
						 attempt->diff.allocator, NULL);
	strew_placer_release(small);
	on->placer = attempt->bare[side];
	return status;
}

static strew_status set_up(struct attempt *attempt, const struct diff *from,
			   const struct diff_end *const ends[2])
{
	struct diff *diff = &attempt->diff;

	diff->allocator = from->allocator;
	diff->plan = from->plan;
	diff->plan.groups = NULL;
	diff->plan.inputs.rule =
		from->plan.kind == ANALYZE_RAW ? ends[0]->rule : from->plan.inputs.rule;
	diff->plan.inputs.want = ends[0]->want;
	diff->how.by = by_of(from);
	diff->how.new_rule = from->plan.kind == ANALYZE_RAW ? ends[1]->rule : -1;
	diff->how.new_want = from->plan.kind == ANALYZE_RAW ? ends[1]->want : 0;
	for (int side = 0; side < 2; side++) {
		diff->sides[side].placer = ends[side]->placer;
		diff->sides[side].map = strew_placer_map(ends[side]->placer);
	}
	return share_plan(attempt, from);
}

static strew_status take(struct diff *diff, uint64_t unit, const strew_set *before,
			 const strew_set *after)
{
	analyze_diff_measure(diff, unit, before, after);
	return STREW_OK;
}

static strew_status count(struct attempt *attempt, const struct diff *from,
			  const strew_run *run)
{
	struct diff *diff = &attempt->diff;
	strew_status status = STREW_OK;

	for (int side = 0; side < 2 && diff->one_shard && !status; side++)
		status = strip(attempt, side);
	if (status)
		return status;
	analyze_diff_measure_rooms(diff);
	/* OLD's placements need not be made again. */
	if (diff->sides[0].placer == from->sides[0].placer &&
	    diff->sides[0].room == from->sides[0].room)
		diff->kept = from->kept;
	return analyze_diff_walk(diff, take, run);
}

strew_status analyze_diff_try(struct diff_totals *out, const struct diff *from,
			      const struct diff_end *before, const struct diff_end *after,
			      bool one_shard, const strew_run *run)
{
	struct attempt *attempt = base_calloc(from->allocator, 1, sizeof(*attempt));
	const struct diff_end *const ends[2] = {before, after};
	strew_status status;

	if (attempt == NULL)
		return STREW_ENOMEM;
	attempt->diff.one_shard = one_shard;
	status = set_up(attempt, from, ends);
	if (status == STREW_OK)
		status = analyze_diff_open_sides(&attempt->diff);
	if (status == STREW_OK)
		status = count(attempt, from, run);
	*out = attempt->diff.totals;
	analyze_diff_close_sides(&attempt->diff);
	analyze_plan_free(&attempt->diff.plan);
	for (int side = 0; side < 2; side++)
		strew_placer_release(attempt->bare[side]);
	base_free(from->allocator, attempt, sizeof(*attempt));
	return status;
}
