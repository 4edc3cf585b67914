/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "analyze_support.h"
#include "support.h"

/* As a caller of a later release has it: with a member that we don't know. */
struct later {
	strew_measurement known;
	double more;
};

static strew_measurement example(const char *mode, double peer_ns)
{
	strew_measurement one = STREW_MEASUREMENT_INIT;

	one.map = "b";
	one.rule = "hosts";
	one.mode = mode;
	one.kernel = "plain";
	one.threads = 2;
	one.ns = 500;
	one.peer_ns = peer_ns;
	one.ratio = 14;
	one.ratio_low = 13;
	one.ratio_high = 15;
	return one;
}

START_TEST(measurements_are_rows_in_order)
{
	struct later all[2] = {{example("batch", 7000), 1}, {example("single", 0), 1}};
	strew_result *result;

	all[0].known.size = sizeof(all[0]);
	ck_assert_int_eq(strew_bench(&result, &all[0].known, 2, NULL, NULL), STREW_OK);
	ck_assert_uint_eq(row_count(result, "bench"), 2);
	ck_assert_str_eq(cell_at(result, "bench", 0, "mode").text, "batch");
	ck_assert_str_eq(cell_at(result, "bench", 1, "mode").text, "single");
	ck_assert_str_eq(cell_at(result, "bench", 1, "rule").text, "hosts");
	ck_assert_int_eq(cell_at(result, "bench", 1, "threads").integer, 2);
	ck_assert_double_eq(cell_at(result, "bench", 1, "ns_per_mapping").real, 500);
	ck_assert_double_eq(cell_at(result, "bench", 0, "ratio_low").real, 13);
	ck_assert_double_eq(cell_at(result, "bench", 0, "ratio_high").real, 15);
	strew_result_free(result);
}
END_TEST

START_TEST(without_a_peer_ratios_are_null)
{
	strew_measurement one = example("batch", 0);
	strew_result *result;

	ck_assert_int_eq(strew_bench(&result, &one, 1, NULL, NULL), STREW_OK);
	ck_assert_int_eq(cell_at(result, "bench", 0, "peer_ns_per_mapping").kind,
			 STREW_CELL_NULL);
	ck_assert_int_eq(cell_at(result, "bench", 0, "ratio_to_peer").kind,
			 STREW_CELL_NULL);
	ck_assert_int_eq(cell_at(result, "bench", 0, "ratio_high").kind, STREW_CELL_NULL);
	strew_result_free(result);
}
END_TEST

START_TEST(nothing_measured_is_an_empty_table)
{
	strew_result *result;

	ck_assert_int_eq(strew_bench(&result, NULL, 0, NULL, NULL), STREW_OK);
	ck_assert_uint_eq(row_count(result, "bench"), 0);
	strew_result_free(result);
}
END_TEST

START_TEST(each_allocation_may_fail)
{
	strew_measurement one = example("batch", 7000);
	struct support_heap heap;
	strew_result *result = NULL;
	strew_status status = STREW_ENOMEM;
	size_t fail_at = 0;

	while (status == STREW_ENOMEM) {
		support_heap_init(&heap);
		heap.fail_at = ++fail_at;
		status = strew_bench(&result, &one, 1, &heap.allocator, NULL);
		ck_assert_int_eq(result != NULL, status == STREW_OK);
		strew_result_free(result);
		ck_assert_uint_eq(heap.blocks, 0);
	}
	ck_assert_int_eq(status, STREW_OK);
	ck_assert_uint_gt(fail_at, 1);
}
END_TEST

TCase *check_analyze_bench(void)
{
	TCase *tcase = tcase_create("analyze_bench");

	tcase_add_test(tcase, measurements_are_rows_in_order);
	tcase_add_test(tcase, without_a_peer_ratios_are_null);
	tcase_add_test(tcase, nothing_measured_is_an_empty_table);
	tcase_add_test(tcase, each_allocation_may_fail);
	return tcase;
}
