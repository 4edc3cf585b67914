/* SPDX-License-Identifier: MIT */
/* The definition: doc/crush.md, sections 3.1 and 8. All else about straw2 is faster, and
 * must come to the same. */
#include "straw2_kernel.h"

#include <assert.h>

#define LOG_ONE ((int64_t)1 << 48)

/* Hashes are made for a few items at a time, and perhaps for what lies behind the last: a
 * loop of fixed length becomes vector code. */
#define BATCH 8
static_assert(BATCH <= FLAT_PAD, "a batch may read that far past the items");

/* The division is signed in the weight, as the reference does it: an item of 32768.0 and
 * above draws a positive length and beats the others. */
static int64_t draw_length(uint32_t hash, uint32_t weight)
{
	if (weight == 0)
		return INT64_MIN;
	return ((int64_t)select_straw2_log(hash) - LOG_ONE) / (int32_t)weight;
}

int64_t straw2_draw(const struct straw2_row *row, uint32_t index, uint32_t x, uint32_t r)
{
	uint32_t hash = select_hash_3(row->bucket, x, (uint32_t)row->ids[index], r);

	return draw_length(hash & 0xffff, row->weights[index]);
}

static void hash_batch(const struct straw2_row *row, uint32_t start, uint32_t x,
		       uint32_t r, uint32_t *hashes)
{
	for (uint32_t i = 0; i < BATCH; i++)
		hashes[i] =
			select_hash_3(row->bucket, x, (uint32_t)row->ids[start + i], r) &
			0xffff;
}

uint32_t straw2_choose_plainly(const struct straw2_row *row, uint32_t x, uint32_t r)
{
	uint32_t hashes[BATCH];
	int64_t longest = INT64_MIN;
	uint32_t best = 0;

	for (uint32_t i = 0; i < row->bucket->count; i++) {
		int64_t length;

		if (i % BATCH == 0)
			hash_batch(row, i, x, r, hashes);
		length = draw_length(hashes[i % BATCH], row->weights[i]);
		if (length > longest) {
			longest = length;
			best = i;
		}
	}
	return best;
}

static uint32_t choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	struct straw2_row row = straw2_row_of(bucket, in->args, in->position);

	if (row.kind == STRAW2_ODD || in->kernel == NULL || in->kernel->parts == NULL)
		return straw2_choose_plainly(&row, in->x, in->r);
	return straw2_choose_in_parts(in->kernel, &row, in->x, in->r);
}

/* Each item's straw is its logarithm, less that of the highest hash, by its weight. */
static uint32_t explain(const struct flat_bucket *bucket, const struct select_in *in,
			struct select_candidate *candidates)
{
	struct straw2_row row = straw2_row_of(bucket, in->args, in->position);

	for (uint32_t i = 0; i < bucket->count; i++) {
		uint32_t hash = select_hash_3(bucket, in->x, (uint32_t)row.ids[i], in->r);

		candidates[i] = (struct select_candidate){
			.item = i,
			.id = row.ids[i],
			.hash = hash & 0xffff,
			.log = select_straw2_log(hash & 0xffff),
			.weight = row.weights[i],
			.scale = row.weights[i],
			.straw = straw2_draw(&row, i, in->x, in->r),
		};
	}
	return bucket->count;
}

const struct select_ops select_straw2 = {
	.name = "straw2",
	.summary = "each item draws a straw for its weight; the longest wins",
	.flags = SELECT_WEIGHTED | SELECT_SETS | SELECT_RACES,
	.table_words = straw2_table_words,
	.prepare = straw2_prepare,
	.choose = choose,
	.explain = explain,
};
