/* SPDX-License-Identifier: MIT */
#include "analyze_compare_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_compare.h"
#include "base_error.h"

#define KEY_ROOM    24
#define TIMED_KEYS  4096
#define TIMED_TURNS 9
#define TABLES_MAX  UINT32_MAX

/* Words of a key: its first node in each state, how many replicas it has, and its nodes
 * for hot copies. A node that there isn't is -1. */
struct counting {
	const struct compare *compare;
	struct compare_tally *tally;
	const bool *is_hot; /* by key, or NULL */
};

static size_t words_of(const struct compare *compare)
{
	return compare->step_count + 2 + compare->options.copies;
}

static uint64_t hash_key(const struct compare *compare, const strew_study *study,
			 uint64_t index)
{
	const strew_named_object *keys = compare->options.keys;
	char text[KEY_ROOM];
	int length;

	if (keys)
		return strew_study_hash(study, keys[index].name, keys[index].name_len);
	length = snprintf(text, sizeof(text), "key-%llu", (unsigned long long)index);
	return strew_study_hash(study, text, (size_t)length);
}

static int32_t first_node(const struct compare_state *state, const strew_study *study,
			  uint64_t hash)
{
	uint32_t member;

	if (strew_study_pick_hash(study, hash, 1, &member) == 0)
		return -1;
	return (int32_t)state->members[member];
}

static void place_copies(const struct compare *compare, const strew_study *study,
			 uint64_t hash, int32_t *words)
{
	size_t copies = compare->options.copies;
	uint32_t members[STREW_STUDY_WANT_MAX];
	size_t count = copies ? strew_study_pick_hash(study, hash, copies, members) : 0;

	for (size_t i = 0; i < copies; i++)
		words[i] =
			i < count ? (int32_t)compare->states[0].members[members[i]] : -1;
}

static void place_key(const struct counting *counting, uint64_t index, int32_t *words)
{
	const struct compare *compare = counting->compare;
	strew_study **studies = counting->tally->studies;
	uint64_t hash = hash_key(compare, studies[0], index);
	uint32_t members[STREW_STUDY_WANT_MAX];

	for (size_t i = 0; i <= compare->step_count; i++)
		words[i] = first_node(&compare->states[i], studies[i], hash);
	words += compare->step_count + 1;
	*words++ = (int32_t)strew_study_pick_hash(studies[0], hash,
						  compare->options.replicas, members);
	place_copies(compare, studies[0], hash, words);
}

static void place(const void *ctx, uint64_t first, size_t count, int32_t *words,
		  strew_scratch *const scratch[2])
{
	const struct counting *counting = ctx;

	(void)scratch;
	for (size_t i = 0; i < count; i++)
		place_key(counting, first + i, words + i * words_of(counting->compare));
}

double analyze_compare_requests(const struct compare *compare, uint64_t key)
{
	const strew_named_object *keys = compare->options.keys;

	return keys && keys[key].has_bytes ? (double)keys[key].bytes : 0;
}

static void count_move(const struct compare *compare, struct compare_tally *tally,
		       size_t index, const int32_t *words)
{
	const struct compare_step *step = &compare->steps[index];
	int32_t was = words[index], is = words[index + 1], whose = (int32_t)step->node;

	if (was == is)
		return;
	tally->moved[step->event]++;
	tally->between[step->event] += was != whose && is != whose;
	if (step->takes_from_it && was == whose && is >= 0)
		tally->taken[step->event * compare->node_count + (size_t)is]++;
}

static void count_copies(const struct counting *counting, uint64_t key,
			 const int32_t *words)
{
	const struct compare *compare = counting->compare;
	double requests = analyze_compare_requests(compare, key), count = 0;
	size_t copies = compare->options.copies;
	bool is_hot = counting->is_hot && counting->is_hot[key];
	const int32_t *nodes = words + compare->step_count + 2;

	for (size_t i = 0; is_hot && i < copies; i++)
		count += nodes[i] >= 0;
	if (count == 0 && words[0] >= 0)
		counting->tally->hot_requests[words[0]] += requests;
	for (size_t i = 0; count > 0 && i < copies; i++) {
		if (nodes[i] >= 0)
			counting->tally->hot_requests[nodes[i]] += requests / count;
	}
}

