/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analyze_support.h"
#include "result.h"

/* What a diff says in sentences, and what it leaves unsaid. */

START_TEST(a_pool_on_one_side_is_listed_not_counted)
{
	strew_builder *builder = start_three();
	strew_result *result;

	add_pool(builder, 2, "more", 2, 64, 0);
	result = diff_and_release(finish_map(builder), three_replaced(), NULL, NULL);
	ck_assert_int_eq(summary_integer(result, "pgs"), PGS);
	ck_assert(has_change(
		result, "pool", "more",
		"more, replicated, rule hosts, 64 PGs, pgp_num 64, size 2, min_size 1",
		NULL));
	ck_assert(has_note(result, "1 pool is only in OLD and not counted."));
	strew_result_free(result);
}
END_TEST

/* What is only in NEW is told of too, unless other pools were asked for. */
START_TEST(a_pool_that_is_not_asked_for_is_not_missed)
{
	const int64_t pools[] = {1, 1};
	strew_inputs inputs = STREW_INPUTS_INIT;

	for (int named = 0; named < 2; named++) {
		strew_builder *builder = start_three();
		strew_result *result;

		add_pool(builder, 2, "more", 2, 64, 0);
		inputs.pools = named ? pools : NULL;
		inputs.pool_count = named ? 2 : 0;
		result = diff_and_release(three(), finish_map(builder), &inputs, NULL);
		ck_assert_int_eq(summary_integer(result, "pgs"), PGS);
		ck_assert_int_eq(
			has_note(result, "1 pool is only in NEW and not counted."),
			!named);
		strew_result_free(result);
	}
}
END_TEST

/* Two pools of sizes 3 and 2, by rules 0 and 1. */
static strew_placer *two_pools(void)
{
	strew_builder *builder = start_three();

	add_rule(builder, 1, "devices", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN, 0);
	add_pool(builder, 2, "more", 2, 4, 1);
	return finish_map(builder);
}

START_TEST(what_was_chosen_is_told_for_each_pool)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_result *result;

	options.new_want = 3;
	result = diff_and_release(two_pools(), two_pools(), NULL, &options);
	ck_assert_uint_eq(row_count(result, "changes"), 1);
	ck_assert(has_change(result, "choice", "size of more", "2", "3"));
	ck_assert_str_eq(result_headline(result), "OLD → NEW    placed with size 3");
	strew_result_free(result);
	options.new_want = 0;
	options.new_rule = 0;
	result = diff_and_release(two_pools(), two_pools(), NULL, &options);
	ck_assert_uint_eq(row_count(result, "changes"), 1);
	ck_assert(has_change(result, "choice", "rule of more", "devices", "hosts"));
	ck_assert_str_eq(result_headline(result), "OLD → NEW    placed by rule hosts");
	strew_result_free(result);
}
END_TEST

/* Devices of 16 GiB that hold 8 PGs of 1 GiB each; the new one is of `size`. */
static strew_placer *sized(bool replaced, uint64_t size)
{
	int32_t last = replaced ? 3 : 2;
	strew_builder *builder = start_hosts(3, last, 1);

	for (int32_t i = 0; i < 2; i++)
		strew_builder_set_capacity(builder, i, 16 * GIB, 0);
	strew_builder_set_capacity(builder, last, replaced ? size : 16 * GIB, 0);
	return finish_map(builder);
}

