/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyze_check_support.h"
#include "analyze_support.h"
#include "support.h"

/* What each kind finds is in check_analyze_check_kinds.c. */

static const strew_check_options few = {.size = sizeof(few), .count = 300};

static void hang_twice(strew_builder *builder)
{
	strew_builder_add_item(builder, -3, 0, STREW_WEIGHT_ONE, STREW_ITEM_TWICE_OK);
}

START_TEST(unknown_code_to_ignore_is_refused)
{
	static const char *const code = "pg-nun";
	strew_check_options options = STREW_CHECK_OPTIONS_INIT;
	strew_map *map = build_good(start_good());
	strew_result *result = NULL;
	strew_error error;

	options.ignored = &code;
	options.ignored_count = 1;
	ck_assert_int_eq(strew_check(&result, map, &options, NULL, &error),
			 STREW_ENOTFOUND);
	ck_assert_ptr_null(result);
	ck_assert_str_eq(error.text,
			 "there is no finding \"pg-nun\"; did you mean \"pg-num\"?");
	strew_map_release(map);
}
END_TEST

START_TEST(worst_findings_come_first)
{
	strew_builder *builder = start_good();
	strew_result *result;

	strew_builder_set_profile(builder, "hammer");
	add_pool(builder, 2, "odd", 2, 12, 0);
	hang_twice(builder);
	add_bucket(builder, -4, "h2", HOST, -1);
	result = check_builder(builder, NULL);
	ck_assert_int_eq((int)row_count(result, "findings"), 5);
	ck_assert_str_eq(finding_at(result, 0, "code"), "device-in-two-places");
	ck_assert_str_eq(finding_at(result, 1, "code"), "bucket-empty");
	ck_assert_str_eq(finding_at(result, 2, "code"), "pg-num");
	ck_assert_str_eq(finding_at(result, 3, "code"), "rule-domain");
	ck_assert_str_eq(finding_at(result, 4, "code"), "tunables-older");
	ck_assert_int_eq((int)summary_integer(result, "errors"), 1);
	ck_assert_int_eq((int)summary_integer(result, "warnings"), 3);
	ck_assert_int_eq((int)summary_integer(result, "infos"), 1);
	ck_assert(has_note(result, "1 error, 3 warnings, 1 info, 41 checks made"));
	strew_result_free(result);
}
END_TEST

START_TEST(text_sums_up_what_is_found_often)
{
	strew_builder *builder = start_good();
	const char *advice;
	strew_result *result;
	char name[16];

	for (int32_t i = 0; i < 13; i++) {
		snprintf(name, sizeof(name), "empty%d", i);
		add_bucket(builder, -20 - i, name, HOST, -1);
	}
	result = check_builder(builder, NULL);
	advice = finding_at(result, 0, "advice");
	ck_assert_int_eq((int)row_count(result, "findings"), 13);
	ck_assert_int_eq((int)row_count(result, "list"), 11);
	ck_assert_ptr_nonnull(strstr(cell_at(result, "list", 10, "text").text, "3 more"));
	ck_assert_ptr_nonnull(strstr(cell_at(result, "list", 0, "text").text, advice));
	ck_assert_ptr_null(strstr(cell_at(result, "list", 1, "text").text, advice));
	strew_result_free(result);
}
END_TEST

static void add_unpinned(strew_builder *builder, const char *name)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	int32_t id;

	desc.name = name;
	desc.type = HOST;
	id = strew_builder_add_bucket(builder, &desc);
	strew_builder_add_item(builder, -1, id, STREW_AUTO_WEIGHT, 0);
}

/* They are empty, too, of which all are shown. */
START_TEST(text_shows_few_of_what_has_one_cause)
{
	strew_builder *builder = start_good();
	strew_result *result;

	add_unpinned(builder, "e0");
	add_unpinned(builder, "e1");
	add_unpinned(builder, "e2");
	add_unpinned(builder, "e3");
	result = check_builder(builder, NULL);
	ck_assert_int_eq(find_finding(result, "id-unpinned"), 4);
	ck_assert_int_eq((int)row_count(result, "findings"), 8);
	ck_assert_int_eq((int)row_count(result, "list"), 7);
	ck_assert_ptr_nonnull(strstr(cell_at(result, "list", 6, "text").text, "2 more"));
	strew_result_free(result);
}
END_TEST

