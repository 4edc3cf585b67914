/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyze_support.h"
#include "hash.h"
#include "result.h"
#include "select.h"

/* The row of "steps" from `from` on that has this text in a column; -1: none. */
static int find_row(const strew_result *result, size_t from, const char *column,
		    const char *text)
{
	for (size_t i = from; i < row_count(result, "steps"); i++) {
		strew_cell cell = cell_at(result, "steps", i, column);

		if (cell.kind == STREW_CELL_TEXT && strcmp(cell.text, text) == 0)
			return (int)i;
	}
	return -1;
}

static size_t need_row(const strew_result *result, const char *column, const char *text)
{
	int row = find_row(result, 0, column, text);

	if (row < 0)
		ck_abort_msg("no row has %s %s", column, text);
	return (size_t)row;
}

static int64_t step_integer(const strew_result *result, size_t row, const char *column)
{
	return cell_at(result, "steps", row, column).integer;
}

static const char *step_text(const strew_result *result, size_t row, const char *column)
{
	const char *text = cell_at(result, "steps", row, column).text;

	return text ? text : "";
}

/* A candidate's numbers follow from each other, and from what was asked. */
static void check_candidate(const strew_result *result, size_t row, uint32_t x,
			    uint32_t r)
{
	int64_t id = cell_at(result, "candidates", row, "hashed_id").integer;
	int64_t hash = cell_at(result, "candidates", row, "hash").integer;
	int64_t log = cell_at(result, "candidates", row, "log").integer;
	int64_t scale = cell_at(result, "candidates", row, "scale").integer;

	ck_assert_int_eq(hash, hash_3(x, (uint32_t)id, r) & 0xffff);
	ck_assert_int_eq(log, (int64_t)select_straw2_log((uint32_t)hash));
	ck_assert_int_eq(cell_at(result, "candidates", row, "straw").integer,
			 (log - ((int64_t)1 << 48)) / scale);
	ck_assert_double_eq(cell_at(result, "candidates", row, "weight").real,
			    (double)scale / 65536);
}

/* Rows of a draw: the chosen one first, then falling straws. */
static void check_draw(const strew_result *result, size_t step, size_t first, uint32_t x)
{
	uint32_t r = (uint32_t)step_integer(result, step, "r");
	int64_t draw = step_integer(result, step, "draw");
	double best = (double)cell_at(result, "candidates", first, "straw").integer;
	size_t rows = row_count(result, "candidates"), i = first;

	ck_assert_str_eq(cell_at(result, "candidates", first, "item").text,
			 step_text(result, step, "item"));
	for (; i < rows && cell_at(result, "candidates", i, "draw").integer == draw;
	     i++) {
		double straw = (double)cell_at(result, "candidates", i, "straw").integer;

		check_candidate(result, i, x, r);
		ck_assert_int_eq(cell_at(result, "candidates", i, "chosen").integer,
				 i == first);
		ck_assert_int_eq(cell_at(result, "candidates", i, "order").integer,
				 (int64_t)(i - first) + 1);
		ck_assert(straw <= best);
		if (i > first)
			ck_assert_double_eq(
				cell_at(result, "candidates", i, "behind").real,
				straw / best);
	}
	if (i > first + 1) {
		ck_assert_double_eq(
			cell_at(result, "steps", step, "lead").real,
			cell_at(result, "candidates", first + 1, "behind").real);
		ck_assert_str_eq(step_text(result, step, "runner_up"),
				 cell_at(result, "candidates", first + 1, "item").text);
	}
}

START_TEST(draws_are_told_with_their_straws)
{
	strew_placer *placer = three();

	for (uint32_t x = 0; x < 20; x++) {
		strew_result *result = trace_input(placer, 3, x);
		size_t next = 0, draws = 0;

		for (size_t i = 0; i < row_count(result, "steps"); i++) {
			if (strcmp(step_text(result, i, "event"), "draw") != 0)
				continue;
			check_draw(result, i, next, x);
			/* Roots have three items, hosts one. */
			next += step_integer(result, i, "bucket_id") == -1 ? 3 : 1;
			draws++;
		}
		ck_assert_uint_eq(next, row_count(result, "candidates"));
		ck_assert_int_eq(summary_integer(result, "draws"), (int64_t)draws);
		strew_result_free(result);
	}
	strew_placer_release(placer);
}
END_TEST

