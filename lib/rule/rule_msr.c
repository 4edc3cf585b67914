/* SPDX-License-Identifier: MIT */
/*
 * Rules that retry over several choosemsr steps: doc/crush.md, section 9. Each step cuts
 * its part of the result into strides and chooses one item for each; the steps below fill
 * the stride. A place that could not be filled is tried again from the top, with what was
 * chosen for other places kept.
 */
#define RULE_WATCHED
#include "rule_priv.h"

#include <strew/builder.h>

/* A rule being run. */
struct msr {
	const struct rule_call *call;
	struct rule_level *levels; /* one for each choosemsr step of the block at hand */
	uint32_t depth;            /* how many */
	uint32_t descents;
	uint32_t collision_tries;
	uint32_t attempt; /* the descent's number */
	uint32_t want;
	uint32_t placed;
	int32_t *out;
};

static uint32_t at_least_0(int32_t argument)
{
	return argument > 0 ? (uint32_t)argument : 0;
}

/* The set_ steps at the start of a rule; the last of each counts.
 * @return their number. */
static uint32_t read_settings(struct msr *msr)
{
	const struct flat_step *steps = flat_steps(msr->call->flat, msr->call->rule);
	uint32_t count = msr->call->rule->step_count;
	uint32_t i;

	msr->descents = msr->call->flat->tunables.msr_descents;
	msr->collision_tries = msr->call->flat->tunables.msr_collision_tries;
	for (i = 0; i < count; i++) {
		if (steps[i].op == STREW_OP_SET_MSR_DESCENTS)
			msr->descents = at_least_0(steps[i].arg1);
		else if (steps[i].op == STREW_OP_SET_MSR_COLLISION_TRIES)
			msr->collision_tries = at_least_0(steps[i].arg1);
		else
			break;
		RULE_TELL(msr->call, .kind = RULE_STEP, .step = i);
	}
	return i;
}

/* The block that starts at a step: take a bucket, choosemsr once or more, emit.
 * @return how many steps it has, or 0 when it has another shape. */
static uint32_t measure_block(const struct flat_step *steps, uint32_t count)
{
	uint32_t i = 1;

	if (steps[0].op != STREW_OP_TAKE || steps[0].arg1 >= 0)
		return 0;
	while (i < count && steps[i].op == STREW_OP_CHOOSE_MSR && steps[i].arg1 >= 0)
		i++;
	if (i == 1 || i == count || steps[i].op != STREW_OP_EMIT)
		return 0;
	return i + 1;
}

/* One block of another shape spoils the rule. */
static bool is_well_formed(const struct flat_step *steps, uint32_t count)
{
	while (count > 0) {
		uint32_t length = measure_block(steps, count);

		if (length == 0)
			return false;
		steps += length;
		count -= length;
	}
	return true;
}

/* Make the levels ready for a block's choosemsr steps. A span is cut at want:
 * it would not cover more in any case. @return how many places the block asks
 * for, cut likewise. */
static uint32_t open_levels(struct msr *msr, const struct flat_step *steps,
			    uint32_t depth)
{
	uint64_t span = 1;

	msr->depth = depth;
	for (uint32_t i = depth; i-- > 0;) {
		struct rule_level *level = &msr->levels[i];

		level->type = steps[i].arg2;
		level->span = (uint32_t)span;
		span *= steps[i].arg1 ? (uint32_t)steps[i].arg1 : msr->want;
		if (span > msr->want)
			span = msr->want;
		for (uint32_t k = 0; k < msr->want; k++)
			level->taken[k] = FLAT_UNDEF;
	}
	return (uint32_t)span;
}

static uint32_t end_of_stride(const struct rule_level *level)
{
	uint32_t end = level->at + level->span;

	return end < level->end ? end : level->end;
}

/* Is it taken for another stride of this visit? */
static bool collides(const struct rule_level *level, int32_t ref)
{
	for (uint32_t k = level->start; k < level->end; k++) {
		if (level->taken[k] == ref)
			return k < level->at || k >= end_of_stride(level);
	}
	return false;
}

