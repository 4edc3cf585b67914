/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyze_support.h"

/* What moves, by formula: for one copy in one bucket of straw2 the exact chance, for
 * trees and for three copies the factors over the least that simulations have found. */

/* A bucket of devices of these weights. */
static strew_placer *flat(const int *weights, int count)
{
	strew_builder *builder = start_map(NULL);

	for (int i = 0; i < count; i++)
		add_device(builder, i, -1, (uint32_t)weights[i]);
	add_rule(builder, 0, "flat", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN, 0);
	return finish_map(builder);
}

#define ITEMS_MAX 10

static const struct {
	int count;
	int before[ITEMS_MAX];
	int after[ITEMS_MAX];
	double minimum; /* as parts of all */
	double moved;
} changes[] = {
	{5, {1, 1, 1, 1, 1}, {2, 1, 1, 1, 1}, 2. / 15, 2. / 15},
	{5, {4, 1, 1, 1, 1}, {1, 4, 1, 1, 1}, .375, .4773},
	{10,
	 {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
	 {10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
	 .4545,
	 .5305},
};

/* One less the chance that the choice stays: the sum of 1 / sum of max(w_j / w_i,
 * w'_j / w'_i). */
static double formula(const int *before, const int *after, int count)
{
	double stays = 0;

	for (int i = 0; i < count; i++) {
		double sum = 0;

		for (int j = 0; j < count; j++)
			sum += fmax((double)before[j] / before[i],
				    (double)after[j] / after[i]);
		stays += 1 / sum;
	}
	return 1 - stays;
}

#define INPUTS 100000

START_TEST(one_copy_of_a_bucket_moves_by_the_formula)
{
	int count = changes[_i].count;
	double exact = formula(changes[_i].before, changes[_i].after, count);
	strew_placer *before = flat(changes[_i].before, count);
	strew_placer *after = flat(changes[_i].after, count);
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_result *result;
	double error = sqrt(exact * (1 - exact) / INPUTS);

	inputs.rule = 0;
	inputs.want = 1;
	inputs.last = INPUTS - 1;
	result = diff_maps(before, after, &inputs, NULL, NULL);
	ck_assert(fabs(exact - changes[_i].moved) < 1e-4);
	ck_assert(fabs(summary_real(result, "minimum_percent") / 100 -
		       changes[_i].minimum) < 1e-4);
	ck_assert(fabs((double)summary_integer(result, "shards_moved") / INPUTS - exact) <
		  3 * error);
	/* One bucket and one copy: there is nothing else to blame. */
	if (exact > changes[_i].minimum + 0.01)
		ck_assert(fabs(part_of_cause(result, "weights") / INPUTS - exact +
			       changes[_i].minimum) < 3 * error + 1e-4);
	strew_result_free(result);
	strew_placer_release(before);
	strew_placer_release(after);
}
END_TEST

/* Racks of hosts of devices, which weigh one each; one host may have one more. */
static strew_placer *tree(int racks, int hosts, int devices, bool one_more)
{
	strew_builder *builder = start_map(NULL);
	int32_t next = 0;
	char name[16];

	for (int32_t i = 0; i < racks * hosts; i++) {
		int32_t rack = -2 - i / hosts;

		if (racks > 1 && i % hosts == 0) {
			snprintf(name, sizeof(name), "r%d", (int)i / hosts);
			add_bucket(builder, rack, name, RACK, -1);
		}
		snprintf(name, sizeof(name), "h%d", (int)i);
		add_bucket(builder, -100 - i, name, HOST, racks > 1 ? rack : -1);
		for (int j = 0; j < devices; j++)
			add_device(builder, next++, -100 - i, 1);
	}
	if (one_more)
		add_device(builder, next, -100, 1);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	return finish_map(builder);
}

static const struct {
	int racks[2], hosts[2], devices;
	bool one_more;
	int want;
	uint32_t inputs;
	double factor;  /* what moves, over the least */
	double parents; /* the least part of the excess that is theirs */
} trees[] = {
	{{10, 10}, {10, 10}, 10, true, 1, 400000, 2.70, .999},
	{{1, 1}, {20, 21}, 10, false, 3, 100000, 1.079, 0},
	{{1, 1}, {20, 19}, 10, false, 3, 100000, 1.099, 0},
	{{1, 1}, {20, 20}, 10, true, 3, 400000, 2.03, .6},
};

START_TEST(levels_and_copies_move_more_than_the_least)
{
	int devices = trees[_i].devices;
	strew_placer *before =
		tree(trees[_i].racks[0], trees[_i].hosts[0], devices, false);
	strew_placer *after =
		tree(trees[_i].racks[1], trees[_i].hosts[1], devices, trees[_i].one_more);
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_result *result;
	double least, moved;

	inputs.rule = 0;
	inputs.want = trees[_i].want;
	inputs.last = trees[_i].inputs - 1;
	result = diff_maps(before, after, &inputs, NULL, NULL);
	least = summary_real(result, "minimum_shards");
	moved = (double)summary_integer(result, "shards_moved");
	/* Three standard errors, and that of the factor's own simulation. */
	ck_assert_msg(fabs(moved / least - trees[_i].factor) <
			      3 * sqrt(moved) / least + .015,
		      "%f", moved / least);
	ck_assert(part_of_cause(result, "parents") >=
		  trees[_i].parents * (moved - least));
	strew_result_free(result);
	strew_placer_release(before);
	strew_placer_release(after);
}
END_TEST

TCase *check_analyze_diff_theory(void)
{
	TCase *tcase = tcase_create("analyze_diff_theory");

	tcase_add_loop_test(tcase, one_copy_of_a_bucket_moves_by_the_formula, 0,
			    (int)(sizeof(changes) / sizeof(changes[0])));
	tcase_add_loop_test(tcase, levels_and_copies_move_more_than_the_least, 0,
			    (int)(sizeof(trees) / sizeof(trees[0])));
	return tcase;
}
