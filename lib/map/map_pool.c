/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "map_priv.h"

static strew_pool_desc full_desc(const strew_pool_desc *desc)
{
	strew_pool_desc full = STREW_POOL_DESC_INIT;
	size_t size = desc->struct_size;

	memcpy(&full, desc, size < sizeof(full) ? size : sizeof(full));
	return full;
}

/* Half of the replicas, rounded up; what rebuilds the data and one more. */
int map_default_min_size(const strew_pool *pool)
{
	if (pool->kind != STREW_KIND_ERASURE || pool->k <= 0)
		return pool->size - pool->size / 2;
	return pool->k < pool->size ? pool->k + 1 : pool->size;
}

static void describe(strew_builder *builder, strew_pool *pool,
		     const strew_pool_desc *desc)
{
	pool->id = desc->id;
	pool->name = map_keep(builder, desc->name);
	pool->kind = desc->kind;
	pool->size = desc->size;
	pool->min_size = desc->min_size;
	pool->k = desc->kind == STREW_KIND_ERASURE ? desc->k : 1;
	pool->pg_num = desc->pg_num;
	pool->pgp_num = desc->pgp_num ? desc->pgp_num : desc->pg_num;
	pool->rule = desc->rule_name ? -1 : desc->rule;
	pool->hashpspool = desc->hashpspool != 0;
	pool->object_hash = desc->object_hash;
	pool->has_bytes = desc->has_bytes != 0;
	pool->bytes = desc->bytes;
	pool->objects = desc->objects;
	pool->profile = map_keep(builder, desc->erasure_profile);
}

void strew_builder_add_pool(strew_builder *builder, const strew_pool_desc *desc)
{
	strew_pool_desc full = full_desc(desc);
	struct map_pool_draft *draft = map_list_add(builder, &builder->pools);

	if (draft == NULL)
		return;
	describe(builder, &draft->pool, &full);
	if (full.rule_name)
		draft->rule_name = map_keep(builder, full.rule_name);
	draft->head.refused =
		!map_check_id(builder, draft->head.place, MAP_POOLS, full.id);
}

/* The profile says what the pool doesn't. */
static void settle_shards(const strew_builder *builder, strew_pool *pool)
{
	if (pool->kind == STREW_KIND_ERASURE && pool->k == 0) {
		int k = map_profile_k(builder, pool->profile);

		pool->k = k <= pool->size ? k : 0;
	}
	if (pool->min_size == 0)
		pool->min_size = map_default_min_size(pool);
}

void map_settle_pools(strew_builder *builder)
{
	map_list_sort(builder, &builder->pools);
	map_list_refuse_twins(&builder->pools);
	for (size_t i = 0; i < builder->pools.vec.count; i++) {
		struct map_pool_draft *draft = map_list_at(&builder->pools, i);
		const struct map_name *rule = NULL;

		if (draft->rule_name)
			rule = map_names_find(&builder->rule_names, draft->rule_name);
		if (rule)
			draft->pool.rule = (int32_t)rule->id;
		if (!draft->head.stub)
			settle_shards(builder, &draft->pool);
	}
}

bool map_freeze_pools(strew_map *map, strew_builder *builder)
{
	map->pool_count = builder->pools.vec.count;
	map->pools =
		base_arena_alloc(&builder->kept, map->pool_count, sizeof(*map->pools));
	if (map->pools == NULL)
		return false;
	for (size_t i = 0; i < map->pool_count; i++)
		map->pools[i] =
			((struct map_pool_draft *)map_list_at(&builder->pools, i))->pool;
	return true;
}
