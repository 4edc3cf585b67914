/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze.h"
#include "analyze_support.h"

#define DEVICES_MAX 64
#define RULES_MAX   4

/* What the rules 0, 1, … of a map come to, each for so many places and load of one. */
struct bounded {
	double shares[RULES_MAX][DEVICES_MAX];
	double expected[RULES_MAX][DEVICES_MAX];
	struct analyze_limit limits[RULES_MAX];
	size_t devices;
};

static struct bounded bound(strew_builder *builder, const int *wants, const double *loads,
			    size_t rules)
{
	strew_placer *placer = finish_map(builder);
	const strew_map *map = strew_placer_map(placer);
	struct bounded out = {.devices = map->device_count};
	struct analyze_demand demands[RULES_MAX];
	double sizes[DEVICES_MAX];
	struct analyze_tree tree;
	const char *reason;

	ck_assert_int_eq(analyze_tree_new(&tree, map, &base_heap, NULL), STREW_OK);
	for (size_t i = 0; i < map->device_count; i++)
		sizes[i] = analyze_device_weight(&tree, i);
	for (size_t i = 0; i < rules; i++) {
		demands[i] = (struct analyze_demand){
			.share = {.tree = &tree,
				  .rule = map_rule_by_id(map, (int32_t)i),
				  .want = wants[i]},
			.load = loads[i]};
		ck_assert_int_eq(analyze_bound_shares(out.shares[i], &demands[i].share,
						      &base_heap, NULL),
				 STREW_OK);
		ck_assert_int_eq(analyze_expect(out.expected[i], &reason,
						&demands[i].share, &base_heap, NULL),
				 STREW_OK);
	}
	ck_assert_int_eq(
		analyze_bound_limits(out.limits, demands, rules, sizes, &base_heap, NULL),
		STREW_OK);
	analyze_tree_free(&tree, &base_heap);
	strew_placer_release(placer);
	return out;
}

static struct bounded bound_one(strew_builder *builder, int want)
{
	return bound(builder, &want, (const double[]){1}, 1);
}

static void check_shares(const double *got, const double *expected, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(fabs(got[i] - expected[i]) < 1e-12,
			      "osd.%zu has %.17g, not %.17g", i, got[i], expected[i]);
}

/* ../shared/theory, section 1: 20 of 26.7 can be used. */
static const uint32_t large[] = {40, 10, 10, 10, 10};

START_TEST(no_domain_has_more_than_one_place)
{
	strew_builder *builder = start_hosts_of(large, 5);
	struct bounded got;

	add_hosts_rule(builder);
	got = bound_one(builder, 3);
	check_shares(got.shares[0], (const double[]){1, .5, .5, .5, .5}, 5);
	ck_assert(got.limits[0].is_exact);
	ck_assert_double_eq_tol(got.limits[0].growth, 20, 1e-12);
}
END_TEST

START_TEST(what_fits_follows_weights)
{
	static const uint32_t weights[] = {4, 3, 3, 1, 1};
	strew_builder *builder = start_hosts_of(weights, 5);
	struct bounded got;

	add_hosts_rule(builder);
	got = bound_one(builder, 3);
	check_shares(got.shares[0], (const double[]){1, .75, .75, .25, .25}, 5);
	ck_assert_double_eq_tol(got.limits[0].growth, 4, 1e-12);
}
END_TEST

