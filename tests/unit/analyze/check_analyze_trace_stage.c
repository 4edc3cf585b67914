/* SPDX-License-Identifier: MIT */
/* What a trace tells of overrides and of devices that are down. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyze_support.h"
#include "result.h"

#define SEED 4

/* Four hosts of a device each: three hold each PG, and one doesn't. */
static strew_builder *start_four(void)
{
	strew_builder *builder = start_hosts(4, 3, 1);

	return builder;
}

/* The devices of PG 1.4, then the one that isn't among them. */
static void find_devices(int32_t devices[4])
{
	strew_placer *placer = finish_map(start_four());
	strew_result *result = trace_pg(placer, SEED);
	strew_cell cell = cell_at(result, "summary", 0, "devices");

	ck_assert_uint_eq(cell.set_count, 3);
	memcpy(devices, cell.set, 3 * sizeof(*devices));
	devices[3] = 6 - devices[0] - devices[1] - devices[2];
	strew_result_free(result);
	strew_placer_release(placer);
}

static size_t find_stage(const strew_result *result, const char *stage)
{
	for (size_t i = 0; i < row_count(result, "stages"); i++)
		if (strcmp(cell_at(result, "stages", i, "stage").text, stage) == 0)
			return i;
	ck_abort_msg("there is no stage %s", stage);
}

static const char *verdict_of(const strew_result *result, const char *stage)
{
	const char *verdict =
		cell_at(result, "stages", find_stage(result, stage), "verdict").text;

	return verdict ? verdict : "";
}

static int64_t stage_integer(const strew_result *result, const char *stage,
			     const char *column)
{
	return cell_at(result, "stages", find_stage(result, stage), column).integer;
}

static strew_result *finish(strew_builder *builder)
{
	strew_placer *placer = finish_map(builder);
	strew_result *result = trace_pg(placer, SEED);

	strew_placer_release(placer);
	return result;
}

START_TEST(stages_have_their_sets)
{
	strew_result *result = finish(start_four());
	int32_t devices[4];

	find_devices(devices);
	for (int i = 0; i < 3; i++) {
		static const char *const stages[] = {"raw", "up", "acting"};
		strew_cell cell = cell_at(result, "stages", find_stage(result, stages[i]),
					  "devices");

		ck_assert_uint_eq(cell.set_count, 3);
		ck_assert_mem_eq(cell.set, devices, 3 * sizeof(*devices));
		ck_assert_int_eq(stage_integer(result, stages[i], "primary"), devices[0]);
	}
	ck_assert_int_eq(strncmp(result_headline(result), "PG 1.4 → osd.", 13), 0);
	strew_result_free(result);
}
END_TEST

/* Pairs, and what is said of them: by index in the devices found. */
static const struct {
	int from;
	int to;
	int out; /* this one is out; -1: none */
	const char *verdict;
} items[] = {
	{0, 3, -1, "applied"},
	{0, 3, 3, "out"},
	{0, 1, -1, "there-already"},
	{3, 3, -1, "not-there"},
};

START_TEST(upmap_items_tell_why_they_are_skipped)
{
	strew_builder *builder = start_four();
	strew_result *result;
	int32_t devices[4];

	find_devices(devices);
	strew_builder_add_upmap_item(builder, (strew_pg){1, SEED},
				     devices[items[_i].from], devices[items[_i].to]);
	/* Out for upmaps only: the raw set must stay. */
	if (items[_i].out >= 0)
		strew_builder_set_reweight(builder, devices[items[_i].out], 0);
	result = finish(builder);
	ck_assert_str_eq(verdict_of(result, "upmap item"), items[_i].verdict);
	ck_assert_int_eq(stage_integer(result, "upmap item", "device"),
			 devices[items[_i].from]);
	ck_assert_int_eq(stage_integer(result, "upmap item", "to"),
			 devices[items[_i].to]);
	strew_result_free(result);
}
END_TEST

START_TEST(upmaps_are_applied_or_name_what_is_out)
{
	int32_t devices[4], set[3];

	find_devices(devices);
	set[0] = devices[3];
	set[1] = devices[1];
	set[2] = devices[2];
	for (int out = 0; out < 2; out++) {
		strew_builder *builder = start_four();
		strew_result *result;

		strew_builder_add_upmap(builder, (strew_pg){1, SEED}, set, 3);
		if (out)
			strew_builder_set_reweight(builder, devices[3], 0);
		result = finish(builder);
		ck_assert_str_eq(verdict_of(result, "upmap"), out ? "out" : "applied");
		ck_assert_int_eq(stage_integer(result, "acting", "primary"),
				 out ? devices[0] : devices[3]);
		strew_result_free(result);
	}
}
END_TEST

