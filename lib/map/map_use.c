/* SPDX-License-Identifier: MIT */
/* What PGs and pools hold. Memory follows the PGs that something was told of. */
#include "map_priv.h"

static void add_use(strew_builder *builder, int64_t pool, int64_t seed, uint64_t bytes,
		    uint64_t objects)
{
	struct map_use_draft *draft = map_list_add(builder, &builder->uses);

	if (draft == NULL)
		return;
	draft->pool = pool;
	draft->seed = seed;
	draft->use = (struct map_use){(uint32_t)seed, bytes, objects};
}

void strew_builder_set_pg_use(strew_builder *builder, strew_pg pg, uint64_t bytes,
			      uint64_t objects)
{
	add_use(builder, pg.pool, pg.seed, bytes, objects);
}

void strew_builder_set_pool_use(strew_builder *builder, int64_t pool, uint64_t bytes,
				uint64_t objects)
{
	add_use(builder, pool, MAP_WHOLE_POOL, bytes, objects);
}

static void warn_lost(strew_builder *builder, const struct map_use_draft *draft,
		      const struct map_pool_draft *pool)
{
	if (pool == NULL && builder->refuses_all[MAP_POOLS])
		return;
	if (pool && pool->head.stub)
		return;
	if (pool)
		map_warn(builder, draft->head.place,
			 "what PG %lld.%x holds is dropped, because the pool has %u PGs",
			 (long long)draft->pool, draft->use.seed, pool->pool.pg_num);
	else if (draft->seed == MAP_WHOLE_POOL)
		map_warn(builder, draft->head.place,
			 "what pool %lld holds is dropped, because there is no such pool",
			 (long long)draft->pool);
	else
		map_warn(
			builder, draft->head.place,
			"what PG %lld.%x holds is dropped, because there is no such pool",
			(long long)draft->pool, draft->use.seed);
}

/* Of what was told twice the last one stands. A whole pool comes before its PGs. */
static void settle_use(strew_builder *builder, struct map_use_draft *draft, bool is_last)
{
	struct map_pool_draft *pool = map_list_find(&builder->pools, draft->pool, 0);

	draft->head.gone = !is_last;
	if (draft->head.gone)
		return;
	if (pool == NULL || draft->seed >= pool->pool.pg_num) {
		draft->head.gone = true;
		warn_lost(builder, draft, pool);
	} else if (draft->seed == MAP_WHOLE_POOL) {
		draft->head.gone = true;
		pool->pool.has_bytes = true;
		pool->pool.bytes = draft->use.bytes;
		pool->pool.objects = draft->use.objects;
	} else {
		pool->pool.use_count++;
	}
}

void map_settle_uses(strew_builder *builder)
{
	const struct map_use_draft *drafts;
	size_t count = builder->uses.vec.count;

	map_list_sort(builder, &builder->uses);
	drafts = builder->uses.vec.items;
	for (size_t i = 0; i < count && !builder->failed; i++) {
		bool is_last = i + 1 == count || drafts[i].pool != drafts[i + 1].pool ||
			       drafts[i].seed != drafts[i + 1].seed;

		settle_use(builder, map_list_at(&builder->uses, i), is_last);
	}
	map_list_compact(&builder->uses);
}

double map_pg_part(uint32_t seed, uint32_t n)
{
	uint64_t half = 1;

	while (half * 2 < n)
		half *= 2;
	return (n > 1 && seed < half && seed + half >= n ? 2.0 : 1.0) /
	       (double)(n > 1 ? half * 2 : 1);
}

static uint64_t add_up(uint64_t sum, uint64_t more)
{
	return sum > UINT64_MAX - more ? UINT64_MAX : sum + more;
}

/* A pool holds what its PGs hold, when all are known and nothing else was told. */
static void sum_uses(strew_pool *pool)
{
	for (size_t i = 0; i < pool->use_count; i++) {
		pool->use_bytes = add_up(pool->use_bytes, pool->uses[i].bytes);
		pool->use_objects = add_up(pool->use_objects, pool->uses[i].objects);
		pool->use_part += map_pg_part(pool->uses[i].seed, pool->pg_num);
	}
	if (pool->has_bytes || pool->use_count < pool->pg_num)
		return;
	pool->has_bytes = true;
	pool->bytes = pool->use_bytes;
	pool->objects = pool->use_objects;
}

bool map_freeze_uses(strew_map *map, strew_builder *builder)
{
	size_t count = builder->uses.vec.count, next = 0;
	struct map_use *uses = base_arena_alloc(&builder->kept, count, sizeof(*uses));

	if (uses == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		uses[i] = ((struct map_use_draft *)map_list_at(&builder->uses, i))->use;
	for (size_t i = 0; i < map->pool_count; i++) {
		strew_pool *pool = &map->pools[i];

		pool->uses = uses + next;
		next += pool->use_count;
		sum_uses(pool);
	}
	return true;
}

/* When all PGs are known, each is at its number. */
static const struct map_use *find_use(const strew_pool *pool, uint32_t seed)
{
	size_t low = 0, high = pool->use_count;

	if (high == pool->pg_num)
		return &pool->uses[seed];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pool->uses[middle].seed < seed)
			low = middle + 1;
		else
			high = middle;
	}
	return low < pool->use_count && pool->uses[low].seed == seed ? &pool->uses[low]
								     : NULL;
}

/* Of what isn't told of single PGs, what one of them holds that gets this part of all. */
static double rest_of(uint64_t all, uint64_t known, double part, double known_part)
{
	return all > known ? (double)(all - known) * part / (1 - known_part) : 0;
}

/* Objects are not counted where there are none beside bytes. */
static double objects_of(double bytes, double objects)
{
	return objects > 0 || !(bytes > 0) ? objects : -1;
}

bool map_pg_use(struct map_amount *out, const strew_pool *pool, uint32_t seed,
		uint32_t pg_num)
{
	uint32_t own = map_stable_mod(seed, pool->pg_num);
	const struct map_use *use = find_use(pool, own);
	uint32_t pgs = pg_num > pool->pg_num ? pg_num : pool->pg_num;
	double part = map_pg_part(seed, pgs);

	if (use) {
		part /= map_pg_part(own, pool->pg_num);
		out->bytes = (double)use->bytes * part;
		out->objects = (double)use->objects * part;
	} else if (!pool->has_bytes) {
		return false;
	} else {
		out->bytes = rest_of(pool->bytes, pool->use_bytes, part, pool->use_part);
		out->objects =
			rest_of(pool->objects, pool->use_objects, part, pool->use_part);
	}
	out->objects = objects_of(out->bytes, out->objects);
	return true;
}

bool map_tells_use(const strew_map *map)
{
	for (size_t i = 0; i < map->device_count; i++) {
		if (map->devices[i].used_bytes > 0)
			return true;
	}
	return false;
}
