/* SPDX-License-Identifier: MIT */
/* doc/crush.md, sections 3.1 and 8. */
#include "straw2_kernel.h"

#include <assert.h>

#define LOG_ONE ((int64_t)1 << 48)

/* Hashes are made for a few items at a time, and perhaps for what lies behind the last: a
 * loop of fixed length becomes vector code. */
#define BATCH 8
static_assert(BATCH <= FLAT_PAD, "a batch may read that far past the items");

static const int32_t *pick_ids(const struct flat_bucket *bucket,
			       const struct flat_args *args)
{
	if (args == NULL || args->ids == 0)
		return flat_ids(bucket);
	return (const int32_t *)((const char *)args + args->ids);
}

static const uint32_t *pick_weights(const struct flat_bucket *bucket,
				    const struct select_in *in)
{
	const struct flat_args *args = in->args;
	const uint32_t *rows;
	uint32_t row;

	if (args == NULL || args->weights == 0)
		return flat_weights(bucket);
	rows = (const uint32_t *)((const char *)args + args->weights);
	row = in->position < args->positions ? in->position : args->positions - 1;
	return rows + (size_t)row * args->stride;
}

/* The division is signed in the weight, as the reference does it: an item of 32768.0 and
 * above draws a positive length and beats the others. */
static int64_t draw_length(uint32_t hash, uint32_t weight)
{
	if (weight == 0)
		return INT64_MIN;
	return ((int64_t)select_straw2_log(hash) - LOG_ONE) / (int32_t)weight;
}

static void hash_batch(const struct flat_bucket *bucket, const struct select_in *in,
		       const int32_t *ids, uint32_t *hashes)
{
	for (uint32_t i = 0; i < BATCH; i++)
		hashes[i] =
			select_hash_3(bucket, in->x, (uint32_t)ids[i], in->r) & 0xffff;
}

uint32_t straw2_choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	const int32_t *ids = pick_ids(bucket, in->args);
	const uint32_t *weights = pick_weights(bucket, in);
	uint32_t hashes[BATCH];
	int64_t longest = INT64_MIN;
	uint32_t best = 0;

	for (uint32_t i = 0; i < bucket->count; i++) {
		int64_t length;

		if (i % BATCH == 0)
			hash_batch(bucket, in, ids + i, hashes);
		length = draw_length(hashes[i % BATCH], weights[i]);
		if (length > longest) {
			longest = length;
			best = i;
		}
	}
	return best;
}

const struct select_ops select_straw2 = {
	.name = "straw2",
	.summary = "each item draws a straw for its weight; the longest wins",
	.flags = SELECT_WEIGHTED,
	.table_words = straw2_table_words,
	.prepare = straw2_prepare,
	.choose = straw2_choose,
};
