/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analyze_support.h"
#include "result.h"

static strew_placer *two_hosts(void)
{
	return finish_map(start_hosts(2, 1, 1));
}

START_TEST(a_replaced_device_moves_one_shard_a_pg)
{
	strew_result *result = diff_and_release(three(), three_replaced(), NULL, NULL);

	ck_assert_int_eq(summary_integer(result, "pgs"), PGS);
	ck_assert_int_eq(summary_integer(result, "pgs_changed"), PGS);
	ck_assert_int_eq(summary_integer(result, "shards"), 3 * PGS);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), PGS);
	ck_assert(fabs(summary_real(result, "shards_moved_percent") - 100. / 3) < 1e-9);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), 0);
	ck_assert_int_eq(summary_integer(result, "bytes"), 3 * PGS * GIB);
	ck_assert_int_eq(summary_integer(result, "bytes_moved"), PGS * GIB);
	ck_assert_int_eq(summary_integer(result, "objects"), 10 * PGS);
	ck_assert_int_eq(summary_integer(result, "objects_moved"), 10 * PGS);
	ck_assert(is_null(result, "positions_changed"));
	strew_result_free(result);
}
END_TEST

START_TEST(the_minimum_is_what_the_new_device_takes)
{
	strew_result *result = diff_and_release(three(), three_replaced(), NULL, NULL);

	ck_assert(fabs(summary_real(result, "minimum_shards") - PGS) < 1e-9);
	ck_assert(fabs(summary_real(result, "minimum_percent") - 100. / 3) < 1e-9);
	ck_assert_str_eq(cell_at(result, "summary", 0, "minimum_basis").text, "expected");
	ck_assert(fabs(summary_real(result, "minimum_stderr_shards") -
		       sqrt(PGS * 2. / 3)) < 1e-9);
	ck_assert_int_eq(summary_integer(result, "minimum_bytes"), PGS * GIB);
	ck_assert(fabs(summary_real(result, "excess_percent")) < 1e-9);
	ck_assert_int_eq(summary_integer(result, "forced_shards"), PGS);
	strew_result_free(result);
}
END_TEST

START_TEST(devices_and_domains_say_from_where_to_where)
{
	strew_result *result = diff_and_release(three(), three_replaced(), NULL, NULL);

	ck_assert_uint_eq(row_count(result, "devices"), 2);
	ck_assert_int_eq(cell_at(result, "devices", 0, "device").integer, 2);
	ck_assert_str_eq(cell_at(result, "devices", 0, "name").text, "osd.2");
	ck_assert_int_eq(cell_at(result, "devices", 0, "shards_in").integer, 0);
	ck_assert_int_eq(cell_at(result, "devices", 0, "shards_out").integer, PGS);
	ck_assert_int_eq(cell_at(result, "devices", 0, "bytes_out").integer, PGS * GIB);
	ck_assert_int_eq(cell_at(result, "devices", 1, "device").integer, 3);
	ck_assert_int_eq(cell_at(result, "devices", 1, "shards_in").integer, PGS);
	ck_assert_int_eq(cell_at(result, "devices", 1, "bytes_in").integer, PGS * GIB);
	ck_assert_uint_eq(row_count(result, "domains"), 1);
	ck_assert_str_eq(cell_at(result, "domains", 0, "from").text, "h2");
	ck_assert_str_eq(cell_at(result, "domains", 0, "to").text, "h2");
	ck_assert_int_eq(cell_at(result, "domains", 0, "shards").integer, PGS);
	ck_assert_int_eq(cell_at(result, "domains", 0, "bytes").integer, PGS * GIB);
	strew_result_free(result);
}
END_TEST

static const struct {
	const char *level;
	const char *from;
	const char *to;
} levels[] = {
	{"root", "default", "default"}, {"osd", "osd.2", "osd.3"},
	{"device", "osd.2", "osd.3"},   {"host", "h2", "h2"},
	{"rack", NULL, NULL}, /* there are none */
};

START_TEST(domains_are_of_the_level_asked_for)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_result *result;
	strew_cell from, to;

	options.level = levels[_i].level;
	result = diff_and_release(three(), three_replaced(), NULL, &options);
	ck_assert_uint_eq(row_count(result, "domains"), 1);
	from = cell_at(result, "domains", 0, "from");
	to = cell_at(result, "domains", 0, "to");
	ck_assert_pstr_eq(from.text, levels[_i].from);
	ck_assert_pstr_eq(to.text, levels[_i].to);
	strew_result_free(result);
}
END_TEST