static void add_erasure_rule(strew_builder *builder, int32_t id, const char *name,
			     int ranks)
{
	strew_builder_add_rule(builder, id, name, STREW_KIND_ERASURE);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_INDEP, ranks, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

/* What a rule without a pool is for: its mask, as Ceph gives it to a profile's rule; else
 * what another rule's steps say, or a pool has. */
static const struct {
	uint8_t min_size, max_size;
	int other_ranks, pool_size;
	const char *message;
} widths[] = {
	{1, 10, 0, 0, "with 3 shards (a guess"}, {3, 4, 0, 0, "with 4 shards (a guess"},
	{3, 20, 0, 0, "with 3 shards (a guess"}, {3, 10, 4, 0, "with 10 shards (a guess"},
	{1, 20, 4, 0, "with 4 shards (a guess"}, {1, 20, 0, 4, "with 4 shards (a guess"},
	{1, 20, 2, 0, "with 3 shards (a guess"},
};

#define WIDTH_COUNT ((int)(sizeof(widths) / sizeof(widths[0])))

START_TEST(width_of_an_unused_erasure_rule_is_told_by_the_map)
{
	strew_check_options all = {.size = sizeof(all), .count = 300};
	strew_builder *builder = start_good();
	strew_pool_desc desc = STREW_POOL_DESC_INIT;
	strew_result *result;
	int row;

	add_erasure_rule(builder, 1, "unused", 0);
	strew_builder_set_rule_mask(builder, 1, widths[_i].min_size, widths[_i].max_size);
	if (widths[_i].other_ranks > 0)
		add_erasure_rule(builder, 2, "other", widths[_i].other_ranks);
	if (widths[_i].pool_size > 0) {
		add_erasure_rule(builder, 3, "pooled", 0);
		desc.id = 2;
		desc.name = "coded";
		desc.kind = STREW_KIND_ERASURE;
		desc.size = widths[_i].pool_size;
		desc.pg_num = 8;
		desc.rule = 3;
		strew_builder_add_pool(builder, &desc);
	}
	result = check_builder(builder, &all);
	for (row = 0; row < (int)row_count(result, "findings"); row++)
		if (strcmp(finding_at(result, (size_t)row, "path"), "rule unused") == 0)
			break;
	ck_assert_ptr_nonnull(
		strstr(finding_at(result, (size_t)row, "message"), widths[_i].message));
	strew_result_free(result);
}
END_TEST

static void place_third(int32_t devices[2])
{
	strew_placer *placer = finish_map(start_good());
	strew_stages stages = {.up = {.devices = devices, .room = 2}};
	strew_scratch *scratch = NULL;

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_place_pg(placer, (strew_pg){1, 3}, &stages, scratch),
			 STREW_OK);
	ck_assert_int_eq(stages.up.count, 2);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}

/* osd.0 and osd.1 are in one host, osd.2 and osd.3 in the other. */
START_TEST(upmap_that_works_is_no_finding)
{
	strew_builder *builder = start_good();
	strew_result *result;
	int32_t devices[2];

	place_third(devices);
	strew_builder_add_upmap_item(builder, (strew_pg){1, 3}, devices[0],
				     devices[0] ^ 1);
	result = check_builder(builder, NULL);
	ck_assert_int_eq((int)row_count(result, "findings"), 0);
	strew_result_free(result);
}
END_TEST

START_TEST(upmap_to_what_is_there_already_is_a_finding)
{
	strew_builder *builder = start_good();
	strew_result *result;
	int32_t devices[2];

	place_third(devices);
	strew_builder_add_upmap(builder, (strew_pg){1, 3}, devices, 2);
	result = check_builder(builder, NULL);
	ck_assert_int_eq((int)row_count(result, "findings"), 1);
	ck_assert_int_eq(find_finding(result, "upmap-dropped"), 0);
	strew_result_free(result);
}
END_TEST

