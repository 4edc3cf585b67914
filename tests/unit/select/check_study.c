/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "flat_fixture.h"
#include "study.h"
#include "support.h"

/* In units of 2^-57; long double has 64 bits on this machine, 53 at least elsewhere. */
static long double exact_log(uint64_t u)
{
	long double number = (long double)u + 1;

	return (64 - log2l(number)) * ldexpl(1, 57);
}

START_TEST(logarithm_is_exact_to_54_bits)
{
	uint64_t state = 7;

	for (int i = 0; i < 200000; i++) {
		uint64_t u = support_random(&state) >> support_below(&state, 64);
		long double wrong = (long double)study_log(u) - exact_log(u);

		if (fabsl(wrong) > (LDBL_MANT_DIG >= 64 ? 16 : 4096))
			ck_abort_msg("%#llx is wrong by %Lf", (unsigned long long)u,
				     wrong);
	}
}
END_TEST

START_TEST(logarithm_has_its_ends)
{
	ck_assert_uint_eq(study_log(0), (uint64_t)64 << 57);
	ck_assert_uint_eq(study_log(1), (uint64_t)63 << 57);
	ck_assert_uint_eq(study_log(UINT64_MAX), 0);
	ck_assert_uint_eq(study_log(UINT64_MAX / 2), (uint64_t)1 << 57);
}
END_TEST

START_TEST(scores_compare_as_products_and_quotients)
{
	uint64_t state = 3;

	for (int i = 0; i < 20000; i++) {
		uint64_t a = support_random(&state) >> 1, b = support_random(&state) >> 1;
		uint32_t v = 1 + support_below(&state, 1u << 31);
		uint32_t w = 1 + support_below(&state, 1u << 31);
		struct study_score left = study_times(a, v), right = study_times(b, w);
		long double distance = (long double)a * v - (long double)b * w;

		if (fabsl(distance) > (long double)a * v * 1e-12L)
			ck_assert_int_eq(study_is_better(&left, &right), distance > 0);
		left = study_by_weight(a, v);
		right = study_by_weight(b, w);
		distance = (long double)a / v - (long double)b / w;
		if (fabsl(distance) > (long double)a / v * 1e-12L)
			ck_assert_int_eq(study_is_better(&left, &right), distance < 0);
	}
}
END_TEST

/* In a bucket: attempts 0, 1, … come to different items while there are any. */
START_TEST(attempts_come_to_different_items)
{
	static const uint32_t weights[] = {0x10000, 0x20000, 0, 0x8000, 0x10000};
	const char *name = select_names()[_i];
	struct flat *flat;

	if (select_find(name)->study == NULL || select_find(name)->flags & SELECT_WRONG)
		return;
	flat = fixture_one(name, 5, weights);
	for (uint32_t x = 0; x < 500; x++) {
		unsigned seen = 0;

		for (uint32_t r = 0; r < 4; r++) {
			struct select_in in = {.x = x, .r = r};

			seen |= 1u << select_choose(flat_bucket_at(flat, 0), &in);
		}
		ck_assert_uint_eq(seen, 0x1b);
	}
	free(flat);
}
END_TEST

/* Round after round, as an item that is out is asked for again and again. */
START_TEST(later_attempts_come_to_all_items)
{
	const char *name = select_names()[_i];
	unsigned seen = 0;
	struct flat *flat;

	if (select_find(name)->study == NULL)
		return;
	flat = fixture_one(name, 3, NULL);
	for (uint32_t r = 100; r < 140; r++) {
		struct select_in in = {.x = 5, .r = r};

		seen |= 1u << select_choose(flat_bucket_at(flat, 0), &in);
	}
	ck_assert_uint_eq(seen, 7);
	free(flat);
}
END_TEST

START_TEST(weightless_bucket_gives_its_first)
{
	static const uint32_t weights[] = {0, 0, 0};
	const char *name = select_names()[_i];
	struct flat *flat = fixture_one(name, 3, weights);
	struct select_in in = {.x = 5};

	if (select_find(name)->study)
		ck_assert_uint_eq(select_choose(flat_bucket_at(flat, 0), &in), 0);
	free(flat);
}
END_TEST

/* Those that promise it, of what has no history. */
static const char *const consistent[] = {
	"ring", "rendezvous", "rendezvous-log", "carp",      "jump",
	"glb",  "maglev",     "groups",         "straw2-32", "naive-weights"};

#define CONSISTENT_COUNT ((int)(sizeof(consistent) / sizeof(consistent[0])))

/* An eighth has to move. */
START_TEST(bucket_of_one_item_more_moves_little)
{
	struct flat *old = fixture_one(consistent[_i], 7, NULL);
	struct flat *new = fixture_one(consistent[_i], 8, NULL);
	unsigned moved = 0;

	for (uint32_t x = 0; x < 4000; x++) {
		struct select_in in = {.x = x};

		moved += select_choose(flat_bucket_at(old, 0), &in) !=
			 select_choose(flat_bucket_at(new, 0), &in);
	}
	ck_assert_msg(moved > 350 && moved < 750, "%s moves %u of 4000", consistent[_i],
		      moved);
	free(old);
	free(new);
}
END_TEST

TCase *check_study(void)
{
	TCase *tcase = tcase_create("study");
	int count = 0;

	while (select_names()[count])
		count++;
	tcase_add_test(tcase, logarithm_is_exact_to_54_bits);
	tcase_add_test(tcase, logarithm_has_its_ends);
	tcase_add_test(tcase, scores_compare_as_products_and_quotients);
	tcase_add_loop_test(tcase, attempts_come_to_different_items, 0, count);
	tcase_add_loop_test(tcase, later_attempts_come_to_all_items, 0, count);
	tcase_add_loop_test(tcase, weightless_bucket_gives_its_first, 0, count);
	tcase_add_loop_test(tcase, bucket_of_one_item_more_moves_little, 0,
			    CONSISTENT_COUNT);
	return tcase;
}
