/* SPDX-License-Identifier: MIT */
/*
 * Failures at random, drawn: always the same ones.
 *
 * A set of n devices is lost when t of them fail. Of D devices f fail; the chance that at
 * least t of them are of the set is a tail of the hypergeometric law. Their sum over the
 * distinct sets is what the chance of any loss can't pass. It is the chance itself but
 * for the failures that lose several sets, and so (Karp, Luby and Madras): draw a set by
 * its part of the sum, and failures of which it is lost; N sets are lost by them in all.
 * The mean of 1/N times the sum is the chance of any loss. Its relative error is small
 * even where the chance is tiny, which counting losses in random failures can't give.
 */
#include "analyze_fail_odds_priv.h"

#include <math.h>

#include "hash.h"

#define SAMPLES       10000
#define SAMPLES_LEAST 200
#define SEED          20240229u

static uint64_t next_random(struct fail_odds *odds)
{
	return hash_finish(odds->random += 0x9e3779b97f4a7c15u);
}

/* 0 … 1, without 1 */
static double next_part(struct fail_odds *odds)
{
	return (double)(next_random(odds) >> 11) / 9007199254740992.0;
}

static size_t next_below(struct fail_odds *odds, size_t limit)
{
	return (size_t)(next_part(odds) * (double)limit);
}

static size_t pick_set(struct fail_odds *odds)
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
static int pick_hits(struct fail_odds *odds, int n, int fatal)
{
	int most = n < odds->failed ? n : odds->failed;
	double left = next_part(odds) * analyze_fail_tail(odds, n, fatal);

	for (int hit = fatal; hit < most; hit++) {
		left -= analyze_fail_chance(odds, n, hit);
		if (left < 0)
			return hit;
	}
	return most;
}

/* Any others than those that are chosen, and than those that are marked. */
static void choose_others(struct fail_odds *odds, int chosen)
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

static void pick_devices(struct fail_odds *odds, size_t set)
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

static size_t count_samples(const struct fail_odds *odds)
{
	double affordable = FAIL_ODDS_WORK / analyze_fail_look_cost(odds);

	return affordable > SAMPLES         ? SAMPLES
	       : affordable < SAMPLES_LEAST ? SAMPLES_LEAST
					    : (size_t)affordable;
}

/* By sets, which are few: Karp, Luby and Madras. */
static void estimate_by_sets(struct fail_answer *answer, struct fail_odds *odds,
			     double sum)
{
	size_t samples = count_samples(odds);
	double total = 0, squares = 0;

	for (size_t i = 0; i < samples; i++) {
		double part;

		pick_devices(odds, pick_set(odds));
		part = 1 / (double)analyze_fail_count_lost(odds);
		total += part;
		squares += part * part;
	}
	total /= (double)samples;
	squares = squares / (double)samples - total * total;
	answer->chance = fmin(1, sum * total);
	answer->error = sum * sqrt(fmax(0, squares) / (double)samples);
}

/* By failures: where a loss is no rare thing. */
static void estimate_by_failures(struct fail_answer *answer, struct fail_odds *odds)
{
	double samples = (double)count_samples(odds), lost = 0, part;

	for (double i = 0; i < samples; i++) {
		choose_others(odds, 0);
		lost += analyze_fail_count_lost(odds) > 0;
	}
	part = lost / samples;
	answer->chance = part;
	/* Where all draws agree one more might not have. */
	answer->error = sqrt(fmax(part * (1 - part), 1 / samples) / samples);
}

void analyze_fail_estimate(struct fail_answer *answer, struct fail_odds *odds, double sum)
{
	answer->exact = false;
	odds->random = SEED + (uint64_t)odds->failed;
	if (sum < 1)
		estimate_by_sets(answer, odds, sum);
	else
		estimate_by_failures(answer, odds);
}
