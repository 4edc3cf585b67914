/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <string.h>

#include "analyze.h"
#include "analyze_support.h"

/* A tree with a weight set, a reweight and a device that is down. */
static strew_placer *make(void)
{
	double weights[TREE_DEVICES];
	strew_builder *builder = start_tree(weights);
	const uint32_t rack[3] = {STREW_WEIGHT_ONE, 2 * STREW_WEIGHT_ONE,
				  STREW_WEIGHT_ONE};

	add_hosts_rule(builder);
	strew_builder_set_reweight(builder, 3, STREW_WEIGHT_ONE / 2);
	strew_builder_set_state(builder, 20, 1, 0);
	strew_builder_add_weight_set(builder, 5, NULL);
	strew_builder_add_weight_row(builder, -3, rack, 3);
	return finish_map(builder);
}

/* With the set or without it, as things are or as if all devices were in. */
START_TEST(counts_agree_with_exact_shares)
{
	strew_placer *placer = make();
	const strew_map *map = strew_placer_map(placer);
	double counted[TREE_DEVICES], exact[TREE_DEVICES], most = 0;
	struct analyze_share share = {.want = 3, .is_whole = _i & 1};
	struct analyze_counted how;
	strew_run run = STREW_RUN_INIT;
	struct analyze_tree tree;
	const char *reason;

	run.executor = &four_threads;
	ck_assert_int_eq(analyze_tree_new(&tree, map, &base_heap, NULL), STREW_OK);
	share.tree = &tree;
	share.rule = map_rule_by_id(map, 0);
	share.set = _i & 2 ? map_weight_set_by_id(map, 5) : NULL;
	ck_assert_int_eq(analyze_count_shares(counted, &how, &share, placer, &run, NULL),
			 STREW_OK);
	ck_assert_int_eq(analyze_expect(exact, &reason, &share, &base_heap, NULL),
			 STREW_OK);
	ck_assert_ptr_null(reason);
	ck_assert_uint_eq(how.inputs, 65536);
	/* 3 of 26 devices: 0.115 ± 0.0012. */
	ck_assert_double_eq_tol(how.error, 0.0108, 0.0004);
	for (int i = 0; i < TREE_DEVICES; i++) {
		double sd = sqrt(exact[i] * (1 - exact[i]) / how.inputs);

		most = fmax(most, fabs(counted[i] - exact[i]) / fmax(sd, 1e-9));
	}
	ck_assert_msg(most < 4, "%.2f standard errors", most);
	ck_assert((exact[20] > 0) == share.is_whole);
	analyze_tree_free(&tree, &base_heap);
	strew_placer_release(placer);
}
END_TEST

/* A weight set given to the placer counts; the third host is turned down for all. */
START_TEST(programs_are_told_how_shares_are_known)
{
	strew_builder *builder = start_three();
	strew_expected how = STREW_EXPECTED_INIT;
	double shares[3], counted[3];
	strew_placer *placer;

	strew_builder_set_reweight(builder, 2, 0);
	placer = finish_map(builder);
	ck_assert_int_eq(strew_expected_shares(shares, &how, placer, 0, 1, NULL, NULL),
			 STREW_OK);
	ck_assert_ptr_null(how.reason);
	ck_assert_uint_eq(how.inputs, 0);
	ck_assert_double_eq_tol(shares[0], .5, 1e-12);
	ck_assert_double_eq(shares[2], 0);
	ck_assert_int_eq(strew_expected_shares(shares, NULL, placer, 1, 1, NULL, NULL),
			 STREW_ENOTFOUND);
	ck_assert_int_eq(strew_expected_shares(shares, NULL, placer, 0, 0, NULL, NULL),
			 STREW_ERANGE);
	strew_placer_release(placer);
	builder = start_three();
	strew_builder_set_tunable(builder, "choose_local_tries", 2);
	placer = finish_map(builder);
	ck_assert_int_eq(strew_expected_shares(counted, &how, placer, 0, 1, NULL, NULL),
			 STREW_OK);
	ck_assert_ptr_nonnull(how.reason);
	ck_assert_uint_eq(how.inputs, 65536);
	for (int i = 0; i < 3; i++)
		ck_assert_double_eq_tol(counted[i], 1. / 3, 4 * how.error / 3);
	strew_placer_release(placer);
}
END_TEST

/* As behind thousands of others. */
START_TEST(shares_behind_too_many_are_by_weight)
{
	struct analyze_inexact inexact = {.asked = 1000, .drawn = UINT32_MAX};
	enum analyze_basis basis = ANALYZE_EXACT;
	strew_placer *placer = make();
	const strew_map *map = strew_placer_map(placer);
	struct analyze_share share = {.want = 3};
	double told[TREE_DEVICES], weighed[TREE_DEVICES];
	strew_run run = STREW_RUN_INIT;
	struct analyze_tree tree;

	ck_assert_int_eq(analyze_tree_new(&tree, map, &base_heap, NULL), STREW_OK);
	share.tree = &tree;
	share.rule = map_rule_by_id(map, 0);
	ck_assert_int_eq(analyze_inexact_expect(told, &basis, &inexact, &share, placer,
						&run, NULL),
			 STREW_OK);
	ck_assert_int_eq(basis, ANALYZE_BY_WEIGHTS);
	ck_assert_int_eq(inexact.basis, ANALYZE_BY_WEIGHTS);
	ck_assert_ptr_nonnull(strstr(inexact.items[0].reason, "more rules, pools"));
	ck_assert_int_eq(analyze_share(weighed, &share, &base_heap, NULL), STREW_OK);
	ck_assert_mem_eq(told, weighed, sizeof(told));
	analyze_tree_free(&tree, &base_heap);
	strew_placer_release(placer);
}
END_TEST

static strew_status expect_again(strew_result **out, const strew_run *run, void *ctx)
{
	double shares[3];

	*out = NULL;
	return strew_expected_shares(shares, NULL, ctx, 0, 1, run, NULL);
}

/* Counted shares. */
START_TEST(each_failed_allocation_is_told)
{
	strew_builder *builder = start_three();
	strew_placer *placer;

	strew_builder_set_tunable(builder, "choose_local_tries", 2);
	placer = finish_map(builder);
	ck_assert_uint_gt(fail_each(expect_again, placer), 5);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_count(void)
{
	TCase *tcase = tcase_create("count");

	tcase_add_loop_test(tcase, counts_agree_with_exact_shares, 0, 4);
	tcase_add_test(tcase, programs_are_told_how_shares_are_known);
	tcase_add_test(tcase, shares_behind_too_many_are_by_weight);
	tcase_add_test(tcase, each_failed_allocation_is_told);
	return tcase;
}
