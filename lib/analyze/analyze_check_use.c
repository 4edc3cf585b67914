/* SPDX-License-Identifier: MIT */
#include "analyze_check_rules_priv.h"

#include <math.h>
#include <stdlib.h>

#include "compile.h"
#include "place.h"

/** Which rules are judged, with what size, and the levels that shards are counted on. */

/* What a rule without a pool is asked for when nothing tells. */
#define USUAL_WANT 3

/* Rules that Ceph makes for an erasure profile (up to 16.2) are masked from 3 to its
 * number of shards; those of old releases to this, whatever the profile. */
#define MASK_FROM 3
#define MASK_ANY  20

#define COLLISIONS_USUAL 100

static int compare(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* Uses that differ in nothing but the pool are one. */
static int compare_uses(const void *left, const void *right)
{
	const struct check_use *a = left, *b = right;
	int order = compare(a->rule->id, b->rule->id);

	if (order == 0)
		order = compare(a->want, b->want);
	if (order == 0)
		order = compare(a->k, b->k);
	if (order == 0)
		order = compare(a->min_size, b->min_size);
	if (order == 0)
		order = compare(a->set ? a->set->id : INT64_MIN,
				b->set ? b->set->id : INT64_MIN);
	return order;
}

static int compare_pools(const void *left, const void *right)
{
	const struct check_use *a = left, *b = right;
	int order = compare_uses(left, right);

	if (order != 0 || a->pool == NULL || b->pool == NULL)
		return order;
	return compare(a->pool->id, b->pool->id);
}

/* What its steps ask for, where they count no other way than upward; 0: they don't say.
 */
static int count_wanted(const struct map_rule *rule)
{
	struct analyze_block block;
	uint64_t sum = 0;
	size_t at = 0;

	while (analyze_next_block(&block, rule, &at)) {
		const struct map_step *step;
		uint64_t places = 1;
		size_t choice = 0;

		while ((step = analyze_next_choice(&block, &choice)) != NULL) {
			if (step->arg1 <= 0)
				return 0;
			if (places <= STREW_WANT_MAX)
				places *= (uint32_t)step->arg1;
		}
		if (sum <= STREW_WANT_MAX)
			sum += places;
	}
	return sum <= STREW_WANT_MAX ? (int)sum : 0;
}

/* What an erasure rule is made for, as its mask or its steps tell; 0: they don't say. */
static int tell_width(const struct map_rule *rule)
{
	bool told = rule->has_mask && rule->min_size == MASK_FROM &&
		    rule->max_size >= MASK_FROM && rule->max_size < MASK_ANY;

	return told ? rule->max_size : count_wanted(rule);
}

static void keep_width(int *least, int width)
{
	if (width >= USUAL_WANT && (*least == 0 || width < *least))
		*least = width;
}

/* Erasure codes of one cluster tend to be alike. Of several the narrowest has room in the
 * tree most likely. */
static int find_usual_width(const strew_map *map)
{
	int least = 0;

	for (size_t i = 0; i < map->rule_count; i++)
		if (!map_kind_copies(map->rules[i].kind))
			keep_width(&least, tell_width(&map->rules[i]));
	for (size_t i = 0; i < map->pool_count; i++)
		if (map->pools[i].kind != STREW_KIND_REPLICATED)
			keep_width(&least, map->pools[i].size);
	return least ? least : USUAL_WANT;
}

static int guess_want(const struct check_uses *uses, const struct map_rule *rule)
{
	int width;

	if (map_kind_copies(rule->kind))
		return USUAL_WANT;
	width = tell_width(rule);
	return width ? width : uses->usual_width;
}

/* Where nobody says how many shards are parity, one in three is. */
static int guess_data(int want)
{
	return want >= 3 ? want - want / 3 : 1;
}

static void set_data(struct check_use *use, bool copies, int k)
{
	use->k = copies ? 1 : k;
	use->guess_k = use->k <= 0 || use->k > use->want;
	if (use->guess_k)
		use->k = guess_data(use->want);
}

/* What MSR rules have in place of tries. Few descents need more than one try of many to
 * get around a collision. */
static void count_descents(const struct check_uses *uses, struct check_use *use)
{
	double collisions = uses->check->map->tunables.msr_collision_tries;

	use->tries = uses->check->map->tunables.msr_descents;
	use->effort = use->tries;
	for (size_t i = 0; i < use->rule->step_count; i++) {
		const struct map_step *step = &use->rule->steps[i];

		if (step->op == STREW_OP_SET_MSR_DESCENTS && step->arg1 > 0)
			use->tries = (uint32_t)step->arg1;
		else if (step->op == STREW_OP_SET_MSR_COLLISION_TRIES)
			collisions = fmax(collisions, step->arg1);
		use->effort = fmax(use->effort, use->tries);
	}
	use->effort *= fmax(collisions / COLLISIONS_USUAL, 1);
}

/* The tries of a place, and how many draws it may take with all that is tried inside. */
static void count_tries(const struct check_uses *uses, struct check_use *use)
{
	struct flat_tunables tunables = compile_tunables(&uses->check->map->tunables);
	struct rule_settings settings;

	rule_settings_start(&settings, &tunables);
	for (size_t i = 0; i <= use->rule->step_count; i++) {
		double inside = fmax(settings.leaf_tries, 1) *
				(1.0 + settings.local_tries + settings.fallback_tries);

		use->effort = fmax(use->effort, settings.choose_tries * inside);
		if (i < use->rule->step_count)
			rule_settings_apply(&settings, (int32_t)use->rule->steps[i].op,
					    use->rule->steps[i].arg1);
	}
	use->tries = settings.choose_tries;
}

static void add_pool(struct check_uses *uses, const strew_pool *pool)
{
	const struct check *check = uses->check;
	struct check_use *use = &uses->uses[uses->count];

	*use = (struct check_use){.rule = map_rule_by_id(check->map, pool->rule),
				  .want = pool->size,
				  .pool = pool,
				  .pools = 1,
				  .min_size = pool->min_size};
	if (use->rule == NULL || use->want < 1)
		return;
	set_data(use, pool->kind == STREW_KIND_REPLICATED, pool->k);
	if (check->placer)
		use->set = place_pool_weight_set(check->placer, pool->id);
	uses->count++;
}

static bool is_used(const struct check_uses *uses, size_t count,
		    const struct map_rule *rule)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (uses->uses[middle].rule->id < rule->id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && uses->uses[low].rule == rule;
}

static void add_rule(struct check_uses *uses, const struct map_rule *rule)
{
	const struct check *check = uses->check;
	struct check_use *use = &uses->uses[uses->count++];

	*use = (struct check_use){.rule = rule,
				  .want = check->want ? check->want : count_wanted(rule)};
	use->guess_want = use->want == 0;
	if (use->guess_want)
		use->want = guess_want(uses, rule);
	set_data(use, map_kind_copies(rule->kind), 0);
	if (check->placer)
		use->set = place_raw_weight_set(check->placer);
}

static void merge_pools(struct check_uses *uses)
{
	size_t kept = 0;

	qsort(uses->uses, uses->count, sizeof(*uses->uses), compare_pools);
	for (size_t i = 0; i < uses->count; i++) {
		struct check_use *last = kept > 0 ? &uses->uses[kept - 1] : NULL;

		if (last && compare_uses(last, &uses->uses[i]) == 0)
			last->pools++;
		else
			uses->uses[kept++] = uses->uses[i];
	}
	uses->count = kept;
}

static bool list_uses(struct check_uses *uses)
{
	const strew_map *map = uses->check->map;
	size_t used;

	uses->uses =
		base_calloc(uses->check->allocator, map->pool_count + map->rule_count + 1,
			    sizeof(*uses->uses));
	if (uses->uses == NULL)
		return false;
	for (size_t i = 0; i < map->pool_count; i++)
		add_pool(uses, &map->pools[i]);
	if (uses->count > 1)
		merge_pools(uses);
	used = uses->count;
	uses->usual_width = find_usual_width(map);
	for (size_t i = 0; i < map->rule_count; i++)
		if (!is_used(uses, used, &map->rules[i]))
			add_rule(uses, &map->rules[i]);
	if (uses->count > 1)
		qsort(uses->uses, uses->count, sizeof(*uses->uses), compare_pools);
	return true;
}

/* Devices and buckets have one row of numbers: buckets by index, then devices. `nearest`:
 * room for the buckets. */
static void fill_level(struct check_uses *uses, struct check_level *level, uint32_t *own,
		       uint32_t *nearest)
{
	const struct analyze_tree *tree = &uses->check->tree;
	const strew_map *map = tree->map;

	level->own = own;
	for (size_t i = 0; i < map->bucket_count; i++) {
		uint32_t bucket = tree->order[i];
		uint32_t parent = tree->bucket_spots[bucket].bucket;

		nearest[bucket] = parent == ANALYZE_NOWHERE ? parent : nearest[parent];
		if (map->buckets[bucket].type == level->type)
			nearest[bucket] = bucket;
	}
	for (size_t i = 0; i < map->device_count; i++) {
		uint32_t at = tree->device_spots[i].bucket;

		if (level->type == 0)
			own[i] = (uint32_t)(map->bucket_count + i);
		else
			own[i] = at == ANALYZE_NOWHERE ? at : nearest[at];
	}
}

/** A type of the map, by its place in the list of these. */
struct type {
	size_t buckets;
	bool is_domain; /* of a use's rule */
};

static void look_at_types(const struct check_uses *uses, struct type *types)
{
	const strew_map *map = uses->check->map;

	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of == 0)
			types[map_type_index(map, map->buckets[i].type)].buckets++;
	for (size_t i = 0; i < uses->count; i++) {
		int64_t index =
			map_type_index(map, analyze_failure_type(uses->uses[i].rule));

		if (index >= 0)
			types[index].is_domain = true;
	}
}

