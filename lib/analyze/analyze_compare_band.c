/* SPDX-License-Identifier: MIT */
/* What an ideal hash would come to: doc/analyses/compare.md. */
#include "analyze_compare_priv.h"

#include <math.h>
#include <stdlib.h>

#include "base_compare.h"
#include "base_error.h"

#define LOW  0.001
#define HIGH 0.999

/* How exactly ratios are found: to 2^-24 of a mean. */
#define RATIO_BITS 24

/* Draws of simulated placements of all keys, and how many placements at most. */
#define DRAWS_MAX   20000000
#define SAMPLES_MAX 4000
#define SAMPLES_MIN 200

/* The chance of k of a Poisson variable. */
static double chance_of(double mean, double k)
{
	int sign;

	return exp(k * log(mean) - mean - lgamma_r(k + 1, &sign));
}

/* From k on away from the mean, until it no longer grows. */
static double sum_from(double mean, double k, bool upward)
{
	double sum = 0, term = k < 0 ? 0 : chance_of(mean, k);

	while (term > sum * 1e-17 && k >= 0) {
		sum += term;
		term *= upward ? mean / (k + 1) : k / mean;
		k += upward ? 1 : -1;
	}
	return fmin(sum, 1);
}

/* The chance of at most k, or of at least k. */
static double chance_within(double mean, double k, bool at_most)
{
	if (k < 0)
		return at_most ? 0 : 1;
	if (at_most)
		return k >= mean ? 1 - sum_from(mean, k + 1, true)
				 : sum_from(mean, k, false);
	return k <= mean ? 1 - sum_from(mean, k - 1, false) : sum_from(mean, k, true);
}

/* Of a sum of independent variables. */
struct moments {
	double chance; /* that all are within their bounds, as a logarithm */
	double mean;   /* the rest if they are */
	double variance;
	double third;
};

/* One more, a Poisson variable of which no more (or no less) than `bound` is allowed. Its
 * factorial moments are those of the whole with bounds shifted. */
static void add_bounded(struct moments *sum, double mean, double bound, bool at_most)
{
	double all = chance_within(mean, bound, at_most), first, second, third;

	if (all <= 0) {
		sum->chance = -INFINITY;
		return;
	}
	first = mean * chance_within(mean, bound - 1, at_most) / all;
	second = mean * mean * chance_within(mean, bound - 2, at_most) / all;
	third = mean * mean * mean * chance_within(mean, bound - 3, at_most) / all;
	/* To powers … and to central moments. */
	third += 3 * second + first;
	second += first;
	sum->chance += log(all);
	sum->mean += first;
	sum->variance += second - first * first;
	sum->third += third - 3 * first * second + 2 * first * first * first;
}

/* The chance of a value of the sum: normal, and what skewness makes of it. */
static double density(const struct moments *sum, double value)
{
	double deviation = sqrt(sum->variance);
	double x = (value - sum->mean) / deviation;
	double skew = sum->third / (sum->variance * deviation);
	double factor = 1 + skew * (x * x * x - 3 * x) / 6;

	return fmax(factor, 0) * exp(-x * x / 2) / (deviation * sqrt(2 * M_PI));
}

struct race {
	const double *shares;
	size_t count;
	double keys;
};

static double bound_of(double mean, double ratio, bool at_most)
{
	return at_most ? floor(ratio * mean + 1e-9) : ceil(ratio * mean - 1e-9);
}

/*
 * The chance that no node has more (or less) than `ratio` times its mean, where that is
 * rare. Nodes' keys are Poisson variables given that their sum is all keys (Levin: A
 * representation for multinomial cumulative distribution functions, 1981).
 */
static double chance_of_all(const struct race *race, double ratio, bool at_most)
{
	struct moments sum = {0, 0, 0, 0}, one = {0, 0, 0, 0};
	double last = -1;

	for (size_t i = 0; i < race->count; i++) {
		double mean = race->shares[i] * race->keys;

		if (mean <= 0)
			continue;
		if (mean != last) {
			one = (struct moments){0, 0, 0, 0};
			add_bounded(&one, mean, bound_of(mean, ratio, at_most), at_most);
		}
		last = mean;
		sum.chance += one.chance;
		sum.mean += one.mean;
		sum.variance += one.variance;
		sum.third += one.third;
	}
	if (!(sum.chance > -INFINITY) || !(sum.variance > 0))
		return 0;
	return exp(sum.chance) * density(&sum, race->keys) /
	       chance_of(race->keys, race->keys);
}

