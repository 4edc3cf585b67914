/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

/* Expected shares where they are called exact, beside counted ones: within sampling
 * error, which five of its standard deviations are taken for. */

#define INPUTS    4000
#define DEVIATION 5.0

static strew_cell cell_of(const strew_result *result, const char *name, size_t row,
			  const char *column)
{
	const strew_table *table = strew_result_table(result, name);
	int index = strew_table_find_column(table, column);

	if (index < 0)
		golden_stop("there is no column %s", column);
	return strew_table_cell(table, row, (size_t)index);
}

/** A device has at most one shard of an input, unless blocks of a rule overlap. */
static int is_near(double expected, double actual)
{
	double share = expected / INPUTS;
	double variance = expected * (share < 1 ? 1 - share : 0);

	return fabs(actual - expected) <= DEVIATION * sqrt(variance) + 1;
}

static void compare_devices(const strew_result *result, const char *what,
			    struct golden_tally *tally)
{
	const strew_table *devices = strew_result_table(result, "devices");

	for (size_t row = 0; row < strew_table_row_count(devices); row++) {
		double expected = cell_of(result, "devices", row, "expected_shards").real;
		int64_t actual = cell_of(result, "devices", row, "actual_shards").integer;

		tally->compared++;
		if (is_near(expected, (double)actual))
			continue;
		tally->mismatches++;
		printf("%s: %s: expected %.1f, placed %lld\n", what,
		       cell_of(result, "devices", row, "name").text, expected,
		       (long long)actual);
	}
}

static void compare_rule(const strew_placer *placer, const char *name, int32_t rule,
			 int want, struct golden_tally *tally)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_result *result;
	strew_error error = {0};
	char what[512];

	inputs.rule = rule;
	inputs.want = want;
	inputs.last = INPUTS - 1;
	snprintf(what, sizeof(what), "%s, rule %d, size %d", name, (int)rule, want);
	golden_need(strew_spread(&result, placer, &inputs, NULL, NULL, &error), what,
		    &error);
	if (strcmp(cell_of(result, "summary", 0, "basis").text, "expected") == 0)
		compare_devices(result, what, tally);
	strew_result_free(result);
}

static void compare_map(strew_map *map, const char *name, struct golden_tally *tally)
{
	static const int wants[] = {1, 2, 3, 5};
	strew_placer *placer = golden_placer(map);

	for (size_t i = 0; i < strew_map_rule_count(map); i++) {
		for (size_t j = 0; j < sizeof(wants) / sizeof(wants[0]); j++)
			compare_rule(placer, name, strew_map_rule_at(map, i), wants[j],
				     tally);
	}
	strew_placer_release(placer);
	strew_map_release(map);
}

static void compare_file(const char *folder, const char *name, struct golden_tally *tally)
{
	char *path = golden_path(folder, name, ".json");

	compare_map(golden_read_map(path, NULL), name, tally);
	free(path);
}

void golden_expect(const char *folder, struct golden_tally *tally)
{
	golden_each_file(folder, ".json", compare_file, tally);
}

/** Every fifth device has half of a reweight, or nine parts of ten, or is out. */
static strew_map *read_reweighted(const char *path)
{
	static const uint32_t reweights[] = {STREW_WEIGHT_ONE / 2,
					     STREW_WEIGHT_ONE / 10 * 9, 0};
	strew_map *map = golden_read_map(path, NULL), *out;
	strew_builder *builder;
	strew_error error = {0};

	golden_need(strew_builder_new(&builder, NULL), path, NULL);
	golden_need(strew_builder_read_file(builder, path, NULL, &error), path, &error);
	for (size_t i = 0; i < strew_map_device_count(map); i += 5)
		strew_builder_set_reweight(builder,
					   strew_device_id(strew_map_device_at(map, i)),
					   reweights[i / 5 % 3]);
	golden_need(strew_builder_build(&out, builder, &error), path, &error);
	strew_builder_free(builder);
	strew_map_release(map);
	return out;
}

static void compare_case(const char *folder, const char *name, struct golden_tally *tally)
{
	char *path = golden_path(folder, name, ".crush.txt");

	compare_map(golden_read_map(path, NULL), name, tally);
	compare_map(read_reweighted(path), name, tally);
	free(path);
}

void golden_expect_cases(const char *folder, struct golden_tally *tally)
{
	golden_each_file(folder, ".crush.txt", compare_case, tally);
}
