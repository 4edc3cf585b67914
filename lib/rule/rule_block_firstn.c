/* SPDX-License-Identifier: MIT */
/* Choosing for replicas, as rule_firstn.c does, for a block of inputs. */
#include "rule_block_priv.h"

/* Most rows are never looked at. */
static void make_ready(struct rule_block *block, uint32_t r)
{
	for (; block->rows_ready <= r; block->rows_ready++) {
		uint32_t start = block->rows_ready * block->inputs;

		for (uint32_t i = start; i < start + block->inputs; i++) {
			block->nodes[i] = RULE_UNASKED;
			block->leaves[i] = RULE_UNASKED;
		}
	}
}

/* What became of a walk. */
enum progress {
	DONE,
	WAITS, /* for answers */
	LEFT_OVER,
};

/* The item that r leads to; RULE_UNASKED: it's asked for. */
static int32_t find_node(struct rule_block *block, const struct rule_seeker *seeker,
			 uint32_t number, uint32_t r)
{
	uint32_t at = rule_answer_at(block, r, number);
	bool stale = block->step.nodes_vary && block->node_positions[at] != seeker->taken;

	if (block->nodes[at] != RULE_UNASKED && !stale)
		return block->nodes[at];
	/* What was below the item that another position had is of no use either. */
	block->leaves[at] = RULE_UNASKED;
	block->node_positions[at] = (uint16_t)seeker->taken;
	block->nodes[at] = RULE_UNASKED;
	rule_quest_add(&block->quest, at, block->x[number], r, seeker->taken,
		       seeker->root);
	return RULE_UNASKED;
}

/* The device that goes with a node. RULE_UNASKED: it's wished for. */
static int32_t find_leaf(struct rule_block *block, const struct rule_seeker *seeker,
			 uint32_t number, uint32_t r, int32_t node)
{
	uint32_t at = rule_answer_at(block, r, number);
	bool stale =
		block->step.leaves_vary && block->leaf_positions[at] != seeker->taken;

	if (node >= 0)
		return node;
	if (block->leaves[at] != RULE_UNASKED && !stale)
		return block->leaves[at];
	block->leaves[at] = RULE_UNASKED;
	block->leaf_positions[at] = (uint16_t)seeker->taken;
	rule_quest_add(&block->wish, at, block->x[number],
		       rule_leaf_attempt(block, r, seeker->taken), seeker->taken, node);
	return RULE_UNASKED;
}

/* Take a node, if it can be taken. A leaf that isn't known yet will do for now. */
static bool try_node(struct rule_block *block, struct rule_seeker *seeker,
		     uint32_t number, uint32_t r, int32_t node)
{
	int32_t *chosen = rule_chosen_of(block, seeker);
	int32_t *leaves = rule_leaves_of(block, seeker);
	int32_t leaf = node;

	if (node == RULE_NOTHING || rule_holds(chosen, seeker->taken, node))
		return false;
	if (block->step.leaf) {
		leaf = find_leaf(block, seeker, number, r, node);
		if (leaf == RULE_NOTHING)
			return false;
		if (leaf != RULE_UNASKED && rule_holds(leaves, seeker->taken, leaf)) {
			/* A second device was tried here. */
			block->left_over[seeker->input] |= block->step.leaf_tries > 1;
			return false;
		}
		leaves[seeker->taken] = leaf;
	}
	if (node >= 0 && rule_is_out(block->call->flat, node, block->x[number]))
		return false;
	chosen[seeker->taken++] = node;
	return true;
}

static void next_rank(struct rule_seeker *seeker)
{
	seeker->rank++;
	seeker->failures = 0;
}

/* The search, as far as answers go. */
static void try_rank(struct rule_block *block, struct rule_seeker *seeker,
		     uint32_t number, int32_t node)
{
	uint32_t r = seeker->rank + seeker->failures;

	if (node == RULE_DEAD || try_node(block, seeker, number, r, node))
		next_rank(seeker);
	else if (++seeker->failures >= block->step.tries)
		next_rank(seeker);
}

/* How far a search is. */
struct spot {
	uint32_t rank;
	uint32_t failures;
	uint32_t taken;
};

static inline struct spot spot_of(const struct rule_seeker *seeker)
{
	return (struct spot){seeker->rank, seeker->failures, seeker->taken};
}

static enum progress go_back(struct rule_seeker *seeker, const struct spot *spot)
{
	seeker->rank = spot->rank;
	seeker->failures = spot->failures;
	seeker->taken = spot->taken;
	return WAITS;
}

static enum progress walk(struct rule_block *block, struct rule_seeker *seeker,
			  uint32_t number)
{
	size_t wishes = block->wish.count;
	struct spot sure = spot_of(seeker); /* as far as no answer was missing */

	while (seeker->rank < block->step.ranks && seeker->taken < seeker->room) {
		uint32_t r = seeker->rank + seeker->failures;
		int32_t node;

		if (r >= block->rows)
			return LEFT_OVER;
		if (r >= block->rows_ready)
			make_ready(block, r);
		node = find_node(block, seeker, number, r);
		if (node == RULE_UNASKED)
			return go_back(seeker, &sure);
		try_rank(block, seeker, number, node);
		if (wishes == block->wish.count)
			sure = spot_of(seeker);
		/* A guess would put answers for another position in their places, and so
		 * could go on for ever. */
		else if (block->step.leaves_vary)
			return go_back(seeker, &sure);
	}
	return wishes == block->wish.count ? DONE : go_back(seeker, &sure);
}

static void walk_all(struct rule_block *block)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < block->active_count; i++) {
		uint32_t number = block->active[i];
		struct rule_seeker *seeker = &block->seekers[number];
		enum progress progress = walk(block, seeker, number);

		if (progress == LEFT_OVER)
			block->left_over[seeker->input] = true;
		if (block->left_over[seeker->input])
			seeker->taken = 0;
		else if (progress == WAITS)
			block->active[kept++] = number;
	}
	block->active_count = kept;
}

void rule_block_firstn(struct rule_block *block)
{
	uint32_t seekers = block->active_count;

	rule_block_first(block);
	for (walk_all(block); block->active_count > 0; walk_all(block)) {
		rule_quest_run(block);
		rule_wish_run(block);
	}
	block->wish.count = 0;
	rule_trace_rows(block, seekers);
}
