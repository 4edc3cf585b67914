/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <string.h>

#include "analyze_support.h"
#include "result.h"

static strew_result *spread_map(strew_placer *placer, const strew_inputs *inputs,
				const strew_spread_options *options)
{
	strew_result *result = NULL;
	strew_error error = {.text = ""};

	if (strew_spread(&result, placer, inputs, options, NULL, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	strew_placer_release(placer);
	return result;
}

static int64_t device_integer(const strew_result *result, size_t row, const char *column)
{
	return cell_at(result, "devices", row, column).integer;
}

static int device_is(const strew_result *result, size_t row, const char *column,
		     double value)
{
	return fabs(cell_at(result, "devices", row, column).real - value) < 1e-9;
}

static int summary_is(const strew_result *result, const char *column, double value)
{
	return fabs(summary_real(result, column) - value) < 1e-9;
}

static int summary_says(const strew_result *result, const char *column, const char *text)
{
	strew_cell cell = cell_at(result, "summary", 0, column);

	return text ? cell.kind == STREW_CELL_TEXT && strcmp(cell.text, text) == 0
		    : cell.kind == STREW_CELL_NULL;
}

START_TEST(three_equal_hosts_are_even)
{
	strew_result *result = spread_map(three(), NULL, NULL);
	int64_t primaries = 0;

	ck_assert_uint_eq(row_count(result, "devices"), 3);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(device_integer(result, i, "device"), (int64_t)i);
		ck_assert_int_eq(device_integer(result, i, "actual_shards"), PGS);
		ck_assert_int_eq(device_integer(result, i, "bytes"), PGS * GIB);
		ck_assert(device_is(result, i, "weight", 1));
		ck_assert(device_is(result, i, "target_share", 1. / 3));
		ck_assert(device_is(result, i, "expected_share", 1. / 3));
		ck_assert(device_is(result, i, "expected_shards", PGS));
		ck_assert(device_is(result, i, "actual_percent_of_target", 100));
		primaries += device_integer(result, i, "primaries");
	}
	ck_assert_int_eq(primaries, PGS);
	ck_assert_int_eq(summary_integer(result, "pgs"), PGS);
	ck_assert_int_eq(summary_integer(result, "shards"), 3 * PGS);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), 0);
	ck_assert_int_eq(summary_integer(result, "devices"), 3);
	ck_assert_int_eq(summary_integer(result, "bytes"), 3 * PGS * GIB);
	ck_assert(summary_says(result, "basis", "expected"));
	ck_assert(summary_is(result, "min_var", 1));
	ck_assert(summary_is(result, "max_var", 1));
	ck_assert(summary_is(result, "stddev_percent", 0));
	ck_assert(summary_is(result, "chance_stddev_percent", 0));
	ck_assert(summary_is(result, "primaries_mean", PGS / 3.));
	strew_result_free(result);
}
END_TEST

/* Weights 1, 1, 2, and a shard of every PG on each: 8 of 24, where 6, 6, 12 are meant. */
static strew_placer *one_large(void)
{
	return finish_map(start_hosts(3, 2, 2));
}

START_TEST(a_large_host_gets_no_more_than_the_rule_allows)
{
	strew_result *result = spread_map(one_large(), NULL, NULL);

	ck_assert(device_is(result, 0, "target_share", 0.25));
	ck_assert(device_is(result, 2, "target_share", 0.5));
	ck_assert(device_is(result, 0, "expected_shards", PGS));
	ck_assert(device_is(result, 2, "expected_shards", PGS));
	ck_assert(device_is(result, 2, "actual_percent_of_target", 200. / 3));
	ck_assert_int_eq(summary_integer(result, "emptiest_device"), 2);
	ck_assert(summary_is(result, "min_var", 2. / 3));
	ck_assert(summary_is(result, "max_var", 4. / 3));
	ck_assert(summary_is(result, "stddev_percent", 100. / 3));
	ck_assert_ptr_nonnull(strstr(cell_at(result, "summary", 0, "why").text,
				     "h2 should by weight hold more than one shard"));
	ck_assert_str_eq(result_headline(result),
			 "data: 24 shards on 3 devices; fullest osd.0 at 133.3 % of its "
			 "share, emptiest osd.2 at 66.7 %");
	ck_assert(
		has_note(result, "MIN/MAX VAR: 0.67/1.33  STDDEV: 33.3 % of the share"));
	strew_result_free(result);
}
END_TEST

