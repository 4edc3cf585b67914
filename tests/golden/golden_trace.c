/* SPDX-License-Identifier: MIT */
/* What is traced, against what was recorded. */
#include <stdlib.h>

#include "golden.h"

void golden_trace(struct golden_tally *tally, const char *what,
		  const strew_placer *placer, const strew_inputs *inputs,
		  const int32_t *expected, int expected_count)
{
	strew_trace_options options = STREW_TRACE_OPTIONS_INIT;
	strew_result *result;
	strew_error error = {0};
	const strew_table *table;
	strew_cell cell;

	options.candidates = 1;
	golden_need(strew_trace(&result, placer, inputs, &options, NULL, &error), what,
		    &error);
	table = strew_result_table(result, "summary");
	cell = strew_table_cell(table, 0,
				(size_t)strew_table_find_column(table, "devices"));
	golden_compare(tally, what, expected, expected_count, cell.set,
		       (int)cell.set_count);
	strew_result_free(result);
}
