/* SPDX-License-Identifier: MIT */
/* Choosing for replicas: ranks that find nothing are left out.
 * doc/crush.md, section 5. */
#include "rule_priv.h"

/* The search for one rank's item. */
struct search {
	const struct rule_state *state;
	const struct rule_window *window; /* NULL: the search is for a leaf */
	const struct flat_bucket *root;
	int32_t type;
	uint32_t rank; /* what r is counted from */
	uint32_t tries;
	const int32_t *taken; /* what it must not choose again */
	uint32_t taken_count;
	int32_t *leaves; /* NULL: don't go down to devices */
	uint32_t leaf_tries;
};

static bool find_item(const struct search *search, int32_t *item);

/* A device below the item, for the same place of the result. */
static bool find_leaf(const struct search *search, int32_t item, uint32_t r)
{
	const struct rule_settings *settings = &search->state->settings;
	int32_t *leaf = &search->leaves[search->taken_count];
	struct search below = {
		.state = search->state,
		.rank = settings->stable ? 0 : search->taken_count,
		.tries = search->leaf_tries,
		.taken = search->leaves,
		.taken_count = search->taken_count,
	};

	if (item >= 0) {
		*leaf = item;
		return true;
	}
	/* In the reference r is signed, and its machines take a shift modulo 32. */
	if (settings->vary_r)
		below.rank += (uint32_t)((int32_t)r >> ((settings->vary_r - 1) % 32));
	below.root = flat_bucket_of(search->state->call->flat, item);
	return find_item(&below, leaf);
}

/* An item of the wanted type is reached: can it be taken? */
static enum rule_verdict judge(const struct search *search, int32_t item, uint32_t r)
{
	if (rule_holds(search->taken, search->taken_count, item))
		return RULE_COLLIDED;
	if (search->leaves && !find_leaf(search, item, r))
		return RULE_LEAFLESS;
	if (item >= 0 &&
	    rule_is_out(search->state->call->flat, item, search->state->call->x))
		return RULE_OUT;
	return RULE_TAKEN;
}

/* One choice in one bucket. After enough failures the fallback takes items in turn. */
static int32_t pick(const struct search *search, const struct flat_bucket *in, uint32_t r,
		    uint32_t failures)
{
	const struct rule_call *call = search->state->call;
	uint32_t fallback = search->state->settings.fallback_tries;

	if (fallback > 0 && failures >= in->count / 2 && failures > fallback) {
		struct select_in question = {
			.x = call->x, .r = r, .kernel = call->kernel};

		int32_t ref = flat_refs(in)[select_permute(in, &question)];

		RULE_TELL(call, .kind = RULE_DRAW, .bucket = in, .in = &question,
			  .permuted = true, .ref = ref);
		return ref;
	}
	return rule_choose(call, in, r, search->taken_count);
}

static uint32_t leaf_attempt(const struct rule_settings *settings,
			     const struct rule_window *window, uint32_t r)
{
	(void)window;
	return (settings->stable ? 0 : r) +
	       (settings->vary_r ? r >> ((settings->vary_r - 1) % 32) : 0);
}

/* Is it known where r leads from the top? Attempts of a rank are asked for when the first
 * of them is needed, the more the more were in vain. */
static bool foresee(const struct search *search, const struct flat_bucket **in,
		    uint32_t r, int32_t *item)
{
	struct rule_ahead *ahead = search->state->ahead;
	uint32_t failures = r - search->rank;
	struct rule_wants wants = {
		.window = search->window,
		.taken = search->taken_count,
		.r = r,
		.step = 1,
		.count = failures < RULE_AHEAD_MAX ? failures : RULE_AHEAD_MAX,
		.leaf_attempt = leaf_attempt,
	};

	if (ahead == NULL || (*in)->count == 0)
		return false;
	if (rule_foresee(ahead, search->state->call->flat, in, r, item))
		return true;
	if (search->window == NULL || wants.count == 0)
		return false;
	return rule_foresee_more(search->state, &wants, in, item);
}