/* Where there are more levels than any cluster has, failure domains come first. */
static void list_levels(struct check_uses *uses, const struct type *types)
{
	const strew_map *map = uses->check->map;
	size_t others = CHECK_LEVELS_MAX - 1;

	for (size_t i = 0; i < map->type_count; i++)
		others -= types[i].is_domain && types[i].buckets > 0 && others > 0;
	uses->levels[uses->level_count++] =
		(struct check_level){.buckets = map->device_count};
	for (size_t i = 0; i < map->type_count && uses->level_count < CHECK_LEVELS_MAX;
	     i++) {
		if (map->types[i].id == 0 || types[i].buckets == 0 ||
		    (!types[i].is_domain && others == 0))
			continue;
		others -= !types[i].is_domain;
		uses->levels[uses->level_count++] = (struct check_level){
			.type = map->types[i].id, .buckets = types[i].buckets};
	}
}

static bool make_levels(struct check_uses *uses)
{
	const strew_map *map = uses->check->map;
	const strew_allocator *allocator = uses->check->allocator;
	size_t room = map->type_count + 1;
	struct type *types = base_calloc(allocator, room, sizeof(*types));
	uint32_t *nearest =
		base_alloc(allocator, map->bucket_count + 1, sizeof(*nearest));
	bool ok = types && nearest;

	if (ok) {
		look_at_types(uses, types);
		list_levels(uses, types);
		uses->own = base_alloc(allocator, map->device_count + 1,
				       uses->level_count * sizeof(*uses->own));
		ok = uses->own != NULL;
	}
	for (size_t i = 0; i < uses->level_count && ok; i++)
		fill_level(uses, &uses->levels[i],
			   uses->own + i * (map->device_count + 1), nearest);
	base_free(allocator, nearest, (map->bucket_count + 1) * sizeof(*nearest));
	base_free(allocator, types, room * sizeof(*types));
	return ok;
}

