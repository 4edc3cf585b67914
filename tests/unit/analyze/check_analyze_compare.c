/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>

#include "analyze_compare_priv.h"
#include "analyze_support.h"

/* What half a million simulated throws of an ideal hash came to, give or take one. */
static const struct {
	double keys;
	size_t nodes;
	double least[2];
	double most[2];
} bands[] = {
	{4258, 8, {455, 524}, {541, 612}},
	{537, 7, {49, 74}, {79, 107}},
};

START_TEST(bands_are_those_of_simulated_throws)
{
	struct compare_band least, most;
	double shares[8], mean = bands[_i].keys / (double)bands[_i].nodes;

	for (size_t i = 0; i < bands[_i].nodes; i++)
		shares[i] = 1.0 / (double)bands[_i].nodes;
	analyze_compare_bands(&least, &most, shares, bands[_i].nodes,
			      (uint64_t)bands[_i].keys);
	ck_assert_double_eq_tol(least.low * mean, bands[_i].least[0], 1.1);
	ck_assert_double_eq_tol(least.high * mean, bands[_i].least[1], 1.1);
	ck_assert_double_eq_tol(most.low * mean, bands[_i].most[0], 1.1);
	ck_assert_double_eq_tol(most.high * mean, bands[_i].most[1], 1.1);
}
END_TEST

/* All of three keys on one of two nodes is no wonder: the band has its end in it. */
START_TEST(bands_of_few_keys_have_their_ends)
{
	static const double shares[] = {0.5, 0.5};
	struct compare_band least, most;

	analyze_compare_bands(&least, &most, shares, 2, 3);
	ck_assert_double_ge(most.high, 2);
	ck_assert_double_le(least.low, 0);
}
END_TEST

START_TEST(binomial_chances_add_up)
{
	for (double k = 0; k <= 20; k++) {
		double above = analyze_compare_beyond(20, k, 0.3, true);
		double below = analyze_compare_beyond(20, k + 1, 0.3, false);

		ck_assert_double_eq_tol(above + below, 1, 1e-12);
	}
	ck_assert_double_eq_tol(analyze_compare_beyond(3, 2, 0.5, true), 0.125, 1e-15);
}
END_TEST

static const strew_study_node nodes[] = {
	{"a", 0x10000}, {"b", 0x20000}, {"c", 0x10000}, {"d", 0}};

static const strew_compare_event events[] = {
	{STREW_COMPARE_FAIL, "a", 0},
	{STREW_COMPARE_ADD, "e", 0x10000},
	{STREW_COMPARE_REWEIGHT, "b", 0x10000},
	{STREW_COMPARE_CHURN, NULL, 3},
};

static strew_status compare(strew_result **out, const strew_run *run, strew_error *error)
{
	static strew_study_options schemes[2] = {STREW_STUDY_OPTIONS_INIT,
						 STREW_STUDY_OPTIONS_INIT};
	strew_compare_options options = STREW_COMPARE_OPTIONS_INIT;

	schemes[0].scheme = "rendezvous-log";
	schemes[1].scheme = "straw2";
	options.schemes = schemes;
	options.scheme_count = 2;
	options.nodes = nodes;
	options.node_count = 4;
	options.events = events;
	options.event_count = 4;
	options.key_count = 300;
	options.replicas = 2;
	return strew_compare(out, &options, run, error);
}

static int64_t integer(const strew_result *result, const char *name, size_t row,
		       const char *column)
{
	const strew_table *table = strew_result_table(result, name);

	return strew_table_cell(table, row,
				(size_t)strew_table_find_column(table, column))
		.integer;
}

START_TEST(counts_are_what_the_study_answers)
{
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_study *study = NULL;
	int64_t counts[4] = {0};
	char key[16];

	ck_assert_int_eq(compare(&result, NULL, NULL), STREW_OK);
	options.scheme = "rendezvous-log";
	ck_assert_int_eq(strew_study_new(&study, &options, nodes, 4, NULL), STREW_OK);
	for (int i = 0; i < 300; i++) {
		uint32_t node;
		int length = snprintf(key, sizeof(key), "key-%d", i);

		strew_study_pick(study, key, (size_t)length, 1, &node);
		counts[node]++;
	}
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(integer(result, "nodes", i, "keys"), counts[i]);
	ck_assert_int_eq(counts[3], 0);
	ck_assert_int_eq(integer(result, "schemes", 0, "nodes"), 3);
	ck_assert_int_eq(integer(result, "schemes", 0, "short_keys"), 0);
	/* All of what "a" had, and nothing else. */
	ck_assert_int_eq(integer(result, "events", 0, "moved_keys"), counts[0]);
	ck_assert_int_eq(integer(result, "events", 0, "moved_between_old"), 0);
	ck_assert_int_eq(integer(result, "events", 0, "taken_min") +
				 integer(result, "events", 0, "taken_max"),
			 counts[0]);
	strew_study_free(study);
	strew_result_free(result);
}
END_TEST

/* Before any key is placed, tables are made for each step of the events. */
struct stop {
	int after;
	uint64_t done;
};

static int stop_after(void *ctx, uint64_t done, uint64_t total)
{
	struct stop *stop = ctx;

	ck_assert_uint_eq(total, 300);
	stop->done = done;
	return stop->after-- == 0;
}

START_TEST(making_tables_can_be_stopped)
{
	struct stop stop = {.after = 3, .done = 1};
	strew_progress progress = {stop_after, &stop};
	strew_run run = STREW_RUN_INIT;
	strew_result *result = NULL;
	strew_error error;

	run.progress = &progress;
	ck_assert_int_eq(compare(&result, &run, &error), STREW_ECANCELED);
	ck_assert_ptr_null(result);
	ck_assert_int_eq(stop.after, -1);
	ck_assert_uint_eq(stop.done, 0);
}
END_TEST

static strew_status compare_with(strew_result **out, const strew_run *run, void *ctx)
{
	(void)ctx;
	return compare(out, run, NULL);
}

START_TEST(failed_allocations_are_told)
{
	ck_assert_uint_gt(fail_each(compare_with, NULL), 20);
}
END_TEST

static strew_status run_article(strew_result **out, const strew_run *run, void *ctx)
{
	const char *id = ctx;

	return strew_articles(out, &id, 1, NULL, 0, run, NULL);
}

START_TEST(articles_tell_of_failed_allocations)
{
	static char ids[][4] = {"A2", "E2", "T9", "E10"};

	ck_assert_uint_gt(fail_each(run_article, ids[_i]), 1);
}
END_TEST

TCase *check_analyze_compare(void)
{
	TCase *tcase = tcase_create("analyze_compare");

	tcase_add_loop_test(tcase, bands_are_those_of_simulated_throws, 0, 2);
	tcase_add_test(tcase, bands_of_few_keys_have_their_ends);
	tcase_add_test(tcase, binomial_chances_add_up);
	tcase_add_test(tcase, counts_are_what_the_study_answers);
	tcase_add_test(tcase, making_tables_can_be_stopped);
	tcase_add_test(tcase, failed_allocations_are_told);
	tcase_add_loop_test(tcase, articles_tell_of_failed_allocations, 0, 4);
	return tcase;
}