START_TEST(domains_have_the_sums)
{
	strew_builder *builder = start_map(NULL);
	strew_result *result;

	/* Two hosts of two devices, a shard on each host. */
	add_hosts(builder, 2, 2);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 2, PGS, 0);
	result = spread_map(finish_map(builder), NULL, NULL);
	ck_assert(summary_says(result, "level", "host"));
	ck_assert_uint_eq(row_count(result, "domains"), 2);
	ck_assert_str_eq(cell_at(result, "domains", 1, "domain").text, "h1");
	ck_assert_int_eq(cell_at(result, "domains", 1, "devices").integer, 2);
	ck_assert(cell_at(result, "domains", 1, "weight").real == 2);
	ck_assert(cell_at(result, "domains", 1, "target_share").real == 0.5);
	ck_assert(cell_at(result, "domains", 1, "expected_shards").real == PGS);
	ck_assert_int_eq(cell_at(result, "domains", 1, "actual_shards").integer, PGS);
	ck_assert_int_eq(device_integer(result, 2, "actual_shards") +
				 device_integer(result, 3, "actual_shards"),
			 PGS);
	strew_result_free(result);
}
END_TEST

static const struct {
	const char *level;
	size_t rows;
	const char *first;
} levels[] = {
	{"root", 1, "default"}, {"osd", 3, "osd.0"}, {"device", 3, "osd.0"},
	{"host", 3, "h0"},      {"rack", 1, NULL}, /* there are none */
};

START_TEST(domains_are_of_the_level_asked_for)
{
	strew_spread_options options = STREW_SPREAD_OPTIONS_INIT;
	strew_result *result;

	options.level = levels[_i].level;
	result = spread_map(three(), NULL, &options);
	ck_assert_uint_eq(row_count(result, "domains"), levels[_i].rows);
	ck_assert_pstr_eq(cell_at(result, "domains", 0, "domain").text, levels[_i].first);
	strew_result_free(result);
}
END_TEST

START_TEST(an_unknown_level_is_refused)
{
	strew_spread_options options = STREW_SPREAD_OPTIONS_INIT;
	strew_placer *placer = three();
	strew_result *result;
	strew_error error;

	options.level = "row";
	ck_assert_int_eq(strew_spread(&result, placer, NULL, &options, NULL, &error),
			 STREW_ENOTFOUND);
	ck_assert_str_eq(error.text, "there is no type \"row\"; the map has osd, host, "
				     "rack, root");
	ck_assert_ptr_null(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(a_device_that_is_out_keeps_its_target)
{
	strew_builder *builder = start_three();
	strew_result *result;

	strew_builder_set_reweight(builder, 0, 0);
	result = spread_map(finish_map(builder), NULL, NULL);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), PGS);
	ck_assert(device_is(result, 0, "target_share", 1. / 3));
	ck_assert(device_is(result, 0, "expected_shards", 0));
	ck_assert(device_is(result, 0, "actual_percent_of_target", 0));
	ck_assert(device_is(result, 1, "expected_share", 0.5));
	ck_assert(device_is(result, 1, "actual_percent_of_target", 150));
	/* It does not compete: the emptiest is another one. */
	ck_assert(summary_is(result, "min_var", 1.5));
	ck_assert_ptr_nonnull(
		strstr(cell_at(result, "summary", 0, "why").text, "1 device out"));
	ck_assert(has_note(result, "8 shards find no device."));
	strew_result_free(result);
}
END_TEST

/* Pool 2 is on osd.3 alone, below another root. */
static strew_builder *start_two_roots(void)
{
	strew_builder *builder = start_three();

	add_bucket(builder, -9, "other", ROOT, 0);
	add_device(builder, 3, -9, 7);
	strew_builder_add_rule(builder, 1, "other", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "other", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 0, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	add_pool(builder, 2, "more", 1, PGS, 1);
	return builder;
}

START_TEST(pools_count_by_their_shards)
{
	strew_result *result = spread_map(finish_map(start_two_roots()), NULL, NULL);

	for (size_t i = 0; i < 4; i++) {
		ck_assert(device_is(result, i, "target_share", 0.25));
		ck_assert(device_is(result, i, "actual_percent_of_target", 100));
	}
	ck_assert_uint_eq(row_count(result, "pools"), 2);
	ck_assert_int_eq(cell_at(result, "pools", 0, "shards").integer, 3 * PGS);
	ck_assert_int_eq(cell_at(result, "pools", 1, "shards").integer, PGS);
	/* osd.3 hangs in no host. */
	ck_assert_uint_eq(row_count(result, "domains"), 4);
	ck_assert_int_eq(cell_at(result, "domains", 3, "domain").kind, STREW_CELL_NULL);
	strew_result_free(result);
}
END_TEST

START_TEST(devices_out_of_reach_are_left_out)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	const int64_t pool = 2;
	strew_result *result;

	inputs.pools = &pool;
	inputs.pool_count = 1;
	result = spread_map(finish_map(start_two_roots()), &inputs, NULL);
	ck_assert_uint_eq(row_count(result, "devices"), 1);
	ck_assert_int_eq(device_integer(result, 0, "device"), 3);
	ck_assert(device_is(result, 0, "target_share", 1));
	strew_result_free(result);
}
END_TEST

