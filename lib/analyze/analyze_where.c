/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base_error.h"

#define NAMES_MAX 4

/* A unit's words: its PG's seed, the primary, how many devices, and these. */
enum { WORD_SEED, WORD_PRIMARY, WORD_COUNT, WORD_DEVICES };

struct where {
	strew_where_options how;
	const strew_placer *placer;
	const strew_map *map;
	const strew_allocator *allocator;
	strew_error *error;
	struct analyze_plan plan;
	size_t room;   /* devices in a set */
	bool *wanted;  /* devices, by index in the map */
	bool *reached; /* buckets */
	strew_result *result;
	strew_table *summary;
	strew_table *table;
	uint64_t shards, units, primaries;
	double bytes;
	uint64_t unknown; /* shards whose bytes aren't known */
};

static strew_status mark_item(struct where *where, int32_t id)
{
	int64_t index = id >= 0 ? map_device_index(where->map, id)
				: map_bucket_index(where->map, id);

	if (index < 0)
		return base_error_set(where->error, STREW_ENOTFOUND,
				      "the map has no %s %" PRId32,
				      id >= 0 ? "device" : "bucket", id);
	if (id >= 0)
		where->wanted[index] = true;
	else
		where->reached[index] = true;
	return STREW_OK;
}

/* From the top down, so that each bucket is settled before what it holds. */
static void reach_down(struct where *where, const struct analyze_tree *tree)
{
	for (size_t i = 0; i < where->map->bucket_count; i++) {
		uint32_t bucket = tree->order[i];

		for (size_t at = tree->first[bucket];
		     where->reached[bucket] && at < tree->first[bucket + 1]; at++) {
			int32_t item = tree->items[at];

			if (item < 0)
				where->reached[-1 - item] = true;
			else
				where->wanted[item] = true;
		}
	}
}

static strew_status mark_devices(struct where *where)
{
	struct analyze_tree tree;
	strew_status status =
		analyze_tree_new(&tree, where->map, where->allocator, where->error);

	for (size_t i = 0; i < where->how.item_count && status == STREW_OK; i++)
		status = mark_item(where, where->how.items[i]);
	if (status == STREW_OK)
		reach_down(where, &tree);
	analyze_tree_free(&tree, where->allocator);
	return status;
}

static void place_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
			strew_scratch *const scratch[2])
{
	const struct where *where = ctx;
	struct analyze_units units = {.plan = &where->plan,
				      .placer = where->placer,
				      .rule = where->plan.inputs.rule,
				      .want = where->plan.inputs.want,
				      .first = first,
				      .count = count};
	strew_stages stages[ANALYZE_CHUNK] = {0};
	strew_pg pgs[ANALYZE_CHUNK] = {0};
	size_t stride = WORD_DEVICES + where->room;

	for (size_t i = 0; i < count; i++) {
		stages[i].up.devices = words + i * stride + WORD_DEVICES;
		stages[i].up.room = (int)where->room;
	}
	analyze_place_units(stages, pgs, &units, scratch[0]);
	for (size_t i = 0; i < count; i++, words += stride) {
		words[WORD_SEED] = (int32_t)pgs[i].seed;
		words[WORD_COUNT] = stages[i].up.count;
		words[WORD_PRIMARY] = stages[i].up.primary;
	}
}

static bool is_wanted(const struct where *where, int32_t device)
{
	int64_t index = device == STREW_NONE ? -1 : map_device_index(where->map, device);

	return index >= 0 && where->wanted[index];
}

