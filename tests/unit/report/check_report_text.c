/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "report_grid.h"
#include "report_support.h"
#include "result.h"

START_TEST(headline_tables_and_notes_stand_in_order)
{
	expect_report(sample_result(), "text", NULL,
		      "the answer\n"
		      "\n"
		      "PGs            1024\n"
		      "bytes moved    97.0 TiB\n"
		      "moved percent  0.10 %\n"
		      "excess         1.09\xc3\x97\n"
		      "\n"
		      "a note\n"
		      "\n"
		      "devices\n"
		      "name        count    share  devices      primary\n"
		      "Z\xc3\xbcrich          7  0.33333  14 NONE 203       14\n"
		      "say \"a,b\"  -12345        -                  NONE\n"
		      "\n"
		      "    words\n"
		      "only text\n"
		      "\n"
		      "mind this\n");
}
END_TEST

START_TEST(only_what_needs_a_hand_is_coloured)
{
	strew_report_options options = STREW_REPORT_OPTIONS_INIT;
	strew_result *result = result_new("x", NULL);

	options.color = 1;
	result_add_note(result, "plain");
	result_add_warning(result, "hot");
	expect_report(result, "text", &options, "plain\n\x1b[33mhot\x1b[0m\n");
}
END_TEST

START_TEST(notes_are_wrapped_at_the_width)
{
	strew_report_options options = STREW_REPORT_OPTIONS_INIT;
	strew_result *result = result_new("x", NULL);

	options.width = 12;
	result_add_note(result, "one two  three four averylongwordindeed end");
	expect_report(result, "text", &options,
		      "one two\n  three four\n  averylongwordindeed\n  end\n");
}
END_TEST

START_TEST(what_steers_a_terminal_is_replaced)
{
	static const struct result_column column = {"name", NULL, STREW_CELL_TEXT,
						    RESULT_NAME};
	strew_result *result = result_new("x", NULL);
	strew_table *table =
		result_add_table(result, "t", NULL, &column, 1, RESULT_NO_TITLE);

	result_row(table);
	result_text(table, "a\x1b[2J\nb");
	expect_report(result, "text", NULL, "name\na?[2J?b\n");
}
END_TEST

static const struct {
	const char *text;
	size_t width;
} widths[] = {
	{"Z\xc3\xbcrich", 6},
	{"e\xcc\x81", 1},                /* combining accent */
	{"\xe6\x9d\xb1\xe4\xba\xac", 4}, /* Tokyo */
	{"\xf0\x9f\x98\x80", 2},
	{"\xff\xfe", 2},
};

START_TEST(widths_follow_characters_not_bytes)
{
	const char *text = widths[_i].text;

	ck_assert_uint_eq(report_text_width(text, strlen(text)), widths[_i].width);
}
END_TEST

static const struct result_column move_columns[] = {
	{"from", NULL, STREW_CELL_TEXT, RESULT_DEVICE},
	{"to", NULL, STREW_CELL_TEXT, RESULT_DEVICE},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
};

static void add_move(strew_table *table, const char *from, const char *to, int64_t shards)
{
	result_row(table);
	result_text(table, from);
	result_text(table, to);
	result_integer(table, shards);
}

static strew_result *small_matrix(void)
{
	strew_result *result = result_new("x", NULL);
	strew_table *table =
		result_add_table(result, "domains", "from \xe2\x86\x92 to (rack)",
				 move_columns, 3, RESULT_MATRIX);

	add_move(table, NULL, "r2", 7);
	add_move(table, "r10", "r2", 12);
	add_move(table, "r2", "r10", 345);
	add_move(table, "r2", "r2", 1);
	return result;
}

START_TEST(a_matrix_shows_rows_by_columns)
{
	expect_report(small_matrix(), "text", NULL,
		      "from \xe2\x86\x92 to (rack)  r2  r10\n"
		      "r2                 1  345\n"
		      "r10               12    .\n"
		      "NONE               7    .\n");
}
END_TEST

