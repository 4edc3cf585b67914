/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "flat_fixture.h"
#include "select.h"
#include "support.h"

static const char *const expected[] = {"straw2", "straw", "list", "tree", "uniform"};

START_TEST(every_selector_is_found_by_name_and_place)
{
	const struct select_ops *ops = select_find(expected[_i]);

	ck_assert_ptr_nonnull(ops);
	ck_assert_str_eq(ops->name, expected[_i]);
	ck_assert_str_eq(select_names()[_i], expected[_i]);
	ck_assert_int_eq(select_index(ops), _i);
	ck_assert_ptr_eq(select_at((uint16_t)_i), ops);
	ck_assert_ptr_nonnull(ops->choose);
	ck_assert_ptr_nonnull(ops->explain);
	ck_assert_uint_gt(strlen(ops->summary), 10);
	ck_assert_int_eq(ops->table_words == NULL, ops->prepare == NULL);
	ck_assert_uint_eq(ops->flags & (SELECT_WEIGHTED | SELECT_PERMUTES),
			  strcmp(ops->name, "uniform") ? SELECT_WEIGHTED
						       : SELECT_PERMUTES);
	ck_assert_int_eq((ops->flags & SELECT_SETS) != 0,
			 strcmp(ops->name, "straw2") == 0);
}
END_TEST

/* What isn't Ceph's comes after what is. */
START_TEST(study_selectors_follow)
{
	size_t count = 0;

	for (; select_names()[count]; count++) {
		const struct select_ops *ops = select_find(select_names()[count]);

		ck_assert_ptr_nonnull(ops);
		ck_assert_str_eq(ops->name, select_names()[count]);
		ck_assert_uint_eq(select_index(ops), count);
		ck_assert_int_eq(ops->study != NULL, count >= FIXTURE_COUNT(expected));
		ck_assert_int_eq((ops->flags & SELECT_STUDY) != 0, ops->study != NULL);
	}
	ck_assert_uint_gt(count, FIXTURE_COUNT(expected));
}
END_TEST

START_TEST(other_names_are_not_found)
{
	ck_assert_ptr_null(select_find("straw3"));
	ck_assert_ptr_null(select_find("straw2x"));
	ck_assert_ptr_null(select_find(""));
}
END_TEST

/* What the candidates say, by the rules of each selector. */
static uint32_t winner(const char *name, const struct select_candidate *candidates,
		       uint32_t count)
{
	uint32_t best = 0;

	if (name[0] != 's') {
		const struct select_candidate *last = &candidates[count - 1];

		if (strcmp(name, "list") == 0 && last->straw >= last->weight)
			ck_assert_uint_eq(last->item, 0);
		return last->item;
	}
	for (uint32_t i = 1; i < count; i++)
		if (candidates[i].straw > candidates[best].straw)
			best = i;
	return candidates[best].item;
}

static void compare_explained(const char *name, const struct flat_bucket *bucket,
			      const struct select_in *in, uint32_t item)
{
	struct select_candidate candidates[64 + SELECT_CANDIDATES_MORE];
	uint32_t count;

	count = select_explain(bucket, in, candidates);
	ck_assert_uint_le(count, bucket->count + SELECT_CANDIDATES_MORE);
	if (winner(name, candidates, count) != item)
		ck_abort_msg("%s of %u: item %u", name, bucket->count, item);
	count = select_explain_permuted(bucket, in, candidates);
	ck_assert_uint_eq(count, in->r % bucket->count + 1);
	ck_assert_uint_eq(candidates[count - 1].item, select_permute(bucket, in));
}

/* What a bucket of any size must keep to. */
static void probe(const char *name, uint32_t count, uint64_t *seed)
{
	uint32_t weights[64];
	struct flat *flat;

	for (uint32_t i = 0; i < count; i++)
		weights[i] = 1 + support_below(seed, 0x100000);
	flat = fixture_one(name, count, weights);
	for (uint32_t x = 0; x < 500; x++) {
		struct select_in in = {.x = x * 2654435761u, .r = x % 70, .position = x};
		uint32_t first = select_choose(flat_bucket_at(flat, 0), &in);

		if (first >= count ||
		    select_choose(flat_bucket_at(flat, 0), &in) != first)
			ck_abort_msg("%s of %u: item %u", name, count, first);
		compare_explained(name, flat_bucket_at(flat, 0), &in, first);
	}
	free(flat);
}

START_TEST(choices_stay_inside_and_repeat)
{
	uint64_t seed = 1;

	for (uint32_t count = 1; count <= 64; count++)
		probe(expected[_i], count, &seed);
}
END_TEST

/* Items of weight 0 among others; uniform buckets have no such thing. */
START_TEST(zero_weight_never_chosen)
{
	static const uint32_t weights[] = {0, 0x10000, 0, 1, 0x18000, 0, 0x8000, 0};
	struct flat *flat = fixture_one(expected[_i], 8, weights);

	for (uint32_t x = 0; x < 20000; x++) {
		struct select_in in = {.x = x};
		uint32_t item = select_choose(flat_bucket_at(flat, 0), &in);

		if (weights[item] == 0)
			ck_abort_msg("x %u: item %u of weight 0", x, item);
	}
	free(flat);
}
END_TEST

/* Each selector has its own rule for buckets whose weights are all 0: the first item, but
 * a tree walks right. */
START_TEST(all_weights_zero_give_a_fixed_item)
{
	static const uint32_t weights[6] = {0};
	struct flat *flat = fixture_one(expected[_i], 6, weights);
	uint32_t fixed = strcmp(expected[_i], "tree") ? 0 : 5;

	for (uint32_t x = 0; x < 100; x++) {
		struct select_in in = {.x = x, .r = x % 3};

		ck_assert_uint_eq(select_choose(flat_bucket_at(flat, 0), &in), fixed);
	}
	free(flat);
}
END_TEST

/* 2, 1, 1 and 4 parts of 8: how often each is chosen, in 80,000 inputs. The bands are six
 * standard deviations wide each way. */
START_TEST(spread_follows_weights)
{
	static const uint32_t weights[] = {0x20000, 0x10000, 0x10000, 0x40000};
	struct flat *flat = fixture_one(expected[_i], 4, weights);
	uint32_t hits[4] = {0};

	for (uint32_t x = 0; x < 80000; x++) {
		struct select_in in = {.x = x};

		hits[select_choose(flat_bucket_at(flat, 0), &in)]++;
	}
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t fair = 10000 * (weights[i] >> 16);

		ck_assert_uint_gt(hits[i], fair - 850);
		ck_assert_uint_lt(hits[i], fair + 850);
	}
	free(flat);
}
END_TEST

TCase *check_select(void)
{
	TCase *tcase = tcase_create("select");
	int count = (int)FIXTURE_COUNT(expected), weighted = count - 1;

	tcase_add_loop_test(tcase, every_selector_is_found_by_name_and_place, 0, count);
	tcase_add_test(tcase, study_selectors_follow);
	tcase_add_test(tcase, other_names_are_not_found);
	tcase_add_loop_test(tcase, choices_stay_inside_and_repeat, 0, count);
	tcase_add_loop_test(tcase, zero_weight_never_chosen, 0, weighted);
	tcase_add_loop_test(tcase, all_weights_zero_give_a_fixed_item, 0, weighted);
	tcase_add_loop_test(tcase, spread_follows_weights, 0, weighted);
	return tcase;
}
