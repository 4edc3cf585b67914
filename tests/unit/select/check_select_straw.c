/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>

#include "flat_fixture.h"
#include "hash.h"
#include "select.h"
#include "support.h"

/* Worked by hand: the formula is in doc/selectors/straw.md. */
static const struct {
	uint8_t version;
	uint32_t count;
	uint32_t weights[4];
	uint32_t lengths[4];
} cases[] = {
	{1, 1, {0x10000}, {65536}},
	{1, 2, {0x10000, 0x10000}, {65536, 65536}},
	/* 1.5 */
	{1, 2, {0x10000, 0x20000}, {65536, 98304}},
	{1, 2, {0x20000, 0x10000}, {98304, 65536}},
	/* sqrt(5/3), and that × 7/5 */
	{1, 3, {0x10000, 0x20000, 0x40000}, {65536, 84606, 118449}},
	{0, 3, {0x10000, 0x20000, 0x40000}, {65536, 84606, 118449}},
	/* Equal weights: version 0 counts them once, and errs. */
	{1, 3, {0x10000, 0x10000, 0x20000}, {65536, 65536, 87381}},
	{0, 3, {0x10000, 0x10000, 0x20000}, {65536, 65536, 84606}},
	/* Items of weight 0: version 0 counts them among the heavier ones, and errs. */
	{1, 3, {0, 0x10000, 0x20000}, {0, 65536, 98304}},
	{0, 3, {0, 0x10000, 0x20000}, {0, 65536, 84606}},
	{1, 2, {0, 0}, {0, 0}},
};

START_TEST(lengths_are_as_worked_by_hand)
{
	const struct select_ops *ops = select_find("straw");
	struct support_heap heap;
	uint32_t lengths[4];
	struct select_source source = {
		.count = cases[_i].count,
		.weights = cases[_i].weights,
		.straw_calc_version = cases[_i].version,
	};

	support_heap_init(&heap);
	ck_assert_uint_eq(ops->table_words(source.count), source.count);
	ck_assert_int_eq(ops->prepare(&source, lengths, &heap.allocator, NULL), STREW_OK);
	ck_assert_uint_eq(heap.blocks, 0);
	for (uint32_t i = 0; i < source.count; i++)
		ck_assert_uint_eq(lengths[i], cases[_i].lengths[i]);
}
END_TEST

START_TEST(failed_allocation_is_told)
{
	const struct select_ops *ops = select_find("straw");
	struct support_heap heap;
	strew_error error = {0};
	uint32_t lengths[4];
	struct select_source source = {.count = 4, .weights = cases[4].weights};

	support_heap_init(&heap);
	heap.fail_at = 1;
	ck_assert_int_eq(ops->prepare(&source, lengths, &heap.allocator, &error),
			 STREW_ENOMEM);
	ck_assert_int_eq(error.status, STREW_ENOMEM);
}
END_TEST

START_TEST(longest_straw_wins)
{
	static const uint32_t weights[] = {0x10000, 0x20000, 0x20000, 0x48000, 0};
	struct flat *flat = fixture_one("straw", 5, weights);
	const struct flat_bucket *bucket = flat_bucket_at(flat, 0);
	const uint32_t *lengths = flat_table(bucket);

	for (uint32_t x = 0; x < 5000; x++) {
		struct select_in in = {.x = x, .r = x % 9};
		uint64_t longest = 0;
		uint32_t best = 0;

		for (uint32_t i = 0; i < 5; i++) {
			uint64_t draw =
				(uint64_t)(hash_3(x, i, x % 9) & 0xffff) * lengths[i];

			best = draw > longest ? i : best;
			longest = draw > longest ? draw : longest;
		}
		if (select_choose(bucket, &in) != best)
			ck_abort_msg("x %u", x);
	}
	free(flat);
}
END_TEST

TCase *check_select_straw(void)
{
	TCase *tcase = tcase_create("select_straw");

	tcase_add_loop_test(tcase, lengths_are_as_worked_by_hand, 0,
			    (int)FIXTURE_COUNT(cases));
	tcase_add_test(tcase, failed_allocation_is_told);
	tcase_add_test(tcase, longest_straw_wins);
	return tcase;
}
