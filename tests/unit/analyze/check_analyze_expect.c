/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze_expect_priv.h"
#include "analyze_support.h"

#define ITEMS_MAX 64

/* What is expected of a map's first rule. */
struct expected {
	double shares[ITEMS_MAX]; /* by device */
	size_t count;
	char reason[128]; /* "" when shares are exact */
};

static struct expected expect(strew_builder *builder, int want)
{
	strew_placer *placer = finish_map(builder);
	const strew_map *map = strew_placer_map(placer);
	struct analyze_tree tree;
	struct analyze_share share = {.tree = &tree, .want = want};
	struct expected out = {.count = map->device_count};
	const char *reason;

	share.rule = map_rule_by_id(map, 0);
	share.set = map_weight_set_by_id(map, -1);
	ck_assert_int_eq(analyze_tree_new(&tree, map, &base_heap, NULL), STREW_OK);
	ck_assert_int_eq(analyze_expect(out.shares, &reason, &share, &base_heap, NULL),
			 STREW_OK);
	strcpy(out.reason, reason ? reason : "");
	analyze_tree_free(&tree, &base_heap);
	strew_placer_release(placer);
	return out;
}

static void check_exact(strew_builder *builder, int want, const double *shares,
			double precision)
{
	struct expected got = expect(builder, want);

	ck_assert_str_eq(got.reason, "");
	for (size_t i = 0; i < got.count; i++)
		ck_assert_msg(fabs(got.shares[i] - shares[i]) <= precision,
			      "osd.%zu has %.9g, not %.9g", i, got.shares[i], shares[i]);
}

static void check_refused(strew_builder *builder, int want, const char *reason)
{
	struct expected got = expect(builder, want);

	ck_assert_str_eq(got.reason, reason);
}

/* ../shared/theory, section 1. */
static const uint32_t five[] = {10, 10, 10, 10, 5};
static const uint32_t eight[] = {1, 1, 1, 1, 2, 2, 4, 4};

START_TEST(two_and_three_of_unequal_hosts)
{
	strew_builder *builder = start_hosts_of(five, 5);

	add_hosts_rule(builder);
	check_exact(builder, 2, (const double[]){.44048, .44048, .44048, .44048, .23810},
		    5e-6);
	builder = start_hosts_of(five, 5);
	add_hosts_rule(builder);
	check_exact(builder, 3, (const double[]){.65238, .65238, .65238, .65238, .39048},
		    5e-6);
}
END_TEST

START_TEST(three_and_four_of_eight_hosts)
{
	strew_builder *builder = start_hosts_of(eight, 8);

	add_hosts_rule(builder);
	check_exact(builder, 3,
		    (const double[]){.21949, .21949, .21949, .21949, .40445, .40445,
				     .65656, .65656},
		    5e-6);
	builder = start_hosts_of(eight, 8);
	add_rule(builder, 0, "hosts", STREW_KIND_ERASURE, STREW_OP_CHOOSELEAF_INDEP,
		 HOST);
	check_exact(builder, 4,
		    (const double[]){.32168, .32168, .32168, .32168, .5563, .5563, .80034,
				     .80034},
		    5e-6);
}
END_TEST

/* Weights from 1 to `ratio`. */
static void fill_racers(struct expect_racer *racers, size_t count, double ratio)
{
	for (size_t i = 0; i < count; i++)
		racers[i] = (struct expect_racer){
			.rate = pow(ratio, (double)i / (double)(count - 1)), .chance = 1};
}

START_TEST(quadrature_agrees_with_closed_forms)
{
	static const double ratios[] = {1, 4, 1000, 1e6};
	struct expect_racer closed[ITEMS_MAX], integrated[ITEMS_MAX];
	struct expect_race race = {
		.count = 21, .places = (uint32_t)_i + 1, .allocator = &base_heap};

	for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
		fill_racers(closed, race.count, ratios[i]);
		fill_racers(integrated, race.count, ratios[i]);
		race.racers = closed;
		ck_assert_int_eq(analyze_expect_race(&race), STREW_OK);
		race.racers = integrated;
		ck_assert_int_eq(analyze_expect_integrate(&race), STREW_OK);
		for (size_t j = 0; j < race.count; j++)
			ck_assert_msg(fabs(closed[j].wins / integrated[j].wins - 1) <
					      1e-12,
				      "%g: %.17g %.17g", ratios[i], closed[j].wins,
				      integrated[j].wins);
	}
}
END_TEST

