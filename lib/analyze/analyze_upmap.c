/* SPDX-License-Identifier: MIT */
#include "analyze_upmap_priv.h"

#include <string.h>

#include "base_error.h"
#include "place.h"

/*
 * The monitor drops what a PG's upmaps come to when the rule could not give that, and
 * what has no effect. Found out from what osdmaptool --upmap-cleanup of 16.2.15 does.
 */

/* Items that are looked at below the takes of all rules. Beyond that, which takes rules
 * of hundreds of takes and types, rules aren't judged. */
#define WORK_MAX 5e8

struct judging {
	const strew_placer *placer;
	const strew_map *map;
	struct analyze_upmaps *out;
	struct upmap_rule *rules; /* by index of the map's; not all are filled */
	uint32_t *list;           /* overrides with upmaps */
	size_t count;
	size_t words;
	double work; /* that going down from rules' takes has cost */
};

/* What a unit's words are, before a bit for each pair that stays. */
enum { WORD_FATE, WORD_REASON, WORD_DEVICE, WORD_OTHER, WORD_BUCKET, WORD_PAIRS };

static bool has_upmap(const struct map_override *override)
{
	return override->upmap || override->upmap_item_count > 0;
}

static const struct map_override *override_of(const struct judging *judging,
					      uint64_t unit)
{
	return &judging->map->overrides[judging->list[unit]];
}

/* Of rules that aren't judged all upmaps stay. */
static const struct upmap_rule *rule_of(const struct judging *judging,
					const strew_pool *pool)
{
	const struct map_rule *rule =
		pool ? map_rule_by_id(judging->map, pool->rule) : NULL;
	const struct upmap_rule *known =
		rule ? &judging->rules[rule - judging->map->rules] : NULL;

	return known && known->rule ? known : NULL;
}

static bool has(const int32_t *devices, int count, int32_t device)
{
	for (int i = 0; i < count; i++)
		if (devices[i] == device)
			return true;
	return false;
}

/* In the device vector, and out. */
static bool is_out(const strew_map *map, int32_t device)
{
	int64_t index = map_device_index(map, device);

	if (device < 0 || device >= map->device_limit)
		return false;
	return index < 0 || map->devices[index].reweight == 0;
}

static bool has_weight(const struct judging *judging, const struct upmap_rule *rule,
		       int32_t device)
{
	int64_t index = map_device_index(judging->map, device);

	return index >= 0 && rule->weighs[index] && !is_out(judging->map, device);
}

static bool refuse(struct analyze_upmap *why, enum analyze_upmap_reason reason,
		   int32_t device)
{
	*why = (struct analyze_upmap){.fate = ANALYZE_UPMAP_GOES,
				      .reason = reason,
				      .device = device,
				      .other = STREW_NONE};
	return false;
}

static bool judge_set(const struct judging *judging, struct analyze_upmap *why,
		      const struct upmap_rule *rule, int size, const int32_t *devices,
		      int count)
{
	if (!analyze_upmap_verify(why, rule, judging->map, size, devices, count))
		return false;
	for (int i = 0; i < count; i++)
		if (!has_weight(judging, rule, devices[i]))
			return refuse(why, ANALYZE_UPMAP_WEIGHTLESS, devices[i]);
	return true;
}

static bool judge_upmap(struct analyze_upmap *why, const struct map_override *override,
			int size, const int32_t *raw, int count)
{
	size_t length = override->upmap_count;

	if (override->upmap == NULL)
		return true;
	if (length == (size_t)count &&
	    memcmp(override->upmap, raw, length * sizeof(*raw)) == 0)
		return refuse(why, ANALYZE_UPMAP_EQUAL, STREW_NONE);
	return length == (size_t)size || refuse(why, ANALYZE_UPMAP_SIZE, STREW_NONE);
}

