/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

#include <math.h>

/*
 * The excess, what moves beyond the least possible, in parts. What can be taken back is
 * taken back alone, and its part is how much smaller the excess is then. With all of it
 * taken back the change itself is left, with an excess of its own. What single shards
 * would move too much of that, for each shard of a unit, is no matter of shards that
 * meet; and of it parents have the part that goes when their weights are as they were.
 * Shards are counted by set here. What is counted by position beyond that is a part of
 * its own.
 */

/* The excess of some totals. */
static struct diff_part excess_of(const struct diff *diff,
				  const struct diff_totals *totals)
{
	return (struct diff_part){(double)totals->moved_by_set - totals->minimum,
				  totals->bytes_moved_by_set -
					  analyze_diff_least_bytes(diff, totals)};
}

static struct diff_part less(struct diff_part a, struct diff_part b)
{
	return (struct diff_part){a.shards - b.shards, a.bytes - b.bytes};
}

strew_status analyze_diff_step(struct diff_totals *out, struct diff *diff,
			       const struct diff_end *before,
			       const struct diff_end *after, bool one_shard,
			       const strew_run *run)
{
	strew_run metered = analyze_diff_meter(diff, run);
	strew_status status =
		analyze_diff_try(out, diff, before, after, one_shard, &metered);

	diff->meter.before += diff->plan.units;
	return status;
}

/* What moves from OLD to NEW with some of it taken back. @return also STREW_ENOTSUP */
static strew_status undo(struct diff_totals *out, struct diff *diff, unsigned what,
			 const strew_run *run)
{
	struct diff_end before = analyze_diff_end(diff, 0), after;
	strew_status status = analyze_diff_undo(&after, diff, what);

	if (status == STREW_OK)
		status = analyze_diff_step(out, diff, &before, &after, false, run);
	analyze_diff_end_release(&before);
	analyze_diff_end_release(&after);
	return status;
}

/* Weights of parents follow from the change itself, which is nothing without them. */
#define PARENTS DIFF_UNDO(DIFF_UNDO_PARENTS)

static strew_status undo_each(struct diff *diff, const strew_run *run)
{
	struct diff_causes *causes = &diff->causes;
	struct diff_part all = excess_of(diff, &diff->totals);

	for (int i = 0; i < DIFF_UNDO_COUNT; i++) {
		strew_status status;

		if (!(causes->undoable & ~PARENTS & DIFF_UNDO(i)))
			continue;
		status = undo(&causes->totals[i], diff, DIFF_UNDO(i), run);
		if (status == STREW_ENOTSUP)
			continue;
		if (status)
			return status;
		causes->tried |= DIFF_UNDO(i);
		causes->parts[i] = less(all, excess_of(diff, &causes->totals[i]));
	}
	return STREW_OK;
}

/* The totals of the change itself: with all that was tried taken back. */
static strew_status undo_all(struct diff_totals *out, struct diff *diff,
			     const strew_run *run)
{
	const struct diff_causes *causes = &diff->causes;

	*out = diff->totals;
	for (int i = 0; i < DIFF_UNDO_COUNT; i++)
		if (causes->tried == DIFF_UNDO(i))
			*out = causes->totals[i];
	if ((causes->tried & (causes->tried - 1)) == 0)
		return STREW_OK;
	return undo(out, diff, causes->tried, run);
}

static bool is_chance(double shards, const struct diff_totals *totals)
{
	return fabs(shards) <= 2 * sqrt(totals->variance);
}

/* What a single shard of each unit, which can meet no other, moves too much in the mean,
 * with some of it taken back. */
