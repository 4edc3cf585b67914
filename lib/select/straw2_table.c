/* SPDX-License-Identifier: MIT */
/* What is made of a straw2 bucket's weights when a map is compiled, for kernels. */
#include "straw2_kernel.h"

uint32_t straw2_table_words(uint32_t count)
{
	return STRAW2_HEAD + count;
}

static enum straw2_kind kind_of(const struct select_source *source)
{
	uint32_t all = 0, differing = 0;

	for (uint32_t i = 0; i < source->count; i++) {
		all |= source->weights[i];
		differing |= source->weights[i] ^ source->weights[0];
	}
	if (all == 0 || all >> 31)
		return STRAW2_ODD;
	return differing ? STRAW2_MIXED : STRAW2_EQUAL;
}

strew_status straw2_prepare(const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error)
{
	(void)allocator;
	(void)error;
	table[STRAW2_KIND] = kind_of(source);
	table[STRAW2_SPAN] = straw2_span(source->weights[0]);
	for (uint32_t i = 0; i < source->count; i++)
		table[STRAW2_HEAD + i] = straw2_scale(source->weights[i]);
	return STREW_OK;
}

/* A row of a weight set, with a table of its own behind it. */
static const uint32_t *set_row(const struct flat_args *args, uint32_t position)
{
	uint32_t row = position < args->positions ? position : args->positions - 1;

	return (const uint32_t *)((const char *)args + args->weights) +
	       (size_t)row * args->stride;
}

struct straw2_row straw2_row_of(const struct flat_bucket *bucket,
				const struct flat_args *args, uint32_t position)
{
	struct straw2_row row = {.bucket = bucket, .ids = flat_ids(bucket)};
	const uint32_t *table = flat_table(bucket);

	row.weights = flat_weights(bucket);
	if (args && args->ids)
		row.ids = (const int32_t *)((const char *)args + args->ids);
	if (args && args->weights) {
		row.weights = set_row(args, position);
		table = row.weights + args->table;
	}
	/* A hash that isn't known gives 0 to all. */
	row.kind = bucket->hash == HASH_RJENKINS1 ? (enum straw2_kind)table[STRAW2_KIND]
						  : STRAW2_ODD;
	row.span = table[STRAW2_SPAN];
	row.scales = table + STRAW2_HEAD;
	return row;
}
