/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

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
	if (diff->one_shard)
		return 1;
	if (side == 1 && diff->how.new_want > 0)
		return diff->how.new_want;
	return group->pools[side] ? group->pools[side]->size : diff->plan.inputs.want;
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

static strew_status count_all(struct diff *diff, const strew_run *run)
{
	strew_status status = STREW_OK;
	strew_run metered;

	analyze_diff_measure_rooms(diff);
	diff->meter.total = diff->plan.units;
	if (!diff->how.without_causes) {
		status = analyze_diff_undoable(&diff->causes.undoable, diff);
		diff->meter.total *= analyze_diff_walks(diff);
		if (status == STREW_OK)
			status = analyze_diff_keep(diff);
	}
	if (status)
		return base_error_nomem(diff->error);
	metered = analyze_diff_meter(diff, run);
	status = analyze_diff_walk(diff, analyze_diff_count, &metered);
	diff->meter.before = diff->plan.units;
	diff->kept.is_full = diff->kept.words != NULL;
	return status;
}

/* Why so much moves, and what helps. */
static strew_status explain(struct diff *diff, const strew_run *run)
{
	strew_status status = analyze_diff_causes(diff, run);

	if (status == STREW_OK)
		status = analyze_diff_tell_causes(diff);
	if (status == STREW_OK)
		status = analyze_diff_cures(diff, run);
	/* Often there was less to do than there might have been. */
	if (status == STREW_OK && run->progress &&
	    run->progress->tick(run->progress->ctx, diff->meter.total,
				diff->meter.total) != 0)
		status = STREW_ECANCELED;
	return status;
}

static strew_status compare(struct diff *diff, const strew_run *run)
{
	strew_status status = analyze_diff_open_sides(diff);

	if (status == STREW_OK)
		status = analyze_diff_domains(diff);
	if (status)
		return status;
	analyze_diff_add_tables(diff);
	status = analyze_diff_changes(diff);
	if (status == STREW_OK)
		status = count_all(diff, run);
	if (status == STREW_OK)
		status = analyze_diff_clean_upmaps(diff, run);
	if (status)
		return status;
	analyze_diff_leave_pool(diff);
	analyze_diff_fill_tables(diff);
	analyze_diff_tell(diff);
	if (!diff->how.without_causes)
		status = explain(diff, run);
	if (status)
		return base_error_set(diff->error, status, "%s",
				      strew_status_text(status));
	analyze_diff_note_more(diff);
	analyze_diff_draw(diff);
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
	analyze_diff_kept_free(diff);
	analyze_diff_changes_free(diff);
	analyze_diff_domains_free(diff);
	analyze_diff_close_sides(diff);
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