/* Each device of the first three gets 8 GiB, osd.3 too. */
static void set_sizes(strew_builder *builder, const uint64_t *sizes, uint64_t used)
{
	for (int32_t i = 0; i < 4; i++)
		strew_builder_set_capacity(builder, i, sizes[i] * GIB, used * GIB);
}

START_TEST(the_fullest_device_limits_what_is_usable)
{
	static const uint64_t sizes[] = {16, 9, 32, 12};
	strew_builder *builder = start_two_roots();
	strew_result *result;

	set_sizes(builder, sizes, 0);
	result = spread_map(finish_map(builder), NULL, NULL);
	ck_assert(summary_says(result, "fill_basis", "placed"));
	ck_assert(device_is(result, 0, "fill_percent", 50));
	ck_assert(device_is(result, 2, "fill_percent", 25));
	ck_assert_int_eq(summary_integer(result, "highest_fill_device"), 1);
	ck_assert(summary_is(result, "highest_fill_percent", 800. / 9));
	/* All but 5 %. */
	ck_assert_int_eq(cell_at(result, "pools", 0, "usable_bytes").integer,
			 llround(.95 * 9 * GIB));
	ck_assert_str_eq(cell_at(result, "pools", 0, "first_full").text, "osd.1");
	ck_assert_int_eq(cell_at(result, "pools", 1, "usable_bytes").integer,
			 llround(.95 * 12 * GIB));
	ck_assert_str_eq(cell_at(result, "pools", 1, "first_full").text, "osd.3");
	ck_assert(has_note(result, "1 device is over nearfull (85 %): osd.1 88.9 %."));
	strew_result_free(result);
}
END_TEST

START_TEST(what_the_cluster_uses_wins_over_what_is_placed)
{
	static const uint64_t sizes[] = {16, 8, 32, 12};
	strew_builder *builder = start_two_roots();
	strew_result *result;

	set_sizes(builder, sizes, 4);
	result = spread_map(finish_map(builder), NULL, NULL);
	ck_assert(summary_says(result, "fill_basis", "used"));
	ck_assert(device_is(result, 0, "fill_percent", 25));
	ck_assert(device_is(result, 1, "fill_percent", 50));
	strew_result_free(result);
}
END_TEST

/* Seven devices in use by 86, 92, 89, 95, 84, 93 and 92 %. */
START_TEST(the_fullest_devices_are_named)
{
	static const uint64_t used[] = {86, 92, 89, 95, 84, 93, 92};
	strew_builder *builder = start_map(NULL);
	strew_result *result;

	add_hosts(builder, 7, 1);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 3, PGS, 0);
	for (int32_t i = 0; i < 7; i++)
		strew_builder_set_capacity(builder, i, 100 * GIB, used[i] * GIB);
	result = spread_map(finish_map(builder), NULL, NULL);
	ck_assert(has_note(result, "6 devices are over nearfull (85 %): osd.3 95.0 %, "
				   "osd.5 93.0 %, osd.1 92.0 %, osd.6 92.0 %, osd.2 "
				   "89.0 % and 1 more."));
	ck_assert_int_eq(summary_integer(result, "highest_fill_device"), 3);
	strew_result_free(result);
}
END_TEST

START_TEST(one_pool_without_bytes_still_has_room)
{
	strew_builder *builder = start_map(NULL);
	strew_pool_desc desc = STREW_POOL_DESC_INIT;
	strew_result *result;

	add_hosts(builder, 3, 1);
	add_rule(builder, 0, "hosts", STREW_KIND_ERASURE, STREW_OP_CHOOSELEAF_INDEP,
		 HOST);
	desc.id = 1;
	desc.name = "code";
	desc.kind = STREW_KIND_ERASURE;
	desc.k = 2;
	desc.pg_num = PGS;
	strew_builder_add_pool(builder, &desc);
	for (int32_t i = 0; i < 3; i++)
		strew_builder_set_capacity(builder, i, GIB << i, 0);
	result = spread_map(finish_map(builder), NULL, NULL);
	/* A shard is half of the data, and osd.0 holds 1 GiB of shards. */
	ck_assert_int_eq(cell_at(result, "pools", 0, "usable_bytes").integer,
			 llround(.95 * 2 * GIB));
	ck_assert(summary_says(result, "growth_basis", "shards"));
	ck_assert_str_eq(cell_at(result, "pools", 0, "first_full").text, "osd.0");
	ck_assert_int_eq(cell_at(result, "pools", 0, "bytes").kind, STREW_CELL_NULL);
	ck_assert(is_null(result, "bytes"));
	ck_assert(summary_says(result, "fill_basis", NULL));
	ck_assert(is_null(result, "highest_fill_percent"));
	strew_result_free(result);
}
END_TEST

