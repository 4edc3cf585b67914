/* SPDX-License-Identifier: MIT */
/* Which results a changed map may give otherwise. A result stays when each answer on the
 * way to it does; an answer that may not stay is asked for again, or makes a suspect. */
#include "rule_change_priv.h"

#include <assert.h>
#include <string.h>

#define ASKS 256

static_assert(RULE_TRACE_STRETCH == SELECT_PROBES, "a stretch can be probed as a whole");
static_assert(RULE_TRACE_UNIT / RULE_TRACE_STRETCH <= 32, "each has a bit");

/* Questions that the new map is to answer. */
struct asks {
	size_t count;
	uint32_t places[ASKS];
	uint32_t x[ASKS + SELECT_PAD];
	uint32_t r[ASKS + SELECT_PAD];
	int32_t refs[ASKS];
	int32_t expected[ASKS];
};

struct rule_finder {
	strew_allocator allocator;
	/* What it is about. */
	const struct rule_change *change;
	const struct rule_trace *trace;
	size_t first;
	uint32_t count;
	const uint32_t *xs; /* from the first on */
	bool suspects[RULE_TRACE_UNIT];
	uint32_t concerned[STREW_WANT_MAX + 1];
	uint32_t near[RULE_TRACE_UNIT]; /* of an attempt, those to be looked at one by one
					 */
	uint32_t near_count;
	/* To the root, which is one question after the other to one bucket; to others. */
	struct asks asks[2];
	struct select_probe probe; /* being collected */
	uint32_t probe_places[SELECT_PROBES];
	uint32_t probe_count;
	struct select_probe root_probe;
};

struct rule_finder *rule_finder_new(const strew_allocator *allocator)
{
	struct rule_finder *finder = base_calloc(allocator, 1, sizeof(*finder));

	if (finder)
		finder->allocator = *allocator;
	return finder;
}

void rule_finder_free(struct rule_finder *finder)
{
	strew_allocator allocator;

	if (finder == NULL)
		return;
	allocator = finder->allocator;
	base_free(&allocator, finder, sizeof(*finder));
}

static void run_asks(struct rule_finder *finder, struct asks *asks)
{
	const struct rule_call *to = &finder->change->to;
	struct select_batch batch = {
		.flat = to->flat,
		.set = to->set,
		.count = asks->count,
		.x = asks->x,
		.r = asks->r,
		.refs = asks->refs,
	};

	select_choose_many(to->kernel, &batch);
	for (size_t i = 0; i < asks->count; i++)
		finder->suspects[asks->places[i]] |= asks->refs[i] != asks->expected[i];
	asks->count = 0;
}

static void run_probes(struct rule_finder *finder)
{
	if (finder->probe_count > 0)
		select_probe(finder->change->to.kernel, &finder->probe);
	for (uint32_t i = 0; i < finder->probe_count; i++)
		finder->suspects[finder->probe_places[i]] |= finder->probe.beaten[i] != 0;
	finder->probe_count = 0;
}

/* An answer: what a bucket gave for an input's attempt. */
struct answer {
	uint32_t place;
	uint32_t bucket;
	uint32_t item;
	uint32_t r;
};

static void ask_again(struct rule_finder *finder, const struct answer *answer)
{
	const struct rule_change *change = finder->change;
	const struct rule_fate *fate = &change->fates[answer->bucket];
	struct asks *asks = &finder->asks[answer->bucket != change->root];
	int32_t expected = fate->change->items[answer->item].to;
	size_t i = asks->count;

	if (expected == FLAT_NONE) {
		finder->suspects[answer->place] = true;
		return;
	}
	asks->places[i] = answer->place;
	asks->x[i] = finder->xs[answer->place];
	asks->r[i] = answer->r;
	asks->refs[i] = -1 - (int32_t)flat_bucket_index(change->to.flat, fate->to);
	asks->expected[i] = expected;
	if (++asks->count == ASKS)
		run_asks(finder, asks);
}

static void probe(struct rule_finder *finder, const struct answer *answer,
		  const struct select_riser *riser)
{
	const struct select_change *change = finder->change->fates[answer->bucket].change;
	struct select_probe *probe = &finder->probe;
	uint32_t i = finder->probe_count;

	finder->probe_places[i] = answer->place;
	probe->x[i] = finder->xs[answer->place];
	probe->r[i] = answer->r;
	probe->holder_ids[i] = change->items[answer->item].id;
	probe->holder_scales[i] = change->items[answer->item].scale;
	probe->riser_ids[i] = riser->id;
	probe->riser_scales[i] = riser->scale;
	if (++finder->probe_count == SELECT_PROBES)
		run_probes(finder);
}

