/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "base_str.h"

#define NAMES_MAX 20

void analyze_read_options(void *all, const void *given)
{
	size_t own, theirs;

	if (given == NULL)
		return;
	memcpy(&own, all, sizeof(own));
	memcpy(&theirs, given, sizeof(theirs));
	memcpy(all, given, theirs < own ? theirs : own);
}

/* The pools or rules that there are, for a message. */

static void list_pools(struct base_str *known, const strew_map *map)
{
	for (size_t i = 0; i < map->pool_count && i < NAMES_MAX; i++)
		base_str_addf(known, "%s %s (%" PRId64 ")", i > 0 ? "," : "",
			      map->pools[i].name, map->pools[i].id);
	if (map->pool_count > NAMES_MAX)
		base_str_addf(known, " and %zu more", map->pool_count - NAMES_MAX);
}

static void list_rules(struct base_str *known, const strew_map *map)
{
	for (size_t i = 0; i < map->rule_count && i < NAMES_MAX; i++)
		base_str_addf(known, "%s %s (%" PRId32 ")", i > 0 ? "," : "",
			      map->rules[i].name, map->rules[i].id);
	if (map->rule_count > NAMES_MAX)
		base_str_addf(known, " and %zu more", map->rule_count - NAMES_MAX);
}

static strew_status refuse_id(const char *what, int64_t id, const strew_map *map,
			      void (*list)(struct base_str *known, const strew_map *map),
			      strew_error *error)
{
	struct base_str known;
	strew_status status;

	base_str_init(&known, &map->arena.allocator);
	list(&known, map);
	if (base_str_len(&known) == 0)
		status = base_error_set(error, STREW_ENOTFOUND,
					"there is no %s %" PRId64 ", the map has none",
					what, id);
	else
		status = base_error_set(error, STREW_ENOTFOUND,
					"there is no %s %" PRId64 "; the map has:%s",
					what, id, base_str_text(&known));
	base_str_free(&known);
	return status;
}

strew_status analyze_check_rule(const strew_map *map, int32_t rule, int want,
				strew_error *error)
{
	if (map_rule_by_id(map, rule) == NULL)
		return refuse_id("rule", rule, map, list_rules, error);
	if (want < 1 || want > STREW_WANT_MAX)
		return base_error_set(error, STREW_ERANGE,
				      "a rule can choose 1 to %d devices, not %d",
				      STREW_WANT_MAX, want);
	return STREW_OK;
}

static const strew_pool *find_pool(const strew_map *map, int64_t id)
{
	return map ? strew_map_pool_by_id(map, id) : NULL;
}

static struct analyze_group *add_group(struct analyze_plan *plan, uint64_t count)
{
	struct analyze_group *group = &plan->groups[plan->group_count++];

	memset(group, 0, sizeof(*group));
	group->first = plan->units;
	group->count = count;
	plan->units += count;
	return group;
}

static uint32_t more_pgs(const strew_pool *a, const strew_pool *b)
{
	return b && b->pg_num > a->pg_num ? b->pg_num : a->pg_num;
}

static bool was_named_before(const strew_inputs *inputs, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (inputs->pools[i] == inputs->pools[index])
			return true;
	}
	return false;
}

/* A pool on one side only is no group, and no fault. */
static strew_status add_pool(struct analyze_plan *plan, const strew_map *const maps[2],
			     int64_t id, strew_error *error)
{
	const strew_pool *pool = find_pool(maps[0], id), *other = find_pool(maps[1], id);
	struct analyze_group *group;

	if (pool == NULL && other == NULL)
		return refuse_id("pool", id, maps[0], list_pools, error);
	if (pool == NULL || (maps[1] && other == NULL))
		return STREW_OK;
	group = add_group(plan, more_pgs(pool, other));
	group->pools[0] = pool;
	group->pools[1] = other;
	return STREW_OK;
}

static strew_status check_found(const struct analyze_plan *plan,
				const strew_map *const maps[2], strew_error *error)
{
	if (plan->group_count > 0)
		return STREW_OK;
	if (maps[0]->pool_count == 0 && (maps[1] == NULL || maps[1]->pool_count == 0))
		return base_error_set(
			error, STREW_ENOTFOUND,
			"the map has no pools; place raw inputs of a rule (--rule and "
			"--size), or add the file that tells of the pools (--join)");
	return base_error_set(error, STREW_ENOTFOUND, "no pool is in both maps");
}

