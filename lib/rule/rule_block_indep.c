/* SPDX-License-Identifier: MIT */
/* Choosing for erasure codes, as rule_indep.c does, for a block of inputs: a round for
 * all of them, then the next. Answers are kept by place, for the round in hand. */
#include "rule_block_priv.h"

/* The attempt that the round makes for a place. */
static uint32_t attempt_of(const struct rule_block *block, uint32_t place, uint32_t round)
{
	return place + block->step.ranks * round;
}

static uint16_t *open_of(struct rule_block *block, const struct rule_seeker *seeker)
{
	return block->open + seeker->start;
}

static void start_places(struct rule_block *block, struct rule_seeker *seeker)
{
	int32_t *chosen = rule_chosen_of(block, seeker);
	int32_t *leaves = rule_leaves_of(block, seeker);
	uint16_t *open = open_of(block, seeker);

	seeker->taken = seeker->room;
	seeker->open_count = seeker->room;
	for (uint32_t i = 0; i < seeker->room; i++) {
		chosen[i] = FLAT_UNDEF;
		leaves[i] = FLAT_UNDEF;
		open[i] = (uint16_t)i;
	}
}

static void ask_round(struct rule_block *block, uint32_t round)
{
	for (uint32_t i = 0; i < block->active_count; i++) {
		uint32_t number = block->active[i];
		const struct rule_seeker *seeker = &block->seekers[number];

		for (uint32_t k = 0; k < seeker->open_count; k++) {
			uint32_t place = open_of(block, seeker)[k];
			uint32_t at = rule_answer_at(block, place, number);

			block->leaves[at] = RULE_UNASKED;
			rule_quest_add(&block->quest, at, block->x[number],
				       attempt_of(block, place, round), 0, seeker->root);
		}
	}
	rule_quest_run(block);
}

/* A leaf's attempts are counted from the place and from the item's own attempt. */
static int32_t find_leaf(struct rule_block *block, uint32_t number, uint32_t place,
			 uint32_t round, int32_t node)
{
	uint32_t at = rule_answer_at(block, place, number);

	if (node >= 0)
		return node;
	if (block->leaves[at] == RULE_UNASKED)
		rule_quest_add(&block->wish, at, block->x[number],
			       place + attempt_of(block, place, round), place, node);
	return block->leaves[at];
}

/* @return whether the node can be taken; a leaf that isn't known yet will do for now. */
static bool can_take(struct rule_block *block, uint32_t number, uint32_t place,
		     uint32_t round, int32_t node)
{
	const struct rule_seeker *seeker = &block->seekers[number];

	if (rule_holds(rule_chosen_of(block, seeker), seeker->room, node))
		return false;
	if (block->step.leaf) {
		int32_t leaf = find_leaf(block, number, place, round, node);

		/* A device is noted before its reweight is tested: rule_indep.c. */
		rule_leaves_of(block, seeker)[place] = leaf;
		if (leaf == RULE_NOTHING)
			return false;
	}
	return node < 0 || !rule_is_out(block->call->flat, node, block->x[number]);
}

static void walk_place(struct rule_block *block, uint32_t number, uint32_t place,
		       uint32_t round)
{
	const struct rule_seeker *seeker = &block->seekers[number];
	int32_t node = block->nodes[rule_answer_at(block, place, number)];

	if (node == RULE_DEAD) {
		rule_chosen_of(block, seeker)[place] = FLAT_NONE;
		rule_leaves_of(block, seeker)[place] = FLAT_NONE;
	} else if (node != RULE_NOTHING && can_take(block, number, place, round, node)) {
		rule_chosen_of(block, seeker)[place] = node;
	}
}

/* Go through the places in order. */
static void walk(struct rule_block *block, uint32_t number, uint32_t round)
{
	const struct rule_seeker *seeker = &block->seekers[number];

	for (uint32_t i = 0; i < seeker->open_count; i++)
		walk_place(block, number, open_of(block, seeker)[i], round);
}

/* Places are undecided again, as they were when the round began. */
static void reopen(struct rule_block *block, const struct rule_seeker *seeker)
{
	for (uint32_t i = 0; i < seeker->open_count; i++)
		rule_chosen_of(block, seeker)[open_of(block, seeker)[i]] = FLAT_UNDEF;
}

/* Put the devices that were wished for into their places.
 * @return whether each of these has one. */