START_TEST(upmap_primaries_are_told)
{
	static const char *const verdicts[] = {"first-already", "applied", "applied",
					       "not-there"};
	int32_t devices[4];
	strew_builder *builder = start_four();
	strew_result *result;

	find_devices(devices);
	strew_builder_set_upmap_primary(builder, (strew_pg){1, SEED}, devices[_i]);
	result = finish(builder);
	ck_assert_str_eq(verdict_of(result, "upmap primary"), verdicts[_i]);
	ck_assert_int_eq(stage_integer(result, "acting", "primary"),
			 devices[_i == 3 ? 0 : _i]);
	strew_result_free(result);
}
END_TEST

START_TEST(devices_that_are_down_or_gone_are_told)
{
	for (int exists = 0; exists < 2; exists++) {
		strew_builder *builder = start_four();
		strew_result *result;
		int32_t devices[4];

		find_devices(devices);
		strew_builder_set_state(builder, devices[0], exists, 0);
		result = finish(builder);
		ck_assert_str_eq(verdict_of(result, "dropped"),
				 exists ? "down" : "missing");
		ck_assert_int_eq(stage_integer(result, "dropped", "device"), devices[0]);
		/* What doesn't exist is not in the raw set either. */
		ck_assert_int_eq(find_stage(result, "dropped") <
					 find_stage(result, "raw"),
				 !exists);
		strew_result_free(result);
	}
}
END_TEST

START_TEST(affinities_tell_who_declines)
{
	strew_builder *builder = start_four();
	strew_result *result;
	int32_t devices[4];

	find_devices(devices);
	strew_builder_set_primary_affinity(builder, devices[0], 0);
	result = finish(builder);
	ck_assert_str_eq(verdict_of(result, "affinity"), "declined");
	ck_assert_int_eq(stage_integer(result, "affinity", "device"), devices[0]);
	ck_assert_int_eq(stage_integer(result, "up", "primary"), devices[1]);
	strew_result_free(result);
}
END_TEST

START_TEST(temps_are_told)
{
	for (int up = 0; up < 2; up++) {
		strew_builder *builder = start_four();
		strew_result *result;
		int32_t devices[4];

		find_devices(devices);
		strew_builder_add_pg_temp(builder, (strew_pg){1, SEED}, devices + 3, 1);
		strew_builder_set_primary_temp(builder, (strew_pg){1, SEED}, devices[2]);
		strew_builder_set_state(builder, devices[3], 1, up);
		result = finish(builder);
		ck_assert_str_eq(verdict_of(result, "pg_temp"),
				 up ? "applied" : "none-serves");
		ck_assert_int_eq(stage_integer(result, "primary_temp", "device"),
				 devices[2]);
		ck_assert_uint_eq(cell_at(result, "summary", 0, "devices").set_count,
				  up ? 1 : 3);
		ck_assert_int_eq(summary_integer(result, "primary"), devices[2]);
		strew_result_free(result);
	}
}
END_TEST

START_TEST(objects_are_followed_from_their_name)
{
	const strew_named_object object = {"vm-17", 5, 0, 0};
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placer *placer = three();
	strew_object name = {.name = "vm-17", .name_len = 5};
	strew_result *result;
	strew_pg pg;
	char text[16];

	inputs.objects = &object;
	inputs.object_count = 1;
	ck_assert_int_eq(strew_object_pg(&pg, placer, 1, &name), STREW_OK);
	ck_assert_int_eq(strew_trace(&result, placer, &inputs, NULL, NULL, NULL),
			 STREW_OK);
	snprintf(text, sizeof(text), "1.%x", pg.seed);
	ck_assert_str_eq(cell_at(result, "summary", 0, "pg").text, text);
	ck_assert_str_eq(cell_at(result, "summary", 0, "object").text, "vm-17");
	find_stage(result, "object");
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_trace_stage(void)
{
	TCase *tcase = tcase_create("analyze_trace_stage");

	tcase_add_test(tcase, stages_have_their_sets);
	tcase_add_loop_test(tcase, upmap_items_tell_why_they_are_skipped, 0,
			    (int)(sizeof(items) / sizeof(items[0])));
	tcase_add_test(tcase, upmaps_are_applied_or_name_what_is_out);
	tcase_add_loop_test(tcase, upmap_primaries_are_told, 0, 4);
	tcase_add_test(tcase, devices_that_are_down_or_gone_are_told);
	tcase_add_test(tcase, affinities_tell_who_declines);
	tcase_add_test(tcase, temps_are_told);
	tcase_add_test(tcase, objects_are_followed_from_their_name);
	return tcase;
}
