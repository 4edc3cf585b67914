/* SPDX-License-Identifier: MIT */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report.h"

/** A page on its way. */
struct html {
	struct report_out out;
	struct base_str piece; /* to be escaped; whoever uses it clears it first */
};

/** Text as HTML: nothing in it is markup, in an element or an attribute. Control
 * characters become "?". */
void report_html_add_text(struct html *html, const char *text);
/** The same of html->piece. */
void report_html_add_piece(struct html *html);

/** A column's title, with PG and PGs as people write them. */
void report_html_put_title(struct base_str *text, const struct result_column *column);

/** A table that reads well without scripts: its first rows, without columns of nulls.
 * `index` is for the page's script, which takes it over unless it is part of the answer.
 * A record is a list of its columns. */
void report_html_add_table(struct html *html, const strew_table *table, size_t index);

/** The element that holds all tables and pictures, for the page's script:
 * {"tables": [{"name", "title", "columns": [{"name", "title", "kind", "unit", "left"}],
 * "rows": [[cell, …], …]}, …], "pictures": [{"table", "shape", "scale", "title",
 * "columns": [index, …], "marks": [{"name", "value"}, …]}, …]}. */
void report_html_add_data(struct html *html, const strew_result *result);

#endif
