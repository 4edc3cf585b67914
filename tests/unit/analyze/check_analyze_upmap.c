/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "analyze.h"
#include "analyze_support.h"

/* Four hosts of two devices, 0 and 1 to 6 and 7, and three copies. What the monitor does
 * with many more upmaps is recorded in tests/golden/upmaps. */

static const strew_pg pg = {1, 3};

static strew_builder *start_four(void)
{
	strew_builder *builder = start_map(NULL);

	add_hosts(builder, 4, 2);
	add_hosts_rule(builder);
	add_pool(builder, 1, "data", 3, PGS, 0);
	return builder;
}

/* Where the PG lies without upmaps, and a device of the host that it isn't on. */
struct raw {
	int32_t at[3];
	int32_t idle;
};

static struct raw place_raw(void)
{
	strew_placer *placer = finish_map(start_four());
	strew_scratch *scratch = NULL;
	struct raw raw = {.idle = 0};
	strew_stages stages = {.raw = {.devices = raw.at, .room = 3}};

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_place_pg(placer, pg, &stages, scratch), STREW_OK);
	ck_assert_int_eq(stages.raw.count, 3);
	for (int i = 0; i < 3; i++)
		raw.idle += 2 * (i + 1) - raw.at[i] / 2 * 2;
	strew_scratch_free(scratch);
	strew_placer_release(placer);
	return raw;
}

static struct analyze_upmaps judge(strew_builder *builder)
{
	strew_placer *placer = finish_map(builder);
	strew_run run = STREW_RUN_INIT;
	struct analyze_upmaps upmaps;
	struct analyze_tree tree;

	ck_assert_int_eq(
		analyze_tree_new(&tree, strew_placer_map(placer), &base_heap, NULL),
		STREW_OK);
	ck_assert_int_eq(
		analyze_upmaps_new(&upmaps, placer, &tree, &run, &base_heap, NULL),
		STREW_OK);
	analyze_tree_free(&tree, &base_heap);
	strew_placer_release(placer);
	return upmaps;
}

/* Of the only override. */
static struct analyze_upmap judge_one(strew_builder *builder)
{
	struct analyze_upmaps upmaps = judge(builder);
	struct analyze_upmap upmap = upmaps.upmaps[0];

	ck_assert_uint_eq(upmaps.count, 1);
	analyze_upmaps_free(&upmaps);
	return upmap;
}

static void expect(strew_builder *builder, enum analyze_upmap_fate fate,
		   enum analyze_upmap_reason reason)
{
	struct analyze_upmap upmap = judge_one(builder);

	ck_assert_int_eq((int)upmap.fate, (int)fate);
	ck_assert_int_eq((int)upmap.reason, (int)reason);
}

START_TEST(move_within_a_host_stays)
{
	strew_builder *builder = start_four();
	struct raw raw = place_raw();

	strew_builder_add_upmap_item(builder, pg, raw.at[0], raw.at[0] ^ 1);
	expect(builder, ANALYZE_UPMAP_STAYS, ANALYZE_UPMAP_IS_FINE);
}
END_TEST

START_TEST(two_on_one_host_goes)
{
	strew_builder *builder = start_four();
	struct raw raw = place_raw();
	struct analyze_upmap upmap;

	strew_builder_add_upmap_item(builder, pg, raw.at[0], raw.at[1] ^ 1);
	upmap = judge_one(builder);
	ck_assert_int_eq((int)upmap.fate, ANALYZE_UPMAP_GOES);
	ck_assert_int_eq((int)upmap.reason, ANALYZE_UPMAP_SAME_DOMAIN);
	ck_assert_int_eq(upmap.device, raw.at[1]);
	ck_assert_int_eq(upmap.other, raw.at[1] ^ 1);
	ck_assert_int_eq(upmap.bucket, -2 - raw.at[1] / 2);
}
END_TEST

START_TEST(device_of_another_root_goes)
{
	strew_builder *builder = start_four();
	struct raw raw = place_raw();
	struct analyze_upmap upmap;

	add_bucket(builder, -20, "other", ROOT, 0);
	add_bucket(builder, -21, "far", HOST, -20);
	add_device(builder, 20, -21, 1);
	strew_builder_add_upmap_item(builder, pg, raw.at[0], 20);
	upmap = judge_one(builder);
	ck_assert_int_eq((int)upmap.fate, ANALYZE_UPMAP_GOES);
	ck_assert_int_eq((int)upmap.reason, ANALYZE_UPMAP_OUTSIDE);
	ck_assert_int_eq(upmap.device, 20);
	ck_assert_int_eq(upmap.bucket, -1);
}
END_TEST