START_TEST(collisions_name_the_place_that_has_the_item)
{
	strew_placer *placer = three();
	int collisions = 0;

	for (uint32_t x = 0; x < 20; x++) {
		strew_result *result = trace_input(placer, 3, x);
		const int32_t *set = cell_at(result, "summary", 0, "devices").set;
		int at = -1;

		while ((at = find_row(result, (size_t)at + 1, "verdict", "collision")) >=
		       0) {
			const char *reason = step_text(result, (size_t)at, "reason");
			const char *place = strstr(reason, ", for place ");
			int64_t host = step_integer(result, (size_t)at, "item_id");

			ck_assert_ptr_nonnull(place);
			/* Host -2 has osd.0, and so on. */
			ck_assert_int_eq(set[place[12] - '0'], -2 - host);
			ck_assert_int_eq(place[13], 0);
			collisions++;
		}
		ck_assert_int_eq(summary_integer(result, "rejected"),
				 summary_integer(result, "attempts") - 6);
		strew_result_free(result);
	}
	ck_assert_int_gt(collisions, 10);
	strew_placer_release(placer);
}
END_TEST

START_TEST(steps_have_their_working_sets)
{
	strew_placer *placer = three();
	strew_result *result = trace_input(placer, 3, 1);
	size_t last = row_count(result, "steps") - 1;
	strew_cell cell = cell_at(result, "steps", 1, "working_set");

	ck_assert_str_eq(step_text(result, 0, "action"), "take default");
	ck_assert_int_eq(step_integer(result, 0, "step"), 1);
	ck_assert_int_eq(cell_at(result, "steps", 0, "working_set").kind,
			 STREW_CELL_NULL);
	ck_assert_str_eq(step_text(result, 1, "action"), "chooseleaf firstn 0 type host");
	ck_assert_uint_eq(cell.set_count, 1);
	ck_assert_int_eq(cell.set[0], -1);
	ck_assert_str_eq(step_text(result, last, "action"), "emit");
	cell = cell_at(result, "steps", last, "working_set");
	ck_assert_uint_eq(cell.set_count, 3);
	ck_assert_mem_eq(cell.set, cell_at(result, "summary", 0, "devices").set,
			 3 * sizeof(*cell.set));
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

/* Two blocks that choose two devices each, for a result of three. */
START_TEST(emits_tell_what_the_result_has_room_for)
{
	strew_builder *builder = start_map(NULL);
	strew_placer *placer;
	strew_result *result;
	size_t emits[2] = {0};

	add_hosts(builder, 3, 2);
	strew_builder_add_rule(builder, 0, "twice", STREW_KIND_REPLICATED);
	for (int i = 0; i < 2; i++) {
		strew_builder_add_take_name(builder, "default", NULL);
		strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 2, HOST,
					 NULL);
		strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	}
	placer = finish_map(builder);
	result = trace_input(placer, 3, 1);
	for (size_t i = 0; i < row_count(result, "steps"); i++)
		if (strcmp(step_text(result, i, "action"), "emit") == 0)
			emits[step_integer(result, i, "step") > 3] =
				cell_at(result, "steps", i, "working_set").set_count;
	ck_assert_uint_eq(emits[0], 2);
	ck_assert_uint_eq(emits[1], 1);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

/* Two hosts for three replicas, or shards. */
static strew_placer *two_hosts(strew_kind kind, strew_op op)
{
	strew_builder *builder = start_map(NULL);

	add_hosts(builder, 2, 2);
	add_rule(builder, 0, "hosts", kind, op, HOST);
	return finish_map(builder);
}

START_TEST(places_that_are_given_up_are_told)
{
	strew_placer *firstn =
		two_hosts(STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN);
	strew_placer *indep = two_hosts(STREW_KIND_ERASURE, STREW_OP_CHOOSELEAF_INDEP);
	strew_result *result = trace_input(firstn, 3, 5);
	size_t row = need_row(result, "event", "give-up");

	ck_assert_int_eq(step_integer(result, row, "place"), 2);
	ck_assert_int_eq(step_integer(result, row, "rank"), 2);
	ck_assert_int_eq(step_integer(result, row - 1, "attempt"), 50);
	ck_assert_uint_eq(cell_at(result, "summary", 0, "devices").set_count, 2);
	strew_result_free(result);
	result = trace_input(indep, 3, 5);
	row = need_row(result, "event", "give-up");
	ck_assert_uint_eq(cell_at(result, "summary", 0, "devices").set_count, 3);
	ck_assert_int_eq(cell_at(result, "summary", 0, "devices")
				 .set[step_integer(result, row, "place")],
			 STREW_NONE);
	strew_result_free(result);
	strew_placer_release(firstn);
	strew_placer_release(indep);
}
END_TEST

START_TEST(devices_that_are_out_are_told_with_their_hash)
{
	strew_builder *builder = start_three();
	strew_placer *placer;
	strew_result *result;
	char text[64];
	uint32_t x = 0;

	strew_builder_set_reweight(builder, 0, 0x4000);
	strew_builder_set_reweight(builder, 1, 0);
	placer = finish_map(builder);
	while ((hash_2(x, 0) & 0xffff) < 0x4000)
		x++;
	result = trace_input(placer, 3, x);
	snprintf(text, sizeof(text), "hash for it 0x%04x is not below 0x4000",
		 hash_2(x, 0) & 0xffff);
	ck_assert_ptr_nonnull(strstr(
		step_text(result, need_row(result, "item", "osd.0"), "reason"), text));
	ck_assert_str_eq(step_text(result, need_row(result, "item", "osd.0"), "verdict"),
			 "out");
	ck_assert_str_eq(step_text(result, need_row(result, "item", "osd.1"), "reason"),
			 "osd.1 is out: its reweight is 0");
	ck_assert_str_eq(
		step_text(result, need_row(result, "verdict", "no-leaf"), "event"),
		"draw");
	ck_assert_uint_eq(cell_at(result, "summary", 0, "devices").set_count, 1);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

/* A device where hosts are, and a host without devices. */
START_TEST(wrong_types_and_empty_buckets_are_told)
{
	strew_builder *builder = start_map(NULL);
	strew_placer *placer;
	int wrong = 0, empty = 0;

	add_hosts(builder, 2, 1);
	add_device(builder, 7, -1, 1);
	add_bucket(builder, -9, "hollow", HOST, 0);
	strew_builder_add_item(builder, -1, -9, STREW_WEIGHT_ONE, 0);
	add_rule(builder, 0, "devices", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	placer = finish_map(builder);
	for (uint32_t x = 0; x < 20; x++) {
		strew_result *result = trace_input(placer, 3, x);
		int row = find_row(result, 0, "verdict", "wrong-type");

		if (row >= 0) {
			ck_assert_str_eq(step_text(result, (size_t)row, "reason"),
					 "osd.7 is of type device, and the step asks for "
					 "type host");
			wrong++;
		}
		row = find_row(result, 0, "event", "void");
		if (row >= 0) {
			ck_assert_str_eq(step_text(result, (size_t)row, "verdict"),
					 "empty");
			ck_assert_str_eq(step_text(result, (size_t)row, "sought"),
					 "device");
			empty++;
		}
		strew_result_free(result);
	}
	ck_assert_int_gt(wrong, 3);
	ck_assert_int_gt(empty, 3);
	strew_placer_release(placer);
}
END_TEST

/* Rules may try for ever, nearly: what is kept has an end. */
START_TEST(long_searches_are_cut_short)
{
	strew_builder *builder = start_map(NULL);
	strew_placer *placer;
	strew_result *result;

	add_hosts(builder, 2, 2);
	strew_builder_set_tunable(builder, "choose_total_tries", 30000);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	placer = finish_map(builder);
	result = trace_input(placer, 3, 5);
	ck_assert_uint_eq(row_count(result, "steps"), 20000);
	ck_assert_int_gt(summary_integer(result, "untold"), 10000);
	ck_assert_int_gt(summary_integer(result, "draws"), 30000);
	ck_assert_ptr_nonnull(strstr(result_note_at(result, 0).text, "isn't told"));
	ck_assert(result_note_at(result, 0).warning);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(msr_rules_tell_each_level)
{
	strew_builder *builder = start_map(NULL);
	strew_placer *placer;
	strew_result *result;
	size_t row;

	add_hosts(builder, 4, 3);
	strew_builder_add_rule(builder, 0, "msr", STREW_KIND_MSR_INDEP);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 2, HOST, NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 2, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	placer = finish_map(builder);
	result = trace_input(placer, 4, 3);
	row = need_row(result, "sought", "host");
	ck_assert_int_eq(step_integer(result, row, "step"), 2);
	row = need_row(result, "sought", "device");
	ck_assert_int_eq(step_integer(result, row, "step"), 3);
	ck_assert_int_eq(step_integer(result, row, "place"), 0);
	ck_assert_str_eq(step_text(result, row, "verdict"), "taken");
	ck_assert_int_eq(step_integer(result, row, "item_id"),
			 cell_at(result, "summary", 0, "devices").set[0]);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

static strew_status trace_all(strew_result **out, const strew_run *run, void *ctx)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_pg pg = {1, 2};

	inputs.pg = &pg;
	return strew_trace(out, ctx, &inputs, NULL, run, NULL);
}

START_TEST(memory_may_run_out)
{
	strew_placer *placer = three();

	ck_assert_uint_gt(fail_each(trace_all, placer), 20);
	strew_placer_release(placer);
}
END_TEST

START_TEST(one_placement_is_traced)
{
	strew_placer *placer = three();
	strew_result *result;
	strew_error error = {.text = ""};

	ck_assert_int_eq(strew_trace(&result, placer, NULL, NULL, NULL, &error),
			 STREW_EINVAL);
	ck_assert_ptr_null(result);
	ck_assert_ptr_nonnull(strstr(error.text, "not 8 PGs"));
	strew_placer_release(placer);
}
END_TEST

START_TEST(as_many_candidates_are_told_as_asked_for)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_trace_options options = STREW_TRACE_OPTIONS_INIT;
	strew_placer *placer = three();
	strew_result *result;

	inputs.rule = 0;
	inputs.want = 1;
	inputs.last = 0;
	for (size_t i = 0; i < 5; i++) {
		options.candidates = i;
		if (strew_trace(&result, placer, &inputs, &options, NULL, NULL))
			ck_abort_msg("strew_trace failed");
		/* One of the root's three, and of the host's one. */
		ck_assert_uint_eq(row_count(result, "candidates"),
				  (i < 3 ? i : 3) + (i < 1 ? 0 : 1));
		strew_result_free(result);
	}
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_trace(void)
{
	TCase *tcase = tcase_create("analyze_trace");

	tcase_add_test(tcase, draws_are_told_with_their_straws);
	tcase_add_test(tcase, collisions_name_the_place_that_has_the_item);
	tcase_add_test(tcase, steps_have_their_working_sets);
	tcase_add_test(tcase, emits_tell_what_the_result_has_room_for);
	tcase_add_test(tcase, places_that_are_given_up_are_told);
	tcase_add_test(tcase, devices_that_are_out_are_told_with_their_hash);
	tcase_add_test(tcase, wrong_types_and_empty_buckets_are_told);
	tcase_add_test(tcase, long_searches_are_cut_short);
	tcase_add_test(tcase, msr_rules_tell_each_level);
	tcase_add_test(tcase, memory_may_run_out);
	tcase_add_test(tcase, one_placement_is_traced);
	tcase_add_test(tcase, as_many_candidates_are_told_as_asked_for);
	return tcase;
}
