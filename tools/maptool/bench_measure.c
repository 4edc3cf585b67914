/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define INPUTS_MAX 16384
/* Fewer would starve what places many side by side. */
#define INPUTS_MIN 128
/* What a turn of ours should take at least, in parts of one of the peer's; as long as
 * that where threads have to be started for it, which isn't what is measured. */
#define OURS_PART 4

struct lane {
	strew_scratch *scratch;
	void *workspace;
	int32_t *rows;
};

struct bench {
	const struct bench_work *work;
	struct lane *lanes; /* one for each thread */
	strew_executor executor;
	uint32_t inputs[INPUTS_MAX];
	size_t count; /* how many of these */
	bool peer;    /* whose turn it is */
	int passes;   /* how often all inputs are placed in it */
};

struct turn {
	double peer;
	double ours;
};

static void place_theirs(const struct bench *bench, const struct lane *lane)
{
	const struct bench_work *work = bench->work;
	const struct bench_peer *made = work->peer;

	for (size_t i = 0; i < bench->count; i++) {
		int32_t *row = lane->rows + i * (size_t)work->want;
		int count = made->peer->do_rule(
			made->map, work->rule, (int)bench->inputs[i], row, work->want,
			made->reweights, made->devices, lane->workspace, NULL);

		for (; count < work->want; count++)
			row[count] = STREW_NONE;
	}
}

static void place_ours(const struct bench *bench, const strew_placer *placer,
		       const struct lane *lane)
{
	const struct bench_work *work = bench->work;

	/* What could fail was seen before. */
	if (!work->single) {
		strew_place_many(placer, work->rule, bench->inputs, bench->count,
				 lane->rows, work->want, lane->scratch);
		return;
	}
	for (size_t i = 0; i < bench->count; i++) {
		int32_t *row = lane->rows + i * (size_t)work->want;
		int count = strew_place(placer, work->rule, bench->inputs[i], row,
					work->want, lane->scratch);

		for (; count < work->want; count++)
			row[count] = STREW_NONE;
	}
}

static void place(void *arg, size_t index)
{
	const struct bench *bench = arg;
	const struct lane *lane = &bench->lanes[index];

	for (int i = 0; i < bench->passes; i++) {
		if (bench->peer)
			place_theirs(bench, lane);
		else
			place_ours(bench, bench->work->placer, lane);
	}
}

/** One thread's own time, which neighbours don't count in; several are timed by the wall.
 */