START_TEST(device_without_weight_goes)
{
	strew_builder *builder = start_four();
	struct raw raw = place_raw();

	add_device(builder, 20, -2 - raw.at[0] / 2, 0);
	strew_builder_add_upmap_item(builder, pg, raw.at[0], 20);
	expect(builder, ANALYZE_UPMAP_GOES, ANALYZE_UPMAP_WEIGHTLESS);
}
END_TEST

START_TEST(device_that_is_out_is_no_target)
{
	strew_builder *builder = start_four();
	struct raw raw = place_raw();

	strew_builder_set_reweight(builder, raw.at[0] ^ 1, 0);
	strew_builder_add_upmap_item(builder, pg, raw.at[0], raw.at[0] ^ 1);
	expect(builder, ANALYZE_UPMAP_GOES, ANALYZE_UPMAP_OUT);
}
END_TEST

START_TEST(upmap_of_another_size_goes)
{
	strew_builder *builder = start_four();
	struct raw raw = place_raw();

	strew_builder_add_upmap(builder, pg, raw.at, 2);
	expect(builder, ANALYZE_UPMAP_GOES, ANALYZE_UPMAP_SIZE);
}
END_TEST

START_TEST(upmap_to_the_same_goes)
{
	strew_builder *builder = start_four();
	struct raw raw = place_raw();

	strew_builder_add_upmap(builder, pg, raw.at, 3);
	expect(builder, ANALYZE_UPMAP_GOES, ANALYZE_UPMAP_EQUAL);
}
END_TEST

START_TEST(pair_without_a_source_goes)
{
	strew_builder *builder = start_four();
	struct raw raw = place_raw();

	strew_builder_add_upmap_item(builder, pg, raw.idle, raw.idle ^ 1);
	expect(builder, ANALYZE_UPMAP_GOES, ANALYZE_UPMAP_NO_SOURCE);
}
END_TEST

START_TEST(other_pairs_stay)
{
	strew_builder *builder = start_four();
	struct raw raw = place_raw();
	struct analyze_upmaps upmaps;
	const int32_t *kept;

	strew_builder_add_upmap_item(builder, pg, raw.idle, raw.idle ^ 1);
	strew_builder_add_upmap_item(builder, pg, raw.at[2], raw.at[2] ^ 1);
	upmaps = judge(builder);
	kept = upmaps.kept_items.items;
	ck_assert_int_eq((int)upmaps.upmaps[0].fate, ANALYZE_UPMAP_SHRINKS);
	ck_assert_int_eq((int)upmaps.upmaps[0].reason, ANALYZE_UPMAP_NO_SOURCE);
	ck_assert_uint_eq(upmaps.upmaps[0].kept, 1);
	ck_assert_uint_eq(upmaps.upmaps[0].first_kept, 0);
	ck_assert_int_eq(kept[0], raw.at[2]);
	ck_assert_int_eq(kept[1], raw.at[2] ^ 1);
	analyze_upmaps_free(&upmaps);
}
END_TEST

/* Both copies in one host. */
START_TEST(more_buckets_than_a_step_chooses_go)
{
	strew_builder *builder = start_map(NULL);
	int32_t devices[] = {0, 2};

	add_hosts(builder, 4, 2);
	strew_builder_add_rule(builder, 0, "one-host", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 1, HOST, NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 2, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	add_pool(builder, 1, "data", 2, PGS, 0);
	strew_builder_add_upmap(builder, pg, devices, 2);
	expect(builder, ANALYZE_UPMAP_GOES, ANALYZE_UPMAP_MANY_DOMAINS);
}
END_TEST

/* An override of something else is none of our business. */
START_TEST(pg_temp_stays)
{
	strew_builder *builder = start_four();
	int32_t devices[] = {0, 1, 2};

	strew_builder_add_pg_temp(builder, pg, devices, 3);
	expect(builder, ANALYZE_UPMAP_STAYS, ANALYZE_UPMAP_IS_FINE);
}
END_TEST

TCase *check_analyze_upmap(void)
{
	TCase *tcase = tcase_create("upmap");

	tcase_add_test(tcase, move_within_a_host_stays);
	tcase_add_test(tcase, two_on_one_host_goes);
	tcase_add_test(tcase, device_of_another_root_goes);
	tcase_add_test(tcase, device_without_weight_goes);
	tcase_add_test(tcase, device_that_is_out_is_no_target);
	tcase_add_test(tcase, upmap_of_another_size_goes);
	tcase_add_test(tcase, upmap_to_the_same_goes);
	tcase_add_test(tcase, pair_without_a_source_goes);
	tcase_add_test(tcase, other_pairs_stay);
	tcase_add_test(tcase, more_buckets_than_a_step_chooses_go);
	tcase_add_test(tcase, pg_temp_stays);
	return tcase;
}