START_TEST(an_unknown_level_is_refused)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_placer *placer = three();
	strew_result *result;
	strew_error error;

	options.level = "room";
	ck_assert_int_eq(
		strew_diff(&result, placer, placer, NULL, &options, NULL, &error),
		STREW_ENOTFOUND);
	ck_assert_str_eq(error.text,
			 "there is no type \"room\"; the map has osd, host, rack, root");
	ck_assert_ptr_null(result);
	strew_placer_release(placer);
}
END_TEST

START_TEST(a_lost_host_leaves_shards_unplaced)
{
	strew_result *result = diff_and_release(three(), two_hosts(), NULL, NULL);

	ck_assert_int_eq(summary_integer(result, "pgs_changed"), PGS);
	ck_assert_int_eq(summary_integer(result, "shards"), 3 * PGS);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), 0);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), PGS);
	ck_assert_int_eq(summary_integer(result, "forced_shards"), PGS);
	ck_assert(fabs(summary_real(result, "minimum_shards")) < 1e-9);
	ck_assert_uint_eq(row_count(result, "domains"), 0);
	ck_assert(has_note(result, "8 shards lose their device and get no other."));
	ck_assert_str_eq(result_headline(result),
			 "OLD → NEW    1 host, 1 device removed from default");
	strew_result_free(result);
}
END_TEST

START_TEST(a_found_host_fills_holes_from_none)
{
	strew_result *result = diff_and_release(two_hosts(), three(), NULL, NULL);

	ck_assert_int_eq(summary_integer(result, "shards_moved"), PGS);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), 0);
	ck_assert_uint_eq(row_count(result, "domains"), 1);
	ck_assert_int_eq(cell_at(result, "domains", 0, "from").kind, STREW_CELL_NULL);
	ck_assert_str_eq(cell_at(result, "domains", 0, "to").text, "h2");
	strew_result_free(result);
}
END_TEST

/* Every PG lies on all three devices, but one is down, which leaves a hole. */
static strew_placer *three_with_hole(int32_t device)
{
	strew_builder *builder = start_map(NULL);
	strew_pool_desc desc = STREW_POOL_DESC_INIT;

	add_hosts(builder, 3, 1);
	strew_builder_set_state(builder, device, 1, 0);
	add_rule(builder, 0, "hosts", STREW_KIND_ERASURE, STREW_OP_CHOOSELEAF_INDEP,
		 HOST);
	desc.id = 1;
	desc.name = "data";
	desc.kind = STREW_KIND_ERASURE;
	desc.size = 3;
	desc.k = 2;
	desc.pg_num = PGS;
	strew_builder_add_pool(builder, &desc);
	return finish_map(builder);
}

static const struct {
	strew_diff_by by;
	int64_t unplaced;
} holes[] = {{STREW_BY_POSITION, PGS}, {STREW_BY_SET, 0}};

START_TEST(a_filled_hole_makes_up_for_no_other_position)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_result *result;

	options.by = holes[_i].by;
	result = diff_and_release(three_with_hole(2), three_with_hole(1), NULL, &options);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), PGS);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), holes[_i].unplaced);
	ck_assert_int_eq(summary_integer(result, "positions_changed"), 2 * PGS);
	strew_result_free(result);
}
END_TEST

START_TEST(the_same_map_has_nothing_to_tell)
{
	strew_result *result = diff_and_release(three(), three(), NULL, NULL);

	ck_assert_int_eq(summary_integer(result, "pgs_changed"), 0);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), 0);
	ck_assert_uint_eq(row_count(result, "changes"), 0);
	ck_assert_uint_eq(row_count(result, "devices"), 0);
	ck_assert_uint_eq(result_note_count(result), 0);
	ck_assert_str_eq(result_headline(result),
			 "OLD → NEW    no difference between the maps");
	strew_result_free(result);
}
END_TEST

START_TEST(the_list_names_each_pg_that_changes)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_result *result;
	strew_cell old, new;

	options.list = 1;
	result = diff_and_release(three(), three_replaced(), NULL, &options);
	ck_assert_uint_eq(row_count(result, "pgs"), PGS);
	ck_assert_str_eq(cell_at(result, "pgs", 7, "pg").text, "1.7");
	old = cell_at(result, "pgs", 7, "old");
	new = cell_at(result, "pgs", 7, "new");
	ck_assert_uint_eq(old.set_count, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(new.set[i], old.set[i] == 2 ? 3 : old.set[i]);
	strew_result_free(result);
}
END_TEST

/* More PGs on either side: each is compared with the one that holds its objects. */
static strew_placer *three_with_pgs(uint32_t pg_num)
{
	strew_builder *builder = start_map(NULL);

	add_hosts(builder, 3, 1);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 3, pg_num, 0);
	return finish_map(builder);
}

