/* SPDX-License-Identifier: MIT */
#include "listing.h"

#include "map.h"

static void write_head(FILE *out, const strew_map *map)
{
	const struct map_tunables *t = &map->tunables;

	if (map->name[0])
		fprintf(out, "name %s\n", map->name);
	fprintf(out, "epoch %lld\n", (long long)map->epoch);
	if (map->ratios[MAP_FULL] || map->ratios[MAP_BACKFILLFULL] ||
	    map->ratios[MAP_NEARFULL])
		fprintf(out, "ratios %u %u %u\n", map->ratios[MAP_FULL],
			map->ratios[MAP_BACKFILLFULL], map->ratios[MAP_NEARFULL]);
	fprintf(out,
		"tunables local %u fallback %u total %u once %u vary_r %u stable %u "
		"straw %u "
		"algs %u msr %u %u\n",
		t->choose_local_tries, t->choose_local_fallback_tries,
		t->choose_total_tries, t->chooseleaf_descend_once, t->chooseleaf_vary_r,
		t->chooseleaf_stable, t->straw_calc_version, t->allowed_bucket_algs,
		t->msr_descents, t->msr_collision_tries);
	for (size_t i = 0; i < map->type_count; i++)
		fprintf(out, "type %d %s%s\n", map->types[i].id, map->types[i].name,
			map->types[i].unnamed ? " unnamed" : "");
	for (size_t i = 0; i < map->class_count; i++)
		fprintf(out, "class %d %s\n", map->classes[i].id, map->classes[i].name);
	fprintf(out, "device limit %d\n", map->device_limit);
}

static void write_device(FILE *out, const strew_device *device)
{
	fprintf(out, "device %d %s", device->id, device->name);
	if (device->class_name)
		fprintf(out, " class %s", device->class_name);
	fprintf(out, " reweight %u affinity %u%s%s%s", device->reweight,
		device->primary_affinity, device->exists ? " exists" : "",
		device->up ? " up" : "", device->unnamed ? " unnamed" : "");
	if (device->size_bytes)
		fprintf(out, " size %llu", (unsigned long long)device->size_bytes);
	if (device->used_bytes)
		fprintf(out, " used %llu", (unsigned long long)device->used_bytes);
	fprintf(out, "\n");
}

static void write_bucket(FILE *out, const strew_bucket *bucket)
{
	fprintf(out, "bucket %d %s type %d alg %s hash %u weight %u", bucket->id,
		bucket->name, bucket->type, bucket->alg, bucket->hash, bucket->weight);
	if (bucket->shadow_of)
		fprintf(out, " shadow of %d class %s", bucket->shadow_of,
			bucket->class_name);
	if (bucket->straw_calc_version)
		fprintf(out, " straw %u", bucket->straw_calc_version);
	if (bucket->unnamed)
		fprintf(out, " unnamed");
	for (size_t i = 0; i < bucket->table_words; i++)
		fprintf(out, "%s%u", i ? " " : " table ", bucket->table[i]);
	fprintf(out, "\n");
	for (size_t i = 0; i < bucket->item_count; i++)
		fprintf(out, "  item %d weight %u\n", bucket->items[i].id,
			bucket->items[i].weight);
}

static void write_rule(FILE *out, const struct map_rule *rule)
{
	fprintf(out, "rule %d \"%s\" kind %d", rule->id, rule->name, (int)rule->kind);
	if (rule->has_mask)
		fprintf(out, " mask %u %u %u", rule->ruleset, rule->min_size,
			rule->max_size);
	fprintf(out, "\n");
	for (size_t i = 0; i < rule->step_count; i++)
		fprintf(out, "  step %d %d %d\n", (int)rule->steps[i].op,
			rule->steps[i].arg1, rule->steps[i].arg2);
}

static void write_weights(FILE *out, const strew_map *map,
			  const struct map_weights *weights)
{
	size_t count = strew_map_bucket_by_id(map, weights->bucket)->item_count;

	fprintf(out, "  bucket %d\n", weights->bucket);
	for (size_t i = 0; i < weights->positions; i++) {
		fprintf(out, "    row");
		for (size_t j = 0; j < count; j++)
			fprintf(out, " %u", weights->rows[i * count + j]);
		fprintf(out, "\n");
	}
	if (weights->ids == NULL)
		return;
	fprintf(out, "    ids");
	for (size_t j = 0; j < count; j++)
		fprintf(out, " %d", weights->ids[j]);
	fprintf(out, "\n");
}