static strew_status excess_alone(double *out, struct diff *diff, unsigned what,
				 const strew_run *run)
{
	struct diff_end before = analyze_diff_end(diff, 0), after;
	struct diff_totals one = {0};
	strew_status status = analyze_diff_undo(&after, diff, what);

	*out = 0;
	if (status == STREW_OK)
		status = analyze_diff_step(&one, diff, &before, &after, true, run);
	if (status == STREW_OK && one.shards > 0) {
		double excess = excess_of(diff, &one).shards;

		if (excess > 0 && !is_chance(excess, &one))
			*out = excess / (double)one.shards;
	}
	analyze_diff_end_release(&before);
	analyze_diff_end_release(&after);
	return status == STREW_ENOTSUP ? STREW_OK : status;
}

static struct diff_part part_of(struct diff_part whole, double part)
{
	return (struct diff_part){part * whole.shards, part * whole.bytes};
}

/* The excess of the change itself. */
static strew_status split_rest(struct diff *diff, const struct diff_totals *all,
			       const strew_run *run)
{
	struct diff_causes *causes = &diff->causes;
	struct diff_part *parts = causes->parts;
	struct diff_part rest = excess_of(diff, all);
	double alone, frozen, each = rest.shards / (double)all->shards;
	strew_status status;

	if (rest.shards <= 0 || is_chance(rest.shards, all)) {
		parts[DIFF_CAUSE_CHANCE] = rest;
		return STREW_OK;
	}
	status = excess_alone(&alone, diff, causes->tried, run);
	frozen = alone;
	if (status == STREW_OK && alone > 0 && (causes->undoable & PARENTS))
		status = excess_alone(&frozen, diff, causes->tried | PARENTS, run);
	alone = fmin(alone, each);
	frozen = fmin(frozen, alone);
	parts[DIFF_CAUSE_COLLISIONS] = part_of(rest, 1 - alone / each);
	parts[DIFF_CAUSE_WEIGHTS] = part_of(rest, frozen / each);
	parts[DIFF_UNDO_PARENTS] = part_of(rest, (alone - frozen) / each);
	return status;
}

/* What frozen parents would do all in all, where that is much. */
static strew_status try_parents(struct diff *diff, const strew_run *run)
{
	struct diff_causes *causes = &diff->causes;
	strew_status status;

	if (causes->parts[DIFF_UNDO_PARENTS].shards < 0.1 * (double)diff->totals.moved)
		return STREW_OK;
	status = undo(&causes->totals[DIFF_UNDO_PARENTS], diff, PARENTS, run);
	causes->tried |= status == STREW_OK ? PARENTS : 0;
	return status;
}

/* What the parts are short of the whole, or over it. */
static void balance(struct diff *diff)
{
	struct diff_part *parts = diff->causes.parts;
	struct diff_part left = excess_of(diff, &diff->totals);

	for (int i = 0; i < DIFF_CAUSE_COUNT; i++)
		if (i != DIFF_CAUSE_POSITION)
			left = less(left, parts[i]);
	parts[DIFF_CAUSE_INTERACTION] = left;
}

static strew_status attribute(struct diff *diff, const strew_run *run)
{
	struct diff_totals all;
	strew_status status = undo_each(diff, run);

	if (status == STREW_OK)
		status = undo_all(&all, diff, run);
	if (status == STREW_OK)
		status = split_rest(diff, &all, run);
	if (status == STREW_OK)
		status = try_parents(diff, run);
	balance(diff);
	return status == STREW_ENOTSUP ? STREW_OK : status;
}

strew_status analyze_diff_causes(struct diff *diff, const strew_run *run)
{
	const struct diff_totals *totals = &diff->totals;
	struct diff_part *parts = diff->causes.parts;
	struct diff_part excess = excess_of(diff, totals);

	parts[DIFF_CAUSE_POSITION] =
		(struct diff_part){(double)totals->moved - (double)totals->moved_by_set,
				   totals->bytes_moved - totals->bytes_moved_by_set};
	if (excess.shards <= 0 || is_chance(excess.shards, totals)) {
		parts[DIFF_CAUSE_CHANCE] = excess;
		return STREW_OK;
	}
	return attribute(diff, run);
}