static double now(const struct bench *bench)
{
	struct timespec time;

	clock_gettime(bench->work->threads == 1 ? CLOCK_THREAD_CPUTIME_ID
						: CLOCK_MONOTONIC,
		      &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/** @return nanoseconds for a mapping */
static double take_turn(struct bench *bench, bool peer, int passes)
{
	size_t threads = bench->work->threads;
	double start = now(bench);

	bench->peer = peer;
	bench->passes = passes;
	bench->executor.run(bench->executor.ctx, threads, place, bench);
	return (now(bench) - start) /
	       ((double)bench->count * (double)passes * (double)threads);
}

static bool add_lanes(struct bench *bench)
{
	const struct bench_work *work = bench->work;
	size_t words = (size_t)INPUTS_MAX * (size_t)work->want;

	bench->lanes = cli_resize(NULL, work->threads, sizeof(*bench->lanes));
	memset(bench->lanes, 0, work->threads * sizeof(*bench->lanes));
	for (size_t i = 0; i < work->threads; i++) {
		struct lane *lane = &bench->lanes[i];

		lane->rows = cli_resize(NULL, words, sizeof(*lane->rows));
		if (strew_scratch_new(&lane->scratch, work->placer, NULL) != STREW_OK)
			return false;
		if (work->peer == NULL)
			continue;
		lane->workspace =
			peer_workspace(work->peer->peer, work->peer->map, work->want);
		if (lane->workspace == NULL)
			return false;
	}
	return true;
}

static void free_lanes(struct bench *bench)
{
	for (size_t i = 0; i < bench->work->threads; i++) {
		strew_scratch_free(bench->lanes[i].scratch);
		free(bench->lanes[i].workspace);
		free(bench->lanes[i].rows);
	}
	free(bench->lanes);
}

/** As many inputs as a turn of the peer, or else of the plain code, has time for. */
static void choose_inputs(struct bench *bench)
{
	double start, cost;

	for (uint32_t i = 0; i < INPUTS_MAX; i++)
		bench->inputs[i] = i * 2654435761u;
	bench->count = INPUTS_MIN / 4;
	start = now(bench);
	if (bench->work->peer)
		place_theirs(bench, bench->lanes);
	else
		place_ours(bench, bench->work->plain, bench->lanes);
	cost = (now(bench) - start) / (double)bench->count;
	bench->count = INPUTS_MIN;
	while (bench->count < INPUTS_MAX &&
	       cost * 2 * (double)bench->count < bench->work->nanos)
		bench->count *= 2;
}

/** @return the first input placed otherwise than `expected` says, or -1 */
static int64_t find_other(const struct bench *bench, const int32_t *expected)
{
	size_t want = (size_t)bench->work->want;

	for (size_t i = 0; i < bench->count; i++)
		if (memcmp(bench->lanes->rows + i * want, expected + i * want,
			   want * sizeof(*expected)) != 0)
			return bench->inputs[i];
	return -1;
}

/** Nothing is told of the speed of wrong answers. */
static int check(struct bench *bench, const int32_t *expected, bool peer)
{
	const struct bench_work *work = bench->work;
	const strew_map *map = strew_placer_map(work->placer);
	int64_t other;

	bench->peer = peer;
	bench->passes = 1;
	place(bench, 0);
	other = find_other(bench, expected);
	if (other < 0)
		return CLI_DONE;
	cli_error("%s: rule %s: %s places input %" PRId64
		  " otherwise than the plain code",
		  work->map, strew_map_rule_name(map, work->rule),
		  peer ? "the peer" : strew_placer_kernel(work->placer), other);
	return peer ? CLI_NO : CLI_FAILED;
}

static int check_both(struct bench *bench)
{
	size_t words = bench->count * (size_t)bench->work->want;
	int32_t *expected = cli_resize(NULL, words, sizeof(*expected));
	int code;

	place_ours(bench, bench->work->plain, bench->lanes);
	memcpy(expected, bench->lanes->rows, words * sizeof(*expected));
	code = check(bench, expected, false);
	if (code == CLI_DONE && bench->work->peer)
		code = check(bench, expected, true);
	free(expected);
	return code;
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/** The value below which `quarters` of them are. Sorts them. */
static double quartile(double *values, int count, int quarters)
{
	qsort(values, (size_t)count, sizeof(*values), compare);
	return values[(count - 1) * quarters / 4];
}

static void tell(strew_measurement *out, const struct turn *turns, int count, bool peer)
{
	double ours[BENCH_TURNS_MAX], theirs[BENCH_TURNS_MAX], ratios[BENCH_TURNS_MAX];

	for (int i = 0; i < count; i++) {
		ours[i] = turns[i].ours;
		theirs[i] = turns[i].peer;
		ratios[i] = turns[i].peer / turns[i].ours;
	}
	out->ns = quartile(ours, count, 2);
	if (!peer)
		return;
	out->peer_ns = quartile(theirs, count, 2);
	out->ratio_low = quartile(ratios, count, 1);
	out->ratio = quartile(ratios, count, 2);
	out->ratio_high = quartile(ratios, count, 3);
}

/** In turns, so that a neighbour's load falls on both. */
static void measure(strew_measurement *out, struct bench *bench, bool peer)
{
	const struct bench_work *work = bench->work;
	struct turn turns[BENCH_TURNS_MAX];
	double pass =
		take_turn(bench, false, 1) * (double)bench->count * (double)work->threads;
	int part = work->threads == 1 ? OURS_PART : 1;
	int passes = 1 + (int)(work->nanos / part / pass);

	for (int i = 0; i < work->turns; i++) {
		turns[i].peer = peer ? take_turn(bench, true, 1) : 0;
		turns[i].ours = take_turn(bench, false, passes);
	}
	tell(out, turns, work->turns, peer);
}

int bench_measure(strew_measurement *out, const struct bench_work *work)
{
	struct bench *bench = cli_resize(NULL, 1, sizeof(*bench));
	size_t threads = work->threads;
	int code = CLI_DONE;

	*out = (strew_measurement)STREW_MEASUREMENT_INIT;
	out->map = work->map;
	out->rule = strew_map_rule_name(strew_placer_map(work->placer), work->rule);
	out->mode = work->single ? "single" : "batch";
	out->kernel = strew_placer_kernel(work->placer);
	out->threads = threads;
	bench->work = work;
	bench->executor = cli_threads_executor(&threads);
	if (!add_lanes(bench))
		cli_no_memory();
	choose_inputs(bench);
	code = check_both(bench);
	if (code != CLI_FAILED)
		measure(out, bench, work->peer != NULL && code == CLI_DONE);
	free_lanes(bench);
	free(bench);
	return code;
}
