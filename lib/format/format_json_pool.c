/* SPDX-License-Identifier: MIT */
/* Pools and overrides of our JSON. */
#include <string.h>

#include "format_json_priv.h"

struct pool {
	const char *name, *kind, *profile;
	int64_t id, size, min_size, k, m, pg_num, pgp_num, hashpspool, object_hash;
	json_t *rule;
	uint64_t bytes, objects;
};

static const struct format_field pool_fields[] = {
	FORMAT_REQUIRED(KEY_NAME, FORMAT_TEXT, pool, name),
	FORMAT_REQUIRED_RANGE(KEY_ID, pool, id, 0, INT64_MAX),
	FORMAT_OPTIONAL(KEY_TYPE, FORMAT_TEXT, pool, kind),
	FORMAT_OPTIONAL_RANGE(KEY_SIZE, pool, size, 1, 255),
	FORMAT_OPTIONAL_RANGE(KEY_MIN_SIZE, pool, min_size, 1, 255),
	FORMAT_OPTIONAL_RANGE(KEY_K, pool, k, 1, 255),
	FORMAT_OPTIONAL_RANGE(KEY_M, pool, m, 0, 255),
	FORMAT_OPTIONAL(KEY_PROFILE, FORMAT_TEXT, pool, profile),
	FORMAT_REQUIRED_RANGE(KEY_PG_NUM, pool, pg_num, 1, UINT32_MAX),
	FORMAT_OPTIONAL_RANGE(KEY_PGP_NUM, pool, pgp_num, 1, UINT32_MAX),
	FORMAT_REQUIRED(KEY_RULE, FORMAT_ANY, pool, rule),
	FORMAT_OPTIONAL(KEY_HASHPSPOOL, FORMAT_BOOLEAN, pool, hashpspool),
	FORMAT_OPTIONAL_WORD(KEY_OBJECT_HASH, pool, object_hash, WORD_OBJECT_HASH, 255),
	FORMAT_OPTIONAL(KEY_BYTES, FORMAT_BYTES, pool, bytes),
	FORMAT_OPTIONAL(KEY_OBJECTS, FORMAT_BYTES, pool, objects),
};
static const struct format_shape pool_shape = FORMAT_SHAPE("pool", pool_fields, false);

/* A rule by its name, or its id. */
static bool read_pool_rule(struct format_walk *walk, json_t *value, strew_pool_desc *desc)
{
	size_t mark = format_enter(walk, "rule");
	int64_t id = 0;
	bool good = true;

	if (json_is_string(value)) {
		desc->rule_name = json_string_value(value);
	} else if (json_is_number(value)) {
		good = format_integer(walk, value, 0, INT32_MAX, &id);
	} else {
		format_fault(walk, "expected a rule's name or id, found %s",
			     format_kind_of(value));
		good = false;
	}
	desc->rule = (int32_t)id;
	format_leave(walk, mark);
	return good;
}

static bool read_pool_kind(struct format_walk *walk, const char *kind,
			   strew_pool_desc *desc)
{
	size_t mark;

	if (strcmp(kind, "replicated") == 0 || strcmp(kind, "erasure") == 0) {
		desc->kind = (strew_kind)format_word_of(WORD_KIND, kind)->value;
		return true;
	}
	mark = format_enter(walk, "type");
	format_fault(walk, "expected \"replicated\" or \"erasure\", found \"%s\"", kind);
	format_leave(walk, mark);
	return false;
}

/* An erasure pool has k and m, or its size; with both they have to agree. */
static bool read_shards(struct format_walk *walk, const struct pool *pool,
			strew_pool_desc *desc)
{
	if (pool->k < 0 && pool->m < 0 && pool->size >= 0) {
		desc->size = (int)pool->size;
		return true;
	}
	if (pool->k < 0 || pool->m < 0) {
		format_fault(
			walk,
			"an erasure pool has both \"k\" and \"m\", or only its \"size\"");
		return false;
	}
	desc->k = (int)pool->k;
	desc->size = (int)(pool->k + pool->m);
	if (pool->size < 0 || pool->size == desc->size)
		return true;
	format_fault(walk, "the size is %d, but k + m is %d", (int)pool->size,
		     desc->size);
	return false;
}

static bool read_replicas(struct format_walk *walk, const struct pool *pool,
			  strew_pool_desc *desc)
{
	if (pool->size >= 0)
		desc->size = (int)pool->size;
	if (pool->k < 0 && pool->m < 0)
		return true;
	format_fault(walk, "a replicated pool has a \"size\", and no \"k\" and \"m\"");
	return false;
}

static bool read_pool_size(struct format_walk *walk, const struct pool *pool,
			   strew_pool_desc *desc)
{
	if (!read_pool_kind(walk, pool->kind, desc))
		return false;
	return desc->kind == STREW_KIND_ERASURE ? read_shards(walk, pool, desc)
						: read_replicas(walk, pool, desc);
}

