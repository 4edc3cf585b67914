/* SPDX-License-Identifier: MIT */
#include "analyze_trace_priv.h"

#include <inttypes.h>
#include <string.h>

#include "base_error.h"
#include "place.h"

static strew_status refuse_many(const struct trace *trace)
{
	static const char *const units[] = {[ANALYZE_PGS] = "PGs",
					    [ANALYZE_RAW] = "inputs",
					    [ANALYZE_OBJECTS] = "objects"};

	return base_error_set(
		trace->error, STREW_EINVAL,
		"one placement is traced at a time: a PG (--pg), an object "
		"(--object) or a rule's input (--rule and --x), not %" PRIu64 " %s",
		trace->plan.units, units[trace->plan.kind]);
}

static strew_set set_of(struct trace *trace, int stage)
{
	return (strew_set){.devices = trace->sets[stage],
			   .room = STREW_WANT_MAX,
			   .primary = STREW_NONE};
}

static strew_status hash_object(struct trace *trace)
{
	const strew_named_object *named;
	strew_object object = {0};

	if (trace->plan.kind != ANALYZE_OBJECTS)
		return STREW_OK;
	named = analyze_object(&trace->plan, 0);
	object.name = named->name;
	object.name_len = named->name_len;
	return place_object_hash(&trace->hash, trace->placer,
				 trace->plan.groups[0].pools[0]->id, &object);
}

static strew_status run(struct trace *trace, strew_scratch *scratch)
{
	const struct place_watch watch = {
		analyze_trace_tell_place, {analyze_trace_tell_rule, trace}, trace};
	const struct analyze_plan *plan = &trace->plan;
	strew_status status = hash_object(trace);

	trace->stages.raw = set_of(trace, 0);
	trace->stages.up = set_of(trace, 1);
	trace->stages.acting = set_of(trace, 2);
	if (status)
		return status;
	if (plan->kind == ANALYZE_RAW)
		return place_raw_watched(&trace->stages.up, trace->placer,
					 plan->inputs.rule, analyze_hashed_input(plan, 0),
					 plan->inputs.want, &watch, scratch);
	trace->pg = analyze_unit_pg(plan, 0, trace->placer);
	return place_pg_watched(&trace->stages, trace->placer, trace->pg, &watch,
				scratch);
}

static bool sets_differ(const strew_set *a, const strew_set *b)
{
	return a->count != b->count || a->primary != b->primary ||
	       memcmp(a->devices, b->devices, (size_t)a->count * sizeof(*a->devices));
}

/* Is it what the placer says? */
static strew_status compare(struct trace *trace, strew_scratch *scratch)
{
	struct analyze_units units = {.plan = &trace->plan,
				      .placer = trace->placer,
				      .rule = trace->plan.inputs.rule,
				      .want = trace->plan.inputs.want,
				      .count = 1};
	int32_t *devices =
		base_calloc(trace->allocator, 3 * STREW_WANT_MAX, sizeof(*devices));
	strew_stages stages;
	strew_pg pg;

	if (devices == NULL)
		return base_error_nomem(trace->error);
	stages = trace->stages;
	stages.raw.devices = devices;
	stages.up.devices = devices + STREW_WANT_MAX;
	stages.acting.devices = devices + 2 * STREW_WANT_MAX;
	analyze_place_units(&stages, &pg, &units, scratch);
	trace->wrong |= sets_differ(&stages.raw, &trace->stages.raw) ||
			sets_differ(&stages.up, &trace->stages.up) ||
			sets_differ(&stages.acting, &trace->stages.acting);
	base_free(trace->allocator, devices, 3 * STREW_WANT_MAX * sizeof(*devices));
	return STREW_OK;
}

static strew_status place(struct trace *trace)
{
	strew_scratch *scratch;
	strew_status status = strew_scratch_new(&scratch, trace->placer, trace->error);

	if (status == STREW_OK)
		status = run(trace, scratch);
	if (status == STREW_OK)
		status = compare(trace, scratch);
	strew_scratch_free(scratch);
	return status;
}

static void add_subject(struct base_str *text, const struct trace *trace)
{
	const strew_named_object *object;

	if (trace->plan.kind == ANALYZE_RAW) {
		base_str_addf(text, "input %" PRIu32 " of rule %s",
			      analyze_raw_input(&trace->plan, 0), trace->rule->name);
		return;
	}
	if (trace->plan.kind == ANALYZE_OBJECTS) {
		object = analyze_object(&trace->plan, 0);
		base_str_add_bytes(text, object->name, object->name_len);
		base_str_add(text, " → ");
	}
	base_str_addf(text, "PG %" PRId64 ".%" PRIx32, trace->pg.pool, trace->pg.seed);
}

