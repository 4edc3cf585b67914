/* SPDX-License-Identifier: MIT */
/* Lists of questions on their way down the tree. */
#include "rule_block_priv.h"

#include <string.h>

/* Questions that are still open close ranks; mostly none has gone. */
static inline void keep_question(struct rule_block *block, size_t from, size_t to)
{
	struct rule_quest *quest = &block->quest;

	if (from == to)
		return;
	quest->at[to] = quest->at[from];
	quest->x[to] = quest->x[from];
	quest->r[to] = quest->r[from];
	if (block->step.nodes_vary)
		quest->position[to] = quest->position[from];
	quest->refs[to] = quest->refs[from];
}

/* Is the question answered by what the last level gave? */
static inline bool is_answered(const struct flat_bucket *buckets, int32_t type,
			       int32_t ref, int32_t *answer)
{
	const struct flat_bucket *bucket;

	*answer = ref;
	if (ref >= 0) {
		if (type != 0)
			*answer = RULE_DEAD;
		return true;
	}
	bucket = &buckets[-1 - ref];
	if (bucket->type == type)
		return true;
	*answer = RULE_NOTHING;
	return bucket->count == 0;
}

static void keep_open(struct rule_block *block, int32_t type, int32_t *answers)
{
	const struct flat_bucket *buckets = flat_bucket_at(block->call->flat, 0);
	struct rule_quest *quest = &block->quest;
	size_t count = quest->count, kept = 0;

	for (size_t i = 0; i < count; i++) {
		int32_t answer;

		if (is_answered(buckets, type, quest->refs[i], &answer)) {
			answers[quest->at[i]] = answer;
			continue;
		}
		keep_question(block, i, kept++);
	}
	quest->count = kept;
}

void rule_quest_run(struct rule_block *block, int32_t type, int32_t *answers)
{
	const struct rule_call *call = block->call;
	struct rule_quest *quest = &block->quest;

	while (quest->count > 0) {
		struct select_batch batch = {
			.flat = call->flat,
			.set = call->set,
			.count = quest->count,
			.x = quest->x,
			.r = quest->r,
			.position = block->step.nodes_vary ? quest->position : NULL,
			.refs = quest->refs,
		};

		select_choose_many(call->kernel, &batch);
		keep_open(block, type, answers);
	}
}

/* Wishes that came to a device that is in are fulfilled; the others try again. */
static void keep_unfulfilled(struct rule_block *block, bool again)
{
	struct rule_wish *wish = &block->wish;
	size_t count = wish->count, kept = 0;

	for (size_t i = 0; i < count; i++) {
		int32_t leaf = block->leaves[wish->at[i]];

		if (leaf != RULE_NOTHING &&
		    !rule_is_out(block->call->flat, leaf, wish->x[i])) {
			if (again)
				rule_trace_retried(block, wish->at[i]);
			continue;
		}
		rule_trace_rejected(block, wish->at[i], leaf, wish->r[i]);
		block->leaves[wish->at[i]] = RULE_NOTHING;
		wish->at[kept] = wish->at[i];
		wish->x[kept] = wish->x[i];
		wish->r[kept] = wish->r[i] + block->step.leaf_stride;
		wish->position[kept] = wish->position[i];
		wish->nodes[kept++] = wish->nodes[i];
	}
	wish->count = kept;
}

static void start_quest(struct rule_block *block)
{
	const struct rule_wish *wish = &block->wish;
	struct rule_quest *quest = &block->quest;

	quest->count = wish->count;
	memcpy(quest->at, wish->at, wish->count * sizeof(*wish->at));
	memcpy(quest->x, wish->x, wish->count * sizeof(*wish->x));
	memcpy(quest->r, wish->r, wish->count * sizeof(*wish->r));
	if (block->step.nodes_vary)
		memcpy(quest->position, wish->position,
		       wish->count * sizeof(*wish->position));
	memcpy(quest->refs, wish->nodes, wish->count * sizeof(*wish->nodes));
}

void rule_wish_run(struct rule_block *block)
{
	struct rule_wish *wish = &block->wish;
	uint32_t tries = block->step.leaf_tries;
	bool again = false;

	do {
		start_quest(block);
		rule_quest_run(block, 0, block->leaves);
		keep_unfulfilled(block, again);
		again = true;
	} while (wish->count > 0 && tries-- > 1);
	wish->count = 0;
}