static void check_answer(struct rule_finder *finder, const struct answer *answer)
{
	const struct rule_fate *fate = &finder->change->fates[answer->bucket];

	if (fate->extent == SELECT_SAME)
		return;
	if (fate->extent == SELECT_ANY) {
		finder->suspects[answer->place] = true;
		return;
	}
	if (fate->change->items[answer->item].falls) {
		ask_again(finder, answer);
		return;
	}
	for (uint32_t i = 0; i < fate->change->riser_count; i++)
		if (fate->change->risers[i].was != answer->item)
			probe(finder, answer, &fate->change->risers[i]);
}

/* An attempt, and where it ended. */
struct attempt {
	uint32_t place;
	uint32_t spot;
	uint32_t r;
	uint32_t leaf_r; /* below the item of the wanted type */
};

/* Each answer that may be another one, from the spot up to below the root, or to where
 * leaves are looked for. */
static void check_way(struct rule_finder *finder, const struct attempt *attempt,
		      bool only_below)
{
	const struct rule_way *ways = finder->change->ways;
	uint32_t spot = ways[attempt->spot].next;

	while (spot != RULE_NO_SPOT) {
		uint32_t bucket = ways[spot].bucket;
		uint32_t above = rule_bucket_spot(finder->change, bucket);
		bool below = ways[above].below;
		struct answer answer = {attempt->place, bucket, ways[spot].item,
					below ? attempt->leaf_r : attempt->r};

		if (only_below && !below)
			break;
		check_answer(finder, &answer);
		spot = ways[above].next;
	}
}

static void check_device(struct rule_finder *finder, const struct attempt *attempt)
{
	const struct flat *from = finder->change->from.flat,
			  *to = finder->change->to.flat;
	uint32_t x = finder->xs[attempt->place];
	int32_t device = (int32_t)attempt->spot;
	int32_t index = flat_find_device(to, flat_device_id(from, attempt->spot));

	finder->suspects[attempt->place] |=
		rule_is_out(from, device, x) != rule_is_out(to, index, x);
}

/* All but what the root answered. */
static void check_attempt(struct rule_finder *finder, const struct attempt *attempt,
			  bool only_below)
{
	uint8_t marks = finder->change->marks[attempt->spot];

	if (finder->suspects[attempt->place])
		return;
	if (marks & RULE_OUT)
		check_device(finder, attempt);
	if (marks & RULE_DEEPER)
		check_way(finder, attempt, only_below);
}

static void check_root(struct rule_finder *finder, const struct attempt *attempt)
{
	const struct rule_change *change = finder->change;
	struct answer answer = {attempt->place, change->root,
				change->spots[attempt->spot].item, attempt->r};

	check_answer(finder, &answer);
}

/* As rule_firstn.c and rule_indep.c count the attempts at a leaf. */
static uint32_t leaf_attempt(const struct rule_change *change, uint32_t r)
{
	uint32_t vary_r = change->settings.vary_r;

	if (change->indep)
		return r % change->ranks + r;
	return vary_r ? (uint32_t)((int32_t)r >> ((vary_r - 1) % 32)) : 0;
}

/* RULE_TRACE_STRETCH inputs, from `start` on, and one attempt of each. */
struct stretch {
	uint32_t start;
	uint32_t r;
	const uint32_t *spots;
	const uint8_t *margins;
};

static const struct rule_spot *spot_at(const struct rule_change *change, uint32_t spot)
{
	return &change->spots[spot < change->spot_count ? spot : change->spot_count];
}

/* All items that the root gave against one that rises. One that can't lose gets a scale
 * by which it doesn't. */
static void probe_root(struct rule_finder *finder, const struct stretch *stretch,
		       const struct select_riser *riser)
{
	struct select_probe *probe = &finder->root_probe;

	for (uint32_t i = 0; i < SELECT_PROBES; i++) {
		const struct rule_spot *spot = spot_at(finder->change, stretch->spots[i]);

		probe->holder_ids[i] = spot->id;
		probe->holder_scales[i] = spot->item == riser->was ? 0 : spot->scale;
		probe->r[i] = stretch->r;
		probe->riser_ids[i] = riser->id;
		probe->riser_scales[i] = riser->scale;
	}
	memcpy(probe->x, finder->xs + stretch->start, sizeof(probe->x));
	select_probe(finder->change->to.kernel, probe);
	for (uint32_t i = 0; i < SELECT_PROBES; i++)
		finder->suspects[stretch->start + i] |= probe->beaten[i] != 0;
}