START_TEST(places_are_filled_by_quadrature)
{
	static const uint32_t places[] = {4, 11, 20, 60, 63};
	struct expect_racer racers[ITEMS_MAX];
	struct expect_race race = {.racers = racers,
				   .count = ITEMS_MAX,
				   .places = places[_i],
				   .allocator = &base_heap};
	double sum = 0;

	fill_racers(racers, ITEMS_MAX, 50);
	ck_assert_int_eq(analyze_expect_race(&race), STREW_OK);
	for (size_t i = 0; i < ITEMS_MAX; i++) {
		ck_assert(i == 0 || racers[i].wins > racers[i - 1].wins);
		sum += racers[i].wins;
	}
	ck_assert_msg(fabs(sum / race.places - 1) < 1e-12, "%.17g", sum);
}
END_TEST

struct extremes {
	double least, most; /* in percent of the share by weight */
};

static struct extremes find_extremes(const struct expected *got, const double *weights,
				     double want)
{
	struct extremes found = {INFINITY, 0};
	double total = 0;

	for (size_t i = 0; i < got->count; i++)
		total += weights[i];
	for (size_t i = 0; i < got->count; i++) {
		double part = 100 * got->shares[i] / (want * weights[i] / total);

		found.least = fmin(found.least, part);
		found.most = fmax(found.most, part);
	}
	return found;
}

START_TEST(a_tree_is_walked_down)
{
	double weights[ITEMS_MAX];
	strew_builder *builder = start_tree(weights);
	struct expected got;
	struct extremes found;

	/* The first device is full when 84.8 % of all is used. */
	add_hosts_rule(builder);
	got = expect(builder, 3);
	ck_assert_str_eq(got.reason, "");
	found = find_extremes(&got, weights, 3);
	ck_assert_msg(fabs(found.most - 118) < .5, "%.2f", found.most);
	ck_assert_msg(fabs(100 * 100 / found.most - 84.8) < .05, "%.2f", found.most);
	builder = start_tree(weights);
	add_two_by_two_rule(builder);
	got = expect(builder, 4);
	ck_assert_str_eq(got.reason, "");
	found = find_extremes(&got, weights, 4);
	ck_assert_msg(fabs(found.least - 73) < .5, "%.2f", found.least);
	ck_assert_msg(fabs(found.most - 170) < .5, "%.2f", found.most);
	ck_assert_msg(fabs(100 * 100 / found.most - 58.7) < .05, "%.2f", found.most);
}
END_TEST

START_TEST(each_position_has_weights_of_its_own)
{
	static const uint32_t unit = STREW_WEIGHT_ONE;
	const uint32_t rows[2][5] = {{2 * unit, 2 * unit, 2 * unit, 2 * unit, unit},
				     {7 * unit, 7 * unit, 7 * unit, 7 * unit, 3 * unit}};
	strew_builder *builder = start_hosts_of(five, 5);

	add_hosts_rule(builder);
	strew_builder_add_weight_set(builder, -1, NULL);
	strew_builder_add_weight_row(builder, -1, rows[0], 5);
	strew_builder_add_weight_row(builder, -1, rows[1], 5);
	check_exact(builder, 2, (const double[]){4 / 9., 4 / 9., 4 / 9., 4 / 9., 2 / 9.},
		    1e-14);
}
END_TEST

/* Of two devices one is in for half of the inputs, and has half of those. */
START_TEST(reweights_turn_down_the_same_device_again)
{
	static const uint32_t weights[] = {1, 1};
	strew_builder *builder = start_hosts_of(weights, 2);

	strew_builder_set_reweight(builder, 0, STREW_WEIGHT_ONE / 2);
	add_hosts_rule(builder);
	check_exact(builder, 1, (const double[]){.25, .75}, 1e-13);
	builder = start_map(NULL);
	add_bucket(builder, -2, "h", HOST, -1);
	add_device(builder, 0, -2, 1);
	add_device(builder, 1, -2, 1);
	strew_builder_set_reweight(builder, 0, STREW_WEIGHT_ONE / 2);
	add_hosts_rule(builder);
	check_exact(builder, 1, (const double[]){.25, .75}, 1e-13);
}
END_TEST

