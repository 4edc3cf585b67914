/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"

/* Every so many inputs are traced, too. */
#define TRACE_EACH 32

/** One line of a .jsonl file: a run of one rule over a range of inputs. */
struct run {
	json_int_t rule;
	json_int_t want;
	json_int_t first;
	json_int_t last;
	json_int_t pool; /* -1: the inputs are used as they are */
	json_t *mappings;
};

/** What a file's lines are compared with. */
struct subject {
	const char *name;
	strew_map *map;
	struct golden_tally *tally;
};

/** A reweight as the command line of the recording tool took it: cut to 0 … 1, as a
 * float, then toward zero. */
static uint32_t parse_reweight(const char *text)
{
	float value = strtof(text, NULL);

	if (!(value > 0.0f))
		return 0;
	return value >= 1.0f ? STREW_WEIGHT_ONE
			     : (uint32_t)(value * (float)STREW_WEIGHT_ONE);
}

static void set_reweights(strew_builder *builder, json_t *line)
{
	json_t *list = json_object_get(line, "weights");
	json_t *fixed = json_object_get(line, "reweights");
	json_t *value;
	const char *device;
	size_t i;

	json_array_foreach(list, i, value)
	{
		json_int_t id = json_integer_value(json_array_get(value, 0));
		const char *text = json_string_value(json_array_get(value, 1));

		strew_builder_set_reweight(builder, (int32_t)id, parse_reweight(text));
	}
	json_object_foreach(fixed, device, value) strew_builder_set_reweight(
		builder, atoi(device), (uint32_t)json_integer_value(value));
}

/** The map with the reweights of a line. */
static strew_map *reweighted(const struct subject *subject, json_t *line)
{
	strew_builder *builder;
	strew_map *map;
	strew_error error = {0};

	golden_need(strew_builder_from_map(&builder, subject->map), subject->name, NULL);
	set_reweights(builder, line);
	golden_need(strew_builder_build(&map, builder, &error), subject->name, &error);
	strew_builder_free(builder);
	return map;
}

static void read_run(struct run *run, json_t *line)
{
	json_error_t error;

	run->pool = -1;
	if (json_unpack_ex(line, &error, 0, "{s:I s:I s:I s:I s?I s:o}", "rule",
			   &run->rule, "num_rep", &run->want, "min_x", &run->first,
			   "max_x", &run->last, "pool_id", &run->pool, "mappings",
			   &run->mappings) != 0)
		golden_stop("a line lacks something: %s", error.text);
	if (run->want < 1 || run->want > STREW_WANT_MAX ||
	    (size_t)(run->last - run->first + 1) != json_array_size(run->mappings))
		golden_stop("a line's numbers don't fit its mappings");
}

static uint32_t *inputs_of(const struct run *run)
{
	size_t count = json_array_size(run->mappings);
	uint32_t *xs = malloc(count * sizeof(*xs));

	for (size_t i = 0; xs && i < count; i++) {
		xs[i] = (uint32_t)run->first + (uint32_t)i;
		if (run->pool >= 0)
			xs[i] = strew_pool_input(xs[i], run->pool);
	}
	if (xs == NULL)
		golden_stop("out of memory");
	return xs;
}

static int read_set(int32_t *out, json_t *set)
{
	size_t i;
	json_t *value;

	if (json_array_size(set) > STREW_WANT_MAX)
		golden_stop("a set is too long");
	json_array_foreach(set, i, value) out[i] = (int32_t)json_integer_value(value);
	return (int)i;
}

static void trace_input(const struct subject *subject, const struct run *run,
			size_t index, const strew_placer *placer, const char *what,
			const int32_t *expected, int count)
{
	strew_inputs inputs = STREW_INPUTS_INIT;

	inputs.rule = (int32_t)run->rule;
	inputs.want = (int)run->want;
	inputs.first = inputs.last = (uint32_t)run->first + (uint32_t)index;
	inputs.hash_pool = run->pool >= 0;
	inputs.pool_id = run->pool;
	golden_trace(subject->tally, what, placer, &inputs, expected, count);
}