/* From the level's bucket down to a device or to an item of the step's type. FLAT_UNDEF:
 * there is nothing below. */
static int32_t descend(const struct msr *msr, const struct rule_level *level, uint32_t r)
{
	const struct flat_bucket *in = level->bucket;

	while (in->count > 0) {
		int32_t ref = rule_choose(msr->call, in, r, level->stride);

		if (ref >= 0 || rule_type_of(msr->call, ref) == level->type)
			return ref;
		in = flat_bucket_of(msr->call->flat, ref);
	}
	return FLAT_UNDEF;
}

/* Is it a candidate for the stride in hand? */
static enum rule_verdict judge(const struct msr *msr, const struct rule_level *level,
			       int32_t ref)
{
	if (ref == FLAT_UNDEF)
		return RULE_EMPTY;
	/* A device where the step asks for a bucket is none. */
	if (rule_type_of(msr->call, ref) != level->type)
		return RULE_WRONG_TYPE;
	return collides(level, ref) ? RULE_COLLIDED : RULE_TAKEN;
}

static void tell_verdict(const struct msr *msr, enum rule_verdict verdict)
{
	RULE_TELL(msr->call, .kind = RULE_VERDICT, .verdict = verdict);
}

/* Who finds one tells what comes of it. */
static bool find_candidate(const struct msr *msr, struct rule_level *level)
{
	uint32_t r = (msr->attempt * msr->want + level->stride) << 16;
	uint32_t number = (uint32_t)(level - msr->levels);

	for (uint32_t i = 0; i < msr->collision_tries; i++, r++) {
		enum rule_verdict verdict;

		RULE_TELL(msr->call, .kind = RULE_ATTEMPT, .rank = level->at,
			  .place = level->at, .number = msr->attempt, .level = number);
		level->candidate = descend(msr, level, r);
		verdict = judge(msr, level, level->candidate);
		if (verdict == RULE_TAKEN)
			return true;
		tell_verdict(msr, verdict);
	}
	RULE_TELL(msr->call, .kind = RULE_GIVE_UP, .rank = level->at, .place = level->at,
		  .level = number);
	return false;
}

static void place(struct msr *msr, struct rule_level *level)
{
	bool firstn = msr->call->rule->kind == STREW_KIND_MSR_FIRSTN;
	int32_t device = level->candidate;

	level->taken[level->at] = device;
	msr->out[firstn ? msr->placed : level->at] = flat_id_of(msr->call->flat, device);
	msr->placed++;
	level->mapped++;
}

static void visit(struct rule_level *level, const struct flat_bucket *bucket,
		  uint32_t start, uint32_t end)
{
	level->bucket = bucket;
	level->start = start;
	level->end = end;
	level->stride = 0;
	level->at = start;
	level->mapped = 0;
}

static void next_stride(struct rule_level *level)
{
	level->stride++;
	level->at += level->span;
}

/* Steps choose buckets, but the last one devices. */
static enum rule_verdict judge_candidate(const struct msr *msr,
					 const struct rule_level *level, bool is_last)
{
	if ((level->type == 0) != is_last)
		return RULE_UNPLACED;
	if (is_last && rule_is_out(msr->call->flat, level->candidate, msr->call->x))
		return RULE_OUT;
	return RULE_TAKEN;
}

/* Choose for the stride in hand. @return true when the level below has to fill it. */
static bool choose(struct msr *msr, struct rule_level *level)
{
	struct rule_level *last = &msr->levels[msr->depth - 1];
	uint32_t end = end_of_stride(level);
	enum rule_verdict verdict;

	level->undo[level->stride] = false;
	if (!rule_holds(last->taken + level->at, end - level->at, FLAT_UNDEF))
		return false;
	if (!find_candidate(msr, level))
		return false;
	verdict = judge_candidate(msr, level, level == last);
	tell_verdict(msr, verdict);
	if (level == last && verdict == RULE_TAKEN)
		place(msr, level);
	return level != last && verdict == RULE_TAKEN;
}