/* A pair stays when what it replaces is there, and what it puts there is in. */
static void judge_items(const struct judging *judging, struct analyze_upmap *why,
			const struct map_override *override, const int32_t *raw,
			int count, int32_t *bits)
{
	size_t kept = 0;

	for (size_t i = 0; i < override->upmap_item_count; i++) {
		const int32_t *pair = &override->upmap_items[2 * i];

		bool there = has(raw, count, pair[0]);

		if (there && !is_out(judging->map, pair[1])) {
			bits[i / 32] |= (int32_t)(UINT32_C(1) << i % 32);
			kept++;
		} else if (why->reason == ANALYZE_UPMAP_IS_FINE) {
			why->reason = there ? ANALYZE_UPMAP_OUT : ANALYZE_UPMAP_NO_SOURCE;
			why->device = pair[0];
			why->other = pair[1];
		}
	}
	if (kept < override->upmap_item_count)
		why->fate = kept > 0 ? ANALYZE_UPMAP_SHRINKS : ANALYZE_UPMAP_GOES;
}

static strew_status place_raw(const struct judging *judging, strew_pg pg,
			      int32_t *devices, int *count, strew_scratch *scratch)
{
	strew_stages stages = {.raw = {.devices = devices, .room = STREW_WANT_MAX}};
	strew_status status = strew_place_pg(judging->placer, pg, &stages, scratch);

	*count = stages.raw.count;
	return status;
}

static struct analyze_upmap judge(const struct judging *judging,
				  const struct map_override *override, int32_t *bits,
				  strew_scratch *scratch)
{
	const strew_pool *pool = strew_map_pool_by_id(judging->map, override->pg.pool);
	const struct upmap_rule *rule = rule_of(judging, pool);
	struct analyze_upmap why = {.device = STREW_NONE, .other = STREW_NONE};
	int32_t raw[STREW_WANT_MAX], devices[STREW_WANT_MAX];
	int count, mapped;

	if (rule == NULL ||
	    place_raw(judging, override->pg, raw, &count, scratch) != STREW_OK)
		return why;
	memcpy(devices, raw, (size_t)count * sizeof(*raw));
	mapped = place_apply_upmaps(judging->placer, override, devices, count);
	if (judge_set(judging, &why, rule, pool->size, devices, mapped) &&
	    judge_upmap(&why, override, pool->size, raw, count))
		judge_items(judging, &why, override, raw, count, bits);
	return why;
}

static void place_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
			strew_scratch *const scratch[2])
{
	const struct judging *judging = ctx;

	for (size_t i = 0; i < count; i++) {
		int32_t *unit = words + i * judging->words;
		struct analyze_upmap why;

		memset(unit, 0, judging->words * sizeof(*unit));
		why = judge(judging, override_of(judging, first + i), unit + WORD_PAIRS,
			    scratch[0]);
		unit[WORD_FATE] = (int32_t)why.fate;
		unit[WORD_REASON] = (int32_t)why.reason;
		unit[WORD_DEVICE] = why.device;
		unit[WORD_OTHER] = why.other;
		unit[WORD_BUCKET] = why.bucket;
	}
}

static strew_status keep_items(struct analyze_upmaps *out, struct analyze_upmap *upmap,
			       const struct map_override *override, const int32_t *bits)
{
	upmap->first_kept = out->kept_items.count / 2;
	for (size_t i = 0; i < override->upmap_item_count; i++) {
		int32_t *kept;

		if (upmap->fate == ANALYZE_UPMAP_GOES ||
		    ((uint32_t)bits[i / 32] >> i % 32 & 1) == 0)
			continue;
		kept = base_vec_extend(&out->kept_items, out->allocator, sizeof(*kept),
				       2);
		if (kept == NULL)
			return STREW_ENOMEM;
		memcpy(kept, &override->upmap_items[2 * i], 2 * sizeof(*kept));
		upmap->kept++;
	}
	return STREW_OK;
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	struct judging *judging = ctx;
	struct analyze_upmap *upmap = &judging->out->upmaps[judging->list[unit]];

	*upmap = (struct analyze_upmap){
		.fate = (enum analyze_upmap_fate)words[WORD_FATE],
		.reason = (enum analyze_upmap_reason)words[WORD_REASON],
		.device = words[WORD_DEVICE],
		.other = words[WORD_OTHER],
		.bucket = words[WORD_BUCKET]};
	return keep_items(judging->out, upmap, override_of(judging, unit),
			  words + WORD_PAIRS);
}