START_TEST(a_matrix_too_wide_becomes_a_list)
{
	strew_report_options options = STREW_REPORT_OPTIONS_INIT;

	options.width = 20;
	expect_report(small_matrix(), "text", &options,
		      "from \xe2\x86\x92 to (rack)\n"
		      "from  to   shards\n"
		      "r2    r10     345\n"
		      "r10   r2       12\n"
		      "NONE  r2        7\n"
		      "r2    r2        1\n");
}
END_TEST

/* Values count as names do. */
START_TEST(a_matrix_fits_by_its_widest_cells)
{
	strew_report_options options = STREW_REPORT_OPTIONS_INIT;

	for (int i = 0; i < 2; i++) {
		strew_result *result = result_new("x", NULL);
		strew_table *table = result_add_table(result, "d", "t", move_columns, 3,
						      RESULT_MATRIX);

		add_move(table, "a", "b", 123456789);
		options.width = i == 0 ? 12 : 11;
		expect_report(result, "text", &options,
			      i == 0 ? "t          b\n"
				       "a  123456789\n"
				     : "t\n"
				       "from  to     shards\n"
				       "a     b   123456789\n");
	}
}
END_TEST

START_TEST(wide_characters_wrap_by_their_width)
{
	strew_report_options options = STREW_REPORT_OPTIONS_INIT;
	strew_result *result = result_new("x", NULL);

	options.width = 8;
	result_add_note(result, "\xe6\x9d\xb1\xe4\xba\xac is far");
	expect_report(result, "text", &options, "\xe6\x9d\xb1\xe4\xba\xac is\n  far\n");
	result = result_new("x", NULL);
	options.width = 6;
	result_add_note(result, "\xe6\x9d\xb1\xe4\xba\xac is");
	expect_report(result, "text", &options, "\xe6\x9d\xb1\xe4\xba\xac\n  is\n");
}
END_TEST

START_TEST(a_large_matrix_lists_the_largest)
{
	strew_result *result = result_new("x", NULL);
	strew_table *table = result_add_table(result, "domains", "moves", move_columns, 3,
					      RESULT_MATRIX);
	struct catcher catcher;

	for (int i = 0; i < 100; i++) {
		char name[16];

		snprintf(name, sizeof(name), "h%d", i);
		add_move(table, name, "h0", i);
	}
	catcher_init(&catcher);
	ck_assert_int_eq(strew_report_write(result, "text", NULL, &catcher.sink, NULL),
			 STREW_OK);
	ck_assert_ptr_nonnull(
		strstr(base_str_text(&catcher.text),
		       "moves, the largest\nfrom  to  shards\nh99   h0      99\n"));
	ck_assert_ptr_nonnull(strstr(base_str_text(&catcher.text),
				     "h80   h0      80\n\xe2\x80\xa6 and 80 more\n"));
	catcher_free(&catcher);
	strew_result_free(result);
}
END_TEST

static const char *const kinds[] = {"text", "json", "csv", "html"};

START_TEST(a_sink_that_fails_is_told_of)
{
	strew_result *result = sample_result();
	struct catcher catcher;
	strew_error error;

	catcher_init(&catcher);
	catcher.fail_at = 1;
	ck_assert_int_eq(
		strew_report_write(result, kinds[_i], NULL, &catcher.sink, &error),
		STREW_EIO);
	ck_assert_int_eq(error.status, STREW_EIO);
	catcher_free(&catcher);
	strew_result_free(result);
}
END_TEST

