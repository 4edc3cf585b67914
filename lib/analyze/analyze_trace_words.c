/* SPDX-License-Identifier: MIT */
/* Names and words of a trace, and the candidates of its draws. */
#include "analyze_trace_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base_fixed.h"

int32_t analyze_trace_id(const struct trace *trace, int32_t ref)
{
	return flat_id_of(trace->call.flat, ref);
}

const char *analyze_trace_name(const struct trace *trace, int32_t ref)
{
	if (ref == FLAT_NONE || ref == FLAT_UNDEF)
		return "NONE";
	return analyze_item_name(trace->map, analyze_trace_id(trace, ref));
}

const char *analyze_trace_type(const struct trace *trace, int32_t type)
{
	const char *name =
		type == 0 ? ANALYZE_DEVICE_TYPE : strew_map_type_name(trace->map, type);

	return name ? name : "?";
}

const char *analyze_trace_selector(const struct trace_row *row)
{
	return row->permuted ? "permutation" : select_at(row->bucket->selector)->name;
}

bool analyze_trace_is_msr(const struct trace *trace)
{
	return map_kind_is_msr(trace->rule->kind);
}

void analyze_trace_add_refs(struct base_str *text, const struct trace *trace,
			    const struct trace_row *row)
{
	const int32_t *refs = trace->refs.items;

	for (size_t i = 0; i < row->count; i++)
		base_str_addf(text, "%s%s", i > 0 ? ", " : "",
			      analyze_trace_name(trace, refs[row->first + i]));
	if (row->count == 0)
		base_str_add(text, "nothing");
}

const char *analyze_trace_verdict(enum rule_verdict verdict)
{
	static const char *const words[] = {
		[RULE_TAKEN] = "taken",      [RULE_COLLIDED] = "collision",
		[RULE_OUT] = "out",          [RULE_LEAFLESS] = "no-leaf",
		[RULE_EMPTY] = "empty",      [RULE_WRONG_TYPE] = "wrong-type",
		[RULE_UNPLACED] = "unplaced"};

	return words[verdict];
}

static void add_collision(struct base_str *text, const struct trace *trace,
			  const struct trace_row *row)
{
	base_str_addf(text, "%s is taken already", analyze_trace_name(trace, row->ref));
	if (row->holder >= 0)
		base_str_addf(text, ", for place %" PRId64, row->holder);
}

static void add_out(struct base_str *text, const struct trace *trace,
		    const struct trace_row *row)
{
	uint32_t reweight = flat_device_reweights(trace->call.flat)[row->ref];

	base_str_addf(text, "%s is out: its reweight is %.4g",
		      analyze_trace_name(trace, row->ref),
		      base_fixed_to_double(reweight));
	if (reweight > 0)
		base_str_addf(
			text,
			", and the input's hash for it 0x%04" PRIx32
			" is not below 0x%04" PRIx32,
			rule_reweight_hash(trace->call.flat, row->ref, trace->call.x),
			reweight);
}

static void add_leafless(struct base_str *text, const struct trace *trace,
			 const struct trace_row *row)
{
	base_str_addf(text, "no device of %s could be taken",
		      analyze_trace_name(trace, row->ref));
}

static void add_empty(struct base_str *text, const struct trace *trace,
		      const struct trace_row *row)
{
	base_str_addf(text, "%s has no items",
		      row->kind == TRACE_VOID ? "the bucket"
					      : analyze_trace_name(trace, row->ref));
}

static void add_wrong_type(struct base_str *text, const struct trace *trace,
			   const struct trace_row *row)
{
	base_str_addf(
		text, "%s is of type %s, and the step asks for type %s",
		analyze_trace_name(trace, row->ref),
		analyze_trace_type(
			trace,
			row->ref >= 0 ? 0
				      : flat_bucket_of(trace->call.flat, row->ref)->type),
		row->leaf
			? ANALYZE_DEVICE_TYPE
			: analyze_trace_type(trace, trace->rule->steps[row->step].arg2));
}

static void add_unplaced(struct base_str *text, const struct trace *trace,
			 const struct trace_row *row)
{
	base_str_addf(text,
		      "nothing comes of %s: in a rule of this kind the last step "
		      "chooses devices, and those before it buckets",
		      analyze_trace_name(trace, row->ref));
}

static void add_taken(struct base_str *text, const struct trace *trace,
		      const struct trace_row *row)
{
	(void)trace;
	base_str_addf(text, "taken for place %" PRIu32, row->place);
}

void analyze_trace_add_reason(struct base_str *text, const struct trace *trace,
			      const struct trace_row *row)
{
	static void (*const adders[])(struct base_str *, const struct trace *,
				      const struct trace_row *) = {
		[RULE_TAKEN] = add_taken,       [RULE_COLLIDED] = add_collision,
		[RULE_OUT] = add_out,           [RULE_LEAFLESS] = add_leafless,
		[RULE_EMPTY] = add_empty,       [RULE_WRONG_TYPE] = add_wrong_type,
		[RULE_UNPLACED] = add_unplaced,
	};

	adders[row->verdict](text, trace, row);
}

static int compare_straws(const void *left, const void *right)
{
	const struct select_candidate *a = left, *b = right;

	if (a->straw != b->straw)
		return a->straw > b->straw ? -1 : 1;
	return (a->item > b->item) - (a->item < b->item);
}

void analyze_trace_explain(struct trace *trace, struct trace_draw *draw)
{
	const struct trace_row *row = draw->row;
	struct select_candidate *all = trace->candidates;
	size_t most = trace->how.candidates;

	draw->races = !row->permuted &&
		      (select_at(row->bucket->selector)->flags & SELECT_RACES);
	draw->count = row->permuted ? select_explain_permuted(row->bucket, &row->in, all)
				    : select_explain(row->bucket, &row->in, all);
	if (draw->races)
		qsort(all, draw->count, sizeof(*all), compare_straws);
	draw->all = all;
	if (flat_refs(row->bucket)[analyze_trace_winner(draw)->item] != row->ref)
		trace->wrong = true;
	draw->first = 0;
	draw->end = draw->count;
	if (draw->count <= most)
		return;
	/* Elsewhere the last ones decide. */
	if (draw->races)
		draw->end = (uint32_t)most;
	else
		draw->first = draw->count - (uint32_t)most;
}

const struct select_candidate *analyze_trace_winner(const struct trace_draw *draw)
{
	return &draw->all[draw->races ? 0 : draw->count - 1];
}

double analyze_trace_behind(const struct trace_draw *draw,
			    const struct select_candidate *candidate)
{
	double best = (double)draw->all[0].straw, own = (double)candidate->straw;

	if (!draw->races || candidate == draw->all || candidate->straw == INT64_MIN)
		return NAN;
	/* Straws of straw2 count down from 0, those of straw up. */
	if (best < 0 && own < 0)
		return own / best;
	return best > 0 && own > 0 ? best / own : NAN;
}
