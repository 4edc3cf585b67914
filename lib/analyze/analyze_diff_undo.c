/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

#include <string.h>

#include "base_error.h"
#include "place.h"

/* NEW's map, copied and changed until it is as OLD's in something. */

/* Items and steps are pointers into NEW. */
static void own_insides(struct undoing *undoing)
{
	strew_map *map = undoing->map;

	for (size_t i = 0; i < map->bucket_count && !undoing->copy.failed; i++)
		map->buckets[i].items = map_rename_own(
			&undoing->copy, map->buckets[i].items, map->buckets[i].item_count,
			sizeof(*map->buckets[i].items));
	for (size_t i = 0; i < map->rule_count && !undoing->copy.failed; i++)
		map->rules[i].steps = map_rename_own(&undoing->copy, map->rules[i].steps,
						     map->rules[i].step_count,
						     sizeof(*map->rules[i].steps));
}

/* Rows and ids of weight sets. */
static void own_sets(struct undoing *undoing)
{
	strew_map *map = undoing->map;

	for (size_t i = 0; i < map->weight_set_count && !undoing->copy.failed; i++) {
		struct map_weight_set *set = &map->weight_sets[i];

		set->buckets = map_rename_own(&undoing->copy, set->buckets,
					      set->bucket_count, sizeof(*set->buckets));
		for (size_t j = 0; j < set->bucket_count && !undoing->copy.failed; j++) {
			struct map_weights *part = &set->buckets[j];
			int64_t index = map_bucket_index(map, part->bucket);
			size_t count = map->buckets[index].item_count;

			part->rows = map_rename_own(&undoing->copy, part->rows,
						    count * part->positions,
						    sizeof(*part->rows));
			if (part->ids)
				part->ids = map_rename_own(&undoing->copy, part->ids,
							   count, sizeof(*part->ids));
		}
	}
}

static void start(struct undoing *undoing, const struct diff *diff)
{
	undoing->diff = diff;
	undoing->old = diff->sides[0].map;
	map_rename_start(&undoing->copy, diff->sides[1].map);
	undoing->map = &undoing->copy.map;
	undoing->rule = analyze_diff_rule(diff, diff->plan.groups, 1);
	if (undoing->copy.failed)
		return;
	/* What is left out decides nothing, and would have to follow. */
	undoing->map->remark_count = 0;
	undoing->map->stray_count = 0;
	undoing->map->layout = (struct map_layout){0};
	own_insides(undoing);
	if (!undoing->copy.failed)
		own_sets(undoing);
}

/* Pools as NEW's are placed. */
static void keep_choice(struct undoing *undoing)
{
	const struct diff *diff = undoing->diff;

	for (size_t i = 0; i < diff->plan.group_count; i++) {
		const struct analyze_group *group = &diff->plan.groups[i];
		strew_pool *pool = &undoing->map->pools[0];

		if (group->pools[1] == NULL)
			continue;
		pool += group->pools[1] - diff->sides[1].map->pools;
		pool->rule = analyze_diff_rule(diff, group, 1);
		pool->size = analyze_diff_want(diff, group, 1);
		if (pool->min_size > pool->size)
			pool->min_size = pool->size;
	}
}

static void undo_algorithms(struct undoing *undoing)
{
	const uint32_t *likes = undoing->diff->sides[1].buckets;

	for (size_t i = 0; i < undoing->map->bucket_count; i++) {
		strew_bucket *bucket = &undoing->map->buckets[i];
		const strew_bucket *before;

		if (likes[i] == ANALYZE_NOWHERE)
			continue;
		before = &undoing->old->buckets[likes[i]];
		if (strcmp(before->alg, bucket->alg) == 0 && before->hash == bucket->hash)
			continue;
		bucket->alg = before->alg;
		bucket->hash = before->hash;
		bucket->straw_calc_version = before->straw_calc_version;
		bucket->table = NULL;
		bucket->table_words = 0;
	}
}

static void undo_reweights(struct undoing *undoing)
{
	const struct diff *diff = undoing->diff;

	for (size_t i = 0; i < diff->device_count; i++) {
		const int32_t *indexes = diff->devices[i].indexes;
		const strew_device *before = NULL;
		strew_device *device = NULL;

		if (indexes[0] < 0 || indexes[1] < 0)
			continue;
		before = &undoing->old->devices[indexes[0]];
		device = &undoing->map->devices[indexes[1]];
		device->reweight = before->reweight;
		device->exists = before->exists;
		device->up = before->up;
	}
}

/* Overrides that the copy's pools have PGs for. */
static void keep_overrides(struct undoing *undoing, const strew_map *from)
{
	strew_map *map = undoing->map;
	struct map_override *kept = map_rename_own(&undoing->copy, from->overrides,
						   from->override_count, sizeof(*kept));

	map->overrides = kept;
	map->override_count = 0;
	for (size_t i = 0; kept && i < from->override_count; i++) {
		strew_pg pg = from->overrides[i].pg;
		const strew_pool *pool = strew_map_pool_by_id(map, pg.pool);

		if (pool && pg.seed < pool->pg_num)
			kept[map->override_count++] = from->overrides[i];
	}
}

