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
	return bits_of((weight ? (float)weight : 0x1p-24f) * (STRAW2_OCTAVE * 0x1p-44f));
}

uint32_t straw2_span(uint32_t weight)
{
	return 2 + 2 * (weight / 56000000);
}

/* Keys below this surely lose against the first; 0 where none does. */
static float limit_of(uint32_t scale, uint32_t first)
{
	float key = as_float(first), unit = as_float(scale);
	float q = unit / key * (1 / STRAW2_OCTAVE);
	float slope = STRAW2_SLOPE + STRAW2_BEND * (q * q) * (q * q);

	/* An infinite key's is 0, and with an index it isn't a number. */
	if (!(q > 0.0f && q < STRAW2_LIMIT))
		return 0.0f;
	return unit * key /
	       (slope * unit + (STRAW2_OFFSET + STRAW2_ROUNDING * unit) * key);
}

uint32_t straw2_mixed_limit(const uint32_t *scales, uint32_t first)
{
	return bits_of(limit_of(scales[first & STRAW2_INDEX_MASK], first));
}

uint8_t straw2_margin(uint32_t scale, uint32_t first, uint32_t second)
{
	float steps =
		(limit_of(scale, first) / as_float(second) - 1.0f) * SELECT_MARGIN_STEPS;

	if (!(steps >= 1.0f))
		return 0;
	return steps < UINT8_MAX ? (uint8_t)steps : UINT8_MAX;
}

/* The best of the items that may win, by the definition. */
static uint32_t choose_among(const struct straw2_row *row, const struct straw2_part *part,
			     uint32_t limit)
{
	uint32_t start = (uint32_t)(part->ids - row->ids), best = start;
	int64_t longest = INT64_MIN;

	for (uint32_t i = 0; i < part->items; i++) {
		int64_t draw;

		if (part->keys[i] < limit)
			continue;
		draw = straw2_draw(row, start + i, part->x, part->r);
		if (draw > longest) {
			longest = draw;
			best = start + i;
		}
	}
	return best;
}

/* Which of a part's items wins, where the first may not. */
static uint32_t look_closely(const struct select_kernel *kernel,
			     const struct straw2_row *row, struct straw2_part *part)
{
	uint32_t keys[STRAW2_ITEMS + FLAT_PAD];

	part->keys = keys;
	kernel->parts(part, 1);
	return choose_among(row, part, straw2_part_limit(part));
}

/* The index of the winner, when a kernel has filled in the answers. */
static uint32_t settle_part(const struct select_kernel *kernel,
			    const struct straw2_row *row, struct straw2_part *part)
{
	if (part->second < straw2_part_limit(part))
		return (uint32_t)(part->ids - row->ids) +
		       straw2_index_of(row->kind, part->first);
	return look_closely(kernel, row, part);
}

/* Of the bests of some parts, the best. */
struct contest {
	const struct select_kernel *kernel;
	const struct straw2_row *row;
	int64_t longest;
	uint32_t best;
};

static void hold_contest(struct contest *contest, struct straw2_part *parts,
			 uint32_t count)
{
	contest->kernel->parts(parts, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t next = settle_part(contest->kernel, contest->row, &parts[i]);
		int64_t draw = straw2_draw(contest->row, next, parts[i].x, parts[i].r);

		if (draw > contest->longest) {
			contest->longest = draw;
			contest->best = next;
		}
	}
}

static uint32_t choose_among_parts(const struct select_kernel *kernel,
				   const struct straw2_row *row, uint32_t x, uint32_t r)
{
	struct contest contest = {.kernel = kernel, .row = row, .longest = INT64_MIN};
	struct straw2_part parts[STRAW2_PARTS];
	uint32_t count = 0;

	for (uint32_t start = 0; start < row->bucket->count; start += STRAW2_ITEMS) {
		straw2_make_part(&parts[count++], row, start, x, r);
		if (count == STRAW2_PARTS) {
			hold_contest(&contest, parts, count);
			count = 0;
		}
	}
	hold_contest(&contest, parts, count);
	return contest.best;
}

/* All items of a row as one part, where they fit a key. */
static void make_whole(struct straw2_part *part, const struct straw2_row *row, uint32_t x,
		       uint32_t r)
{
	straw2_make_part(part, row, 0, x, r);
	part->items = row->bucket->count;
}

uint32_t straw2_choose_closely(const struct select_kernel *kernel,
			       const struct straw2_row *row, uint32_t x, uint32_t r)
{
	struct straw2_part part;

	if (row->bucket->count > STRAW2_ITEMS)
		return choose_among_parts(kernel, row, x, r);
	make_whole(&part, row, x, r);
	return look_closely(kernel, row, &part);
}

uint32_t straw2_choose_in_parts(const struct select_kernel *kernel,
				const struct straw2_row *row, uint32_t x, uint32_t r)
{
	struct straw2_part part;

	if (!straw2_is_askable(row->kind, row->bucket->count))
		return choose_among_parts(kernel, row, x, r);
	make_whole(&part, row, x, r);
	kernel->parts(&part, 1);
	if (part.second < straw2_part_limit(&part))
		return straw2_index_of(row->kind, part.first);
	return straw2_choose_closely(kernel, row, x, r);
}
