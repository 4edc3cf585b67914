/* SPDX-License-Identifier: MIT */
/* A rule's steps, for a block of inputs. */
#include "rule_block_priv.h"

#include <string.h>

#include <strew/builder.h>

/* Fewer inputs than this are run one at a time. */
#define FEW 4

static int32_t *row_of(const struct rule_block *block, int32_t *rows, uint32_t input)
{
	return rows + (size_t)input * (size_t)block->call->want;
}

static void take(struct rule_block *block, const struct flat_step *step)
{
	if (step->arg1 == FLAT_NONE)
		return;
	for (uint32_t i = 0; i < block->inputs; i++) {
		row_of(block, block->work, i)[0] = step->arg1;
		block->work_counts[i] = 1;
	}
}

static void emit_input(struct rule_block *block, uint32_t input, int32_t *out, int *count)
{
	const int32_t *work = row_of(block, block->work, input);
	int32_t *row = row_of(block, out, input) + *count;
	uint32_t room = (uint32_t)(block->call->want - *count);
	uint32_t emitted =
		block->work_counts[input] < room ? block->work_counts[input] : room;

	for (uint32_t i = 0; i < emitted; i++)
		row[i] = flat_id_of(block->call->flat, work[i]);
	*count += (int)emitted;
}

/* Do the working sets fill all results, by refs that are their own ids? */
static bool are_results(const struct rule_block *block, const int *counts)
{
	uint32_t want = (uint32_t)block->call->want, differing = 0;
	int32_t signs = 0;

	for (uint32_t i = 0; i < block->inputs; i++)
		differing |= (uint32_t)counts[i] | (block->work_counts[i] ^ want);
	for (uint32_t i = 0; i < block->inputs * want; i++)
		signs |= block->work[i];
	return differing == 0 && signs >= 0 && block->call->flat->device_ids == 0;
}

static void emit(struct rule_block *block, int32_t *out, int *counts)
{
	size_t size = block->inputs * sizeof(*block->work_counts);

	if (are_results(block, counts)) {
		memcpy(out, block->work, size * (size_t)block->call->want);
		memcpy(counts, block->work_counts, size);
	} else {
		for (uint32_t i = 0; i < block->inputs; i++)
			emit_input(block, i, out, &counts[i]);
	}
	memset(block->work_counts, 0, size);
}

/* The inputs that have a bucket at a place of their working set. */
static uint32_t open_windows(struct rule_block *block, const uint32_t *xs, uint32_t place)
{
	uint32_t want = (uint32_t)block->call->want, count = 0;

	for (uint32_t i = 0; i < block->inputs; i++) {
		uint32_t before = block->counts[i];
		int32_t ref = row_of(block, block->work, i)[place];

		/* Devices and holes have nothing below them. */
		if (place >= block->work_counts[i] || ref >= 0)
			continue;
		block->seekers[count] = (struct rule_seeker){
			.input = i,
			.root = ref,
			.start = i * want + before,
			.room = want - before,
		};
		block->x[count++] = xs[i];
	}
	block->active_count = count;
	return count;
}

static uint32_t most_work(const struct rule_block *block)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < block->inputs; i++)
		if (most < block->work_counts[i])
			most = block->work_counts[i];
	return most;
}

static void replace_work(struct rule_block *block)
{
	int32_t **from = block->step.leaf ? &block->chosen_leaves : &block->chosen;
	int32_t *old = block->work;

	block->work = *from;
	*from = old;
	memcpy(block->work_counts, block->counts,
	       block->inputs * sizeof(*block->work_counts));
}

static void choose(struct rule_block *block, const uint32_t *xs,
		   void (*fill)(struct rule_block *block))
{
	uint32_t places = most_work(block);

	memset(block->counts, 0, block->inputs * sizeof(*block->counts));
	for (uint32_t place = 0; place < places && block->step.ranks > 0; place++) {
		uint32_t windows = open_windows(block, xs, place);

		fill(block);
		for (uint32_t i = 0; i < windows; i++)
			block->counts[block->seekers[i].input] += block->seekers[i].taken;
	}
	replace_work(block);
}

static void choose_step(struct rule_block *block, const uint32_t *xs,
			const struct flat_step *step)
{
	const struct rule_call *call = block->call;
	bool indep = step->op == STREW_OP_CHOOSE_INDEP ||
		     step->op == STREW_OP_CHOOSELEAF_INDEP;
	uint32_t leaf_tries = block->settings.leaf_tries;

	block->step = (struct rule_block_step){
		.type = step->arg2,
		.ranks = rule_count_ranks(step->arg1, call->want),
		.indep = indep,
		.leaf = step->op == STREW_OP_CHOOSELEAF_FIRSTN ||
			step->op == STREW_OP_CHOOSELEAF_INDEP,
		.tries = block->settings.choose_tries,
		.leaf_tries = leaf_tries ? leaf_tries : 1,
		.nodes_vary = call->set && call->flat->max_positions > 1,
	};
	block->step.leaves_vary = block->step.nodes_vary || !block->settings.stable;
	block->step.leaf_stride = indep ? block->step.ranks : 1;
	if (!indep)
		block->step.leaf_tries =
			rule_count_leaf_tries(&block->settings, &call->flat->tunables);
	choose(block, xs, indep ? rule_block_indep : rule_block_firstn);
}

