/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hash.h"
#include "place_priv.h"

/* Stands between a name space and a name where both are hashed. */
#define NAME_SPACE_END 0x1f

/* The most bytes that are hashed for an object in a name space: more than any
 * cluster allows. */
#define NAME_SPACE_ROOM 4096

uint32_t place_pg_input(const strew_pool *pool, uint32_t seed)
{
	uint32_t reduced = map_stable_mod(seed, pool->pgp_num);

	return pool->hashpspool ? strew_pool_input(reduced, pool->id)
				: reduced + (uint32_t)pool->id;
}

const struct place_pool *place_find_pool(const strew_placer *placer, int64_t id)
{
	size_t low = 0;
	size_t high = placer->pool_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (placer->pools[middle].pool->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == placer->pool_count || placer->pools[low].pool->id != id)
		return NULL;
	return &placer->pools[low];
}

/* The name space, a byte between, the key. */
static strew_status hash_in_name_space(uint32_t *out, int kind,
				       const strew_object *object, const char *key,
				       size_t key_len)
{
	char bytes[NAME_SPACE_ROOM];
	size_t len = object->name_space_len;

	if (len >= sizeof(bytes) || key_len > sizeof(bytes) - len - 1)
		return STREW_ERANGE;
	memcpy(bytes, object->name_space, len);
	bytes[len] = NAME_SPACE_END;
	if (key_len)
		memcpy(bytes + len + 1, key, key_len);
	*out = hash_name(kind, bytes, len + 1 + key_len);
	return STREW_OK;
}

static strew_status hash_object(uint32_t *out, int kind, const strew_object *object)
{
	int has_key = object->key && object->key_len;
	const char *key = has_key ? object->key : object->name;
	size_t key_len = has_key ? object->key_len : object->name_len;

	if (object->name_space && object->name_space_len)
		return hash_in_name_space(out, kind, object, key, key_len);
	*out = hash_name(kind, key, key_len);
	return STREW_OK;
}

strew_status place_object_hash(uint32_t *out, const strew_placer *placer, int64_t pool,
			       const strew_object *object)
{
	const struct place_pool *found = place_find_pool(placer, pool);

	if (found == NULL)
		return STREW_ENOTFOUND;
	return hash_object(out, found->pool->object_hash, object);
}

strew_status strew_object_pg(strew_pg *out, const strew_placer *placer, int64_t pool,
			     const strew_object *object)
{
	uint32_t hash = 0;
	strew_status status = place_object_hash(&hash, placer, pool, object);

	if (status != STREW_OK)
		return status;
	out->pool = pool;
	out->seed = map_stable_mod(hash, place_find_pool(placer, pool)->pool->pg_num);
	return STREW_OK;
}
