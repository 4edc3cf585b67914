/* SPDX-License-Identifier: MIT */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include "report.h"

/** Cells in aligned columns. Row 0 is the header. Cells are asked for twice. */
struct report_grid {
	size_t rows;
	size_t columns;
	void (*add_cell)(const void *ctx, size_t row, size_t column,
			 struct base_str *text);
	bool (*is_left)(const void *ctx, size_t column);
	const void *ctx;
};

/** False, and nothing is written, when rows are wider than width_max; 0: no limit. */
bool report_grid_write(struct report_out *out, const struct report_grid *grid,
		       size_t width_max);

/** How many columns of a terminal a UTF-8 text takes. */
size_t report_text_width(const char *text, size_t len);

void report_add_spaces(struct base_str *text, size_t count);

/** A table of flag RESULT_MATRIX; width_max as above. */
void report_matrix_write(struct report_out *out, const strew_table *table,
			 size_t width_max);

#endif
