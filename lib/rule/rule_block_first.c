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

/* The first attempts of all whose root isn't empty. @return how many these are. */
static size_t start_row(struct rule_block *block, uint32_t ranks, uint32_t count)
{
	struct rule_quest *quest = &block->quest;
	size_t started = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct rule_seeker *seeker = &block->seekers[i];

		quest->at[started] = i;
		quest->x[started] = seeker->x;
		quest->refs[started] = seeker->root;
		started += !rule_is_empty(block, seeker->root);
	}
	for (uint32_t r = 0; r < ranks && started < count; r++) {
		for (uint32_t i = 0; i < count; i++)
			block->nodes[rule_answer_at(block, r, i)] = RULE_NOTHING;
	}
	return started;
}

/* As long as nothing goes wrong r is the position, too. */
static void note_positions(struct rule_block *block, uint32_t r, size_t first, size_t end)
{
	uint32_t at = rule_answer_at(block, r, 0);

	for (uint32_t i = at; i < at + block->active_count; i++) {
		block->node_positions[i] = (uint16_t)r;
		block->leaf_positions[i] = (uint16_t)r;
	}
	for (size_t i = first; block->step.nodes_vary && i < end; i++)
		block->quest.position[i] = block->step.indep ? 0 : r;
}

static void ask_nodes(struct rule_block *block, uint32_t ranks, uint32_t count)
{
	struct rule_quest *quest = &block->quest;
	size_t started = start_row(block, ranks, count);

	for (uint32_t r = 0; r < ranks; r++) {
		size_t first = r * started;

		for (uint32_t i = 0; i < count; i++)
			block->leaves[rule_answer_at(block, r, i)] = RULE_UNASKED;
		for (size_t i = 0; i < started; i++) {
			quest->at[first + i] = rule_answer_at(block, r, quest->at[i]);
			quest->x[first + i] = quest->x[i];
			quest->r[first + i] = r;
			quest->refs[first + i] = quest->refs[i];
		}
		if (block->step.leaves_vary)
			note_positions(block, r, first, first + started);
	}
	quest->count = ranks * started;
	rule_quest_run(block, block->step.type, block->nodes);
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

	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = rule_answer_at(block, r, i);
		int32_t node = block->nodes[at];

		if (repeats[i] || node >= 0)
			continue;
		rule_wish_add(block, at, block->seekers[i].x, leaf_r, r, node);
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
		uint32_t x = block->seekers[i].x;
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

static void take_answers(const struct rule_block *block, struct rule_seeker *seeker,
			 uint32_t number, uint32_t ranks)
{
	seeker->taken = ranks < seeker->room ? ranks : seeker->room;
	for (uint32_t r = 0; r < seeker->taken; r++) {
		seeker->chosen[r] = block->nodes[rule_answer_at(block, r, number)];
		seeker->leaves[r] = block->leaves[rule_answer_at(block, r, number)];
	}
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