static void undo_pg_nums(struct undoing *undoing)
{
	strew_map *map = undoing->map;

	for (size_t i = 0; i < map->pool_count; i++) {
		strew_pool *pool = &map->pools[i];
		const strew_pool *before = strew_map_pool_by_id(undoing->old, pool->id);

		if (before == NULL)
			continue;
		pool->pg_num = before->pg_num;
		pool->pgp_num = before->pgp_num;
		pool->hashpspool = before->hashpspool;
		pool->object_hash = before->object_hash;
		pool->use_count = 0;
	}
}

static int32_t new_id(const struct undoing *undoing, int32_t id)
{
	int64_t index = id < 0 ? map_bucket_index(undoing->diff->sides[1].map, id) : -1;

	return index >= 0 && undoing->ids[index] != 0 ? undoing->ids[index] : id;
}

static void renumber_set(const struct undoing *undoing, struct map_weight_set *set)
{
	/* Ids that it has hashed in place of others stay: it asks for them. */
	for (size_t i = 0; i < set->bucket_count; i++)
		set->buckets[i].bucket = new_id(undoing, set->buckets[i].bucket);
}

/* Last, for all that comes before finds buckets by NEW's ids. */
static void renumber(struct undoing *undoing)
{
	strew_map *map = undoing->map;

	for (size_t i = 0; i < map->bucket_count; i++) {
		strew_bucket *bucket = &map->buckets[i];

		bucket->id = new_id(undoing, bucket->id);
		bucket->shadow_of = new_id(undoing, bucket->shadow_of);
		for (size_t j = 0; j < bucket->item_count; j++)
			bucket->items[j].id = new_id(undoing, bucket->items[j].id);
	}
	for (size_t i = 0; i < map->rule_count; i++)
		for (size_t j = 0; j < map->rules[i].step_count; j++) {
			struct map_step *step = &map->rules[i].steps[j];

			if (step->op == STREW_OP_TAKE)
				step->arg1 = new_id(undoing, step->arg1);
		}
	for (size_t i = 0; i < map->weight_set_count; i++)
		renumber_set(undoing, &map->weight_sets[i]);
}

/* Do the two make the same seeds of PGs? */
static bool same_seeds(const strew_pool *a, const strew_pool *b)
{
	return a->pg_num == b->pg_num && a->pgp_num == b->pgp_num &&
	       a->hashpspool == b->hashpspool && a->object_hash == b->object_hash;
}

static bool differ_in_pg_num(const struct diff *diff)
{
	for (size_t i = 0; i < diff->plan.group_count; i++) {
		const strew_pool *const *pools = diff->plan.groups[i].pools;

		if (pools[0] && pools[1] && !same_seeds(pools[0], pools[1]))
			return true;
	}
	return false;
}

static bool differ_in_tunables(const struct diff *diff)
{
	struct map_tunables before = diff->sides[0].map->tunables;
	struct map_tunables after = diff->sides[1].map->tunables;

	/* These are heeded when buckets are made. */
	after.straw_calc_version = before.straw_calc_version;
	after.allowed_bucket_algs = before.allowed_bucket_algs;
	return memcmp(&before, &after, sizeof(before)) != 0;
}

static bool differ_in_alg(const struct diff *diff)
{
	const struct diff_side *new = &diff->sides[1];

	for (size_t i = 0; i < new->map->bucket_count; i++) {
		const strew_bucket *bucket = &new->map->buckets[i], *before;

		if (!diff->changes.reached[i] || new->buckets[i] == ANALYZE_NOWHERE)
			continue;
		before = &diff->sides[0].map->buckets[new->buckets[i]];
		if (strcmp(before->alg, bucket->alg) != 0 || before->hash != bucket->hash)
			return true;
	}
	return false;
}

static bool differ_in_reweights(const struct diff *diff)
{
	return diff->changes.counts[DIFF_REWEIGHT] > 0 ||
	       diff->changes.counts[DIFF_STATE] > 0;
}

static bool differ_in_upmaps(const struct diff *diff)
{
	return diff->plan.kind != ANALYZE_RAW && diff->changes.counts[DIFF_UPMAP] > 0;
}