START_TEST(a_size_that_is_not_known_leaves_the_rest_open)
{
	static const uint64_t sizes[] = {16, 0, 32, 12};
	strew_builder *builder = start_two_roots();
	strew_result *result;

	set_sizes(builder, sizes, 0);
	result = spread_map(finish_map(builder), NULL, NULL);
	ck_assert_int_eq(cell_at(result, "pools", 0, "usable_bytes").kind,
			 STREW_CELL_NULL);
	/* By weight all three are alike. */
	ck_assert_str_eq(cell_at(result, "pools", 0, "first_full").text, "osd.0");
	ck_assert(cell_at(result, "pools", 0, "usable_percent").real == 95);
	ck_assert_int_eq(cell_at(result, "devices", 1, "fill_percent").kind,
			 STREW_CELL_NULL);
	strew_result_free(result);
}
END_TEST

START_TEST(acting_sets_are_counted_when_asked_for)
{
	strew_spread_options options = STREW_SPREAD_OPTIONS_INIT;
	strew_builder *builder = start_three();
	const strew_pg pg = {1, 0};
	const int32_t temp[] = {1};
	strew_placer *placer;
	strew_result *result;

	strew_builder_add_pg_temp(builder, pg, temp, 1);
	placer = finish_map(builder);
	result = spread_map(strew_placer_retain(placer), NULL, NULL);
	ck_assert_int_eq(device_integer(result, 0, "actual_shards"), PGS);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), 0);
	strew_result_free(result);
	options.acting = 1;
	result = spread_map(placer, NULL, &options);
	ck_assert_int_eq(device_integer(result, 0, "actual_shards"), PGS - 1);
	ck_assert_int_eq(device_integer(result, 1, "actual_shards"), PGS);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), 2);
	ck_assert_ptr_nonnull(
		strstr(cell_at(result, "summary", 0, "why").text, "1 PG with overrides"));
	strew_result_free(result);
}
END_TEST

START_TEST(raw_inputs_have_no_pools)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_result *result;

	inputs.rule = 0;
	inputs.want = 2;
	inputs.last = 99;
	result = spread_map(three(), &inputs, NULL);
	ck_assert_int_eq(summary_integer(result, "pgs"), 100);
	ck_assert_int_eq(summary_integer(result, "shards"), 200);
	ck_assert(is_null(result, "bytes"));
	ck_assert_ptr_null(strew_result_table(result, "pools"));
	ck_assert_int_eq(device_integer(result, 0, "primaries") +
				 device_integer(result, 1, "primaries") +
				 device_integer(result, 2, "primaries"),
			 100);
	ck_assert_int_eq(strncmp(result_headline(result), "rule hosts: 200 shards", 22),
			 0);
	strew_result_free(result);
}
END_TEST

START_TEST(objects_bring_their_bytes)
{
	const strew_named_object objects[] = {{"a", 1, 100, 1}, {"b", 1, 0, 0}};
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_result *result;

	inputs.objects = objects;
	inputs.object_count = 2;
	result = spread_map(three(), &inputs, NULL);
	ck_assert(is_null(result, "pgs"));
	ck_assert_int_eq(summary_integer(result, "shards"), 6);
	ck_assert_int_eq(summary_integer(result, "bytes"), 300);
	ck_assert_int_eq(device_integer(result, 2, "bytes"), 100);
	ck_assert(is_null(result, "chance_stddev_percent"));
	ck_assert(has_note(result,
			   "The data is that of the pools and objects whose bytes (and "
			   "k, for erasure codes) are known."));
	strew_result_free(result);
}
END_TEST

START_TEST(no_objects_are_no_shards)
{
	const strew_named_object none = {"", 0, 0, 0};
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_result *result;

	inputs.objects = &none;
	result = spread_map(three(), &inputs, NULL);
	ck_assert_int_eq(summary_integer(result, "shards"), 0);
	ck_assert(is_null(result, "min_var"));
	ck_assert_int_eq(cell_at(result, "devices", 0, "actual_percent_of_target").kind,
			 STREW_CELL_NULL);
	ck_assert_str_eq(result_headline(result), "data: 0 shards on 3 devices");
	strew_result_free(result);
}
END_TEST

