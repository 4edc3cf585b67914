/* SPDX-License-Identifier: MIT */
/* doc/crush.md, section 3.3. The table holds, for each item, the sum of the weights up to
 * and with its own. */
#include "select_priv.h"

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

static uint32_t choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	const int32_t *ids = flat_ids(bucket);
	const uint32_t *weights = flat_weights(bucket);
	const uint32_t *sums = flat_table(bucket);

	for (uint32_t i = bucket->count; i-- > 0;) {
		uint64_t draw = select_hash_4(bucket, in->x, (uint32_t)ids[i], in->r,
					      (uint32_t)bucket->id) &
				0xffff;

		if ((draw * sums[i]) >> 16 < weights[i])
			return i;
	}
	return 0;
}

const struct select_ops select_list = {
	.name = "list",
	.summary = "walks from the newest item to the oldest; cheap to grow at the end",
	.flags = SELECT_WEIGHTED,
	.table_words = table_words,
	.prepare = prepare,
	.choose = choose,
};