static strew_status add_rule(struct judging *judging, const struct analyze_tree *tree,
			     const struct map_override *override)
{
	const strew_pool *pool = strew_map_pool_by_id(judging->map, override->pg.pool);
	const struct map_rule *rule =
		pool ? map_rule_by_id(judging->map, pool->rule) : NULL;
	struct upmap_rule *known =
		rule ? &judging->rules[rule - judging->map->rules] : NULL;

	if (known == NULL || known->rule || judging->work > WORK_MAX)
		return STREW_OK;
	judging->work += analyze_upmap_rule_work(tree, rule);
	if (judging->work > WORK_MAX)
		return STREW_OK;
	return analyze_upmap_rule_new(known, tree, rule, judging->out->allocator);
}

static strew_status list_upmaps(struct judging *judging, const struct analyze_tree *tree)
{
	size_t most = 0;

	for (size_t i = 0; i < judging->map->override_count; i++) {
		const struct map_override *override = &judging->map->overrides[i];

		if (!has_upmap(override))
			continue;
		judging->list[judging->count++] = (uint32_t)i;
		if (override->upmap_item_count > most)
			most = override->upmap_item_count;
		if (add_rule(judging, tree, override) != STREW_OK)
			return STREW_ENOMEM;
	}
	judging->words = WORD_PAIRS + most / 32 + 1;
	return STREW_OK;
}

static strew_status run_judging(struct judging *judging, const struct analyze_tree *tree,
				const strew_run *run)
{
	struct analyze_walk walk = {.placers = {judging->placer, NULL},
				    .place = place_units,
				    .take = take_unit,
				    .ctx = judging};
	strew_status status = list_upmaps(judging, tree);

	walk.units = judging->count;
	walk.words = judging->words;
	if (status == STREW_OK && walk.units > 0)
		status = analyze_walk(&walk, run, NULL);
	return status;
}

static void free_judging(struct judging *judging)
{
	const strew_allocator *allocator = judging->out->allocator;
	const strew_map *map = judging->map;

	for (size_t i = 0; judging->rules && i < map->rule_count; i++)
		analyze_upmap_rule_free(&judging->rules[i], map, allocator);
	base_free(allocator, judging->rules,
		  (map->rule_count + 1) * sizeof(*judging->rules));
	base_free(allocator, judging->list,
		  (map->override_count + 1) * sizeof(*judging->list));
}

strew_status analyze_upmaps_new(struct analyze_upmaps *out, const strew_placer *placer,
				const struct analyze_tree *tree, const strew_run *run,
				const strew_allocator *allocator, strew_error *error)
{
	const strew_map *map = strew_placer_map(placer);
	struct judging judging = {.placer = placer, .map = map, .out = out};
	strew_status status = STREW_ENOMEM;

	*out = (struct analyze_upmaps){.allocator = allocator};
	out->upmaps =
		base_calloc(allocator, map->override_count + 1, sizeof(*out->upmaps));
	out->count = map->override_count;
	judging.rules =
		base_calloc(allocator, map->rule_count + 1, sizeof(*judging.rules));
	judging.list =
		base_alloc(allocator, map->override_count + 1, sizeof(*judging.list));
	if (out->upmaps && judging.rules && judging.list)
		status = run_judging(&judging, tree, run);
	free_judging(&judging);
	if (status == STREW_OK)
		return STREW_OK;
	analyze_upmaps_free(out);
	return base_error_set(error, status, "%s", strew_status_text(status));
}

void analyze_upmaps_free(struct analyze_upmaps *upmaps)
{
	base_free(upmaps->allocator, upmaps->upmaps,
		  (upmaps->count + 1) * sizeof(*upmaps->upmaps));
	base_vec_free(&upmaps->kept_items, upmaps->allocator);
	*upmaps = (struct analyze_upmaps){.allocator = upmaps->allocator};
}
