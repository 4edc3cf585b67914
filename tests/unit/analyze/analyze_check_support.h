/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_CHECK_SUPPORT_H
#define ANALYZE_CHECK_SUPPORT_H

#include <strew/analyze.h>

#include "analyze_check_priv.h"

#define FEW_INPUTS 2000

/** Nothing is to be found in it: two hosts, h0 and h1 (-2 and -3), of two devices each,
 * rule 0, and pool 1 of size 2 with 8 PGs. */
strew_builder *start_good(void);
/** h0~ssd, -12, with `device` in it; osd.4 in h0 is of class ssd. */
void add_shadow(strew_builder *builder, int32_t device, uint32_t weight);

/** Build, check, and free all but the result. Few inputs are counted, and without options
 * there is nothing of what is told of every map. */
strew_map *build_good(strew_builder *builder);
strew_result *check_builder(strew_builder *builder, const strew_check_options *options);

/** The text of a finding's column. */
const char *finding_at(const strew_result *result, size_t row, const char *column);
/** The row of the first finding of a code, or -1. */
int find_finding(const strew_result *result, const char *code);

#endif
