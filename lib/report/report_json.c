/* SPDX-License-Identifier: MIT */
#include "report.h"

/*
 * Rows go out one by one: a table may be larger than memory would like as a tree. Strings
 * are jansson's to write; numbers are written as in the other reports.
 */

static void add_row(struct base_str *text, const strew_table *table, size_t row)
{
	base_str_add(text, "{");
	for (size_t i = 0; i < strew_table_column_count(table); i++) {
		strew_cell cell = strew_table_cell(table, row, i);

		base_str_add(text, i > 0 ? ", " : "");
		report_add_json_string(text, strew_table_column_name(table, i));
		base_str_add(text, ": ");
		report_add_json_cell(text, &cell);
	}
	base_str_add(text, "}");
}

static void write_rows(struct report_out *out, const strew_table *table)
{
	base_str_add(&out->text, "[");
	for (size_t row = 0; row < strew_table_row_count(table); row++) {
		base_str_add(&out->text, row > 0 ? ",\n    " : "\n    ");
		add_row(&out->text, table, row);
		report_pass(out);
	}
	base_str_add(&out->text, strew_table_row_count(table) ? "\n  ]" : "]");
}

static void write_table(struct report_out *out, const strew_table *table)
{
	base_str_add(&out->text, ",\n  ");
	report_add_json_string(&out->text, strew_table_name(table));
	base_str_add(&out->text, ": ");
	if ((result_table_flags(table) & RESULT_RECORD) &&
	    strew_table_row_count(table) == 1)
		add_row(&out->text, table, 0);
	else
		write_rows(out, table);
}

static void write_notes(struct report_out *out, const strew_result *result)
{
	base_str_add(&out->text, ",\n  \"notes\": [");
	for (size_t i = 0; i < result_note_count(result); i++) {
		base_str_add(&out->text, i > 0 ? ",\n    " : "\n    ");
		report_add_json_string(&out->text, result_note_at(result, i).text);
	}
	base_str_add(&out->text, result_note_count(result) ? "\n  ]" : "]");
}

static strew_status write_json(const strew_result *result,
			       const strew_report_options *options,
			       const strew_sink *sink, strew_error *error)
{
	struct report_out out;

	(void)options;
	report_open(&out, sink);
	base_str_add(&out.text, "{\n  \"schema\": \"strew-result/1\",\n  \"command\": ");
	report_add_json_string(&out.text, strew_result_command(result));
	for (size_t i = 0; i < strew_result_table_count(result); i++) {
		const strew_table *table = strew_result_table_at(result, i);

		if (!(result_table_flags(table) & RESULT_TEXT_ONLY))
			write_table(&out, table);
	}
	write_notes(&out, result);
	base_str_add(&out.text, "\n}\n");
	return report_close(&out, error);
}

const struct report_ops report_json = {"json", write_json};
