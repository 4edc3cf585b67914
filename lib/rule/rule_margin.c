/* SPDX-License-Identifier: MIT */
/* How sure the root's answers to first attempts are. */
#include "rule_change_priv.h"

#include <strew/builder.h>

/* What would need larger margins than this is weighed anew, if that helps. */
#define FAR 64

static struct select_side root_of(const struct rule_call *call)
{
	const struct flat_step *step = flat_steps(call->flat, call->rule);
	struct select_side side;

	while (step->op != STREW_OP_TAKE)
		step++;
	side.bucket = flat_bucket_of(call->flat, step->arg1);
	side.args = flat_args_of(call->flat, call->set, (uint32_t)(-1 - step->arg1));
	return side;
}

strew_status rule_trace_weigh(struct rule_trace *trace, const struct rule_call *call,
			      const strew_allocator *allocator)
{
	struct select_side root = root_of(call);

	return select_weigh(&trace->weighing, &root, allocator) ? STREW_OK : STREW_ENOMEM;
}

void rule_trace_free_weighing(struct rule_trace *trace, const strew_allocator *allocator)
{
	select_weighing_free(&trace->weighing, allocator);
}

void rule_trace_measure(const struct rule_trace *trace, const struct rule_call *call,
			const uint32_t *xs, size_t first, uint32_t count)
{
	for (size_t r = 0; r < (size_t)trace->want; r++)
		select_measure(call->kernel, &trace->weighing, xs + first, (uint32_t)r,
			       count, trace->margins + r * trace->inputs + first);
}

/* What makes an answer the same in both maps as it was by the weighing. */
static uint32_t needed_margin(const struct select_weighing *weighing,
			      const struct rule_change *change)
{
	struct select_side from = root_of(&change->from), to = root_of(&change->to);
	uint32_t a = select_needed_margin(weighing, &from);
	uint32_t b = select_needed_margin(weighing, &to);

	return a > b ? a : b;
}

bool rule_change_need_margin(struct rule_change *change, struct rule_trace *trace,
			     const strew_allocator *allocator)
{
	struct select_side root = root_of(&change->from);
	struct select_weighing fresh;
	uint32_t margin;

	change->margin = needed_margin(&trace->weighing, change);
	if (change->margin <= FAR)
		return true;
	if (!select_weigh(&fresh, &root, allocator))
		return false;
	margin = needed_margin(&fresh, change);
	if (margin > FAR) {
		select_weighing_free(&fresh, allocator);
		return true;
	}
	select_weighing_free(&trace->weighing, allocator);
	trace->weighing = fresh;
	trace->measured = false;
	change->margin = margin;
	return true;
}