static void write_weight_set(FILE *out, const strew_map *map,
			     const struct map_weight_set *set)
{
	fprintf(out, "weight set %lld %s\n", (long long)set->id, set->name);
	for (size_t i = 0; i < set->bucket_count; i++)
		write_weights(out, map, &set->buckets[i]);
}

static void write_profile(FILE *out, const struct map_profile *profile)
{
	fprintf(out, "profile %s", profile->name);
	for (size_t i = 0; i < profile->count; i++)
		fprintf(out, " %s=%s", profile->parameters[i].key,
			profile->parameters[i].value);
	fprintf(out, "\n");
}

static void write_pool(FILE *out, const strew_pool *pool)
{
	fprintf(out,
		"pool %lld %s kind %d size %d min %d k %d pg_num %u pgp_num %u rule %d%s "
		"hash %d",
		(long long)pool->id, pool->name, (int)pool->kind, pool->size,
		pool->min_size, pool->k, pool->pg_num, pool->pgp_num, pool->rule,
		pool->hashpspool ? " hashpspool" : "", pool->object_hash);
	if (pool->has_bytes)
		fprintf(out, " bytes %llu objects %llu", (unsigned long long)pool->bytes,
			(unsigned long long)pool->objects);
	if (pool->profile[0])
		fprintf(out, " profile %s", pool->profile);
	fprintf(out, "\n");
	for (size_t i = 0; i < pool->use_count; i++)
		fprintf(out, "  pg %x bytes %llu objects %llu\n", pool->uses[i].seed,
			(unsigned long long)pool->uses[i].bytes,
			(unsigned long long)pool->uses[i].objects);
}

static void write_devices(FILE *out, const char *word, const int32_t *devices,
			  size_t count)
{
	if (devices == NULL)
		return;
	fprintf(out, " %s", word);
	for (size_t i = 0; i < count; i++)
		fprintf(out, " %d", devices[i]);
}

static void write_override(FILE *out, const struct map_override *override)
{
	fprintf(out, "pg %lld.%x", (long long) override->pg.pool, override->pg.seed);
	write_devices(out, "upmap", override->upmap, override->upmap_count);
	write_devices(out, "items", override->upmap_items,
		      override->upmap_item_count * 2);
	if (override->upmap_primary != STREW_NONE)
		fprintf(out, " primary %d", override->upmap_primary);
	write_devices(out, "temp", override->temp, override->temp_count);
	if (override->primary_temp != STREW_NONE)
		fprintf(out, " primary_temp %d", override->primary_temp);
	fprintf(out, "\n");
}

static void write_remark(FILE *out, const struct map_remark *remark)
{
	fprintf(out, "remark %d of %lld %lld to %d: \"%s\" %s\n", (int)remark->owner,
		(long long)remark->id, (long long)remark->other, (int)remark->last,
		remark->name, remark->text);
}

static void write_stored(FILE *out, const strew_map *map)
{
	const struct map_layout *layout = &map->layout;

	if (layout->bucket_slots || layout->rule_slots || layout->tail ||
	    layout->rest_count) {
		fprintf(out, "stored with %u bucket slots, %u rule slots, tail %d, rest",
			layout->bucket_slots, layout->rule_slots, (int)layout->tail);
		for (size_t i = 0; i < layout->rest_count; i++)
			fprintf(out, " %02x", layout->rest[i]);
		fprintf(out, "\n");
	}
	for (size_t i = 0; i < map->stray_count; i++) {
		const struct map_stray *stray = &map->strays[i];

		fprintf(out, "stray %d of %d class %d shadow %d %s\n", (int)stray->kind,
			stray->id, stray->class_id, stray->shadow,
			stray->name ? stray->name : "");
	}
}

void listing_write(FILE *out, const strew_map *map)
{
	write_head(out, map);
	for (size_t i = 0; i < map->device_count; i++)
		write_device(out, &map->devices[i]);
	for (size_t i = 0; i < map->bucket_count; i++)
		write_bucket(out, &map->buckets[i]);
	for (size_t i = 0; i < map->rule_count; i++)
		write_rule(out, &map->rules[i]);
	for (size_t i = 0; i < map->weight_set_count; i++)
		write_weight_set(out, map, &map->weight_sets[i]);
	for (size_t i = 0; i < map->profile_count; i++)
		write_profile(out, &map->profiles[i]);
	for (size_t i = 0; i < map->pool_count; i++)
		write_pool(out, &map->pools[i]);
	for (size_t i = 0; i < map->override_count; i++)
		write_override(out, &map->overrides[i]);
	for (size_t i = 0; i < map->remark_count; i++)
		write_remark(out, &map->remarks[i]);
	write_stored(out, map);
}
