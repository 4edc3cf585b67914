/* SPDX-License-Identifier: MIT */
/* The tables "steps" and "candidates". */
#include <inttypes.h>
#include <math.h>

#include "analyze_trace_priv.h"
#include "base_fixed.h"

static const struct result_column step_columns[] = {
	{"step", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"action", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"event", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"place", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"rank", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"attempt", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"sought", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"draw", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bucket", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"bucket_id", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"selector", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"r", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"weight_row", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"item", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"item_id", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"runner_up", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"lead", NULL, STREW_CELL_REAL, RESULT_FACTOR},
	{"verdict", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"reason", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"working_set", NULL, STREW_CELL_SET, RESULT_PLAIN},
};

static const struct result_column candidate_columns[] = {
	{"draw", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"order", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"item", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"item_id", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"node", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"hashed_id", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"weight", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"hash", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"log", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"scale", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"straw", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"behind", NULL, STREW_CELL_REAL, RESULT_FACTOR},
	{"chosen", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void analyze_trace_add_tables(struct trace *trace)
{
	trace->steps = result_add_table(trace->result, "steps", NULL, step_columns,
					COUNT(step_columns), RESULT_NO_TEXT);
	trace->candidate_table =
		result_add_table(trace->result, "candidates", NULL, candidate_columns,
				 COUNT(candidate_columns), RESULT_NO_TEXT);
}

static void add_nulls(strew_table *table, int count)
{
	for (int i = 0; i < count; i++)
		result_null(table);
}

static const char *event_name(enum trace_kind kind)
{
	static const char *const names[] = {
		[TRACE_STEP] = "step", [TRACE_WINDOW] = "below",    [TRACE_DRAW] = "draw",
		[TRACE_VOID] = "void", [TRACE_GIVE_UP] = "give-up",
	};

	return names[kind];
}

static void add_action(struct trace *trace, const struct trace_row *row)
{
	struct base_str text;

	base_str_init(&text, trace->allocator);
	analyze_add_step(&text, trace->map, &trace->rule->steps[row->step]);
	result_text(trace->steps, base_str_text(&text));
	trace->failed |= !base_str_ok(&text);
	base_str_free(&text);
}

static void add_reason(struct trace *trace, const struct trace_row *row)
{
	struct base_str text;

	base_str_init(&text, trace->allocator);
	analyze_trace_add_reason(&text, trace, row);
	result_text(trace->steps, analyze_trace_verdict(row->verdict));
	result_text(trace->steps, base_str_text(&text));
	trace->failed |= !base_str_ok(&text);
	base_str_free(&text);
}

static void add_item(struct trace *trace, int32_t ref)
{
	result_text(trace->steps, analyze_trace_name(trace, ref));
	result_integer(trace->steps,
		       ref == FLAT_NONE ? INT64_MIN : analyze_trace_id(trace, ref));
}

static void add_attempt(struct trace *trace, const struct trace_row *row)
{
	const char *type = analyze_trace_type(trace, trace->rule->steps[row->step].arg2);

	result_integer(trace->steps, row->place);
	result_integer(trace->steps, row->rank);
	result_integer(trace->steps, row->number);
	result_text(trace->steps, row->leaf ? ANALYZE_DEVICE_TYPE : type);
}

/* Which item would have been chosen without the one that was. */
static void add_lead(struct trace *trace, const struct trace_draw *draw)
{
	const struct select_candidate *second = draw->all + 1;

	if (!draw->races || draw->count < 2 || second->straw == INT64_MIN) {
		add_nulls(trace->steps, 2);
		return;
	}
	result_text(
		trace->steps,
		analyze_trace_name(trace, flat_refs(draw->row->bucket)[second->item]));
	result_real(trace->steps, analyze_trace_behind(draw, second));
}

/* Which row of a weight set was used. */
static int64_t find_weight_row(const struct trace_row *row)
{
	const struct flat_args *args = row->in.args;

	if (args == NULL || args->weights == 0 || row->permuted ||
	    !(select_at(row->bucket->selector)->flags & SELECT_SETS))
		return INT64_MIN;
	return row->in.position < args->positions ? row->in.position
						  : args->positions - 1;
}

static void add_draw(struct trace *trace, const struct trace_draw *draw)
{
	const struct trace_row *row = draw->row;

	result_integer(trace->steps, (int64_t)draw->number);
	result_text(trace->steps, analyze_item_name(trace->map, row->bucket->id));
	result_integer(trace->steps, row->bucket->id);
	result_text(trace->steps, analyze_trace_selector(row));
	result_integer(trace->steps, row->in.r);
	result_integer(trace->steps, find_weight_row(row));
	add_item(trace, row->ref);
	add_lead(trace, draw);
}

/* The ids of what a step works on. */
static void add_set(struct trace *trace, const struct trace_row *row)
{
	int32_t *refs = (int32_t *)trace->refs.items + row->first;

	/* Each step's are used once. */
	for (size_t i = 0; i < row->count; i++)
		refs[i] = analyze_trace_id(trace, refs[i]);
	result_set(trace->steps, refs, row->count);
}

static void add_candidate(struct trace *trace, const struct trace_draw *draw, uint32_t at)
{
	const struct select_candidate *candidate = &draw->all[at];
	strew_table *table = trace->candidate_table;
	bool is_node = candidate->item == SELECT_NODE;
	int32_t ref = is_node ? FLAT_NONE : flat_refs(draw->row->bucket)[candidate->item];

	result_row(table);
	result_integer(table, (int64_t)draw->number);
	result_integer(table, at + 1);
	result_text(table, is_node ? NULL : analyze_trace_name(trace, ref));
	result_integer(table, is_node ? INT64_MIN : analyze_trace_id(trace, ref));
	result_integer(table, candidate->node ? candidate->node : INT64_MIN);
	result_integer(table, is_node ? INT64_MIN : candidate->id);
	result_real(table, base_fixed_to_double(candidate->weight));
	result_integer(table, candidate->scale ? candidate->hash : INT64_MIN);
	result_integer(table, candidate->log ? (int64_t)candidate->log : INT64_MIN);
	result_integer(table, candidate->scale);
	result_integer(table, candidate->straw);
	result_real(table, analyze_trace_behind(draw, candidate));
	result_integer(table, candidate == analyze_trace_winner(draw));
}

static void add_candidates(struct trace *trace, const struct trace_draw *draw)
{
	for (uint32_t i = draw->first; i < draw->end; i++) {
		if (trace->candidate_rows++ < TRACE_CANDIDATES_MAX)
			add_candidate(trace, draw, i);
	}
}

void analyze_trace_fill_row(struct trace *trace, const struct trace_draw *draw)
{
	const struct trace_row *row = draw->row;

	result_row(trace->steps);
	result_integer(trace->steps, row->step + 1);
	add_action(trace, row);
	result_text(trace->steps, event_name(row->kind));
	if (row->kind == TRACE_STEP || row->kind == TRACE_WINDOW)
		add_nulls(trace->steps, 4);
	else
		add_attempt(trace, row);
	if (row->kind == TRACE_DRAW) {
		add_draw(trace, draw);
		add_candidates(trace, draw);
	} else {
		add_nulls(trace->steps, 6);
		if (row->kind == TRACE_WINDOW)
			add_item(trace, row->ref);
		else
			add_nulls(trace->steps, 2);
		add_nulls(trace->steps, 2);
	}
	if (row->judged)
		add_reason(trace, row);
	else
		add_nulls(trace->steps, 2);
	if (row->kind == TRACE_STEP && row->count > 0)
		add_set(trace, row);
}
