/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "report_support.h"
#include "result.h"

START_TEST(the_first_table_is_the_main_one)
{
	expect_report(sample_result(), "csv", NULL,
		      "pgs,bytes_moved,moved_percent,excess\n"
		      "1024,106652627894272,0.1,1.0918\n");
}
END_TEST

START_TEST(texts_are_quoted_and_nulls_empty)
{
	strew_report_options options = STREW_REPORT_OPTIONS_INIT;

	options.table = "devices";
	expect_report(sample_result(), "csv", &options,
		      "name,count,share,devices,primary\n"
		      "Z\xc3\xbcrich,7,0.3333333333333333,14  203,14\n"
		      "\"say \"\"a,b\"\"\",-12345,,,\n");
}
END_TEST

START_TEST(other_tables_are_refused_by_name)
{
	strew_report_options options = STREW_REPORT_OPTIONS_INIT;
	strew_result *result = sample_result();
	struct catcher catcher;
	strew_error error;

	catcher_init(&catcher);
	options.table = "words"; /* only for text */
	ck_assert_int_eq(
		strew_report_write(result, "csv", &options, &catcher.sink, &error),
		STREW_ENOTFOUND);
	ck_assert_str_eq(
		error.text,
		"this result has no table \"words\"; it has: summary devices hidden");
	ck_assert_uint_eq(catcher.writes, 0);
	catcher_free(&catcher);
	strew_result_free(result);
}
END_TEST

TCase *check_report_csv(void)
{
	TCase *tcase = tcase_create("report_csv");

	tcase_add_test(tcase, the_first_table_is_the_main_one);
	tcase_add_test(tcase, texts_are_quoted_and_nulls_empty);
	tcase_add_test(tcase, other_tables_are_refused_by_name);
	return tcase;
}
