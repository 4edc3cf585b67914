/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "edit_priv.h"

static strew_pool *pool_of(const strew_edit *edit, const struct edit_arg *arg)
{
	const strew_pool *pool = strew_map_pool_by_id(&edit->map, arg->number);

	return &edit->map.pools[pool - edit->map.pools];
}

static strew_status check_name(strew_edit *edit, struct edit_call *call,
			       const struct edit_arg *name)
{
	if (strew_map_pool_by_name(&edit->map, name->text) == NULL)
		return STREW_OK;
	return edit_refuse(call, STREW_EMAP, name,
			   "there is a pool \"%.96s\" already; names of pools must be "
			   "unique",
			   name->text);
}

static strew_status check_range(struct edit_call *call, const struct edit_arg *arg,
				const char *what, int64_t min, int64_t max)
{
	if (arg->number >= min && arg->number <= max)
		return STREW_OK;
	return edit_refuse(call, STREW_ERANGE, arg, "%s must be from %lld to %lld", what,
			   (long long)min, (long long)max);
}

/* Half of the replicas, rounded up, as Ceph sets it. */
static int half(int size)
{
	return size - size / 2;
}

static strew_status check_pool(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *kind = &call->args[1], *size = &call->args[2];
	const struct edit_arg *pgs = &call->args[3], *k = &call->args[5];
	strew_status status = check_name(edit, call, &call->args[0]);

	if (status == STREW_OK && kind->type > STREW_KIND_ERASURE)
		status = edit_refuse(call, STREW_EMAP, kind,
				     "a pool is replicated or erasure");
	if (status == STREW_OK)
		status = check_range(call, size, "the size", 1, 255);
	if (status == STREW_OK)
		status = check_range(call, pgs, "pg_num", 1, UINT32_MAX);
	if (status == STREW_OK && k->text)
		status = check_range(call, k, "the number of data shards", 1,
				     size->number);
	return status;
}

static strew_status add_pool(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *k = &call->args[5];
	bool erasure = call->args[1].type == STREW_KIND_ERASURE;
	int size = (int)call->args[2].number;
	size_t count = edit->map.pool_count;
	strew_status status = check_pool(edit, call);
	strew_pool *pool;

	if (status != STREW_OK)
		return status;
	pool = edit_insert(edit, &edit->pools, sizeof(*pool), count);
	if (pool == NULL)
		return STREW_ENOMEM;
	pool->id = count ? edit->map.pools[count - 1].id + 1 : 1;
	pool->name = edit_keep(edit, call->args[0].text);
	pool->profile = "";
	pool->kind = (strew_kind)call->args[1].type;
	pool->size = size;
	pool->k = !erasure ? 1 : k->text ? (int)k->number : 0;
	pool->min_size = !erasure || pool->k == 0 ? half(size)
			 : pool->k < size         ? pool->k + 1
						  : size;
	pool->pg_num = pool->pgp_num = (uint32_t)call->args[3].number;
	pool->rule = call->args[4].id;
	pool->hashpspool = true;
	pool->object_hash = STREW_HASH_RJENKINS;
	return STREW_OK;
}

static void drop_overrides(strew_edit *edit, int64_t pool, uint32_t first)
{
	for (size_t i = edit->map.override_count; i-- > 0;) {
		strew_pg pg = edit->map.overrides[i].pg;

		if (pg.pool == pool && pg.seed >= first)
			edit_erase(edit, &edit->overrides, sizeof(struct map_override),
				   i);
	}
}

static strew_status remove_pool(strew_edit *edit, struct edit_call *call)
{
	const strew_pool *pool = pool_of(edit, &call->args[0]);
	int64_t id = pool->id;

	edit_erase(edit, &edit->pools, sizeof(*pool), (size_t)(pool - edit->map.pools));
	drop_overrides(edit, id, 0);
	edit_forget(edit, MAP_OF_POOL, id);
	return STREW_OK;
}

static strew_status rename_pool(strew_edit *edit, struct edit_call *call)
{
	strew_status status = check_name(edit, call, &call->args[1]);

	if (status == STREW_OK)
		pool_of(edit, &call->args[0])->name = edit_keep(edit, call->args[1].text);
	return status;
}

/* The size sets min_size too, as in Ceph. */
static strew_status set_size(strew_edit *edit, struct edit_call *call)
{
	strew_pool *pool = pool_of(edit, &call->args[0]);
	const struct edit_arg *size = &call->args[1];
	strew_status status = check_range(call, size, "the size", 1, 255);

	if (status == STREW_OK && pool->kind == STREW_KIND_ERASURE)
		status = edit_refuse(call, STREW_EMAP, size,
				     "an erasure pool's size can't change; add another "
				     "pool");
	if (status != STREW_OK)
		return status;
	pool->size = (int)size->number;
	pool->min_size = half(pool->size);
	return STREW_OK;
}

static strew_status set_min_size(strew_edit *edit, struct edit_call *call)
{
	strew_pool *pool = pool_of(edit, &call->args[0]);
	int least = pool->kind == STREW_KIND_ERASURE && pool->k > 0 ? pool->k : 1;
	strew_status status =
		check_range(call, &call->args[1], "min_size", least, pool->size);

	if (status == STREW_OK)
		pool->min_size = (int)call->args[1].number;
	return status;
}

/* Objects come into other PGs. What the pool stores as a whole stays as it was. */
static void forget_uses(strew_pool *pool)
{
	pool->uses = NULL;
	pool->use_count = 0;
	pool->use_bytes = pool->use_objects = 0;
}

/* A pgp_num that was the same stays the same. */
static strew_status set_pg_num(strew_edit *edit, struct edit_call *call)
{
	strew_pool *pool = pool_of(edit, &call->args[0]);
	uint32_t old = pool->pg_num, new = (uint32_t)call->args[1].number;
	strew_status status = check_range(call, &call->args[1], "pg_num", 1, UINT32_MAX);

	if (status != STREW_OK)
		return status;
	pool->pg_num = new;
	if (pool->pgp_num == old || pool->pgp_num > new)
		pool->pgp_num = new;
	if (new < old)
		drop_overrides(edit, pool->id, new);
	if (new != old)
		forget_uses(pool);
	return STREW_OK;
}

static strew_status set_pgp_num(strew_edit *edit, struct edit_call *call)
{
	strew_pool *pool = pool_of(edit, &call->args[0]);
	strew_status status =
		check_range(call, &call->args[1], "pgp_num", 1, pool->pg_num);

	if (status == STREW_OK)
		pool->pgp_num = (uint32_t)call->args[1].number;
	return status;
}

static strew_status set_rule(strew_edit *edit, struct edit_call *call)
{
	pool_of(edit, &call->args[0])->rule = call->args[1].id;
	return STREW_OK;
}

const struct edit_op edit_pool_ops[] = {
	{"add pool NAME KIND size N pg_num N rule RULE [k N]",
	 "a pool; k is the number of data shards of an erasure pool", add_pool},
	{"set pool POOL size N",
	 "the number of replicas; min_size becomes half of it, rounded up", set_size},
	{"set pool POOL min_size N", "how many shards a PG needs to be served",
	 set_min_size},
	{"set pool POOL pg_num N", "the number of PGs; an equal pgp_num follows",
	 set_pg_num},
	{"set pool POOL pgp_num N", "the number of PGs that are placed on their own",
	 set_pgp_num},
	{"set pool POOL rule RULE", "the rule that places the pool", set_rule},
	{"remove pool POOL", "take out a pool, and its overrides", remove_pool},
	{"rename pool POOL NAME", "give a pool another name", rename_pool},
	{NULL, NULL, NULL},
};
