/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <inttypes.h>
#include <string.h>

#include "base_error.h"
#include "base_str.h"

/* More objects than this are a table in text too, fewer a sentence each. */
#define SENTENCES_MAX 20

#define STAGE_COUNT 3

/* A unit's words: x, the PG's seed, then for each stage its primary, count and devices.
 * Raw inputs have one stage. */
enum { WORD_X, WORD_SEED, WORD_STAGES };
enum { STAGE_PRIMARY, STAGE_SIZE, STAGE_DEVICES };

struct places {
	const strew_placer *placer;
	const strew_map *map;
	struct analyze_plan plan;
	int stages;
	size_t room;  /* devices of a set */
	size_t words; /* of a unit */
	strew_result *result;
	strew_table *table;
	struct analyze_tree tree; /* only for sentences */
};

static size_t stage_words(const struct places *places)
{
	return STAGE_DEVICES + places->room;
}

static int32_t *stage_at(const struct places *places, const int32_t *words, size_t stage)
{
	return (int32_t *)words + WORD_STAGES + stage * stage_words(places);
}

static void keep_stage(int32_t *stage, const strew_set *set)
{
	stage[STAGE_SIZE] = set->count;
	stage[STAGE_PRIMARY] = set->primary;
}

static strew_set set_at(const struct places *places, const int32_t *words, size_t stage)
{
	return (strew_set){.devices = stage_at(places, words, stage) + STAGE_DEVICES,
			   .room = (int)places->room};
}

/* Raw inputs have one stage; it comes in the place of the up stage. */
static void keep_raw(const struct places *places, uint64_t first, size_t count,
		     int32_t *words, const strew_stages *stages)
{
	for (size_t i = 0; i < count; i++, words += places->words) {
		words[WORD_X] = (int32_t)analyze_raw_input(&places->plan, first + i);
		keep_stage(stage_at(places, words, 0), &stages[i].up);
	}
}

static void keep_pgs(const struct places *places, size_t count, int32_t *words,
		     const strew_stages *stages, const strew_pg *pgs)
{
	for (size_t i = 0; i < count; i++, words += places->words) {
		words[WORD_X] = (int32_t)stages[i].x;
		words[WORD_SEED] = (int32_t)pgs[i].seed;
		keep_stage(stage_at(places, words, 0), &stages[i].raw);
		keep_stage(stage_at(places, words, 1), &stages[i].up);
		keep_stage(stage_at(places, words, 2), &stages[i].acting);
	}
}

static void place_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
			strew_scratch *const scratch[2])
{
	const struct places *places = ctx;
	bool raw = places->plan.kind == ANALYZE_RAW;
	struct analyze_units units = {.plan = &places->plan,
				      .placer = places->placer,
				      .rule = places->plan.inputs.rule,
				      .want = places->plan.inputs.want,
				      .first = first,
				      .count = count};
	strew_stages stages[ANALYZE_CHUNK] = {0};
	strew_pg pgs[ANALYZE_CHUNK];

	for (size_t i = 0; i < count; i++) {
		const int32_t *unit = words + i * places->words;

		stages[i].up = set_at(places, unit, raw ? 0 : 1);
		if (raw)
			continue;
		stages[i].raw = set_at(places, unit, 0);
		stages[i].acting = set_at(places, unit, 2);
	}
	analyze_place_units(stages, pgs, &units, scratch[0]);
	if (raw)
		keep_raw(places, first, count, words, stages);
	else
		keep_pgs(places, count, words, stages, pgs);
}

static void add_stage(const struct places *places, const int32_t *stage)
{
	result_set(places->table, stage + STAGE_DEVICES, (size_t)stage[STAGE_SIZE]);
	result_integer(places->table, stage[STAGE_PRIMARY]);
}

static void add_pg(const struct places *places, uint64_t unit, const int32_t *words)
{
	const struct analyze_group *group = analyze_find_group(&places->plan, unit);
	int64_t pool;

	if (places->plan.kind == ANALYZE_RAW) {
		result_null(places->table);
		result_null(places->table);
		return;
	}
	pool = group->pools[0]->id;
	result_integer(places->table, pool);
	result_textf(places->table, "%" PRId64 ".%" PRIx32, pool,
		     (uint32_t)words[WORD_SEED]);
}

static void add_row(const struct places *places, uint64_t unit, const int32_t *words)
{
	bool raw = places->plan.kind == ANALYZE_RAW;

	result_row(places->table);
	if (places->plan.kind == ANALYZE_OBJECTS) {
		const strew_named_object *object = analyze_object(&places->plan, unit);

		result_textf(places->table, "%.*s", (int)object->name_len, object->name);
	}
	add_pg(places, unit, words);
	result_integer(places->table, (uint32_t)words[WORD_X]);
	add_stage(places, stage_at(places, words, raw ? 0 : STAGE_COUNT - 1));
	for (size_t i = 0; i < STAGE_COUNT && places->stages; i++)
		add_stage(places, stage_at(places, words, raw ? 0 : i));
}

