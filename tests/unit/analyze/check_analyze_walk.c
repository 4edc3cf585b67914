/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdatomic.h>

#include "analyze.h"
#include "analyze_support.h"
#include "support.h"

struct counted {
	uint64_t next;
	uint64_t wrong;
	size_t words;
};

static void put_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
		      strew_scratch *const scratch[2])
{
	const struct counted *counted = ctx;

	for (size_t i = 0; i < count * counted->words; i++)
		words[i] = scratch[0] ? (int32_t)(first + i / counted->words) : -1;
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	struct counted *counted = ctx;

	counted->wrong += unit != counted->next++ || words[0] != (int32_t)unit ||
			  words[counted->words - 1] != (int32_t)unit;
	return unit == 99999 ? STREW_EIO : STREW_OK;
}

static const struct {
	uint64_t units;
	size_t words;
	const strew_executor *executor;
	uint64_t taken;
	strew_status status;
} walks[] = {
	{0, 1, NULL, 0, STREW_OK},
	{1, 1, NULL, 1, STREW_OK},
	{4096, 1, NULL, 4096, STREW_OK},
	{10000, 3, NULL, 10000, STREW_OK},
	{70, 70000, NULL, 70, STREW_OK}, /* a unit larger than a chunk */
	{0, 1, &four_threads, 0, STREW_OK},
	{300000, 3, &four_threads, 100000, STREW_EIO},
	{70, 70000, &four_threads, 70, STREW_OK},
	{90000, 1, &four_threads, 90000, STREW_OK},
};

START_TEST(units_come_once_and_in_order)
{
	strew_placer *placer = finish_map(start_three());
	struct counted counted = {.words = walks[_i].words};
	struct analyze_walk walk = {.units = walks[_i].units,
				    .words = walks[_i].words,
				    .placers = {placer, NULL},
				    .place = put_units,
				    .take = take_unit,
				    .ctx = &counted};
	strew_run run = STREW_RUN_INIT;

	run.executor = walks[_i].executor;
	ck_assert_int_eq(analyze_walk(&walk, &run, NULL), walks[_i].status);
	ck_assert_uint_eq(counted.next, walks[_i].taken);
	ck_assert_uint_eq(counted.wrong, 0);
	strew_placer_release(placer);
}
END_TEST

struct ticks {
	atomic_uint_fast64_t last;
	atomic_size_t count;
	size_t stop_at;
};

static int tick(void *ctx, uint64_t done, uint64_t total)
{
	struct ticks *ticks = ctx;

	if (done == total)
		atomic_store(&ticks->last, done);
	return atomic_fetch_add(&ticks->count, 1) + 1 == ticks->stop_at;
}

static const struct {
	const strew_executor *executor;
	size_t stop_at;
	strew_status status;
} progresses[] = {
	{NULL, 0, STREW_OK},
	{&four_threads, 0, STREW_OK},
	{NULL, 2, STREW_ECANCELED},
	{&four_threads, 2, STREW_ECANCELED},
};

START_TEST(progress_counts_to_the_end_or_stops)
{
	strew_placer *placer = finish_map(start_three());
	strew_inputs inputs = STREW_INPUTS_INIT;
	struct ticks ticks = {.stop_at = progresses[_i].stop_at};
	strew_progress progress = {tick, &ticks};
	strew_run run = STREW_RUN_INIT;
	strew_result *result;
	strew_error error;

	run.executor = progresses[_i].executor;
	run.progress = &progress;
	inputs.rule = 0;
	inputs.want = 2;
	inputs.last = 19999;
	ck_assert_int_eq(strew_diff(&result, placer, placer, &inputs, NULL, &run, &error),
			 progresses[_i].status);
	if (progresses[_i].status) {
		ck_assert_ptr_null(result);
		ck_assert_str_eq(error.text, "canceled by the caller");
	} else {
		/* Of the walk itself, and of those that may tell why so much moves. */
		ck_assert_uint_gt(ticks.last, 0);
		ck_assert_uint_eq(ticks.last % 20000, 0);
		/* Often enough to show how far it is, and to cancel. */
		ck_assert_uint_gt(ticks.count, 50);
	}
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_walk(void)
{
	TCase *tcase = tcase_create("analyze_walk");

	tcase_add_loop_test(tcase, units_come_once_and_in_order, 0,
			    (int)(sizeof(walks) / sizeof(walks[0])));
	tcase_add_loop_test(tcase, progress_counts_to_the_end_or_stops, 0,
			    (int)(sizeof(progresses) / sizeof(progresses[0])));
	return tcase;
}
