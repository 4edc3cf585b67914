/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <string.h>

#include "base_alloc.h"
#include "base_error.h"

/*
 * One table, quoted as RFC 4180 says, lines ending in a line feed. Null is empty. The
 * members of a set are separated by one space each; a hole is empty there too, so
 * splitting at every space still gives each position.
 */

static void add_quoted(struct base_str *text, const char *from)
{
	if (strpbrk(from, ",\"\r\n") == NULL) {
		base_str_add(text, from);
		return;
	}
	base_str_add(text, "\"");
	for (; *from; from++) {
		if (*from == '"')
			base_str_add(text, "\"");
		base_str_add_bytes(text, from, 1);
	}
	base_str_add(text, "\"");
}

static void add_cell(struct base_str *text, const strew_cell *cell)
{
	switch (cell->kind) {
	case STREW_CELL_INTEGER:
		report_add_integer(text, cell->integer);
		break;
	case STREW_CELL_REAL:
		report_add_real(text, cell->real);
		break;
	case STREW_CELL_TEXT:
		add_quoted(text, cell->text);
		break;
	case STREW_CELL_SET:
		report_add_set(text, cell, " ", "");
		break;
	case STREW_CELL_NULL:
		break;
	}
}

static void add_row(struct base_str *text, const strew_table *table, size_t row)
{
	for (size_t i = 0; i < strew_table_column_count(table); i++) {
		strew_cell cell = strew_table_cell(table, row, i);

		if (i > 0)
			base_str_add(text, ",");
		add_cell(text, &cell);
	}
	base_str_add(text, "\n");
}

static void add_header(struct base_str *text, const strew_table *table)
{
	for (size_t i = 0; i < strew_table_column_count(table); i++) {
		if (i > 0)
			base_str_add(text, ",");
		base_str_add(text, strew_table_column_name(table, i));
	}
	base_str_add(text, "\n");
}

static bool is_wanted(const strew_table *table, const char *name)
{
	if (result_table_flags(table) & RESULT_TEXT_ONLY)
		return false;
	return name == NULL || strcmp(strew_table_name(table), name) == 0;
}

static const strew_table *find_table(const strew_result *result, const char *name)
{
	for (size_t i = 0; i < strew_result_table_count(result); i++) {
		const strew_table *table = strew_result_table_at(result, i);

		if (is_wanted(table, name))
			return table;
	}
	return NULL;
}

static strew_status refuse_table(const strew_result *result, const char *name,
				 strew_error *error)
{
	struct base_str known;
	strew_status status;

	base_str_init(&known, &base_heap);
	for (size_t i = 0; i < strew_result_table_count(result); i++) {
		const strew_table *table = strew_result_table_at(result, i);

		if (is_wanted(table, NULL))
			base_str_addf(&known, " %s", strew_table_name(table));
	}
	status = base_error_set(error, STREW_ENOTFOUND,
				"this result has no table \"%s\"; it has:%s",
				name ? name : "", base_str_text(&known));
	base_str_free(&known);
	return status;
}

static strew_status write_csv(const strew_result *result,
			      const strew_report_options *options, const strew_sink *sink,
			      strew_error *error)
{
	const strew_table *table = find_table(result, options->table);
	struct report_out out;

	if (table == NULL)
		return refuse_table(result, options->table, error);
	report_open(&out, sink);
	add_header(&out.text, table);
	for (size_t row = 0; row < strew_table_row_count(table); row++) {
		add_row(&out.text, table, row);
		report_pass(&out);
	}
	return report_close(&out, error);
}

const struct report_ops report_csv = {"csv", write_csv};