static void add_shard(const struct where *where, uint64_t unit, const int32_t *words,
		      int32_t position, double bytes)
{
	const struct analyze_plan *plan = &where->plan;
	strew_table *table = where->table;

	result_row(table);
	if (plan->kind == ANALYZE_OBJECTS)
		result_textf(table, "%.*s", (int)analyze_object(plan, unit)->name_len,
			     analyze_object(plan, unit)->name);
	result_integer(table, words[WORD_DEVICES + position]);
	if (plan->kind == ANALYZE_RAW) {
		result_null(table);
		result_null(table);
		result_integer(table, analyze_raw_input(plan, unit));
	} else {
		int64_t pool = analyze_find_group(plan, unit)->pools[0]->id;

		result_integer(table, pool);
		result_textf(table, "%" PRId64 ".%" PRIx32, pool,
			     (uint32_t)words[WORD_SEED]);
	}
	result_integer(table, position);
	result_real(table, bytes < 0 ? NAN : bytes);
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	struct where *where = ctx;
	double bytes = analyze_shard_amount(&where->plan,
					    analyze_find_group(&where->plan, unit), unit)
			       .bytes;
	uint64_t before = where->shards;

	for (int32_t i = 0; i < words[WORD_COUNT]; i++) {
		if (!is_wanted(where, words[WORD_DEVICES + i]))
			continue;
		add_shard(where, unit, words, i, bytes);
		where->shards++;
		where->bytes += bytes < 0 ? 0 : bytes;
		where->unknown += bytes < 0;
	}
	where->units += where->shards > before;
	where->primaries += is_wanted(where, words[WORD_PRIMARY]);
	return result_status(where->result);
}

/* "host h3", "osd.3, rack r2" */
static void add_names(struct base_str *text, const struct where *where)
{
	const strew_where_options *how = &where->how;

	for (size_t i = 0; i < how->item_count && i < NAMES_MAX; i++) {
		const strew_bucket *bucket =
			strew_map_bucket_by_id(where->map, how->items[i]);

		base_str_add(text, i > 0 ? ", " : "");
		if (bucket)
			base_str_addf(text, "%s ",
				      strew_map_type_name(where->map, bucket->type));
		base_str_add(text, analyze_item_name(where->map, how->items[i]));
	}
	if (how->item_count > NAMES_MAX)
		base_str_addf(text, " and %zu more", how->item_count - NAMES_MAX);
}

