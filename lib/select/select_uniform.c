/* SPDX-License-Identifier: MIT */
/* doc/crush.md, section 3.2. */
#include "select_many.h"

static uint32_t choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	return select_permute(bucket, in);
}

const struct select_ops select_uniform = {
	.name = "uniform",
	.summary = "a pseudo-random permutation of items of one weight",
	.flags = SELECT_PERMUTES,
	.choose = choose,
	.explain = select_explain_permuted,
	.choose_many = select_permute_many,
};
