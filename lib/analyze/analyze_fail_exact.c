/* SPDX-License-Identifier: MIT */
/* Failures at random, of which all choices are looked at, or all that lose data listed.
 */
#include "analyze_fail_odds_priv.h"

#include <stdlib.h>

#include "base_error.h"

#define SUBSETS_MAX 4000000

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

double analyze_fail_enumerate(struct fail_odds *odds)
{
	int at[FAIL_ODDS_MAX];
	double lost = 0, all = 0;

	first_choice(at, odds->failed);
	do {
		for (int i = 0; i < odds->failed; i++)
			odds->chosen[i] = odds->devices[at[i]];
		all++;
		lost += analyze_fail_count_lost(odds) > 0;
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
	int at[FAIL_ODDS_MAX];
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

static double count_subsets(const struct fail_odds *odds)
{
	const struct fail_sets *sets = odds->sets;
	double total = 0;

	for (size_t i = 0; i < sets->count; i++)
		total += sets->fatal[i] == odds->failed
				 ? analyze_fail_choose(sets->counts[i], odds->failed)
				 : 0;
	return total;
}

bool analyze_fail_is_listable(const struct fail_odds *odds)
{
	double devices = (double)odds->fail->map->device_count;

	return count_subsets(odds) <= SUBSETS_MAX &&
	       analyze_fail_choose(devices, odds->failed) * odds->failed < 1e18;
}

strew_status analyze_fail_count_fatal(double *out, const struct fail_odds *odds)
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
