/* SPDX-License-Identifier: MIT */
/* Choosing for erasure codes: a rank keeps its place, if as a hole.
 * doc/crush.md, section 6. */
#include "rule_priv.h"

/* The places first … end - 1 of a result being filled. */
struct fill {
	const struct rule_state *state;
	const struct rule_window *window; /* NULL: the search is for a leaf */
	const struct flat_bucket *root;
	int32_t type;
	uint32_t ranks;
	uint32_t tries;
	uint32_t rank; /* what r is counted from, besides the place */
	uint32_t first;
	uint32_t end;
	int32_t *out;
	int32_t *leaves; /* NULL: don't go down to devices */
	uint32_t leaf_tries;
};

static void fill_places(const struct fill *fill);

/* r of a place in a round, for one bucket. Where the ranks divide a uniform bucket's
 * items evenly, plain steps would come back to the same item every round. */
static uint32_t attempt_number(const struct fill *fill, const struct flat_bucket *in,
			       uint32_t place, uint32_t round)
{
	uint32_t stretch = fill->ranks;

	if (in->uniform && in->count % fill->ranks == 0)
		stretch++;
	return place + fill->rank + stretch * round;
}

/* A device below the item, into the same place of the leaves. */
static bool fill_leaf(const struct fill *fill, int32_t item, uint32_t place, uint32_t r)
{
	struct fill below = {
		.state = fill->state,
		.ranks = fill->ranks,
		.tries = fill->leaf_tries,
		.rank = r,
		.first = place,
		.end = place + 1,
		.out = fill->leaves,
	};

	if (item >= 0) {
		fill->leaves[place] = item;
		return true;
	}
	below.root = flat_bucket_of(fill->state->call->flat, item);
	fill_places(&below);
	return fill->leaves[place] != FLAT_NONE;
}

/* An item of the wanted type is reached: can it be taken? */
static enum rule_verdict judge(const struct fill *fill, int32_t item, uint32_t place,
			       uint32_t r)
{
	if (rule_holds(fill->out + fill->first, fill->end - fill->first, item))
		return RULE_COLLIDED;
	if (fill->leaves && !fill_leaf(fill, item, place, r))
		return RULE_LEAFLESS;
	if (item >= 0 && rule_is_out(fill->state->call->flat, item, fill->state->call->x))
		return RULE_OUT;
	return RULE_TAKEN;
}

/* A device where the rule asks for a bucket: no later round would do better. */
static void give_up(const struct fill *fill, uint32_t place)
{
	fill->out[place] = FLAT_NONE;
	if (fill->leaves)
		fill->leaves[place] = FLAT_NONE;
	RULE_TELL(fill->state->call, .kind = RULE_GIVE_UP, .rank = place, .place = place);
}

/* The place counts twice. */
static uint32_t leaf_attempt(const struct rule_settings *settings,
			     const struct rule_window *window, uint32_t r)
{
	(void)settings;
	return r % window->ranks + r;
}

static uint32_t count_open(const struct fill *fill)
{
	uint32_t open = 0;

	for (uint32_t i = fill->first; i < fill->end; i++)
		open += fill->out[i] == FLAT_UNDEF;
	return open;
}

/* Is it known where r leads from the top? Attempts of a place are asked for when the
 * first of them is needed, the more the more were in vain. */
static bool foresee(const struct fill *fill, const struct flat_bucket **in, uint32_t r,
		    uint32_t round, int32_t *item)
{
	struct rule_ahead *ahead = fill->state->ahead;
	const struct flat *flat = fill->state->call->flat;
	struct rule_wants wants = {
		.window = fill->window,
		.taken = fill->end,
		.r = r,
		.step = fill->ranks,
		.retry = fill->ranks,
		.count = round < RULE_AHEAD_MAX ? round : RULE_AHEAD_MAX,
		.leaf_attempt = leaf_attempt,
	};
	uint32_t most; /* that other places don't push out before they are needed */

	/* After the first round buckets may differ in how they count. */
	if (ahead == NULL || (*in)->count == 0 || (round > 0 && flat->any_uniform))
		return false;
	if (rule_foresee(ahead, flat, in, r, item))
		return true;
	if (fill->window == NULL || round == 0)
		return false;
	most = RULE_AHEAD_KNOWN / 2 / count_open(fill);
	if (wants.count > most)
		wants.count = most > 0 ? most : 1;
	return rule_foresee_more(fill->state, &wants, in, item);
}

/* From the root down to an item of the wanted type. */
static enum rule_verdict attempt(const struct fill *fill, uint32_t place, uint32_t round,
				 int32_t *item)
{
	const struct rule_call *call = fill->state->call;
	const struct flat_bucket *in = fill->root;
	uint32_t r = attempt_number(fill, in, place, round);

	if (foresee(fill, &in, r, round, item))
		return judge(fill, *item, place, r);
	while (in->count > 0) {
		r = attempt_number(fill, in, place, round);
		*item = rule_choose(call, in, r, fill->first);
		if (rule_type_of(call, *item) == fill->type)
			return judge(fill, *item, place, r);
		if (*item >= 0)
			return RULE_WRONG_TYPE;
		in = flat_bucket_of(call->flat, *item);
	}
	return RULE_EMPTY;
}

