/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>

#include "flat_fixture.h"
#include "hash.h"
#include "select.h"
#include "support.h"

static uint32_t choose(const struct flat *flat, uint32_t x)
{
	struct select_in in = {.x = x, .r = x % 5};

	return select_choose(flat_bucket_at(flat, 0), &in);
}

/* The definition, an item at a time. */
static uint32_t choose_plainly(uint32_t x, uint32_t r, const uint32_t *weights,
			       uint32_t count)
{
	int64_t longest = INT64_MIN;
	uint32_t best = 0;

	for (uint32_t i = 0; i < count; i++) {
		int64_t log = (int64_t)select_straw2_log(hash_3(x, i, r) & 0xffff);
		int64_t length = INT64_MIN;

		if (weights[i] > 0)
			length = (log - (1ll << 48)) / (int32_t)weights[i];
		if (length > longest) {
			longest = length;
			best = i;
		}
	}
	return best;
}

START_TEST(choices_equal_the_definition)
{
	uint64_t seed = 7;

	for (uint32_t count = 1; count <= 40; count++) {
		uint32_t weights[40];
		struct flat *flat;

		for (uint32_t i = 0; i < count; i++)
			weights[i] = (uint32_t)support_random(&seed) >>
				     support_below(&seed, 32);
		flat = fixture_one("straw2", count, weights);
		for (uint32_t x = 0; x < 200; x++) {
			if (choose(flat, x) != choose_plainly(x, x % 5, weights, count))
				ck_abort_msg("count %u, x %u", count, x);
		}
		free(flat);
	}
}
END_TEST

/* An unknown hash draws alike for all items, so the weight alone decides. */
START_TEST(ties_take_the_lower_index)
{
	static const int32_t items[] = {0, 1, 2, 3};
	static const uint32_t weights[] = {0x10000, 0x20000, 0x20000, 0};
	static const struct fixture_bucket bucket = {.id = -1,
						     .type = 1,
						     .count = 4,
						     .items = items,
						     .weights = weights,
						     .hash = 1};
	struct fixture_map map = {
		.device_count = 4, .bucket_count = 1, .buckets = &bucket};
	struct flat *flat = fixture_flat(&map);

	for (uint32_t x = 0; x < 100; x++)
		ck_assert_uint_eq(choose(flat, x), 1);
	free(flat);
}
END_TEST

/* Of 32768.0 and above: as the reference divides, such an item beats all others. */
START_TEST(huge_weight_beats_all)
{
	static const uint32_t weights[] = {0x7fffffff, 0x10000, 0x80000000, 0x7fffffff};
	struct flat *flat = fixture_one("straw2", 4, weights);

	for (uint32_t x = 0; x < 1000; x++) {
		if (choose(flat, x) != 2)
			ck_abort_msg("x %u", x);
	}
	free(flat);
}
END_TEST

/* One more item, or one heavier: a choice stays, or goes to that item. */
START_TEST(grown_item_only_draws_to_itself)
{
	static const uint32_t before[] = {0x10000, 0x30000, 0x8000, 0x20000, 0};
	static const uint32_t after[] = {0x10000, 0x30000, 0x8000, 0x20000, 0x28000};
	struct flat *small = fixture_one("straw2", _i ? 5 : 4, before);
	struct flat *large = fixture_one("straw2", 5, after);
	uint32_t moved = 0;

	for (uint32_t x = 0; x < 20000; x++) {
		uint32_t to = choose(large, x);

		if (to == choose(small, x))
			continue;
		moved++;
		if (to != 4)
			ck_abort_msg("x %u moved to item %u", x, to);
	}
	/* 5 parts of 18. */
	ck_assert_uint_gt(moved, 5300);
	ck_assert_uint_lt(moved, 5800);
	free(small);
	free(large);
}
END_TEST

static const int32_t items[] = {0, 1, 2};
static const int32_t other_ids[] = {70, -8, 2000};
static const uint32_t rows[] = {0x10000, 0, 0, 0, 0x10000, 0};
static const struct fixture_args both = {-1, 2, rows, other_ids};
static const struct fixture_args ids_only = {-1, 0, NULL, other_ids};
static const struct fixture_bucket trio = {
	.id = -1, .type = 1, .count = 3, .items = items};

static struct flat *with_args(const struct fixture_args *args)
{
	struct fixture_set set = {0, 1, args};
	struct fixture_map map = {.device_count = 3,
				  .bucket_count = 1,
				  .buckets = &trio,
				  .set_count = 1,
				  .sets = &set};

	return fixture_flat(&map);
}

START_TEST(weight_set_position_picks_the_row)
{
	struct flat *flat = with_args(&both);
	static const uint32_t chosen[] = {0, 1, 1, 1};

	for (uint32_t position = 0; position < 4; position++) {
		struct select_in in = {
			.x = 5,
			.position = position,
			.args = flat_args_of(flat, flat_set_at(flat, 0), 0),
		};

		ck_assert_uint_eq(select_choose(flat_bucket_at(flat, 0), &in),
				  chosen[position]);
	}
	free(flat);
}
END_TEST

START_TEST(weight_set_ids_are_hashed_in_place_of_the_items)
{
	struct flat *flat = with_args(&ids_only);
	struct fixture_bucket renamed = trio;
	struct fixture_map map = {.bucket_count = 1, .buckets = &renamed};
	struct flat *other;
	uint32_t different = 0;

	renamed.items = other_ids;
	other = fixture_flat(&map);
	for (uint32_t x = 0; x < 1000; x++) {
		struct select_in in = {
			.x = x,
			.r = x % 5,
			.args = flat_args_of(flat, flat_set_at(flat, 0), 0),
		};
		uint32_t item = select_choose(flat_bucket_at(flat, 0), &in);

		if (item != choose(other, x))
			ck_abort_msg("x %u", x);
		different += item != choose(flat, x);
	}
	ck_assert_uint_gt(different, 500);
	free(flat);
	free(other);
}
END_TEST

TCase *check_select_straw2(void)
{
	TCase *tcase = tcase_create("select_straw2");

	tcase_add_test(tcase, choices_equal_the_definition);
	tcase_add_test(tcase, ties_take_the_lower_index);
	tcase_add_test(tcase, huge_weight_beats_all);
	tcase_add_loop_test(tcase, grown_item_only_draws_to_itself, 0, 2);
	tcase_add_test(tcase, weight_set_position_picks_the_row);
	tcase_add_test(tcase, weight_set_ids_are_hashed_in_place_of_the_items);
	return tcase;
}