static void run_step(struct rule_block *block, const uint32_t *xs,
		     const struct flat_step *step, int32_t *out, int *counts)
{
	switch (step->op) {
	case STREW_OP_TAKE:
		take(block, step);
		break;
	case STREW_OP_EMIT:
		emit(block, out, counts);
		break;
	case STREW_OP_CHOOSE_FIRSTN:
	case STREW_OP_CHOOSE_INDEP:
	case STREW_OP_CHOOSELEAF_FIRSTN:
	case STREW_OP_CHOOSELEAF_INDEP:
		choose_step(block, xs, step);
		break;
	default:
		rule_settings_apply(&block->settings, step->op, step->arg1);
	}
}

static void run_block(const struct rule_call *call, const uint32_t *xs, int32_t *out,
		      int *counts, struct rule_scratch *scratch)
{
	const struct flat_step *step = flat_steps(call->flat, call->rule);
	struct rule_block *block = scratch->block;
	struct rule_call single = *call;

	memset(counts, 0, block->inputs * sizeof(*counts));
	memset(block->work_counts, 0, block->inputs * sizeof(*block->work_counts));
	memset(block->left_over, 0, block->inputs * sizeof(*block->left_over));
	rule_settings_start(&block->settings, &call->flat->tunables);
	rule_trace_start(block);
	for (uint32_t i = 0; i < call->rule->step_count; i++, step++)
		run_step(block, xs, step, out, counts);
	for (uint32_t i = 0; i < block->inputs; i++) {
		if (!block->left_over[i])
			continue;
		single.x = xs[i];
		counts[i] = rule_run(&single, row_of(block, out, i), scratch);
	}
	rule_trace_end(block);
}

/* Can a step be run in blocks? Not with local retries, which go on from where a search
 * was; nor can indep, where uniform buckets stretch its attempts by how many items each
 * of them has. */
static bool step_is_fit(const struct rule_call *call, const struct flat_step *step,
			const struct rule_settings *settings)
{
	switch (step->op) {
	case STREW_OP_CHOOSE_INDEP:
	case STREW_OP_CHOOSELEAF_INDEP:
		return !call->flat->any_uniform;
	case STREW_OP_CHOOSE_FIRSTN:
	case STREW_OP_CHOOSELEAF_FIRSTN:
		return settings->local_tries == 0 && settings->fallback_tries == 0;
	default:
		return true;
	}
}

static bool rule_is_fit(const struct rule_call *call)
{
	const struct flat_step *step = flat_steps(call->flat, call->rule);
	struct rule_settings settings;

	if (rule_is_msr(call->rule))
		return false;
	rule_settings_start(&settings, &call->flat->tunables);
	for (uint32_t i = 0; i < call->rule->step_count; i++, step++) {
		if (!step_is_fit(call, step, &settings))
			return false;
		rule_settings_apply(&settings, step->op, step->arg1);
	}
	return true;
}

/* How many inputs a block has. */
static uint32_t count_inputs(const struct rule_call *call, size_t left)
{
	uint32_t inputs = RULE_BLOCK_MAX;

	while (inputs * (uint32_t)call->want > RULE_BLOCK_ASKED)
		inputs /= 2;
	return inputs < left ? inputs : (uint32_t)left;
}

static void run_singly(const struct rule_call *call, const uint32_t *xs, size_t count,
		       int32_t *out, int *counts, struct rule_scratch *scratch)
{
	struct rule_call single = *call;

	for (size_t i = 0; i < count; i++) {
		single.x = xs[i];
		counts[i] = rule_run(&single, out + i * (size_t)call->want, scratch);
	}
}

void rule_run_traced(const struct rule_call *call, const uint32_t *xs, size_t count,
		     int32_t *out, int *counts, struct rule_scratch *scratch,
		     const struct rule_trace *trace, const uint32_t *at)
{
	struct rule_block *block = scratch->block;
	uint32_t want = (uint32_t)call->want;

	if ((count < FEW && trace == NULL) || !rule_is_fit(call)) {
		run_singly(call, xs, count, out, counts, scratch);
		return;
	}
	block->call = call;
	block->trace = trace;
	block->work = block->rows_of[0];
	block->chosen = block->rows_of[1];
	block->chosen_leaves = block->rows_of[2];
	for (size_t done = 0; done < count; done += block->inputs) {
		block->inputs = count_inputs(call, count - done);
		block->rows = RULE_BLOCK_WORDS / block->inputs;
		block->trace_at = at ? at + done : NULL;
		run_block(call, xs + done, out + done * want, counts + done, scratch);
	}
}

void rule_run_many(const struct rule_call *call, const uint32_t *xs, size_t count,
		   int32_t *out, int *counts, struct rule_scratch *scratch)
{
	rule_run_traced(call, xs, count, out, counts, scratch, NULL, NULL);
}
