/* SPDX-License-Identifier: MIT */
/* Keeping what a block came to. */
#include "rule_block_priv.h"

#include <string.h>

#include <strew/builder.h>

static bool is_choose(int32_t op)
{
	return op == STREW_OP_CHOOSE_FIRSTN || op == STREW_OP_CHOOSELEAF_FIRSTN ||
	       op == STREW_OP_CHOOSE_INDEP || op == STREW_OP_CHOOSELEAF_INDEP;
}

/* Steps that do something, in order: 0 to take, 1 to choose, 2 to emit. */
static bool are_simple(const struct rule_call *call, struct rule_settings *settings)
{
	const struct flat_step *step = flat_steps(call->flat, call->rule);
	int next = 0;

	rule_settings_start(settings, &call->flat->tunables);
	for (uint32_t i = 0; i < call->rule->step_count; i++, step++) {
		bool take = step->op == STREW_OP_TAKE, choose = is_choose(step->op);

		if (!take && !choose && step->op != STREW_OP_EMIT) {
			if (next < 2)
				rule_settings_apply(settings, step->op, step->arg1);
			continue;
		}
		if (next > 2 || take != (next == 0) || choose != (next == 1))
			return false;
		if (take && (step->arg1 == FLAT_NONE || step->arg1 >= 0))
			return false;
		next++;
	}
	return next == 3;
}

bool rule_is_traceable(const struct rule_call *call)
{
	struct rule_settings settings;

	if (rule_is_msr(call->rule) || (call->set && call->flat->max_positions > 1) ||
	    call->flat->any_uniform)
		return false;
	return are_simple(call, &settings) && settings.stable && !settings.local_tries &&
	       !settings.fallback_tries;
}

static uint32_t place_of(const struct rule_block *block, uint32_t seeker)
{
	return block->trace_at[block->seekers[seeker].input];
}

void rule_trace_start(const struct rule_block *block)
{
	const struct rule_trace *trace = block->trace;

	if (trace == NULL)
		return;
	for (uint32_t i = 0; i < block->inputs; i++) {
		for (int slot = 0; slot < trace->want; slot++)
			trace->spots[(size_t)slot * trace->inputs + block->trace_at[i]] =
				RULE_TRACE_NOWHERE;
		trace->used[block->trace_at[i]] = 0;
	}
}

/* Unknown extras may be anywhere. */
static void sketch_input(const struct rule_trace *trace, size_t place)
{
	size_t want = (size_t)trace->want;
	struct rule_sketch *extras = rule_sketch_at(trace, want, place);

	for (size_t r = 0; r < want; r++) {
		uint32_t spot = trace->spots[r * trace->inputs + place];

		if (spot != RULE_TRACE_NOWHERE)
			rule_sketch_add(rule_sketch_at(trace, r, place), spot);
	}
	if (trace->used[place] == RULE_TRACE_UNKNOWN)
		memset(extras, 0xff, sizeof(*extras));
	else
		for (size_t k = 0; k < trace->used[place]; k++)
			rule_sketch_add(extras, trace->extras[k * trace->inputs + place]);
}

void rule_trace_sketch(const struct rule_trace *trace, size_t start)
{
	for (size_t r = 0; r <= (size_t)trace->want; r++)
		memset(rule_sketch_at(trace, r, start), 0, sizeof(struct rule_sketch));
	for (size_t i = 0; i < RULE_TRACE_STRETCH; i++)
		sketch_input(trace, start + i);
}

/* The first of a stretch makes its sketches anew, so that what is no longer there doesn't
 * pile up in them. */
void rule_trace_end(const struct rule_block *block)
{
	const struct rule_trace *trace = block->trace;

	if (trace == NULL)
		return;
	for (uint32_t i = 0; i < block->inputs; i++) {
		if (block->trace_at[i] % RULE_TRACE_STRETCH == 0)
			rule_trace_sketch(trace, block->trace_at[i]);
		else
			sketch_input(trace, block->trace_at[i]);
	}
}

static void give_up(const struct rule_block *block, uint32_t seeker)
{
	block->trace->used[place_of(block, seeker)] = RULE_TRACE_UNKNOWN;
}

static void add_extra(const struct rule_block *block, uint32_t seeker, int32_t ref,
		      uint32_t r)
{
	const struct rule_trace *trace = block->trace;
	size_t place = place_of(block, seeker);
	size_t room = RULE_TRACE_EXTRAS((size_t)trace->want);
	uint8_t *used = &trace->used[place];

	if (*used == RULE_TRACE_UNKNOWN)
		return;
	if (*used == room || *used + 1 == RULE_TRACE_UNKNOWN) {
		*used = RULE_TRACE_UNKNOWN;
		return;
	}
	trace->extras[*used * trace->inputs + place] =
		rule_spot_of(block->call->flat, ref);
	trace->extra_rs[*used * trace->inputs + place] = (uint8_t)r;
	(*used)++;
}

void rule_trace_rejected(const struct rule_block *block, uint32_t at, int32_t leaf,
			 uint32_t r)
{
	uint32_t seeker = at % block->inputs;

	if (block->trace == NULL)
		return;
	if (leaf == RULE_NOTHING || r >= RULE_TRACE_BELOW)
		give_up(block, seeker);
	else
		add_extra(block, seeker, leaf, r | RULE_TRACE_BELOW);
}

void rule_trace_retried(const struct rule_block *block, uint32_t at)
{
	if (block->trace)
		give_up(block, at % block->inputs);
}

/* Where an attempt ended. */
static void add_attempt(const struct rule_block *block, uint32_t seeker, uint32_t at,
			uint32_t r)
{
	int32_t node = block->nodes[at], leaf = block->leaves[at];
	const struct rule_trace *trace = block->trace;
	int32_t end = node;

	if (node == RULE_DEAD || node == RULE_NOTHING ||
	    (r >= (uint32_t)trace->want && r >= RULE_TRACE_BELOW)) {
		give_up(block, seeker);
		return;
	}
	if (leaf != RULE_UNASKED && leaf != RULE_NOTHING)
		end = leaf;
	if (r < (uint32_t)trace->want)
		trace->spots[(size_t)r * trace->inputs + place_of(block, seeker)] =
			rule_spot_of(block->call->flat, end);
	else
		add_extra(block, seeker, end, r);
}

void rule_trace_rows(const struct rule_block *block, uint32_t seekers)
{
	if (block->trace == NULL)
		return;
	for (uint32_t i = 0; i < seekers; i++) {
		if (block->left_over[block->seekers[i].input]) {
			give_up(block, i);
			continue;
		}
		for (uint32_t r = 0; r < block->rows_ready; r++) {
			uint32_t at = r * block->inputs + i;

			if (block->nodes[at] != RULE_UNASKED)
				add_attempt(block, i, at, r);
		}
	}
}

void rule_trace_first(const struct rule_block *block, uint32_t seeker)
{
	for (uint32_t r = 0; r < block->seekers[seeker].room; r++)
		add_attempt(block, seeker, rule_answer_at(block, r, seeker), r);
}

void rule_trace_round(const struct rule_block *block, uint32_t seeker, uint32_t round)
{
	const struct rule_seeker *found = &block->seekers[seeker];
	const uint16_t *open = block->open + found->start;

	for (uint32_t i = 0; block->trace && i < found->open_count; i++)
		add_attempt(block, seeker, rule_answer_at(block, open[i], seeker),
			    open[i] + block->step.ranks * round);
}
