/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "analyze_support.h"

/* Two pools, 1 "data" and 5 "home", and two rules. */
static strew_placer *two_pools(void)
{
	strew_builder *builder = start_three();

	add_rule(builder, 3, "devices", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN, 0);
	add_pool(builder, 5, "home", 2, 12, 3);
	return finish_map(builder);
}

static const int64_t some_pools[] = {5, 5};
static const int64_t no_pool[] = {7};
static const strew_pg last_pg = {5, 11};
static const strew_pg no_pg = {5, 12};
static const strew_pg pg_of_no_pool = {6, 0};
static const strew_named_object object = {"vm-17", 5, 0, 0};

#define INPUTS(...)                                                                      \
	{                                                                                \
		.size = sizeof(strew_inputs), .rule = -1, __VA_ARGS__                    \
	}

static const struct {
	strew_inputs inputs;
	size_t rows;
} good[] = {
	{INPUTS(.pools = NULL), 20},
	{INPUTS(.pools = some_pools, .pool_count = 2), 12},
	{INPUTS(.pg = &last_pg), 1},
	{INPUTS(.objects = &object, .object_count = 1, .pools = some_pools,
		.pool_count = 1),
	 1},
	{INPUTS(.objects = &object, .object_count = 0, .pools = some_pools,
		.pool_count = 1),
	 0},
	{{.size = sizeof(strew_inputs), .rule = 3, .want = 2, .first = 10, .last = 19},
	 10},
	{{.size = sizeof(strew_inputs),
	  .rule = 3,
	  .want = 2,
	  .first = UINT32_MAX,
	  .last = UINT32_MAX},
	 1},
};

START_TEST(inputs_give_their_rows)
{
	strew_placer *placer = two_pools();
	strew_result *result = NULL;

	ck_assert_int_eq(
		strew_placements(&result, placer, &good[_i].inputs, NULL, NULL, NULL),
		STREW_OK);
	ck_assert_uint_eq(row_count(result, "placements"), good[_i].rows);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

static const struct {
	strew_inputs inputs;
	strew_status status;
	const char *text;
} bad[] = {
	{INPUTS(.pools = no_pool, .pool_count = 1), STREW_ENOTFOUND,
	 "there is no pool 7; the map has: data (1), home (5)"},
	{INPUTS(.pg = &no_pg), STREW_ERANGE,
	 "there is no PG 5.c; pool home has 5.0 to 5.b"},
	{INPUTS(.pg = &pg_of_no_pool), STREW_ENOTFOUND,
	 "there is no pool 6; the map has: data (1), home (5)"},
	{INPUTS(.objects = &object, .object_count = 1), STREW_ENOTFOUND,
	 "objects lie in one pool; say which (--pool): data (1), home (5)"},
	{{.size = sizeof(strew_inputs), .rule = 1, .want = 2},
	 STREW_ENOTFOUND,
	 "there is no rule 1; the map has: hosts (0), devices (3)"},
	{{.size = sizeof(strew_inputs), .rule = 3, .want = 0},
	 STREW_ERANGE,
	 "a rule can choose 1 to 1024 devices, not 0"},
	{{.size = sizeof(strew_inputs), .rule = 3, .want = 1025},
	 STREW_ERANGE,
	 "a rule can choose 1 to 1024 devices, not 1025"},
	{{.size = sizeof(strew_inputs), .rule = 3, .want = 1, .first = 2, .last = 1},
	 STREW_ERANGE,
	 "inputs go up: 2 is above 1"},
};

START_TEST(wrong_inputs_are_refused_in_whole_sentences)
{
	strew_placer *placer = two_pools();
	strew_result *result = NULL;
	strew_error error;

	ck_assert_int_eq(
		strew_placements(&result, placer, &bad[_i].inputs, NULL, NULL, &error),
		bad[_i].status);
	ck_assert_ptr_null(result);
	ck_assert_str_eq(error.text, bad[_i].text);
	ck_assert_int_eq(
		strew_diff(&result, placer, placer, &bad[_i].inputs, NULL, NULL, &error),
		bad[_i].status);
	ck_assert_str_eq(error.text, bad[_i].text);
	strew_placer_release(placer);
}
END_TEST

START_TEST(a_map_without_pools_says_what_to_do)
{
	strew_builder *builder = start_map(NULL);
	strew_placer *placer;
	strew_result *result;
	strew_error error;

	add_hosts(builder, 1, 1);
	placer = finish_map(builder);
	ck_assert_int_eq(strew_placements(&result, placer, NULL, NULL, NULL, &error),
			 STREW_ENOTFOUND);
	ck_assert_str_eq(error.text, "the map has no pools; place raw inputs of a rule "
				     "(--rule and --size), or "
				     "add the file that tells of the pools (--join)");
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_inputs(void)
{
	TCase *tcase = tcase_create("analyze_inputs");

	tcase_add_loop_test(tcase, inputs_give_their_rows, 0,
			    (int)(sizeof(good) / sizeof(good[0])));
	tcase_add_loop_test(tcase, wrong_inputs_are_refused_in_whole_sentences, 0,
			    (int)(sizeof(bad) / sizeof(bad[0])));
	tcase_add_test(tcase, a_map_without_pools_says_what_to_do);
	return tcase;
}
