/* SPDX-License-Identifier: MIT */
/*
 * What a search will ask, asked for before it does, side by side: a question alone waits
 * for each of its hashes. Answers depend on the bucket, r and the input only, so whoever
 * finds one here needs no other.
 */
#include "rule_priv.h"

/* Guesses on their way down the tree. */
struct descent {
	const struct rule_state *state;
	const struct rule_wants *wants;
	uint32_t start; /* the first guess that was made together with these */
	uint32_t next;  /* r of the next */
	uint32_t count; /* of those that are on their way */
	int32_t root;
	struct rule_guess *guesses[RULE_AHEAD_MAX];
	uint32_t x[RULE_AHEAD_MAX + SELECT_PAD];
	uint32_t r[RULE_AHEAD_MAX + SELECT_PAD];
	int32_t refs[RULE_AHEAD_MAX]; /* what is asked, until it answers … */
	/* … and then still. Never copied as a whole: vectors wait until what was stored
	 * in pieces is in memory. */
	int32_t from[RULE_AHEAD_MAX];
};

void rule_ahead_start(const struct rule_state *state, const struct rule_window *window)
{
	if (state->ahead == NULL)
		return;
	state->ahead->root = window->root;
	state->ahead->count = 0;
	state->ahead->in_vain = false;
}

/* A guess about an attempt, at the top. */
static inline void start_guess(struct descent *descent, uint32_t lane, uint32_t r)
{
	const struct rule_state *state = descent->state;
	const struct rule_wants *wants = descent->wants;
	struct rule_guess *guess = &state->ahead->guesses[state->ahead->count++];

	guess->r = r;
	guess->leaf_r = wants->leaf_attempt(&state->settings, wants->window, r);
	guess->item = FLAT_UNDEF;
	guess->leaf = FLAT_UNDEF;
	descent->guesses[lane] = guess;
	descent->r[lane] = r;
	descent->refs[lane] = descent->root;
}

/* Was the item chosen already, or will it be? */
static bool collides(const struct descent *descent, const struct rule_guess *guess)
{
	const struct rule_wants *wants = descent->wants;
	const struct rule_guess *earlier =
		&descent->state->ahead->guesses[descent->start];

	if (rule_holds(wants->window->chosen, wants->taken, guess->item))
		return true;
	for (; earlier < guess; earlier++) {
		if (earlier->item == guess->item)
			return true;
	}
	return false;
}

/* In place of a guess that collides, what will be tried then, as long as that isn't
 * often.
 * @return false: nothing. */
static bool guess_again(struct descent *descent, uint32_t lane)
{
	const struct rule_ahead *ahead = descent->state->ahead;
	uint32_t retry = descent->wants->retry, count = descent->wants->count;

	if (ahead->count == RULE_AHEAD_KNOWN ||
	    ahead->count > descent->start + count + count / 2)
		return false;
	if (retry)
		start_guess(descent, lane, descent->guesses[lane]->r + retry);
	else
		start_guess(descent, lane, descent->next++);
	return true;
}

/* An item of the wanted type. @return whether the lane goes on. */
static bool reach_item(struct descent *descent, uint32_t lane, int32_t ref)
{
	struct rule_guess *guess = descent->guesses[lane];

	guess->item = ref;
	guess->holder = descent->from[lane];
	if (collides(descent, guess))
		return guess_again(descent, lane);
	if (ref >= 0) {
		guess->leaf = ref;
		return false;
	}
	descent->r[lane] = guess->leaf_r;
	return descent->wants->window->leaves != NULL;
}

/* @return whether a lane that came to a ref goes on. */
static inline bool goes_on(struct descent *descent, uint32_t lane, int32_t ref)
{
	struct rule_guess *guess = descent->guesses[lane];

	if (guess->item != FLAT_UNDEF) {
		guess->leaf = ref >= 0 ? ref : FLAT_UNDEF;
		guess->leaf_holder = descent->from[lane];
		return ref < 0;
	}
	if (rule_type_of(descent->state->call, ref) == descent->wants->window->type)
		return reach_item(descent, lane, ref);
	return ref < 0;
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
	uint32_t count = descent->count, kept = 0;

	select_choose_many(call->kernel, &batch);
	for (uint32_t i = 0; i < count; i++) {
		if (!goes_on(descent, i, descent->refs[i]) ||
		    flat_bucket_of(call->flat, descent->refs[i])->count == 0)
			continue;
		descent->guesses[kept] = descent->guesses[i];
		descent->r[kept] = descent->r[i];
		descent->from[kept] = descent->refs[i];
		descent->refs[kept++] = descent->refs[i];
	}
	descent->count = kept;
}

const struct rule_guess *rule_ask_ahead(const struct rule_state *state,
					const struct rule_wants *wants)
{
	struct descent descent; /* not cleared: it's large */
	struct rule_ahead *ahead = state->ahead;

	if (ahead->count + wants->count > RULE_AHEAD_KNOWN)
		ahead->count = 0;
	descent.state = state;
	descent.wants = wants;
	descent.start = ahead->count;
	descent.next = wants->r + wants->count;
	descent.count = wants->count;
	descent.root = -1 - (int32_t)flat_bucket_index(state->call->flat, ahead->root);
	for (uint32_t i = 0; i < wants->count; i++) {
		descent.x[i] = state->call->x;
		start_guess(&descent, i, wants->r + i * wants->step);
		descent.from[i] = descent.root;
	}
	while (descent.count > 0)
		ask_level(&descent);
	return &ahead->guesses[descent.start];
}

bool rule_take_guess(const struct rule_state *state, const struct rule_window *window,
		     const struct rule_guess *guess, uint32_t place)
{
	const struct rule_call *call = state->call;
	int32_t last = window->leaves ? guess->leaf : guess->item;

	if (last == FLAT_UNDEF || (last >= 0 && rule_is_out(call->flat, last, call->x)))
		return false;
	window->chosen[place] = guess->item;
	if (window->leaves)
		window->leaves[place] = last;
	return true;
}

bool rule_foresee(const struct rule_ahead *ahead, const struct flat *flat,
		  const struct flat_bucket **in, uint32_t r, int32_t *item)
{
	int32_t from = -1 - (int32_t)flat_bucket_index(flat, *in);
	bool top = *in == ahead->root;

	for (uint32_t i = 0; i < ahead->count; i++) {
		const struct rule_guess *guess = &ahead->guesses[i];

		if (top ? guess->r != r || guess->item == FLAT_UNDEF
			: guess->leaf_r != r || guess->leaf == FLAT_UNDEF ||
				    guess->item != from)
			continue;
		*item = top ? guess->item : guess->leaf;
		*in = flat_bucket_of(flat, top ? guess->holder : guess->leaf_holder);
		return true;
	}
	return false;
}

bool rule_foresee_more(const struct rule_state *state, const struct rule_wants *wants,
		       const struct flat_bucket **in, int32_t *item)
{
	struct rule_ahead *ahead = state->ahead;

	/* Each attempt that leads nowhere would be asked for with all that come after. */
	if (ahead->in_vain)
		return false;
	rule_ask_ahead(state, wants);
	ahead->in_vain = !rule_foresee(ahead, state->call->flat, in, wants->r, item);
	return !ahead->in_vain;
}
