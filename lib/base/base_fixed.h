/* SPDX-License-Identifier: MIT */
#ifndef BASE_FIXED_H
#define BASE_FIXED_H

#include <stdbool.h>

#include <strew/common.h>

/** 16.16 weights. */

/** A JSON number as a 16.16 weight, rounded as crushtool does: to a 32-bit float first,
 * then toward zero. @return false when it is no number, negative, or 65536 and above. */
bool base_fixed_from_double(uint32_t *out, double value);

/** To the nearest 1/65536: for numbers that were printed from one, such as reweights.
 * @return false when it is not a number, negative, or 65536 and above. */
bool base_fixed_nearest(uint32_t *out, double value);

/** Exact. */
double base_fixed_to_double(uint32_t weight);

#endif
