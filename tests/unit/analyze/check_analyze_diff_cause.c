/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <strew/edit.h>

#include "analyze_support.h"

#define MANY 4096

/* Four racks of four hosts of two devices; pool 1 "data" is replicated, 2 "coded" erasure
 * coded over racks. */
static strew_placer *racks(void)
{
	strew_builder *builder = start_map(NULL);
	strew_pool_desc pool = STREW_POOL_DESC_INIT;

	for (int32_t i = 0; i < 16; i++) {
		char name[16];

		if (i % 4 == 0) {
			snprintf(name, sizeof(name), "r%d", (int)i / 4);
			add_bucket(builder, -100 - i, name, RACK, -1);
		}
		snprintf(name, sizeof(name), "h%d", (int)i);
		add_bucket(builder, -2 - i, name, HOST, -100 - i / 4 * 4);
		for (int32_t j = 0; j < 2; j++) {
			strew_builder_add_device(builder, 2 * i + j, NULL, "hdd");
			strew_builder_add_item(builder, -2 - i, 2 * i + j,
					       STREW_WEIGHT_ONE, 0);
		}
	}
	strew_builder_derive_shadows(builder);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_rule(builder, 1, "racks", STREW_KIND_ERASURE, STREW_OP_CHOOSELEAF_INDEP,
		 RACK);
	add_pool(builder, 1, "data", 3, MANY, 0);
	pool.id = 2;
	pool.name = "coded";
	pool.kind = STREW_KIND_ERASURE;
	pool.size = 3;
	pool.k = 2;
	pool.pg_num = MANY;
	pool.rule = 1;
	strew_builder_add_pool(builder, &pool);
	return finish_map(builder);
}

/* The map after a script of operations. */
static strew_placer *edited(const strew_placer *placer, const char *script)
{
	strew_placer *after;
	strew_edit *edit;
	strew_map *map;
	strew_error error;

	ck_assert_int_eq(strew_edit_new(&edit, strew_placer_map(placer)), STREW_OK);
	ck_assert_msg(strew_edit_apply_script(edit, script, strlen(script), "script",
					      &error) == STREW_OK,
		      "%s", error.text);
	ck_assert_int_eq(strew_edit_build(&map, edit, &error), STREW_OK);
	ck_assert_int_eq(strew_placer_new(&after, map, NULL, &error), STREW_OK);
	strew_map_release(map);
	strew_edit_free(edit);
	return after;
}

static strew_result *diff_edited(const char *script, int64_t pool,
				 const strew_diff_options *options)
{
	strew_placer *before = racks(), *after = edited(before, script);
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_result *result;

	inputs.pools = &pool;
	inputs.pool_count = 1;
	result = diff_maps(before, after, &inputs, options, NULL);
	strew_placer_release(before);
	strew_placer_release(after);
	return result;
}

/* The shards that move with a cure; -1 when it isn't offered. */
static int64_t cured_by(const strew_result *result, const char *cure)
{
	for (size_t i = 0; i < row_count(result, "cures"); i++)
		if (strcmp(cell_at(result, "cures", i, "cure").text, cure) == 0)
			return cell_at(result, "cures", i, "shards_moved").integer;
	return -1;
}

static bool advises(const strew_result *result, const char *words)
{
	for (size_t i = 0; i < row_count(result, "cures"); i++)
		if (strstr(cell_at(result, "cures", i, "advice").text, words))
			return true;
	return false;
}

static double excess_of(const strew_result *result)
{
	return (double)summary_integer(result, "shards_moved") -
	       summary_real(result, "minimum_shards");
}

static const struct {
	const char *script;
	int64_t pool;
	const char *cause;
	double part; /* of the excess, at least */
} blames[] = {
	{"add host:h16 to rack:r0\nadd device 32-33 to host:h16 weight 1 class hdd", 1,
	 "parents", 0.6},
	{"reweight osd.0 3", 1, "parents", 0.5},
	{"set tunable chooseleaf_stable 0", 1, "tunables", 1},
	{"set tunable chooseleaf_vary_r 0", 1, "tunables", 1},
	{"set default alg straw", 1, "alg", 0},
	{"set default alg list", 1, "alg", 1},
	{"set pool data pg_num 8192\nset pool data pgp_num 8192", 1, "pg_num", 1},
	{"set pool data pg_num 2048", 1, "pg_num", 1},
	{"set reweight 0-1 0.5\nset reweight 2 0.2", 1, "reweight", 1},
	{"set upmap 1.0 0,2,4", 1, NULL, 0},
	{"remove osd.31", 2, "position", 0},
	{"set tunable choose_total_tries 51", 2, NULL, 0},
};