static const struct {
	uint32_t before;
	uint32_t after;
	uint64_t bytes; /* OLD's */
} splits[] = {{4, 16, 4 * GIB}, {16, 4, 16 * GIB}, {5, 12, 5 * GIB}};

START_TEST(pgs_match_when_they_split_or_merge)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	uint32_t more = splits[_i].before > splits[_i].after ? splits[_i].before
							     : splits[_i].after;
	strew_result *result;

	options.list = 1;
	result = diff_and_release(three_with_pgs(splits[_i].before),
				  three_with_pgs(splits[_i].after), NULL, &options);
	ck_assert_int_eq(summary_integer(result, "pgs"), more);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), 0);
	ck_assert_uint_eq(row_count(result, "pgs"), 0);
	ck_assert_int_eq(summary_integer(result, "bytes"),
			 (int64_t)(3 * splits[_i].bytes));
	ck_assert_str_eq(result_headline(result), "OLD → NEW    1 pool changed");
	strew_result_free(result);
}
END_TEST

START_TEST(objects_that_were_not_told_are_unknown)
{
	strew_placer *placers[2];
	strew_result *result;

	for (int i = 0; i < 2; i++) {
		strew_builder *builder = start_map(NULL);
		strew_pool_desc desc = STREW_POOL_DESC_INIT;

		add_hosts(builder, 3, 1);
		add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED,
			 STREW_OP_CHOOSELEAF_FIRSTN, HOST);
		desc.id = 1;
		desc.name = "data";
		desc.size = 3;
		desc.pg_num = PGS;
		desc.has_bytes = 1;
		desc.bytes = _i == 0 ? GIB : 0; /* an empty pool has no objects */
		strew_builder_add_pool(builder, &desc);
		placers[i] = finish_map(builder);
	}
	result = diff_and_release(placers[0], placers[1], NULL, NULL);
	ck_assert_int_eq(is_null(result, "objects"), _i == 0);
	ck_assert_int_eq(is_null(result, "objects_moved"), _i == 0);
	ck_assert_int_eq(summary_integer(result, "bytes"), _i == 0 ? 3 * GIB : 0);
	strew_result_free(result);
}
END_TEST

START_TEST(maps_without_a_common_pool_are_refused)
{
	strew_builder *builder = start_map(NULL);
	strew_placer *before = three(), *after;
	strew_result *result;
	strew_error error;

	add_hosts(builder, 3, 1);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 2, "data", 3, 8, 0);
	after = finish_map(builder);
	ck_assert_int_eq(strew_diff(&result, before, after, NULL, NULL, NULL, &error),
			 STREW_ENOTFOUND);
	ck_assert_str_eq(error.text, "no pool is in both maps");
	strew_placer_release(before);
	strew_placer_release(after);
}
END_TEST

START_TEST(objects_count_with_their_bytes)
{
	const strew_named_object objects[] = {
		{"a", 1, 1000, 1}, {"b", 1, 500, 1}, {"c", 1, 0, 0}};
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_result *result;

	options.list = 1;
	inputs.objects = objects;
	inputs.object_count = 3;
	result = diff_and_release(three(), three_replaced(), &inputs, &options);
	ck_assert(is_null(result, "pgs"));
	ck_assert_int_eq(summary_integer(result, "objects"), 3);
	ck_assert_int_eq(summary_integer(result, "objects_moved"), 3);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), 3);
	ck_assert_int_eq(summary_integer(result, "bytes"), 4500);
	ck_assert_int_eq(summary_integer(result, "bytes_moved"), 1500);
	ck_assert_str_eq(cell_at(result, "pgs", 2, "object").text, "c");
	ck_assert(has_note(
		result, "The data is that of the pools and objects whose bytes (and k, "
			"for erasure codes) are known."));
	strew_result_free(result);
}
END_TEST

START_TEST(raw_inputs_have_no_bytes)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_result *result;

	options.list = 1;
	inputs.rule = 0;
	inputs.want = 3;
	inputs.first = 5;
	inputs.last = 14;
	result = diff_and_release(three(), three_replaced(), &inputs, &options);
	ck_assert_int_eq(summary_integer(result, "pgs"), 10);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), 10);
	ck_assert(is_null(result, "bytes"));
	ck_assert(is_null(result, "objects"));
	ck_assert_int_eq(cell_at(result, "pgs", 9, "x").integer, 14);
	strew_result_free(result);
}
END_TEST