/* Both racks always; the first of them, which is r0 for one of three, has two hosts. */
static const double cut[] = {2 / 3., 2 / 3., 3 / 4., 11 / 12.};

static strew_builder *start_cut(void)
{
	strew_builder *builder = start_map(NULL);

	add_bucket(builder, -2, "r0", RACK, -1);
	add_bucket(builder, -3, "r1", RACK, -1);
	for (int i = 0; i < 4; i++) {
		static const char *const names[] = {"h0", "h1", "h2", "h3"};

		add_bucket(builder, -4 - i, names[i], HOST, i < 2 ? -2 : -3);
		add_device(builder, i, -4 - i, i < 3 ? 1 : 3);
	}
	return builder;
}

START_TEST(places_that_are_cut_off_do_not_count)
{
	/* Of two racks 0 asks for three, too. */
	static const int racks[] = {0, 2, 3};
	strew_builder *builder = start_cut();

	strew_builder_add_rule(builder, 0, "cut", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, racks[_i], RACK, NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 2, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	check_exact(builder, 3, cut, 1e-13);
}
END_TEST

START_TEST(blocks_fill_what_is_left)
{
	strew_builder *builder = start_cut();

	/* osd.0 or osd.1, then two of r1, of which there is room for both; none for the
	 * last. */
	strew_builder_add_rule(builder, 0, "blocks", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "r0", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 1, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	strew_builder_add_take_name(builder, "r1", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, -1, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	strew_builder_add_take_name(builder, "osd.0", NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	check_exact(builder, 3, (const double[]){.5, .5, 1, 1}, 1e-13);
}
END_TEST

START_TEST(what_is_not_exact_is_named)
{
	strew_builder *builder = start_hosts_of(five, 5);

	add_hosts_rule(builder);
	strew_builder_set_tunable(builder, "choose_local_tries", 2);
	check_refused(builder, 3,
		      "it retries within a bucket (choose_local_tries, "
		      "choose_local_fallback_tries)");

	builder = start_hosts_of(five, 5);
	add_rule(builder, 0, "racks", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 RACK);
	check_refused(builder, 3, "it comes to devices where it asks for buckets");

	builder = start_hosts_of(five, 5);
	add_rule(builder, 0, "buckets", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN,
		 HOST);
	check_refused(builder, 3, "it emits buckets");

	builder = start_hosts_of(five, 5);
	add_hosts_rule(builder);
	strew_builder_set_tunable(builder, "choose_total_tries", 3);
	check_refused(builder, 3, "its tries may not be enough");

	builder = start_hosts_of(five, 5);
	add_hosts_rule(builder);
	strew_builder_add_item(builder, -2, 4, STREW_WEIGHT_ONE, STREW_ITEM_LINK);
	check_refused(builder, 3, "an item hangs in several places");

	builder = start_hosts_of(five, 5);
	add_hosts_rule(builder);
	strew_builder_set_reweight(builder, 0, STREW_WEIGHT_ONE / 2);
	strew_builder_set_tunable(builder, "chooseleaf_stable", 0);
	check_refused(builder, 3,
		      "devices have reweights, and the tunables are older than jewel's");
}
END_TEST

TCase *check_analyze_expect(void)
{
	TCase *tcase = tcase_create("analyze_expect");

	tcase_add_test(tcase, two_and_three_of_unequal_hosts);
	tcase_add_test(tcase, three_and_four_of_eight_hosts);
	tcase_add_loop_test(tcase, quadrature_agrees_with_closed_forms, 0, 3);
	tcase_add_loop_test(tcase, places_are_filled_by_quadrature, 0, 5);
	tcase_add_test(tcase, a_tree_is_walked_down);
	tcase_add_test(tcase, each_position_has_weights_of_its_own);
	tcase_add_test(tcase, reweights_turn_down_the_same_device_again);
	tcase_add_loop_test(tcase, places_that_are_cut_off_do_not_count, 0, 3);
	tcase_add_test(tcase, blocks_fill_what_is_left);
	tcase_add_test(tcase, what_is_not_exact_is_named);
	return tcase;
}
