/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze_support.h"

/* What makes devices differ from their share. */

static const char *const parts[] = {
	"excess_rule_shards",     "excess_multi_pick_shards", "excess_weight_set_shards",
	"excess_reweight_shards", "excess_chance_shards",     "excess_upmap_shards",
	"excess_pg_size_shards"};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

static strew_result *spread_map(strew_builder *builder)
{
	strew_placer *placer = finish_map(builder);
	strew_result *result = NULL;
	strew_error error = {.text = ""};

	if (strew_spread(&result, placer, NULL, NULL, NULL, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	strew_placer_release(placer);
	return result;
}

static double part_of(const strew_result *result, size_t device, const char *part)
{
	return cell_at(result, "devices", device, part).real;
}

static const char *basis_of(const strew_result *result, const char *part)
{
	for (size_t row = 0; row < row_count(result, "imbalance"); row++) {
		if (strcmp(cell_at(result, "imbalance", row, "part").text, part) == 0)
			return cell_at(result, "imbalance", row, "basis").text;
	}
	ck_abort_msg("no part %s", part);
}

static void check_part(const strew_result *result, const char *part,
		       const double *expected, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(fabs(part_of(result, i, part) - expected[i]) < 1e-9,
			      "%s of %zu is %.12g, not %.12g", part, i,
			      part_of(result, i, part), expected[i]);
}

/* All there is: a weight set, reweights, a device that is down, upmaps, PGs of which some
 * are twice as large as others, and two pools. */
static strew_builder *start_all(void)
{
	double weights[TREE_DEVICES];
	strew_builder *builder = start_tree(weights);
	const uint32_t rack[3] = {STREW_WEIGHT_ONE, 2 * STREW_WEIGHT_ONE,
				  STREW_WEIGHT_ONE};
	const int32_t upmap[] = {0, 8, 12};

	add_hosts_rule(builder);
	add_pool(builder, 1, "data", 3, 96, 0);
	add_pool(builder, 2, "more", 2, 40, 0);
	strew_builder_set_reweight(builder, 3, STREW_WEIGHT_ONE / 2);
	strew_builder_set_state(builder, 20, 1, 0);
	strew_builder_add_weight_set(builder, 1, NULL);
	strew_builder_add_weight_row(builder, -3, rack, 3);
	strew_builder_add_upmap(builder, (strew_pg){1, 5}, upmap, 3);
	strew_builder_set_pg_use(builder, (strew_pg){2, 7}, 100 * GIB, 1);
	return builder;
}

START_TEST(parts_add_up_to_the_whole)
{
	strew_result *result = spread_map(start_all());
	double sums[PARTS] = {0};

	for (size_t i = 0; i < TREE_DEVICES; i++) {
		double sum = 0;

		for (size_t p = 0; p < PARTS; p++) {
			double part = part_of(result, i, parts[p]);

			sum += part;
			sums[p] += part;
		}
		ck_assert_double_eq_tol(part_of(result, i, "excess_shards"), sum, 1e-9);
	}
	/* What one device has more, others have less; and there is something of each. */
	for (size_t p = 0; p < PARTS; p++) {
		const char *part = parts[p];
		double largest = 0;

		ck_assert_double_eq_tol(sums[p], 0, 1e-9);
		for (size_t i = 0; i < TREE_DEVICES; i++)
			largest = fmax(largest, part_of(result, i, part));
		ck_assert_msg((largest > 1e-6) == (strcmp(part, parts[0]) != 0), "%s %g",
			      part, largest);
	}
	/* Domains have the sums. */
	for (size_t i = 0; i < row_count(result, "domains"); i++) {
		double sum = 0;

		for (size_t p = 0; p < PARTS; p++)
			sum += cell_at(result, "domains", i, parts[p]).real;
		ck_assert_double_eq_tol(
			cell_at(result, "domains", i, "excess_shards").real, sum, 1e-9);
	}
	strew_result_free(result);
}
END_TEST

/* Weights 1, 1, 2: the rule gives each a third, where the last one should have half. */
START_TEST(what_the_rule_forces_is_told)
{
	strew_result *result = spread_map(start_hosts(3, 2, 2));

	check_part(result, "excess_rule_shards", (const double[]){2, 2, -4}, 3);
	check_part(result, "excess_shards", (const double[]){2, 2, -4}, 3);
	for (size_t p = 1; p < PARTS; p++)
		check_part(result, parts[p], (const double[]){0, 0, 0}, 3);
	ck_assert_str_eq(basis_of(result, "rule"), "computed");
	ck_assert_str_eq(basis_of(result, "chance"), "counted");
	ck_assert_ptr_nonnull(
		strstr(cell_at(result, "summary", 0, "why").text,
		       "osd.0 holds 33.3 % more than its share: the rule's failure "
		       "domains +33.3 %;"));
	ck_assert_double_eq_tol(
		cell_at(result, "imbalance", PARTS, "fullest_percent").real, 100. / 3,
		1e-9);
	ck_assert_double_eq_tol(
		cell_at(result, "imbalance", PARTS, "stddev_percent").real, 100. / 3,
		1e-9);
	strew_result_free(result);
}
END_TEST

/* ../shared/theory: hosts of 10, 10, 10, 10 and 5 should have .4444 and .2222 of two
 * copies, and have .44048 and .23810. */
START_TEST(multi_pick_is_told)
{
	static const uint32_t five[] = {10, 10, 10, 10, 5};
	strew_builder *builder = start_hosts_of(five, 5);
	strew_result *result;

	add_hosts_rule(builder);
	add_pool(builder, 1, "data", 2, 1024, 0);
	result = spread_map(builder);
	ck_assert_double_eq_tol(part_of(result, 0, "excess_multi_pick_shards") / 1024,
				.44048 - 4 / 9., 5e-6);
	ck_assert_double_eq_tol(part_of(result, 4, "excess_multi_pick_shards") / 1024,
				.23810 - 2 / 9., 5e-6);
	check_part(result, "excess_rule_shards", (const double[]){0, 0, 0, 0, 0}, 5);
	strew_result_free(result);
}
END_TEST

START_TEST(weight_sets_count_apart_from_drawing)
{
	static const uint32_t five[] = {10, 10, 10, 10, 5};
	const uint32_t even[] = {STREW_WEIGHT_ONE, STREW_WEIGHT_ONE, STREW_WEIGHT_ONE,
				 STREW_WEIGHT_ONE, STREW_WEIGHT_ONE};
	strew_builder *builder = start_hosts_of(five, 5);
	strew_result *result;

	add_hosts_rule(builder);
	add_pool(builder, 1, "data", 2, 1000, 0);
	strew_builder_add_weight_set(builder, -1, NULL);
	strew_builder_add_weight_row(builder, -1, even, 5);
	result = spread_map(builder);
	ck_assert_double_eq_tol(part_of(result, 4, "excess_multi_pick_shards") +
					part_of(result, 4, "excess_weight_set_shards"),
				400 - 2000 / 9., 1e-9);
	strew_result_free(result);
}
END_TEST

/* Without a reweight each has 8 of 16; then osd.0 has a quarter of the PGs. */
START_TEST(reweights_are_told)
{
	static const uint32_t two[] = {1, 1};
	strew_builder *builder = start_hosts_of(two, 2);
	strew_result *result;

	add_hosts_rule(builder);
	add_pool(builder, 1, "data", 1, 16, 0);
	strew_builder_set_reweight(builder, 0, STREW_WEIGHT_ONE / 2);
	result = spread_map(builder);
	check_part(result, "excess_reweight_shards", (const double[]){-4, 4}, 2);
	ck_assert_str_eq(basis_of(result, "reweight"), "computed");
	strew_result_free(result);
}
END_TEST

/* Each device has each PG; one is moved. */
START_TEST(upmaps_are_told)
{
	strew_builder *builder = start_three();
	strew_result *result;

	add_bucket(builder, -9, "other", ROOT, 0);
	add_device(builder, 3, -9, 1);
	strew_builder_add_upmap_item(builder, (strew_pg){1, 0}, 2, 3);
	result = spread_map(builder);
	check_part(result, "excess_upmap_shards", (const double[]){0, 0, -1, 1}, 4);
	check_part(result, "excess_chance_shards", (const double[]){0, 0, 0, 0}, 4);
	check_part(result, "excess_shards", (const double[]){0, 0, -1, 1}, 4);
	strew_result_free(result);
}
END_TEST

/* Of 6 PGs those with the numbers 2 and 3 are twice as large; or as they are told. */
START_TEST(pgs_of_unequal_size_are_told)
{
	static const double by_hash[] = {.75, .75, 1.5, 1.5, .75, .75};
	static const double told[] = {0, 3, 0, 0, 3, 0};
	const double *sizes = _i == 0 ? by_hash : told;
	double filled[4] = {0}, expected[4];
	strew_builder *builder = start_map(NULL);
	strew_placer *placer;
	strew_scratch *scratch;
	strew_result *result = NULL;

	add_hosts(builder, 4, 1);
	add_hosts_rule(builder);
	add_pool(builder, 1, "data", 2, 6, 0);
	for (uint32_t seed = 0; seed < 6 && _i == 1; seed++)
		strew_builder_set_pg_use(builder, (strew_pg){1, seed},
					 (uint64_t)(sizes[seed] * 1000), 1);
	placer = finish_map(builder);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (uint32_t seed = 0; seed < 6; seed++) {
		int32_t up[4];
		strew_stages stages = {.up = {.devices = up, .room = 4}};

		ck_assert_int_eq(
			strew_place_pg(placer, (strew_pg){1, seed}, &stages, scratch),
			STREW_OK);
		for (int i = 0; i < stages.up.count; i++)
			filled[up[i]] += sizes[seed];
	}
	ck_assert_int_eq(strew_spread(&result, placer, NULL, NULL, NULL, NULL), STREW_OK);
	for (size_t i = 0; i < 4; i++)
		expected[i] =
			filled[i] -
			(double)cell_at(result, "devices", i, "actual_shards").integer;
	check_part(result, "excess_pg_size_shards", expected, 4);
	ck_assert(fabs(expected[0]) + fabs(expected[1]) > .1);
	strew_result_free(result);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

/* A rule that no formula treats is counted, and that is said. */
START_TEST(rules_without_a_formula_are_counted)
{
	strew_builder *builder = start_hosts(3, 2, 2);
	strew_result *result;

	strew_builder_set_tunable(builder, "choose_local_tries", 2);
	result = spread_map(builder);
	ck_assert_str_eq(cell_at(result, "summary", 0, "basis").text, "counted");
	ck_assert_str_eq(basis_of(result, "rule"), "computed");
	ck_assert_str_eq(basis_of(result, "multi_pick"), "counted");
	ck_assert(has_note(result,
			   "What rule hosts is expected to place is counted over 65536 "
			   "inputs (a device's share is true to 0.0 %), not exact: it "
			   "retries within a bucket (choose_local_tries, "
			   "choose_local_fallback_tries)."));
	strew_result_free(result);
}
END_TEST

static strew_status spread_again(strew_result **out, const strew_run *run, void *ctx)
{
	return strew_spread(out, ctx, NULL, NULL, run, NULL);
}

START_TEST(each_failed_allocation_is_told)
{
	strew_placer *placer = finish_map(start_all());

	ck_assert_uint_gt(fail_each(spread_again, placer), 20);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_spread_parts(void)
{
	TCase *tcase = tcase_create("spread_parts");

	tcase_add_test(tcase, parts_add_up_to_the_whole);
	tcase_add_test(tcase, what_the_rule_forces_is_told);
	tcase_add_test(tcase, multi_pick_is_told);
	tcase_add_test(tcase, weight_sets_count_apart_from_drawing);
	tcase_add_test(tcase, reweights_are_told);
	tcase_add_test(tcase, upmaps_are_told);
	tcase_add_loop_test(tcase, pgs_of_unequal_size_are_told, 0, 2);
	tcase_add_test(tcase, rules_without_a_formula_are_counted);
	tcase_add_test(tcase, each_failed_allocation_is_told);
	return tcase;
}
