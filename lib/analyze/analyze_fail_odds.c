/* SPDX-License-Identifier: MIT */
/*
 * The chance that devices that fail at random, all at once, lose data.
 *
 * A set of n devices loses it when t of them fail. Of D devices f fail; the chance that
 * at least t of them are of the set is a tail of the hypergeometric law. Their sum over
 * the distinct sets is what the chance of any loss can't pass. It is the chance itself
 * but for the failures that lose several sets, and so (Karp, Luby and Madras): draw a set
 * by its part of the sum, and failures of which it is lost; N sets are lost by them in
 * all. The mean of 1/N times the sum is the chance of any loss. Its relative error is
 * small even where the chance is tiny, which counting losses in random failures can't
 * give.
 */
#include "analyze_fail_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_error.h"

#define FAILED_MAX    32
#define SAMPLES       10000
#define SAMPLES_LEAST 200
#define SEED          20240229u
#define WORK          30000000.0 /* steps: what each row may cost */
#define SUBSETS_MAX   4000000

struct odds {
	struct fail *fail;
	const struct fail_sets *sets;
	int32_t *devices; /* those that may fail, by index in the map */
	size_t count;
	int failed;        /* of them */
	double *sums;      /* by set: the chances of those up to it */
	uint16_t *hits;    /* by set: devices of it that failed */
	uint32_t *touched; /* sets with hits */
	size_t touched_count;
	int32_t chosen[FAILED_MAX];
	bool *is_chosen; /* by device */
	uint64_t random;
};

struct answer {
	double chance, error;
	bool exact;
	double expected; /* units lost */
};

