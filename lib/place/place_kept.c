/* SPDX-License-Identifier: MIT */
/* Placements that are kept, and follow the map. */
#include <inttypes.h>
#include <string.h>

#include "base_error.h"
#include "place_kept_priv.h"

static strew_run complete_run(const strew_run *given)
{
	strew_run run = STREW_RUN_INIT;

	if (given)
		memcpy(&run, given,
		       given->size < sizeof(run) ? given->size : sizeof(run));
	return run;
}

static strew_status plan_pool(struct place_kept_plan *plan, int64_t id,
			      strew_error *error)
{
	plan->pool = place_find_pool(plan->placer, id);
	if (plan->pool == NULL)
		return base_error_set(error, STREW_ENOTFOUND, "there is no pool %" PRId64,
				      id);
	plan->call.rule = plan->pool->rule;
	plan->call.set = plan->pool->set;
	plan->call.want = plan->pool->size;
	plan->count = plan->pool->pool->pg_num;
	return STREW_OK;
}

static strew_status plan_rule(struct place_kept_plan *plan,
			      const strew_kept_options *options, strew_error *error)
{
	if (options->want < 1 || options->want > STREW_WANT_MAX)
		return base_error_set(error, STREW_ERANGE, "sets have 1 to %d entries",
				      STREW_WANT_MAX);
	if (options->first > options->last)
		return base_error_set(error, STREW_ERANGE,
				      "the last input is before the first");
	plan->call.rule = flat_find_rule(plan->placer->flat, options->rule);
	if (plan->call.rule == NULL)
		return base_error_set(error, STREW_ENOTFOUND, "there is no rule %" PRId32,
				      options->rule);
	plan->call.set = plan->placer->raw_set;
	plan->call.want = options->want;
	plan->first = options->first;
	plan->count = (uint64_t)options->last - options->first + 1;
	return STREW_OK;
}

/* The placer is the caller's until strew_placer_retain() is called for it. */
static strew_status make_plan(struct place_kept_plan *plan, const strew_placer *placer,
			      const strew_kept_options *options, strew_error *error)
{
	memset(plan, 0, sizeof(*plan));
	plan->placer = (strew_placer *)placer;
	plan->call.flat = placer->flat;
	plan->call.kernel = placer->kernel;
	return options->rule < 0 ? plan_pool(plan, options->pool, error)
				 : plan_rule(plan, options, error);
}

static uint32_t input_of(const struct place_kept_plan *plan, uint32_t index)
{
	return plan->pool ? place_pg_input(plan->pool->pool, index) : plan->first + index;
}

/* An array that rows are made of: entries of an input, and their size. */
struct part {
	void **array;
	size_t entries;
	size_t size;
};

#define PARTS 10

/* @return how many parts there are. */
static size_t list_parts(struct part *parts, struct place_kept_rows *rows, size_t want,
			 bool traced)
{
	parts[0] = (struct part){(void **)&rows->xs, 1, sizeof(*rows->xs)};
	parts[1] = (struct part){(void **)&rows->rows, want, sizeof(*rows->rows)};
	parts[2] = (struct part){(void **)&rows->counts, 1, sizeof(*rows->counts)};
	parts[3] = (struct part){(void **)&rows->moved, 1, sizeof(*rows->moved)};
	parts[4] = (struct part){(void **)&rows->trace.spots, want,
				 sizeof(*rows->trace.spots)};
	parts[5] = (struct part){(void **)&rows->trace.extras, RULE_TRACE_EXTRAS(want),
				 sizeof(*rows->trace.extras)};
	parts[6] =
		(struct part){(void **)&rows->trace.used, 1, sizeof(*rows->trace.used)};
	parts[7] = (struct part){(void **)&rows->trace.margins, want,
				 sizeof(*rows->trace.margins)};
	parts[8] = (struct part){(void **)&rows->trace.extra_rs, RULE_TRACE_EXTRAS(want),
				 sizeof(*rows->trace.extra_rs)};
	/* One for so many inputs; a part's size is that of a byte of it for each. */
	parts[9] = (struct part){(void **)&rows->trace.sketches, want + 1,
				 sizeof(*rows->trace.sketches) / RULE_TRACE_STRETCH};
	return traced ? PARTS : 4;
}