/* Note the bucket at the first free place of its stride, unless it is there from an
 * earlier descent.
 * @return whether it was noted. */
static bool note(struct rule_level *level)
{
	uint32_t end = end_of_stride(level);

	if (rule_holds(level->taken + level->at, end - level->at, level->candidate))
		return false;
	for (uint32_t k = level->at; k < end; k++) {
		if (level->taken[k] == FLAT_UNDEF) {
			level->taken[k] = level->candidate;
			return true;
		}
	}
	return false;
}

/* The level below has filled what it could of the stride in hand. */
static void settle(struct rule_level *level, uint32_t mapped)
{
	level->undo[level->stride] = note(level) && mapped == 0;
	level->mapped += mapped;
	next_stride(level);
}

/* Take back what was noted for strides that got nothing. Only now, so that other strides
 * of the same visit would not choose it either. */
static void undo(struct rule_level *level)
{
	level->at = level->start;
	for (level->stride = 0; level->at < level->end; next_stride(level)) {
		uint32_t k = end_of_stride(level);

		if (!level->undo[level->stride])
			continue;
		while (k > level->at && level->taken[k - 1] == FLAT_UNDEF)
			k--;
		if (k > level->at)
			level->taken[k - 1] = FLAT_UNDEF;
	}
}

/* Once from the top through all strides, each step's visits one inside the other. */
static void run_descent(struct msr *msr, const struct flat_bucket *root, uint32_t start,
			uint32_t end)
{
	struct rule_level *level = msr->levels;

	visit(level, root, start, end);
	for (;;) {
		if (level->at >= level->end) {
			undo(level);
			if (level == msr->levels)
				return;
			level--;
			settle(level, level[1].mapped);
		} else if (choose(msr, level)) {
			visit(level + 1,
			      flat_bucket_of(msr->call->flat, level->candidate),
			      level->at, end_of_stride(level));
			level++;
		} else {
			next_stride(level);
		}
	}
}

/* @return where the next block's places start. */
static uint32_t run_block(struct msr *msr, const struct flat_step *steps, uint32_t length,
			  uint32_t start)
{
	const struct flat_bucket *root = flat_bucket_of(msr->call->flat, steps[0].arg1);
	uint32_t total = open_levels(msr, steps + 1, length - 2);
	uint32_t end = total < msr->want - start ? start + total : msr->want;
	uint32_t limit = msr->placed + (end - start);

	for (msr->attempt = 0; msr->attempt < msr->descents && msr->placed < limit;
	     msr->attempt++)
		run_descent(msr, root, start, end);
	return end;
}

int rule_run_msr(const struct rule_call *call, int32_t *out, struct rule_scratch *scratch)
{
	struct msr msr = {
		.call = call,
		.levels = scratch->levels,
		.want = (uint32_t)call->want,
		.out = out,
	};
	uint32_t settings = read_settings(&msr);
	const struct flat_step *steps = flat_steps(call->flat, call->rule) + settings;
	uint32_t count = call->rule->step_count - settings;
	uint32_t start = 0, length;

	if (!is_well_formed(steps, count))
		return 0;
	for (uint32_t i = 0; i < msr.want; i++)
		out[i] = FLAT_NONE;
	for (; count > 0; steps += length, count -= length) {
		RULE_TELL(call, .kind = RULE_STEP,
			  .step = call->rule->step_count - count);
		length = measure_block(steps, count);
		start = run_block(&msr, steps, length, start);
		RULE_TELL(call, .kind = RULE_STEP,
			  .step = call->rule->step_count - count + length - 1);
	}
	return call->rule->kind == STREW_KIND_MSR_FIRSTN ? (int)msr.placed : call->want;
}
