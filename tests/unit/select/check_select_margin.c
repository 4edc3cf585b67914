/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "flat_fixture.h"
#include "straw2_kernel.h"
#include "support.h"

#define ITEMS     600 /* more than two parts */
#define QUESTIONS 300
#define ROUNDS    60

struct content {
	uint32_t count;
	int32_t items[ITEMS];
	uint32_t weights[ITEMS];
};

static struct flat *lay_out(const struct content *content)
{
	struct fixture_bucket bucket = {.id = -1,
					.type = 1,
					.count = content->count,
					.items = content->items,
					.weights = content->weights};
	struct fixture_map map = {.device_count = ITEMS,
				  .bucket_count = 1,
				  .buckets = &bucket,
				  .tunables = FIXTURE_TUNABLES};

	return fixture_flat(&map);
}

static struct select_side side_of(const struct flat *flat)
{
	return (struct select_side){.bucket = flat_bucket_at(flat, 0)};
}

/* Weights of any size, of which all or none may be alike. */
static void make_content(struct content *content, uint64_t *seed)
{
	uint32_t most = 0x7fffffffu >> support_below(seed, 24);
	bool equal = support_below(seed, 3) == 0;

	content->count = support_below(seed, 4) ? 1 + support_below(seed, 30)
						: 1 + support_below(seed, ITEMS);
	most /= 2 * content->count;
	for (uint32_t i = 0; i < content->count; i++) {
		content->items[i] = (int32_t)i;
		content->weights[i] = 1 + support_below(seed, most + 1);
		if (equal)
			content->weights[i] = content->weights[0];
	}
}

/* Each a little lighter or heavier: by 1/4096 to an eighth, at most. */
static void nudge(struct content *content, uint64_t *seed)
{
	uint32_t part = 8u << support_below(seed, 10);

	for (uint32_t i = 0; i < content->count; i++) {
		uint32_t weight = content->weights[i];
		uint32_t step = support_below(seed, weight / part + 1);

		content->weights[i] =
			support_below(seed, 2) ? weight + step : weight - step;
	}
}

static void make_inputs(uint32_t *xs, uint64_t *seed)
{
	for (uint32_t i = 0; i < QUESTIONS; i++)
		xs[i] = (uint32_t)support_random(seed);
}

/* @return how many answers were said to be the same. */
static uint32_t check_margins(const struct flat *from, const struct flat *to,
			      const uint32_t *xs, const uint8_t *margins, uint32_t needed)
{
	uint32_t told = 0;

	for (uint32_t i = 0; i < QUESTIONS; i++) {
		struct select_in in = {.x = xs[i], .r = 7};
		uint32_t was = select_choose(flat_bucket_at(from, 0), &in);
		uint32_t is = select_choose(flat_bucket_at(to, 0), &in);

		if (margins[i] < needed)
			continue;
		told++;
		if (was != is)
			ck_abort_msg("x %u: item %u, then %u; margin %u of %u", xs[i],
				     was, is, margins[i], needed);
	}
	return told;
}

START_TEST(answers_with_the_needed_margin_stay)
{
	const struct select_kernel *kernel = select_kernel_at((size_t)_i);
	uint32_t xs[QUESTIONS], told = 0;
	uint8_t margins[QUESTIONS];
	uint64_t seed = 11;

	for (int i = 0; kernel && i < ROUNDS; i++) {
		static struct content content;
		struct select_weighing weighing;
		struct flat *from, *to;
		struct select_side side;

		make_content(&content, &seed);
		make_inputs(xs, &seed);
		from = lay_out(&content);
		side = side_of(from);
		ck_assert(select_weigh(&weighing, &side, &base_heap));
		select_measure(kernel, &weighing, xs, 7, QUESTIONS, margins);
		ck_assert_uint_eq(select_needed_margin(&weighing, &side), 1);
		for (int k = 0; k < 4; k++) {
			nudge(&content, &seed);
			to = lay_out(&content);
			side = side_of(to);
			told += check_margins(from, to, xs, margins,
					      select_needed_margin(&weighing, &side));
			free(to);
		}
		select_weighing_free(&weighing, &base_heap);
		free(from);
	}
	if (kernel == NULL)
		return;
	/* The definition alone tells of none. */
	if (kernel->mixed)
		ck_assert_uint_gt(told, ROUNDS * 4 * QUESTIONS / 2);
	else
		ck_assert_uint_eq(told, 0);
}
END_TEST

static uint32_t needed_for(const struct content *from, const struct content *to)
{
	struct flat *old = lay_out(from), *new = lay_out(to);
	struct select_side a = side_of(old), b = side_of(new);
	struct select_weighing weighing;
	uint32_t needed;

	ck_assert(select_weigh(&weighing, &a, &base_heap));
	needed = select_needed_margin(&weighing, &b);
	select_weighing_free(&weighing, &base_heap);
	free(old);
	free(new);
	return needed;
}

START_TEST(what_is_needed_is_the_rise_times_the_fall)
{
	struct content from = {
		.count = 3, .items = {0, 1, 2}, .weights = {64000, 64000, 0}};
	struct content to = from;

	to.weights[0] = 64001;
	ck_assert_uint_eq(needed_for(&from, &to), 1);
	ck_assert_uint_eq(needed_for(&to, &from), 1);
	to.weights[0] = 64000 + 640;
	ck_assert_uint_eq(needed_for(&from, &to), 11);
	ck_assert_uint_eq(needed_for(&to, &from), 11);
	to.weights[1] = 64000 - 640;
	ck_assert_uint_eq(needed_for(&from, &to), 21);
	to.weights[0] = 128001;
	ck_assert_uint_eq(needed_for(&from, &to), SELECT_NO_MARGIN);
	/* From or to nothing no factor leads, nor from one item to another. */
	to = from;
	to.weights[2] = 1;
	ck_assert_uint_eq(needed_for(&from, &to), SELECT_NO_MARGIN);
	ck_assert_uint_eq(needed_for(&to, &from), SELECT_NO_MARGIN);
	to = from;
	to.items[2] = 3;
	ck_assert_uint_eq(needed_for(&from, &to), SELECT_NO_MARGIN);
	to = from;
	to.count = 2;
	ck_assert_uint_eq(needed_for(&from, &to), SELECT_NO_MARGIN);
}
END_TEST

TCase *check_select_margin(void)
{
	TCase *tcase = tcase_create("select_margin");

	tcase_add_loop_test(tcase, answers_with_the_needed_margin_stay, 0, 5);
	tcase_add_test(tcase, what_is_needed_is_the_rise_times_the_fall);
	return tcase;
}