/* vm-17/disk0 → PG 1.2c7 → osd.14 (ams1/r2/h6)  osd.91 (ams2/r5/h19)    primary osd.14 */
static strew_status add_sentence(const struct places *places, uint64_t unit,
				 const int32_t *words)
{
	const strew_named_object *object = analyze_object(&places->plan, unit);
	const int32_t *acting = stage_at(places, words, STAGE_COUNT - 1);
	struct base_str text;
	bool complete;

	base_str_init(&text, places->plan.allocator);
	base_str_add_bytes(&text, object->name, object->name_len);
	base_str_addf(&text, " → PG %" PRId64 ".%" PRIx32 " →",
		      places->plan.groups[0].pools[0]->id, (uint32_t)words[WORD_SEED]);
	for (int32_t i = 0; i < acting[STAGE_SIZE]; i++) {
		base_str_add(&text, i > 0 ? "  " : " ");
		analyze_add_device(&text, &places->tree, acting[STAGE_DEVICES + i]);
	}
	if (acting[STAGE_SIZE] == 0)
		base_str_add(&text, " no device");
	base_str_add(&text, "    primary ");
	base_str_add(&text,
		     acting[STAGE_PRIMARY] == STREW_NONE
			     ? "NONE"
			     : analyze_item_name(places->map, acting[STAGE_PRIMARY]));
	result_add_note(places->result, "%s", base_str_text(&text));
	complete = base_str_ok(&text);
	base_str_free(&text);
	return complete ? STREW_OK : STREW_ENOMEM;
}

static bool tells_sentences(const struct places *places)
{
	return places->plan.kind == ANALYZE_OBJECTS &&
	       places->plan.units <= SENTENCES_MAX;
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	struct places *places = ctx;
	strew_status status = STREW_OK;

	add_row(places, unit, words);
	if (tells_sentences(places))
		status = add_sentence(places, unit, words);
	return status ? status : result_status(places->result);
}

static const struct result_column columns[] = {
	{"object", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"pool", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pg", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"x", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"devices", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"primary", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"raw", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"raw_primary", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"up", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"up_primary", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"acting", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"acting_primary", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
};

#define COLUMN_COUNT       (sizeof(columns) / sizeof(columns[0]))
#define STAGE_COLUMN_COUNT (2 * STAGE_COUNT)

static void add_table(struct places *places)
{
	size_t first = places->plan.kind == ANALYZE_OBJECTS ? 0 : 1;
	size_t end = places->stages ? COLUMN_COUNT : COLUMN_COUNT - STAGE_COLUMN_COUNT;
	unsigned flags = RESULT_NO_TITLE | (tells_sentences(places) ? RESULT_NO_TEXT : 0);

	places->table = result_add_table(places->result, "placements", NULL,
					 columns + first, end - first, flags);
}

static strew_status run_places(struct places *places, const strew_run *run,
			       strew_error *error)
{
	size_t stages = places->plan.kind == ANALYZE_RAW ? 1 : STAGE_COUNT;
	struct analyze_walk walk = {.units = places->plan.units,
				    .placers = {places->placer, NULL},
				    .place = place_units,
				    .take = take_unit,
				    .ctx = places};
	strew_status status = STREW_OK;

	places->room = places->plan.kind == ANALYZE_RAW
			       ? (size_t)places->plan.inputs.want
			       : (size_t)strew_placer_max_set(places->placer);
	places->words = WORD_STAGES + stages * stage_words(places);
	walk.words = places->words;
	if (tells_sentences(places))
		status = analyze_tree_new(&places->tree, places->map,
					  places->plan.allocator, error);
	add_table(places);
	return status ? status : analyze_walk(&walk, run, error);
}

strew_status strew_placements(strew_result **out, const strew_placer *placer,
			      const strew_inputs *inputs,
			      const strew_placements_options *options,
			      const strew_run *run, strew_error *error)
{
	strew_placements_options how = STREW_PLACEMENTS_OPTIONS_INIT;
	strew_run with = STREW_RUN_INIT;
	struct places places = {.placer = placer, .map = strew_placer_map(placer)};
	const strew_map *maps[2] = {places.map, NULL};
	const strew_allocator *allocator;
	strew_status status;

	*out = NULL;
	analyze_read_options(&how, options);
	analyze_read_options(&with, run);
	allocator = base_allocator_or_heap(with.allocator);
	places.stages = how.stages;
	status = analyze_plan_new(&places.plan, maps, inputs, allocator, error);
	if (status)
		return status;
	places.result = result_new("place", allocator);
	status = places.result ? run_places(&places, &with, error)
			       : base_error_nomem(error);
	if (status == STREW_OK && result_status(places.result))
		status = base_error_nomem(error);
	analyze_tree_free(&places.tree, allocator);
	analyze_plan_free(&places.plan);
	if (status)
		strew_result_free(places.result);
	else
		*out = places.result;
	return status;
}