/* r0 hangs in two roots, and h0 in it and in one of them. */
START_TEST(roots_are_found_through_links)
{
	strew_builder *builder = start_good();
	strew_result *result;

	add_bucket(builder, -4, "other", ROOT, 0);
	add_bucket(builder, -5, "r0", RACK, -1);
	strew_builder_add_item(builder, -4, -5, STREW_AUTO_WEIGHT, STREW_ITEM_LINK);
	strew_builder_add_item(builder, -5, -2, STREW_AUTO_WEIGHT, STREW_ITEM_LINK);
	result = check_builder(builder, NULL);
	ck_assert_int_eq((int)row_count(result, "findings"), 2);
	ck_assert_int_eq(find_finding(result, "bucket-in-two-places"), 0);
	ck_assert_int_eq(find_finding(result, "bucket-linked"), 1);
	ck_assert_str_eq(finding_at(result, 0, "path"), "bucket h0");
	ck_assert_str_eq(finding_at(result, 1, "path"), "bucket r0");
	strew_result_free(result);
}
END_TEST

/* h0 weighs 0 in r0, but not in its root. */
START_TEST(bucket_gets_data_by_any_of_its_places)
{
	strew_builder *builder = start_good();
	strew_result *result;

	add_bucket(builder, -4, "other", ROOT, 0);
	add_bucket(builder, -5, "r0", RACK, -4);
	add_device(builder, 4, -5, 1);
	strew_builder_add_item(builder, -5, -2, 0, STREW_ITEM_LINK);
	result = check_builder(builder, NULL);
	ck_assert_int_lt(find_finding(result, "bucket-weightless"), 0);
	strew_result_free(result);
}
END_TEST

/* h2 weighs 1 in the root and osd.4, all that it holds, 0: it gets all of h2 all the
 * same. */
START_TEST(draw_among_zeros_has_a_winner)
{
	strew_builder *builder = start_good();
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	strew_result *result;
	int row;

	desc.id = -4;
	desc.name = "h2";
	desc.type = HOST;
	strew_builder_add_bucket(builder, &desc);
	add_device(builder, 4, -4, 0);
	strew_builder_add_item(builder, -1, -4, STREW_WEIGHT_ONE, 0);
	result = check_builder(builder, NULL);
	ck_assert_int_lt(find_finding(result, "bucket-lost-draws"), 0);
	row = find_finding(result, "bucket-weightless");
	ck_assert_int_ge(row, 0);
	ck_assert_str_eq(finding_at(result, (size_t)row, "message"),
			 "host h2 weighs 1 in root default, but all its devices weigh 0 "
			 "or hang in what does: what is drawn into it goes to one or few "
			 "of them, or is drawn again");
	strew_result_free(result);
}
END_TEST

START_TEST(places_in_one_bucket_are_counted)
{
	strew_builder *builder = start_good();
	strew_result *result;

	for (int i = 0; i < 2; i++)
		strew_builder_add_item(builder, -3, 0, STREW_WEIGHT_ONE,
				       STREW_ITEM_TWICE_OK);
	result = check_builder(builder, NULL);
	ck_assert_str_eq(finding_at(result, 0, "message"),
			 "osd.0 hangs in host h0 and in host h1 2 times");
	strew_result_free(result);
}
END_TEST

START_TEST(derived_shadows_are_as_they_should_be)
{
	strew_builder *builder = start_good();
	strew_result *result;

	strew_builder_add_device(builder, 4, NULL, "ssd");
	strew_builder_add_item(builder, -2, 4, STREW_WEIGHT_ONE, 0);
	strew_builder_set_shadow_id(builder, -1, "ssd", -11);
	strew_builder_set_shadow_id(builder, -2, "ssd", -12);
	strew_builder_set_shadow_id(builder, -3, "ssd", -13);
	strew_builder_derive_shadows(builder);
	result = check_builder(builder, NULL);
	ck_assert_int_eq((int)row_count(result, "findings"), 0);
	strew_result_free(result);
}
END_TEST