static strew_status take(void *ctx, uint64_t key, const int32_t *words)
{
	struct counting *counting = ctx;
	const struct compare *compare = counting->compare;
	struct compare_tally *tally = counting->tally;
	size_t replicas = compare->options.replicas;

	if (replicas > compare->states[0].live)
		replicas = compare->states[0].live;
	if (words[0] >= 0) {
		tally->keys[words[0]]++;
		tally->requests[words[0]] += analyze_compare_requests(compare, key);
	}
	for (size_t i = 0; i < compare->step_count; i++) {
		size_t event = compare->steps[i].event;
		bool is_last = i + 1 == compare->step_count ||
			       compare->steps[i + 1].event != event;

		count_move(compare, tally, i, words);
		if (is_last && words[i + 1] >= 0)
			tally->after[event * compare->node_count +
				     (size_t)words[i + 1]]++;
	}
	tally->short_keys += (size_t)words[compare->step_count + 1] < replicas;
	count_copies(counting, key, words);
	return STREW_OK;
}

/* What has to move at least: what nodes' shares gain. */
static double minimum_of(const struct compare *compare, size_t step, bool weighted)
{
	const struct compare_state *from = &compare->states[step], *to = from + 1;
	double gained = 0;

	for (size_t i = 0, j = 0; i < to->count; i++) {
		double was = 0;

		/* Members stay in order, but for those that come back: look on. */
		if (j >= from->count || from->members[j] != to->members[i]) {
			for (j = 0; j < from->count; j++) {
				if (from->members[j] == to->members[i])
					break;
			}
		}
		if (j < from->count)
			was = analyze_compare_share(from, j++, weighted);
		gained += fmax(0, analyze_compare_share(to, i, weighted) - was);
	}
	return gained * (double)compare->options.key_count;
}

static strew_status make_arrays(struct compare *compare, struct compare_tally *tally,
				strew_error *error)
{
	size_t nodes = compare->node_count, events = compare->options.event_count;
	struct base_arena *arena = &compare->arena;

	tally->studies =
		base_arena_alloc(arena, compare->step_count + 1, sizeof(*tally->studies));
	tally->keys = base_arena_alloc(arena, nodes, sizeof(*tally->keys));
	tally->requests = base_arena_alloc(arena, nodes, sizeof(*tally->requests));
	tally->hot_requests =
		base_arena_alloc(arena, nodes, sizeof(*tally->hot_requests));
	tally->after = base_arena_alloc(arena, events * nodes, sizeof(*tally->after));
	tally->taken = base_arena_alloc(arena, events * nodes, sizeof(*tally->taken));
	tally->moved = base_arena_alloc(arena, events, sizeof(*tally->moved));
	tally->between = base_arena_alloc(arena, events, sizeof(*tally->between));
	tally->minimum = base_arena_alloc(arena, events, sizeof(*tally->minimum));
	if (!tally->studies || !tally->keys || !tally->requests || !tally->hot_requests ||
	    !tally->after || !tally->taken || !tally->moved || !tally->between ||
	    !tally->minimum)
		return base_error_nomem(error);
	return STREW_OK;
}

/* All states' tables are there at once. */
static strew_status check_bytes(const struct compare *compare, const strew_study *study,
				strew_error *error)
{
	size_t states = compare->step_count + 1;

	if (strew_study_bytes(study) <= TABLES_MAX / states)
		return STREW_OK;
	return base_error_set(error, STREW_ERANGE,
			      "the tables of a scheme before and after %zu steps would "
			      "take more than 4 GiB: have fewer steps, rows or labels",
			      compare->step_count);
}

/* Many tables take long: no key is done yet, but the run may be stopped. */
static strew_status ask_progress(const struct compare *compare, strew_error *error)
{
	const strew_progress *progress = compare->run->progress;

	if (progress == NULL ||
	    progress->tick(progress->ctx, 0, compare->options.key_count) == 0)
		return STREW_OK;
	return base_error_set(error, STREW_ECANCELED, "%s",
			      strew_status_text(STREW_ECANCELED));
}

static strew_status make_studies(const struct compare *compare,
				 struct compare_tally *tally, strew_error *error)
{
	const struct compare_state *state = compare->states;
	strew_study_options options = STREW_STUDY_OPTIONS_INIT;
	strew_status status;