strew_status analyze_diff_undoable(unsigned *out, const struct diff *diff)
{
	struct diff_ids ids = {0};
	struct diff_parents parents;
	strew_status status =
		analyze_diff_wish_ids(&ids, diff, DIFF_IDS_NAMED | DIFF_IDS_TAKEN);

	if (status == STREW_OK)
		status = analyze_diff_count_parents(&parents, diff);
	*out = (ids.count > 0 ? DIFF_UNDO(DIFF_UNDO_IDS) : 0) |
	       (parents.grown + parents.shrunk > 0 ? DIFF_UNDO(DIFF_UNDO_PARENTS) : 0) |
	       (differ_in_tunables(diff) ? DIFF_UNDO(DIFF_UNDO_TUNABLES) : 0) |
	       (differ_in_alg(diff) ? DIFF_UNDO(DIFF_UNDO_ALG) : 0) |
	       (analyze_diff_rules_differ(diff) ? DIFF_UNDO(DIFF_UNDO_RULE) : 0) |
	       (differ_in_reweights(diff) ? DIFF_UNDO(DIFF_UNDO_REWEIGHT) : 0) |
	       (differ_in_upmaps(diff) ? DIFF_UNDO(DIFF_UNDO_UPMAP) : 0) |
	       (differ_in_pg_num(diff) ? DIFF_UNDO(DIFF_UNDO_PG_NUM) : 0);
	analyze_diff_ids_free(&ids, diff);
	return status;
}

/* Where a rule is taken back, too, its own likes are: with the ids that NEW's rule meets,
 * the rule's part is what it does besides. */
static unsigned id_kinds(unsigned what)
{
	if ((what & DIFF_UNDO(DIFF_UNDO_IDS)) && (what & DIFF_UNDO(DIFF_UNDO_RULE)))
		return DIFF_IDS_NAMED;
	if (what & DIFF_UNDO(DIFF_UNDO_IDS))
		return DIFF_IDS_NAMED | DIFF_IDS_TAKEN;
	return (what & DIFF_UNDO(DIFF_UNDO_RULE)) ? DIFF_IDS_TAKEN : 0;
}

/* @return false when it can't be done */
static bool change(struct undoing *undoing, unsigned what)
{
	bool done = true;

	if (what & DIFF_UNDO(DIFF_UNDO_TUNABLES))
		undoing->map->tunables = undoing->old->tunables;
	if (what & DIFF_UNDO(DIFF_UNDO_ALG))
		undo_algorithms(undoing);
	if (what & DIFF_UNDO(DIFF_UNDO_PARENTS))
		analyze_diff_undo_parents(undoing);
	if (what & DIFF_UNDO(DIFF_UNDO_REWEIGHT))
		undo_reweights(undoing);
	if (what & DIFF_UNDO(DIFF_UNDO_PG_NUM))
		undo_pg_nums(undoing);
	keep_overrides(undoing, what & DIFF_UNDO(DIFF_UNDO_UPMAP)
					? undoing->old
					: undoing->diff->sides[1].map);
	if (what & DIFF_UNDO(DIFF_UNDO_RULE))
		done = analyze_diff_undo_rules(undoing);
	renumber(undoing);
	return done;
}

/* Without memory all fails; what the builder refuses is no map, and so no answer. */
static strew_status tell(strew_status status)
{
	return status == STREW_OK || status == STREW_ENOMEM ? status : STREW_ENOTSUP;
}

static strew_status build(struct diff_end *out, struct undoing *undoing)
{
	const struct diff *diff = undoing->diff;
	strew_map *map = NULL;
	strew_status status = map_rename_build(&map, &undoing->copy, NULL);

	if (status == STREW_OK)
		status = place_like(&out->placer, diff->sides[1].placer, map,
				    diff->allocator, NULL);
	strew_map_release(map);
	out->rule = undoing->rule;
	out->want = analyze_diff_want(diff, diff->plan.groups, 1);
	return tell(status);
}

strew_status analyze_diff_undo(struct diff_end *out, const struct diff *diff,
			       unsigned what)
{
	struct undoing undoing = {0};
	struct diff_ids ids = {0};
	strew_status status = analyze_diff_wish_ids(&ids, diff, id_kinds(what));

	*out = (struct diff_end){0};
	if (status == STREW_OK) {
		start(&undoing, diff);
		undoing.ids = ids.ids;
		if (!undoing.copy.failed) {
			keep_choice(&undoing);
			if (!change(&undoing, what) && !undoing.copy.failed)
				status = STREW_ENOTSUP;
		}
		if (status == STREW_OK)
			status = build(out, &undoing);
		else
			base_arena_free(&undoing.copy.arena);
	}
	analyze_diff_ids_free(&ids, diff);
	return status;
}

struct diff_end analyze_diff_end(const struct diff *diff, int side)
{
	return (struct diff_end){
		.placer = strew_placer_retain(diff->sides[side].placer),
		.rule = analyze_diff_rule(diff, diff->plan.groups, side),
		.want = analyze_diff_want(diff, diff->plan.groups, side)};
}

void analyze_diff_end_release(struct diff_end *end)
{
	strew_placer_release(end->placer);
	end->placer = NULL;
}