/* @return whether the place is decided, if only to be a hole. */
static bool fill_place(const struct fill *fill, uint32_t place, uint32_t round)
{
	const struct rule_call *call = fill->state->call;
	enum rule_verdict verdict;
	int32_t item = FLAT_NONE;

	RULE_TELL(call, .kind = RULE_ATTEMPT, .rank = place, .place = place,
		  .number = round);
	verdict = attempt(fill, place, round, &item);
	RULE_TELL(call, .kind = RULE_VERDICT, .verdict = verdict);
	if (verdict == RULE_TAKEN)
		fill->out[place] = item;
	else if (verdict == RULE_WRONG_TYPE)
		give_up(fill, place);
	return verdict == RULE_TAKEN || verdict == RULE_WRONG_TYPE;
}

static void replace(const struct fill *fill, int32_t *refs, int32_t from, int32_t to)
{
	for (uint32_t i = fill->first; i < fill->end; i++) {
		if (refs[i] == from)
			refs[i] = to;
	}
}

static void tell_holes(const struct fill *fill)
{
	for (uint32_t i = fill->first; i < fill->end; i++) {
		if (fill->out[i] == FLAT_UNDEF)
			RULE_TELL(fill->state->call, .kind = RULE_GIVE_UP, .rank = i,
				  .place = i);
	}
}

static void fill_places(const struct fill *fill)
{
	uint32_t left = fill->end - fill->first;

	for (uint32_t i = fill->first; i < fill->end; i++) {
		fill->out[i] = FLAT_UNDEF;
		if (fill->leaves)
			fill->leaves[i] = FLAT_UNDEF;
	}
	for (uint32_t round = 0; left > 0 && round < fill->tries; round++) {
		for (uint32_t i = fill->first; i < fill->end; i++) {
			if (fill->out[i] == FLAT_UNDEF && fill_place(fill, i, round))
				left--;
		}
	}
	if (left > 0)
		tell_holes(fill);
	/* An undecided place may have a leaf already: chooseleaf of type 0 notes the
	 * device before its reweight is tested. The reference keeps such a leaf. */
	replace(fill, fill->out, FLAT_UNDEF, FLAT_NONE);
	if (fill->leaves)
		replace(fill, fill->leaves, FLAT_UNDEF, FLAT_NONE);
}

/* Fill the window with what is known, round by round; after the first, uniform buckets
 * may count otherwise. @return false: that isn't enough. */
static bool take_guesses(const struct rule_state *state, const struct rule_window *window,
			 const struct rule_guess *guess, uint32_t count)
{
	const struct rule_guess *end = rule_guesses_end(state->ahead);
	uint32_t tries =
		state->call->flat->any_uniform ? 1 : state->settings.choose_tries;
	uint32_t taken = 0, next = 0;

	for (uint32_t i = 0; i < count; i++)
		window->chosen[i] = FLAT_UNDEF;
	for (; taken < count && guess < end; guess++) {
		if (guess->r < next || guess->r / window->ranks >= tries)
			return false;
		next = guess->r + 1;
		if (rule_holds(window->chosen, count, guess->item))
			continue;
		if (!rule_take_guess(state, window, guess, guess->r % window->ranks))
			return false;
		taken++;
	}
	return taken == count;
}

/* What is needed when nothing goes wrong. @return whether that is all. */
static bool ask_first(const struct rule_state *state, const struct rule_window *window,
		      uint32_t count)
{
	struct rule_wants wants = {
		.window = window,
		.step = 1,
		.retry = window->ranks,
		.count = count < RULE_AHEAD_MAX ? count : RULE_AHEAD_MAX,
		.leaf_attempt = leaf_attempt,
	};
	const struct rule_guess *guesses;

	rule_ahead_start(state, window);
	if (state->ahead == NULL || window->root->count == 0 ||
	    state->settings.choose_tries == 0)
		return false;
	guesses = rule_ask_ahead(state, &wants);
	return count <= RULE_AHEAD_MAX && take_guesses(state, window, guesses, count);
}

uint32_t rule_indep(const struct rule_state *state, const struct rule_window *window)
{
	uint32_t count = window->ranks < window->room ? window->ranks : window->room;
	uint32_t leaf_tries = state->settings.leaf_tries;
	struct fill fill = {
		.state = state,
		.window = window,
		.root = window->root,
		.type = window->type,
		.ranks = window->ranks,
		.tries = state->settings.choose_tries,
		.end = count,
		.out = window->chosen,
		.leaves = window->leaves,
		.leaf_tries = leaf_tries ? leaf_tries : 1,
	};

	if (!ask_first(state, window, count))
		fill_places(&fill);
	return count;
}
