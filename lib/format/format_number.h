/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_NUMBER_H
#define FORMAT_NUMBER_H

#include "base_str.h"

/** Numbers as a person writes them: the fewest decimals from which format_value.c reads
 * the same number again. The same in every locale. */

void format_add_weight(struct base_str *text, uint32_t weight);
/** Of a 16.16 number from 0 to 1. */
void format_add_share(struct base_str *text, uint32_t share);
/** A number of bytes, or a string with a unit where that is exact and short. */
void format_add_bytes(struct base_str *text, uint64_t bytes);

#endif
