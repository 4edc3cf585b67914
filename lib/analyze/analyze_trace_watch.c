/* SPDX-License-Identifier: MIT */
/* Keeping what a rule and a placement tell. */
#include "analyze_trace_priv.h"

#include <string.h>

/* NULL: there are too many, or no memory. */
static struct trace_row *add_row(struct trace *trace, enum trace_kind kind)
{
	struct trace_row *row;

	if (trace->rows.count >= TRACE_ROWS_MAX) {
		trace->untold++;
		return NULL;
	}
	row = base_vec_push(&trace->rows, trace->allocator, sizeof(*row));
	if (row == NULL) {
		trace->failed = true;
		return NULL;
	}
	row->kind = kind;
	row->step = trace->step;
	row->holder = -1;
	return row;
}

/* A result that is full takes no more. */
static uint32_t count_emitted(struct trace *trace, uint32_t count)
{
	uint32_t room = (uint32_t)trace->call.want - trace->emitted;

	if (count > room)
		count = room;
	trace->emitted += count;
	return count;
}

static void keep_refs(struct trace *trace, struct trace_row *row,
		      const struct rule_event *event)
{
	uint32_t count = event->count;
	int32_t *refs;

	if (trace->rule->steps[event->step].op == STREW_OP_EMIT)
		count = count_emitted(trace, count);
	row->first = trace->refs.count;
	if (count == 0)
		return;
	refs = base_vec_extend(&trace->refs, trace->allocator, sizeof(*refs), count);
	if (refs == NULL) {
		trace->failed = true;
		return;
	}
	memcpy(refs, event->refs, count * sizeof(*refs));
	row->count = count;
}

static void open_window(struct trace *trace, uint32_t place)
{
	trace->window++;
	trace->window_place = place;
}

static void begin_step(struct trace *trace, const struct rule_event *event)
{
	struct trace_row *row;

	trace->step = event->step;
	trace->working = event->count;
	row = add_row(trace, TRACE_STEP);
	if (event->settings == NULL)
		open_window(trace, 0);
	if (row == NULL)
		return;
	keep_refs(trace, row, event);
	row->tries = event->settings ? event->settings->choose_tries : 0;
}

static void begin_window(struct trace *trace, const struct rule_event *event)
{
	struct trace_row *row = add_row(trace, TRACE_WINDOW);

	open_window(trace, event->place);
	if (row == NULL)
		return;
	row->ref = event->ref;
	row->place = event->place;
	row->count = trace->working;
}

static void begin_attempt(struct trace *trace, const struct rule_event *event)
{
	trace->attempts[trace->depth++] = (struct trace_attempt){
		.event = *event, .row = -1, .first = trace->rows.count};
	trace->tries++;
}

/* A row of the attempt in hand. In MSR rules the steps run one inside the other. */
static struct trace_row *add_attempt_row(struct trace *trace, enum trace_kind kind,
					 const struct rule_event *event)
{
	struct trace_row *row = add_row(trace, kind);

	if (row == NULL)
		return NULL;
	row->place = trace->window_place + event->place;
	row->rank = event->rank;
	row->number = event->number;
	if (analyze_trace_is_msr(trace))
		row->step += 1 + event->level;
	return row;
}

static void keep_draw(struct trace *trace, const struct rule_event *event)
{
	struct trace_attempt *attempt = &trace->attempts[trace->depth - 1];
	struct trace_row *row = add_attempt_row(trace, TRACE_DRAW, &attempt->event);

	trace->draws++;
	attempt->ref = event->ref;
	attempt->row = row ? (int64_t)trace->rows.count - 1 : -1;
	if (row) {
		row->leaf = trace->depth > 1;
		row->opens = !attempt->drawn;
		row->bucket = event->bucket;
		row->ref = event->ref;
		row->in = *event->in;
		row->permuted = event->permuted;
	}
	attempt->drawn = true;
}

static struct trace_holder *holder_of(const struct trace *trace, int32_t ref)
{
	return &trace->holders[ref >= 0 ? (size_t)ref
					: trace->call.flat->device_count +
						  (size_t)(-1 - ref)];
}

/* @return the place that had the item, or has it from now on; -1: none */
static int64_t find_holder(const struct trace *trace, const struct trace_attempt *attempt,
			   enum rule_verdict verdict)
{
	struct trace_holder *holder;

	if (!attempt->drawn)
		return -1;
	holder = holder_of(trace, attempt->ref);
	if (verdict == RULE_TAKEN)
		*holder = (struct trace_holder){
			trace->window, trace->window_place + attempt->event.place};
	return holder->window == trace->window ? (int64_t)holder->place : -1;
}

static void mark_collided(struct trace *trace, const struct trace_attempt *attempt)
{
	struct trace_row *rows = trace->rows.items;

	for (size_t i = attempt->first; i < trace->rows.count; i++)
		rows[i].collided = true;
}

static void end_attempt(struct trace *trace, const struct rule_event *event)
{
	struct trace_attempt *attempt = &trace->attempts[--trace->depth];
	struct trace_row *rows = trace->rows.items;
	int64_t holder = find_holder(trace, attempt, event->verdict);
	struct trace_row *row = attempt->row >= 0 ? &rows[attempt->row] : NULL;

	trace->rejected += event->verdict != RULE_TAKEN;
	if (event->verdict == RULE_COLLIDED)
		mark_collided(trace, attempt);
	if (!attempt->drawn) {
		row = add_attempt_row(trace, TRACE_VOID, &attempt->event);
		if (row) {
			row->leaf = trace->depth > 0;
			row->opens = true;
		}
	}
	if (row == NULL)
		return;
	row->judged = true;
	row->verdict = event->verdict;
	row->holder = holder;
}

static void give_up(struct trace *trace, const struct rule_event *event)
{
	/* That no device was found below an item is the verdict on the item. */
	if (trace->depth == 0)
		add_attempt_row(trace, TRACE_GIVE_UP, event);
}

void analyze_trace_tell_rule(void *ctx, const struct rule_event *event)
{
	static void (*const handlers[])(struct trace *, const struct rule_event *) = {
		[RULE_STEP] = begin_step,       [RULE_WINDOW] = begin_window,
		[RULE_ATTEMPT] = begin_attempt, [RULE_DRAW] = keep_draw,
		[RULE_VERDICT] = end_attempt,   [RULE_GIVE_UP] = give_up,
	};

	handlers[event->kind](ctx, event);
}

void analyze_trace_tell_place(void *ctx, const struct place_event *event)
{
	struct trace *trace = ctx;
	struct place_event *kept;

	if (event->kind == PLACE_RULE) {
		trace->call = *event->call;
		trace->rule = map_rule_by_id(trace->map, event->call->rule->id);
		return;
	}
	kept = base_vec_push(&trace->events, trace->allocator, sizeof(*kept));
	if (kept)
		*kept = *event;
	else
		trace->failed = true;
}
