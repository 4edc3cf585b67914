/* SPDX-License-Identifier: MIT */
#include "report_html.h"

#include <string.h>

/*
 * JSON inside a page. In a script element the HTML parser looks for "</script" and
 * "<!--" only, and both begin with a character that JSON may write as an escape.
 */

static void add_string(struct html *html, const char *from)
{
	struct base_str *text = &html->out.text;
	const char *json;

	base_str_clear(&html->piece);
	report_add_json_string(&html->piece, from);
	json = base_str_text(&html->piece);
	while (*json) {
		size_t len = strcspn(json, "<");

		base_str_add_bytes(text, json, len);
		json += len;
		if (*json == '<')
			base_str_add(text, "\\u003c");
		json += *json == '<';
	}
}

static void add_cell(struct html *html, const strew_cell *cell)
{
	if (cell->kind == STREW_CELL_TEXT)
		add_string(html, cell->text);
	else
		report_add_json_cell(&html->out.text, cell);
}

static const char *unit_name(enum result_unit unit)
{
	static const char *const names[] = {
		[RESULT_PLAIN] = "plain",     [RESULT_BYTES] = "bytes",
		[RESULT_PERCENT] = "percent", [RESULT_SHARE] = "share",
		[RESULT_FACTOR] = "factor",   [RESULT_NAME] = "name",
		[RESULT_DEVICE] = "device"};

	return names[unit];
}

static const char *kind_name(strew_cell_kind kind)
{
	static const char *const names[] = {[STREW_CELL_NULL] = "null",
					    [STREW_CELL_INTEGER] = "integer",
					    [STREW_CELL_REAL] = "real",
					    [STREW_CELL_TEXT] = "text",
					    [STREW_CELL_SET] = "set"};

	return names[kind];
}

/* Names of columns, and of marks, are words of ours. */
static void add_column(struct html *html, const struct result_column *column)
{
	struct base_str *text = &html->out.text;

	base_str_addf(text, "{\"name\":\"%s\",\"title\":\"", column->name);
	report_html_put_title(text, column);
	base_str_addf(text, "\",\"kind\":\"%s\",\"unit\":\"%s\",\"left\":%s}",
		      kind_name(column->kind), unit_name(column->unit),
		      report_column_is_left(column) ? "true" : "false");
}

static void add_row(struct html *html, const strew_table *table, size_t row)
{
	struct base_str *text = &html->out.text;

	base_str_add(text, row > 0 ? ",\n[" : "\n[");
	for (size_t i = 0; i < strew_table_column_count(table); i++) {
		strew_cell cell = strew_table_cell(table, row, i);

		base_str_add(text, i > 0 ? "," : "");
		add_cell(html, &cell);
	}
	base_str_add(text, "]");
}

static void add_table(struct html *html, const strew_table *table)
{
	struct base_str *text = &html->out.text;

	base_str_addf(text, "{\"name\":\"%s\",\"title\":", strew_table_name(table));
	add_string(html, result_table_title(table));
	base_str_add(text, ",\"columns\":[");
	for (size_t i = 0; i < strew_table_column_count(table); i++) {
		base_str_add(text, i > 0 ? "," : "");
		add_column(html, result_table_column(table, i));
	}
	base_str_add(text, "],\"rows\":[");
	for (size_t row = 0; row < strew_table_row_count(table); row++) {
		add_row(html, table, row);
		report_pass(&html->out);
	}
	base_str_add(text, "]}");
}

static size_t find_table(const strew_result *result, const strew_table *table)
{
	size_t i = 0;

	while (strew_result_table_at(result, i) != table)
		i++;
	return i;
}

static void add_columns(struct base_str *text, const struct result_drawing *drawing)
{
	bool first = true;

	base_str_add(text, ",\"columns\":[");
	for (size_t i = 0; i < RESULT_PICTURE_COLUMNS; i++) {
		const char *name = drawing->picture.columns[i];
		int column = name ? strew_table_find_column(drawing->table, name) : -1;

		if (column < 0)
			continue;
		base_str_addf(text, "%s%d", first ? "" : ",", column);
		first = false;
	}
	base_str_add(text, "]");
}

static void add_marks(struct base_str *text, const struct result_picture *picture)
{
	base_str_add(text, ",\"marks\":[");
	for (size_t i = 0; i < RESULT_PICTURE_MARKS && picture->marks[i].name; i++) {
		base_str_addf(text, "%s{\"name\":\"%s\",\"value\":", i > 0 ? "," : "",
			      picture->marks[i].name);
		report_add_real(text, picture->marks[i].value);
		base_str_add(text, "}");
	}
	base_str_add(text, "]");
}

static void add_picture(struct html *html, const strew_result *result,
			const struct result_drawing *drawing)
{
	static const char *const shapes[] = {[RESULT_TREEMAP] = "treemap",
					     [RESULT_FLOWS] = "flows",
					     [RESULT_BARS] = "bars",
					     [RESULT_RANKS] = "ranks",
					     [RESULT_DESCENT] = "descent"};
	static const char *const scales[] = {[RESULT_SCALE_NONE] = "none",
					     [RESULT_SCALE_FILL] = "fill",
					     [RESULT_SCALE_TARGET] = "target"};
	struct base_str *text = &html->out.text;

	base_str_addf(text, "{\"table\":%zu,\"shape\":\"%s\",\"scale\":\"%s\",\"title\":",
		      find_table(result, drawing->table), shapes[drawing->picture.shape],
		      scales[drawing->picture.scale]);
	add_string(html, drawing->picture.title);
	add_columns(text, drawing);
	add_marks(text, &drawing->picture);
	base_str_add(text, "}");
}

void report_html_add_data(struct html *html, const strew_result *result)
{
	struct base_str *text = &html->out.text;

	base_str_add(text, "<script type=\"application/json\" id=\"result\">"
			   "{\"tables\":[");
	for (size_t i = 0; i < strew_result_table_count(result); i++) {
		base_str_add(text, i > 0 ? ",\n" : "\n");
		add_table(html, strew_result_table_at(result, i));
	}
	base_str_add(text, "],\n\"pictures\":[");
	for (size_t i = 0; i < result_drawing_count(result); i++) {
		base_str_add(text, i > 0 ? ",\n" : "\n");
		add_picture(html, result, result_drawing_at(result, i));
	}
	base_str_add(text, "]}</script>\n");
}