START_TEST(kinds_are_listed)
{
	struct catcher catcher;
	strew_result *result = sample_result();
	strew_error error;

	ck_assert_uint_eq(strew_report_count(), 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_str_eq(strew_report_name(i), kinds[i]);
	ck_assert_ptr_null(strew_report_name(4));
	catcher_init(&catcher);
	ck_assert_int_eq(strew_report_write(result, "pdf", NULL, &catcher.sink, &error),
			 STREW_ENOTFOUND);
	ck_assert_str_eq(error.text,
			 "there is no report \"pdf\"; there are text, json, csv and html");
	catcher_free(&catcher);
	strew_result_free(result);
}
END_TEST

/* The text is the caller's, in the last of three columns. */
static strew_result *list_of(const char *const rows[][3], size_t count)
{
	static const struct result_column columns[] = {
		{"severity", NULL, STREW_CELL_TEXT, RESULT_NAME},
		{"path", NULL, STREW_CELL_TEXT, RESULT_NAME},
		{"text", NULL, STREW_CELL_TEXT, RESULT_NAME},
	};
	strew_result *result = result_new("x", NULL);
	strew_table *table = result_add_table(result, "list", NULL, columns, 3,
					      RESULT_TEXT_ONLY | RESULT_LIST);

	for (size_t i = 0; i < count; i++) {
		result_row(table);
		for (size_t j = 0; j < 3; j++)
			result_text(table, rows[i][j]);
	}
	return result;
}

START_TEST(a_list_wraps_its_last_column)
{
	static const char *const rows[][3] = {
		{"error", "bucket a", "one two three four"},
		{"info", "a path that leaves its column", "five six seven eight"},
		{"info", "", "nine"},
	};
	strew_report_options options = STREW_REPORT_OPTIONS_INIT;

	options.width = 36;
	expect_report(list_of(rows, 3), "text", &options,
		      "error  bucket a  one two three four\n"
		      "info   a path that leaves its column\n"
		      "                 five six seven\n"
		      "                 eight\n"
		      "info             nine\n");
	options.width = 24;
	expect_report(list_of(rows, 1), "text", &options,
		      "error  bucket a\n"
		      "    one two three four\n");
}
END_TEST

START_TEST(a_list_has_lines_of_100_columns_where_no_width_is_known)
{
	static const char *const rows[][3] = {
		{"error", "x",
		 "1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 "
		 "1234567890 1234567890 end"},
	};

	expect_report(list_of(rows, 1), "text", NULL,
		      "error  x  1234567890 1234567890 1234567890 1234567890 1234567890 "
		      "1234567890 1234567890 1234567890\n"
		      "          end\n");
}
END_TEST

START_TEST(a_list_colours_the_severity)
{
	static const char *const rows[][3] = {
		{"error", "x", "a"}, {"warning", "x", "b"}, {"info", "x", "c\x1b"}};
	strew_report_options options = STREW_REPORT_OPTIONS_INIT;

	options.color = 1;
	expect_report(list_of(rows, 3), "text", &options,
		      "\x1b[31merror\x1b[0m    x  a\n"
		      "\x1b[33mwarning\x1b[0m  x  b\n"
		      "info     x  c?\n");
}
END_TEST

TCase *check_report_text(void)
{
	TCase *tcase = tcase_create("report_text");

	tcase_add_test(tcase, headline_tables_and_notes_stand_in_order);
	tcase_add_test(tcase, only_what_needs_a_hand_is_coloured);
	tcase_add_test(tcase, notes_are_wrapped_at_the_width);
	tcase_add_test(tcase, what_steers_a_terminal_is_replaced);
	tcase_add_loop_test(tcase, widths_follow_characters_not_bytes, 0,
			    (int)(sizeof(widths) / sizeof(widths[0])));
	tcase_add_test(tcase, a_matrix_shows_rows_by_columns);
	tcase_add_test(tcase, a_matrix_too_wide_becomes_a_list);
	tcase_add_test(tcase, a_matrix_fits_by_its_widest_cells);
	tcase_add_test(tcase, wide_characters_wrap_by_their_width);
	tcase_add_test(tcase, a_large_matrix_lists_the_largest);
	tcase_add_test(tcase, a_list_wraps_its_last_column);
	tcase_add_test(tcase, a_list_has_lines_of_100_columns_where_no_width_is_known);
	tcase_add_test(tcase, a_list_colours_the_severity);
	tcase_add_loop_test(tcase, a_sink_that_fails_is_told_of, 0, 3);
	tcase_add_test(tcase, kinds_are_listed);
	return tcase;
}
