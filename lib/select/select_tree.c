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
#include "select_many.h"

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

/* One step down from an inner node. */
static uint32_t child_of(const uint32_t *weights, uint32_t node, uint32_t hash)
{
	uint64_t draw = (uint64_t)hash * weights[node] >> 32;
	uint32_t step = span_of(node) / 2;

	return draw < weights[node - step] ? node - step : node + step;
}

/* Where all weights are 0 the walk keeps right, perhaps past the last item; the reference
 * then reads beyond its array. */
static uint32_t item_at(const struct flat_bucket *bucket, uint32_t leaf)
{
	return leaf / 2 < bucket->count ? leaf / 2 : bucket->count - 1;
}

#define ROW(n) n, n + 2, n + 4, n + 6, n + 8, n + 10, n + 12, n + 14
static const uint32_t inner_nodes[MAX_ITEMS + FLAT_PAD] = {
	ROW(2), ROW(18), ROW(34), ROW(50), ROW(66), ROW(82), ROW(98), ROW(114)};

/* With the hashes of all inner nodes. */
static uint32_t descend(const struct flat_bucket *bucket, const uint32_t *hashes)
{
	uint32_t node = bucket->table_words / 2;

	while (node % 2 == 0)
		node = child_of(flat_table(bucket), node, hashes[node / 2 - 1]);
	return item_at(bucket, node);
}

/* A walk would wait for each of its hashes in turn: so all nodes are hashed at once. */
static uint32_t choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	uint32_t hashes[MAX_ITEMS + FLAT_PAD], node = bucket->table_words / 2;

	if (!select_hash_is_cheap(in->kernel)) {
		while (node % 2 == 0)
			node = child_of(flat_table(bucket), node,
					select_hash_4(bucket, in->x, node, in->r,
						      (uint32_t)bucket->id));
		return item_at(bucket, node);
	}
	select_hash_words_4(bucket, in, inner_nodes, bucket->table_words / 2 - 1, hashes);
	return descend(bucket, hashes);
}

/* From the root down: left where the node's part of its weight is below the left one's;
 * the item in the end. */
static uint32_t explain(const struct flat_bucket *bucket, const struct select_in *in,
			struct select_candidate *candidates)
{
	const uint32_t *weights = flat_table(bucket);
	uint32_t node = bucket->table_words / 2, item, count = 0;

	for (; node % 2 == 0; count++) {
		uint32_t hash =
			select_hash_4(bucket, in->x, node, in->r, (uint32_t)bucket->id);

		candidates[count] = (struct select_candidate){
			.item = SELECT_NODE,
			.node = node,
			.id = (int32_t)node,
			.hash = hash,
			.weight = weights[node - span_of(node) / 2],
			.scale = weights[node],
			.straw = (int64_t)((uint64_t)hash * weights[node] >> 32),
		};
		node = child_of(weights, node, hash);
	}
	item = item_at(bucket, node);
	candidates[count] = (struct select_candidate){
		.item = item,
		.node = node,
		.id = flat_ids(bucket)[item],
		.weight = flat_weights(bucket)[item],
	};
	return count + 1;
}

static void hash_nodes(const struct select_many *many, const uint32_t *nodes,
		       const uint32_t *ids, uint32_t *hashes)
{
	struct select_words words = {
		.words = {many->x, nodes, many->r, ids},
		.arity = 4,
		.count = many->count,
	};

	select_hash_many(many->kernel, &words, hashes);
}

/* Side by side, down from the roots to the last that comes to a leaf. */
static void walk_many(struct select_many *many)
{
	uint32_t nodes[SELECT_HASHES + FLAT_PAD], ids[SELECT_HASHES + FLAT_PAD];
	uint32_t hashes[SELECT_HASHES + FLAT_PAD], open = 1;

	for (uint32_t i = 0; i < many->count; i++) {
		nodes[i] = many->buckets[i]->table_words / 2;
		ids[i] = (uint32_t)many->buckets[i]->id;
	}
	while (open > 0) {
		open = 0;
		hash_nodes(many, nodes, ids, hashes);
		for (uint32_t i = 0; i < many->count; i++) {
			if (nodes[i] % 2 == 0)
				nodes[i] = child_of(flat_table(many->buckets[i]),
						    nodes[i], hashes[i]);
			open += nodes[i] % 2 == 0;
		}
	}
	for (uint32_t i = 0; i < many->count; i++)
		many->chosen[i] = item_at(many->buckets[i], nodes[i]);
}

static void choose_many(struct select_many *many)
{
	if (many->count > 1)
		walk_many(many);
	else
		select_answer_alone(many, choose);
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
	.explain = explain,
	.choose_many = choose_many,
};
