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
	/* Where all weigh the same there is no room for more, and no need. */
	if (table[STRAW2_KIND] != STRAW2_MIXED)
		return STREW_OK;
	for (uint32_t i = 0; i < source->count; i++)
		table[STRAW2_HEAD + i] = straw2_scale(source->weights[i]);
	return STREW_OK;
}