static inline uint32_t is_in(struct rule_span span, uint32_t spot)
{
	return spot - span.first <= span.length;
}

static inline bool is_marked(const struct rule_change *change, uint32_t spot)
{
	return (is_in(change->devices, spot) | is_in(change->buckets, spot)) != 0;
}

/* Can margins tell of answers of the root? */
static inline bool has_margins(const struct rule_change *change)
{
	return change->other_root && change->margin < SELECT_NO_MARGIN;
}

/* What there is of a spot is far apart: memory is told in time. */
static void note_near(struct rule_finder *finder, uint32_t place, uint32_t spot)
{
	const struct rule_change *change = finder->change;

	/* What lies behind the last input leads nowhere, too. */
	if (spot >= change->spot_count)
		return;
	finder->near[finder->near_count++] = place;
	if (change->ways == NULL)
		return;
	__builtin_prefetch(&change->ways[spot]);
	__builtin_prefetch(&change->spots[spot]);
}

static void find_near(struct rule_finder *finder, const struct stretch *stretch)
{
	const struct rule_change *change = finder->change;
	uint8_t near[SELECT_PROBES], margin = (uint8_t)change->margin;
	uint64_t some;

	for (uint32_t i = 0; i < SELECT_PROBES; i++)
		near[i] = is_marked(change, stretch->spots[i]);
	for (uint32_t i = 0; has_margins(change) && i < SELECT_PROBES; i++)
		near[i] |= stretch->margins[i] < margin;
	for (uint32_t i = 0; i < SELECT_PROBES; i += sizeof(some)) {
		memcpy(&some, near + i, sizeof(some));
		for (uint32_t k = i; some && k < i + sizeof(some); k++) {
			if (near[k])
				note_near(finder, stretch->start + k, stretch->spots[k]);
		}
	}
}

static void probe_risers(struct rule_finder *finder, const struct stretch *stretch)
{
	const struct rule_fate *root = &finder->change->fates[finder->change->root];

	for (uint32_t i = 0; root->change && i < root->change->riser_count; i++)
		probe_root(finder, stretch, &root->change->risers[i]);
}

/* May there be anything to check? */
static bool may_concern(const struct rule_change *change,
			const struct rule_sketch *sketch)
{
	uint64_t met = change->other_root;

	for (uint32_t i = 0; i < sizeof(sketch->bits) / sizeof(*sketch->bits); i++)
		met |= sketch->bits[i] & change->sketch.bits[i];
	return met != 0;
}

/* What there is of a stretch's attempt r, or, for r = want, of extras. */
static void prefetch_stretch(const struct rule_trace *trace, uint32_t r, size_t at)
{
	bool extras = r == (uint32_t)trace->want;
	const uint32_t *spots = extras ? trace->extras : trace->spots + r * trace->inputs;

	if (extras)
		__builtin_prefetch(trace->used + at);
	for (uint32_t i = 0; i < RULE_TRACE_STRETCH; i += RULE_TRACE_STRETCH / 4)
		__builtin_prefetch(spots + at + i);
}

/* @return bit by bit, of which stretches there may be something to check: of attempt r,
 * or, for r = want, of their extras. They are far apart, and memory is told in time. */
static uint32_t find_concerned(const struct rule_finder *finder, uint32_t r)
{
	const struct rule_change *change = finder->change;
	uint32_t found = 0;

	for (uint32_t i = 0; i * RULE_TRACE_STRETCH < finder->count; i++) {
		size_t at = finder->first + i * RULE_TRACE_STRETCH;

		if (!may_concern(change, rule_sketch_at(finder->trace, r, at)))
			continue;
		found |= 1u << i;
		if (!change->other_root)
			prefetch_stretch(finder->trace, r, at);
	}
	return found;
}

static void check_stretch(struct rule_finder *finder, const struct stretch *stretch)
{
	const struct rule_change *change = finder->change;

	if (change->other_root && !has_margins(change))
		probe_risers(finder, stretch);
	find_near(finder, stretch);
}

static void check_near(struct rule_finder *finder, const struct stretch *row,
		       uint32_t place)
{
	const struct rule_change *change = finder->change;
	struct attempt attempt = {.place = place, .spot = row->spots[place], .r = row->r};

	if (finder->suspects[place])
		return;
	attempt.leaf_r = leaf_attempt(change, row->r);
	if (change->marks[attempt.spot] & RULE_FALLS ||
	    (has_margins(change) && row->margins[place] < change->margin))
		check_root(finder, &attempt);
	check_attempt(finder, &attempt, false);
}

