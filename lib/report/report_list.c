/* SPDX-License-Identifier: MIT */
#include "report_list.h"

#include <string.h>

#include "base_alloc.h"
#include "report_grid.h"

/* Prose has lines of this width where there is no terminal to ask. */
#define WIDTH_USUAL 100
/* A cell that is wider stands out of its column, and prose begins on the next line. */
#define CELL_MAX 24
/* Where prose stands when the cells leave less than half of the width. */
#define INDENT_SMALL 4

void report_add_wrapped(struct base_str *text, const char *prose,
			struct report_margins margins)
{
	size_t used = margins.at, gap = 0;

	while (*prose) {
		size_t len = strcspn(prose, " "), columns = report_text_width(prose, len);

		if (gap > 0 && margins.width > 0 &&
		    used + gap + columns > margins.width) {
			base_str_add(text, "\n");
			report_add_spaces(text, margins.indent);
			used = margins.indent;
		} else {
			report_add_spaces(text, gap);
			used += gap;
		}
		base_str_add_bytes(text, prose, len);
		used += columns;
		prose += len;
		gap = strspn(prose, " ");
		prose += gap;
	}
}

struct list {
	const strew_table *table;
	size_t cells; /* columns before the prose */
	size_t *ends; /* where each ends, with the room behind it */
	size_t indent;
	size_t width;
	bool color;
	struct base_str cell;
};

/* Puts a cell's text into list->cell. */
static const char *text_at(struct list *list, size_t row, size_t column)
{
	strew_cell cell = strew_table_cell(list->table, row, column);

	base_str_clear(&list->cell);
	if (cell.kind == STREW_CELL_TEXT)
		base_str_add_printable(&list->cell, cell.text);
	return base_str_text(&list->cell);
}

static size_t column_width(struct list *list, size_t column)
{
	size_t rows = strew_table_row_count(list->table), widest = 0;

	for (size_t row = 0; row < rows; row++) {
		const char *text = text_at(list, row, column);
		size_t width = report_text_width(text, strlen(text));

		if (width > widest && width <= CELL_MAX)
			widest = width;
	}
	return widest;
}

static void measure(struct list *list)
{
	size_t end = 0;

	for (size_t i = 0; i < list->cells; i++) {
		end += column_width(list, i) + 2;
		list->ends[i] = end;
	}
	list->indent = end > list->width / 2 ? INDENT_SMALL : end;
}

static const char *color_of(const char *severity)
{
	if (strcmp(severity, "error") == 0)
		return "\x1b[31m";
	return strcmp(severity, "warning") == 0 ? "\x1b[33m" : "";
}

static void add_colored(struct base_str *text, const char *severity)
{
	const char *color = color_of(severity);

	base_str_add(text, color);
	base_str_add(text, severity);
	base_str_add(text, color[0] ? "\x1b[0m" : "");
}

/* @return the column where they end */
static size_t add_cells(struct base_str *text, struct list *list, size_t row)
{
	size_t at = 0, start = 0;

	for (size_t i = 0; i < list->cells; i++) {
		const char *cell = text_at(list, row, i);

		if (cell[0]) {
			report_add_spaces(text, start - at);
			at = start;
		}
		if (i == 0 && list->color)
			add_colored(text, cell);
		else
			base_str_add(text, cell);
		at += report_text_width(cell, strlen(cell));
		start = list->ends[i] > at + 2 ? list->ends[i] : at + 2;
	}
	return at;
}

static void add_row(struct base_str *text, struct list *list, size_t row)
{
	size_t at = add_cells(text, list, row);

	if (at + 2 > list->indent) {
		base_str_add(text, "\n");
		at = 0;
	}
	report_add_spaces(text, list->indent - at);
	report_add_wrapped(
		text, text_at(list, row, list->cells),
		(struct report_margins){list->indent, list->indent, list->width});
	base_str_add(text, "\n");
}

void report_list_write(struct report_out *out, const strew_table *table, size_t width,
		       bool color)
{
	struct list list = {.table = table,
			    .cells = strew_table_column_count(table) - 1,
			    .width = width > 0 ? width : WIDTH_USUAL,
			    .color = color};

	list.ends = base_calloc(&base_heap, list.cells + 1, sizeof(*list.ends));
	base_str_init(&list.cell, &base_heap);
	if (list.ends)
		measure(&list);
	for (size_t row = 0; row < strew_table_row_count(table) && list.ends; row++) {
		add_row(&out->text, &list, row);
		report_pass(out);
	}
	if (list.ends == NULL || !base_str_ok(&list.cell))
		out->text.failed = true;
	base_str_free(&list.cell);
	base_free(&base_heap, list.ends, (list.cells + 1) * sizeof(*list.ends));
}
