/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analyze_support.h"
#include "result.h"
#include "support.h"

static strew_result *fail_one(const strew_placer *placer, int most)
{
	const int32_t device = 0;
	strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
	strew_result *result;

	options.items = &device;
	options.item_count = 1;
	options.most_failed = most;
	ck_assert_int_eq(strew_fail(&result, placer, NULL, &options, NULL, NULL),
			 STREW_OK);
	return result;
}

/* The row of so many failed devices. */
static double odds(const strew_result *result, int failed, const char *column)
{
	ck_assert_int_eq(
		cell_at(result, "odds", (size_t)failed - 1, "devices_failed").integer,
		failed);
	return cell_at(result, "odds", (size_t)failed - 1, column).real;
}

static bool is_exact(const strew_result *result, int failed)
{
	return strcmp(cell_at(result, "odds", (size_t)failed - 1, "basis").text,
		      "exact") == 0;
}

START_TEST(one_set_is_lost_when_all_of_it_fails)
{
	strew_placer *placer = three();
	strew_result *result = fail_one(placer, 10);

	ck_assert_uint_eq(row_count(result, "odds"), 3);
	ck_assert_double_eq(odds(result, 2, "loss_percent"), 0);
	ck_assert_double_eq(odds(result, 3, "loss_percent"), 100);
	ck_assert_double_eq(odds(result, 3, "expected_pgs_lost"), PGS);
	ck_assert_int_eq(summary_integer(result, "device_sets"), 1);
	ck_assert_int_eq(summary_integer(result, "scatter_width_min"), 2);
	ck_assert_int_eq(summary_integer(result, "scatter_width_max"), 2);
	strew_result_free(result);
	result = fail_one(placer, 0);
	ck_assert_uint_eq(row_count(result, "odds"), 0);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

static strew_placer *cluster(int hosts, int each, int size, uint32_t pgs, int k)
{
	strew_builder *builder = start_map(NULL);
	strew_pool_desc pool = STREW_POOL_DESC_INIT;

	add_hosts(builder, hosts, each);
	add_rule(builder, 0, "hosts", k ? STREW_KIND_ERASURE : STREW_KIND_REPLICATED,
		 k ? STREW_OP_CHOOSELEAF_INDEP : STREW_OP_CHOOSELEAF_FIRSTN, HOST);
	pool.id = 1;
	pool.name = "data";
	pool.kind = k ? STREW_KIND_ERASURE : STREW_KIND_REPLICATED;
	pool.size = size;
	pool.k = k;
	pool.pg_num = pgs;
	strew_builder_add_pool(builder, &pool);
	return finish_map(builder);
}

#define MANY_PGS 10000

static bool loses(int32_t sets[][SET_ROOM], uint32_t pgs, const bool *failed, int needed)
{
	for (uint32_t seed = 0; seed < pgs; seed++) {
		int left = 0;

		for (int i = 0; i < SET_ROOM; i++)
			left += sets[seed][i] != STREW_NONE && !failed[sets[seed][i]];
		if (left < needed)
			return true;
	}
	return false;
}

/* All ways in which devices of a small cluster can fail, as a plain loop counts them. */
static void count_ways(double *percent, int devices, int32_t sets[][SET_ROOM],
		       uint32_t pgs, int needed)
{
	double all[16] = {0}, lost[16] = {0};

	for (uint32_t mask = 0; mask < 1u << devices; mask++) {
		bool failed[16] = {false};
		int count = __builtin_popcount(mask);

		for (int i = 0; i < devices; i++)
			failed[i] = mask >> i & 1;
		all[count]++;
		lost[count] += loses(sets, pgs, failed, needed);
	}
	for (int i = 0; i <= devices; i++)
		percent[i] = 100 * lost[i] / all[i];
}

static const struct {
	int hosts, each, size, k;
	uint32_t pgs;
} small[] = {{4, 3, 3, 0, 20}, {12, 1, 6, 4, 12}, {6, 2, 5, 3, 9}, {7, 2, 2, 0, 5}};

START_TEST(small_clusters_are_enumerated)
{
	static int32_t sets[MANY_PGS][SET_ROOM];
	int devices = small[_i].hosts * small[_i].each;
	strew_placer *placer = cluster(small[_i].hosts, small[_i].each, small[_i].size,
				       small[_i].pgs, small[_i].k);
	strew_result *result = fail_one(placer, 10);
	double percent[16];

	place_pool(sets, placer, small[_i].pgs);
	count_ways(percent, devices, sets, small[_i].pgs, small[_i].k ? small[_i].k : 1);
	for (int failed = 1; failed <= 10; failed++) {
		ck_assert(is_exact(result, failed));
		ck_assert_double_eq_tol(odds(result, failed, "loss_percent"),
					percent[failed], 1e-9);
	}
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

static double ways(double n, int k)
{
	double product = 1;

	for (int i = 0; i < k; i++)
		product *= (n - i) / (i + 1);
	return product;
}

/* ../shared/theory/theory.md, section 5: 20 hosts of 5 devices, three copies. */
#define LEGAL_SETS 142500.0

static double expect_sets(uint32_t pgs)
{
	return LEGAL_SETS * (1 - pow(1 - 1 / LEGAL_SETS, pgs));
}

static const struct {
	uint32_t pgs;
	double sets;              /* of the theory, which formulas give as well */
	double at_3, at_5, at_10; /* parts: of its simulation */
	double lost_at_10;
} theory[] = {{100, 100, .0006, .0062, .0716, .074},
	      {1000, 996.5, .0062, .0598, .522, .74},
	      {10000, 9657, .0595, .456, .999, 7.4}};

START_TEST(sets_and_losses_are_those_of_theory)
{
	uint32_t pgs = theory[_i].pgs;
	strew_placer *placer = cluster(20, 5, 3, pgs, 0);
	strew_result *result = fail_one(placer, 10);
	double sets = (double)summary_integer(result, "device_sets");
	double shared = pgs - expect_sets(pgs);

	ck_assert_double_eq_tol(expect_sets(pgs), theory[_i].sets, .51);
	ck_assert_double_eq_tol(sets, theory[_i].sets, 1 + 4 * sqrt(shared));
	/* Exactly, by the sets that there are; and with it nearly what theory expects. */
	ck_assert(is_exact(result, 3));
	ck_assert_double_eq_tol(odds(result, 3, "loss_percent"),
				100 * sets / ways(100, 3), 1e-9);
	ck_assert_double_eq_tol(odds(result, 3, "loss_percent"), 100 * theory[_i].at_3,
				.05);
	ck_assert_double_eq_tol(odds(result, 5, "loss_percent"), 100 * theory[_i].at_5,
				1.5);
	ck_assert_double_eq_tol(odds(result, 10, "loss_percent"), 100 * theory[_i].at_10,
				1.5);
	ck_assert_double_eq_tol(odds(result, 10, "expected_pgs_lost"),
				pgs * ways(10, 3) / ways(100, 3), 1e-9);
	ck_assert_double_eq_tol(odds(result, 10, "expected_pgs_lost"),
				theory[_i].lost_at_10, .01 * theory[_i].lost_at_10);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

/* One PG: one of C(100, 3) choices, ten in as many of five, 120 of ten. */
START_TEST(rare_losses_are_told_as_one_in_so_many)
{
	strew_placer *placer = cluster(20, 5, 3, 1, 0);
	strew_result *result = fail_one(placer, 10);

	ck_assert(has_note(result,
			   "Any 3 of 100 devices that fail at once lose data with a "
			   "chance of 1 in 162000, any 5 with about 1 in 16200, any 10 "
			   "with about 0.0742 %."));
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

#define DRAWS 4000

static bool draw_loses(int32_t sets[][SET_ROOM], uint32_t pgs, int failed_count,
		       uint64_t *state)
{
	bool failed[100] = {false};

	while (failed_count > 0) {
		uint32_t device = support_below(state, 100);

		failed_count -= !failed[device];
		failed[device] = true;
	}
	return loses(sets, pgs, failed, 1);
}

/* The estimate is told with its error, and plain draws agree with it. */
START_TEST(estimates_are_within_their_errors)
{
	static int32_t sets[MANY_PGS][SET_ROOM];
	const int failed = 6 + 2 * _i;
	strew_placer *placer = cluster(20, 5, 3, 1000, 0);
	strew_result *result = fail_one(placer, failed);
	double part = odds(result, failed, "loss_percent") / 100;
	double error = odds(result, failed, "loss_stderr_percent") / 100;
	double drawn = 0;
	uint64_t state = 5;

	place_pool(sets, placer, 1000);
	for (int i = 0; i < DRAWS; i++)
		drawn += draw_loses(sets, 1000, failed, &state);
	drawn /= DRAWS;
	ck_assert(!is_exact(result, failed));
	ck_assert_double_gt(error, 0);
	ck_assert_double_lt(error, .011 * part);
	ck_assert_double_eq_tol(part, drawn,
				3.5 * (error + sqrt(part * (1 - part) / DRAWS)));
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

/* Peers of one device of 100 that has some 100 PGs: those of its own host are none. */
START_TEST(scatter_width_is_that_of_theory)
{
	strew_placer *placer = cluster(20, 5, 3, 3333, 0);
	strew_result *result = fail_one(placer, 0);
	double expected = 95 * (1 - pow(1 - 2.0 / 95, 100));

	ck_assert_double_eq_tol(summary_real(result, "scatter_width_mean"), expected, 1);
	ck_assert_int_le(summary_integer(result, "scatter_width_max"), 95);
	ck_assert_int_lt(summary_integer(result, "scatter_width_min"),
			 summary_integer(result, "scatter_width_max"));
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_fail_odds(void)
{
	TCase *tcase = tcase_create("analyze_fail_odds");

	tcase_add_test(tcase, one_set_is_lost_when_all_of_it_fails);
	tcase_add_test(tcase, rare_losses_are_told_as_one_in_so_many);
	tcase_add_loop_test(tcase, small_clusters_are_enumerated, 0,
			    (int)(sizeof(small) / sizeof(small[0])));
	tcase_add_loop_test(tcase, sets_and_losses_are_those_of_theory, 0,
			    (int)(sizeof(theory) / sizeof(theory[0])));
	tcase_add_loop_test(tcase, estimates_are_within_their_errors, 0, 3);
	tcase_add_test(tcase, scatter_width_is_that_of_theory);
	return tcase;
}
