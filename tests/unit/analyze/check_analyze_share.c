/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>

#include "analyze.h"
#include "analyze_support.h"

#define DEVICE_COUNT 6

/* Racks r0 (hosts h0: osd.0, osd.1; h1: osd.2) and r1 (h2: osd.3, osd.4), and osd.5
 * apart. Weights 1 2 | 3 || 1 5 || 4. */
static strew_builder *start_racks(void)
{
	static const uint32_t weights[DEVICE_COUNT] = {1, 2, 3, 1, 5, 4};
	static const int32_t hosts[DEVICE_COUNT] = {-4, -4, -5, -6, -6, -1};
	strew_builder *builder = start_map(NULL);

	add_bucket(builder, -2, "r0", RACK, -1);
	add_bucket(builder, -3, "r1", RACK, -1);
	add_bucket(builder, -4, "h0", HOST, -2);
	add_bucket(builder, -5, "h1", HOST, -2);
	add_bucket(builder, -6, "h2", HOST, -3);
	for (int32_t i = 0; i < DEVICE_COUNT; i++)
		add_device(builder, i, hosts[i], weights[i]);
	return builder;
}

static void expect_shares(strew_builder *builder, int want, const double *expected)
{
	strew_placer *placer = finish_map(builder);
	struct analyze_tree tree;
	struct analyze_share share = {.tree = &tree, .want = want};
	double shares[DEVICE_COUNT];

	share.rule = map_rule_by_id(strew_placer_map(placer), 0);
	share.set = map_weight_set_by_id(strew_placer_map(placer), -1);
	ck_assert_int_eq(
		analyze_tree_new(&tree, strew_placer_map(placer), &base_heap, NULL),
		STREW_OK);
	ck_assert_int_eq(analyze_share(shares, &share, &base_heap, NULL), STREW_OK);
	for (int i = 0; i < DEVICE_COUNT; i++)
		ck_assert_msg(fabs(shares[i] - expected[i]) < 1e-12,
			      "osd.%d has %g, not %g", i, shares[i], expected[i]);
	analyze_tree_free(&tree, &base_heap);
	strew_placer_release(placer);
}

START_TEST(weights_split_the_shards)
{
	strew_builder *builder = start_racks();

	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	expect_shares(
		builder, 2,
		(const double[]){2 / 16., 4 / 16., 6 / 16., 2 / 16., 10 / 16., 8 / 16.});
}
END_TEST

START_TEST(no_more_shards_than_domains)
{
	strew_builder *builder = start_racks();

	/* osd.1 out: its half of 3 goes to all; 16 - 2 = 14 are left. Two racks, not 5.
	 */
	strew_builder_set_reweight(builder, 1, 0);
	add_rule(builder, 0, "racks", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 RACK);
	expect_shares(builder, 5,
		      (const double[]){2 / 14., 0, 6 / 14., 2 / 14., 10 / 14., 8 / 14.});
}
END_TEST

START_TEST(a_domain_without_devices_in_use_does_not_count)
{
	strew_builder *builder = start_racks();

	strew_builder_set_reweight(builder, 3, 0);
	strew_builder_set_reweight(builder, 4, 0);
	add_rule(builder, 0, "racks", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 RACK);
	expect_shares(builder, 3, (const double[]){.1, .2, .3, 0, 0, .4});
}
END_TEST

START_TEST(half_in_takes_half)
{
	strew_builder *builder = start_racks();

	/* 6 units: h2 weighs 1 + 5 / 2 = 3.5 of 13.5 that are left. */
	strew_builder_set_reweight(builder, 4, STREW_WEIGHT_ONE / 2);
	add_rule(builder, 0, "devices", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN, 0);
	expect_shares(builder, 1,
		      (const double[]){1 / 13.5, 2 / 13.5, 3 / 13.5, 1 / 13.5, 2.5 / 13.5,
				       4 / 13.5});
}
END_TEST

START_TEST(a_device_that_is_down_leaves_a_hole)
{
	strew_builder *builder = start_racks();

	strew_builder_set_state(builder, 5, 1, 0);
	add_rule(builder, 0, "devices", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN, 0);
	expect_shares(builder, 1,
		      (const double[]){1 / 16., 2 / 16., 3 / 16., 1 / 16., 5 / 16., 0});
}
END_TEST

START_TEST(blocks_take_what_is_left)
{
	strew_builder *builder = start_racks();

	/* One from r0, all but two from r1, osd.4 once more; then nothing is left. */
	strew_builder_add_rule(builder, 0, "blocks", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "r0", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 1, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	strew_builder_add_take_name(builder, "r1", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, -2, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	strew_builder_add_take_name(builder, "osd.4", NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	strew_builder_add_take_name(builder, "r0", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 0, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	expect_shares(builder, 4,
		      (const double[]){1 / 6., 2 / 6., 3 / 6., 2 / 6., 10 / 6. + 1, 0});
}
END_TEST

START_TEST(chained_steps_multiply)
{
	strew_builder *builder = start_racks();

	/* 2 racks × 1 host. */
	strew_builder_add_rule(builder, 0, "chain", STREW_KIND_ERASURE);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_INDEP, 2, RACK, NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_INDEP, 1, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	expect_shares(
		builder, 6,
		(const double[]){2 / 16., 4 / 16., 6 / 16., 2 / 16., 10 / 16., 8 / 16.});
}
END_TEST

START_TEST(a_weight_set_replaces_the_weights)
{
	static const uint32_t equal[] = {STREW_WEIGHT_ONE, STREW_WEIGHT_ONE,
					 2 * STREW_WEIGHT_ONE};
	strew_builder *builder = start_racks();

	/* Root: r0 1, r1 1, osd.5 2. Below, the weights of the tree. */
	strew_builder_add_weight_set(builder, -1, NULL);
	strew_builder_add_weight_row(builder, -1, equal, 3);
	add_rule(builder, 0, "devices", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN, 0);
	expect_shares(
		builder, 1,
		(const double[]){1 / 24., 2 / 24., 3 / 24., 1 / 24., 5 / 24., 1 / 2.});
}
END_TEST

TCase *check_analyze_share(void)
{
	TCase *tcase = tcase_create("analyze_share");

	tcase_add_test(tcase, weights_split_the_shards);
	tcase_add_test(tcase, no_more_shards_than_domains);
	tcase_add_test(tcase, a_domain_without_devices_in_use_does_not_count);
	tcase_add_test(tcase, half_in_takes_half);
	tcase_add_test(tcase, a_device_that_is_down_leaves_a_hole);
	tcase_add_test(tcase, blocks_take_what_is_left);
	tcase_add_test(tcase, chained_steps_multiply);
	tcase_add_test(tcase, a_weight_set_replaces_the_weights);
	return tcase;
}
