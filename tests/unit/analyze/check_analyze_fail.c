/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>
#include <time.h>

#include "analyze_support.h"
#include "result.h"

static strew_result *fail_with(const strew_placer *placer, const strew_inputs *inputs,
			       const strew_fail_options *options)
{
	strew_result *result = NULL;
	strew_error error = {.text = ""};

	if (strew_fail(&result, placer, inputs, options, NULL, &error) != STREW_OK)
		ck_abort_msg("strew_fail failed: %s", error.text);
	return result;
}

static strew_result *fail_types(const strew_placer *placer, strew_fail_what what,
				const char *type)
{
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;

	options.what = what;
	options.type = type;
	return fail_with(placer, NULL, &options);
}

static strew_result *fail_items(const strew_placer *placer, const int32_t *items,
				size_t count)
{
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;

	options.items = items;
	options.item_count = count;
	return fail_with(placer, NULL, &options);
}

static int64_t integer(const strew_result *result, const char *column)
{
	return cell_at(result, "failures", 0, column).integer;
}

static double real(const strew_result *result, const char *column)
{
	return cell_at(result, "failures", 0, column).real;
}

static const char *text(const strew_result *result, const char *column)
{
	return cell_at(result, "failures", 0, column).text;
}

/* Three hosts of one device, three copies: each host has one of each PG, and no fourth is
 * there to take it. */
