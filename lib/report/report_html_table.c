/* SPDX-License-Identifier: MIT */
#include "report_html.h"

#include <string.h>

#include "base_alloc.h"

/* More than this many rows are for the page's script: without one, nobody reads them. */
#define ROWS_MAX 100

static const char *escape_of(char letter)
{
	switch (letter) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return (unsigned char)letter < ' ' || letter == 0x7f ? "?" : NULL;
	}
}

void report_html_add_text(struct html *html, const char *text)
{
	struct base_str *out = &html->out.text;

	while (*text) {
		size_t len = 0;

		while (text[len] && escape_of(text[len]) == NULL)
			len++;
		base_str_add_bytes(out, text, len);
		text += len;
		if (*text)
			base_str_add(out, escape_of(*text++));
	}
}

void report_html_add_piece(struct html *html)
{
	report_html_add_text(html, base_str_text(&html->piece));
}

void report_html_put_title(struct base_str *text, const struct result_column *column)
{
	struct result_column rest = *column;
	size_t len = strcspn(column->name, "_");

	if (column->title == NULL && len >= 2 && strncmp(column->name, "pgs", len) == 0) {
		base_str_add(text, "PG");
		rest.name += 2;
	}
	report_add_title(text, &rest);
}

static void add_title(struct html *html, const struct result_column *column)
{
	base_str_clear(&html->piece);
	report_html_put_title(&html->piece, column);
	report_html_add_piece(html);
}

static void add_value(struct html *html, const strew_cell *cell,
		      const struct result_column *column)
{
	base_str_clear(&html->piece);
	report_add_rounded(&html->piece, cell, column->unit);
	report_html_add_piece(html);
}

static bool is_severity(const char *word)
{
	static const char *const severities[] = {"error", "warning", "info"};

	for (size_t i = 0; i < sizeof(severities) / sizeof(severities[0]); i++) {
		if (strcmp(word, severities[i]) == 0)
			return true;
	}
	return false;
}

/* What the style sheet knows a cell by; "": nothing. */
static const char *cell_class(const strew_cell *cell, const struct result_column *column)
{
	if (cell->kind == STREW_CELL_TEXT && strcmp(column->name, "severity") == 0 &&
	    is_severity(cell->text))
		return cell->text;
	return report_column_is_left(column) ? "" : "number";
}

static void add_open(struct base_str *text, const char *element, const char *class)
{
	base_str_addf(text, "<%s", element);
	if (class[0])
		base_str_addf(text, " class=\"%s\"", class);
	base_str_add(text, ">");
}

/* A column of nulls says nothing; the data has it. */
static bool is_shown(const strew_table *table, size_t column)
{
	for (size_t row = 0; row < strew_table_row_count(table); row++) {
		if (strew_table_cell(table, row, column).kind != STREW_CELL_NULL)
			return true;
	}
	return false;
}

static void add_header(struct html *html, const strew_table *table, const bool *shown)
{
	struct base_str *text = &html->out.text;

	base_str_add(text, "<thead><tr>");
	for (size_t i = 0; i < strew_table_column_count(table); i++) {
		const struct result_column *column = result_table_column(table, i);
		bool left = report_column_is_left(column);

		if (!shown[i])
			continue;
		add_open(text, "th scope=\"col\"", left ? "" : "number");
		add_title(html, column);
		base_str_add(text, "</th>");
	}
	base_str_add(text, "</tr></thead>\n");
}

static void add_row(struct html *html, const strew_table *table, size_t row,
		    const bool *shown)
{
	struct base_str *text = &html->out.text;

	base_str_add(text, "<tr>");
	for (size_t i = 0; i < strew_table_column_count(table); i++) {
		const struct result_column *column = result_table_column(table, i);
		strew_cell cell = strew_table_cell(table, row, i);

		if (!shown[i])
			continue;
		add_open(text, "td", cell_class(&cell, column));
		add_value(html, &cell, column);
		base_str_add(text, "</td>");
	}
	base_str_add(text, "</tr>\n");
}

static void add_rows(struct html *html, const strew_table *table, size_t rows)
{
	size_t columns = strew_table_column_count(table);
	bool *shown = base_alloc(&base_heap, columns, sizeof(*shown));

	if (shown == NULL) {
		html->out.text.failed = true;
		return;
	}
	for (size_t i = 0; i < columns; i++)
		shown[i] = is_shown(table, i);
	if (!(result_table_flags(table) & RESULT_LIST))
		add_header(html, table, shown);
	base_str_add(&html->out.text, "<tbody>\n");
	for (size_t row = 0; row < rows; row++) {
		add_row(html, table, row, shown);
		report_pass(&html->out);
	}
	base_str_add(&html->out.text, "</tbody>");
	base_free(&base_heap, shown, columns * sizeof(*shown));
}

/* Too long for one of several columns. */
static bool is_prose(const strew_cell *cell)
{
	return cell->kind == STREW_CELL_TEXT && strlen(cell->text) > 40;
}

static void add_record(struct html *html, const strew_table *table)
{
	struct base_str *text = &html->out.text;

	base_str_add(text, "<dl>\n");
	for (size_t i = 0; i < strew_table_column_count(table); i++) {
		const struct result_column *column = result_table_column(table, i);
		strew_cell cell = strew_table_cell(table, 0, i);

		add_open(text, "div", is_prose(&cell) ? "prose" : "");
		base_str_add(text, "<dt>");
		add_title(html, column);
		base_str_add(text, "</dt><dd>");
		add_value(html, &cell, column);
		base_str_add(text, "</dd></div>\n");
	}
	base_str_add(text, "</dl>\n");
}

void report_html_add_table(struct html *html, const strew_table *table, size_t index)
{
	struct base_str *text = &html->out.text;
	size_t rows = strew_table_row_count(table);
	size_t shown = rows < ROWS_MAX ? rows : ROWS_MAX;

	if ((result_table_flags(table) & RESULT_RECORD) && rows == 1) {
		add_record(html, table);
		return;
	}
	base_str_add(text, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
			   "aria-label=\"");
	report_html_add_text(html, result_table_title(table));
	base_str_add(text, "\"><table");
	if (!(result_table_flags(table) & RESULT_ANSWER))
		base_str_addf(text, " data-table=\"%zu\"", index);
	base_str_add(text, ">\n");
	add_rows(html, table, shown);
	base_str_add(text, "</table></div>\n");
	if (shown < rows)
		base_str_addf(text,
			      "<noscript><p class=\"more\">The first %zu of %zu rows; "
			      "the page's script shows them all.</p></noscript>\n",
			      shown, rows);
}
