/* SPDX-License-Identifier: MIT */
/* The interpreter: doc/crush.md, section 7. */
#define RULE_WATCHED
#include "rule_priv.h"

#include <strew/builder.h>

static void take(struct rule_state *state, const struct flat_step *step)
{
	if (step->arg1 == FLAT_NONE)
		return;
	state->work[0] = step->arg1;
	state->work_count = 1;
}

static void emit(struct rule_state *state, const struct flat_step *step)
{
	uint32_t want = (uint32_t)state->call->want;

	(void)step;
	for (uint32_t i = 0; i < state->work_count && state->out_count < want; i++)
		state->out[state->out_count++] =
			flat_id_of(state->call->flat, state->work[i]);
	state->work_count = 0;
}

/* What was chosen, or the leaves below it, becomes the working set. */
static void replace_work(struct rule_state *state, bool leaf, uint32_t count)
{
	int32_t **from = leaf ? &state->leaves : &state->chosen;
	int32_t *old = state->work;

	state->work = *from;
	*from = old;
	state->work_count = count;
}

/* A choose step. Each bucket of the working set fills a window of its own. */
static void choose(struct rule_state *state, const struct flat_step *step, bool leaf,
		   uint32_t (*fill)(const struct rule_state *,
				    const struct rule_window *))
{
	uint32_t count = 0;
	struct rule_window window = {
		.type = step->arg2,
		.ranks = rule_count_ranks(step->arg1, state->call->want),
	};

	for (uint32_t i = 0; i < state->work_count && window.ranks > 0; i++) {
		RULE_TELL(state->call, .kind = RULE_WINDOW, .ref = state->work[i],
			  .place = count);
		/* Devices and holes have nothing below them. */
		if (state->work[i] >= 0)
			continue;
		window.root = flat_bucket_of(state->call->flat, state->work[i]);
		window.room = (uint32_t)state->call->want - count;
		window.chosen = state->chosen + count;
		window.leaves = leaf ? state->leaves + count : NULL;
		count += fill(state, &window);
	}
	replace_work(state, leaf, count);
}

static void firstn(struct rule_state *state, const struct flat_step *step, bool leaf)
{
	choose(state, step, leaf, state->call->watch ? rule_firstn_watched : rule_firstn);
}

static void indep(struct rule_state *state, const struct flat_step *step, bool leaf)
{
	choose(state, step, leaf, state->call->watch ? rule_indep_watched : rule_indep);
}

static void choose_firstn(struct rule_state *state, const struct flat_step *step)
{
	firstn(state, step, false);
}

static void choose_indep(struct rule_state *state, const struct flat_step *step)
{
	indep(state, step, false);
}

static void chooseleaf_firstn(struct rule_state *state, const struct flat_step *step)
{
	firstn(state, step, true);
}

static void chooseleaf_indep(struct rule_state *state, const struct flat_step *step)
{
	indep(state, step, true);
}

/* Steps that are neither here nor set anything do nothing: noop, those of MSR rules,
 * unknown numbers. */
static void (*const steps[])(struct rule_state *, const struct flat_step *) = {
	[STREW_OP_TAKE] = take,
	[STREW_OP_CHOOSE_FIRSTN] = choose_firstn,
	[STREW_OP_CHOOSE_INDEP] = choose_indep,
	[STREW_OP_EMIT] = emit,
	[STREW_OP_CHOOSELEAF_FIRSTN] = chooseleaf_firstn,
	[STREW_OP_CHOOSELEAF_INDEP] = chooseleaf_indep,
};

#define STEP_COUNT (sizeof(steps) / sizeof(steps[0]))

static void start(struct rule_state *state, struct rule_scratch *scratch)
{
	const struct rule_call *call = state->call;

	rule_settings_start(&state->settings, &state->call->flat->tunables);
	state->work = scratch->work;
	state->chosen = scratch->chosen;
	state->leaves = scratch->leaves;
	/* Where items depend on the position in the result, what will be asked isn't
	 * known ahead. */
	if (select_asks_together(call->kernel) &&
	    (call->set == NULL || call->flat->max_positions <= 1))
		state->ahead = &scratch->ahead;
}

uint32_t rule_reweight_hash(const struct flat *flat, int32_t device, uint32_t x)
{
	return rule_hash_device(flat, device, x);
}

bool rule_is_msr(const struct flat_rule *rule)
{
	return rule->kind == STREW_KIND_MSR_FIRSTN || rule->kind == STREW_KIND_MSR_INDEP;
}

int rule_run(const struct rule_call *call, int32_t *out, struct rule_scratch *scratch)
{
	const struct flat_step *step = flat_steps(call->flat, call->rule);
	struct rule_state state = {.call = call, .out = out};

	if (rule_is_msr(call->rule))
		return rule_run_msr(call, out, scratch);
	start(&state, scratch);
	for (uint32_t i = 0; i < call->rule->step_count; i++, step++) {
		uint32_t op = (uint32_t)step->op;

		RULE_TELL(call, .kind = RULE_STEP, .step = i, .refs = state.work,
			  .count = state.work_count, .settings = &state.settings);
		if (op < STEP_COUNT && steps[op])
			steps[op](&state, step);
		else
			rule_settings_apply(&state.settings, step->op, step->arg1);
	}
	return (int)state.out_count;
}
