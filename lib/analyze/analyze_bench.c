/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <math.h>

#include "base_error.h"

static const struct result_column columns[] = {
	{"map", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"rule", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"mode", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"kernel", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"threads", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"ns_per_mapping", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"peer_ns_per_mapping", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"ratio_to_peer", NULL, STREW_CELL_REAL, RESULT_FACTOR},
	{"ratio_low", NULL, STREW_CELL_REAL, RESULT_FACTOR},
	{"ratio_high", NULL, STREW_CELL_REAL, RESULT_FACTOR},
};

static void add_row(strew_table *table, const strew_measurement *measured)
{
	bool compared = measured->peer_ns > 0;

	result_row(table);
	result_text(table, measured->map);
	result_text(table, measured->rule);
	result_text(table, measured->mode);
	result_text(table, measured->kernel);
	result_integer(table, (int64_t)measured->threads);
	result_real(table, measured->ns);
	result_real(table, compared ? measured->peer_ns : NAN);
	result_real(table, compared ? measured->ratio : NAN);
	result_real(table, compared ? measured->ratio_low : NAN);
	result_real(table, compared ? measured->ratio_high : NAN);
}

strew_status strew_bench(strew_result **out, const strew_measurement *measurements,
			 size_t count, const strew_allocator *allocator,
			 strew_error *error)
{
	const char *next = (const char *)measurements;
	strew_result *result = result_new("bench", base_allocator_or_heap(allocator));
	strew_table *table;

	*out = NULL;
	if (result == NULL)
		return base_error_nomem(error);
	table = result_add_table(result, "bench", NULL, columns,
				 sizeof(columns) / sizeof(columns[0]), RESULT_NO_TITLE);
	for (size_t i = 0; i < count; i++, next += measurements->size) {
		strew_measurement all = STREW_MEASUREMENT_INIT;

		analyze_read_options(&all, next);
		add_row(table, &all);
	}
	if (result_status(result) != STREW_OK) {
		strew_result_free(result);
		return base_error_nomem(error);
	}
	*out = result;
	return STREW_OK;
}