/* The chance of k of n, each with p. */
static double binomial_chance(double n, double k, double p)
{
	int sign;

	return exp(lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) -
		   lgamma_r(n - k + 1, &sign) + k * log(p) + (n - k) * log1p(-p));
}

/* Of more (less) than k. */
double analyze_compare_beyond(double n, double k, double p, bool more)
{
	double sum = 0, term;

	k += more ? 1 : -1;
	term = k < 0 || k > n ? 0 : binomial_chance(n, k, p);
	while (term > sum * 1e-17 && k >= 0 && k <= n) {
		sum += term;
		term *= more ? (n - k) / (k + 1) * p / (1 - p)
			     : k / (n - k + 1) * (1 - p) / p;
		k += more ? 1 : -1;
	}
	return sum;
}

/* The same chance where it is near 1: hardly ever are two nodes beyond at once. */
static double chance_of_none(const struct race *race, double ratio, bool at_most)
{
	double beyond = 0, last = -1, one = 0;

	for (size_t i = 0; i < race->count; i++) {
		double share = race->shares[i], mean = share * race->keys;

		if (share <= 0 || share >= 1)
			continue;
		if (share != last)
			one = analyze_compare_beyond(race->keys,
						     bound_of(mean, ratio, at_most),
						     share, at_most);
		last = share;
		beyond += one;
	}
	return 1 - beyond;
}

/* The ratio at which the chance comes to LOW or HIGH: it rises with the bound of the
 * most, and falls with that of the least. */
static double find_ratio(const struct race *race, double chance, bool at_most)
{
	double (*find)(const struct race *, double, bool) =
		chance == LOW ? chance_of_all : chance_of_none;
	double low = at_most ? 1 : 0, high = at_most ? 2 : 1;

	while (at_most && find(race, high, true) < chance && high < race->keys)
		high *= 2;
	for (int i = 0; i < RATIO_BITS; i++) {
		double middle = (low + high) / 2;

		if ((find(race, middle, at_most) >= chance) == at_most)
			high = middle;
		else
			low = middle;
	}
	/* Bands have their ends in them. */
	return at_most == (chance == HIGH) ? high : low;
}

void analyze_compare_bands(struct compare_band *least, struct compare_band *most,
			   const double *shares, size_t count, uint64_t keys)
{
	struct race race = {shares, count, (double)keys};

	least->low = find_ratio(&race, HIGH, false);
	least->high = find_ratio(&race, LOW, false);
	most->low = find_ratio(&race, LOW, true);
	most->high = find_ratio(&race, HIGH, true);
}

/* A node by its share: `ends` are sums of shares. */
static size_t draw(const double *ends, size_t count, uint64_t *state)
{
	double u;
	size_t low = 0, high = count - 1;

	*state += 0x9e3779b97f4a7c15u;
	u = (double)(strew_study_mix(*state) >> 11) * 0x1p-53;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (ends[middle] > u)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The most requests of a node in proportion to its share, once. */
static double sample(const struct compare *compare, const double *shares,
		     const double *ends, size_t count, double *loads, uint64_t *state)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		loads[i] = 0;
	for (size_t key = 0; key < compare->options.key_count; key++)
		loads[draw(ends, count, state)] += analyze_compare_requests(compare, key);
	for (size_t i = 0; i < count; i++) {
		if (shares[i] > 0)
			most = fmax(most, loads[i] / shares[i]);
	}
	return most / compare->requests;
}

strew_status analyze_compare_request_band(struct compare_band *most,
					  const struct compare *compare,
					  const double *shares, size_t count)
{
	size_t samples = DRAWS_MAX / (compare->options.key_count + 1);
	double *all, *ends, *loads, sum = 0;
	uint64_t state = 20261130;

	samples = samples > SAMPLES_MAX   ? SAMPLES_MAX
		  : samples < SAMPLES_MIN ? SAMPLES_MIN
					  : samples;
	all = base_alloc(compare->allocator, samples + 2 * count, sizeof(*all));
	if (all == NULL)
		return STREW_ENOMEM;
	ends = all + samples;
	loads = ends + count;
	for (size_t i = 0; i < count; i++)
		ends[i] = sum += shares[i];
	for (size_t i = 0; i < samples; i++)
		all[i] = sample(compare, shares, ends, count, loads, &state);
	qsort(all, samples, sizeof(*all), base_compare_doubles);
	most->low = all[(size_t)(LOW * (double)samples)];
	most->high = all[(size_t)(HIGH * (double)samples)];
	base_free(compare->allocator, all, (samples + 2 * count) * sizeof(*all));
	return STREW_OK;
}