static void read_pool(struct format_walk *walk, json_t *element, void *ctx)
{
	struct pool pool = {.id = -1,
			    .kind = "replicated",
			    .size = -1,
			    .k = -1,
			    .m = -1,
			    .hashpspool = 1,
			    .object_hash = STREW_HASH_RJENKINS,
			    .bytes = UINT64_MAX};
	strew_pool_desc desc = STREW_POOL_DESC_INIT;

	(void)ctx;
	if (!format_object(walk, element, &pool_shape, &pool) ||
	    !read_pool_rule(walk, pool.rule, &desc) ||
	    !read_pool_size(walk, &pool, &desc)) {
		format_refuse_pool(walk, pool.id, pool.name);
		return;
	}
	desc.id = pool.id;
	desc.name = pool.name;
	desc.min_size = (int)pool.min_size;
	desc.pg_num = (uint32_t)pool.pg_num;
	desc.pgp_num = (uint32_t)pool.pgp_num;
	desc.hashpspool = (int)pool.hashpspool;
	desc.object_hash = (int)pool.object_hash;
	desc.has_bytes = pool.bytes != UINT64_MAX;
	desc.bytes = desc.has_bytes ? pool.bytes : 0;
	desc.objects = pool.objects;
	desc.erasure_profile = pool.profile;
	strew_builder_add_pool(format_builder(walk), &desc);
	format_json_remarks(walk, element,
			    (struct map_remark){.owner = MAP_OF_POOL, .id = pool.id});
}

void format_json_pools(struct format_map *map, json_t *pools)
{
	format_list(&map->walk, "pools", pools, read_pool, NULL);
}

struct use {
	const char *pg;
	uint64_t bytes, objects;
};

static const struct format_field use_fields[] = {
	FORMAT_REQUIRED(KEY_PG, FORMAT_TEXT, use, pg),
	FORMAT_REQUIRED(KEY_BYTES, FORMAT_BYTES, use, bytes),
	FORMAT_OPTIONAL(KEY_OBJECTS, FORMAT_BYTES, use, objects),
};
static const struct format_shape use_shape = FORMAT_SHAPE("PG", use_fields, false);

static void keep_remarks(struct format_walk *walk, json_t *element, enum map_owner owner,
			 strew_pg pg)
{
	format_json_remarks(
		walk, element,
		(struct map_remark){.owner = owner, .id = pg.pool, .other = pg.seed});
}

static void read_use(struct format_walk *walk, json_t *element, void *ctx)
{
	struct use use = {.objects = 0};
	strew_pg pg;

	(void)ctx;
	if (!format_object(walk, element, &use_shape, &use) ||
	    !format_pg(walk, "pg", use.pg, &pg))
		return;
	strew_builder_set_pg_use(format_builder(walk), pg, use.bytes, use.objects);
	keep_remarks(walk, element, MAP_OF_USE, pg);
}

void format_json_uses(struct format_map *map, json_t *pgs)
{
	format_list(&map->walk, "pgs", pgs, read_use, NULL);
}

struct override {
	const char *pg;
	json_t *set, *items;
	int64_t primary;
};

static const struct format_field override_fields[] = {
	FORMAT_REQUIRED(KEY_PG, FORMAT_TEXT, override, pg),
	FORMAT_OPTIONAL(KEY_SET, FORMAT_LIST, override, set),
	FORMAT_OPTIONAL_RANGE(KEY_PRIMARY, override, primary, 0, INT32_MAX),
	FORMAT_OPTIONAL(KEY_ITEMS, FORMAT_LIST, override, items),
};
static const struct format_shape upmap_shape =
	FORMAT_SHAPE("upmap", override_fields, false);
/* Without the last field. */
static const struct format_shape temp_shape = {"temp", override_fields, 3, false};

/* One pair, [from, to]. */
static void read_pair(struct format_walk *walk, json_t *element, void *ctx)
{
	const strew_pg *pg = ctx;
	struct base_vec pair = {0};

	if (json_array_size(element) != 2)
		format_fault(walk, "expected a pair of devices, [from, to]");
	else if (format_ids(walk, element, &pair))
		strew_builder_add_upmap_item(format_builder(walk), *pg,
					     ((int32_t *)pair.items)[0],
					     ((int32_t *)pair.items)[1]);
	base_vec_free(&pair, walk->allocator);
}

static bool read_override(struct format_walk *walk, json_t *element,
			  const struct format_shape *shape, struct override *override,
			  strew_pg *pg)
{
	*override = (struct override){.primary = -1};
	return format_object(walk, element, shape, override) &&
	       format_pg(walk, "pg", override->pg, pg);
}

static void read_upmap(struct format_walk *walk, json_t *element, void *ctx)
{
	struct override upmap;
	strew_pg pg;

	(void)ctx;
	if (!read_override(walk, element, &upmap_shape, &upmap, &pg))
		return;
	if (!upmap.set && !upmap.items && upmap.primary < 0)
		format_fault(
			walk,
			"this upmap has no \"set\", no \"items\" and no \"primary\"");
	if (upmap.set)
		format_set(walk, "set", upmap.set, pg, strew_builder_add_upmap);
	format_list(walk, "items", upmap.items, read_pair, &pg);
	if (upmap.primary >= 0)
		strew_builder_set_upmap_primary(format_builder(walk), pg,
						(int32_t)upmap.primary);
	keep_remarks(walk, element, MAP_OF_UPMAP, pg);
}

static void read_temp(struct format_walk *walk, json_t *element, void *ctx)
{
	struct override temp;
	strew_pg pg;

	(void)ctx;
	if (!read_override(walk, element, &temp_shape, &temp, &pg))
		return;
	if (!temp.set && temp.primary < 0)
		format_fault(walk, "this temp has no \"set\" and no \"primary\"");
	if (temp.set)
		format_set(walk, "set", temp.set, pg, strew_builder_add_pg_temp);
	if (temp.primary >= 0)
		strew_builder_set_primary_temp(format_builder(walk), pg,
					       (int32_t)temp.primary);
	keep_remarks(walk, element, MAP_OF_TEMP, pg);
}

void format_json_overrides(struct format_map *map, json_t *upmaps, json_t *temps)
{
	format_list(&map->walk, "upmaps", upmaps, read_upmap, NULL);
	format_list(&map->walk, "temps", temps, read_temp, NULL);
}