static bool take_leaves(struct rule_block *block, uint32_t number)
{
	const struct rule_seeker *seeker = &block->seekers[number];
	int32_t *leaves = rule_leaves_of(block, seeker);
	bool all = true;

	for (uint32_t i = 0; i < seeker->open_count; i++) {
		uint32_t place = open_of(block, seeker)[i];

		if (leaves[place] != RULE_UNASKED)
			continue;
		leaves[place] = block->leaves[rule_answer_at(block, place, number)];
		all &= leaves[place] != RULE_NOTHING;
	}
	return all;
}

/* The first of those who are active go through their places; who was refused a device
 * must do so again. */
static void settle_round(struct rule_block *block, uint32_t round, uint32_t waiting)
{
	while (waiting > 0) {
		uint32_t kept = 0;

		for (uint32_t i = 0; i < waiting; i++)
			walk(block, block->active[i], round);
		if (block->wish.count == 0)
			return;
		rule_wish_run(block);
		for (uint32_t i = 0; i < waiting; i++) {
			uint32_t number = block->active[i];

			if (take_leaves(block, number))
				continue;
			reopen(block, &block->seekers[number]);
			block->active[i] = block->active[kept];
			block->active[kept++] = number;
		}
		waiting = kept;
	}
}

static void keep_open_places(struct rule_block *block, struct rule_seeker *seeker)
{
	const int32_t *chosen = rule_chosen_of(block, seeker);
	uint16_t *open = open_of(block, seeker);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < seeker->open_count; i++) {
		uint16_t place = open[i];

		open[kept] = place;
		kept += chosen[place] == FLAT_UNDEF;
	}
	seeker->open_count = kept;
}

static void keep_undecided(struct rule_block *block, uint32_t round)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < block->active_count; i++) {
		uint32_t number = block->active[i];

		rule_trace_round(block, number, round);
		keep_open_places(block, &block->seekers[number]);
		if (block->seekers[number].open_count > 0)
			block->active[kept++] = number;
	}
	block->active_count = kept;
}

static void close_places(const struct rule_block *block, const struct rule_seeker *seeker)
{
	int32_t *chosen = rule_chosen_of(block, seeker);
	int32_t *leaves = rule_leaves_of(block, seeker);

	for (uint32_t i = 0; i < seeker->room; i++) {
		if (chosen[i] == FLAT_UNDEF)
			chosen[i] = FLAT_NONE;
		if (leaves[i] == FLAT_UNDEF)
			leaves[i] = FLAT_NONE;
	}
}

/* Where nothing but repeats happened, all other places have what they were led to. */
static void take_others(const struct rule_block *block, uint32_t number)
{
	const struct rule_seeker *seeker = &block->seekers[number];

	for (uint32_t i = 0; i < seeker->room; i++) {
		uint32_t at = rule_answer_at(block, i, number);
		bool taken = block->leaves[at] != RULE_UNASKED;

		if (!taken)
			continue;
		rule_chosen_of(block, seeker)[i] = block->nodes[at];
		rule_leaves_of(block, seeker)[i] = block->leaves[at];
	}
}

static void settle_first(struct rule_block *block)
{
	uint32_t failed = 0;

	for (uint32_t i = 0; i < block->active_count; i++) {
		uint32_t number = block->active[i];

		start_places(block, &block->seekers[number]);
		if (block->trouble[number] == RULE_REPEATS) {
			take_others(block, number);
			continue;
		}
		block->active[i] = block->active[failed];
		block->active[failed++] = number;
	}
	settle_round(block, 0, failed);
}

static void run_rounds(struct rule_block *block)
{
	uint32_t count = block->active_count;

	rule_block_first(block);
	for (uint32_t i = 0; block->trace && i < count; i++) {
		if (!block->trouble[i])
			rule_trace_first(block, i);
	}
	settle_first(block);
	keep_undecided(block, 0);
	for (uint32_t round = 1; block->active_count > 0; round++) {
		if (round == block->step.tries)
			break;
		ask_round(block, round);
		settle_round(block, round, block->active_count);
		keep_undecided(block, round);
	}
}

void rule_block_indep(struct rule_block *block)
{
	uint32_t count = block->active_count;

	for (uint32_t i = 0; i < count; i++) {
		struct rule_seeker *seeker = &block->seekers[i];

		if (seeker->room > block->step.ranks)
			seeker->room = block->step.ranks;
		block->active[i] = i;
		if (block->step.tries == 0)
			start_places(block, seeker);
	}
	if (block->step.tries > 0)
		run_rounds(block);
	for (uint32_t i = 0; i < block->active_count; i++)
		close_places(block, &block->seekers[block->active[i]]);
}
