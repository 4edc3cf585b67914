/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "flat_fixture.h"
#include "hash.h"
#include "select.h"

#define MAX 64

/* The permutation as it is defined, with memory. */
static void permute(uint32_t *places, uint32_t count, uint32_t x)
{
	for (uint32_t i = 0; i < count; i++)
		places[i] = i;
	for (uint32_t p = 0; p + 1 < count; p++) {
		uint32_t other = p + hash_3(x, (uint32_t)-1, p) % (count - p);
		uint32_t kept = places[p];

		places[p] = places[other];
		places[other] = kept;
	}
}

static uint32_t permuted(const struct flat *flat, uint32_t x, uint32_t r)
{
	struct select_in in = {.x = x, .r = r};

	return select_permute(flat_bucket_at(flat, 0), &in);
}

static void compare(uint32_t count, uint32_t x)
{
	struct flat *flat = fixture_one("uniform", count, NULL);
	uint32_t places[MAX];

	permute(places, count, x);
	for (uint32_t r = 0; r < 2 * count; r++) {
		struct select_in in = {.x = x, .r = r};
		uint32_t item = select_choose(flat_bucket_at(flat, 0), &in);

		if (item != places[r % count] || item != permuted(flat, x, r))
			ck_abort_msg("count %u, x %u, r %u", count, x, r);
	}
	free(flat);
}

START_TEST(places_equal_those_of_the_whole_permutation)
{
	static const uint32_t counts[] = {1, 2, 3, 5, 8, 31, 64};

	for (uint32_t x = 0; x < 50; x++) {
		for (size_t i = 0; i < FIXTURE_COUNT(counts); i++)
			compare(counts[i], x * 977);
	}
}
END_TEST

START_TEST(any_bucket_can_be_permuted)
{
	static const uint32_t weights[] = {0, 1, 0x20000, 5};
	struct flat *flat = fixture_one("straw2", 4, weights);
	uint32_t places[4];

	for (uint32_t x = 0; x < 200; x++) {
		permute(places, 4, x);
		for (uint32_t r = 0; r < 4; r++)
			ck_assert_uint_eq(permuted(flat, x, r), places[r]);
	}
	free(flat);
}
END_TEST

/* r below 0 counts as a number without a sign. */
START_TEST(negative_attempts_wrap)
{
	struct flat *flat = fixture_one("uniform", 7, NULL);

	for (uint32_t x = 0; x < 100; x++)
		ck_assert_uint_eq(permuted(flat, x, (uint32_t)-1),
				  permuted(flat, x, 0xffffffff % 7));
	free(flat);
}
END_TEST

START_TEST(each_item_comes_first_equally_often)
{
	struct flat *flat = fixture_one("uniform", 5, NULL);
	uint32_t hits[5] = {0};

	for (uint32_t x = 0; x < 50000; x++)
		hits[permuted(flat, x, 0)]++;
	for (uint32_t i = 0; i < 5; i++) {
		ck_assert_uint_gt(hits[i], 9450);
		ck_assert_uint_lt(hits[i], 10550);
	}
	free(flat);
}
END_TEST

/* A hash that isn't known gives 0, which swaps nothing. */
START_TEST(unknown_hash_keeps_the_order)
{
	static const int32_t items[] = {0, 1, 2};
	static const struct fixture_bucket bucket = {.id = -1,
						     .type = 1,
						     .alg = "uniform",
						     .count = 3,
						     .items = items,
						     .hash = 7};
	struct fixture_map map = {
		.device_count = 3, .bucket_count = 1, .buckets = &bucket};
	struct flat *flat = fixture_flat(&map);

	for (uint32_t r = 0; r < 9; r++)
		ck_assert_uint_eq(permuted(flat, 99, r), r % 3);
	free(flat);
}
END_TEST

TCase *check_select_permute(void)
{
	TCase *tcase = tcase_create("select_permute");

	tcase_add_test(tcase, places_equal_those_of_the_whole_permutation);
	tcase_add_test(tcase, any_bucket_can_be_permuted);
	tcase_add_test(tcase, negative_attempts_wrap);
	tcase_add_test(tcase, each_item_comes_first_equally_often);
	tcase_add_test(tcase, unknown_hash_keeps_the_order);
	return tcase;
}