static void free_rows(struct place_kept_rows *rows, int want,
		      const strew_allocator *allocator)
{
	size_t inputs = rows->units * RULE_TRACE_UNIT;
	struct part parts[PARTS];
	size_t count = list_parts(parts, rows, (size_t)want, true);

	for (size_t i = 0; i < count; i++)
		base_free(allocator, *parts[i].array,
			  inputs * parts[i].entries * parts[i].size);
	rule_trace_free_weighing(&rows->trace, allocator);
}

/* Nothing is placed, and the inputs are told. */
static strew_status make_rows(struct place_kept_rows *rows,
			      const struct place_kept_plan *plan,
			      const strew_allocator *allocator)
{
	bool traced = rule_is_traceable(&plan->call);
	uint64_t units =
		plan->count / RULE_TRACE_UNIT + (plan->count % RULE_TRACE_UNIT != 0);
	size_t want = (size_t)plan->call.want, inputs;
	struct part parts[PARTS];
	size_t count = list_parts(parts, rows, want, traced);

	memset(rows, 0, sizeof(*rows));
	if (units > SIZE_MAX / RULE_TRACE_UNIT / sizeof(*rows->trace.extras) / (want + 1))
		return STREW_ENOMEM;
	rows->units = (size_t)units;
	inputs = rows->units * RULE_TRACE_UNIT;
	rows->trace.inputs = inputs;
	rows->trace.want = plan->call.want;
	for (size_t i = 0; i < count; i++) {
		*parts[i].array =
			base_calloc(allocator, inputs * parts[i].entries, parts[i].size);
		if (*parts[i].array == NULL)
			return STREW_ENOMEM;
	}
	for (size_t i = 0; i < plan->count; i++)
		rows->xs[i] = input_of(plan, (uint32_t)i);
	/* What lies behind the last input is read, and must lead nowhere. */
	if (!traced)
		return STREW_OK;
	memset(rows->trace.spots, 0xff, inputs * want * sizeof(*rows->trace.spots));
	return rule_trace_weigh(&rows->trace, &plan->call, allocator);
}

/* All of a plan, placed. On failure there are none. */
static strew_status fill_rows(struct place_kept_rows *rows,
			      const struct place_kept_plan *plan, const strew_run *run,
			      size_t *placed)
{
	const strew_allocator *allocator = base_allocator_or_heap(run->allocator);
	strew_status status = make_rows(rows, plan, allocator);

	if (status == STREW_OK)
		status = place_kept_run(rows, plan, NULL, run, placed);
	if (status != STREW_OK)
		free_rows(rows, plan->call.want, allocator);
	return status;
}

static strew_status fill_kept(strew_kept *kept, const strew_placer *placer,
			      const strew_run *run, strew_error *error)
{
	strew_status status = make_plan(&kept->plan, placer, &kept->options, error);

	if (status != STREW_OK)
		return status;
	if (fill_rows(&kept->rows, &kept->plan, run, &kept->placed))
		return base_error_nomem(error);
	memset(kept->rows.moved, 0, (size_t)kept->plan.count);
	strew_placer_retain(placer);
	return STREW_OK;
}

strew_status strew_kept_new(strew_kept **out, const strew_placer *placer,
			    const strew_kept_options *options, const strew_run *given,
			    strew_error *error)
{
	strew_run run = complete_run(given);
	const strew_allocator *allocator = base_allocator_or_heap(run.allocator);
	strew_kept *kept = base_calloc(allocator, 1, sizeof(*kept));
	const strew_kept_options defaults = STREW_KEPT_OPTIONS_INIT;
	strew_status status;

	*out = NULL;
	if (kept == NULL)
		return base_error_nomem(error);
	kept->allocator = *allocator;
	kept->options = defaults;
	memcpy(&kept->options, options,
	       options->size < sizeof(*options) ? options->size : sizeof(*options));
	status = fill_kept(kept, placer, &run, error);
	if (status == STREW_OK)
		*out = kept;
	else
		base_free(allocator, kept, sizeof(*kept));
	return status;
}

void strew_kept_free(strew_kept *kept)
{
	strew_allocator allocator;

	if (kept == NULL)
		return;
	allocator = kept->allocator;
	free_rows(&kept->rows, kept->plan.call.want, &allocator);
	strew_placer_release(kept->plan.placer);
	base_free(&allocator, kept, sizeof(*kept));
}

