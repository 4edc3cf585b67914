/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <string.h>

#include "report_grid.h"
#include "report_list.h"

static void add_table_cell(const void *ctx, size_t row, size_t column,
			   struct base_str *text)
{
	const strew_table *table = ctx;
	strew_cell cell;

	if (row == 0) {
		report_add_title(text, result_table_column(table, column));
		return;
	}
	cell = strew_table_cell(table, row - 1, column);
	report_add_rounded(text, &cell, result_table_column(table, column)->unit);
}

static bool table_is_left(const void *ctx, size_t index)
{
	return report_column_is_left(result_table_column(ctx, index));
}

static void write_rows(struct report_out *out, const strew_table *table)
{
	struct report_grid grid = {
		.rows = strew_table_row_count(table) + 1,
		.columns = strew_table_column_count(table),
		.add_cell = add_table_cell,
		.is_left = table_is_left,
		.ctx = table,
	};

	report_grid_write(out, &grid, 0);
}

static void add_record_cell(const void *ctx, size_t row, size_t column,
			    struct base_str *text)
{
	add_table_cell(ctx, column, row, text);
}

static bool record_is_left(const void *ctx, size_t column)
{
	(void)ctx;
	(void)column;
	return true;
}

/* The one row, a line a column. */
static void write_record(struct report_out *out, const strew_table *table)
{
	struct report_grid grid = {
		.rows = strew_table_column_count(table),
		.columns = 2,
		.add_cell = add_record_cell,
		.is_left = record_is_left,
		.ctx = table,
	};

	report_grid_write(out, &grid, 0);
}

/* What is on the page so far, so that a blank line stands between two blocks. */
enum block { BLOCK_NONE, BLOCK_HEADLINE, BLOCK_TABLE, BLOCK_NOTE };

struct page {
	struct report_out out;
	const strew_report_options *options;
	enum block last;
};

static size_t width_max(const struct page *page)
{
	return page->options->width > 0 ? (size_t)page->options->width : 0;
}

static void begin_block(struct page *page, enum block block)
{
	if (page->last != BLOCK_NONE &&
	    !(page->last == BLOCK_NOTE && block == BLOCK_NOTE))
		base_str_add(&page->out.text, "\n");
	page->last = block;
}

static void write_table(struct page *page, const strew_table *table)
{
	unsigned flags = result_table_flags(table);

	if ((flags & RESULT_NO_TEXT) || strew_table_row_count(table) == 0)
		return;
	begin_block(page, BLOCK_TABLE);
	if (!(flags & (RESULT_NO_TITLE | RESULT_MATRIX | RESULT_LIST)))
		base_str_addf(&page->out.text, "%s\n", result_table_title(table));
	if (flags & RESULT_MATRIX)
		report_matrix_write(&page->out, table, width_max(page));
	else if (flags & RESULT_LIST)
		report_list_write(&page->out, table, width_max(page),
				  page->options->color);
	else if (flags & RESULT_RECORD)
		write_record(&page->out, table);
	else
		write_rows(&page->out, table);
}

static void write_note(struct page *page, const struct result_note *note)
{
	bool yellow = note->warning && page->options->color;
	struct base_str *text = &page->out.text;

	begin_block(page, BLOCK_NOTE);
	base_str_add(text, yellow ? "\x1b[33m" : "");
	report_add_wrapped(text, note->text,
			   (struct report_margins){0, 2, width_max(page)});
	base_str_add(text, yellow ? "\x1b[0m\n" : "\n");
}

static size_t write_notes(struct page *page, const strew_result *result, size_t next,
			  size_t after)
{
	for (; next < result_note_count(result); next++) {
		struct result_note note = result_note_at(result, next);

		if (note.after > after)
			break;
		write_note(page, &note);
	}
	return next;
}

static strew_status write_text(const strew_result *result,
			       const strew_report_options *options,
			       const strew_sink *sink, strew_error *error)
{
	struct page page = {.options = options, .last = BLOCK_NONE};
	size_t next;

	report_open(&page.out, sink);
	if (result_headline(result)) {
		begin_block(&page, BLOCK_HEADLINE);
		base_str_addf(&page.out.text, "%s\n", result_headline(result));
	}
	next = write_notes(&page, result, 0, 0);
	for (size_t i = 0; i < strew_result_table_count(result); i++) {
		write_table(&page, strew_result_table_at(result, i));
		next = write_notes(&page, result, next, i + 1);
	}
	return report_close(&page.out, error);
}

const struct report_ops report_text = {"text", write_text};