static void add_number(struct base_str *text, uint64_t count, const char *noun)
{
	base_str_addf(text, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

static void add_bytes(struct base_str *text, const struct where *where)
{
	char bytes[RESULT_BYTES_ROOM];

	if (where->unknown == where->shards)
		return;
	result_print_bytes(bytes, where->bytes);
	base_str_addf(text, ", %s%s", where->unknown > 0 ? "at least " : "", bytes);
}

static strew_status tell_headline(const struct where *where)
{
	static const char *const units[] = {[ANALYZE_PGS] = "PG",
					    [ANALYZE_RAW] = "input",
					    [ANALYZE_OBJECTS] = "object"};
	struct base_str text;
	bool complete;

	base_str_init(&text, where->allocator);
	add_names(&text, where);
	base_str_add(&text, ": ");
	add_number(&text, where->shards, "shard");
	base_str_add(&text, " of ");
	add_number(&text, where->units, units[where->plan.kind]);
	if (where->shards > 0) {
		add_bytes(&text, where);
		base_str_addf(&text, ", %" PRIu64 " of them primar%s", where->primaries,
			      where->primaries == 1 ? "y" : "ies");
	}
	result_set_headline(where->result, "%s", base_str_text(&text));
	complete = base_str_ok(&text);
	base_str_free(&text);
	return complete ? STREW_OK : base_error_nomem(where->error);
}

static void add_notes(const struct where *where)
{
	if (where->plan.kind != ANALYZE_RAW)
		result_add_note(where->result,
				"Up sets are counted: where shards belong, though a "
				"pg_temp may serve them elsewhere for now.");
	if (where->unknown > 0 && where->unknown < where->shards)
		result_add_note(where->result,
				"The bytes of %" PRIu64 " of the shards aren't known.",
				where->unknown);
}

static void fill_summary(const struct where *where)
{
	bool known = where->shards == 0 || where->unknown < where->shards;

	result_row(where->summary);
	result_integer(where->summary, (int64_t)where->shards);
	result_integer(where->summary, (int64_t)where->units);
	result_integer(where->summary, (int64_t)where->primaries);
	result_real(where->summary, known ? where->bytes : NAN);
	result_integer(where->summary, (int64_t)where->unknown);
}

static const struct result_column columns[] = {
	{"object", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"pool", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pg", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"position", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_REAL, RESULT_BYTES},
};

static const struct result_column raw_columns[] = {
	{"device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"pool", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pg", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"x", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"position", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_REAL, RESULT_BYTES},
};

static const struct result_column summary_columns[] = {
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"primaries", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_REAL, RESULT_BYTES},
	{"shards_of_unknown_bytes", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
};

static void add_tables(struct where *where)
{
	size_t count = sizeof(columns) / sizeof(columns[0]);
	size_t first = where->plan.kind == ANALYZE_OBJECTS ? 0 : 1;

	if (where->plan.kind == ANALYZE_RAW)
		where->table = result_add_table(where->result, "shards", NULL,
						raw_columns, count, RESULT_NO_TITLE);
	else
		where->table =
			result_add_table(where->result, "shards", NULL, columns + first,
					 count - first, RESULT_NO_TITLE);
	where->summary =
		result_add_table(where->result, "summary", NULL, summary_columns,
				 sizeof(summary_columns) / sizeof(summary_columns[0]),
				 RESULT_RECORD | RESULT_NO_TEXT);
}

static strew_status count_all(struct where *where, const strew_run *run)
{
	struct analyze_walk walk = {.units = where->plan.units,
				    .placers = {where->placer, NULL},
				    .place = place_units,
				    .take = take_unit,
				    .ctx = where};

	where->room = where->plan.kind == ANALYZE_RAW
			      ? (size_t)where->plan.inputs.want
			      : (size_t)strew_placer_max_set(where->placer);
	walk.words = WORD_DEVICES + where->room;
	return analyze_walk(&walk, run, where->error);
}

static strew_status fill(struct where *where, const strew_run *run)
{
	const strew_map *map = where->map;
	strew_status status = STREW_OK;

	where->wanted = base_calloc(where->allocator, map->device_count + 1,
				    sizeof(*where->wanted));
	where->reached = base_calloc(where->allocator, map->bucket_count + 1,
				     sizeof(*where->reached));
	where->result = result_new("where", where->allocator);
	if (where->wanted == NULL || where->reached == NULL || where->result == NULL)
		return base_error_nomem(where->error);
	status = mark_devices(where);
	add_tables(where);
	if (status == STREW_OK)
		status = count_all(where, run);
	if (status == STREW_OK)
		status = tell_headline(where);
	fill_summary(where);
	add_notes(where);
	if (status == STREW_OK && result_status(where->result))
		status = base_error_nomem(where->error);
	return status;
}

strew_status strew_where(strew_result **out, const strew_placer *placer,
			 const strew_inputs *inputs, const strew_where_options *options,
			 const strew_run *run, strew_error *error)
{
	strew_where_options how = STREW_WHERE_OPTIONS_INIT;
	strew_run with = STREW_RUN_INIT;
	struct where where = {
		.placer = placer, .map = strew_placer_map(placer), .error = error};
	const strew_map *maps[2] = {where.map, NULL};
	strew_status status;

	*out = NULL;
	analyze_read_options(&how, options);
	analyze_read_options(&with, run);
	if (how.item_count == 0)
		return base_error_set(error, STREW_EINVAL,
				      "say what to look at: no items");
	where.how = how;
	where.allocator = base_allocator_or_heap(with.allocator);
	status = analyze_plan_new(&where.plan, maps, inputs, where.allocator, error);
	if (status)
		return status;
	status = fill(&where, &with);
	if (status)
		strew_result_free(where.result);
	else
		*out = where.result;
	base_free(where.allocator, where.wanted,
		  (where.map->device_count + 1) * sizeof(*where.wanted));
	base_free(where.allocator, where.reached,
		  (where.map->bucket_count + 1) * sizeof(*where.reached));
	analyze_plan_free(&where.plan);
	return status;
}