/* Are the inputs the same, one by one? */
static bool have_same_inputs(const struct place_kept_plan *a,
			     const struct place_kept_plan *b)
{
	const strew_pool *x, *y;

	if (a->count != b->count || a->call.want != b->call.want)
		return false;
	if (a->pool == NULL)
		return true;
	x = a->pool->pool;
	y = b->pool->pool;
	return x->pgp_num == y->pgp_num && x->hashpspool == y->hashpspool;
}

static void compare_rows(const struct place_kept_plan *plan,
			 const struct place_kept_rows *old, struct place_kept_rows *new)
{
	size_t want = (size_t)plan->call.want;

	for (size_t i = 0; i < plan->count; i++)
		new->moved[i] = old->counts[i] != new->counts[i] ||
				memcmp(old->rows + i * want, new->rows + i *want,
				       want * sizeof(*new->rows)) != 0;
}

static strew_status replace_all(strew_kept *kept, const struct place_kept_plan *plan,
				const strew_run *run)
{
	struct place_kept_rows rows;
	strew_status status = fill_rows(&rows, plan, run, &kept->placed);

	if (status != STREW_OK)
		return status;
	if (kept->plan.count == plan->count && kept->plan.call.want == plan->call.want)
		compare_rows(plan, &kept->rows, &rows);
	else
		memset(rows.moved, 1, (size_t)plan->count);
	free_rows(&kept->rows, kept->plan.call.want, &kept->allocator);
	kept->rows = rows;
	return STREW_OK;
}

static strew_status replace_some(strew_kept *kept, const struct place_kept_plan *plan,
				 const struct rule_change *change, const strew_run *run)
{
	if (!rule_change_is_none(change) || rule_change_moves(change))
		return place_kept_run(&kept->rows, plan, change, run, &kept->placed);
	memset(kept->rows.moved, 0, (size_t)plan->count);
	kept->placed = 0;
	return STREW_OK;
}

static strew_status follow(strew_kept *kept, const struct place_kept_plan *plan,
			   const strew_run *run)
{
	struct rule_change *change = NULL;
	strew_status status = STREW_OK;

	if (kept->rows.trace.spots && have_same_inputs(&kept->plan, plan))
		status = rule_change_new(&change, &kept->plan.call, &plan->call,
					 &kept->rows.trace, &kept->allocator);
	if (status != STREW_OK)
		return status;
	status = change ? replace_some(kept, plan, change, run)
			: replace_all(kept, plan, run);
	rule_change_free(change);
	return status;
}

strew_status strew_kept_update(strew_kept *kept, const strew_placer *placer,
			       const strew_run *given, strew_error *error)
{
	strew_run run = complete_run(given);
	struct place_kept_plan plan;
	strew_status status = make_plan(&plan, placer, &kept->options, error);

	run.allocator = &kept->allocator;
	if (status != STREW_OK)
		return status;
	if (follow(kept, &plan, &run))
		return base_error_nomem(error);
	strew_placer_retain(placer);
	strew_placer_release(kept->plan.placer);
	kept->plan = plan;
	return STREW_OK;
}

size_t strew_kept_count(const strew_kept *kept)
{
	return (size_t)kept->plan.count;
}

int strew_kept_want(const strew_kept *kept)
{
	return kept->plan.call.want;
}

const int32_t *strew_kept_row(const strew_kept *kept, size_t index)
{
	if (index >= kept->plan.count)
		return NULL;
	return kept->rows.rows + index * (size_t)kept->plan.call.want;
}

size_t strew_kept_moved(const strew_kept *kept, size_t index)
{
	size_t count = (size_t)kept->plan.count;
	const uint8_t *found = NULL;

	if (index < count)
		found = memchr(kept->rows.moved + index, 1, count - index);
	return found ? (size_t)(found - kept->rows.moved) : count;
}

size_t strew_kept_placed(const strew_kept *kept)
{
	return kept->placed;
}

strew_status strew_kept_pg(const strew_kept *kept, uint32_t seed, strew_stages *stages,
			   strew_scratch *scratch)
{
	struct place_pg pg = {kept->plan.placer, kept->plan.pool, seed, 0, NULL};

	if (kept->plan.pool == NULL || !place_scratch_fits(pg.placer, scratch))
		return STREW_EINVAL;
	if (seed >= kept->plan.count)
		return STREW_ERANGE;
	pg.x = kept->rows.xs[seed];
	place_finish_pg(stages, &pg, strew_kept_row(kept, seed), kept->rows.counts[seed],
			scratch);
	return STREW_OK;
}