static strew_status plan_pools(struct analyze_plan *plan, const strew_map *const maps[2],
			       strew_error *error)
{
	const strew_inputs *inputs = &plan->inputs;
	strew_status status = STREW_OK;

	for (size_t i = 0; i < inputs->pool_count && !status; i++) {
		if (!was_named_before(inputs, i))
			status = add_pool(plan, maps, inputs->pools[i], error);
	}
	for (size_t i = 0; i < maps[0]->pool_count && inputs->pools == NULL && !status;
	     i++)
		status = add_pool(plan, maps, maps[0]->pools[i].id, error);
	return status ? status : check_found(plan, maps, error);
}

static strew_status plan_pg(struct analyze_plan *plan, const strew_map *const maps[2],
			    strew_error *error)
{
	strew_pg pg = *plan->inputs.pg;
	strew_status status = add_pool(plan, maps, pg.pool, error);
	struct analyze_group *group = plan->groups;

	if (status == STREW_OK)
		status = check_found(plan, maps, error);
	if (status)
		return status;
	if (pg.seed >= group->count)
		return base_error_set(error, STREW_ERANGE,
				      "there is no PG %" PRId64 ".%" PRIx32
				      "; pool %s has %" PRId64 ".0 to %" PRId64
				      ".%" PRIx64,
				      pg.pool, pg.seed, group->pools[0]->name, pg.pool,
				      pg.pool, group->count - 1);
	group->seed = pg.seed;
	group->count = 1;
	plan->units = 1;
	return STREW_OK;
}

static strew_status refuse_pools(const strew_map *map, strew_error *error)
{
	struct base_str known;
	strew_status status;

	base_str_init(&known, &map->arena.allocator);
	list_pools(&known, map);
	status = base_error_set(error, STREW_ENOTFOUND,
				"objects lie in one pool; say which (--pool):%s",
				base_str_text(&known));
	base_str_free(&known);
	return status;
}

static strew_status plan_objects(struct analyze_plan *plan,
				 const strew_map *const maps[2], strew_error *error)
{
	strew_status status = plan_pools(plan, maps, error);

	if (status)
		return status;
	if (plan->group_count > 1)
		return refuse_pools(maps[0], error);
	plan->groups[0].count = plan->inputs.object_count;
	plan->units = plan->inputs.object_count;
	return STREW_OK;
}

static strew_status plan_raw(struct analyze_plan *plan, const strew_map *map,
			     strew_error *error)
{
	const strew_inputs *inputs = &plan->inputs;

	if (inputs->first > inputs->last)
		return base_error_set(error, STREW_ERANGE,
				      "inputs go up: %" PRIu32 " is above %" PRIu32,
				      inputs->first, inputs->last);
	add_group(plan, (uint64_t)inputs->last - inputs->first + 1);
	return analyze_check_rule(map, inputs->rule, inputs->want, error);
}

static enum analyze_kind kind_of(const strew_inputs *inputs)
{
	if (inputs->rule >= 0)
		return ANALYZE_RAW;
	return inputs->objects ? ANALYZE_OBJECTS : ANALYZE_PGS;
}

static strew_status fill_plan(struct analyze_plan *plan, const strew_map *const maps[2],
			      strew_error *error)
{
	switch (plan->kind) {
	case ANALYZE_RAW:
		return plan_raw(plan, maps[0], error);
	case ANALYZE_OBJECTS:
		return plan_objects(plan, maps, error);
	default:
		return plan->inputs.pg ? plan_pg(plan, maps, error)
				       : plan_pools(plan, maps, error);
	}
}

strew_status analyze_plan_new(struct analyze_plan *plan, const strew_map *const maps[2],
			      const strew_inputs *inputs,
			      const strew_allocator *allocator, strew_error *error)
{
	strew_inputs all = STREW_INPUTS_INIT;
	strew_status status;

	memset(plan, 0, sizeof(*plan));
	analyze_read_options(&all, inputs);
	plan->inputs = all;
	plan->kind = kind_of(&all);
	plan->allocator = allocator;
	plan->group_room = (all.pools ? all.pool_count : maps[0]->pool_count) + 1;
	plan->groups = base_alloc(allocator, plan->group_room, sizeof(*plan->groups));
	if (plan->groups == NULL)
		return base_error_nomem(error);
	status = fill_plan(plan, maps, error);
	if (status)
		analyze_plan_free(plan);
	return status;
}

