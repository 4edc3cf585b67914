/* SPDX-License-Identifier: MIT */
#include "analyze_check_rules_priv.h"

#include <string.h>

#include "place.h"

/**
 * Inputs of all uses are placed in one walk, use after use. What lies too thick is
 * counted for each bucket of each level, and summed up when a use is through.
 */

/* A use of which every input is short costs all its tries each time. */
#define INPUTS_SHORT 1000

/* Inputs are fewer where a search may be long. */
#define TRIES_USUAL 1000
#define INPUTS_MIN  16

struct counting {
	struct check_uses *uses;
	const strew_placer **placers; /* by use */
	size_t now;                   /* the use that is being taken */
	uint32_t *shards;             /* of the input, by bucket, then by device */
	uint32_t *losses;             /* inputs that lose too much with it, … */
	uint32_t *got;                /* … and that have anything in it */
	uint32_t *touched;            /* what has shards, or counts of the use */
	size_t items;
};

static uint64_t inputs_for(const struct check_uses *uses, const struct check_use *use)
{
	uint64_t most = CHECK_SHARDS / uses->count / (uint32_t)use->want;
	double draws = (double)uses->count * use->want * (double)(uses->items + 1);
	uint64_t inputs = CHECK_INPUTS, least = INPUTS_MIN;

	if (inputs > most)
		inputs = most;
	if ((double)inputs * draws > 10 * CHECK_DRAWS)
		inputs = (uint64_t)(10 * CHECK_DRAWS / draws);
	if (uses->check->count > 0)
		inputs = uses->check->count;
	if (inputs < least)
		least = inputs;
	if (use->room.most < use->room.asked && inputs > INPUTS_SHORT)
		inputs = INPUTS_SHORT;
	if (use->effort > TRIES_USUAL)
		inputs = (uint64_t)((double)inputs * TRIES_USUAL / use->effort);
	if (use->effort > CHECK_TRIES_MAX || use->room.asked == 0)
		return 0;
	return inputs < least ? least : inputs;
}

static const struct check_use *use_of(const struct counting *counting, uint64_t unit)
{
	size_t low = 0, high = counting->uses->count;

	/* The last use that begins at the unit or before it; those without inputs begin
	 * where the next does. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (counting->uses->uses[middle].first <= unit)
			low = middle;
		else
			high = middle;
	}
	return &counting->uses->uses[low];
}

static void place_run(const struct counting *counting, const struct check_use *use,
		      uint64_t input, size_t count, int32_t *words,
		      strew_scratch *scratch)
{
	const strew_map *map = counting->uses->check->map;
	size_t words_of_all = (size_t)use->want * count;
	uint32_t xs[ANALYZE_CHUNK] = {0};

	for (size_t i = 0; i < count; i++)
		xs[i] = (uint32_t)(input + i);
	if (strew_place_many(counting->placers[use - counting->uses->uses], use->rule->id,
			     xs, count, words, use->want, scratch) != STREW_OK)
		words_of_all = 0;
	for (size_t i = 0; i < words_of_all; i++) {
		words[i] = words[i] < 0 || words[i] == STREW_NONE
				   ? -1
				   : (int32_t)map_device_index(map, words[i]);
	}
}

/* A unit has as many words as the largest use wants; a use's own are at their front. */
static void place_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
			strew_scratch *const scratch[2])
{
	const struct counting *counting = ctx;
	size_t stride = (size_t)counting->uses->most;

	for (size_t done = 0; done < count;) {
		const struct check_use *use = use_of(counting, first + done);
		uint64_t input = first + done - use->first;
		uint64_t left = use->inputs - input;
		size_t run = left < count - done ? (size_t)left : count - done;
		size_t want = (size_t)use->want;
		int32_t *rows = words + done * stride;

		place_run(counting, use, input, run, rows, scratch[0]);
		for (size_t i = run; i-- > 1 && want < stride;)
			memmove(rows + i * stride, rows + i * want, want * sizeof(*rows));
		done += run;
	}
}

/* The fullest bucket of the level; what is lost with those that hold too much. */
static void look_at_level(struct counting *counting, struct check_use *use, size_t index,
			  const int32_t *devices)
{
	const struct check_level *level = &counting->uses->levels[index];
	struct check_lie *lie = &use->lies[index];
	uint32_t spare = analyze_check_spare(use), most = 0, lost = 0;
	size_t touched = 0;

	for (int i = 0; i < use->want; i++) {
		uint32_t at = devices[i] < 0 ? ANALYZE_NOWHERE : level->own[devices[i]];

		if (at != ANALYZE_NOWHERE && counting->shards[at]++ == 0)
			counting->touched[touched++] = at;
	}
	for (size_t i = 0; i < touched; i++) {
		uint32_t at = counting->touched[i], shards = counting->shards[at];

		counting->shards[at] = 0;
		counting->got[at]++;
		most = shards > most ? shards : most;
		if (shards > spare) {
			counting->losses[at]++;
			lost++;
		}
	}
	lie->most = most > lie->most ? most : lie->most;
	lie->over += index == use->domain && most > use->promise;
	use->twice += level->type == 0 && most > 1;
	lie->lost += lost > 0;
	lie->losses += lost;
	lie->stopped +=
		use->min_size > 0 && (int64_t)most > (int64_t)use->want - use->min_size;
}

