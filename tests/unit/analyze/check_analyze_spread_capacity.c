/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <string.h>

#include "analyze_support.h"
#include "map.h"

/* What can be stored until a device is full: now, as expected, and at best. */

static strew_result *spread_map(strew_builder *builder, const strew_inputs *inputs,
				const strew_spread_options *options)
{
	strew_placer *placer = finish_map(builder);
	strew_result *result = NULL;
	strew_error error = {.text = ""};

	if (strew_spread(&result, placer, inputs, options, NULL, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	strew_placer_release(placer);
	return result;
}

/* Raw inputs, and all of the space. */
static strew_result *spread_raw(strew_builder *builder, int want)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_spread_options options = STREW_SPREAD_OPTIONS_INIT;

	inputs.rule = 0;
	inputs.want = want;
	options.full_ratio = 1;
	return spread_map(builder, &inputs, &options);
}

static void check_expected(strew_builder *builder, int want, double expected,
			   double limit)
{
	strew_result *result = spread_raw(builder, want);

	ck_assert_double_eq_tol(summary_real(result, "expected_usable_percent"), expected,
				.05);
	ck_assert_double_eq_tol(summary_real(result, "limit_percent"), limit, .05);
	strew_result_free(result);
}

/* ../shared/theory, section 1, and its scripts. */
START_TEST(theory_is_met)
{
	static const uint32_t five[] = {10, 10, 10, 10, 5};
	static const uint32_t eight[] = {1, 1, 1, 1, 2, 2, 4, 4};
	static const uint32_t large[] = {40, 10, 10, 10, 10};
	/* The small ones have 7.1 and 17.1 % more than fits; of the eight 28.7 %. */
	static const struct {
		const uint32_t *weights;
		int count, want;
		double expected, limit;
	} cases[] = {
		{five, 5, 2, 100 / 1.0714, 100},  {five, 5, 3, 100 / 1.1714, 100},
		{eight, 8, 3, 100 / 1.1706, 100}, {eight, 8, 4, 100 / 1.2867, 100},
		{large, 5, 3, 72.41, 75}, /* 20 of 26.7 */
	};
	strew_builder *builder = start_hosts_of(cases[_i].weights, cases[_i].count);

	add_hosts_rule(builder);
	check_expected(builder, cases[_i].want, cases[_i].expected, cases[_i].limit);
}
END_TEST

START_TEST(theory_is_met_in_trees)
{
	double weights[TREE_DEVICES];
	strew_builder *builder = start_tree(weights);

	add_hosts_rule(builder);
	check_expected(builder, 3, 84.8, 100);
	builder = start_tree(weights);
	add_two_by_two_rule(builder);
	/* A host of 4 bounds its rack: 128 of 152. */
	check_expected(builder, 4, 58.7, 100 * 128. / 152);
}
END_TEST

/* Three equal hosts have 8 GiB each of 10. */
static strew_builder *start_sized(void)
{
	strew_builder *builder = start_three();

	for (int32_t i = 0; i < 3; i++)
		strew_builder_set_capacity(builder, i, 10 * GIB, 0);
	return builder;
}

START_TEST(ratios_are_those_asked_for)
{
	strew_spread_options options = STREW_SPREAD_OPTIONS_INIT;
	strew_result *result;

	options.full_ratio = .9;
	options.nearfull_ratio = .5;
	result = spread_map(start_sized(), NULL, &options);
	ck_assert_int_eq(cell_at(result, "pools", 0, "usable_bytes").integer, 9 * GIB);
	ck_assert_int_eq(cell_at(result, "pools", 0, "usable_backfillfull_bytes").integer,
			 9 * GIB);
	ck_assert_int_eq(cell_at(result, "pools", 0, "usable_nearfull_bytes").integer,
			 5 * GIB);
	ck_assert_int_eq(cell_at(result, "pools", 0, "limit_bytes").integer, 9 * GIB);
	ck_assert_int_eq(summary_integer(result, "size_raw_bytes"), 30 * GIB);
	ck_assert_int_eq(summary_integer(result, "usable_raw_bytes"), 27 * GIB);
	ck_assert_double_eq_tol(summary_real(result, "usable_percent"), 90, 1e-9);
	ck_assert(has_note(result, "3 devices are over nearfull (50 %): osd.0 80.0 %, "
				   "osd.1 80.0 %, osd.2 80.0 %."));
	strew_result_free(result);
}
END_TEST

START_TEST(ratios_out_of_range_are_refused)
{
	static const double wrong[] = {-.1, 1.1, NAN};
	strew_spread_options options = STREW_SPREAD_OPTIONS_INIT;
	strew_placer *placer = three();
	strew_result *result;

	options.backfillfull_ratio = wrong[_i];
	ck_assert_int_eq(strew_spread(&result, placer, NULL, &options, NULL, NULL),
			 STREW_ERANGE);
	ck_assert_ptr_null(result);
	strew_placer_release(placer);
}
END_TEST

/* Pools of 3 and 1 copies over hosts of 40, 10, 10, 10: their places are as large. */
START_TEST(pools_that_share_devices_count_together)
{
	static const uint32_t weights[] = {40, 10, 10, 10};
	strew_builder *builder = start_hosts_of(weights, 4);
	strew_result *result;

	add_hosts_rule(builder);
	add_pool(builder, 1, "three", 3, 1024, 0);
	add_pool(builder, 2, "one", 1, 1024, 0);
	for (int32_t i = 0; i < 4; i++)
		strew_builder_set_capacity(builder, i, weights[i] * 1024 * GIB, 0);
	result = spread_map(builder, NULL, NULL);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(cell_at(result, "pools", i, "limit_bytes").integer,
				 llround(.95 * 15 * 1024 * GIB));
		ck_assert_str_eq(cell_at(result, "pools", i, "limit_basis").text,
				 "exact");
	}
	ck_assert_str_eq(cell_at(result, "summary", 0, "growth_basis").text, "data");
	strew_result_free(result);
}
END_TEST

