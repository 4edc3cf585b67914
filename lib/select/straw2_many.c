/* SPDX-License-Identifier: MIT */
/*
 * Many questions at once: sorted into bins by the kind of bucket, for a kernel to make
 * keys; then told whether the keys decide. All floating point of it is a bound that is
 * proved, and tested for every hash: doc/selectors/straw2.md.
 */
#include <string.h>

#include "straw2_kernel.h"

/* What kernels want to know of a bucket. */

uint32_t straw2_table_words(uint32_t count)
{
	return STRAW2_HEAD + count;
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

uint32_t straw2_scale(uint32_t weight)
{
	return bits_of(weight ? 0x1p44f / (float)weight : 0x1p84f);
}

uint32_t straw2_span(uint32_t weight)
{
	return 2 + 2 * (weight / 56000000);
}

/* Weights that the keys are not made for: with the sign bit set, or none above 0. */
static int is_odd(const struct select_source *source)
{
	uint32_t all = 0;

	for (uint32_t i = 0; i < source->count; i++)
		all |= source->weights[i];
	return all == 0 || all >> 31;
}

static int are_equal(const struct select_source *source)
{
	for (uint32_t i = 1; i < source->count; i++) {
		if (source->weights[i] != source->weights[0])
			return 0;
	}
	return 1;
}

strew_status straw2_prepare(const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error)
{
	(void)allocator;
	(void)error;
	table[STRAW2_KIND] = are_equal(source) ? STRAW2_EQUAL : STRAW2_MIXED;
	if (is_odd(source))
		table[STRAW2_KIND] = STRAW2_ODD;
	table[STRAW2_SPAN] = straw2_span(source->weights[0]);
	for (uint32_t i = 0; i < source->count; i++)
		table[STRAW2_HEAD + i] = straw2_scale(source->weights[i]);
	return STREW_OK;
}

struct sorter {
	const struct select_kernel *kernel;
	const struct select_batch *batch;
	struct straw2_bin bins[2]; /* equal, mixed */
	uint32_t counts[2];
	size_t at[2][STRAW2_BIN]; /* the questions in a bin */
};

static const uint32_t *table_of(const struct flat_bucket *bucket)
{
	return flat_table(bucket);
}

static float as_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static int equal_decide(const struct straw2_bin *bin, uint32_t lane,
			const struct flat_bucket *bucket, uint32_t *index)
{
	uint32_t first = bin->first[lane] - STRAW2_EQUAL_BASE;
	uint32_t second = bin->second[lane] - STRAW2_EQUAL_BASE;

	*index = first & ((1u << STRAW2_EQUAL_SHIFT) - 1);
	return (second >> STRAW2_EQUAL_SHIFT) - (first >> STRAW2_EQUAL_SHIFT) >=
	       table_of(bucket)[STRAW2_SPAN];
}

static int mixed_decide(const struct straw2_bin *bin, uint32_t lane, uint32_t *index)
{
	float first = as_float(bin->first[lane]);
	float second = as_float(bin->second[lane]);
	float scale;

	*index = bin->first[lane] & STRAW2_INDEX_MASK;
	scale = as_float(bin->scales[lane][*index]);
	return first <= STRAW2_LIMIT * scale &&
	       second > first * STRAW2_SLOPE + scale * STRAW2_OFFSET + STRAW2_ROUNDING;
}

static uint32_t decide(const struct sorter *sorter, int kind, uint32_t lane,
		       const struct flat_bucket *bucket)
{
	const struct straw2_bin *bin = &sorter->bins[kind];
	struct select_in in = {.x = bin->x[lane], .r = bin->r[lane]};
	uint32_t index;
	int sure = kind == 0 ? equal_decide(bin, lane, bucket, &index)
			     : mixed_decide(bin, lane, &index);

	return sure ? index : straw2_choose(bucket, &in);
}

/* Lanes that nobody asked for do as the last one. */
static void pad_bin(struct straw2_bin *bin, uint32_t count)
{
	for (uint32_t i = count; i < STRAW2_BIN; i++) {
		bin->x[i] = bin->x[count - 1];
		bin->r[i] = bin->r[count - 1];
		bin->items[i] = bin->items[count - 1];
		bin->ids[i] = bin->ids[count - 1];
		bin->scales[i] = bin->scales[count - 1];
	}
}

static void empty_bin(struct sorter *sorter, int kind)
{
	struct straw2_bin *bin = &sorter->bins[kind];
	uint32_t count = sorter->counts[kind];
	int32_t *refs = sorter->batch->refs;

	if (count == 0)
		return;
	pad_bin(bin, count);
	if (kind == 0)
		sorter->kernel->equal(bin, count);
	else
		sorter->kernel->mixed(bin, count);
	for (uint32_t i = 0; i < count; i++) {
		size_t at = sorter->at[kind][i];
		const struct flat_bucket *bucket =
			flat_bucket_of(sorter->batch->flat, refs[at]);

		refs[at] = flat_refs(bucket)[decide(sorter, kind, i, bucket)];
	}
	sorter->counts[kind] = 0;
}

static void drop_in(struct sorter *sorter, int kind, size_t at,
		    const struct flat_bucket *bucket)
{
	struct straw2_bin *bin = &sorter->bins[kind];
	uint32_t lane = sorter->counts[kind]++;

	if (lane == 0) {
		bin->items_min = bucket->count;
		bin->items_max = bucket->count;
		bin->same = 1;
	}
	bin->x[lane] = sorter->batch->x[at];
	bin->r[lane] = sorter->batch->r[at];
	bin->items[lane] = bucket->count;
	bin->ids[lane] = flat_ids(bucket);
	bin->scales[lane] = table_of(bucket) + STRAW2_HEAD;
	bin->same &= bin->ids[lane] == bin->ids[0];
	if (bin->items_min > bucket->count)
		bin->items_min = bucket->count;
	if (bin->items_max < bucket->count)
		bin->items_max = bucket->count;
	sorter->at[kind][lane] = at;
	if (lane + 1 == STRAW2_BIN)
		empty_bin(sorter, kind);
}

static void answer(struct sorter *sorter, size_t at, const struct flat_bucket *bucket)
{
	const struct select_batch *batch = sorter->batch;
	struct select_in in = {.x = batch->x[at], .r = batch->r[at]};

	if (batch->position)
		in.position = batch->position[at];
	in.args = flat_args_of(batch->flat, batch->set,
			       flat_bucket_index(batch->flat, bucket));
	batch->refs[at] = flat_refs(bucket)[select_choose(bucket, &in)];
}

/* Which bin takes questions to a bucket; below 0: none. */
static int bin_of(const struct sorter *sorter, const struct flat_bucket *bucket)
{
	if (bucket->selector != 0 || bucket->hash != HASH_RJENKINS1 ||
	    bucket->count > STRAW2_BIN_ITEMS)
		return -1;
	if (flat_args_of(sorter->batch->flat, sorter->batch->set,
			 flat_bucket_index(sorter->batch->flat, bucket)))
		return -1;
	return (int)table_of(bucket)[STRAW2_KIND] - 1;
}

void straw2_choose_many(const struct select_kernel *kernel,
			const struct select_batch *batch)
{
	struct sorter sorter;

	sorter.kernel = kernel;
	sorter.batch = batch;
	sorter.counts[0] = 0;
	sorter.counts[1] = 0;
	for (size_t i = 0; i < batch->count; i++) {
		const struct flat_bucket *bucket =
			flat_bucket_of(batch->flat, batch->refs[i]);
		int kind = kernel->equal ? bin_of(&sorter, bucket) : -1;

		if (kind < 0)
			answer(&sorter, i, bucket);
		else
			drop_in(&sorter, kind, i, bucket);
	}
	empty_bin(&sorter, 0);
	empty_bin(&sorter, 1);
}