/* More devices than the text lists unasked. */
static strew_placer *many(void)
{
	strew_builder *builder = start_map(NULL);

	add_hosts(builder, 6, 20);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 3, 20000, 0);
	return finish_map(builder);
}

START_TEST(many_devices_are_listed_when_asked_for)
{
	strew_spread_options options = STREW_SPREAD_OPTIONS_INIT;
	strew_placer *placer = many();
	strew_result *result = spread_map(strew_placer_retain(placer), NULL, NULL);

	ck_assert_uint_eq(row_count(result, "tree"), 6 + 1);
	ck_assert_uint_eq(row_count(result, "devices"), 120);
	strew_result_free(result);
	options.all_devices = 1;
	result = spread_map(placer, NULL, &options);
	ck_assert_uint_eq(row_count(result, "tree"), 6 + 120 + 1);
	strew_result_free(result);
}
END_TEST

/* 500 shards a device in the mean: a binomial, whose STDDEV follows from theory alone. */
START_TEST(chance_is_as_large_as_what_is_counted)
{
	strew_result *result = spread_map(many(), NULL, NULL);
	double chance = 100 * sqrt((1 - 500. / 20000) / 500);

	ck_assert(summary_is(result, "chance_stddev_percent", chance));
	/* 120 devices estimate it to about 1 / sqrt(240), of which three are allowed. */
	ck_assert(fabs(summary_real(result, "stddev_percent") / chance - 1) < 0.2);
	strew_result_free(result);
}
END_TEST

START_TEST(threads_change_nothing)
{
	strew_placer *placer = many();
	strew_result *one = spread_map(strew_placer_retain(placer), NULL, NULL), *four;
	strew_run run = STREW_RUN_INIT;

	run.executor = &four_threads;
	ck_assert_int_eq(strew_spread(&four, placer, NULL, NULL, &run, NULL), STREW_OK);
	ck_assert(same_results(one, four));
	strew_result_free(one);
	strew_result_free(four);
	strew_placer_release(placer);
}
END_TEST

static strew_status spread_all(strew_result **out, const strew_run *run, void *ctx)
{
	return strew_spread(out, ctx, NULL, NULL, run, NULL);
}

START_TEST(no_lack_of_memory_leaks)
{
	static const uint64_t sizes[] = {16, 8, 32, 12};
	strew_builder *builder = start_two_roots();
	strew_placer *placer;

	set_sizes(builder, sizes, 0);
	placer = finish_map(builder);
	ck_assert_uint_gt(fail_each(spread_all, placer), 30);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_spread(void)
{
	TCase *tcase = tcase_create("analyze_spread");

	tcase_add_test(tcase, three_equal_hosts_are_even);
	tcase_add_test(tcase, a_large_host_gets_no_more_than_the_rule_allows);
	tcase_add_test(tcase, domains_have_the_sums);
	tcase_add_loop_test(tcase, domains_are_of_the_level_asked_for, 0,
			    (int)(sizeof(levels) / sizeof(levels[0])));
	tcase_add_test(tcase, an_unknown_level_is_refused);
	tcase_add_test(tcase, a_device_that_is_out_keeps_its_target);
	tcase_add_test(tcase, pools_count_by_their_shards);
	tcase_add_test(tcase, devices_out_of_reach_are_left_out);
	tcase_add_test(tcase, the_fullest_device_limits_what_is_usable);
	tcase_add_test(tcase, what_the_cluster_uses_wins_over_what_is_placed);
	tcase_add_test(tcase, the_fullest_devices_are_named);
	tcase_add_test(tcase, one_pool_without_bytes_still_has_room);
	tcase_add_test(tcase, a_size_that_is_not_known_leaves_the_rest_open);
	tcase_add_test(tcase, acting_sets_are_counted_when_asked_for);
	tcase_add_test(tcase, raw_inputs_have_no_pools);
	tcase_add_test(tcase, objects_bring_their_bytes);
	tcase_add_test(tcase, no_objects_are_no_shards);
	tcase_add_test(tcase, many_devices_are_listed_when_asked_for);
	tcase_add_test(tcase, chance_is_as_large_as_what_is_counted);
	tcase_add_test(tcase, threads_change_nothing);
	tcase_add_test(tcase, no_lack_of_memory_leaks);
	return tcase;
}