static const strew_set *last_set(const struct trace *trace)
{
	return trace->plan.kind == ANALYZE_RAW ? &trace->stages.up
					       : &trace->stages.acting;
}

/* A rule may end at buckets. */
static void add_item(struct base_str *text, const struct trace *trace, int32_t id)
{
	if (id < 0)
		base_str_add(text, analyze_item_name(trace->map, id));
	else
		analyze_add_device(text, &trace->tree, id);
}

static void tell_headline(struct trace *trace)
{
	const strew_set *set = last_set(trace);
	struct base_str text;

	base_str_init(&text, trace->allocator);
	add_subject(&text, trace);
	base_str_add(&text, " →");
	for (int i = 0; i < set->count; i++) {
		base_str_add(&text, i > 0 ? "  " : " ");
		add_item(&text, trace, set->devices[i]);
	}
	if (set->count == 0)
		base_str_add(&text, " no device");
	base_str_addf(&text, "    primary %s",
		      set->primary == STREW_NONE
			      ? "NONE"
			      : analyze_item_name(trace->map, set->primary));
	result_set_headline(trace->result, "%s", base_str_text(&text));
	trace->failed |= !base_str_ok(&text);
	base_str_free(&text);
}

static const struct result_column summary_columns[] = {
	{"object", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"pool", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pg", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"x", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"rule", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"size", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"devices", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"primary", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"draws", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"attempts", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"rejected", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"untold", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
};

static void fill_summary(struct trace *trace)
{
	strew_table *table =
		result_add_table(trace->result, "summary", NULL, summary_columns,
				 sizeof(summary_columns) / sizeof(summary_columns[0]),
				 RESULT_RECORD | RESULT_NO_TEXT);
	const strew_set *set = last_set(trace);
	bool is_object = trace->plan.kind == ANALYZE_OBJECTS;

	result_row(table);
	if (is_object)
		result_textf(table, "%.*s",
			     (int)analyze_object(&trace->plan, 0)->name_len,
			     analyze_object(&trace->plan, 0)->name);
	else
		result_null(table);
	if (trace->plan.kind == ANALYZE_RAW) {
		result_null(table);
		result_null(table);
	} else {
		result_integer(table, trace->pg.pool);
		result_textf(table, "%" PRId64 ".%" PRIx32, trace->pg.pool,
			     trace->pg.seed);
	}
	result_integer(table, trace->call.x);
	result_text(table, trace->rule->name);
	result_integer(table, trace->call.want);
	result_set(table, set->devices, (size_t)set->count);
	result_integer(table, set->primary);
	result_integer(table, (int64_t)trace->draws);
	result_integer(table, (int64_t)trace->tries);
	result_integer(table, (int64_t)trace->rejected);
	result_integer(table, (int64_t)trace->untold);
}

/* How selectors choose. */
static const struct {
	const char *selector;
	const char *text;
} laws[] = {
	{"straw2",
	 "straw2: an item's straw is the logarithm of its hash, 0 at most, by its "
	 "weight. The highest wins."},
	{"straw",
	 "straw: an item's straw is its hash, as a fraction, times the length made "
	 "for its weight. The highest wins."},
	{"list",
	 "list: from the newest item on, the first is chosen whose straw, the hash's "
	 "part of the weights up to its own, is below its weight."},
	{"tree",
	 "tree: at each node it goes to the left if the straw, the hash's part of the "
	 "node's weight, is below the weight there."},
	{"uniform",
	 "uniform: the item at place r of a permutation, modulo the number of items; "
	 "a straw is how far the place's item is swapped."},
	{"permutation",
	 "permutation: after many failures in a bucket its items are tried in "
	 "the order of a permutation."},
};

static bool uses(const struct trace *trace, const char *selector)
{
	const struct trace_row *rows = analyze_trace_rows(trace);

	for (size_t i = 0; i < trace->rows.count; i++)
		if (rows[i].kind == TRACE_DRAW &&
		    strcmp(analyze_trace_selector(&rows[i]), selector) == 0)
			return true;
	return false;
}

static void add_notes(struct trace *trace)
{
	if (trace->untold > 0)
		result_add_warning(trace->result,
				   "%" PRIu64 " more of what the rule did isn't told: it "
				   "tried for too long.",
				   trace->untold);
	if (trace->candidate_rows > TRACE_CANDIDATES_MAX)
		result_add_warning(trace->result,
				   "The table of candidates ends after %d of %" PRIu64
				   ".",
				   TRACE_CANDIDATES_MAX, trace->candidate_rows);
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++)
		if (uses(trace, laws[i].selector))
			result_add_note(trace->result, "%s", laws[i].text);
}

