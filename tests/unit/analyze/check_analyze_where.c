/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "analyze_support.h"
#include "result.h"

static strew_status try_where(strew_result **out, const strew_placer *placer,
			      const strew_inputs *inputs, const int32_t *items,
			      size_t count)
{
	strew_where_options options = STREW_WHERE_OPTIONS_INIT;

	options.items = items;
	options.item_count = count;
	return strew_where(out, placer, inputs, &options, NULL, NULL);
}

static strew_result *where(const strew_placer *placer, const strew_inputs *inputs,
			   const int32_t *items, size_t count)
{
	strew_result *result = NULL;

	if (try_where(&result, placer, inputs, items, count) != STREW_OK)
		ck_abort_msg("strew_where failed");
	return result;
}

/* As a PG's own placement says, position by position. */
START_TEST(shards_are_where_pgs_are_placed)
{
	const int32_t device = 1;
	strew_placer *placer = three();
	strew_result *result = where(placer, NULL, &device, 1);
	strew_scratch *scratch;
	int wrong = 0;

	ck_assert_uint_eq(row_count(result, "shards"), PGS);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (uint32_t i = 0; i < PGS; i++) {
		int32_t up[3];
		strew_stages stages = {.up = {up, 3, 0, 0}};
		int64_t position = cell_at(result, "shards", i, "position").integer;

		wrong += strew_place_pg(placer, (strew_pg){1, i}, &stages, scratch) !=
			 STREW_OK;
		wrong += position < 0 || position >= 3 || up[position] != device;
		wrong += cell_at(result, "shards", i, "device").integer != device;
		wrong += cell_at(result, "shards", i, "pool").integer != 1;
		wrong += cell_at(result, "shards", i, "bytes").real != (double)GIB;
	}
	ck_assert_int_eq(wrong, 0);
	ck_assert_str_eq(cell_at(result, "shards", 7, "pg").text, "1.7");
	strew_scratch_free(scratch);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

/* All three devices hold all PGs, so that the sums are known. */
START_TEST(buckets_stand_for_all_below_them)
{
	const int32_t root = -1, hosts[] = {-2, -3}, twice[] = {-2, 0};
	strew_placer *placer = three();
	strew_result *result = where(placer, NULL, &root, 1);

	ck_assert_int_eq(summary_integer(result, "shards"), 3 * PGS);
	ck_assert_int_eq(summary_integer(result, "pgs"), PGS);
	ck_assert_int_eq(summary_integer(result, "primaries"), PGS);
	ck_assert_double_eq(summary_real(result, "bytes"), 3.0 * PGS * GIB);
	ck_assert_str_eq(
		result_headline(result),
		"root default: 24 shards of 8 PGs, 24.0 GiB, 8 of them primaries");
	strew_result_free(result);
	result = where(placer, NULL, hosts, 2);
	ck_assert_int_eq(summary_integer(result, "shards"), 2 * PGS);
	ck_assert_int_eq(strncmp(result_headline(result), "host h0, host h1: 16 ", 21),
			 0);
	strew_result_free(result);
	/* What is named twice is counted once. */
	result = where(placer, NULL, twice, 2);
	ck_assert_int_eq(summary_integer(result, "shards"), PGS);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(up_sets_are_counted)
{
	const int32_t temp[] = {0, 1}, device = 2;
	strew_builder *builder = start_three();
	strew_placer *placer;
	strew_result *result;

	strew_builder_add_pg_temp(builder, (strew_pg){1, 4}, temp, 2);
	placer = finish_map(builder);
	result = where(placer, NULL, &device, 1);
	ck_assert_int_eq(summary_integer(result, "shards"), PGS);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

static strew_placer *with_erasure_pool(int k)
{
	strew_builder *builder = start_three();
	strew_pool_desc desc = STREW_POOL_DESC_INIT;

	add_rule(builder, 1, "ec", STREW_KIND_ERASURE, STREW_OP_CHOOSELEAF_INDEP, HOST);
	desc.id = 2;
	desc.name = "cold";
	desc.kind = STREW_KIND_ERASURE;
	desc.size = 3;
	desc.k = k;
	desc.pg_num = 4;
	desc.rule = 1;
	desc.has_bytes = 1;
	desc.bytes = 4 * GIB;
	strew_builder_add_pool(builder, &desc);
	return finish_map(builder);
}

START_TEST(bytes_are_those_of_a_shard)
{
	const int32_t device = 0;
	const int64_t pool = 2;
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placer *placer = with_erasure_pool(2);
	strew_result *result;

	inputs.pools = &pool;
	inputs.pool_count = 1;
	result = where(placer, &inputs, &device, 1);
	ck_assert_uint_eq(row_count(result, "shards"), 4);
	ck_assert_double_eq(cell_at(result, "shards", 0, "bytes").real, GIB / 2.0);
	ck_assert_double_eq(summary_real(result, "bytes"), 2.0 * GIB);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(unknown_bytes_are_said_to_be_unknown)
{
	const int32_t device = 0;
	strew_placer *placer = with_erasure_pool(0);
	strew_result *result = where(placer, NULL, &device, 1);

	ck_assert_int_eq(summary_integer(result, "shards_of_unknown_bytes"), 4);
	ck_assert_double_eq(summary_real(result, "bytes"), (double)PGS * GIB);
	ck_assert_ptr_nonnull(strstr(result_headline(result), ", at least 8.0 GiB, "));
	ck_assert(has_note(result, "The bytes of 4 of the shards aren't known."));
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(raw_inputs_have_no_pool_and_no_bytes)
{
	const int32_t host = -4;
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placer *placer = three();
	strew_result *result;

	inputs.rule = 0;
	inputs.want = 3;
	inputs.first = 5;
	inputs.last = 14;
	result = where(placer, &inputs, &host, 1);
	ck_assert_uint_eq(row_count(result, "shards"), 10);
	ck_assert_int_eq(cell_at(result, "shards", 9, "x").integer, 14);
	ck_assert_int_eq(cell_at(result, "shards", 9, "pool").kind, STREW_CELL_NULL);
	ck_assert_int_eq(cell_at(result, "shards", 9, "pg").kind, STREW_CELL_NULL);
	ck_assert(is_null(result, "bytes"));
	ck_assert_int_eq(
		strncmp(result_headline(result), "host h2: 10 shards of 10 inputs, ", 33),
		0);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(objects_come_first)
{
	const strew_named_object objects[] = {{"a", 1, 512, 1}, {"b", 1, 0, 0}};
	const int32_t device = 0;
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placer *placer = three();
	strew_result *result;

	inputs.objects = objects;
	inputs.object_count = 2;
	result = where(placer, &inputs, &device, 1);
	ck_assert_uint_eq(row_count(result, "shards"), 2);
	ck_assert_str_eq(cell_at(result, "shards", 1, "object").text, "b");
	ck_assert_double_eq(cell_at(result, "shards", 0, "bytes").real, 512);
	ck_assert_int_eq(cell_at(result, "shards", 1, "bytes").kind, STREW_CELL_NULL);
	ck_assert_int_eq(summary_integer(result, "shards_of_unknown_bytes"), 1);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(nothing_is_an_answer)
{
	const int32_t device = 7;
	strew_builder *builder = start_three();
	strew_placer *placer;
	strew_result *result;

	strew_builder_add_device(builder, 7, NULL, NULL);
	placer = finish_map(builder);
	result = where(placer, NULL, &device, 1);
	ck_assert_uint_eq(row_count(result, "shards"), 0);
	ck_assert_double_eq(summary_real(result, "bytes"), 0);
	ck_assert_str_eq(result_headline(result), "osd.7: 0 shards of 0 PGs");
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(unknown_items_are_refused)
{
	const int32_t items[] = {0, -99};
	strew_placer *placer = three();
	strew_result *result;

	ck_assert_int_eq(try_where(&result, placer, NULL, items, 2), STREW_ENOTFOUND);
	ck_assert_ptr_null(result);
	ck_assert_int_eq(try_where(&result, placer, NULL, items, 0), STREW_EINVAL);
	ck_assert_ptr_null(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(threads_give_the_same_rows)
{
	const int32_t root = -1;
	strew_where_options options = STREW_WHERE_OPTIONS_INIT;
	strew_run run = STREW_RUN_INIT;
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placer *placer = three();
	strew_result *one, *many;

	options.items = &root;
	options.item_count = 1;
	inputs.rule = 0;
	inputs.want = 2;
	inputs.last = 5000;
	ck_assert_int_eq(strew_where(&one, placer, &inputs, &options, NULL, NULL),
			 STREW_OK);
	run.executor = &four_threads;
	ck_assert_int_eq(strew_where(&many, placer, &inputs, &options, &run, NULL),
			 STREW_OK);
	ck_assert_uint_eq(row_count(one, "shards"), 10002);
	ck_assert(same_results(one, many));
	strew_result_free(one);
	strew_result_free(many);
	strew_placer_release(placer);
}
END_TEST

static strew_status list_root(strew_result **out, const strew_run *run, void *ctx)
{
	const int32_t root = -1;
	strew_where_options options = STREW_WHERE_OPTIONS_INIT;

	options.items = &root;
	options.item_count = 1;
	return strew_where(out, ctx, NULL, &options, run, NULL);
}

START_TEST(no_lack_of_memory_leaks)
{
	strew_placer *placer = three();

	ck_assert_uint_gt(fail_each(list_root, placer), 10);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_where(void)
{
	TCase *tcase = tcase_create("analyze_where");

	tcase_add_test(tcase, shards_are_where_pgs_are_placed);
	tcase_add_test(tcase, buckets_stand_for_all_below_them);
	tcase_add_test(tcase, up_sets_are_counted);
	tcase_add_test(tcase, bytes_are_those_of_a_shard);
	tcase_add_test(tcase, unknown_bytes_are_said_to_be_unknown);
	tcase_add_test(tcase, raw_inputs_have_no_pool_and_no_bytes);
	tcase_add_test(tcase, objects_come_first);
	tcase_add_test(tcase, nothing_is_an_answer);
	tcase_add_test(tcase, unknown_items_are_refused);
	tcase_add_test(tcase, threads_give_the_same_rows);
	tcase_add_test(tcase, no_lack_of_memory_leaks);
	return tcase;
}
