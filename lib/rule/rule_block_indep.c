/* SPDX-License-Identifier: MIT */
/* Choosing for erasure codes, as rule_indep.c does, for a block of inputs: a round for
 * all of them, then the next. */
#include "rule_block_priv.h"

static uint32_t answer_at(const struct rule_block *block, uint32_t place, uint32_t seeker)
{
	return place * block->inputs + seeker;
}

/* The attempt that the round makes for a place. */
static uint32_t attempt_of(const struct rule_block *block, uint32_t place, uint32_t round)
{
	return place + block->step.ranks * round;
}

static void start_places(const struct rule_seeker *seeker)
{
	for (uint32_t i = 0; i < seeker->room; i++) {
		seeker->chosen[i] = FLAT_UNDEF;
		seeker->leaves[i] = FLAT_UNDEF;
	}
}

static void ask_round(struct rule_block *block, uint32_t round)
{
	for (uint32_t i = 0; i < block->active_count; i++) {
		uint32_t number = block->active[i];
		const struct rule_seeker *seeker = &block->seekers[number];

		for (uint32_t place = 0; place < seeker->room; place++) {
			uint32_t at = answer_at(block, place, number);

			block->nodes[at] = RULE_UNASKED;
			block->leaves[at] = RULE_UNASKED;
			if (seeker->chosen[place] == FLAT_UNDEF)
				rule_quest_add(block, at, seeker->x,
					       attempt_of(block, place, round), 0,
					       seeker->root);
		}
	}
}

/* A leaf's attempts are counted from the place and from the item's own attempt. */
static int32_t find_leaf(struct rule_block *block, uint32_t number, uint32_t place,
			 uint32_t round, int32_t node)
{
	uint32_t at = answer_at(block, place, number);

	if (block->leaves[at] == RULE_UNASKED)
		rule_wish_add(block, at, block->seekers[number].x,
			      place + attempt_of(block, place, round), place, node);
	return block->leaves[at];
}

/* @return whether the node can be taken; a leaf that isn't known yet will do for now. */
static bool can_take(struct rule_block *block, uint32_t number, uint32_t place,
		     uint32_t round, int32_t node)
{
	const struct rule_seeker *seeker = &block->seekers[number];

	if (rule_holds(seeker->chosen, seeker->room, node))
		return false;
	if (block->step.leaf) {
		/* A device is noted before its reweight is tested: rule_indep.c. */
		seeker->leaves[place] =
			node >= 0 ? node : find_leaf(block, number, place, round, node);
		if (seeker->leaves[place] == RULE_NOTHING)
			return false;
	}
	return node < 0 || !rule_is_out(block->call->flat, node, seeker->x);
}

static void walk_place(struct rule_block *block, uint32_t number, uint32_t place,
		       uint32_t round)
{
	struct rule_seeker *seeker = &block->seekers[number];
	int32_t node = block->nodes[answer_at(block, place, number)];

	/* Decided in a round before. */
	if (node == RULE_UNASKED)
		return;
	seeker->chosen[place] = FLAT_UNDEF;
	if (node == RULE_DEAD) {
		seeker->chosen[place] = FLAT_NONE;
		seeker->leaves[place] = FLAT_NONE;
	} else if (node != RULE_NOTHING && can_take(block, number, place, round, node)) {
		seeker->chosen[place] = node;
	}
}

/* Places that the round is about are undecided again, as they were when it began. */
static void reopen(const struct rule_block *block, uint32_t number)
{
	const struct rule_seeker *seeker = &block->seekers[number];

	for (uint32_t place = 0; place < seeker->room; place++) {
		if (block->nodes[answer_at(block, place, number)] != RULE_UNASKED)
			seeker->chosen[place] = FLAT_UNDEF;
	}
}

/* Go through the places in order, again as long as leaves are missing. */
static void settle_round(struct rule_block *block, uint32_t round)
{
	uint32_t waiting = block->active_count;

	while (waiting > 0) {
		uint32_t kept = 0;

		for (uint32_t i = 0; i < waiting; i++) {
			uint32_t number = block->active[i];
			size_t wishes = block->wish.count;

			reopen(block, number);
			for (uint32_t k = 0; k < block->seekers[number].room; k++)
				walk_place(block, number, k, round);
			if (wishes == block->wish.count)
				continue;
			block->active[i] = block->active[kept];
			block->active[kept++] = number;
		}
		waiting = kept;
		rule_wish_run(block);
	}
}

static bool is_undecided(const struct rule_seeker *seeker)
{
	return rule_holds(seeker->chosen, seeker->room, FLAT_UNDEF);
}

static void close_places(const struct rule_seeker *seeker)
{
	for (uint32_t i = 0; i < seeker->room; i++) {
		if (seeker->chosen[i] == FLAT_UNDEF)
			seeker->chosen[i] = FLAT_NONE;
		if (seeker->leaves[i] == FLAT_UNDEF)
			seeker->leaves[i] = FLAT_NONE;
	}
}

static void keep_undecided(struct rule_block *block)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < block->active_count; i++) {
		if (is_undecided(&block->seekers[block->active[i]]))
			block->active[kept++] = block->active[i];
	}
	block->active_count = kept;
}

void rule_block_indep(struct rule_block *block)
{
	uint32_t count = block->active_count;

	for (uint32_t i = 0; i < count; i++) {
		struct rule_seeker *seeker = &block->seekers[i];

		if (seeker->room > block->step.ranks)
			seeker->room = block->step.ranks;
		seeker->taken = seeker->room;
		start_places(seeker);
	}
	for (uint32_t round = 0; block->active_count > 0 && round < block->step.tries;
	     round++) {
		ask_round(block, round);
		rule_quest_run(block, block->step.type, block->nodes);
		settle_round(block, round);
		rule_trace_round(block, round);
		keep_undecided(block);
	}
	for (uint32_t i = 0; i < count; i++)
		close_places(&block->seekers[i]);
}