/* From *in down to an item of the wanted type; *in becomes the bucket that holds it. */
static enum rule_verdict attempt(const struct search *search,
				 const struct flat_bucket **in, uint32_t r,
				 uint32_t failures, int32_t *item)
{
	const struct rule_call *call = search->state->call;

	if (*in == search->root && failures == 0 && foresee(search, in, r, item))
		return judge(search, *item, r);
	while ((*in)->count > 0) {
		*item = pick(search, *in, r, failures);
		if (rule_type_of(call, *item) == search->type)
			return judge(search, *item, r);
		if (*item >= 0)
			return RULE_WRONG_TYPE;
		*in = flat_bucket_of(call->flat, *item);
	}
	return RULE_EMPTY;
}

/* Is the next attempt made in the same bucket, and not from the top? The sum may wrap, as
 * it does in the reference. */
static bool stays(const struct search *search, const struct flat_bucket *in,
		  enum rule_verdict verdict, uint32_t failures)
{
	const struct rule_settings *settings = &search->state->settings;

	if (verdict == RULE_COLLIDED && failures <= settings->local_tries)
		return true;
	return settings->fallback_tries > 0 &&
	       failures <= in->count + settings->fallback_tries;
}

static bool find_item(const struct search *search, int32_t *item)
{
	const struct flat_bucket *in = search->root;
	const struct rule_call *call = search->state->call;
	uint32_t failures = 0;
	uint32_t local_failures = 0; /* since the last start from the top */

	for (;;) {
		enum rule_verdict verdict;

		RULE_TELL(call, .kind = RULE_ATTEMPT, .rank = search->rank,
			  .place = search->taken_count, .number = failures);
		verdict = attempt(search, &in, search->rank + failures, local_failures,
				  item);
		RULE_TELL(call, .kind = RULE_VERDICT, .verdict = verdict);
		/* At a device where it asks for a bucket the rule gives the rank up. */
		if (verdict == RULE_TAKEN || verdict == RULE_WRONG_TYPE)
			return verdict == RULE_TAKEN;
		failures++;
		local_failures++;
		if (stays(search, in, verdict, local_failures))
			continue;
		if (failures >= search->tries)
			return false;
		in = search->root;
		local_failures = 0;
	}
}

/* Fill the window with what is known. Where an attempt collides, the rank's next one is
 * that which the next rank begins with, as long as nothing else depends on the rank.
 * @return false: that isn't enough. */
static bool take_guesses(const struct rule_state *state, const struct rule_window *window,
			 const struct rule_guess *guess, uint32_t count)
{
	const struct rule_guess *end = rule_guesses_end(state->ahead);
	const struct rule_settings *settings = &state->settings;
	bool passes =
		settings->stable && !settings->local_tries && !settings->fallback_tries;
	uint32_t taken = 0;

	for (; taken < count && guess < end; guess++) {
		if (rule_holds(window->chosen, taken, guess->item)) {
			if (!passes)
				return false;
			continue;
		}
		if (guess->r - taken >= settings->choose_tries ||
		    !rule_take_guess(state, window, guess, taken) ||
		    (window->leaves &&
		     rule_holds(window->leaves, taken, window->leaves[taken])))
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
		.count = count < RULE_AHEAD_MAX ? count : RULE_AHEAD_MAX,
		.leaf_attempt = leaf_attempt,
	};
	const struct rule_guess *guesses;

	rule_ahead_start(state, window);
	if (state->ahead == NULL || window->root->count == 0)
		return false;
	guesses = rule_ask_ahead(state, &wants);
	return count <= RULE_AHEAD_MAX && take_guesses(state, window, guesses, count);
}

uint32_t rule_firstn(const struct rule_state *state, const struct rule_window *window)
{
	uint32_t count = window->ranks < window->room ? window->ranks : window->room;
	struct search search = {
		.state = state,
		.window = window,
		.root = window->root,
		.type = window->type,
		.tries = state->settings.choose_tries,
		.taken = window->chosen,
		.leaves = window->leaves,
		.leaf_tries = rule_count_leaf_tries(&state->settings,
						    &state->call->flat->tunables),
	};

	if (ask_first(state, window, count))
		return count;
	for (; search.rank < window->ranks && search.taken_count < window->room;
	     search.rank++) {
		if (find_item(&search, &window->chosen[search.taken_count]))
			search.taken_count++;
		else
			RULE_TELL(state->call, .kind = RULE_GIVE_UP, .rank = search.rank,
				  .place = search.taken_count);
	}
	return search.taken_count;
}
