/* SPDX-License-Identifier: MIT */
/* A trace for people: what the rule did, from step to step. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze_trace_priv.h"
#include "base_fixed.h"

/* Of further collisions it isn't told how they came about. */
#define FULL_ATTEMPTS 3

static const struct result_column columns[] = {
	{"what", "what the rule did", STREW_CELL_TEXT, RESULT_NAME},
	{"r", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"weight", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"hash", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"log2", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"straw", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"outcome", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

#define NUMBER_COLUMNS 5

void analyze_trace_add_story(struct trace *trace)
{
	trace->story = result_add_table(trace->result, "story", NULL, columns,
					sizeof(columns) / sizeof(columns[0]),
					RESULT_TEXT_ONLY | RESULT_NO_TITLE);
}

/* A row without numbers; the texts are taken. */
static void add_line(struct trace *trace, struct base_str *what, struct base_str *outcome)
{
	result_row(trace->story);
	result_text(trace->story, base_str_text(what));
	for (int i = 0; i < NUMBER_COLUMNS; i++)
		result_text(trace->story, "");
	result_text(trace->story, base_str_text(outcome));
}

static void tell_tries(struct base_str *text, const struct trace *trace,
		       const struct trace_row *row)
{
	const struct map_step *step = &trace->rule->steps[row->step];

	if (step->op == STREW_OP_EMIT && !analyze_trace_is_msr(trace)) {
		base_str_add(text, "→ ");
		analyze_trace_add_refs(text, trace, row);
	} else if (map_op_chooses((int)step->op) && !analyze_trace_is_msr(trace)) {
		base_str_addf(text, "up to %" PRIu32 " attempts each", row->tries);
	}
}

static void tell_step(struct trace *trace, const struct trace_row *row,
		      struct base_str *what, struct base_str *outcome)
{
	base_str_addf(what, "step %" PRIu32 ": ", row->step + 1);
	analyze_add_step(what, trace->map, &trace->rule->steps[row->step]);
	tell_tries(outcome, trace, row);
	add_line(trace, what, outcome);
}

static void add_item(struct base_str *text, const struct trace *trace, int32_t ref)
{
	if (ref < 0)
		base_str_addf(
			text, "%s ",
			analyze_trace_type(trace,
					   flat_bucket_of(trace->call.flat, ref)->type));
	base_str_add(text, analyze_trace_name(trace, ref));
}

static void tell_window(struct trace *trace, const struct trace_row *row,
			struct base_str *what, struct base_str *outcome)
{
	/* Of one bucket the draws tell. */
	if (row->count == 1 && row->ref < 0)
		return;
	base_str_add(what, "  below ");
	add_item(what, trace, row->ref);
	if (row->ref >= 0)
		base_str_add(outcome, "nothing is below it");
	add_line(trace, what, outcome);
}

/* "    host for place 1, attempt 2" */
static void tell_attempt(struct trace *trace, const struct trace_row *row,
			 struct base_str *what, struct base_str *outcome)
{
	base_str_addf(what, "  %s for place %" PRIu32,
		      analyze_trace_type(trace, trace->rule->steps[row->step].arg2),
		      row->place);
	if (row->number > 0)
		base_str_addf(what, ", attempt %" PRIu32, row->number + 1);
	add_line(trace, what, outcome);
	trace->failed |= !base_str_ok(what);
	base_str_clear(what);
}

static void tell_verdict(const struct trace *trace, const struct trace_row *row,
			 struct base_str *outcome)
{
	if (!row->judged)
		return;
	if (row->verdict != RULE_TAKEN)
		base_str_add(outcome, "rejected: ");
	analyze_trace_add_reason(outcome, trace, row);
}

static void tell_void(struct trace *trace, const struct trace_row *row,
		      struct base_str *what, struct base_str *outcome)
{
	base_str_add(what, row->leaf ? "      no draw" : "    no draw");
	tell_verdict(trace, row, outcome);
	add_line(trace, what, outcome);
}

static bool is_firstn(const struct trace *trace, const struct trace_row *row)
{
	strew_op op = trace->rule->steps[row->step].op;

	return op == STREW_OP_CHOOSE_FIRSTN || op == STREW_OP_CHOOSELEAF_FIRSTN;
}

static void tell_give_up(struct trace *trace, const struct trace_row *row,
			 struct base_str *what, struct base_str *outcome)
{
	base_str_addf(what, "  place %" PRIu32, row->place);
	if (analyze_trace_is_msr(trace))
		base_str_add(outcome, "given up, in this descent");
	else if (is_firstn(trace, row))
		base_str_add(outcome, "given up: what comes next moves up");
	else
		base_str_add(outcome, "given up: it stays a hole");
	add_line(trace, what, outcome);
}

/* Straws as people can compare them: weights in whole units, logarithms of base 2. */
static double straw_unit(const struct trace_draw *draw)
{
	unsigned flags = select_at(draw->row->bucket->selector)->flags;

	if (draw->row->permuted || (flags & SELECT_PERMUTES))
		return 1;
	if (!draw->races)
		return STREW_WEIGHT_ONE;
	return flags & SELECT_SETS ? 0x1p28 : 0x1p32;
}

static void tell_numbers(struct trace *trace, const struct trace_draw *draw,
			 const struct select_candidate *candidate)
{
	strew_table *story = trace->story;
	bool has_straw = candidate->scale > 0 && candidate->straw != INT64_MIN;

	result_textf(story, "%.6g", base_fixed_to_double(candidate->weight));
	if (candidate->scale > 0)
		result_textf(story, "0x%04" PRIx32, candidate->hash);
	else
		result_text(story, "");
	if (candidate->log > 0)
		result_textf(story, "%.6f", (double)candidate->log / 0x1p44 - 16);
	else
		result_text(story, "");
	if (has_straw)
		result_textf(story, "%.6g", (double)candidate->straw / straw_unit(draw));
	else
		result_text(story, "");
}

static bool is_study(const struct trace_draw *draw)
{
	return select_at(draw->row->bucket->selector)->flags & SELECT_STUDY;
}

static void add_answer(struct base_str *text, const struct trace_draw *draw,
		       const struct select_candidate *candidate)
{
	double behind = analyze_trace_behind(draw, candidate);

	if (candidate == analyze_trace_winner(draw))
		base_str_add(text, draw->races ? "wins" : "chosen");
	else if (draw->races && candidate->straw == INT64_MIN)
		base_str_add(text, "can't win: its weight is 0");
	else if (draw->races && !isnan(behind))
		base_str_addf(text, "would win with %.*g× its weight",
			      behind < 1.1 ? 5 : 3, behind);
	else if (candidate->item == SELECT_NODE)
		base_str_add(text, candidate->straw < candidate->weight
					   ? "to the left: below the weight there"
					   : "to the right");
	else if (is_study(draw))
		base_str_add(text, "comes before it, for a lower r");
	else if (!draw->races && straw_unit(draw) > 1)
		base_str_add(text, "passed over: not below its weight");
	else if (!draw->races)
		base_str_addf(text, "at place %td of the permutation",
			      candidate - draw->all);
}

static void tell_candidate(struct trace *trace, const struct trace_draw *draw,
			   uint32_t at, int indent)
{
	const struct select_candidate *candidate = &draw->all[at];
	struct base_str answer;

	base_str_init(&answer, trace->allocator);
	add_answer(&answer, draw, candidate);
	result_row(trace->story);
	if (candidate->item == SELECT_NODE)
		result_textf(trace->story, "%*snode %" PRIu32, indent, "",
			     candidate->node);
	else
		result_textf(
			trace->story, "%*s%s", indent, "",
			analyze_trace_name(
				trace, flat_refs(draw->row->bucket)[candidate->item]));
	result_text(trace->story, "");
	tell_numbers(trace, draw, candidate);
	result_text(trace->story, base_str_text(&answer));
	trace->failed |= !base_str_ok(&answer);
	base_str_free(&answer);
}

static void tell_draw(struct trace *trace, const struct trace_draw *draw,
		      struct base_str *what, struct base_str *outcome)
{
	const struct trace_row *row = draw->row;
	int indent = row->leaf ? 6 : 4;

	base_str_addf(what, "%*s", indent, "");
	add_item(what, trace,
		 -1 - (int32_t)flat_bucket_index(trace->call.flat, row->bucket));
	if (strcmp(analyze_trace_selector(row), "straw2") != 0)
		base_str_addf(what, " (%s)", analyze_trace_selector(row));
	base_str_add(outcome, "→ ");
	add_item(outcome, trace, row->ref);
	base_str_add(outcome, row->judged ? "; " : "");
	tell_verdict(trace, row, outcome);
	result_row(trace->story);
	result_text(trace->story, base_str_text(what));
	result_textf(trace->story, "%" PRIu32, row->in.r);
	for (int i = 1; i < NUMBER_COLUMNS; i++)
		result_text(trace->story, "");
	result_text(trace->story, base_str_text(outcome));
	if (row->number >= FULL_ATTEMPTS && row->collided)
		return;
	for (uint32_t i = draw->first; i < draw->end; i++)
		tell_candidate(trace, draw, i, indent + 2);
}

static void tell(struct trace *trace, const struct trace_draw *draw,
		 struct base_str *what, struct base_str *outcome)
{
	const struct trace_row *row = draw->row;

	if (row->opens && !row->leaf)
		tell_attempt(trace, row, what, outcome);
	switch (row->kind) {
	case TRACE_STEP:
		tell_step(trace, row, what, outcome);
		break;
	case TRACE_WINDOW:
		tell_window(trace, row, what, outcome);
		break;
	case TRACE_DRAW:
		tell_draw(trace, draw, what, outcome);
		break;
	case TRACE_VOID:
		tell_void(trace, row, what, outcome);
		break;
	case TRACE_GIVE_UP:
		tell_give_up(trace, row, what, outcome);
		break;
	}
}

void analyze_trace_tell_row(struct trace *trace, const struct trace_draw *draw)
{
	struct base_str what, outcome;

	base_str_init(&what, trace->allocator);
	base_str_init(&outcome, trace->allocator);
	tell(trace, draw, &what, &outcome);
	trace->failed |= !base_str_ok(&what) || !base_str_ok(&outcome);
	base_str_free(&what);
	base_str_free(&outcome);
}
