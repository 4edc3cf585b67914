/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_TRACE_PRIV_H
#define ANALYZE_TRACE_PRIV_H

#include "analyze.h"
#include "base_vec.h"
#include "flat.h"
#include "place_watch.h"
#include "select.h"

/** What is kept of a rule's run at most, and told of its candidates: rules may try
 * billions of times. The rest is counted. */
#define TRACE_ROWS_MAX       20000
#define TRACE_CANDIDATES_MAX 1000000

enum trace_kind {
	TRACE_STEP,   /* a step of the rule begins */
	TRACE_WINDOW, /* it goes on below an item of the working set */
	TRACE_DRAW,   /* a bucket was asked */
	TRACE_VOID,   /* an attempt that could not ask any */
	TRACE_GIVE_UP
};

struct trace_row {
	enum trace_kind kind;
	uint32_t step;   /* from 0 */
	uint32_t place;  /* in the step's result, of an MSR rule in the rule's */
	uint32_t rank;   /* what r counts from */
	uint32_t number; /* of the attempt, from 0; of a give-up: how many there were */
	bool leaf;       /* a device is sought below an item */
	bool opens;      /* the attempt's first */
	bool collided;   /* the attempt ended at an item that was taken already */
	/* Of a draw; the two also of a window. */
	const struct flat_bucket *bucket;
	int32_t ref; /* what was drawn, or where the window is */
	struct select_in in;
	bool permuted;
	/* Of an attempt's last one. */
	bool judged;
	enum rule_verdict verdict;
	int64_t holder; /* the place that has it already; -1: not known */
	/* Of a step: the working set, in trace->refs, and the tries that it has. Of a
	 * window only how large the set is. */
	size_t first;
	size_t count;
	uint32_t tries;
};

/* An attempt that has begun. */
struct trace_attempt {
	struct rule_event event;
	bool drawn;
	int32_t ref; /* drawn last */
	int64_t row; /* its row, or -1 */
	size_t first;
};

/* Where an item was taken last. */
struct trace_holder {
	uint32_t window; /* 0: nowhere */
	uint32_t place;
};

struct trace {
	strew_trace_options how;
	const strew_placer *placer;
	const strew_map *map;
	const strew_allocator *allocator;
	strew_error *error;
	struct analyze_plan plan;
	struct analyze_tree tree;
	bool failed; /* no memory */
	bool wrong;  /* what is told isn't what was placed */

	/* What was told. */
	struct rule_call call;
	const struct map_rule *rule;
	struct base_vec rows;   /* struct trace_row */
	struct base_vec refs;   /* int32_t: working sets */
	struct base_vec events; /* struct place_event: after the rule */
	struct trace_attempt attempts[2];
	uint32_t depth;
	uint32_t step;
	size_t working; /* items in the working set */
	uint32_t emitted;
	uint32_t window; /* how many there have been */
	uint32_t window_place;
	struct trace_holder *holders; /* by device, then by bucket */
	size_t holder_count;
	uint64_t draws, tries, rejected, untold;

	/* What was placed. */
	strew_pg pg;
	uint32_t hash; /* of an object's name */
	strew_stages stages;
	int32_t sets[3][STREW_WANT_MAX];

	struct select_candidate *candidates; /* room for those of any bucket */
	uint64_t candidate_rows;
	strew_result *result;
	strew_table *steps;
	strew_table *candidate_table;
	strew_table *stage_table;
	strew_table *story;
};

/** A draw with its candidates; of a race in order of their straws. */
struct trace_draw {
	const struct trace_row *row;
	uint64_t number; /* from 1 */
	bool races;
	const struct select_candidate *all;
	uint32_t count;
	uint32_t first; /* of those to be told */
	uint32_t end;
};

/** What a rule and a placement tell goes into rows and events. */
void analyze_trace_tell_rule(void *ctx, const struct rule_event *event);
void analyze_trace_tell_place(void *ctx, const struct place_event *event);

static inline const struct trace_row *analyze_trace_rows(const struct trace *trace)
{
	return trace->rows.items;
}

/** The candidates of a row's draw. They stand until the next call. */
void analyze_trace_explain(struct trace *trace, struct trace_draw *draw);
/** The one that was chosen. */
const struct select_candidate *analyze_trace_winner(const struct trace_draw *draw);
/** What a candidate's weight would have to be multiplied with to win; NAN: not known. */
double analyze_trace_behind(const struct trace_draw *draw,
			    const struct select_candidate *candidate);

/** Names and words. A ref's name; "NONE" for a hole. */
const char *analyze_trace_name(const struct trace *trace, int32_t ref);
int32_t analyze_trace_id(const struct trace *trace, int32_t ref);
const char *analyze_trace_type(const struct trace *trace, int32_t type);
const char *analyze_trace_selector(const struct trace_row *row);
bool analyze_trace_is_msr(const struct trace *trace);
/** "h3, h5" */
void analyze_trace_add_refs(struct base_str *text, const struct trace *trace,
			    const struct trace_row *row);
/** One word for a verdict, and a sentence on a row's. */
const char *analyze_trace_verdict(enum rule_verdict verdict);
void analyze_trace_add_reason(struct base_str *text, const struct trace *trace,
			      const struct trace_row *row);

/** Tables: of what a rule did; its story for people; of what became of the PG. */
void analyze_trace_add_tables(struct trace *trace);
void analyze_trace_fill_row(struct trace *trace, const struct trace_draw *draw);
void analyze_trace_tell_row(struct trace *trace, const struct trace_draw *draw);
void analyze_trace_tell_beginning(struct trace *trace);
void analyze_trace_tell_end(struct trace *trace);
void analyze_trace_add_story(struct trace *trace);

#endif
