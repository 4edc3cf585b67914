/* SPDX-License-Identifier: MIT */
/*
 * doc/crush.md, section 3.4. The table holds the weight of each node of a binary tree.
 * Item i is leaf 2i + 1; an inner node's height is the number of zero bits at the end
 * of its number:
 *
 *         4
 *       2   6
 *      1 3 5 7
 */
#include "select_priv.h"

#include <string.h>

/* Maps hold the number of nodes in one byte. */
#define MAX_ITEMS 64

static uint32_t table_words(uint32_t count)
{
	uint32_t leaves = 1;

	while (leaves < count)
		leaves *= 2;
	return 2 * leaves;
}

/* 2 to the power of a node's height. */
static uint32_t span_of(uint32_t node)
{
	return node & (0 - node);
}

static uint32_t parent_of(uint32_t node)
{
	uint32_t span = span_of(node);

	return node & (span << 1) ? node - span : node + span;
}

static strew_status prepare(const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error)
{
	uint32_t words = table_words(source->count);
	uint32_t root = words / 2;

	(void)allocator;
	(void)error;
	memset(table, 0, words * sizeof(*table));
	for (uint32_t i = 0; i < source->count; i++) {
		uint32_t node = 2 * i + 1;

		for (; node != root; node = parent_of(node))
			table[node] += source->weights[i];
		table[root] += source->weights[i];
	}
	return STREW_OK;
}

static uint32_t choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	const uint32_t *weights = flat_table(bucket);
	uint32_t node = bucket->table_words / 2;

	while (node % 2 == 0) {
		uint64_t hash =
			select_hash_4(bucket, in->x, node, in->r, (uint32_t)bucket->id);
		uint64_t draw = hash * weights[node] >> 32;
		uint32_t step = span_of(node) / 2;

		node = draw < weights[node - step] ? node - step : node + step;
	}
	/* Where all weights are 0 the walk keeps right, perhaps past the last item; the
	 * reference then reads beyond its array. */
	return node / 2 < bucket->count ? node / 2 : bucket->count - 1;
}

const struct select_ops select_tree = {
	.name = "tree",
	.summary =
		"walks down a binary tree of weights; for nested buckets of many items",
	.flags = SELECT_WEIGHTED,
	.max_items = MAX_ITEMS,
	.table_words = table_words,
	.prepare = prepare,
	.choose = choose,
};
