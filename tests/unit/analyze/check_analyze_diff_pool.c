/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>

#include "analyze_support.h"

/* Three hosts of one device, so that each device has all PGs, and two pools. */
static strew_placer *two_pools(int32_t last, uint32_t pg_num, uint32_t pgp_num)
{
	strew_builder *builder = start_hosts(3, last, 1);
	strew_pool_desc pool = STREW_POOL_DESC_INIT;

	pool.id = 2;
	pool.name = "more";
	pool.size = 2;
	pool.pg_num = pg_num;
	pool.pgp_num = pgp_num;
	pool.rule = 0;
	strew_builder_add_pool(builder, &pool);
	return finish_map(builder);
}

START_TEST(each_pool_has_a_row)
{
	strew_result *result =
		diff_and_release(two_pools(2, 16, 16), two_pools(3, 16, 16), NULL, NULL);

	ck_assert_uint_eq(row_count(result, "pools"), 2);
	ck_assert_int_eq(cell_at(result, "pools", 0, "pool").integer, 1);
	ck_assert_str_eq(cell_at(result, "pools", 0, "name").text, "data");
	ck_assert_int_eq(cell_at(result, "pools", 0, "pgs").integer, PGS);
	ck_assert_int_eq(cell_at(result, "pools", 0, "shards").integer, 3 * PGS);
	ck_assert_int_eq(cell_at(result, "pools", 0, "shards_moved").integer, PGS);
	ck_assert_int_eq(cell_at(result, "pools", 0, "bytes_moved").integer, PGS * GIB);
	ck_assert(fabs(cell_at(result, "pools", 0, "minimum_shards").real - PGS) < 1e-9);
	ck_assert_int_eq(cell_at(result, "pools", 1, "shards").integer, 32);
	ck_assert_int_eq(cell_at(result, "pools", 1, "bytes").kind, STREW_CELL_NULL);
	ck_assert_int_eq(cell_at(result, "pools", 0, "shards_moved").integer +
				 cell_at(result, "pools", 1, "shards_moved").integer,
			 summary_integer(result, "shards_moved"));
	strew_result_free(result);
}
END_TEST

/* A split leaves PGs where they are until pgp_num follows; then about as many shards move
 * as PGs are new ones with other devices. Back, they go where they came from. */
START_TEST(splits_and_merges_compare_what_holds_the_same_objects)
{
	strew_placer *few = two_pools(2, 16, 16), *split = two_pools(2, 64, 16);
	strew_placer *placed = two_pools(2, 64, 64);
	strew_result *quiet = diff_maps(few, split, NULL, NULL, NULL);
	strew_result *there = diff_maps(split, placed, NULL, NULL, NULL);
	strew_result *merged = diff_maps(placed, few, NULL, NULL, NULL);
	int64_t moved = summary_integer(there, "shards_moved");

	ck_assert_int_eq(cell_at(quiet, "pools", 1, "pg_num_old").integer, 16);
	ck_assert_int_eq(cell_at(quiet, "pools", 1, "pg_num_new").integer, 64);
	ck_assert_int_eq(cell_at(quiet, "pools", 1, "pgs").integer, 64);
	ck_assert_int_eq(summary_integer(quiet, "shards_moved"), 0);
	/* Of 48 PGs with a seed of their own two in nine have the same two of three. */
	ck_assert_int_gt(moved, 15);
	ck_assert_int_lt(moved, 48);
	ck_assert_str_eq(cell_at(there, "causes", 0, "cause").text, "pg_num");
	ck_assert(fabs(cell_at(there, "causes", 0, "shards").real - (double)moved) <
		  1e-6);
	ck_assert_int_eq(summary_integer(merged, "shards_moved"), moved);
	strew_result_free(quiet);
	strew_result_free(there);
	strew_result_free(merged);
	strew_placer_release(few);
	strew_placer_release(split);
	strew_placer_release(placed);
}
END_TEST

/* osd.3 takes in 8 GiB; what osd.2 gives comes from the others, as it isn't in NEW. */
START_TEST(the_slowest_device_tells_how_long_it_takes)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_result *result;

	options.backfill_rate = (double)GIB / 4;
	options.max_backfills = 2;
	result = diff_and_release(three(), three_replaced(), NULL, &options);
	ck_assert(fabs(summary_real(result, "backfill_seconds") - 16) < 1e-9);
	ck_assert_str_eq(cell_at(result, "summary", 0, "backfill_device").text, "osd.3");
	ck_assert(fabs(cell_at(result, "devices", 1, "backfill_seconds").real - 16) <
		  1e-9);
	ck_assert(cell_at(result, "devices", 0, "backfill_seconds").real == 0);
	ck_assert(has_note(result,
			   "Moving takes at least 16 s, at 256.0 MiB/s a backfill "
			   "and 2 at a time on each device: osd.3 has to take in "
			   "8.0 GiB."));
	strew_result_free(result);
	options.max_backfills = 0;
	result = diff_and_release(three(), three_replaced(), NULL, &options);
	ck_assert(fabs(summary_real(result, "backfill_seconds") - 32) < 1e-9);
	strew_result_free(result);
}
END_TEST

