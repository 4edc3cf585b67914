/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "report_support.h"
#include "result.h"

/* The page of a result, to be freed; the result is freed, too. */
static char *make_page(strew_result *result)
{
	struct catcher catcher;
	char *page;

	catcher_init(&catcher);
	ck_assert_int_eq(strew_report_write(result, "html", NULL, &catcher.sink, NULL),
			 STREW_OK);
	page = strdup(base_str_text(&catcher.text));
	ck_assert_ptr_nonnull(page);
	catcher_free(&catcher);
	strew_result_free(result);
	return page;
}

static void expect_text(const char *page, const char *text)
{
	ck_assert_msg(strstr(page, text) != NULL, "the page lacks %s", text);
}

/* The page's data, to be released. */
static json_t *read_data(const char *page)
{
	static const char open[] = "<script type=\"application/json\" id=\"result\">";
	const char *begin = strstr(page, open), *end;
	json_error_t error;
	json_t *data;

	ck_assert_ptr_nonnull(begin);
	begin += strlen(open);
	end = strstr(begin, "</script>");
	data = json_loadb(begin, (size_t)(end - begin), 0, &error);
	ck_assert_msg(data != NULL, "%s", error.text);
	return data;
}

START_TEST(the_answer_comes_first_and_all_tables_follow)
{
	char *page = make_page(sample_result());

	expect_text(page, "<title>sample: the answer</title>");
	expect_text(page, "<h1>the answer</h1>");
	expect_text(page, "<li>a note</li>\n<li class=\"warning\">mind this</li>");
	expect_text(page, "<div><dt>bytes moved</dt><dd>97.0 TiB</dd></div>");
	expect_text(page, "<th scope=\"col\" class=\"number\">count</th>");
	expect_text(page, "<tr><td>Z\xc3\xbcrich</td><td class=\"number\">7</td>"
			  "<td class=\"number\">0.33333</td><td>14 NONE 203</td>"
			  "<td class=\"number\">14</td></tr>");
	ck_assert_ptr_null(strstr(page, "<td class=\"number\">only text</td>"));
	free(page);
}
END_TEST

START_TEST(the_data_is_exact)
{
	char *page = make_page(sample_result());
	json_t *data = read_data(page);
	json_t *tables = json_object_get(data, "tables");
	json_t *devices = json_array_get(tables, 1), *row, *column;

	ck_assert_uint_eq(json_array_size(tables), 4);
	ck_assert_str_eq(json_string_value(json_object_get(devices, "name")), "devices");
	column = json_array_get(json_object_get(devices, "columns"), 2);
	ck_assert_str_eq(json_string_value(json_object_get(column, "unit")), "share");
	row = json_array_get(json_object_get(devices, "rows"), 0);
	ck_assert_double_eq(json_real_value(json_array_get(row, 2)), 1.0 / 3);
	ck_assert(json_is_null(json_array_get(json_array_get(row, 3), 1)));
	row = json_array_get(json_object_get(devices, "rows"), 1);
	ck_assert_str_eq(json_string_value(json_array_get(row, 0)), "say \"a,b\"");
	json_decref(data);
	free(page);
}
END_TEST

static const struct result_column name_columns[] = {
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"severity", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"count", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
};

static strew_result *result_of(const char *name, size_t rows)
{
	strew_result *result = result_new("x", NULL);
	strew_table *table = result_add_table(result, "t", name, name_columns, 3, 0);

	for (size_t i = 0; i < rows; i++) {
		result_row(table);
		result_text(table, name);
		result_text(table, name);
		result_integer(table, (int64_t)i);
	}
	result_draw(result, "t",
		    &(struct result_picture){
			    .shape = RESULT_BARS,
			    .title = name,
			    .columns = {"name", "count"},
			    .marks = {{"limit", 0.5}},
		    });
	return result;
}

/* Nothing of these may reach the page as it is: each would end or begin something. */
static const char *const hostile[] = {
	"</script><script>alert(1)</script>",
	"<!--<script>",
	"\"><img src=x onerror=alert(1)>",
	"' onmouseover='alert(1)",
	"</title></style></td></table>",
	"<svg/onload=alert(1)>`<b>`",
	"&lt;script&gt;",
};

static size_t count_of(const char *page, const char *what)
{
	size_t count = 0;

	for (; (page = strstr(page, what)) != NULL; page++)
		count++;
	return count;
}