void analyze_plan_free(struct analyze_plan *plan)
{
	base_free(plan->allocator, plan->groups,
		  plan->group_room * sizeof(*plan->groups));
	plan->groups = NULL;
}

bool analyze_covers_pools(const struct analyze_plan *plan, const strew_map *map)
{
	return plan->kind == ANALYZE_PGS && plan->inputs.pg == NULL &&
	       plan->group_count == map->pool_count;
}

const struct analyze_group *analyze_find_group(const struct analyze_plan *plan,
					       uint64_t unit)
{
	size_t low = 0, high = plan->group_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (plan->groups[middle].first <= unit)
			low = middle;
		else
			high = middle;
	}
	return &plan->groups[low];
}

const strew_named_object *analyze_object(const struct analyze_plan *plan, uint64_t unit)
{
	return &plan->inputs.objects[unit];
}

uint32_t analyze_raw_input(const struct analyze_plan *plan, uint64_t unit)
{
	return plan->inputs.first + (uint32_t)unit;
}

uint32_t analyze_hashed_input(const struct analyze_plan *plan, uint64_t unit)
{
	uint32_t x = analyze_raw_input(plan, unit);

	return plan->inputs.hash_pool ? strew_pool_input(x, plan->inputs.pool_id) : x;
}

strew_pg analyze_unit_pg(const struct analyze_plan *plan, uint64_t unit,
			 const strew_placer *placer)
{
	const struct analyze_group *group = analyze_find_group(plan, unit);
	strew_pg pg = {strew_pool_id(group->pools[0]), 0};
	strew_object object = {0};

	if (plan->kind == ANALYZE_PGS) {
		pg.seed = group->seed + (uint32_t)(unit - group->first);
		return pg;
	}
	object.name = analyze_object(plan, unit)->name;
	object.name_len = analyze_object(plan, unit)->name_len;
	/* The plan's pools are known and names without a name space have no limit. */
	if (strew_object_pg(&pg, placer, pg.pool, &object) != STREW_OK)
		pg.seed = 0;
	return pg;
}

int analyze_data_shards(const strew_pool *pool)
{
	return pool->kind == STREW_KIND_ERASURE ? pool->k : 1;
}

/* Of PGs a part of the pool's data, of objects each its own. */
static struct map_amount unit_amount(const struct analyze_plan *plan,
				     const struct analyze_group *group,
				     const strew_pool *pool, uint64_t unit)
{
	struct map_amount amount = {-1, -1};
	const strew_named_object *object;
	uint32_t pg_num = group->pools[0]->pg_num;

	if (plan->kind == ANALYZE_OBJECTS) {
		object = analyze_object(plan, unit);
		return (struct map_amount){object->has_bytes ? (double)object->bytes : -1,
					   1};
	}
	if (group->pools[1] && group->pools[1]->pg_num > pg_num)
		pg_num = group->pools[1]->pg_num;
	if (!map_pg_use(&amount, pool, group->seed + (uint32_t)(unit - group->first),
			pg_num))
		return (struct map_amount){-1, -1};
	return amount;
}

static bool tells_use(const strew_pool *pool)
{
	return pool->has_bytes || pool->use_count > 0;
}

struct map_amount analyze_shard_amount(const struct analyze_plan *plan,
				       const struct analyze_group *group, uint64_t unit)
{
	const strew_pool *pool = group->pools[0];
	struct map_amount amount;
	int shards;

	if (plan->kind == ANALYZE_RAW)
		return (struct map_amount){-1, -1};
	if (plan->kind == ANALYZE_PGS && !tells_use(pool) && group->pools[1])
		pool = group->pools[1];
	amount = unit_amount(plan, group, pool, unit);
	shards = analyze_data_shards(pool);
	if (amount.bytes >= 0)
		amount.bytes = shards > 0 ? amount.bytes / shards : -1;
	return amount;
}
