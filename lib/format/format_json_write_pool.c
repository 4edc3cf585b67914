/* SPDX-License-Identifier: MIT */
/* Pools and overrides. */
#include <string.h>

#include "format_json_write.h"
#include "format_words.h"

static void write_size(struct format_json_out *out, const strew_pool *pool)
{
	if (pool->kind == STREW_KIND_ERASURE && pool->k > 0) {
		format_json_integer_member(out, "k", pool->k);
		format_json_integer_member(out, "m", pool->size - pool->k);
	} else {
		format_json_integer_member(out, "size", pool->size);
	}
	if (pool->min_size != map_default_min_size(pool))
		format_json_integer_member(out, "min_size", pool->min_size);
}

static void write_pool_rule(struct format_json_out *out, int32_t rule)
{
	const char *name = strew_map_rule_name(out->map, rule);

	if (name && name[0] != '\0')
		format_json_string_member(out, "rule", name);
	else
		format_json_integer_member(out, "rule", rule);
}

static void write_hashes(struct format_json_out *out, const strew_pool *pool)
{
	const char *hash = format_word_for(WORD_OBJECT_HASH, pool->object_hash);

	if (!pool->hashpspool) {
		format_json_member(out, "hashpspool");
		format_json_put(out, "false");
	}
	if (pool->object_hash == STREW_HASH_RJENKINS)
		return;
	if (hash)
		format_json_string_member(out, "object_hash", hash);
	else
		format_json_integer_member(out, "object_hash", pool->object_hash);
}

static void write_bytes(struct format_json_out *out, uint64_t bytes, uint64_t objects)
{
	format_json_member(out, "bytes");
	format_add_bytes(&out->to.text, bytes);
	if (objects > 0 && objects <= INT64_MAX)
		format_json_integer_member(out, "objects", (int64_t)objects);
}

static void write_profile(struct format_json_out *out, const struct map_profile *profile,
			  bool is_first)
{
	format_json_put(out, is_first ? "\n    " : ",\n    ");
	format_json_put_string(out, profile->name);
	format_json_put(out, ": {");
	for (size_t i = 0; i < profile->count; i++) {
		format_json_put(out, i ? ", " : " ");
		format_json_put_string(out, profile->parameters[i].key);
		format_json_put(out, ": ");
		format_json_put_string(out, profile->parameters[i].value);
	}
	format_json_put(out, profile->count ? " }" : "}");
	format_out_pass(&out->to);
}

void format_json_write_profiles(struct format_json_out *out)
{
	const strew_map *map = out->map;

	if (map->profile_count == 0)
		return;
	format_json_top_member(out, "erasure_profiles");
	format_json_put(out, "{");
	for (size_t i = 0; i < map->profile_count && !format_out_stopped(&out->to); i++)
		write_profile(out, &map->profiles[i], i == 0);
	format_json_put(out, "\n  }");
	out->starts = false;
}

static void write_pool(struct format_json_out *out, const strew_pool *pool, bool is_first)
{
	format_json_start_line(out, 2, is_first);
	format_json_string_member(out, "name", pool->name);
	format_json_integer_member(out, "id", pool->id);
	format_json_string_member(out, "type", format_word_for(WORD_KIND, pool->kind));
	write_size(out, pool);
	if (pool->profile[0] != '\0')
		format_json_string_member(out, "profile", pool->profile);
	format_json_integer_member(out, "pg_num", pool->pg_num);
	if (pool->pgp_num != pool->pg_num)
		format_json_integer_member(out, "pgp_num", pool->pgp_num);
	write_pool_rule(out, pool->rule);
	write_hashes(out, pool);
	if (pool->has_bytes && pool->bytes <= INT64_MAX)
		write_bytes(out, pool->bytes, pool->objects);
	format_json_remark_members(out, MAP_OF_POOL, pool->id, 0);
	format_json_put(out, " }");
}