START_TEST(hostile_names_are_text)
{
	static const char *const structure[] = {"<script", "</script", "<!--", "<img",
						"<svg",    "</style",  "<b>",  "</title",
						"</td",    "</table"};
	const char *name = hostile[_i];
	strew_result *plain = result_of("plain", 3), *odd = result_of(name, 3);
	char *page, *other;
	json_t *data, *table;

	result_set_headline(plain, "plain");
	result_set_headline(odd, "%s", name);
	result_add_note(plain, "plain");
	result_add_warning(odd, "%s", name);
	other = make_page(plain);
	page = make_page(odd);
	/* As much markup as with harmless names, and not one element more. */
	for (size_t i = 0; i < sizeof(structure) / sizeof(structure[0]); i++) {
		ck_assert_uint_eq(count_of(page, structure[i]),
				  count_of(other, structure[i]));
	}
	data = read_data(page);
	table = json_array_get(json_object_get(data, "tables"), 0);
	ck_assert_str_eq(json_string_value(json_array_get(
				 json_array_get(json_object_get(table, "rows"), 2), 0)),
			 name);
	json_decref(data);
	/* Only the data has it letter by letter. */
	*strstr(page, "<script type=\"application/json\"") = '\0';
	ck_assert_ptr_null(strstr(page, name));
	free(page);
	free(other);
}
END_TEST

START_TEST(what_is_no_utf8_or_controls_is_replaced)
{
	char *page = make_page(result_of("a\x01\x1b[31m\xff", 1));
	json_t *data = read_data(page);

	expect_text(page, "a??[31m");
	ck_assert_ptr_null(strchr(page, '\x1b'));
	json_decref(data);
	free(page);
}
END_TEST

START_TEST(only_known_words_become_classes)
{
	strew_result *result = result_of("error", 1);
	char *page = make_page(result);

	expect_text(page, "<td>error</td><td class=\"error\">error</td>");
	free(page);
	page = make_page(result_of("fatal", 1));
	expect_text(page, "<td>fatal</td><td>fatal</td>");
	free(page);
}
END_TEST

START_TEST(pictures_name_their_columns)
{
	char *page = make_page(result_of("n", 2));
	json_t *data = read_data(page), *picture, *mark;

	picture = json_array_get(json_object_get(data, "pictures"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(picture, "shape")), "bars");
	ck_assert_int_eq(json_integer_value(json_object_get(picture, "table")), 0);
	ck_assert_int_eq(json_integer_value(
				 json_array_get(json_object_get(picture, "columns"), 1)),
			 2);
	mark = json_array_get(json_object_get(picture, "marks"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(mark, "name")), "limit");
	ck_assert_double_eq(json_real_value(json_object_get(mark, "value")), 0.5);
	json_decref(data);
	free(page);
}
END_TEST

START_TEST(long_tables_have_their_first_rows_and_all_data)
{
	char *page = make_page(result_of("row", 20000));
	json_t *data = read_data(page), *table;

	ck_assert_uint_eq(count_of(page, "<tr><td>row</td>"), 100);
	expect_text(page, "The first 100 of 20000 rows");
	table = json_array_get(json_object_get(data, "tables"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(table, "rows")), 20000);
	json_decref(data);
	free(page);
}
END_TEST

START_TEST(code_and_wide_gaps_are_set_apart)
{
	strew_result *result = result_of("n", 1);
	char *page;

	result_set_headline(result, "a → b    what <is> new");
	result_add_note(result, "see `--list`, `odd");
	page = make_page(result);
	expect_text(page, "<h1>a → b</h1>\n<p class=\"lead\">what &lt;is&gt; new</p>");
	expect_text(page, "<li>see <code>--list</code>, <code>odd</code></li>");
	free(page);
}
END_TEST

START_TEST(first_note_stands_in_for_a_headline)
{
	strew_result *result = result_of("n", 1);
	char *page;

	result_add_note(result, "1 warning, 4 infos");
	result_add_note(result, "and more");
	page = make_page(result);
	expect_text(page, "<h1>1 warning, 4 infos</h1>");
	ck_assert_uint_eq(count_of(page, "<li>1 warning"), 0);
	expect_text(page, "<li>and more</li>");
	free(page);
}
END_TEST

START_TEST(a_sink_that_fails_is_told)
{
	strew_result *result = result_of("row", 20000);
	struct catcher catcher;

	catcher_init(&catcher);
	catcher.fail_at = 3;
	ck_assert_int_eq(strew_report_write(result, "html", NULL, &catcher.sink, NULL),
			 STREW_EIO);
	ck_assert_uint_eq(catcher.writes, 3);
	catcher_free(&catcher);
	strew_result_free(result);
}
END_TEST

TCase *check_report_html(void)
{
	TCase *tcase = tcase_create("report_html");

	tcase_add_test(tcase, the_answer_comes_first_and_all_tables_follow);
	tcase_add_test(tcase, the_data_is_exact);
	tcase_add_loop_test(tcase, hostile_names_are_text, 0,
			    (int)(sizeof(hostile) / sizeof(hostile[0])));
	tcase_add_test(tcase, what_is_no_utf8_or_controls_is_replaced);
	tcase_add_test(tcase, only_known_words_become_classes);
	tcase_add_test(tcase, pictures_name_their_columns);
	tcase_add_test(tcase, long_tables_have_their_first_rows_and_all_data);
	tcase_add_test(tcase, code_and_wide_gaps_are_set_apart);
	tcase_add_test(tcase, first_note_stands_in_for_a_headline);
	tcase_add_test(tcase, a_sink_that_fails_is_told);
	return tcase;
}
