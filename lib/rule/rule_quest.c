/* SPDX-License-Identifier: MIT */
/* Lists of questions on their way down the tree. */
#include "rule_block_priv.h"

static inline bool is_answered(const struct flat_bucket *buckets, int32_t type,
			       int32_t ref)
{
	return ref >= 0 || buckets[-1 - ref].type == type;
}

static void swap(uint32_t *words, size_t a, size_t b)
{
	uint32_t word = words[a];

	words[a] = words[b];
	words[b] = word;
}

static void swap_questions(struct rule_quest *quest, size_t a, size_t b)
{
	int32_t ref = quest->refs[a];

	swap(quest->at, a, b);
	swap(quest->x, a, b);
	swap(quest->r, a, b);
	swap(quest->position, a, b);
	quest->refs[a] = quest->refs[b];
	quest->refs[b] = ref;
}

static size_t count_answered(const struct flat_bucket *buckets, int32_t type,
			     const int32_t *refs, size_t count)
{
	size_t answered = 0;

	for (size_t i = 0; i < count; i++)
		answered += is_answered(buckets, type, refs[i]);
	return answered;
}

/* Those of the first `count` that are answered go behind the others; mostly they are all
 * or none. @return how many are left. */
static size_t keep_open(const struct flat_bucket *buckets, int32_t type,
			struct rule_quest *quest, size_t count)
{
	size_t answered = count_answered(buckets, type, quest->refs, count);
	size_t i = 0;

	if (answered == 0 || answered == count)
		return count - answered;
	while (i < count) {
		if (is_answered(buckets, type, quest->refs[i]))
			swap_questions(quest, i, --count);
		else
			i++;
	}
	return count;
}

static void keep_answers(const struct rule_quest *quest, int32_t type, int32_t *answers)
{
	for (size_t i = 0; i < quest->count; i++) {
		int32_t ref = quest->refs[i];
		bool dead = type != 0 && ref >= 0 && ref != RULE_NOTHING;

		answers[quest->at[i]] = dead ? RULE_DEAD : ref;
	}
}

/* Go down to items of a type. Questions start at buckets of one type: all do that a rule
 * has taken, or chosen in one step. */
static void run(struct rule_block *block, struct rule_quest *quest, int32_t type,
		int32_t *answers)
{
	const struct rule_call *call = block->call;
	const struct flat_bucket *buckets = flat_bucket_at(call->flat, 0);
	size_t open = quest->count;
	bool alike = true; /* are they at buckets of one type? */

	while (open > 0) {
		uint32_t below = alike ? buckets[-1 - quest->refs[0]].below : 0;
		struct select_batch batch = {
			.flat = call->flat,
			.set = call->set,
			.count = open,
			.x = quest->x,
			.r = quest->r,
			.position = block->step.nodes_vary ? quest->position : NULL,
			.refs = quest->refs,
		};

		select_choose_many(call->kernel, &batch);
		alike = below != 0;
		if (below == 1 || below == (uint32_t)type + 1)
			open = 0;
		else if (!alike || call->flat->any_empty)
			open = keep_open(buckets, type, quest, open);
	}
	keep_answers(quest, type, answers);
}

void rule_quest_run(struct rule_block *block)
{
	run(block, &block->quest, block->step.type, block->nodes);
	block->quest.count = 0;
}

/* Have all wishes come to devices, of which none is out? */
static bool are_fulfilled(const struct rule_block *block, const struct rule_quest *wish)
{
	int32_t nothing = 0;

	if (block->call->flat->any_out)
		return false;
	for (size_t i = 0; i < wish->count; i++)
		nothing |= wish->refs[i] == RULE_NOTHING;
	return !nothing;
}

/* Wishes that came to a device that is in are fulfilled; the others try again. */
static void keep_unfulfilled(struct rule_block *block, bool again)
{
	struct rule_quest *wish = &block->wish;
	size_t count = wish->count, kept = 0;

	for (size_t i = 0; i < count; i++) {
		int32_t leaf = wish->refs[i];
		uint32_t at = wish->at[i];

		if (leaf != RULE_NOTHING &&
		    !rule_is_out(block->call->flat, leaf, wish->x[i])) {
			if (again)
				rule_trace_retried(block, at);
			continue;
		}
		rule_trace_rejected(block, at, leaf, wish->r[i]);
		block->leaves[at] = RULE_NOTHING;
		wish->at[kept] = at;
		wish->x[kept] = wish->x[i];
		wish->r[kept] = wish->r[i] + block->step.leaf_stride;
		wish->position[kept] = wish->position[i];
		wish->refs[kept++] = block->nodes[at];
	}
	wish->count = kept;
}

void rule_wish_run(struct rule_block *block)
{
	struct rule_quest *wish = &block->wish;
	uint32_t tries = block->step.leaf_tries;
	bool again = false;

	do {
		run(block, wish, 0, block->leaves);
		if (!again && are_fulfilled(block, wish))
			break;
		keep_unfulfilled(block, again);
		again = true;
	} while (wish->count > 0 && tries-- > 1);
	wish->count = 0;
}
