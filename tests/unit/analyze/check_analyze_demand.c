/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "analyze.h"
#include "analyze_support.h"

#define DEMAND(Rule, Want, Set, Units, Part)                                             \
	{                                                                                \
		.share = {.rule = (Rule), .want = (Want), .set = (Set)},                 \
		.units = (Units), .part = (Part), .load = 10 * (Units)                   \
	}

START_TEST(demands_that_are_alike_are_one)
{
	const struct map_rule low = {.id = 1}, high = {.id = 7};
	const struct map_weight_set own = {.id = 4}, common = {.id = -1};
	struct analyze_demand demands[] = {
		DEMAND(&high, 3, NULL, 1, 0.5),    DEMAND(&low, 3, &own, 2, 0.25),
		DEMAND(&low, 3, NULL, 4, 0.125),   DEMAND(&low, 2, &own, 8, 0),
		DEMAND(&low, 3, &own, 16, 0.0625), DEMAND(&low, 3, &common, 32, 0),
		DEMAND(&high, 3, NULL, 64, 0.125),
	};
	static const double units[] = {8, 4, 32, 18, 65};
	static const double parts[] = {0, 0.125, 0, 0.3125, 0.625};

	ck_assert_uint_eq(analyze_merge_demands(demands, 7), 5);
	for (int i = 0; i < 5; i++) {
		ck_assert_double_eq(demands[i].units, units[i]);
		ck_assert_double_eq(demands[i].part, parts[i]);
		ck_assert_double_eq(demands[i].load, 10 * units[i]);
	}
	ck_assert_int_eq(demands[0].share.want, 2);
	ck_assert_ptr_null(demands[1].share.set);
	ck_assert_ptr_eq(demands[2].share.set, &common);
	ck_assert_ptr_eq(demands[3].share.set, &own);
	ck_assert_ptr_eq(demands[4].share.rule, &high);
	ck_assert_uint_eq(analyze_merge_demands(demands, 1), 1);
	ck_assert_uint_eq(analyze_merge_demands(demands, 0), 0);
}
END_TEST

#define HOSTS   3
#define EACH    40
#define DEVICES (HOSTS * EACH)

/* `pools` pools of 2 and as many of 3 copies, with `pg_num` PGs each. */
static strew_placer *make(int pools, uint32_t pg_num)
{
	strew_builder *builder = start_map(NULL);

	add_hosts(builder, HOSTS, EACH);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	for (int i = 0; i < 2 * pools; i++) {
		char name[16];

		snprintf(name, sizeof(name), "p%d", i);
		add_pool(builder, i, name, 2 + i % 2, pg_num, 0);
	}
	return finish_map(builder);
}

/* How often a block was allocated of the size that a walk through the tree needs. */
static void *count_walks(void *ctx, void *old, size_t old_size, size_t new_size)
{
	size_t *walks = ctx;

	if (old == NULL && new_size == 6 * (HOSTS + 1 + DEVICES + 1) * sizeof(double))
		++*walks;
	return base_heap.resize(base_heap.ctx, old, old_size, new_size);
}

typedef strew_status analysis(strew_result **, const strew_placer *, const strew_run *);

static strew_status show(strew_result **out, const strew_placer *placer,
			 const strew_run *run)
{
	return strew_show(out, placer, NULL, run, NULL);
}

static strew_status spread(strew_result **out, const strew_placer *placer,
			   const strew_run *run)
{
	return strew_spread(out, placer, NULL, NULL, run, NULL);
}

static analysis *const analyses[] = {show, spread};

START_TEST(pools_that_are_alike_share_a_walk)
{
	strew_placer *placer = make(1500, 1);
	strew_run run = STREW_RUN_INIT;
	strew_allocator allocator = {count_walks, NULL};
	strew_result *result;
	size_t walks = 0;

	allocator.ctx = &walks;
	run.allocator = &allocator;
	ck_assert_int_eq(analyses[_i](&result, placer, &run), STREW_OK);
	ck_assert_uint_eq(walks, 2);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

static void compare(analysis *analyse, const char *table, const char *column)
{
	strew_placer *many = make(50, 2), *one = make(1, 100);
	strew_result *a, *b;

	ck_assert_int_eq(analyse(&a, many, NULL), STREW_OK);
	ck_assert_int_eq(analyse(&b, one, NULL), STREW_OK);
	ck_assert_uint_gt(row_count(a, table), 0);
	for (size_t i = 0; i < row_count(a, table); i++) {
		double left = cell_at(a, table, i, column).real;
		double right = cell_at(b, table, i, column).real;

		ck_assert_msg(left > 0 && fabs(left - right) <= 1e-9 * right,
			      "%s of row %zu: %g, not %g", column, i, left, right);
	}
	strew_result_free(a);
	strew_result_free(b);
	strew_placer_release(many);
	strew_placer_release(one);
}

START_TEST(many_pools_expect_what_a_large_one_does)
{
	compare(show, "tree", "share_percent");
	compare(spread, "devices", "target_share");
	compare(spread, "devices", "expected_share");
	compare(spread, "devices", "expected_shards");
	compare(spread, "summary", "chance_stddev_percent");
}
END_TEST

TCase *check_analyze_demand(void)
{
	TCase *tcase = tcase_create("analyze_demand");

	tcase_add_test(tcase, demands_that_are_alike_are_one);
	tcase_add_loop_test(tcase, pools_that_are_alike_share_a_walk, 0, 2);
	tcase_add_test(tcase, many_pools_expect_what_a_large_one_does);
	return tcase;
}
