/* SPDX-License-Identifier: MIT */
#include "report_html.h"

#include <string.h>

#include <strew/version.h>

#include "base_alloc.h"
#include "report_html_web.h"

/*
 * One page that needs nothing else: the answer, then the pictures, each with its table,
 * then the other tables. All of it can be read without scripts, as mail and tickets show
 * it. Pictures are drawn by a script, from the data that the page holds.
 */

/* What draws pictures is most of a page, and left out where there are none. */
static bool has_charts(const strew_result *result)
{
	return web_charts[0] != '\0' && result_drawing_count(result) > 0;
}

static void add_part(struct html *html, const char *text, size_t len)
{
	base_str_clear(&html->piece);
	base_str_add_bytes(&html->piece, text, len);
	report_html_add_piece(html);
}

/* `words` in backquotes are what somebody may type. */
static void add_note_text(struct html *html, const char *note)
{
	struct base_str *text = &html->out.text;
	bool in_code = false;

	while (*note) {
		size_t len = strcspn(note, "`");

		add_part(html, note, len);
		note += len;
		if (*note == '`') {
			base_str_add(text, in_code ? "</code>" : "<code>");
			in_code = !in_code;
			note++;
		}
	}
	base_str_add(text, in_code ? "</code>" : "");
}

/* A headline may have two parts, apart by a wide gap. */
static void add_headline(struct html *html, const char *headline)
{
	const char *gap = strstr(headline, "    ");
	struct base_str *text = &html->out.text;

	base_str_add(text, "<h1>");
	add_part(html, headline, gap ? (size_t)(gap - headline) : strlen(headline));
	base_str_add(text, "</h1>\n");
	if (gap == NULL)
		return;
	base_str_add(text, "<p class=\"lead\">");
	report_html_add_text(html, gap + strspn(gap, " "));
	base_str_add(text, "</p>\n");
}

/* Without a headline the first note has to do, which then isn't said again. */
static bool is_first_note_title(const strew_result *result)
{
	return result_headline(result) == NULL && result_note_count(result) > 0;
}

static const char *title_of(const strew_result *result)
{
	const char *headline = result_headline(result);

	if (is_first_note_title(result))
		return result_note_at(result, 0).text;
	return headline ? headline : strew_result_command(result);
}

static void add_head(struct html *html, const strew_result *result)
{
	struct base_str *text = &html->out.text;

	base_str_add(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			   "<meta charset=\"utf-8\">\n"
			   "<meta http-equiv=\"Content-Security-Policy\" content=\"");
	base_str_add(text, web_policy);
	base_str_add(text, "\">\n<meta name=\"viewport\" "
			   "content=\"width=device-width, initial-scale=1\">\n<title>");
	report_html_add_text(html, strew_result_command(result));
	base_str_add(text, ": ");
	report_html_add_text(html, title_of(result));
	base_str_add(text, "</title>\n<style>");
	base_str_add(text, web_style);
	base_str_add(text, "</style>\n</head>\n");
}

static void add_header(struct html *html, const strew_result *result)
{
	struct base_str *text = &html->out.text;

	base_str_add(text, "<body>\n<header>\n<p class=\"what\">maptool ");
	report_html_add_text(html, strew_result_command(result));
	base_str_add(text,
		     "</p>\n<button type=\"button\" id=\"theme\" hidden></button>\n");
	add_headline(html, title_of(result));
	base_str_add(text, "</header>\n<main>\n");
}

static void add_notes(struct html *html, const strew_result *result)
{
	struct base_str *text = &html->out.text;
	size_t first = is_first_note_title(result) ? 1 : 0;

	if (result_note_count(result) <= first)
		return;
	base_str_add(text, "<ul class=\"notes\">\n");
	for (size_t i = first; i < result_note_count(result); i++) {
		struct result_note note = result_note_at(result, i);

		base_str_add(text, note.warning ? "<li class=\"warning\">" : "<li>");
		add_note_text(html, note.text);
		base_str_add(text, "</li>\n");
	}
	base_str_add(text, "</ul>\n");
}

static bool is_answer(const strew_table *table)
{
	return (result_table_flags(table) & RESULT_ANSWER) &&
	       strew_table_row_count(table) > 0;
}

