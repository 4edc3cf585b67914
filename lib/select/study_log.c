/* SPDX-License-Identifier: MIT */
/*
 * A logarithm without floating point, so that every machine places alike. u + 1 is
 * shifted until its top bit is set, which gives the whole part; what is left is m in
 * [1, 2). A table has c, the reciprocal of m's first 8 bits, rounded up, so that
 * m × c = 1 + z with 0 <= z < 2^-7, and log2 m = log2 (1 / c) + log2 (1 + z). The last is
 * its series up to z^8, which leaves an error below 2^-64.
 */
#include "study.h"
#include "study_log_table.h"

#define TOP    0x8000000000000000u
#define LOG2_E 0xb8aa3b295c17f0bcu /* times 2^63 */

/* The upper half of a product. */
static uint64_t multiply_high(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	return (uint64_t)((__extension__(unsigned __int128) a * b) >> 64);
#else
	uint64_t a_low = a & UINT32_MAX, a_high = a >> 32;
	uint64_t b_low = b & UINT32_MAX, b_high = b >> 32;
	uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
	uint64_t carry = (middle & UINT32_MAX) + a_low * b_high;

	return a_high * b_high + (middle >> 32) + (carry >> 32);
#endif
}

/* ln (1 + z) / z, all times 2^64 but for the first term, 1, which is left out and
 * subtracted from: 1 - z/2 + z²/3 - … */
static uint64_t shortfall(uint64_t z)
{
	uint64_t sum = 0;

	for (uint32_t term = 8; term >= 2; term--)
		sum = UINT64_MAX / term - multiply_high(z, sum);
	return multiply_high(z, sum);
}

/* log2 (1 + z) times 2^63; z times 2^64, below 2^57. */
static uint64_t log_near_one(uint64_t z)
{
	uint64_t ln = z - multiply_high(z, shortfall(z));

	return multiply_high(ln, LOG2_E);
}

/* log2 m times 2^63; m times 2^63. */
static uint64_t log_mantissa(uint64_t m)
{
	const struct study_log_entry *entry = &study_log_table[m >> 56 & 0x7f];
	uint64_t product;

	if (entry->reciprocal == 0)
		return log_near_one((m - TOP) << 1);
	product = multiply_high(m, entry->reciprocal);
	/* Rounding down may take it a hair below 1. */
	return entry->log + (product > TOP ? log_near_one((product - TOP) << 1) : 0);
}

uint64_t study_log(uint64_t u)
{
	uint64_t number = u + 1;
	int shift;

	if (number == 0)
		return 0;
	shift = __builtin_clzll(number);
	/* 64 - (63 - shift) - log2 m. */
	return ((uint64_t)(shift + 1) << 57) - (log_mantissa(number << shift) >> 6);
}
