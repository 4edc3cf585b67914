/* SPDX-License-Identifier: MIT */
/* By how much weights may change before answers do: doc/selectors/straw2.md. */
#include <string.h>

#include "base_alloc.h"
#include "straw2_kernel.h"

static bool is_weighable(const struct select_side *side)
{
	return select_at(side->bucket->selector) == &select_straw2 &&
	       side->bucket->count > 0 &&
	       straw2_row_of(side->bucket, side->args, 0).kind != STRAW2_ODD;
}

bool select_weigh(struct select_weighing *weighing, const struct select_side *side,
		  const strew_allocator *allocator)
{
	struct straw2_row row;
	size_t count = side->bucket->count;

	memset(weighing, 0, sizeof(*weighing));
	if (!is_weighable(side))
		return true;
	row = straw2_row_of(side->bucket, side->args, 0);
	weighing->room = 3 * count;
	weighing->words = base_alloc(allocator, weighing->room, sizeof(uint32_t));
	if (weighing->words == NULL)
		return false;
	weighing->count = side->bucket->count;
	memcpy(weighing->words, row.ids, count * sizeof(uint32_t));
	memcpy(weighing->words + count, row.weights, count * sizeof(uint32_t));
	for (size_t i = 0; i < count; i++)
		weighing->words[2 * count + i] = straw2_scale(row.weights[i]);
	return true;
}

void select_weighing_free(struct select_weighing *weighing,
			  const strew_allocator *allocator)
{
	base_free(allocator, weighing->words, weighing->room * sizeof(uint32_t));
	memset(weighing, 0, sizeof(*weighing));
}

/* Items are asked about in parts, and the two best keys of all are kept. */
struct bests {
	uint32_t first[STRAW2_BIN];
	uint32_t second[STRAW2_BIN];
	uint32_t scales[STRAW2_BIN]; /* of the first */
};

static void merge(struct bests *bests, const struct straw2_bin *bin)
{
	for (uint32_t i = 0; i < bin->count; i++) {
		uint32_t first = bin->first[i], second = bin->second[i];

		if (first > bests->first[i]) {
			bests->second[i] =
				second > bests->first[i] ? second : bests->first[i];
			bests->first[i] = first;
			bests->scales[i] = bin->scales[0][first & STRAW2_INDEX_MASK];
		} else if (first > bests->second[i]) {
			bests->second[i] = first;
		}
	}
}

/* At most STRAW2_BIN questions. */
static void measure_bin(const struct select_kernel *kernel,
			const struct select_weighing *weighing, struct straw2_bin *bin,
			uint8_t *margins)
{
	struct bests bests;

	for (uint32_t i = 0; i < bin->count; i++)
		bests.first[i] = bests.second[i] = STRAW2_NO_KEY;
	for (uint32_t start = 0; start < weighing->count; start += STRAW2_ITEMS) {
		uint32_t left = weighing->count - start;

		bin->items_max = left < STRAW2_ITEMS ? left : STRAW2_ITEMS;
		bin->items_min = bin->items_max;
		bin->ids[0] = (const int32_t *)weighing->words + start;
		bin->scales[0] = weighing->words + 2 * (size_t)weighing->count + start;
		kernel->mixed(bin);
		merge(&bests, bin);
	}
	for (uint32_t i = 0; i < bin->count; i++)
		margins[i] =
			straw2_margin(bests.scales[i], bests.first[i], bests.second[i]);
}

void select_measure(const struct select_kernel *kernel,
		    const struct select_weighing *weighing, const uint32_t *x, uint32_t r,
		    uint32_t count, uint8_t *margins)
{
	uint32_t inputs[STRAW2_BIN + SELECT_PAD] = {0}, attempts[STRAW2_BIN + SELECT_PAD];
	struct straw2_bin bin = {.from = STRAW2_SAME, .x = inputs, .r = attempts};

	memset(margins, 0, count);
	if (kernel->mixed == NULL || weighing->count == 0)
		return;
	for (uint32_t i = 0; i < STRAW2_BIN + SELECT_PAD; i++)
		attempts[i] = r;
	for (uint32_t done = 0; done < count; done += bin.count) {
		bin.count = count - done < STRAW2_BIN ? count - done : STRAW2_BIN;
		memcpy(inputs, x + done, bin.count * sizeof(*x));
		measure_bin(kernel, weighing, &bin, margins + done);
	}
}

/* Factors are fixed-point numbers; this is 1. */
#define FACTOR_ONE ((uint64_t)1 << 20)

/* `to` in terms of `from`, rounded up. Weights are below 2^31. */
static uint64_t factor_of(uint32_t from, uint32_t to)
{
	return ((uint64_t)to * FACTOR_ONE + from - 1) / from;
}

uint32_t select_needed_margin(const struct select_weighing *weighing,
			      const struct select_side *side)
{
	uint64_t rise = FACTOR_ONE, fall = FACTOR_ONE, product;
	size_t count = weighing->count;
	const uint32_t *weights = weighing->words + count;
	struct straw2_row row;

	if (count == 0 || side->bucket->count != count || !is_weighable(side))
		return SELECT_NO_MARGIN;
	row = straw2_row_of(side->bucket, side->args, 0);
	if (memcmp(row.ids, weighing->words, count * sizeof(uint32_t)) != 0)
		return SELECT_NO_MARGIN;
	for (size_t i = 0; i < count; i++) {
		uint32_t from = weights[i], to = row.weights[i];
		uint64_t factor;

		if (from == to)
			continue;
		if (from == 0 || to == 0)
			return SELECT_NO_MARGIN;
		factor = to > from ? factor_of(from, to) : factor_of(to, from);
		if (factor > 2 * FACTOR_ONE)
			return SELECT_NO_MARGIN;
		if (to > from)
			rise = factor > rise ? factor : rise;
		else
			fall = factor > fall ? factor : fall;
	}
	/* A step more than that, and a little, for margins are quotients of floats. */
	product = rise * fall - FACTOR_ONE * FACTOR_ONE + (FACTOR_ONE << 4);
	product = product / (FACTOR_ONE * FACTOR_ONE / SELECT_MARGIN_STEPS) + 1;
	return product < SELECT_NO_MARGIN ? (uint32_t)product : SELECT_NO_MARGIN;
}