/* An attempt of all inputs, as far as their stretches are concerned. */
static void check_row(struct rule_finder *finder, uint32_t r, uint32_t concerned)
{
	const struct rule_trace *trace = finder->trace;
	size_t at = r * trace->inputs + finder->first;
	struct stretch row = {
		.r = r, .spots = trace->spots + at, .margins = trace->margins + at};

	finder->near_count = 0;
	for (; concerned; concerned &= concerned - 1) {
		uint32_t start = (uint32_t)__builtin_ctz(concerned) * RULE_TRACE_STRETCH;
		struct stretch stretch = {.start = start,
					  .r = r,
					  .spots = row.spots + start,
					  .margins = row.margins + start};

		check_stretch(finder, &stretch);
	}
	for (uint32_t i = 0; i < finder->near_count; i++)
		check_near(finder, &row, finder->near[i]);
}

static void check_extra(struct rule_finder *finder, uint32_t place, size_t number)
{
	const struct rule_change *change = finder->change;
	const struct rule_trace *trace = finder->trace;
	size_t at = number * trace->inputs + finder->first + place;
	bool only_below = trace->extra_rs[at] & RULE_TRACE_BELOW;
	uint32_t r = trace->extra_rs[at] & ~RULE_TRACE_BELOW;
	struct attempt attempt = {.place = place,
				  .spot = trace->extras[at],
				  .r = r,
				  .leaf_r = only_below ? r : leaf_attempt(change, r)};

	if (!change->other_root && !is_marked(change, attempt.spot))
		return;
	if (!only_below && change->other_root)
		check_root(finder, &attempt);
	check_attempt(finder, &attempt, only_below);
}

/* Extras of some inputs, the first of each or the second, …; some have none. */
static void check_slot(struct rule_finder *finder, uint32_t start, size_t number)
{
	const uint8_t *used = finder->trace->used + finder->first + start;

	for (uint32_t i = 0; i < SELECT_PROBES; i++) {
		if (used[i] > number && used[i] != RULE_TRACE_UNKNOWN)
			check_extra(finder, start + i, number);
	}
}

/* @return the most that one of some inputs has. */
static uint8_t most_extras(struct rule_finder *finder, uint32_t start)
{
	const uint8_t *used = finder->trace->used + finder->first + start;
	uint8_t most = 0, unknown = 0;

	for (uint32_t i = 0; i < SELECT_PROBES; i++) {
		uint8_t known = used[i] == RULE_TRACE_UNKNOWN ? 0 : used[i];

		most = known > most ? known : most;
		unknown |= used[i] == RULE_TRACE_UNKNOWN;
	}
	for (uint32_t i = 0; unknown && i < SELECT_PROBES; i++)
		finder->suspects[start + i] |= used[i] == RULE_TRACE_UNKNOWN;
	return most;
}

static void check_extras(struct rule_finder *finder, uint32_t concerned)
{
	for (; concerned; concerned &= concerned - 1) {
		uint32_t start = (uint32_t)__builtin_ctz(concerned) * RULE_TRACE_STRETCH;
		size_t most = most_extras(finder, start);

		for (size_t number = 0; number < most; number++)
			check_slot(finder, start, number);
	}
}

size_t rule_change_find(const struct rule_change *change, struct rule_finder *finder,
			const struct rule_trace *trace, const uint32_t *xs, size_t first,
			uint32_t count, uint32_t *found)
{
	const bool *next = finder->suspects, *end = finder->suspects + count;
	uint32_t want = (uint32_t)trace->want;
	size_t number = 0;

	finder->change = change;
	finder->trace = trace;
	finder->first = first;
	finder->count = count;
	finder->xs = xs + first;
	if (change->measures)
		rule_trace_measure(trace, &change->from, xs, first, count);
	memset(finder->suspects, 0, sizeof(finder->suspects));
	for (uint32_t r = 0; r <= want; r++)
		finder->concerned[r] = find_concerned(finder, r);
	for (uint32_t r = 0; r < want; r++)
		check_row(finder, r, finder->concerned[r]);
	check_extras(finder, finder->concerned[want]);
	run_asks(finder, &finder->asks[0]);
	run_asks(finder, &finder->asks[1]);
	run_probes(finder);
	while ((next = memchr(next, true, (size_t)(end - next))) != NULL)
		found[number++] = (uint32_t)(first + (size_t)(next++ - finder->suspects));
	return number;
}