static size_t find_level(const struct check_uses *uses, int32_t type)
{
	for (size_t i = 0; i < uses->level_count; i++)
		if (uses->levels[i].type == type)
			return i;
	return 0;
}

static strew_status prepare(struct check_uses *uses, struct check_use *use)
{
	if (map_kind_is_msr(use->rule->kind))
		count_descents(uses, use);
	else
		count_tries(uses, use);
	use->domain = find_level(uses, analyze_failure_type(use->rule));
	use->lies = base_calloc(uses->check->allocator, uses->level_count,
				sizeof(*use->lies));
	return use->lies ? analyze_check_shape(uses, use) : STREW_ENOMEM;
}

/* Where something lacks, it isn't tries. */
static double find_odds(struct check_uses *uses, const struct check_use *use)
{
	if (use->room.asked < (uint32_t)use->want || use->room.least < use->room.asked)
		return -1;
	return analyze_check_odds(uses, use, use->tries);
}

static strew_status fill(struct check_uses *uses)
{
	strew_status status = STREW_OK;

	if (!list_uses(uses) || !make_levels(uses))
		return STREW_ENOMEM;
	for (size_t i = 0; i < uses->check->map->bucket_count; i++)
		if (uses->check->map->buckets[i].item_count > uses->items)
			uses->items = uses->check->map->buckets[i].item_count;
	for (size_t i = 0; i < uses->count && !status; i++)
		status = prepare(uses, &uses->uses[i]);
	if (status == STREW_OK && uses->check->placer)
		status = analyze_check_count(uses);
	for (size_t i = 0; i < uses->count; i++)
		uses->uses[i].odds = find_odds(uses, &uses->uses[i]);
	return status ? status : uses->check->status;
}

struct check_uses *analyze_check_uses(struct check *check)
{
	struct check_uses *uses = check->uses;

	if (uses || check->status != STREW_OK)
		return check->status == STREW_OK ? uses : NULL;
	uses = base_calloc(check->allocator, 1, sizeof(*uses));
	if (uses == NULL) {
		check->status = STREW_ENOMEM;
		return NULL;
	}
	uses->check = check;
	check->uses = uses;
	check->status = fill(uses);
	return check->status == STREW_OK ? uses : NULL;
}

void analyze_check_uses_free(struct check_uses *uses)
{
	const strew_map *map;
	const strew_allocator *allocator;

	if (uses == NULL)
		return;
	map = uses->check->map;
	allocator = uses->check->allocator;
	for (size_t i = 0; i < uses->count; i++) {
		base_free(allocator, uses->uses[i].lies,
			  uses->level_count * sizeof(*uses->uses[i].lies));
		base_vec_free(&uses->uses[i].bad_inputs, allocator);
	}
	base_free(allocator, uses->uses,
		  (map->pool_count + map->rule_count + 1) * sizeof(*uses->uses));
	base_free(allocator, uses->own,
		  uses->level_count * (map->device_count + 1) * sizeof(*uses->own));
	base_free(allocator, uses, sizeof(*uses));
}

uint32_t analyze_check_spare(const struct check_use *use)
{
	return (uint32_t)(use->want - use->k);
}

const char *analyze_check_shards(const struct check_use *use)
{
	if (map_kind_copies(use->rule->kind))
		return use->want == 1 ? "copy" : "copies";
	return use->want == 1 ? "shard" : "shards";
}