static void sum_up(struct counting *counting, struct check_use *use)
{
	const struct check_uses *uses = counting->uses;
	const strew_map *map = uses->check->map;

	for (size_t i = 0; i < counting->items; i++) {
		int32_t type = i < map->bucket_count ? map->buckets[i].type : 0;
		struct check_lie *lie = NULL;

		for (size_t j = 0; j < uses->level_count && counting->got[i]; j++)
			if (uses->levels[j].type == type)
				lie = &use->lies[j];
		if (lie == NULL)
			continue;
		lie->buckets++;
		if (counting->losses[i] > lie->worst_at) {
			lie->worst = (uint32_t)i;
			lie->worst_at = counting->losses[i];
		}
	}
	memset(counting->losses, 0, counting->items * sizeof(*counting->losses));
	memset(counting->got, 0, counting->items * sizeof(*counting->got));
}

static strew_status keep_bad(const struct counting *counting, struct check_use *use,
			     uint64_t input)
{
	uint32_t *kept;

	use->bad++;
	if (use->bad_inputs.count >= CHECK_BAD_MAX)
		return STREW_OK;
	kept = base_vec_push(&use->bad_inputs, counting->uses->check->allocator,
			     sizeof(*kept));
	if (kept)
		*kept = (uint32_t)input;
	return kept ? STREW_OK : STREW_ENOMEM;
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *devices)
{
	struct counting *counting = ctx;
	struct check_use *use = (struct check_use *)use_of(counting, unit);
	int found = 0;

	for (size_t i = 0; i < counting->uses->level_count; i++)
		look_at_level(counting, use, i, devices);
	if (unit + 1 == use->first + use->inputs)
		sum_up(counting, use);
	for (int i = 0; i < use->want; i++)
		found += devices[i] >= 0;
	return found < use->want ? keep_bad(counting, use, unit - use->first) : STREW_OK;
}

static strew_status open_placers(struct counting *counting)
{
	struct check *check = counting->uses->check;
	const struct map_weight_set *raw = place_raw_weight_set(check->placer);
	strew_status status = STREW_OK;

	for (size_t i = 0; i < counting->uses->count && !status; i++) {
		const struct check_use *use = &counting->uses->uses[i];
		const struct check_use *last = i > 0 ? use - 1 : NULL;
		strew_placer *other = NULL;

		if (use->set == raw)
			other = strew_placer_retain(check->placer);
		else if (last && last->set == use->set)
			other = strew_placer_retain(counting->placers[i - 1]);
		else
			status = place_raw_as_pool(&other, check->placer, use->pool->id,
						   check->allocator, NULL);
		counting->placers[i] = other;
	}
	return status;
}

static strew_status alloc_counting(struct counting *counting)
{
	const struct check_uses *uses = counting->uses;
	const strew_allocator *allocator = uses->check->allocator;

	counting->placers =
		base_calloc(allocator, uses->count, sizeof(*counting->placers));
	counting->shards = base_calloc(allocator, counting->items + 1,
				       3 * sizeof(*counting->shards));
	counting->touched =
		base_alloc(allocator, STREW_WANT_MAX, sizeof(*counting->touched));
	if (!counting->placers || !counting->shards || !counting->touched)
		return STREW_ENOMEM;
	counting->losses = counting->shards + counting->items;
	counting->got = counting->shards + 2 * counting->items;
	return open_placers(counting);
}

static void free_counting(struct counting *counting)
{
	const struct check_uses *uses = counting->uses;
	const strew_allocator *allocator = uses->check->allocator;

	for (size_t i = 0; i < uses->count && counting->placers; i++)
		strew_placer_release((strew_placer *)counting->placers[i]);
	base_free(allocator, counting->placers, uses->count * sizeof(*counting->placers));
	base_free(allocator, counting->shards,
		  (counting->items + 1) * 3 * sizeof(*counting->shards));
	base_free(allocator, counting->touched,
		  STREW_WANT_MAX * sizeof(*counting->touched));
}

static uint64_t plan_inputs(struct check_uses *uses)
{
	uint64_t units = 0;

	for (size_t i = 0; i < uses->count; i++) {
		struct check_use *use = &uses->uses[i];

		use->first = units;
		use->inputs = inputs_for(uses, use);
		units += use->inputs;
		if (use->inputs > 0 && use->want > uses->most)
			uses->most = use->want;
	}
	return units;
}

strew_status analyze_check_count(struct check_uses *uses)
{
	struct check *check = uses->check;
	struct counting counting = {.uses = uses,
				    .items = check->map->bucket_count +
					     check->map->device_count};
	struct analyze_walk walk = {
		.units = plan_inputs(uses),
		.words = (size_t)uses->most,
		.placers = {check->placer, NULL},
		.place = place_units,
		.take = take_unit,
		.ctx = &counting,
	};
	strew_status status;

	if (walk.units == 0)
		return STREW_OK;
	status = alloc_counting(&counting);
	if (status == STREW_OK)
		status = analyze_walk(&walk, check->run, NULL);
	free_counting(&counting);
	return status;
}
