/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>

#include "flat_fixture.h"
#include "hash.h"
#include "select.h"

START_TEST(table_holds_running_sums)
{
	static const uint32_t weights[] = {3, 0, 0x10000, 7};
	struct flat *flat = fixture_one("list", 4, weights);
	const uint32_t *sums = flat_table(flat_bucket_at(flat, 0));

	ck_assert_uint_eq(flat_bucket_at(flat, 0)->table_words, 4);
	ck_assert_uint_eq(sums[0], 3);
	ck_assert_uint_eq(sums[1], 3);
	ck_assert_uint_eq(sums[2], 0x10003);
	ck_assert_uint_eq(sums[3], 0x1000a);
	free(flat);
}
END_TEST

/* Is an item drawn, when those behind it were not? */
static int is_drawn(uint32_t x, uint32_t item, uint64_t sum, uint32_t weight)
{
	uint64_t draw = hash_4(x, item, 0, (uint32_t)-1) & 0xffff;

	return (draw * sum) >> 16 < weight;
}

START_TEST(walk_goes_from_the_last_item_to_the_first)
{
	static const uint32_t weights[] = {0x10000, 0x20000, 0x8000};
	struct flat *flat = fixture_one("list", 3, weights);

	for (uint32_t x = 0; x < 3000; x++) {
		struct select_in in = {.x = x};
		uint32_t item = is_drawn(x, 2, 0x38000, 0x8000)    ? 2
				: is_drawn(x, 1, 0x30000, 0x20000) ? 1
								   : 0;

		if (select_choose(flat_bucket_at(flat, 0), &in) != item)
			ck_abort_msg("x %u", x);
	}
	free(flat);
}
END_TEST

START_TEST(appended_item_only_draws_to_itself)
{
	static const uint32_t weights[] = {0x10000, 0x20000, 0x8000, 0x10000};
	struct flat *small = fixture_one("list", 3, weights);
	struct flat *large = fixture_one("list", 4, weights);

	for (uint32_t x = 0; x < 5000; x++) {
		struct select_in in = {.x = x};
		uint32_t to = select_choose(flat_bucket_at(large, 0), &in);

		if (to != 3 && to != select_choose(flat_bucket_at(small, 0), &in))
			ck_abort_msg("x %u", x);
	}
	free(small);
	free(large);
}
END_TEST

TCase *check_select_list(void)
{
	TCase *tcase = tcase_create("select_list");

	tcase_add_test(tcase, table_holds_running_sums);
	tcase_add_test(tcase, walk_goes_from_the_last_item_to_the_first);
	tcase_add_test(tcase, appended_item_only_draws_to_itself);
	return tcase;
}