static uint64_t next_random(struct odds *odds)
{
	uint64_t x = odds->random += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* 0 … 1, without 1 */
static double next_part(struct odds *odds)
{
	return (double)(next_random(odds) >> 11) / 9007199254740992.0;
}

static size_t next_below(struct odds *odds, size_t limit)
{
	return (size_t)(next_part(odds) * (double)limit);
}

/* How many ways there are to choose k of n, k at most FAILED_MAX. */
static double choose(double n, int k)
{
	double ways = 1;

	if (k < 0 || n < k)
		return 0;
	for (int i = 0; i < k; i++)
		ways *= (n - i) / (i + 1);
	return ways;
}

/* That exactly `hit` of a set of n fail. */
static double chance_of(const struct odds *odds, int n, int hit)
{
	double devices = (double)odds->count;

	return choose(n, hit) * choose(devices - n, odds->failed - hit) /
	       choose(devices, odds->failed);
}

static double tail_of(const struct odds *odds, int n, int fatal)
{
	double sum = 0;

	for (int hit = fatal; hit <= n && hit <= odds->failed; hit++)
		sum += chance_of(odds, n, hit);
	return sum;
}

/* Sets of one kind follow each other often; one is kept. */
struct tail {
	int n, fatal;
	double chance;
};

static double kept_tail(const struct odds *odds, struct tail *tail, int n, int fatal)
{
	if (fatal == 0 || fatal > odds->failed)
		return 0;
	if (tail->n != n || tail->fatal != fatal)
		*tail = (struct tail){n, fatal, tail_of(odds, n, fatal)};
	return tail->chance;
}

static double sum_sets(struct odds *odds)
{
	struct tail tail = {.n = -1};
	double sum = 0;

	for (size_t i = 0; i < odds->sets->count; i++) {
		sum += kept_tail(odds, &tail, odds->sets->counts[i],
				 odds->sets->fatal[i]);
		odds->sums[i] = sum;
	}
	return sum;
}

/* Of all units, whether they share a set or not. */
static double sum_units(const struct odds *odds)
{
	const struct fail *fail = odds->fail;
	struct tail tail = {.n = -1};
	double sum = 0;

	for (size_t i = 0; i < fail->plan.group_count; i++) {
		const struct analyze_group *group = &fail->plan.groups[i];
		int needed = fail->groups[i].needed;

		for (uint64_t unit = group->first; unit < group->first + group->count;
		     unit++) {
			const int32_t *set = fail->sets + unit * fail->room;
			int n = 0;

			for (size_t k = 0; k < fail->room; k++)
				n += set[k] >= 0;
			if (needed > 0 && n >= needed)
				sum += kept_tail(odds, &tail, n, n - needed + 1);
		}
	}
	return sum;
}

/* A device fails. @return how many sets that loses. */
static size_t hit_device(struct odds *odds, int32_t device)
{
	const struct fail_sets *sets = odds->sets;
	size_t lost = 0;

	for (size_t at = sets->first[device]; at < sets->first[device + 1]; at++) {
		uint32_t set = sets->of[at];

		if (odds->hits[set]++ == 0)
			odds->touched[odds->touched_count++] = set;
		lost += sets->fatal[set] > 0 && odds->hits[set] == sets->fatal[set];
	}
	return lost;
}

static void forget_hits(struct odds *odds)
{
	for (size_t i = 0; i < odds->touched_count; i++)
		odds->hits[odds->touched[i]] = 0;
	odds->touched_count = 0;
}

/* How many sets the chosen devices lose. */
static size_t count_lost(struct odds *odds)
{
	size_t lost = 0;

	for (int i = 0; i < odds->failed; i++)
		lost += hit_device(odds, odds->chosen[i]);
	forget_hits(odds);
	return lost;
}

static size_t pick_set(struct odds *odds)
{
	double at = next_part(odds) * odds->sums[odds->sets->count - 1];
	size_t low = 0, high = odds->sets->count - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (odds->sums[middle] <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How many devices of a set fail, given that enough do. */
static int pick_hits(struct odds *odds, int n, int fatal)
{
	int most = n < odds->failed ? n : odds->failed;
	double left = next_part(odds) * tail_of(odds, n, fatal);

	for (int hit = fatal; hit < most; hit++) {
		left -= chance_of(odds, n, hit);
		if (left < 0)
			return hit;
	}
	return most;
}

/* Any others than those that are chosen, and than those that are marked. */
static void choose_others(struct odds *odds, int chosen)
{
	while (chosen < odds->failed) {
		int32_t device = odds->devices[next_below(odds, odds->count)];

		if (odds->is_chosen[device])
			continue;
		odds->is_chosen[device] = true;
		odds->chosen[chosen++] = device;
	}
	for (int i = 0; i < chosen; i++)
		odds->is_chosen[odds->chosen[i]] = false;
}

static void pick_devices(struct odds *odds, size_t set)
{
	int n = odds->sets->counts[set], chosen = 0;
	const int32_t *devices = odds->sets->devices + set * odds->fail->room;
	int hits = pick_hits(odds, n, odds->sets->fatal[set]);

	for (int i = 0; i < n && chosen < hits; i++) {
		/* Each of those left is as likely as the others. */
		if (next_below(odds, (size_t)(n - i)) < (size_t)(hits - chosen))
			odds->chosen[chosen++] = devices[i];
	}
	for (int i = 0; i < n; i++)
		odds->is_chosen[devices[i]] = true;
	choose_others(odds, chosen);
	for (int i = 0; i < n; i++)
		odds->is_chosen[devices[i]] = false;
}

/* What a look at one choice of failures costs, about. */
static double cost_of_look(const struct odds *odds)
{
	return odds->failed * (1 + (double)odds->sets->of_count / (double)odds->count);
}

static size_t count_samples(const struct odds *odds)
{
	double affordable = WORK / cost_of_look(odds);

	return affordable > SAMPLES         ? SAMPLES
	       : affordable < SAMPLES_LEAST ? SAMPLES_LEAST
					    : (size_t)affordable;
}

/* By sets, which are few: Karp, Luby and Madras. */
static void estimate_by_sets(struct answer *answer, struct odds *odds, double sum)
{
	size_t samples = count_samples(odds);
	double total = 0, squares = 0;

	for (size_t i = 0; i < samples; i++) {
		double part;

		pick_devices(odds, pick_set(odds));
		part = 1 / (double)count_lost(odds);
		total += part;
		squares += part * part;
	}
	total /= (double)samples;
	squares = squares / (double)samples - total * total;
	answer->chance = fmin(1, sum * total);
	answer->error = sum * sqrt(fmax(0, squares) / (double)samples);
}

/* By failures: where a loss is no rare thing. */
static void estimate_by_failures(struct answer *answer, struct odds *odds)
{
	double samples = (double)count_samples(odds), lost = 0, part;

	for (double i = 0; i < samples; i++) {
		choose_others(odds, 0);
		lost += count_lost(odds) > 0;
	}
	part = lost / samples;
	answer->chance = part;
	/* Where all draws agree one more might not have. */
	answer->error = sqrt(fmax(part * (1 - part), 1 / samples) / samples);
}

static void estimate(struct answer *answer, struct odds *odds, double sum)
{
	answer->exact = false;
	odds->random = SEED + (uint64_t)odds->failed;
	if (sum < 1)
		estimate_by_sets(answer, odds, sum);
	else
		estimate_by_failures(answer, odds);
}

/* Choices of k places out of n, one after the other, from 0, 1, 2, … on.
 * @return false after the last */
static bool next_choice(int *at, int k, size_t n)
{
	int i = k - 1;

	while (i >= 0 && (size_t)at[i] == n - (size_t)(k - i))
		i--;
	if (i < 0)
		return false;
	at[i]++;
	for (int j = i + 1; j < k; j++)
		at[j] = at[j - 1] + 1;
	return true;
}

static void first_choice(int *at, int k)
{
	for (int i = 0; i < k; i++)
		at[i] = i;
}

static double enumerate(struct odds *odds)
{
	int at[FAILED_MAX];
	double lost = 0, all = 0;

	first_choice(at, odds->failed);
	do {
		for (int i = 0; i < odds->failed; i++)
			odds->chosen[i] = odds->devices[at[i]];
		all++;
		lost += count_lost(odds) > 0;
	} while (next_choice(at, odds->failed, odds->count));
	return lost / all;
}

/* The number of a choice of devices among all choices of so many: the sum of the ways to
 * choose 1, 2, … of those below each. */
static uint64_t rank_of(const int32_t *devices, const int *at, int k)
{
	uint64_t rank = 0;

	for (int i = 0; i < k; i++) {
		uint64_t ways = 1;

		for (int j = 0; j <= i; j++)
			ways = ways * (uint64_t)(devices[at[i]] - j) / (uint64_t)(j + 1);
		rank += ways;
	}
	return rank;
}

static size_t list_subsets(uint64_t *ranks, const int32_t *devices, int n, int k)
{
	int at[FAILED_MAX];
	size_t count = 0;

	first_choice(at, k);
	do {
		ranks[count++] = rank_of(devices, at, k);
	} while (next_choice(at, k, (size_t)n));
	return count;
}

static int compare_ranks(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

static size_t count_distinct(uint64_t *ranks, size_t count)
{
	size_t distinct = 0;

	qsort(ranks, count, sizeof(*ranks), compare_ranks);
	for (size_t i = 0; i < count; i++)
		distinct += i == 0 || ranks[i] != ranks[i - 1];
	return distinct;
}

static double count_subsets(const struct odds *odds)
{
	const struct fail_sets *sets = odds->sets;
	double total = 0;

	for (size_t i = 0; i < sets->count; i++)
		total += sets->fatal[i] == odds->failed
				 ? choose(sets->counts[i], odds->failed)
				 : 0;
	return total;
}

/* Can all choices of as many devices as lose data at the least be listed? */
static bool is_listable(const struct odds *odds)
{
	double devices = (double)odds->fail->map->device_count;

	return count_subsets(odds) <= SUBSETS_MAX &&
	       choose(devices, odds->failed) * odds->failed < 1e18;
}

/* How many choices of devices do lose data, where no fewer devices can. */
static strew_status count_fatal(double *out, const struct odds *odds)
{
	const struct fail_sets *sets = odds->sets;
	size_t room = (size_t)count_subsets(odds) + 1, count = 0;
	uint64_t *ranks = base_alloc(odds->fail->allocator, room, sizeof(*ranks));

	if (ranks == NULL)
		return base_error_nomem(odds->fail->error);
	for (size_t i = 0; i < sets->count; i++) {
		if (sets->fatal[i] == odds->failed)
			count += list_subsets(ranks + count,
					      sets->devices + i * odds->fail->room,
					      sets->counts[i], odds->failed);
	}
	*out = (double)count_distinct(ranks, count);
	base_free(odds->fail->allocator, ranks, room * sizeof(*ranks));
	return STREW_OK;
}

static strew_status find_answer(struct answer *answer, struct odds *odds, int least)
{
	double ways = choose((double)odds->count, odds->failed), sum, fatal = 0;
	strew_status status = STREW_OK;

	*answer = (struct answer){.exact = true};
	if (odds->failed < least)
		return STREW_OK;
	sum = sum_sets(odds);
	answer->expected = sum_units(odds);
	if (odds->failed == least && is_listable(odds)) {
		status = count_fatal(&fatal, odds);
		answer->chance = fatal / ways;
	} else if (ways * cost_of_look(odds) < WORK) {
		answer->chance = enumerate(odds);
	} else {
		estimate(answer, odds, sum);
	}
	return status;
}

static bool open_odds(struct odds *odds, struct base_arena *arena, struct fail *fail)
{
	size_t devices = fail->map->device_count + 1, sets = fail->distinct.count + 1;

	odds->fail = fail;
	odds->sets = &fail->distinct;
	odds->devices = base_arena_alloc(arena, devices, sizeof(*odds->devices));
	odds->sums = base_arena_alloc(arena, sets, sizeof(*odds->sums));
	odds->hits = base_arena_alloc(arena, sets, sizeof(*odds->hits));
	odds->touched = base_arena_alloc(arena, sets, sizeof(*odds->touched));
	odds->is_chosen = base_arena_alloc(arena, devices, sizeof(*odds->is_chosen));
	if (!odds->devices || !odds->sums || !odds->hits || !odds->touched ||
	    !odds->is_chosen)
		return false;
	for (size_t i = 0; i < fail->map->device_count; i++) {
		if (fail->devices[i].listed)
			odds->devices[odds->count++] = (int32_t)i;
	}
	return true;
}

/* The fewest devices that lose data; 0: no number does, as far as is known. */
static int least_fatal(const struct fail_sets *sets)
{
	int least = 0;

	for (size_t i = 0; i < sets->count; i++) {
		if (sets->fatal[i] > 0 && (least == 0 || sets->fatal[i] < least))
			least = sets->fatal[i];
	}
	return least;
}

static const struct result_column columns[] = {
	{"devices_failed", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"loss_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"loss_stderr_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"basis", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"expected_pgs_lost", NULL, STREW_CELL_REAL, RESULT_PLAIN},
};

static void add_row(strew_table *table, int failed, const struct answer *answer)
{
	result_row(table);
	result_integer(table, failed);
	result_real(table, 100 * answer->chance);
	result_real(table, 100 * answer->error);
	result_text(table, answer->exact ? "exact" : "estimate");
	result_real(table, answer->expected);
}

/* A sentence has the first number of devices that loses data, and two or three more. */
static bool is_told(int failed, int least)
{
	return failed == least || failed == least + 2 || failed == 10;
}

static void add_chance(struct base_str *text, const struct odds *odds,
		       const struct answer *answer)
{
	double percent = 100 * answer->chance;

	if (base_str_len(text) == 0 && odds->failed == 1)
		base_str_addf(text,
			      "Any one of %zu devices that fails loses data with a "
			      "chance of ",
			      odds->count);
	else if (base_str_len(text) == 0)
		base_str_addf(text,
			      "Any %d of %zu devices that fail at once lose data with a "
			      "chance of ",
			      odds->failed, odds->count);
	else
		base_str_addf(text, ", any %d with ", odds->failed);
	if (percent > 99.9)
		base_str_add(text, "over 99.9 %");
	else
		base_str_addf(text, "%s%.3g %%", answer->exact ? "" : "about ", percent);
}

static strew_status fill_rows(strew_table *table, struct base_str *text,
			      struct odds *odds)
{
	int most = odds->fail->how.most_failed, least = least_fatal(odds->sets);
	struct answer answer;
	strew_status status = STREW_OK;

	for (int failed = 1; least > 0 && failed <= most && !status; failed++) {
		if ((size_t)failed > odds->count)
			break;
		odds->failed = failed;
		status = find_answer(&answer, odds, least);
		if (status)
			break;
		add_row(table, failed, &answer);
		if (is_told(failed, least))
			add_chance(text, odds, &answer);
	}
	return status;
}

strew_status analyze_fail_odds(struct fail *fail)
{
	struct odds odds = {.failed = 0};
	struct base_arena arena;
	struct base_str text;
	strew_table *table =
		result_add_table(fail->result, "odds", NULL, columns,
				 sizeof(columns) / sizeof(columns[0]), RESULT_NO_TEXT);
	strew_status status;

	base_arena_init(&arena, fail->allocator);
	base_str_init(&text, fail->allocator);
	status = open_odds(&odds, &arena, fail) ? fill_rows(table, &text, &odds)
						: base_error_nomem(fail->error);
	if (base_str_len(&text) > 0)
		result_add_note(fail->result, "%s.", base_str_text(&text));
	if (!base_str_ok(&text))
		fail->out_of_memory = true;
	base_str_free(&text);
	base_arena_free(&arena);
	return status;
}
