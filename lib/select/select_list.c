/* SPDX-License-Identifier: MIT */
/* doc/crush.md, section 3.3. The table holds, for each item, the sum of the weights up to
 * and with its own. */
#include "select_many.h"

static uint32_t table_words(uint32_t count)
{
	return count;
}

static strew_status prepare(const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error)
{
	uint32_t sum = 0;

	(void)allocator;
	(void)error;
	for (uint32_t i = 0; i < source->count; i++) {
		sum += source->weights[i];
		table[i] = sum;
	}
	return STREW_OK;
}

/* From item end - 1 down to `start`, whose hashes are given. @return `end` when none of
 * them says yes. */
static uint32_t walk(const struct flat_bucket *bucket, uint32_t start, uint32_t end,
		     const uint32_t *hashes)
{
	const uint32_t *weights = flat_weights(bucket), *sums = flat_table(bucket);

	for (uint32_t i = end; i-- > start;) {
		uint64_t draw = hashes[i - start] & 0xffff;

		if ((draw * sums[i]) >> 16 < weights[i])
			return i;
	}
	return end;
}

/* How many items are hashed together. A walk mostly ends long before the first item, and
 * hashes that aren't cheap are not to be made in vain. */
static uint32_t stride_of(const struct select_kernel *kernel)
{
	if (select_hash_is_cheap(kernel))
		return SELECT_HASHES;
	return select_hash_lanes(kernel) > 1 ? 8 : 4;
}

static uint32_t choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	uint32_t hashes[SELECT_HASHES + FLAT_PAD], stride = stride_of(in->kernel);

	for (uint32_t start, end = bucket->count; end > 0; end = start) {
		uint32_t index;

		start = end < stride ? 0 : end - stride;
		select_hash_words_4(bucket, in, flat_ids(bucket) + start, end - start,
				    hashes);
		index = walk(bucket, start, end, hashes);
		if (index != end)
			return index;
	}
	return 0;
}

/* From the last item down: the first whose part of the sum up to it is below its weight
 * is chosen, and the first of the list where none is. */
static uint32_t explain(const struct flat_bucket *bucket, const struct select_in *in,
			struct select_candidate *candidates)
{
	const uint32_t *sums = flat_table(bucket);
	uint32_t count = 0;
	bool chosen = false;

	for (uint32_t i = bucket->count; i-- > 0 && !chosen; count++) {
		int32_t id = flat_ids(bucket)[i];
		uint32_t hash = select_hash_4(bucket, in->x, (uint32_t)id, in->r,
					      (uint32_t)bucket->id) &
				0xffff;

		candidates[count] = (struct select_candidate){
			.item = i,
			.id = id,
			.hash = hash,
			.weight = flat_weights(bucket)[i],
			.scale = sums[i],
			.straw = (int64_t)((uint64_t)hash * sums[i] >> 16),
		};
		chosen = candidates[count].straw < candidates[count].weight;
	}
	return count;
}

static uint32_t count_hashes(const struct flat_bucket *bucket, uint32_t r)
{
	(void)r;
	return bucket->count;
}

static void put(struct select_pack *pack, const struct flat_bucket *bucket, uint32_t x,
		uint32_t r, uint32_t count)
{
	select_pack_fill(pack->words[0] + pack->count, x, count);
	select_pack_copy(pack->words[1] + pack->count, flat_ids(bucket), count);
	select_pack_fill(pack->words[2] + pack->count, r, count);
	select_pack_fill(pack->words[3] + pack->count, (uint32_t)bucket->id, count);
}

static uint32_t decide(const struct flat_bucket *bucket, uint32_t r,
		       const uint32_t *hashes)
{
	uint32_t index = walk(bucket, 0, bucket->count, hashes);

	(void)r;
	return index == bucket->count ? 0 : index;
}

static void choose_many(struct select_many *many)
{
	static const struct select_plan plan = {4, count_hashes, put, decide};

	if (select_hash_lanes(many->kernel) > 1)
		select_answer(many, &plan);
	else
		select_answer_alone(many, choose);
}

const struct select_ops select_list = {
	.name = "list",
	.summary = "walks from the newest item to the oldest; cheap to grow at the end",
	.flags = SELECT_WEIGHTED,
	.table_words = table_words,
	.prepare = prepare,
	.choose = choose,
	.explain = explain,
	.choose_many = choose_many,
};