	analyze_read_options(&options, tally->options);
	options.allocator = compare->allocator;
	status = strew_study_new(&tally->studies[0], &options, state->nodes, state->count,
				 error);
	for (size_t i = 1; i <= compare->step_count && status == STREW_OK; i++) {
		state++;
		status = check_bytes(compare, tally->studies[i - 1], error);
		if (status == STREW_OK)
			status = ask_progress(compare, error);
		if (status == STREW_OK)
			status = strew_study_change(&tally->studies[i],
						    tally->studies[i - 1], state->nodes,
						    state->count, error);
	}
	return status;
}

static void free_studies(const struct compare *compare, struct compare_tally *tally)
{
	for (size_t i = 0; tally->studies && i <= compare->step_count; i++)
		strew_study_free(tally->studies[i]);
}

struct popular {
	double requests;
	uint64_t key;
};

static int compare_popular(const void *left, const void *right)
{
	const struct popular *a = left, *b = right;

	if (a->requests != b->requests)
		return a->requests > b->requests ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

static strew_status find_hot(bool **out, struct compare *compare, strew_error *error)
{
	size_t count = compare->options.key_count, hot = compare->options.hot;
	struct popular *list;
	bool *is_hot;

	*out = NULL;
	if (hot == 0 || compare->options.copies == 0)
		return STREW_OK;
	list = base_alloc(compare->allocator, count, sizeof(*list));
	is_hot = base_arena_alloc(&compare->arena, count, sizeof(*is_hot));
	if (list == NULL || is_hot == NULL) {
		base_free(compare->allocator, list, count * sizeof(*list));
		return base_error_nomem(error);
	}
	for (size_t i = 0; i < count; i++)
		list[i] = (struct popular){analyze_compare_requests(compare, i), i};
	qsort(list, count, sizeof(*list), compare_popular);
	for (size_t i = 0; i < hot && i < count; i++)
		is_hot[list[i].key] = true;
	base_free(compare->allocator, list, count * sizeof(*list));
	*out = is_hot;
	return STREW_OK;
}

/* The median of some turns over as many keys; their hashes are made beforehand. */
static double time_lookups(const struct compare *compare, const strew_study *study)
{
	const strew_compare_options *options = &compare->options;
	size_t count = options->key_count < TIMED_KEYS ? options->key_count : TIMED_KEYS;
	static const uint64_t step = 0x9e3779b97f4a7c15u;
	double turns[TIMED_TURNS];
	uint64_t sum = 0;

	if (options->clock == NULL || count == 0)
		return NAN;
	for (int turn = 0; turn < TIMED_TURNS; turn++) {
		double start = options->clock(options->clock_ctx);

		for (size_t i = 0; i < count; i++) {
			uint32_t node = 0;

			strew_study_pick_hash(study, step * (i + 1), 1, &node);
			sum += node;
		}
		turns[turn] =
			(options->clock(options->clock_ctx) - start) / (double)count;
	}
	qsort(turns, TIMED_TURNS, sizeof(turns[0]), base_compare_doubles);
	/* The sum keeps the compiler from leaving the look-ups out. */
	return sum == UINT64_MAX ? NAN : turns[TIMED_TURNS / 2];
}

static strew_status count_keys(struct compare *compare, struct compare_tally *tally,
			       strew_error *error)
{
	struct counting counting = {.compare = compare, .tally = tally};
	struct analyze_walk walk = {
		.units = compare->options.key_count,
		.words = words_of(compare),
		.place = place,
		.take = take,
		.ctx = &counting,
	};
	bool weighted = tally->scheme.flags & STREW_SCHEME_WEIGHTED, *is_hot;
	strew_status status = find_hot(&is_hot, compare, error);

	if (status != STREW_OK)
		return status;
	counting.is_hot = is_hot;
	for (size_t i = 0; i < compare->step_count; i++)
		tally->minimum[compare->steps[i].event] +=
			minimum_of(compare, i, weighted);
	tally->bytes = strew_study_bytes(tally->studies[0]);
	tally->ns = time_lookups(compare, tally->studies[0]);
	return analyze_walk(&walk, compare->run, error);
}

strew_status analyze_compare_count(struct compare *compare, struct compare_tally *tally,
				   strew_error *error)
{
	strew_status status = make_arrays(compare, tally, error);

	if (status == STREW_OK)
		status = make_studies(compare, tally, error);
	if (status == STREW_OK)
		status = count_keys(compare, tally, error);
	free_studies(compare, tally);
	return status;
}
