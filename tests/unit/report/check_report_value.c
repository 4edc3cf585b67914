/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "report.h"
#include "support.h"

static const struct {
	double value;
	const char *expected;
} reals[] = {
	{0, "0"},
	{0.1, "0.1"},
	{1.0 / 3, "0.3333333333333333"},
	{2.0 / 3, "0.6666666666666666"},
	{0.1 + 0.2, "0.30000000000000004"},
	{-12.5, "-12.5"},
	{1e300, "1e+300"},
	{94.40, "94.4"},
};

START_TEST(reals_are_as_short_as_they_read_back)
{
	struct base_str text;

	base_str_init(&text, &base_heap);
	report_add_real(&text, reals[_i].value);
	ck_assert_str_eq(base_str_text(&text), reals[_i].expected);
	base_str_free(&text);
}
END_TEST

START_TEST(random_reals_read_back_to_themselves)
{
	uint64_t state = 7;
	struct base_str text;
	int bad = 0;

	base_str_init(&text, &base_heap);
	for (int i = 0; i < 100000; i++) {
		uint64_t bits = support_random(&state);
		double value;

		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value))
			continue;
		base_str_clear(&text);
		report_add_real(&text, value);
		bad += strtod(base_str_text(&text), NULL) != value;
	}
	ck_assert_int_eq(bad, 0);
	base_str_free(&text);
}
END_TEST

START_TEST(integers_print_to_both_ends)
{
	struct base_str text;

	base_str_init(&text, &base_heap);
	report_add_integer(&text, 0);
	base_str_add(&text, " ");
	report_add_integer(&text, INT64_MIN);
	base_str_add(&text, " ");
	report_add_integer(&text, INT64_MAX);
	ck_assert_str_eq(base_str_text(&text),
			 "0 -9223372036854775808 9223372036854775807");
	base_str_free(&text);
}
END_TEST

static const struct {
	double value;
	enum result_unit unit;
	const char *expected;
} rounded[] = {
	{97.1 * 1099511627776.0, RESULT_BYTES, "97.1 TiB"},
	{1023, RESULT_BYTES, "1023 B"},
	{1024, RESULT_BYTES, "1.0 KiB"},
	{1048575, RESULT_BYTES, "1.0 MiB"},
	{1e30, RESULT_BYTES, "867361737988.4 EiB"},
	{94.40, RESULT_PERCENT, "94.4 %"},
	{9.994, RESULT_PERCENT, "9.99 %"},
	{9.996, RESULT_PERCENT, "10.0 %"},
	{0.38, RESULT_PERCENT, "0.38 %"},
	{1.0918, RESULT_FACTOR, "1.09\xc3\x97"},
	{0.0125, RESULT_SHARE, "0.01250"},
	{294.4, RESULT_PLAIN, "294"},
	{29.44, RESULT_PLAIN, "29.4"},
	{2.944, RESULT_PLAIN, "2.94"},
};

START_TEST(people_see_rounded_numbers_with_units)
{
	strew_cell cell = {.kind = STREW_CELL_REAL, .real = rounded[_i].value};
	struct base_str text;

	base_str_init(&text, &base_heap);
	report_add_rounded(&text, &cell, rounded[_i].unit);
	ck_assert_str_eq(base_str_text(&text), rounded[_i].expected);
	base_str_free(&text);
}
END_TEST

TCase *check_report_value(void)
{
	TCase *tcase = tcase_create("report_value");

	tcase_add_loop_test(tcase, reals_are_as_short_as_they_read_back, 0,
			    (int)(sizeof(reals) / sizeof(reals[0])));
	tcase_add_test(tcase, random_reals_read_back_to_themselves);
	tcase_add_test(tcase, integers_print_to_both_ends);
	tcase_add_loop_test(tcase, people_see_rounded_numbers_with_units, 0,
			    (int)(sizeof(rounded) / sizeof(rounded[0])));
	return tcase;
}
