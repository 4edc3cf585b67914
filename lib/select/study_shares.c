/* SPDX-License-Identifier: MIT */
/* Who wins by the highest product of hash and factor, and which factors make it right:
 * doc/selectors/carp.md. In floating point: carp's factors are rounded to 32 bits. */
#include <strew/study.h>

#include <math.h>
#include <stdlib.h>

#include "base_alloc.h"

/* Something to sort by, and its index. */
struct keyed {
	double key;
	size_t index;
};

static int compare_keys(const void *left, const void *right)
{
	double a = ((const struct keyed *)left)->key;
	double b = ((const struct keyed *)right)->key;

	return (a > b) - (a < b);
}

/*
 * Factors x from the lightest up, so that node k of n wins with its weight's share p:
 * x[k]^(n-k) = x[k-1]^(n-k) + (n-k) (p[k] - p[k-1]) / (x[0] … x[k-1]). The product is
 * kept as a logarithm, as it may be as small as it likes.
 */
static void make_factors(const struct keyed *sorted, size_t count, double total,
			 double *factors)
{
	double product = 0, last = 0, share = 0;

	for (size_t k = 0; k < count; k++) {
		double left = (double)(count - k), now = sorted[k].key / total, power = 0;

		if (now > share)
			power = exp(log(left * (now - share)) - product);
		if (last > 0)
			power += exp(left * log(last));
		last = exp(log(power) / left);
		factors[sorted[k].index] = last;
		product += log(last);
		share = now;
	}
}

strew_status strew_study_factors(const uint32_t *weights, size_t count, double *factors,
				 const strew_allocator *given)
{
	const strew_allocator *allocator = base_allocator_or_heap(given);
	struct keyed *sorted = base_alloc(allocator, count, sizeof(*sorted));
	double total = 0;

	if (sorted == NULL && count)
		return STREW_ENOMEM;
	for (size_t i = 0; i < count; i++) {
		sorted[i] = (struct keyed){weights[i], i};
		total += weights[i];
	}
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_keys);
	make_factors(sorted, count, total, factors);
	base_free(allocator, sorted, count * sizeof(*sorted));
	return STREW_OK;
}

/*
 * Factors w in rising order, w[0] = 0 before the first: the highest product lies between
 * w[m] and w[m+1] with each of the n - m heavier nodes' chance
 * D[m] = (w[m+1]^(n-m) - w[m]^(n-m)) / ((n-m) w[m+1] … w[n]). As a ratio to w[m+1], so
 * that nothing overflows, and from the heaviest down, so that `rest`, the logarithm of
 * w[m+1]^(n-m) / (w[m+1] … w[n]), is exact where it matters. A key becomes its D.
 */
static void find_chances(struct keyed *sorted, size_t count)
{
	double rest = 0, above = sorted[count - 1].key;

	for (size_t m = count; m-- > 0;) {
		double left = (double)(count - m), now = sorted[m].key, ratio = 0;

		rest -= (left - 1) * (log(above) - log(now));
		if (m > 0)
			ratio = exp(left * log(sorted[m - 1].key / now));
		sorted[m].key = exp(rest) * (1 - ratio) / left;
		above = now;
	}
}

/* A node's share is the sum of the chances of all lighter nodes and its own. */
static void add_chances(const struct keyed *sorted, size_t count, double *shares)
{
	double share = 0;

	for (size_t m = 0; m < count; m++) {
		share += sorted[m].key;
		shares[sorted[m].index] = share;
	}
}

strew_status strew_study_naive_shares(const double *factors, size_t count, double *shares,
				      const strew_allocator *given)
{
	const strew_allocator *allocator = base_allocator_or_heap(given);
	struct keyed *sorted = base_alloc(allocator, count, sizeof(*sorted));

	if (sorted == NULL && count)
		return STREW_ENOMEM;
	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct keyed){factors[i], i};
	if (count) {
		qsort(sorted, count, sizeof(*sorted), compare_keys);
		find_chances(sorted, count);
	}
	add_chances(sorted, count, shares);
	base_free(allocator, sorted, count * sizeof(*sorted));
	return STREW_OK;
}