/* A second root with three hosts, and a rule for it. */
static strew_placer *two_roots(void)
{
	strew_builder *builder = start_three();

	add_bucket(builder, -9, "other", ROOT, 0);
	for (int i = 0; i < 3; i++) {
		const char *const names[] = {"o0", "o1", "o2"};

		add_bucket(builder, -10 - i, names[i], HOST, -9);
		add_device(builder, 10 + i, -10 - i, 1);
	}
	strew_builder_add_rule(builder, 1, "others", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "other", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 0, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	return finish_map(builder);
}

START_TEST(another_rule_places_the_new_side)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_placer *placer = two_roots();
	strew_result *result;

	options.new_rule = 1;
	result = diff_and_release(strew_placer_retain(placer), placer, NULL, &options);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), 3 * PGS);
	ck_assert(fabs(summary_real(result, "minimum_shards") - 3 * PGS) < 1e-9);
	ck_assert_int_eq(summary_integer(result, "forced_shards"), 3 * PGS);
	ck_assert(has_change(result, "choice", "rule of data", "hosts", "others"));
	ck_assert_str_eq(result_headline(result), "OLD → NEW    placed by rule others");
	strew_result_free(result);
}
END_TEST

static const struct {
	int want;
	int64_t shards, moved, changed;
} sizes[] = {{2, 2 * PGS, 0, PGS}, {3, 3 * PGS, 0, 0}, {5, 5 * PGS, 0, 0}};

START_TEST(another_size_places_the_new_side)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_result *result;

	options.new_want = sizes[_i].want;
	result = diff_and_release(three(), three(), NULL, &options);
	ck_assert_int_eq(summary_integer(result, "shards"), sizes[_i].shards);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), sizes[_i].moved);
	ck_assert_int_eq(summary_integer(result, "pgs_changed"), sizes[_i].changed);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), 0);
	strew_result_free(result);
}
END_TEST

START_TEST(wrong_new_sides_are_refused)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_placer *placer = three();
	strew_result *result;
	strew_error error;

	options.new_rule = 4;
	ck_assert_int_eq(
		strew_diff(&result, placer, placer, NULL, &options, NULL, &error),
		STREW_ENOTFOUND);
	ck_assert_str_eq(error.text, "there is no rule 4; the map has: hosts (0)");
	options.new_rule = 0;
	options.new_want = 2000;
	ck_assert_int_eq(
		strew_diff(&result, placer, placer, NULL, &options, NULL, &error),
		STREW_ERANGE);
	strew_placer_release(placer);
}
END_TEST

struct diff_sides {
	strew_placer *before;
	strew_placer *after;
};

static strew_status diff_all(strew_result **out, const strew_run *run, void *ctx)
{
	const struct diff_sides *sides = ctx;
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;

	options.list = 1;
	options.new_want = 2;
	return strew_diff(out, sides->before, sides->after, NULL, &options, run, NULL);
}

START_TEST(no_lack_of_memory_leaks)
{
	struct diff_sides sides = {two_roots(), three_replaced()};

	ck_assert_uint_gt(fail_each(diff_all, &sides), 30);
	strew_placer_release(sides.before);
	strew_placer_release(sides.after);
}
END_TEST

TCase *check_analyze_diff(void)
{
	TCase *tcase = tcase_create("analyze_diff");

	tcase_add_test(tcase, a_replaced_device_moves_one_shard_a_pg);
	tcase_add_test(tcase, the_minimum_is_what_the_new_device_takes);
	tcase_add_test(tcase, devices_and_domains_say_from_where_to_where);
	tcase_add_loop_test(tcase, domains_are_of_the_level_asked_for, 0,
			    (int)(sizeof(levels) / sizeof(levels[0])));
	tcase_add_test(tcase, an_unknown_level_is_refused);
	tcase_add_test(tcase, a_lost_host_leaves_shards_unplaced);
	tcase_add_test(tcase, a_found_host_fills_holes_from_none);
	tcase_add_loop_test(tcase, a_filled_hole_makes_up_for_no_other_position, 0, 2);
	tcase_add_test(tcase, the_same_map_has_nothing_to_tell);
	tcase_add_test(tcase, the_list_names_each_pg_that_changes);
	tcase_add_loop_test(tcase, pgs_match_when_they_split_or_merge, 0,
			    (int)(sizeof(splits) / sizeof(splits[0])));
	tcase_add_loop_test(tcase, objects_that_were_not_told_are_unknown, 0, 2);
	tcase_add_test(tcase, maps_without_a_common_pool_are_refused);
	tcase_add_test(tcase, objects_count_with_their_bytes);
	tcase_add_test(tcase, raw_inputs_have_no_bytes);
	tcase_add_test(tcase, another_rule_places_the_new_side);
	tcase_add_loop_test(tcase, another_size_places_the_new_side, 0,
			    (int)(sizeof(sizes) / sizeof(sizes[0])));
	tcase_add_test(tcase, wrong_new_sides_are_refused);
	tcase_add_test(tcase, no_lack_of_memory_leaks);
	return tcase;
}