START_TEST(the_fullest_device_is_told)
{
	strew_result *result =
		diff_and_release(sized(false, 0), sized(true, 10 * GIB), NULL, NULL);

	ck_assert(
		has_note(result, "fullest device after the change: osd.3 80.0 % (new)"));
	/* 8 GiB fill 16 by half, and 10 by 80 %; 95 % is full. */
	ck_assert(has_note(result, "usable: 9.5 GiB, was 15.2 GiB (until the first "
				   "device is 95 % full, all growing alike)"));
	ck_assert_int_eq(summary_integer(result, "fullest_device_before"), 0);
	ck_assert_double_eq_tol(summary_real(result, "fullest_percent_before"), 50, 1e-9);
	ck_assert_int_eq(summary_integer(result, "fullest_device_after"), 3);
	ck_assert_double_eq_tol(summary_real(result, "fullest_percent_after"), 80, 1e-9);
	ck_assert_int_eq(summary_integer(result, "usable_bytes_after"),
			 llround(9.5 * GIB));
	/* osd.2 goes, osd.3 comes. */
	ck_assert_uint_eq(row_count(result, "devices"), 2);
	ck_assert_double_eq(cell_at(result, "devices", 0, "fill_percent_before").real,
			    50);
	ck_assert_int_eq(cell_at(result, "devices", 0, "fill_percent_after").kind,
			 STREW_CELL_NULL);
	ck_assert_int_eq(cell_at(result, "devices", 1, "fill_percent_before").kind,
			 STREW_CELL_NULL);
	ck_assert_double_eq(cell_at(result, "devices", 1, "fill_percent_after").real, 80);
	strew_result_free(result);
	result = diff_and_release(sized(false, 0), sized(true, 32 * GIB), NULL, NULL);
	ck_assert(has_note(result,
			   "fullest device after the change: osd.0 50.0 % (was 50.0 %)"));
	strew_result_free(result);
}
END_TEST

START_TEST(too_full_a_device_needs_a_hand)
{
	strew_result *result =
		diff_and_release(sized(false, 0), sized(true, 4 * GIB), NULL, NULL);
	struct result_note note = result_note_at(result, 0);

	ck_assert_str_eq(note.text, "fullest device after the change: osd.3 200.0 % "
				    "(new), more than it can hold");
	ck_assert(note.warning);
	strew_result_free(result);
}
END_TEST

/* 8 GiB of a pool that goes lie on each device, which nobody moves. */
START_TEST(fullness_is_not_told_from_a_part)
{
	strew_builder *builder = start_three();
	strew_result *result;

	for (int32_t i = 0; i < 3; i++)
		strew_builder_set_capacity(builder, i, 16 * GIB, 16 * GIB);
	add_pool(builder, 2, "gone", 3, 8, 0);
	result = diff_and_release(finish_map(builder), sized(true, 16 * GIB), NULL, NULL);
	for (size_t i = 0; i < result_note_count(result); i++)
		ck_assert_ptr_null(strstr(result_note_at(result, i).text, "fullest"));
	strew_result_free(result);
}
END_TEST

/* Four devices in place of three: a quarter of a PG's three shards is 0.75. */
START_TEST(a_least_of_a_few_shards_keeps_its_part)
{
	strew_builder *builder = start_three();
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_pg pg = {1, 0};
	strew_result *result;

	add_bucket(builder, -9, "h9", HOST, -1);
	add_device(builder, 9, -9, 1);
	inputs.pg = &pg;
	result = diff_and_release(three(), finish_map(builder), &inputs, NULL);
	ck_assert_str_eq(cell_at(result, "totals", 2, "what").text, "shards");
	ck_assert_str_eq(cell_at(result, "totals", 2, "least").text, "0.8");
	ck_assert_str_eq(cell_at(result, "totals", 2, "least_percent").text, "(25.0 %)");
	strew_result_free(result);
}
END_TEST

TCase *check_analyze_diff_text(void)
{
	TCase *tcase = tcase_create("analyze_diff_text");

	tcase_add_test(tcase, a_pool_on_one_side_is_listed_not_counted);
	tcase_add_test(tcase, a_pool_that_is_not_asked_for_is_not_missed);
	tcase_add_test(tcase, what_was_chosen_is_told_for_each_pool);
	tcase_add_test(tcase, the_fullest_device_is_told);
	tcase_add_test(tcase, too_full_a_device_needs_a_hand);
	tcase_add_test(tcase, fullness_is_not_told_from_a_part);
	tcase_add_test(tcase, a_least_of_a_few_shards_keeps_its_part);
	return tcase;
}