/* 4500 devices in one host, and a shadow of it for each of 4500 classes. */
START_TEST(too_many_shadows_are_not_compared)
{
	strew_builder *builder = start_good();
	strew_check_options options = {.size = sizeof(options), .count = 10};
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	char name[32], class_name[16];
	strew_result *result;
	int row;

	desc.name = name;
	desc.class_name = class_name;
	desc.type = HOST;
	desc.shadow_of = -2;
	for (int32_t i = 0; i < 4500; i++) {
		snprintf(class_name, sizeof(class_name), "c%d", i);
		snprintf(name, sizeof(name), "h0~c%d", i);
		desc.id = -100 - i;
		strew_builder_add_device(builder, 100 + i, NULL, class_name);
		strew_builder_add_item(builder, -2, 100 + i, STREW_WEIGHT_ONE, 0);
		strew_builder_add_bucket(builder, &desc);
	}
	result = check_builder(builder, &options);
	row = find_finding(result, "shadow-items");
	ck_assert_int_ge(row, 0);
	ck_assert_ptr_nonnull(strstr(finding_at(result, (size_t)row, "message"),
				     "4500 class shadows are not compared"));
	strew_result_free(result);
}
END_TEST

START_TEST(faults_become_findings)
{
	strew_error failure = {
		.status = STREW_ESYNTAX, .where = "m.json", .line = 3, .column = 7};
	strew_builder *builder = start_good();
	strew_result *result = NULL;
	strew_map *map = NULL;

	strew_builder_report(builder, STREW_WARNING, STREW_ESYNTAX, "a strange member");
	for (int i = 0; i < 120; i++)
		strew_builder_report(builder, STREW_FAULT, STREW_EMAP, "fault %d", i);
	ck_assert_int_eq(strew_builder_build(&map, builder, NULL), STREW_EMAP);
	ck_assert_int_eq(strew_check_faults(&result, builder, &failure, NULL, NULL),
			 STREW_OK);
	strew_builder_free(builder);
	ck_assert_int_eq((int)summary_integer(result, "errors"), 102);
	ck_assert_int_eq((int)summary_integer(result, "warnings"), 1);
	ck_assert_str_eq(finding_at(result, 99, "message"), "fault 99");
	ck_assert_str_eq(finding_at(result, 100, "message"),
			 "there are 20 more faults, which are not listed");
	ck_assert_str_eq(finding_at(result, 101, "path"), "m.json:3:7");
	ck_assert_str_eq(finding_at(result, 102, "code"), "reading");
	ck_assert_int_eq((int)row_count(result, "list"), 22);
	ck_assert(has_note(result, "102 errors, 1 warning; the map can't be loaded"));
	strew_result_free(result);
}
END_TEST

/* With everything that allocates: upmaps, shadows, places, names. */
static strew_map *map_with_much(void)
{
	strew_builder *builder = start_good();

	strew_builder_add_upmap_item(builder, (strew_pg){1, 3}, 0, 0);
	add_shadow(builder, 1, STREW_WEIGHT_ONE);
	hang_twice(builder);
	add_bucket(builder, -5, "cafe\xcc\x81", HOST, -1);
	add_bucket(builder, -6, "caf\xc3\xa9", HOST, -1);
	return build_good(builder);
}

START_TEST(failed_allocations_leave_nothing)
{
	strew_map *map = map_with_much();
	strew_status status = STREW_ENOMEM;
	strew_run run = STREW_RUN_INIT;
	struct support_heap heap;
	strew_result *result;
	size_t fail_at;

	run.allocator = &heap.allocator;
	for (fail_at = 1; status == STREW_ENOMEM; fail_at++) {
		support_heap_init(&heap);
		heap.fail_at = fail_at;
		status = strew_check(&result, map, &few, &run, NULL);
		strew_result_free(result);
		ck_assert_uint_eq(heap.blocks, 0);
	}
	ck_assert_int_eq(status, STREW_OK);
	ck_assert_uint_gt(fail_at, 20);
	strew_map_release(map);
}
END_TEST

