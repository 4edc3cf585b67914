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

/* Where ids are evenly apart they need not be loaded. */
static uint32_t stride_of(const struct select_source *source)
{
	uint32_t stride;

	if (source->ids == NULL || source->count < 2)
		return 0;
	stride = (uint32_t)source->ids[1] - (uint32_t)source->ids[0];
	for (uint32_t i = 2; i < source->count; i++) {
		if ((uint32_t)source->ids[i] - (uint32_t)source->ids[i - 1] != stride)
			return 0;
	}
	return stride;
}

strew_status straw2_prepare(const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error)
{
	(void)allocator;
	(void)error;
	table[STRAW2_KIND] = kind_of(source);
	table[STRAW2_SPAN] = straw2_span(source->weights[0]);
	table[STRAW2_STRIDE] = stride_of(source);
	/* Where all weigh the same there is no room for more, and no need. */
	if (table[STRAW2_KIND] != STRAW2_MIXED)
		return STREW_OK;
	for (uint32_t i = 0; i < source->count; i++)
		table[STRAW2_HEAD + i] = straw2_scale(source->weights[i]);
	return STREW_OK;
}