START_TEST(too_few_hosts_cannot_heal)
{
	strew_placer *placer = three();
	strew_result *result = fail_types(placer, STREW_FAIL_EACH, "host");

	ck_assert_uint_eq(row_count(result, "failures"), 3);
	ck_assert_str_eq(text(result, "failed"), "h0");
	ck_assert_int_eq(integer(result, "shards_lost"), PGS);
	ck_assert_int_eq(integer(result, "pgs_degraded"), PGS);
	ck_assert_int_eq(integer(result, "pgs_below_min_size"), 0);
	ck_assert_int_eq(integer(result, "pgs_lost"), 0);
	ck_assert_int_eq(integer(result, "pgs_unhealable"), PGS);
	ck_assert_int_eq(integer(result, "moved_shards"), 0);
	ck_assert_int_eq(integer(result, "least_shards_left"), 2);
	ck_assert_str_eq(text(result, "unhealable_why"),
			 "3 hosts below default needed, 2 left");
	ck_assert_int_eq(cell_at(result, "failures", 0, "heals_up_to_percent").kind,
			 STREW_CELL_NULL);
	ck_assert_int_eq(summary_integer(result, "cases_unhealable"), 3);
	ck_assert(is_null(result, "safe_fill_percent"));
	ck_assert_uint_eq(row_count(result, "recovery"), 0);
	ck_assert_str_eq(
		result_headline(result),
		"any one of 3 hosts down: no data lost; no PG below min_size; up "
		"to 8 PGs can't heal (h0)");
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(pairs_stop_and_all_three_lose)
{
	const int32_t root = -1, all[] = {0, -3, -4};
	strew_placer *placer = three();
	strew_result *result = fail_types(placer, STREW_FAIL_PAIRS, "osd");

	ck_assert_uint_eq(row_count(result, "failures"), 3);
	ck_assert_str_eq(text(result, "failed"), "osd.0 + osd.1");
	ck_assert_str_eq(cell_at(result, "failures", 2, "failed").text, "osd.1 + osd.2");
	ck_assert_int_eq(integer(result, "shards_lost"), 2 * PGS);
	ck_assert_int_eq(integer(result, "pgs_below_min_size"), PGS);
	ck_assert_int_eq(integer(result, "pgs_lost"), 0);
	strew_result_free(result);
	result = fail_items(placer, &root, 1);
	ck_assert_int_eq(integer(result, "pgs_lost"), PGS);
	ck_assert_int_eq(integer(result, "pgs_unhealable"), 0);
	ck_assert_int_eq(integer(result, "least_shards_left"), 0);
	ck_assert_int_eq(cell_at(result, "failures", 0, "fullest_device").kind,
			 STREW_CELL_NULL);
	ck_assert_int_eq(summary_integer(result, "pgs_lost_by_any"), PGS);
	strew_result_free(result);
	/* Items that are named apart are one case. */
	result = fail_items(placer, all, 3);
	ck_assert_uint_eq(row_count(result, "failures"), 1);
	ck_assert_str_eq(text(result, "failed"), "osd.0 + h1 + h2");
	ck_assert_int_eq(integer(result, "devices"), 3);
	ck_assert_int_eq(integer(result, "pgs_lost"), PGS);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

/* Four hosts of one device of 10 GiB hold 24 GiB: 60 %. Without one each of the others
 * has a copy of all 8 PGs: 80 %. They reach 90 % when all have grown by 9/8: at 67.5 %.
 */
static strew_builder *four(uint64_t used)
{
	strew_builder *builder = start_hosts(4, 3, 1);

	for (int32_t i = 0; i < 4; i++)
		strew_builder_set_capacity(builder, i, 10 * GIB, used);
	return builder;
}

START_TEST(fill_is_what_is_left_holds)
{
	strew_placer *placer = finish_map(four(0));
	strew_result *result = fail_types(placer, STREW_FAIL_EACH, "host");
	int64_t shards = 0;

	ck_assert_int_eq(integer(result, "pgs_unhealable"), 0);
	ck_assert_int_eq(integer(result, "moved_shards"), integer(result, "shards_lost"));
	ck_assert_double_eq(real(result, "fullest_percent"), 80);
	ck_assert_double_eq_tol(real(result, "heals_up_to_percent"), 67.5, 1e-12);
	ck_assert_double_eq_tol(summary_real(result, "safe_fill_percent"), 67.5, 1e-12);
	ck_assert_double_eq(summary_real(result, "fill_percent"), 60);
	ck_assert_str_eq(cell_at(result, "summary", 0, "fill_basis").text, "placed");
	ck_assert_int_eq(cell_at(result, "failures", 0, "over").kind, STREW_CELL_NULL);
	ck_assert_uint_eq(row_count(result, "recovery"), 3);
	for (size_t row = 0; row < 3; row++) {
		shards += cell_at(result, "recovery", row, "shards").integer;
		ck_assert_double_eq(cell_at(result, "recovery", row, "fill_percent").real,
				    80);
	}
	ck_assert_int_eq(shards, integer(result, "shards_lost"));
	ck_assert_str_eq(result_headline(result),
			 "any one of 4 hosts down: no data lost; no PG below min_size; "
			 "all heal while the cluster is under 67.5 % full (now 60.0 %)");
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

/* What is in use counts, with what comes to it: 8.5 GiB and as many GiB as shards. */
START_TEST(use_is_taken_where_it_is_known)
{
	const int32_t host = -2;
	strew_placer *placer = finish_map(four(17 * GIB / 2));
	strew_result *result = fail_items(placer, &host, 1);
	double most = 0;

	for (size_t row = 0; row < row_count(result, "recovery"); row++) {
		double shards =
			(double)cell_at(result, "recovery", row, "shards").integer;

		most = shards > most ? shards : most;
	}
	ck_assert_double_gt(most, 0);
	ck_assert_double_eq_tol(real(result, "fullest_percent"), 85 + 10 * most, 1e-9);
	ck_assert_double_eq(summary_real(result, "fill_percent"), 85);
	ck_assert_str_eq(cell_at(result, "summary", 0, "fill_basis").text, "use");
	ck_assert_str_eq(text(result, "over"), "full");
	ck_assert_int_eq(summary_integer(result, "cases_over_backfillfull"), 1);
	ck_assert(has_note(result, "It fills a device over backfillfull (90 %), where "
				   "backfill stops."));
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(ratios_are_the_callers)
{
	const int32_t host = -2;
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
	strew_placer *placer = finish_map(four(0));
	strew_result *result;

	options.items = &host;
	options.item_count = 1;
	options.nearfull_ratio = .7;
	options.backfillfull_ratio = .79;
	options.full_ratio = .8;
	result = fail_with(placer, NULL, &options);
	ck_assert_str_eq(text(result, "over"), "backfillfull");
	ck_assert_double_eq_tol(real(result, "heals_up_to_percent"), 79 * .75, 1e-12);
	strew_result_free(result);
	options.full_ratio = 1.01;
	ck_assert_int_eq(strew_fail(&result, placer, NULL, &options, NULL, NULL),
			 STREW_ERANGE);
	ck_assert_ptr_null(result);
	strew_placer_release(placer);
}
END_TEST

/* Weights stand for sizes in TiB; without bytes only how full the cluster may get can be
 * told: 3/4 of 90 %. */
START_TEST(weights_stand_for_sizes)
{
	strew_placer *placer = finish_map(start_hosts(4, 3, 1));
	strew_result *result = fail_types(placer, STREW_FAIL_EACH, "host");
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;

	ck_assert_str_eq(cell_at(result, "summary", 0, "fill_basis").text, "weights");
	ck_assert_double_eq_tol(real(result, "fullest_percent"), 100.0 * 8 / 1024, 1e-12);
	ck_assert_double_eq_tol(real(result, "heals_up_to_percent"), 67.5, 1e-12);
	strew_result_free(result);
	inputs.rule = 0;
	inputs.want = 3;
	options.what = STREW_FAIL_EACH;
	options.type = "host";
	result = fail_with(placer, &inputs, &options);
	ck_assert_str_eq(cell_at(result, "summary", 0, "fill_basis").text, "shards");
	ck_assert_int_eq(cell_at(result, "failures", 0, "fullest_percent").kind,
			 STREW_CELL_NULL);
	ck_assert_int_eq(cell_at(result, "failures", 0, "moved_bytes").kind,
			 STREW_CELL_NULL);
	ck_assert_double_eq_tol(real(result, "heals_up_to_percent"), 67.5, 1e-12);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

static void expect_reason(strew_placer *placer, int32_t item, const char *why)
{
	strew_result *result = fail_items(placer, &item, 1);

	ck_assert_int_gt(integer(result, "pgs_unhealable"), 0);
	ck_assert_str_eq(text(result, "unhealable_why"), why);
	strew_result_free(result);
	strew_placer_release(placer);
}

/* Three racks of one host of one device; the rule takes two racks first. */
START_TEST(a_step_that_keeps_choosing_what_failed_is_named)
{
	strew_builder *builder = start_map(NULL);
	const char *const racks[] = {"r0", "r1", "r2"}, *const hosts[] = {"h0", "h1",
									  "h2"};

	for (int32_t i = 0; i < 3; i++) {
		add_bucket(builder, -2 - i, racks[i], RACK, -1);
		add_bucket(builder, -5 - i, hosts[i], HOST, -2 - i);
		add_device(builder, i, -5 - i, 1);
	}
	strew_builder_add_rule(builder, 0, "racks", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 2, RACK, NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 1, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	add_pool(builder, 1, "data", 2, 64, 0);
	expect_reason(finish_map(builder), -2,
		      "the rule's first step keeps choosing what failed, as its weight "
		      "stays; only taking it out of the tree helps");
}
END_TEST

START_TEST(tries_that_run_out_are_named)
{
	strew_builder *builder = start_map(NULL);

	strew_builder_set_tunable(builder, "choose_total_tries", 0);
	add_hosts(builder, 10, 1);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 3, 64, 0);
	expect_reason(finish_map(builder), 0,
		      "the rule's tries run out before it finds a device that is left");
}
END_TEST

/* osd.3 is chosen in the place of what fails, and is down. */
START_TEST(what_is_down_anyway_is_named)
{
	strew_builder *builder = start_hosts(4, 3, 1);

	strew_builder_set_state(builder, 3, 1, 0);
	expect_reason(finish_map(builder), 0, "devices that the rule chooses are down");
}
END_TEST

/* What erasure codes need is told by the pool, or else by the caller. */
START_TEST(shards_of_codes_are_not_copies)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
	strew_builder *builder = start_hosts(6, 5, 1);
	const int32_t two[] = {0, 1};
	strew_placer *placer;
	strew_result *result;

	add_rule(builder, 1, "ec", STREW_KIND_ERASURE, STREW_OP_CHOOSELEAF_INDEP, HOST);
	placer = finish_map(builder);
	inputs.rule = 1;
	inputs.want = 6;
	inputs.last = 9;
	options.items = two;
	options.item_count = 2;
	result = fail_with(placer, &inputs, &options);
	ck_assert_int_eq(cell_at(result, "failures", 0, "pgs_lost").kind,
			 STREW_CELL_NULL);
	ck_assert(is_null(result, "pgs_lost_max"));
	ck_assert(has_note(result, "How many shards data can be read from isn't known: "
				   "`--k` says."));
	strew_result_free(result);
	options.data_shards = 4;
	result = fail_with(placer, &inputs, &options);
	ck_assert_int_eq(integer(result, "pgs_lost"), 0);
	ck_assert_int_eq(integer(result, "pgs_below_min_size"), 10);
	strew_result_free(result);
	options.data_shards = 5;
	result = fail_with(placer, &inputs, &options);
	ck_assert_int_eq(integer(result, "pgs_lost"), 10);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(objects_are_units_too)
{
	const strew_named_object objects[] = {{"a", 1, 512, 1}, {"b", 1, 512, 1}};
	const int32_t device = 0;
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
	strew_placer *placer = three();
	strew_result *result;

	inputs.objects = objects;
	inputs.object_count = 2;
	options.items = &device;
	options.item_count = 1;
	result = fail_with(placer, &inputs, &options);
	ck_assert_int_eq(integer(result, "pgs_degraded"), 2);
	ck_assert_str_eq(result_headline(result),
			 "osd.0 down: no data lost; no object below min_size; 2 objects "
			 "can't heal");
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
	const int32_t item = -99;
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
	strew_placer *placer = three();
	strew_result *result;
	strew_error error;

	ck_assert_int_eq(strew_fail(&result, placer, NULL, NULL, NULL, NULL),
			 STREW_EINVAL);
	options.items = &item;
	options.item_count = 1;
	ck_assert_int_eq(strew_fail(&result, placer, NULL, &options, NULL, NULL),
			 STREW_ENOTFOUND);
	options.what = STREW_FAIL_EACH;
	options.type = "room";
	ck_assert_int_eq(strew_fail(&result, placer, NULL, &options, NULL, NULL),
			 STREW_ENOTFOUND);
	options.type = "rack";
	ck_assert_int_eq(strew_fail(&result, placer, NULL, &options, NULL, &error),
			 STREW_ENOTFOUND);
	ck_assert_str_eq(error.text, "the map has no rack");
	options.what = STREW_FAIL_PAIRS;
	options.type = "root";
	ck_assert_int_eq(strew_fail(&result, placer, NULL, &options, NULL, &error),
			 STREW_ENOTFOUND);
	ck_assert_str_eq(error.text, "there is only one root, and so no pair");
	options.type = "host";
	options.most_failed = 33;
	ck_assert_int_eq(strew_fail(&result, placer, NULL, &options, NULL, NULL),
			 STREW_ERANGE);
	ck_assert_ptr_null(result);
	strew_placer_release(placer);
}
END_TEST

static int stop_at_once(void *ctx, uint64_t done, uint64_t total)
{
	(void)total;
	return done >= *(uint64_t *)ctx;
}

/* First all units are placed, then each case is done. */
START_TEST(a_canceled_run_ends)
{
	uint64_t limit = (uint64_t)_i;
	const strew_progress progress = {stop_at_once, &limit};
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
	strew_run run = STREW_RUN_INIT;
	strew_placer *placer = finish_map(start_hosts(20, 19, 1));
	strew_result *result;

	run.progress = &progress;
	options.what = STREW_FAIL_EACH;
	options.type = "host";
	ck_assert_int_eq(strew_fail(&result, placer, NULL, &options, &run, NULL),
			 STREW_ECANCELED);
	ck_assert_ptr_null(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(threads_give_the_same_rows)
{
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
	strew_run run = STREW_RUN_INIT;
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placer *placer = finish_map(start_hosts(20, 19, 2));
	strew_result *one, *many;

	options.what = STREW_FAIL_PAIRS;
	options.type = "host";
	options.most_failed = 4;
	inputs.rule = 0;
	inputs.want = 3;
	inputs.last = 1000;
	one = fail_with(placer, &inputs, &options);
	run.executor = &four_threads;
	ck_assert_int_eq(strew_fail(&many, placer, &inputs, &options, &run, NULL),
			 STREW_OK);
	ck_assert_uint_eq(row_count(one, "failures"), 190);
	ck_assert(same_results(one, many));
	strew_result_free(one);
	strew_result_free(many);
	strew_placer_release(placer);
}
END_TEST

/* An upmap of as many pairs, each of devices of its own.
 * @return the processor time that a failure took */
static double fail_with_upmap(int32_t pairs)
{
	const int32_t failed = 0;
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
	strew_builder *builder = start_three();
	strew_placer *placer;
	clock_t begin;

	for (int32_t i = 0; i < pairs; i++) {
		add_device(builder, 3 + 2 * i, -2, 1);
		add_device(builder, 4 + 2 * i, -2, 1);
		strew_builder_add_upmap_item(builder, (strew_pg){1, 3}, 3 + 2 * i,
					     4 + 2 * i);
	}
	placer = finish_map(builder);
	options.items = &failed;
	options.item_count = 1;
	options.most_failed = 0;
	begin = clock();
	strew_result_free(fail_with(placer, NULL, &options));
	begin = clock() - begin;
	strew_placer_release(placer);
	return (double)begin;
}

/* Sixteen times as many: quadratic work would take 256 times as long. */
START_TEST(time_for_long_upmaps_grows_with_their_pairs)
{
	double few = fail_with_upmap(1500), many = fail_with_upmap(24000);

	ck_assert_double_lt(many, 80 * few);
}
END_TEST

/* How full devices get isn't told by a single PG. */
START_TEST(one_pg_tells_no_safe_fill)
{
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
	strew_inputs inputs = STREW_INPUTS_INIT;
	const strew_pg pg = {1, 3};
	strew_placer *placer = finish_map(start_hosts(4, 3, 1));
	strew_result *result;

	options.what = STREW_FAIL_EACH;
	options.type = "host";
	inputs.pg = &pg;
	result = fail_with(placer, &inputs, &options);
	ck_assert_int_eq(summary_integer(result, "cases_unhealable"), 0);
	ck_assert(is_null(result, "safe_fill_percent"));
	ck_assert_str_eq(
		result_headline(result),
		"any one of 4 hosts down: no data lost; no PG below min_size; all heal");
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(nothing_heals_where_all_is_lost)
{
	const int32_t root = -1;
	strew_placer *placer = three();
	strew_result *result = fail_items(placer, &root, 1);

	ck_assert_str_eq(result_headline(result),
			 "default down: 8 PGs lost; 8 PGs below min_size; nothing is "
			 "left to heal");
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

static strew_status fail_pairs(strew_result **out, const strew_run *run, void *ctx)
{
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;

	options.what = STREW_FAIL_PAIRS;
	options.type = "host";
	return strew_fail(out, ctx, NULL, &options, run, NULL);
}

START_TEST(no_lack_of_memory_leaks)
{
	strew_placer *placer = three();

	ck_assert_uint_gt(fail_each(fail_pairs, placer), 30);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_fail(void)
{
	TCase *tcase = tcase_create("analyze_fail");

	tcase_add_test(tcase, too_few_hosts_cannot_heal);
	tcase_add_test(tcase, pairs_stop_and_all_three_lose);
	tcase_add_test(tcase, fill_is_what_is_left_holds);
	tcase_add_test(tcase, use_is_taken_where_it_is_known);
	tcase_add_test(tcase, ratios_are_the_callers);
	tcase_add_test(tcase, weights_stand_for_sizes);
	tcase_add_test(tcase, a_step_that_keeps_choosing_what_failed_is_named);
	tcase_add_test(tcase, tries_that_run_out_are_named);
	tcase_add_test(tcase, what_is_down_anyway_is_named);
	tcase_add_test(tcase, shards_of_codes_are_not_copies);
	tcase_add_test(tcase, objects_are_units_too);
	tcase_add_test(tcase, what_is_not_there_is_refused);
	tcase_add_loop_test(tcase, a_canceled_run_ends, 8, 10);
	tcase_add_test(tcase, threads_give_the_same_rows);
	tcase_add_test(tcase, time_for_long_upmaps_grows_with_their_pairs);
	tcase_add_test(tcase, one_pg_tells_no_safe_fill);
	tcase_add_test(tcase, nothing_heals_where_all_is_lost);
	tcase_add_test(tcase, no_lack_of_memory_leaks);
	return tcase;
}
