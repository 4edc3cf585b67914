/* SPDX-License-Identifier: MIT */
#ifndef BASE_COMPARE_H
#define BASE_COMPARE_H

/**
 * Orders, for qsort and bsearch: of int32_t ids, least first or greatest first, and of
 * doubles, least first.
 */

int base_compare_ids(const void *left, const void *right);
int base_compare_ids_down(const void *left, const void *right);
int base_compare_doubles(const void *left, const void *right);

#endif