static void fill_rows(struct trace *trace)
{
	uint64_t number = 0;

	for (size_t i = 0; i < trace->rows.count; i++) {
		struct trace_draw draw = {.row = &analyze_trace_rows(trace)[i]};

		if (draw.row->kind == TRACE_DRAW) {
			draw.number = ++number;
			analyze_trace_explain(trace, &draw);
		}
		/* The table takes the working sets. */
		analyze_trace_tell_row(trace, &draw);
		analyze_trace_fill_row(trace, &draw);
	}
}

static const struct result_picture descent = {
	.shape = RESULT_DESCENT,
	.title = "The way down: who won in each bucket, and how near the next one came",
	.columns = {"step", "place", "bucket", "item", "runner_up", "lead", "verdict",
		    "reason"}};

static strew_status fill(struct trace *trace)
{
	strew_status status = analyze_tree_new(&trace->tree, trace->map, trace->allocator,
					       trace->error);

	trace->result = result_new("trace", trace->allocator);
	if (trace->result == NULL)
		return base_error_nomem(trace->error);
	if (status)
		return status;
	analyze_trace_add_tables(trace);
	analyze_trace_tell_beginning(trace);
	analyze_trace_add_story(trace);
	fill_rows(trace);
	analyze_trace_tell_end(trace);
	fill_summary(trace);
	result_draw(trace->result, "steps", &descent);
	tell_headline(trace);
	add_notes(trace);
	if (trace->failed || result_status(trace->result))
		return base_error_nomem(trace->error);
	if (trace->wrong)
		return base_error_set(trace->error, STREW_EINTERNAL,
				      "what is traced isn't what is placed: please "
				      "report this, with the map");
	return STREW_OK;
}

static size_t most_items(const strew_map *map)
{
	size_t most = 0;

	for (size_t i = 0; i < map->bucket_count; i++)
		if (most < map->buckets[i].item_count)
			most = map->buckets[i].item_count;
	return most;
}

static strew_status prepare(struct trace *trace, size_t room)
{
	trace->holders = base_calloc(trace->allocator, trace->holder_count,
				     sizeof(*trace->holders));
	trace->candidates =
		base_alloc(trace->allocator, room, sizeof(*trace->candidates));
	return trace->holders && trace->candidates ? STREW_OK
						   : base_error_nomem(trace->error);
}

static strew_status trace_all(struct trace *trace, strew_result **out)
{
	size_t room = most_items(trace->map) + SELECT_CANDIDATES_MORE;
	strew_status status = prepare(trace, room);

	if (status == STREW_OK)
		status = place(trace);
	if (status == STREW_OK)
		status = fill(trace);
	if (status == STREW_OK)
		*out = trace->result;
	else
		strew_result_free(trace->result);
	base_free(trace->allocator, trace->candidates, room * sizeof(*trace->candidates));
	base_free(trace->allocator, trace->holders,
		  trace->holder_count * sizeof(*trace->holders));
	base_vec_free(&trace->rows, trace->allocator);
	base_vec_free(&trace->refs, trace->allocator);
	base_vec_free(&trace->events, trace->allocator);
	analyze_tree_free(&trace->tree, trace->allocator);
	return status;
}

strew_status strew_trace(strew_result **out, const strew_placer *placer,
			 const strew_inputs *inputs, const strew_trace_options *options,
			 const strew_run *run_with, strew_error *error)
{
	strew_run with = STREW_RUN_INIT;
	const strew_map *maps[2] = {strew_placer_map(placer), NULL};
	const strew_allocator *allocator;
	struct trace *trace;
	strew_status status;

	*out = NULL;
	analyze_read_options(&with, run_with);
	allocator = base_allocator_or_heap(with.allocator);
	trace = base_calloc(allocator, 1, sizeof(*trace));
	if (trace == NULL)
		return base_error_nomem(error);
	trace->how = (strew_trace_options)STREW_TRACE_OPTIONS_INIT;
	analyze_read_options(&trace->how, options);
	trace->placer = placer;
	trace->map = maps[0];
	trace->allocator = allocator;
	trace->error = error;
	trace->holder_count = maps[0]->device_count + maps[0]->bucket_count + 1;
	status = analyze_plan_new(&trace->plan, maps, inputs, allocator, error);
	if (status == STREW_OK) {
		status = trace->plan.units == 1 ? trace_all(trace, out)
						: refuse_many(trace);
		analyze_plan_free(&trace->plan);
	}
	base_free(allocator, trace, sizeof(*trace));
	return status;
}
