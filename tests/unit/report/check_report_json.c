/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <jansson.h>
#include <math.h>

#include "report_support.h"
#include "result.h"

START_TEST(a_result_is_one_object)
{
	expect_report(
		sample_result(), "json", NULL,
		"{\n"
		"  \"schema\": \"strew-result/1\",\n"
		"  \"command\": \"sample\",\n"
		"  \"summary\": {\"pgs\": 1024, \"bytes_moved\": 106652627894272, "
		"\"moved_percent\": 0.1, \"excess\": 1.0918},\n"
		"  \"devices\": [\n"
		"    {\"name\": \"Z\xc3\xbcrich\", \"count\": 7, \"share\": "
		"0.3333333333333333, \"devices\": [14, null, 203], \"primary\": 14},\n"
		"    {\"name\": \"say \\\"a,b\\\"\", \"count\": -12345, \"share\": null, "
		"\"devices\": [], \"primary\": null}\n"
		"  ],\n"
		"  \"hidden\": [],\n"
		"  \"notes\": [\n"
		"    \"a note\",\n"
		"    \"mind this\"\n"
		"  ]\n"
		"}\n");
}
END_TEST

static const struct result_column text_column = {"text", NULL, STREW_CELL_TEXT,
						 RESULT_NAME};

static const struct {
	const char *text;
	const char *expected;
} texts[] = {
	{"back\\slash \"quote\"", "back\\slash \"quote\""},
	{"tab\tline\n\x01\x7f", "tab\tline\n\x01\x7f"},
	{"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	 "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
	/* Not UTF-8: a lone lead, a lone tail, overlong, half a pair, too large, cut. */
	{"a\xc3z", "a\xef\xbf\xbdz"},
	{"a\x80z", "a\xef\xbf\xbdz"},
	{"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
	{"\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	{"\xed\x9f\xbf", "\xed\x9f\xbf"},
	{"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	{"\xf0\x9f\x98", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
};

START_TEST(every_text_is_valid_json)
{
	strew_result *result = result_new("x", NULL);
	strew_table *table = result_add_table(result, "t", NULL, &text_column, 1, 0);
	struct catcher catcher;
	const char *found;
	json_t *parsed;

	result_row(table);
	result_text(table, texts[_i].text);
	catcher_init(&catcher);
	ck_assert_int_eq(strew_report_write(result, "json", NULL, &catcher.sink, NULL),
			 STREW_OK);
	parsed = json_loads(base_str_text(&catcher.text), 0, NULL);
	ck_assert_ptr_nonnull(parsed);
	found = json_string_value(
		json_object_get(json_array_get(json_object_get(parsed, "t"), 0), "text"));
	ck_assert_str_eq(found, texts[_i].expected);
	json_decref(parsed);
	catcher_free(&catcher);
	strew_result_free(result);
}
END_TEST

static const struct result_column number_columns[] = {
	{"i", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"set", NULL, STREW_CELL_SET, RESULT_PLAIN},
};

START_TEST(long_tables_are_written_in_pieces)
{
	strew_result *result = result_new("x", NULL);
	strew_table *table = result_add_table(result, "t", NULL, number_columns, 2, 0);
	struct catcher catcher;
	json_t *parsed, *rows;
	const int32_t set[] = {1, 2, STREW_NONE};

	for (int i = 0; i < 20000; i++) {
		result_row(table);
		result_integer(table, i);
		result_set(table, set, 3);
	}
	catcher_init(&catcher);
	ck_assert_int_eq(strew_report_write(result, "json", NULL, &catcher.sink, NULL),
			 STREW_OK);
	ck_assert_uint_gt(catcher.writes, 5);
	parsed = json_loads(base_str_text(&catcher.text), 0, NULL);
	rows = json_object_get(parsed, "t");
	ck_assert_uint_eq(json_array_size(rows), 20000);
	ck_assert_int_eq(
		json_integer_value(json_object_get(json_array_get(rows, 19999), "i")),
		19999);
	json_decref(parsed);
	catcher_free(&catcher);
	strew_result_free(result);
}
END_TEST

TCase *check_report_json(void)
{
	TCase *tcase = tcase_create("report_json");

	tcase_add_test(tcase, a_result_is_one_object);
	tcase_add_loop_test(tcase, every_text_is_valid_json, 0,
			    (int)(sizeof(texts) / sizeof(texts[0])));
	tcase_add_test(tcase, long_tables_are_written_in_pieces);
	return tcase;
}