void format_json_write_pools(struct format_json_out *out)
{
	const strew_map *map = out->map;

	if (map->pool_count == 0)
		return;
	format_json_top_member(out, "pools");
	format_json_put(out, "[");
	for (size_t i = 0; i < map->pool_count && !format_out_stopped(&out->to); i++)
		write_pool(out, &map->pools[i], i == 0);
	format_json_put(out, "\n  ]");
	out->starts = false;
}

static void write_pg(struct format_json_out *out, strew_pg pg)
{
	format_json_member(out, "pg");
	base_str_addf(&out->to.text, "\"%lld.%x\"", (long long)pg.pool,
		      (unsigned)pg.seed);
}

static void write_use(struct format_json_out *out, const strew_pool *pool,
		      const struct map_use *use, bool is_first)
{
	if (is_first) {
		format_json_top_member(out, "pgs");
		format_json_put(out, "[");
	}
	format_json_start_line(out, 2, is_first);
	write_pg(out, (strew_pg){pool->id, use->seed});
	write_bytes(out, use->bytes, use->objects);
	format_json_remark_members(out, MAP_OF_USE, pool->id, use->seed);
	format_json_put(out, " }");
}

void format_json_write_uses(struct format_json_out *out)
{
	const strew_map *map = out->map;
	bool is_first = true;

	for (size_t i = 0; i < map->pool_count; i++) {
		const strew_pool *pool = &map->pools[i];

		for (size_t j = 0; j < pool->use_count; j++) {
			if (pool->uses[j].bytes > INT64_MAX ||
			    format_out_stopped(&out->to))
				continue;
			write_use(out, pool, &pool->uses[j], is_first);
			is_first = false;
		}
	}
	if (!is_first)
		format_json_put(out, "\n  ]");
	out->starts = false;
}

static bool has_temp(const struct map_override *override)
{
	return override->temp || override->primary_temp != STREW_NONE;
}

static void write_pairs(struct format_json_out *out, const struct map_override *override)
{
	format_json_member(out, "items");
	format_json_put(out, "[");
	for (size_t i = 0; i < override->upmap_item_count; i++) {
		format_json_put(out, i ? ", " : "");
		format_json_integers(out, override->upmap_items + 2 * i, 2);
	}
	format_json_put(out, "]");
}

static void write_set(struct format_json_out *out, const int32_t *devices, size_t count,
		      int32_t primary)
{
	if (devices) {
		format_json_member(out, "set");
		format_json_integers(out, devices, count);
	}
	if (primary != STREW_NONE)
		format_json_integer_member(out, "primary", primary);
}

static void write_upmap(struct format_json_out *out, const struct map_override *override)
{
	if (override->upmap_item_count > 0)
		write_pairs(out, override);
	write_set(out, override->upmap, override->upmap_count, override->upmap_primary);
	format_json_remark_members(out, MAP_OF_UPMAP, override->pg.pool,
				   override->pg.seed);
}

static void write_temp(struct format_json_out *out, const struct map_override *override)
{
	write_set(out, override->temp, override->temp_count, override->primary_temp);
	format_json_remark_members(out, MAP_OF_TEMP, override->pg.pool,
				   override->pg.seed);
}

static void write_list(struct format_json_out *out, const char *name,
		       bool (*has)(const struct map_override *override),
		       void (*write)(struct format_json_out *out,
				     const struct map_override *override))
{
	const strew_map *map = out->map;
	bool is_first = true;

	for (size_t i = 0; i < map->override_count && !format_out_stopped(&out->to);
	     i++) {
		if (!has(&map->overrides[i]))
			continue;
		if (is_first) {
			format_json_top_member(out, name);
			format_json_put(out, "[");
		}
		format_json_start_line(out, 2, is_first);
		write_pg(out, map->overrides[i].pg);
		write(out, &map->overrides[i]);
		format_json_put(out, " }");
		is_first = false;
	}
	if (!is_first)
		format_json_put(out, "\n  ]");
	out->starts = false;
}

void format_json_write_overrides(struct format_json_out *out)
{
	write_list(out, "upmaps", map_has_upmap, write_upmap);
	write_list(out, "temps", has_temp, write_temp);
}