/* A rule for each class: osd.0 to osd.2 are small, osd.3 to osd.5 large. */
START_TEST(classes_count_apart)
{
	strew_builder *builder = start_map(NULL);
	strew_result *result;

	add_hosts(builder, 6, 1);
	for (int32_t i = 0; i < 6; i++) {
		map_classify_device(builder, i, i < 3 ? "ssd" : "hdd");
		strew_builder_set_capacity(builder, i, (i < 3 ? 10 : 16) * GIB, 0);
	}
	for (int32_t i = 0; i < 2; i++) {
		strew_builder_add_rule(builder, i, i ? "slow" : "fast",
				       STREW_KIND_REPLICATED);
		strew_builder_add_take_name(builder, "default", i ? "hdd" : "ssd");
		strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 0, HOST,
					 NULL);
		strew_builder_add_step(builder, STREW_OP_EMIT, 0);
		add_pool(builder, 1 + i, i ? "cold" : "hot", 3, PGS, i);
	}
	strew_builder_derive_shadows(builder);
	result = spread_map(builder, NULL, NULL);
	ck_assert_uint_eq(row_count(result, "classes"), 2);
	for (size_t i = 0; i < 2; i++) {
		int64_t size = (i ? 16 : 10) * (int64_t)GIB;

		ck_assert_str_eq(cell_at(result, "classes", i, "class").text,
				 i ? "hdd" : "ssd");
		ck_assert_int_eq(cell_at(result, "classes", i, "devices").integer, 3);
		ck_assert_int_eq(cell_at(result, "classes", i, "size_raw_bytes").integer,
				 3 * size);
		ck_assert_int_eq(cell_at(result, "classes", i, "raw_bytes").integer,
				 3 * PGS * GIB);
		ck_assert_int_eq(
			cell_at(result, "classes", i, "usable_raw_bytes").integer,
			llround(.95 * 3 * (double)size));
		ck_assert_int_eq(cell_at(result, "pools", i, "usable_bytes").integer,
				 llround(.95 * (double)size));
	}
	strew_result_free(result);
}
END_TEST

/* What is out has no room, and what is expected has no part of it. */
START_TEST(devices_that_are_out_have_no_room)
{
	strew_builder *builder = start_sized();
	strew_result *result;

	add_bucket(builder, -5, "h3", HOST, -1);
	add_device(builder, 3, -5, 1);
	strew_builder_set_capacity(builder, 3, 1000 * GIB, 0);
	strew_builder_set_reweight(builder, 3, 0);
	result = spread_map(builder, NULL, NULL);
	ck_assert_int_eq(summary_integer(result, "size_raw_bytes"), 30 * GIB);
	ck_assert_int_eq(cell_at(result, "pools", 0, "limit_bytes").integer,
			 llround(.95 * 10 * GIB));
	strew_result_free(result);
}
END_TEST

TCase *check_analyze_spread_capacity(void)
{
	TCase *tcase = tcase_create("spread_capacity");

	tcase_add_loop_test(tcase, theory_is_met, 0, 5);
	tcase_add_test(tcase, theory_is_met_in_trees);
	tcase_add_test(tcase, ratios_are_those_asked_for);
	tcase_add_loop_test(tcase, ratios_out_of_range_are_refused, 0, 3);
	tcase_add_test(tcase, pools_that_share_devices_count_together);
	tcase_add_test(tcase, classes_count_apart);
	tcase_add_test(tcase, devices_that_are_out_have_no_room);
	return tcase;
}