START_TEST(each_cause_is_found_and_parts_add_up)
{
	strew_result *result = diff_edited(blames[_i].script, blames[_i].pool, NULL);
	double excess = excess_of(result), sum = 0, bytes = 0;

	for (size_t i = 0; i < row_count(result, "causes"); i++) {
		strew_cell cell = cell_at(result, "causes", i, "bytes");

		sum += cell_at(result, "causes", i, "shards").real;
		bytes += cell.kind == STREW_CELL_INTEGER ? (double)cell.integer : 0;
	}
	/* What is less than half a shard isn't told. */
	ck_assert_msg(fabs(sum - excess) < 2, "%f of %f", sum, excess);
	if (blames[_i].pool == 1)
		ck_assert(
			fabs(bytes - (double)(summary_integer(result, "bytes_moved") -
					      summary_integer(result, "minimum_bytes"))) <
			2. * GIB);
	if (blames[_i].cause)
		ck_assert_msg(part_of_cause(result, blames[_i].cause) >=
				      blames[_i].part * excess - 1,
			      "%s: %f of %f", blames[_i].cause,
			      part_of_cause(result, blames[_i].cause), excess);
	strew_result_free(result);
}
END_TEST

START_TEST(shards_that_meet_are_blamed_unless_there_is_one)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_placer *old = finish_map(start_hosts(7, 6, 2));
	strew_placer *new = finish_map(start_hosts(7, 6, 3));
	strew_inputs inputs = STREW_INPUTS_INIT;

	inputs.rule = 0;
	inputs.last = 29999;
	for (inputs.want = 1; inputs.want <= 3; inputs.want += 2) {
		strew_result *result = diff_maps(old, new, &inputs, &options, NULL);
		double excess = excess_of(result);

		if (inputs.want == 1)
			ck_assert(part_of_cause(result, "collisions") == 0);
		else
			ck_assert(fabs(part_of_cause(result, "collisions") - excess) < 1);
		ck_assert(inputs.want == 1 || excess > 500);
		strew_result_free(result);
	}
	strew_placer_release(old);
	strew_placer_release(new);
}
END_TEST

START_TEST(same_ids_are_a_cure_that_moves_nothing)
{
	strew_builder *builders[2] = {start_map(NULL), start_map(NULL)};
	strew_placer *placers[2];
	strew_result *result;

	for (int side = 0; side < 2; side++) {
		for (int32_t i = 0; i < 8; i++) {
			char name[16];

			snprintf(name, sizeof(name), "h%d", (int)i);
			add_bucket(builders[side], -2 - i - 20 * side, name, HOST, -1);
			add_device(builders[side], i, -2 - i - 20 * side, 1);
		}
		add_rule(builders[side], 0, "hosts", STREW_KIND_REPLICATED,
			 STREW_OP_CHOOSELEAF_FIRSTN, HOST);
		add_pool(builders[side], 1, "data", 3, 512, 0);
		placers[side] = finish_map(builders[side]);
	}
	result = diff_maps(placers[0], placers[1], NULL, NULL, NULL);
	ck_assert(fabs(part_of_cause(result, "ids") - excess_of(result)) < 1e-6);
	ck_assert_int_eq(cured_by(result, "same-ids"), 0);
	ck_assert_int_eq(cured_by(result, "remap-ids"), -1);
	strew_result_free(result);
	strew_placer_release(placers[0]);
	strew_placer_release(placers[1]);
}
END_TEST

START_TEST(frozen_parents_are_a_cure_while_the_change_still_counts)
{
	strew_result *result =
		diff_edited("add host:h16 to rack:r0\n"
			    "add device 32-33 to host:h16 weight 1 class hdd",
			    1, NULL);
	int64_t moved = summary_integer(result, "shards_moved");

	ck_assert_int_gt(cured_by(result, "freeze-parents"), 0);
	ck_assert_int_lt(cured_by(result, "freeze-parents"), moved);
	ck_assert(!advises(result, "hold more than their share"));
	strew_result_free(result);
	/* What is left of a host takes what the device had. */
	result = diff_edited("remove osd.0", 1, NULL);
	ck_assert_int_gt(cured_by(result, "freeze-parents"), 0);
	ck_assert(advises(result, "hold more than their share"));
	strew_result_free(result);
	/* Frozen, such a change would not be there at all. */
	result = diff_edited("reweight osd.0 3\nreweight osd.1 3", 1, NULL);
	ck_assert_int_eq(cured_by(result, "freeze-parents"), -1);
	strew_result_free(result);
	/* Frozen, r0's other hosts would take h0's data, and r1's would give it up. */
	result = diff_edited("move h0 to r1", 1, NULL);
	ck_assert_int_gt(summary_integer(result, "shards_moved"), 0);
	ck_assert_int_eq(cured_by(result, "freeze-parents"), -1);
	strew_result_free(result);
}
END_TEST

