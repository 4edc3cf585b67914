/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "analyze_support.h"
#include "result.h"

static strew_result *place(const strew_placer *placer, const strew_inputs *inputs,
			   int stages, const strew_run *run)
{
	strew_placements_options options = STREW_PLACEMENTS_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error = {.text = ""};

	options.stages = stages;
	if (strew_placements(&result, placer, inputs, &options, run, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	return result;
}

/* What the library's own calls say of a row. */
static int is_row(const strew_result *result, size_t row, const char *column,
		  const int32_t *set, int count)
{
	strew_cell cell = cell_at(result, "placements", row, column);

	return cell.kind == STREW_CELL_SET && cell.set_count == (size_t)count &&
	       memcmp(cell.set, set, cell.set_count * sizeof(*set)) == 0;
}

START_TEST(pgs_are_placed_as_one_by_one)
{
	strew_builder *builder = start_three();
	const int32_t temp[] = {1, 0};
	strew_placer *placer;
	strew_scratch *scratch;
	strew_result *result;
	int wrong = 0;

	strew_builder_add_upmap_item(builder, (strew_pg){1, 3}, 2, 0);
	strew_builder_add_pg_temp(builder, (strew_pg){1, 4}, temp, 2);
	placer = finish_map(builder);
	result = place(placer, NULL, 1, NULL);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (uint32_t i = 0; i < 8; i++) {
		int32_t raw[3], up[3], acting[3];
		strew_stages stages = {.raw = {raw, 3, 0, 0},
				       .up = {up, 3, 0, 0},
				       .acting = {acting, 3, 0, 0}};

		wrong += strew_place_pg(placer, (strew_pg){1, i}, &stages, scratch) !=
			 STREW_OK;
		wrong += !is_row(result, i, "raw", raw, stages.raw.count);
		wrong += !is_row(result, i, "up", up, stages.up.count);
		wrong += !is_row(result, i, "acting", acting, stages.acting.count);
		wrong += !is_row(result, i, "devices", acting, stages.acting.count);
		wrong += cell_at(result, "placements", i, "x").integer != stages.x;
		wrong += cell_at(result, "placements", i, "primary").integer !=
			 stages.acting.primary;
		wrong += cell_at(result, "placements", i, "up_primary").integer !=
			 stages.up.primary;
	}
	ck_assert_int_eq(wrong, 0);
	ck_assert_str_eq(cell_at(result, "placements", 7, "pg").text, "1.7");
	ck_assert_int_eq(cell_at(result, "placements", 7, "pool").integer, 1);
	ck_assert_uint_eq(cell_at(result, "placements", 4, "devices").set_count, 2);
	strew_result_free(result);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

static strew_placer *placer_of_raw(void)
{
	strew_builder *builder = start_map(NULL);

	add_hosts(builder, 5, 3);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	return finish_map(builder);
}

START_TEST(raw_inputs_have_no_pool)
{
	strew_placer *placer = placer_of_raw();
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_scratch *scratch;
	strew_result *result;
	int32_t set[3];
	int wrong = 0;

	inputs.rule = 0;
	inputs.want = 3;
	inputs.first = 100;
	inputs.last = 199;
	inputs.hash_pool = _i;
	inputs.pool_id = 7;
	result = place(placer, &inputs, 0, NULL);
	ck_assert_uint_eq(row_count(result, "placements"), 100);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (uint32_t i = 0; i < 100; i++) {
		uint32_t x = _i ? strew_pool_input(100 + i, 7) : 100 + i;
		int count = strew_place(placer, 0, x, set, 3, scratch);

		wrong += !is_row(result, i, "devices", set, count);
		wrong += cell_at(result, "placements", i, "x").integer != 100 + i;
		wrong += cell_at(result, "placements", i, "primary").integer != set[0];
		wrong += cell_at(result, "placements", i, "pool").kind != STREW_CELL_NULL;
		wrong += cell_at(result, "placements", i, "pg").kind != STREW_CELL_NULL;
	}
	ck_assert_int_eq(wrong, 0);
	strew_result_free(result);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

START_TEST(threads_give_the_same_rows)
{
	strew_placer *placer = placer_of_raw();
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_run run = STREW_RUN_INIT;
	strew_result *alone, *together;

	inputs.rule = 0;
	inputs.want = 4;
	inputs.last = 29999;
	alone = place(placer, &inputs, 1, NULL);
	run.executor = &four_threads;
	together = place(placer, &inputs, 1, &run);
	ck_assert(same_results(alone, together));
	strew_result_free(alone);
	strew_result_free(together);
	strew_placer_release(placer);
}
END_TEST

/* One host in a rack, so that there is one answer. */
static strew_placer *placer_of_one(void)
{
	strew_builder *builder = start_map(NULL);

	add_bucket(builder, -2, "r1", RACK, -1);
	add_bucket(builder, -3, "h1", HOST, -2);
	add_device(builder, 4, -3, 1);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 1, 1, 0);
	return finish_map(builder);
}

START_TEST(few_objects_are_told_in_sentences)
{
	const strew_named_object objects[] = {{"vm-17/disk0", 11, 0, 0},
					      {"vm-18+", 5, 0, 0}};
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placer *placer = placer_of_one();
	const strew_table *table;
	strew_result *result;

	inputs.objects = objects;
	inputs.object_count = 2;
	result = place(placer, &inputs, 0, NULL);
	table = strew_result_table(result, "placements");
	ck_assert_uint_eq(result_table_flags(table) & RESULT_NO_TEXT, RESULT_NO_TEXT);
	ck_assert_str_eq(cell_at(result, "placements", 1, "object").text, "vm-18");
	ck_assert_str_eq(cell_at(result, "placements", 1, "pg").text, "1.0");
	ck_assert_uint_eq(result_note_count(result), 2);
	ck_assert_str_eq(result_note_at(result, 0).text,
			 "vm-17/disk0 → PG 1.0 → osd.4 (r1/h1)    primary osd.4");
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(many_objects_are_a_table)
{
	strew_named_object objects[21];
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placer *placer = placer_of_one();
	strew_result *result;

	for (size_t i = 0; i < 21; i++)
		objects[i] = (strew_named_object){"x", 1, 0, 0};
	inputs.objects = objects;
	inputs.object_count = 21;
	result = place(placer, &inputs, 0, NULL);
	ck_assert_uint_eq(result_note_count(result), 0);
	ck_assert_uint_eq(result_table_flags(strew_result_table(result, "placements")) &
				  RESULT_NO_TEXT,
			  0);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

static strew_status place_object(strew_result **out, const strew_run *run, void *ctx)
{
	const strew_named_object object = {"vm-17", 5, 0, 0};
	strew_inputs inputs = STREW_INPUTS_INIT;

	inputs.objects = &object;
	inputs.object_count = 1;
	return strew_placements(out, ctx, &inputs, NULL, run, NULL);
}

START_TEST(no_lack_of_memory_leaks)
{
	strew_placer *placer = placer_of_one();

	ck_assert_uint_gt(fail_each(place_object, placer), 10);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_place(void)
{
	TCase *tcase = tcase_create("analyze_place");

	tcase_add_test(tcase, pgs_are_placed_as_one_by_one);
	tcase_add_loop_test(tcase, raw_inputs_have_no_pool, 0, 2);
	tcase_add_test(tcase, threads_give_the_same_rows);
	tcase_add_test(tcase, few_objects_are_told_in_sentences);
	tcase_add_test(tcase, many_objects_are_a_table);
	tcase_add_test(tcase, no_lack_of_memory_leaks);
	return tcase;
}
