/* SPDX-License-Identifier: MIT */
#include "report_grid.h"

#include "base_alloc.h"

struct range {
	uint32_t first, last;
};

static bool is_in(uint32_t point, const struct range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	}
	return false;
}

/* Combining marks take no column, the scripts and signs of East Asia and emoji two. */
static size_t point_width(uint32_t point)
{
	static const struct range none[] = {
		{0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
	static const struct range wide[] = {
		{0x1100, 0x115f},   {0x2e80, 0x303e},  {0x3041, 0xa4cf}, {0xac00, 0xd7a3},
		{0xf900, 0xfaff},   {0xfe30, 0xfe6f},  {0xff00, 0xff60}, {0xffe0, 0xffe6},
		{0x1f300, 0x1faff}, {0x20000, 0x3fffd}};

	if (point < 0x300)
		return 1;
	if (is_in(point, none, sizeof(none) / sizeof(none[0])))
		return 0;
	return is_in(point, wide, sizeof(wide) / sizeof(wide[0])) ? 2 : 1;
}

size_t report_text_width(const char *text, size_t len)
{
	const unsigned char *at = (const unsigned char *)text, *end = at + len;
	size_t width = 0;

	while (at < end) {
		uint32_t point = *at++;

		if (point >= 0xc0)
			point &= point >= 0xf0 ? 0x07 : point >= 0xe0 ? 0x0f : 0x1f;
		while (at < end && (*at & 0xc0) == 0x80)
			point = point << 6 | (*at++ & 0x3f);
		width += point_width(point);
	}
	return width;
}

/* Puts a cell's text into `cell`. */
static size_t cell_width(const struct report_grid *grid, size_t row, size_t column,
			 struct base_str *cell)
{
	base_str_clear(cell);
	grid->add_cell(grid->ctx, row, column, cell);
	return report_text_width(base_str_text(cell), base_str_len(cell));
}

static void measure_row(const struct report_grid *grid, size_t row, struct base_str *cell,
			size_t *widths)
{
	for (size_t i = 0; i < grid->columns; i++) {
		size_t width = cell_width(grid, row, i, cell);

		if (width > widths[i])
			widths[i] = width;
	}
}

void report_add_spaces(struct base_str *text, size_t count)
{
	while (count-- > 0)
		base_str_add(text, " ");
}

static void add_row(struct base_str *text, const struct report_grid *grid, size_t row,
		    struct base_str *cell, const size_t *widths)
{
	size_t owed = 0; /* spaces that only a later cell brings out */

	for (size_t i = 0; i < grid->columns; i++) {
		size_t width = cell_width(grid, row, i, cell);
		size_t pad = widths[i] - width;

		if (!grid->is_left(grid->ctx, i))
			owed += pad;
		if (width > 0) {
			report_add_spaces(text, owed);
			base_str_add(text, base_str_text(cell));
			owed = 0;
		}
		owed += grid->is_left(grid->ctx, i) ? pad + 2 : 2;
	}
	base_str_add(text, "\n");
}

static size_t row_width(const struct report_grid *grid, const size_t *widths)
{
	size_t width = 2 * (grid->columns - 1);

	for (size_t i = 0; i < grid->columns; i++)
		width += widths[i];
	return width;
}

bool report_grid_write(struct report_out *out, const struct report_grid *grid,
		       size_t width_max)
{
	size_t *widths = base_calloc(&base_heap, grid->columns, sizeof(*widths));
	struct base_str cell;
	bool fits;

	if (widths == NULL) {
		out->text.failed = true;
		return true;
	}
	base_str_init(&cell, &base_heap);
	for (size_t row = 0; row < grid->rows; row++)
		measure_row(grid, row, &cell, widths);
	fits = width_max == 0 || row_width(grid, widths) <= width_max;
	for (size_t row = 0; row < grid->rows && fits; row++) {
		add_row(&out->text, grid, row, &cell, widths);
		report_pass(out);
	}
	if (!base_str_ok(&cell))
		out->text.failed = true;
	base_str_free(&cell);
	base_free(&base_heap, widths, grid->columns * sizeof(*widths));
	return fits;
}