START_TEST(one_step_is_told_of_when_a_device_is_taken_out)
{
	strew_result *out = diff_edited("out 0", 1, NULL);
	strew_result *weightless = diff_edited("reweight osd.0 0", 1, NULL);

	ck_assert_int_eq(cured_by(out, "one-step"),
			 summary_integer(weightless, "shards_moved"));
	ck_assert_int_eq(cured_by(weightless, "one-step"), -1);
	strew_result_free(out);
	strew_result_free(weightless);
}
END_TEST

START_TEST(causes_need_not_be_looked_for)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_result *result;

	options.without_causes = 1;
	result = diff_edited("set tunable chooseleaf_vary_r 0", 1, &options);
	ck_assert_int_gt(summary_integer(result, "shards_moved"), 0);
	ck_assert_uint_eq(row_count(result, "causes"), 0);
	ck_assert_uint_eq(row_count(result, "cures"), 0);
	strew_result_free(result);
}
END_TEST

struct sides {
	strew_placer *before;
	strew_placer *after;
	strew_inputs inputs;
};

static strew_status compare(strew_result **out, const strew_run *run, void *ctx)
{
	struct sides *sides = ctx;
	strew_error error;

	return strew_diff(out, sides->before, sides->after, &sides->inputs, NULL, run,
			  &error);
}

/* With most of what can be taken back, and with a cure. */
START_TEST(threads_do_not_matter)
{
	struct sides sides = {.before = racks(), .inputs = STREW_INPUTS_INIT};
	strew_run run = STREW_RUN_INIT;
	strew_result *one, *four;
	const int64_t pool = 1;

	sides.after = edited(sides.before, "add host:h16 to rack:r0\n"
					   "add device 32 to host:h16 weight 2\n"
					   "set tunable chooseleaf_stable 0\n"
					   "out 7\n"
					   "set pool data pgp_num 4000\n");
	sides.inputs.pools = &pool;
	sides.inputs.pool_count = 1;
	ck_assert_int_eq(compare(&one, &run, &sides), STREW_OK);
	run.executor = &four_threads;
	ck_assert_int_eq(compare(&four, &run, &sides), STREW_OK);
	ck_assert(same_results(one, four));
	ck_assert_uint_ge(row_count(one, "causes"), 4);
	strew_result_free(one);
	strew_result_free(four);
	strew_placer_release(sides.before);
	strew_placer_release(sides.after);
}
END_TEST

START_TEST(no_lack_of_memory_leaks)
{
	struct sides sides = {.inputs = STREW_INPUTS_INIT};
	strew_result *result;
	strew_run run = STREW_RUN_INIT;

	sides.before = finish_map(start_hosts(4, 3, 2));
	sides.after = edited(sides.before, "out 0\nset default alg list\n"
					   "set upmap 1.0 1,2,3\n");
	sides.inputs.rule = 0;
	sides.inputs.want = 2;
	sides.inputs.last = 255;
	ck_assert_int_eq(compare(&result, &run, &sides), STREW_OK);
	ck_assert_uint_ge(row_count(result, "causes"), 2);
	strew_result_free(result);
	ck_assert_uint_gt(fail_each(compare, &sides), 100);
	sides.inputs = (strew_inputs)STREW_INPUTS_INIT;
	ck_assert_uint_gt(fail_each(compare, &sides), 100);
	strew_placer_release(sides.before);
	strew_placer_release(sides.after);
}
END_TEST

TCase *check_analyze_diff_cause(void)
{
	TCase *tcase = tcase_create("analyze_diff_cause");

	tcase_add_loop_test(tcase, each_cause_is_found_and_parts_add_up, 0,
			    (int)(sizeof(blames) / sizeof(blames[0])));
	tcase_add_test(tcase, shards_that_meet_are_blamed_unless_there_is_one);
	tcase_add_test(tcase, same_ids_are_a_cure_that_moves_nothing);
	tcase_add_test(tcase, frozen_parents_are_a_cure_while_the_change_still_counts);
	tcase_add_test(tcase, one_step_is_told_of_when_a_device_is_taken_out);
	tcase_add_test(tcase, causes_need_not_be_looked_for);
	tcase_add_test(tcase, threads_do_not_matter);
	tcase_add_test(tcase, no_lack_of_memory_leaks);
	return tcase;
}
