/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include "base_compare.h"

int base_compare_ids(const void *left, const void *right)
{
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;

	return (a > b) - (a < b);
}

int base_compare_ids_down(const void *left, const void *right)
{
	return base_compare_ids(right, left);
}

int base_compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}
