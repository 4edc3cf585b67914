/* SPDX-License-Identifier: MIT */
/* What a block asks first: for all ranks of all seekers together, as if nothing went
 * wrong. Mostly nothing does, and then that is the result. */
#include "rule_block_priv.h"

#include <string.h>

/* Loops over seekers have no branches where they can do without, so that compilers make
 * vectors of them. */

/* Was the answer to r that of an attempt before? */
static void find_repeats(const struct rule_block *block, const int32_t *answers,
			 uint32_t r, uint32_t count, int32_t *repeats)
{
	const int32_t *row = answers + rule_answer_at(block, r, 0);

	memset(repeats, 0, count * sizeof(*repeats));
	for (uint32_t before = 0; before < r; before++) {
		const int32_t *other = answers + rule_answer_at(block, before, 0);

		for (uint32_t i = 0; i < count; i++)
			repeats[i] |= row[i] == other[i];
	}
}

/* As long as nothing goes wrong r is the position, too. */
static void note_positions(struct rule_block *block, uint32_t r, uint32_t count)
{
	uint32_t at = rule_answer_at(block, r, 0);

	for (uint32_t i = at; i < at + count; i++) {
		block->node_positions[i] = (uint16_t)r;
		block->leaf_positions[i] = (uint16_t)r;
	}
	for (uint32_t i = r * count; i < (r + 1) * count; i++)
		block->quest.position[i] = block->step.indep ? 0 : r;
}

static void ask_nodes(struct rule_block *block, uint32_t ranks, uint32_t count)
{
	struct rule_quest *quest = &block->quest;
	size_t size = count * sizeof(*quest->refs);

	for (uint32_t i = 0; i < count; i++)
		quest->refs[i] = block->seekers[i].root;
	for (uint32_t r = 0; r < ranks; r++) {
		uint32_t first = r * count;

		for (uint32_t i = 0; i < count; i++) {
			quest->at[first + i] = rule_answer_at(block, r, i);
			quest->r[first + i] = r;
		}
		memcpy(quest->x + first, block->x, size);
		if (r > 0)
			memcpy(quest->refs + first, quest->refs, size);
		if (block->step.leaves_vary)
			note_positions(block, r, count);
	}
	quest->count = ranks * count;
	rule_quest_run(block);
}

/* Are devices below items needed? Where devices are chosen they are the leaves, too. */
static bool needs_leaves(const struct rule_block *block)
{
	return block->step.leaf && block->step.type != 0;
}

/* Below an item that an r before led to, too, no device is asked for. */
static void wish_leaves(struct rule_block *block, uint32_t r, uint32_t count,
			const int32_t *repeats)
{
	uint32_t leaf_r = block->step.indep ? 2 * r : rule_leaf_attempt(block, r, r);
	uint32_t first = rule_answer_at(block, r, 0);
	struct rule_quest *wish = &block->wish;
	size_t end = wish->count;

	for (uint32_t at = first; at < first + count; at++) {
		block->leaves[at] = RULE_UNASKED;
		wish->at[end] = at;
		wish->x[end] = block->x[at - first];
		wish->refs[end] = block->nodes[at];
		end += !repeats[at - first] & (block->nodes[at] < 0);
	}
	for (; wish->count < end; wish->count++) {
		wish->r[wish->count] = leaf_r;
		wish->position[wish->count] = r;
	}
}

/* What isn't an item, or is a device that is out. */
static void find_bad_nodes(struct rule_block *block, uint32_t r, uint32_t count)
{
	const int32_t *nodes = block->nodes + rule_answer_at(block, r, 0);
	int32_t buckets = -1;

	for (uint32_t i = 0; i < count; i++)
		buckets &= nodes[i];
	for (uint32_t i = 0; i < count && buckets >= 0; i++) {
		uint32_t x = block->x[i];
		bool bad = nodes[i] >= RULE_UNASKED ||
			   (nodes[i] >= 0 && rule_is_out(block->call->flat, nodes[i], x));

		block->trouble[i] |= bad * RULE_FAILS;
	}
}

/* Without leaves an item stands for its own; what repeats has none in any case. */
static void copy_nodes(struct rule_block *block, uint32_t r, uint32_t count,
		       const int32_t *repeats)
{
	const int32_t *nodes = block->nodes + rule_answer_at(block, r, 0);
	int32_t *leaves = block->leaves + rule_answer_at(block, r, 0);

	for (uint32_t i = 0; i < count; i++)
		leaves[i] = repeats[i] ? RULE_UNASKED : nodes[i];
}

static void look_at_nodes(struct rule_block *block, uint32_t ranks, uint32_t count)
{
	int32_t repeats[RULE_BLOCK_MAX];

	memset(block->trouble, 0, count * sizeof(*block->trouble));
	for (uint32_t r = 0; r < ranks; r++) {
		find_repeats(block, block->nodes, r, count, repeats);
		for (uint32_t i = 0; i < count; i++)
			block->trouble[i] |= repeats[i] * RULE_REPEATS;
		find_bad_nodes(block, r, count);
		if (needs_leaves(block))
			wish_leaves(block, r, count, repeats);
		else
			copy_nodes(block, r, count, repeats);
	}
}

/* Below two items there may be one device. */
static void look_at_leaves(struct rule_block *block, uint32_t ranks, uint32_t count)
{
	int32_t repeats[RULE_BLOCK_MAX];

	for (uint32_t r = 0; r < ranks; r++) {
		const int32_t *leaves = block->leaves + rule_answer_at(block, r, 0);

		find_repeats(block, block->leaves, r, count, repeats);
		for (uint32_t i = 0; i < count; i++) {
			int32_t asked = leaves[i] != RULE_UNASKED;

			block->trouble[i] |= asked *
					     (repeats[i] | (leaves[i] == RULE_NOTHING)) *
					     RULE_FAILS;
		}
	}
}

/* What comes of the step. */
static void take_answers(const struct rule_block *block, struct rule_seeker *seeker,
			 uint32_t number, uint32_t ranks)
{
	bool leaf = block->step.leaf;
	const int32_t *answers = (leaf ? block->leaves : block->nodes) + number;
	int32_t *row =
		leaf ? rule_leaves_of(block, seeker) : rule_chosen_of(block, seeker);

	seeker->taken = ranks < seeker->room ? ranks : seeker->room;
	for (uint32_t r = 0; r < seeker->taken; r++)
		row[r] = answers[rule_answer_at(block, r, 0)];
}

void rule_block_first(struct rule_block *block)
{
	uint32_t count = block->active_count, ranks = 0;

	for (uint32_t i = 0; i < count; i++)
		ranks = block->seekers[i].room > ranks ? block->seekers[i].room : ranks;
	ranks = block->step.ranks < ranks ? block->step.ranks : ranks;
	ask_nodes(block, ranks, count);
	look_at_nodes(block, ranks, count);
	if (needs_leaves(block)) {
		rule_wish_run(block);
		look_at_leaves(block, ranks, count);
	}
	block->rows_ready = ranks;
	block->active_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (block->trouble[i])
			block->active[block->active_count++] = i;
		else
			take_answers(block, &block->seekers[i], i, ranks);
	}
}