/** One input: strew_place()'s answer is compared; a row of strew_place_many() must be
 * that answer, filled up with holes. */
static void compare_input(const struct subject *subject, const struct run *run,
			  size_t index, const int32_t *got, int got_count,
			  const int32_t *row, const strew_placer *placer)
{
	int32_t expected[STREW_WANT_MAX];
	int count = read_set(expected, json_array_get(run->mappings, index));
	char what[512];

	if (got_count < 0)
		golden_stop("%s: rule %d: %s", subject->name, (int)run->rule,
			    strew_status_name((strew_status)got_count));
	snprintf(what, sizeof(what), "%s: rule %d, %d wanted, pool %d, x %zu",
		 subject->name, (int)run->rule, (int)run->want, (int)run->pool,
		 (size_t)run->first + index);
	golden_compare(subject->tally, what, expected, count, got, got_count);
	if (!golden_same_set(got, got_count, row, got_count))
		golden_stop("%s: strew_place_many() differs from strew_place()", what);
	for (int i = got_count; i < (int)run->want; i++)
		if (row[i] != STREW_NONE)
			golden_stop("%s: a row is not filled up with holes", what);
	if (index % TRACE_EACH == 0)
		trace_input(subject, run, index, placer, what, expected, count);
}

static void compare_run(const struct subject *subject, const struct run *run,
			const strew_placer *placer)
{
	strew_scratch *scratch = golden_scratch(placer);
	size_t count = json_array_size(run->mappings);
	size_t want = (size_t)run->want;
	int32_t *rows = calloc(count * want, sizeof(*rows));
	int32_t got[STREW_WANT_MAX];
	uint32_t *xs = inputs_of(run);

	if (rows == NULL)
		golden_stop("out of memory");
	golden_need(strew_place_many(placer, (int32_t)run->rule, xs, count, rows,
				     (int)want, scratch),
		    subject->name, NULL);
	for (size_t i = 0; i < count; i++) {
		int placed = strew_place(placer, (int32_t)run->rule, xs[i], got,
					 (int)want, scratch);

		compare_input(subject, run, i, got, placed, rows + i * want, placer);
	}
	free(rows);
	free(xs);
	strew_scratch_free(scratch);
}

static void compare_line(char *text, void *ctx)
{
	const struct subject *subject = ctx;
	json_error_t error;
	json_t *line = json_loads(text, 0, &error);
	strew_map *map;
	strew_placer *placer;
	struct run run;

	if (line == NULL)
		golden_stop("%s: %s", subject->name, error.text);
	read_run(&run, line);
	map = reweighted(subject, line);
	placer = golden_placer(map);
	compare_run(subject, &run, placer);
	strew_placer_release(placer);
	strew_map_release(map);
	json_decref(line);
}

/** A map in one of the forms that it may be there in. */
static bool compare_form(const char *folder, const char *name, const char *ending,
			 struct golden_tally *tally)
{
	char *map_path = golden_path(folder, name, ending);
	char *path = golden_path(folder, name, ".jsonl.gz");
	bool is_there = access(map_path, F_OK) == 0;
	size_t before = tally->compared;
	struct subject subject = {.name = map_path, .tally = tally};

	if (is_there) {
		subject.map = golden_read_map(map_path, NULL);
		golden_each_line(path, compare_line, &subject);
		if (tally->compared == before)
			golden_stop("%s: nothing was compared", path);
	}
	strew_map_release(subject.map);
	free(map_path);
	free(path);
	return is_there;
}

static void compare_map(const char *folder, const char *name, struct golden_tally *tally)
{
	bool has_json = compare_form(folder, name, ".json", tally);
	bool has_binary = compare_form(folder, name, ".crush", tally);
	bool has_text = compare_form(folder, name, ".txt", tally);

	if (!has_json && !has_binary && !has_text)
		golden_stop("%s: there is no map for its mappings", name);
}

void golden_crush(const char *folder, struct golden_tally *tally)
{
	golden_each_file(folder, ".jsonl.gz", compare_map, tally);
}