static void add_answer(struct html *html, const strew_result *result)
{
	for (size_t i = 0; i < strew_result_table_count(result); i++) {
		const strew_table *table = strew_result_table_at(result, i);

		if (!is_answer(table))
			continue;
		base_str_add(&html->out.text, "<div class=\"answer\">\n");
		report_html_add_table(html, table, i);
		base_str_add(&html->out.text, "</div>\n");
	}
	add_notes(html, result);
}

/* What only text shows would be said twice. */
static bool is_shown_below(const strew_table *table)
{
	return strew_table_row_count(table) > 0 &&
	       !(result_table_flags(table) & (RESULT_TEXT_ONLY | RESULT_ANSWER));
}

static size_t first_drawing(const strew_result *result, const strew_table *table)
{
	size_t i = 0;

	while (i < result_drawing_count(result) &&
	       result_drawing_at(result, i)->table != table)
		i++;
	return i;
}

static void add_figures(struct html *html, const strew_result *result,
			const strew_table *table)
{
	struct base_str *text = &html->out.text;

	for (size_t i = 0; i < result_drawing_count(result) && has_charts(result); i++) {
		const struct result_drawing *drawing = result_drawing_at(result, i);

		if (drawing->table != table)
			continue;
		base_str_addf(text, "<figure data-picture=\"%zu\" hidden>\n<figcaption>",
			      i);
		report_html_add_text(html, drawing->picture.title);
		base_str_add(text, "</figcaption>\n</figure>\n");
	}
}

static void add_section(struct html *html, const strew_result *result, size_t index)
{
	const strew_table *table = strew_result_table_at(result, index);
	struct base_str *text = &html->out.text;

	base_str_addf(text, "<section id=\"table-%zu\">\n<h2>", index);
	report_html_add_text(html, result_table_title(table));
	base_str_add(text, "</h2>\n");
	add_figures(html, result, table);
	report_html_add_table(html, table, index);
	base_str_add(text, "</section>\n");
	report_pass(&html->out);
}

static void add_section_of(struct html *html, const strew_result *result,
			   const strew_table *table)
{
	for (size_t i = 0; i < strew_result_table_count(result); i++) {
		if (strew_result_table_at(result, i) == table)
			add_section(html, result, i);
	}
}

/* Tables with pictures come first, in the order of the pictures. */
static void add_sections(struct html *html, const strew_result *result)
{
	size_t drawings = result_drawing_count(result);

	for (size_t i = 0; i < drawings; i++) {
		const strew_table *table = result_drawing_at(result, i)->table;

		if (first_drawing(result, table) == i && is_shown_below(table))
			add_section_of(html, result, table);
	}
	for (size_t i = 0; i < strew_result_table_count(result); i++) {
		const strew_table *table = strew_result_table_at(result, i);

		if (first_drawing(result, table) == drawings && is_shown_below(table))
			add_section(html, result, i);
	}
}

static void add_footer(struct base_str *text, const strew_result *result)
{
	base_str_add(text, "</main>\n<footer>Made by strew " STREW_VERSION ".");
	if (has_charts(result))
		base_str_add(text,
			     " Charts: Apache ECharts, under the Apache License 2.0; "
			     "its text and notices are in this page.");
	else if (web_charts[0] == '\0')
		base_str_add(text, " It was built without charts.");
	base_str_add(text, "</footer>\n");
}

static void add_scripts(struct base_str *text, const strew_result *result)
{
	if (has_charts(result)) {
		base_str_add(text, "<script type=\"text/plain\" id=\"charts\">\n");
		base_str_add(text, web_charts);
		base_str_add(text, "</script>\n");
	}
	base_str_add(text, "<script>");
	base_str_add(text, web_script);
	base_str_add(text, "</script>\n</body>\n</html>\n");
}

static strew_status write_html(const strew_result *result,
			       const strew_report_options *options,
			       const strew_sink *sink, strew_error *error)
{
	struct html html;

	(void)options;
	report_open(&html.out, sink);
	base_str_init(&html.piece, &base_heap);
	add_head(&html, result);
	add_header(&html, result);
	add_answer(&html, result);
	add_sections(&html, result);
	add_footer(&html.out.text, result);
	report_html_add_data(&html, result);
	add_scripts(&html.out.text, result);
	if (!base_str_ok(&html.piece))
		html.out.text.failed = true;
	base_str_free(&html.piece);
	return report_close(&html.out, error);
}

const struct report_ops report_html = {"html", write_html};