static void add_two_steps(strew_builder *builder, int racks, int hosts)
{
	strew_builder_add_rule(builder, 0, "two steps", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, racks, RACK, NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, hosts, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

/* Racks of hosts 16 16 16, 12 32 4, 32 24 can be chosen 24, 16 and 24 times, two of them
 * for each input. */
START_TEST(steps_bound_each_other)
{
	double weights[TREE_DEVICES];
	strew_builder *builder = start_tree(weights);
	struct bounded got;

	add_two_steps(builder, 2, 2);
	got = bound_one(builder, 4);
	ck_assert(got.limits[0].is_exact);
	ck_assert_double_eq_tol(got.limits[0].growth, 32, 1e-12);
	/* A rack of 48 has 96/152; its host of 32 should have 4/3 of that, and has one.
	 */
	for (int i = 13; i < 17; i++)
		ck_assert_double_eq_tol(got.shares[0][i], 96. / 152 / 4, 1e-12);
	ck_assert_double_eq_tol(got.shares[0][17], 96. / 152 / 4, 1e-12);
	builder = start_tree(weights);
	add_hosts_rule(builder);
	got = bound_one(builder, 3);
	ck_assert_double_eq_tol(got.limits[0].growth, 152. / 3, 1e-12);
}
END_TEST

/* Three places in two racks: one has two of them, or the other. */
START_TEST(choices_cut_short_are_bounded)
{
	double weights[TREE_DEVICES], sum = 0;
	strew_builder *builder = start_tree(weights);
	struct bounded got;

	add_two_steps(builder, 0, 2);
	got = bound_one(builder, 3);
	for (int i = 0; i < TREE_DEVICES; i++)
		sum += got.shares[0][i];
	ck_assert_double_eq_tol(sum, 3, 1e-12);
	ck_assert(!got.limits[0].is_exact);
	ck_assert_double_eq_tol(got.limits[0].growth, 152. / 3, 1e-12);
}
END_TEST

/* On 40, 10, 10, 10 three places of one and one of the other: the small ones are full
 * when each place holds 15. */
START_TEST(rules_over_the_same_domains_share_them)
{
	strew_builder *builder = start_hosts_of(large, 4);
	struct bounded got;

	add_hosts_rule(builder);
	add_rule(builder, 1, "one", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	got = bound(builder, (const int[]){3, 1}, (const double[]){1, 1}, 2);
	for (int i = 0; i < 2; i++) {
		ck_assert(got.limits[i].is_exact);
		ck_assert_double_eq_tol(got.limits[i].growth, 15, 1e-12);
	}
}
END_TEST

START_TEST(rules_of_other_shapes_are_bounded_together)
{
	strew_builder *builder = start_hosts_of(large, 5);
	struct bounded got;

	add_hosts_rule(builder);
	add_rule(builder, 1, "devices", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN, 0);
	got = bound(builder, (const int[]){3, 2}, (const double[]){1, 2}, 2);
	for (int i = 0; i < 2; i++) {
		ck_assert(!got.limits[i].is_exact);
		/* 80 for seven. */
		ck_assert_double_eq_tol(got.limits[i].growth, 80. / 7, 1e-12);
	}
}
END_TEST

/* Two takes of two hosts each, 10 + 20 and 5 + 50. */
START_TEST(takes_count_apart)
{
	static const uint32_t weights[] = {10, 20, 5, 50};
	strew_builder *builder = start_map(NULL);
	struct bounded got;

	for (int i = 0; i < 2; i++) {
		char name[8];

		snprintf(name, sizeof(name), "r%d", i);
		add_bucket(builder, -2 - i, name, RACK, -1);
	}
	for (int i = 0; i < 4; i++) {
		char name[8];

		snprintf(name, sizeof(name), "h%d", i);
		add_bucket(builder, -4 - i, name, HOST, -2 - i / 2);
		add_device(builder, i, -4 - i, weights[i]);
	}
	strew_builder_add_rule(builder, 0, "takes", STREW_KIND_REPLICATED);
	for (int i = 0; i < 2; i++) {
		strew_builder_add_take_name(builder, i ? "r1" : "r0", NULL);
		strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 1 + i, HOST,
					 NULL);
		strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	}
	got = bound_one(builder, 3);
	check_shares(got.shares[0], (const double[]){1 / 3., 2 / 3., 1, 1}, 4);
	ck_assert(got.limits[0].is_exact);
	ck_assert_double_eq_tol(got.limits[0].growth, 5, 1e-12);
}
END_TEST

/* What is drawn never gets further than the limit, and bounds are kept. */
START_TEST(random_trees_stay_within_bounds)
{
	strew_builder *builder = start_map(NULL);
	struct bounded got;
	char name[16];
	double sum = 0, growth = INFINITY;
	uint32_t weights[32];

	srand((unsigned)_i);
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "r%d", i);
		add_bucket(builder, -2 - i, name, RACK, -1);
	}
	for (int i = 0; i < 16; i++) {
		snprintf(name, sizeof(name), "h%d", i);
		add_bucket(builder, -6 - i, name, HOST, -2 - i / 4);
		for (int j = 0; j < 2; j++) {
			weights[2 * i + j] = 1 + (uint32_t)(rand() % 20);
			add_device(builder, 2 * i + j, -6 - i, weights[2 * i + j]);
		}
	}
	add_two_steps(builder, 2, 2);
	got = bound_one(builder, 4);
	for (int i = 0; i < 32; i++) {
		sum += got.shares[0][i];
		growth = fmin(growth, weights[i] / got.expected[0][i]);
	}
	ck_assert_double_eq_tol(sum, 4, 1e-12);
	ck_assert_double_le(growth, got.limits[0].growth * (1 + 1e-12));
	for (int i = 0; i < 16; i++)
		ck_assert_double_le(got.shares[0][2 * i] + got.shares[0][2 * i + 1],
				    1 + 1e-12);
}
END_TEST

TCase *check_analyze_bound(void)
{
	TCase *tcase = tcase_create("bound");

	tcase_add_test(tcase, no_domain_has_more_than_one_place);
	tcase_add_test(tcase, what_fits_follows_weights);
	tcase_add_test(tcase, steps_bound_each_other);
	tcase_add_test(tcase, choices_cut_short_are_bounded);
	tcase_add_test(tcase, rules_over_the_same_domains_share_them);
	tcase_add_test(tcase, rules_of_other_shapes_are_bounded_together);
	tcase_add_test(tcase, takes_count_apart);
	tcase_add_loop_test(tcase, random_trees_stay_within_bounds, 0, 20);
	return tcase;
}
