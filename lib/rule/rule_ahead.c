/* SPDX-License-Identifier: MIT */
/* What a search will ask first, asked for before it starts, for all ranks side by side.
 */
#include "rule_priv.h"

/* Ranks on their way down the tree. */
struct descent {
	const struct rule_state *state;
	const struct rule_window *window;
	uint32_t count;
	uint32_t x[RULE_AHEAD_MAX + SELECT_PAD];
	uint32_t r[RULE_AHEAD_MAX + SELECT_PAD];
	uint32_t leaf_r[RULE_AHEAD_MAX];
	int32_t refs[RULE_AHEAD_MAX];
	int32_t from[RULE_AHEAD_MAX]; /* refs, before the last level was asked */
	bool below[RULE_AHEAD_MAX];   /* on the way from an item to a device */
};

void rule_ahead_clear(struct rule_ahead *ahead)
{
	for (uint32_t i = 0; i < RULE_AHEAD_ROWS; i++)
		ahead->rows[i].count = 0;
}

static void note(struct rule_ahead *ahead, uint32_t r, int32_t from, int32_t ref)
{
	struct rule_ahead_row *row = &ahead->rows[r % RULE_AHEAD_ROWS];
	uint32_t at = row->count;

	if (r >= RULE_AHEAD_ROWS || at == RULE_AHEAD_DEPTH)
		return;
	row->from[at] = from;
	row->refs[at] = ref;
	row->count++;
}

/* @return whether a rank that came to a ref goes on from it. */
static bool goes_on(struct descent *descent, uint32_t rank)
{
	const struct rule_window *window = descent->window;
	int32_t ref = descent->refs[rank];
	const struct flat_bucket *bucket;

	if (ref >= 0)
		return false;
	bucket = flat_bucket_of(descent->state->call->flat, ref);
	if (!descent->below[rank] && bucket->type == window->type) {
		if (window->leaves == NULL)
			return false;
		descent->below[rank] = true;
		descent->r[rank] = descent->leaf_r[rank];
	}
	return bucket->count > 0;
}

static void ask_level(struct descent *descent)
{
	const struct rule_call *call = descent->state->call;
	struct select_batch batch = {
		.flat = call->flat,
		.set = call->set,
		.count = descent->count,
		.x = descent->x,
		.r = descent->r,
		.refs = descent->refs,
	};
	uint32_t kept = 0;

	for (uint32_t i = 0; i < descent->count; i++)
		descent->from[i] = descent->refs[i];
	select_choose_many(call->kernel, &batch);
	for (uint32_t i = 0; i < descent->count; i++) {
		note(descent->state->ahead, descent->r[i], descent->from[i],
		     descent->refs[i]);
		if (!goes_on(descent, i))
			continue;
		descent->r[kept] = descent->r[i];
		descent->leaf_r[kept] = descent->leaf_r[i];
		descent->below[kept] = descent->below[i];
		descent->refs[kept++] = descent->refs[i];
	}
	descent->count = kept;
}

void rule_ask_ahead(const struct rule_state *state, const struct rule_window *window,
		    uint32_t (*leaf_attempt)(const struct rule_settings *settings,
					     uint32_t rank))
{
	struct descent descent; /* not cleared: it's large */
	uint32_t ranks = window->ranks < window->room ? window->ranks : window->room;

	if (state->ahead == NULL || window->root->count == 0)
		return;
	rule_ahead_clear(state->ahead);
	descent.state = state;
	descent.window = window;
	descent.count = ranks < RULE_AHEAD_MAX ? ranks : RULE_AHEAD_MAX;
	for (uint32_t i = 0; i < descent.count; i++) {
		descent.x[i] = state->call->x;
		descent.r[i] = i;
		descent.leaf_r[i] = leaf_attempt(&state->settings, i);
		descent.refs[i] =
			-1 - (int32_t)flat_bucket_index(state->call->flat, window->root);
		descent.below[i] = false;
	}
	while (descent.count > 0)
		ask_level(&descent);
}