START_TEST(without_a_rate_there_is_no_time)
{
	strew_result *result = diff_and_release(three(), three_replaced(), NULL, NULL);

	ck_assert(is_null(result, "backfill_seconds"));
	ck_assert(is_null(result, "backfill_device"));
	strew_result_free(result);
}
END_TEST

/* Four hosts of two devices, with a pair of upmaps for the PG 1.0, or none. */
static strew_placer *upmapped(const int32_t *pair)
{
	strew_builder *builder = start_map(NULL);

	add_hosts(builder, 4, 2);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 2, PGS, 0);
	if (pair)
		strew_builder_add_upmap_item(builder, (strew_pg){1, 0}, pair[0], pair[1]);
	return finish_map(builder);
}

/* One to the other device of its own host, and one to the host of the other shard. */
START_TEST(what_upmaps_go_moves_and_is_told)
{
	strew_placer *bare = upmapped(NULL), *good, *bad;
	int32_t devices[4], pairs[2][2];
	strew_stages stages = {.up = {.devices = devices, .room = 4}};
	strew_result *result;
	strew_scratch *scratch;
	strew_error error;

	ck_assert_int_eq(strew_scratch_new(&scratch, bare, &error), STREW_OK);
	ck_assert_int_eq(strew_place_pg(bare, (strew_pg){1, 0}, &stages, scratch),
			 STREW_OK);
	pairs[0][0] = pairs[1][0] = devices[0];
	pairs[0][1] = devices[0] ^ 1;
	pairs[1][1] = devices[1] ^ 1;
	good = upmapped(pairs[0]);
	bad = upmapped(pairs[1]);
	result = diff_maps(bare, good, NULL, NULL, NULL);
	ck_assert_int_eq(summary_integer(result, "upmaps"), 1);
	ck_assert_int_eq(summary_integer(result, "upmaps_cleaned"), 0);
	ck_assert_str_eq(cell_at(result, "upmaps", 0, "fate").text, "stays");
	ck_assert_int_eq(cell_at(result, "upmaps", 0, "reason").kind, STREW_CELL_NULL);
	strew_result_free(result);
	result = diff_maps(bare, bad, NULL, NULL, NULL);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), 1);
	ck_assert_int_eq(summary_integer(result, "upmaps_cleaned"), 1);
	ck_assert_int_eq(summary_integer(result, "cleanup_shards"), 1);
	ck_assert_int_eq(summary_integer(result, "cleanup_bytes"), GIB);
	ck_assert_str_eq(cell_at(result, "upmaps", 0, "pg").text, "1.0");
	ck_assert_str_eq(cell_at(result, "upmaps", 0, "fate").text, "goes");
	ck_assert(has_note(result, "The monitor takes away or shortens 1 of the 1 "
				   "upmaps, which don't hold in NEW: that moves 1 more "
				   "shard (1.0 GiB)."));
	strew_result_free(result);
	strew_scratch_free(scratch);
	strew_placer_release(bare);
	strew_placer_release(good);
	strew_placer_release(bad);
}
END_TEST

/* With another size the rule asks for other sets: a whole set of two is none of three. */
START_TEST(upmaps_are_judged_by_the_size_asked_for)
{
	strew_builder *builder = start_map(NULL);
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	const int32_t set[2] = {6, 1};
	strew_placer *placer;
	strew_result *result;

	add_hosts(builder, 4, 2);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 2, PGS, 0);
	strew_builder_add_upmap(builder, (strew_pg){1, 0}, set, 2);
	placer = finish_map(builder);
	result = diff_maps(placer, placer, NULL, &options, NULL);
	ck_assert_str_eq(cell_at(result, "upmaps", 0, "fate").text, "stays");
	strew_result_free(result);
	options.new_want = 3;
	result = diff_maps(placer, placer, NULL, &options, NULL);
	ck_assert_str_eq(cell_at(result, "upmaps", 0, "fate").text, "goes");
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_diff_pool(void)
{
	TCase *tcase = tcase_create("analyze_diff_pool");

	tcase_add_test(tcase, each_pool_has_a_row);
	tcase_add_test(tcase, splits_and_merges_compare_what_holds_the_same_objects);
	tcase_add_test(tcase, the_slowest_device_tells_how_long_it_takes);
	tcase_add_test(tcase, without_a_rate_there_is_no_time);
	tcase_add_test(tcase, what_upmaps_go_moves_and_is_told);
	tcase_add_test(tcase, upmaps_are_judged_by_the_size_asked_for);
	return tcase;
}
