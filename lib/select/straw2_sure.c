/* SPDX-License-Identifier: MIT */
/*
 * What keys tell: doc/selectors/straw2.md has the proof. All floating point here and in
 * the kernels is a bound, which is tested for every hash.
 */
#include <string.h>

#include "straw2_kernel.h"

static float as_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
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

uint32_t straw2_mixed_limit(const uint32_t *scales, uint32_t first)
{
	float key = as_float(first);
	float scale = as_float(scales[first & STRAW2_INDEX_MASK]);

	if (key > STRAW2_LIMIT * scale)
		return STRAW2_NO_KEY - 1;
	return bits_of(key * STRAW2_SLOPE + scale * STRAW2_OFFSET + STRAW2_ROUNDING);
}

static uint32_t limit_of(enum straw2_kind kind, uint32_t span, const uint32_t *scales,
			 uint32_t first)
{
	return kind == STRAW2_EQUAL ? straw2_equal_limit(span, first)
				    : straw2_mixed_limit(scales, first);
}

/* The best of the items that may win, by the definition. */
static uint32_t choose_among(const struct straw2_row *row, const struct straw2_part *part,
			     uint32_t start, uint32_t limit)
{
	int64_t longest = INT64_MIN;
	uint32_t best = start;

	for (uint32_t i = 0; i < part->items; i++) {
		int64_t draw;

		if (part->keys[i] > limit)
			continue;
		draw = straw2_draw(row, start + i, part->x, part->r);
		if (draw > longest) {
			longest = draw;
			best = start + i;
		}
	}
	return best;
}

static uint32_t choose_in_part(const struct select_kernel *kernel,
			       const struct straw2_row *row, struct straw2_part *part,
			       uint32_t start)
{
	uint32_t limit;

	part->ids = row->ids + start;
	part->scales = row->kind == STRAW2_MIXED ? row->scales + start : NULL;
	part->items = row->bucket->count - start;
	if (part->items > STRAW2_ITEMS)
		part->items = STRAW2_ITEMS;
	kernel->part(part);
	limit = limit_of(row->kind, row->span, part->scales, part->first);
	if (part->second > limit)
		return start + straw2_key_index(row->kind, part->first);
	return choose_among(row, part, start, limit);
}

uint32_t straw2_choose_in_parts(const struct select_kernel *kernel,
				const struct straw2_row *row, uint32_t x, uint32_t r)
{
	struct straw2_part part = {.x = x, .r = r};
	uint32_t best = choose_in_part(kernel, row, &part, 0);
	int64_t longest;

	if (row->bucket->count <= STRAW2_ITEMS)
		return best;
	longest = straw2_draw(row, best, x, r);
	for (uint32_t start = STRAW2_ITEMS; start < row->bucket->count;
	     start += STRAW2_ITEMS) {
		uint32_t next = choose_in_part(kernel, row, &part, start);
		int64_t draw = straw2_draw(row, next, x, r);

		if (draw > longest) {
			longest = draw;
			best = next;
		}
	}
	return best;
}