static int cancel(void *ctx, uint64_t done, uint64_t total)
{
	(void)ctx;
	(void)done;
	(void)total;
	return 1;
}

START_TEST(run_can_be_canceled)
{
	strew_progress progress = {cancel, NULL};
	strew_run run = STREW_RUN_INIT;
	strew_map *map = map_with_much();
	strew_result *result;

	run.progress = &progress;
	ck_assert_int_eq(strew_check(&result, map, &few, &run, NULL), STREW_ECANCELED);
	ck_assert_ptr_null(result);
	strew_map_release(map);
}
END_TEST

START_TEST(threads_change_nothing)
{
	strew_map *map = map_with_much();
	strew_run run = STREW_RUN_INIT;
	strew_result *alone, *together;

	run.executor = &four_threads;
	ck_assert_int_eq(strew_check(&alone, map, &few, NULL, NULL), STREW_OK);
	ck_assert_int_eq(strew_check(&together, map, &few, &run, NULL), STREW_OK);
	ck_assert(same_results(alone, together));
	strew_result_free(alone);
	strew_result_free(together);
	strew_map_release(map);
}
END_TEST

/* A chain of buckets, each of its own type and with a device. */
static strew_map *build_chain(int32_t length)
{
	strew_builder *builder = start_map(NULL);

	for (int32_t i = 0; i < length; i++) {
		char name[16];

		snprintf(name, sizeof(name), "t%d", (int)(length - i));
		strew_builder_add_type(builder, ROOT + length - i, name);
		snprintf(name, sizeof(name), "c%d", (int)i);
		add_bucket(builder, -2 - i, name, ROOT + length - i, -1 - i);
		add_device(builder, i, -2 - i, 1);
	}
	add_rule(builder, 0, "devices", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN, 0);
	add_pool(builder, 1, "data", 2, PGS, 0);
	return build_good(builder);
}

static size_t most_memory(int32_t length)
{
	strew_map *map = build_chain(length);
	strew_run run = STREW_RUN_INIT;
	struct support_heap heap;
	strew_result *result;

	support_heap_init(&heap);
	run.allocator = &heap.allocator;
	ck_assert_int_eq(strew_check(&result, map, &few, &run, NULL), STREW_OK);
	strew_result_free(result);
	strew_map_release(map);
	return heap.most;
}

START_TEST(memory_follows_the_map_however_many_levels_it_has)
{
	size_t half = most_memory(500), whole = most_memory(1000);

	ck_assert_msg(whole < 3 * half, "%zu bytes, and %zu for twice the levels", half,
		      whole);
}
END_TEST

TCase *check_analyze_check(void)
{
	TCase *tcase = tcase_create("check");

	tcase_add_test(tcase, unknown_code_to_ignore_is_refused);
	tcase_add_test(tcase, worst_findings_come_first);
	tcase_add_test(tcase, text_sums_up_what_is_found_often);
	tcase_add_test(tcase, text_shows_few_of_what_has_one_cause);
	tcase_add_loop_test(tcase, width_of_an_unused_erasure_rule_is_told_by_the_map, 0,
			    WIDTH_COUNT);
	tcase_add_test(tcase, upmap_that_works_is_no_finding);
	tcase_add_test(tcase, upmap_to_what_is_there_already_is_a_finding);
	tcase_add_test(tcase, roots_are_found_through_links);
	tcase_add_test(tcase, bucket_gets_data_by_any_of_its_places);
	tcase_add_test(tcase, draw_among_zeros_has_a_winner);
	tcase_add_test(tcase, places_in_one_bucket_are_counted);
	tcase_add_test(tcase, derived_shadows_are_as_they_should_be);
	tcase_add_test(tcase, too_many_shadows_are_not_compared);
	tcase_add_test(tcase, faults_become_findings);
	tcase_add_test(tcase, failed_allocations_leave_nothing);
	tcase_add_test(tcase, run_can_be_canceled);
	tcase_add_test(tcase, threads_change_nothing);
	tcase_add_test(tcase, memory_follows_the_map_however_many_levels_it_has);
	return tcase;
}
