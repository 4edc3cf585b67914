/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base_compare.h"
#include "map_priv.h"

/* A builder that holds what a map holds. */

static void copy_devices(strew_builder *builder, const strew_map *map)
{
	for (size_t i = 0; i < map->device_count; i++) {
		const strew_device *device = &map->devices[i];

		strew_builder_add_device(builder, device->id, device->name,
					 device->class_name);
		if (!device->exists || !device->up)
			strew_builder_set_state(builder, device->id, device->exists,
						device->up);
		if (device->reweight != STREW_WEIGHT_ONE)
			strew_builder_set_reweight(builder, device->id, device->reweight);
		if (device->primary_affinity != STREW_WEIGHT_ONE)
			strew_builder_set_primary_affinity(builder, device->id,
							   device->primary_affinity);
		if (device->size_bytes || device->used_bytes)
			strew_builder_set_capacity(builder, device->id,
						   device->size_bytes,
						   device->used_bytes);
	}
}

/* A limit that is just above the devices follows them. */
static void copy_limit(strew_builder *builder, const strew_map *map)
{
	size_t count = map->device_count;
	int32_t follows = count ? map->devices[count - 1].id + 1 : 0;

	builder->has_limit = map->device_limit != follows;
	builder->device_limit = map->device_limit;
}

/* The items that hang in more than one place, to be linked again. */
static void list_twins(struct base_vec *twins, strew_builder *builder,
		       const strew_map *map)
{
	struct base_vec all = {0};
	int32_t *ids;

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];

		for (size_t j = 0; bucket->shadow_of == 0 && j < bucket->item_count;
		     j++) {
			ids = map_push(builder, &all, sizeof(*ids));
			if (ids == NULL)
				goto out;
			*ids = bucket->items[j].id;
		}
	}
	if (all.count > 1)
		qsort(all.items, all.count, sizeof(*ids), base_compare_ids);
	for (size_t i = 1; i < all.count; i++) {
		const int32_t *sorted = all.items;

		if (sorted[i - 1] != sorted[i])
			continue;
		ids = map_push(builder, twins, sizeof(*ids));
		if (ids)
			*ids = sorted[i];
	}
out:
	base_vec_free(&all, &builder->allocator);
}

static unsigned item_flags(const struct base_vec *twins, int32_t item)
{
	if (twins->count == 0 || bsearch(&item, twins->items, twins->count, sizeof(item),
					 base_compare_ids) == NULL)
		return 0;
	return STREW_ITEM_LINK;
}

static void copy_remarks(strew_builder *builder, const struct map_remark *remarks,
			 size_t count)
{
	for (size_t i = 0; i < count; i++)
		map_add_remark(builder, &remarks[i]);
}

static void copy_items(strew_builder *builder, const strew_map *map,
		       const strew_bucket *bucket, const struct base_vec *twins)
{
	for (size_t i = 0; i < bucket->item_count; i++) {
		const struct map_item *item = &bucket->items[i];
		size_t count = 0;
		const struct map_remark *remarks =
			map_remarks(map, MAP_OF_LINK, bucket->id, (int64_t)i, &count);

		strew_builder_add_item(builder, bucket->id, item->id, item->weight,
				       item_flags(twins, item->id));
		copy_remarks(builder, remarks, count);
	}
}

static void copy_bucket(strew_builder *builder, const strew_map *map,
			const strew_bucket *bucket, const struct base_vec *twins)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = bucket->id;
	desc.name = bucket->name;
	desc.type = bucket->type;
	desc.alg = bucket->alg;
	desc.hash = bucket->hash;
	desc.weight = bucket->weight;
	desc.shadow_of = bucket->shadow_of;
	desc.class_name = bucket->class_name;
	desc.straw_calc_version = bucket->straw_calc_version;
	strew_builder_add_bucket(builder, &desc);
	copy_items(builder, map, bucket, twins);
	if (bucket->table)
		map_set_table(builder, bucket->id, bucket->table, bucket->table_words);
}

static void copy_buckets(strew_builder *builder, const strew_map *map)
{
	struct base_vec twins = {0};

	list_twins(&twins, builder, map);
	for (size_t i = 0; i < map->bucket_count; i++)
		copy_bucket(builder, map, &map->buckets[i], &twins);
	base_vec_free(&twins, &builder->allocator);
}

static void copy_rules(strew_builder *builder, const strew_map *map)
{
	for (size_t i = 0; i < map->rule_count; i++) {
		const struct map_rule *rule = &map->rules[i];

		strew_builder_add_rule(builder, rule->id, rule->name, rule->kind);
		if (rule->has_mask)
			strew_builder_set_rule_mask(builder, rule->ruleset,
						    rule->min_size, rule->max_size);
		for (size_t j = 0; j < rule->step_count; j++)
			map_add_raw_step(builder, (uint32_t)rule->steps[j].op,
					 rule->steps[j].arg1, rule->steps[j].arg2);
	}
}

static void copy_weights(strew_builder *builder, const struct map_weights *weights,
			 size_t count)
{
	for (size_t i = 0; i < weights->positions; i++)
		strew_builder_add_weight_row(builder, weights->bucket,
					     weights->rows + i * count, count);
	if (weights->ids)
		strew_builder_set_weight_ids(builder, weights->bucket, weights->ids,
					     count);
}

static void copy_weight_sets(strew_builder *builder, const strew_map *map)
{
	struct map_row_draft *rows;

	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_weight_set *set = &map->weight_sets[i];

		strew_builder_add_weight_set(builder, set->id, set->name);
		for (size_t j = 0; j < set->bucket_count; j++) {
			int64_t index = map_bucket_index(map, set->buckets[j].bucket);

			copy_weights(builder, &set->buckets[j],
				     map->buckets[index].item_count);
		}
	}
	rows = builder->rows.vec.items;
	for (size_t i = 0; i < builder->rows.vec.count; i++)
		rows[i].from_source = true;
}

static void copy_profile(strew_builder *builder, const struct map_profile *profile)
{
	const char **words =
		base_arena_alloc(&builder->scratch, profile->count, 2 * sizeof(*words));

	if (words == NULL) {
		builder->failed = true;
		return;
	}
	for (size_t i = 0; i < profile->count; i++) {
		words[2 * i] = profile->parameters[i].key;
		words[2 * i + 1] = profile->parameters[i].value;
	}
	strew_builder_add_erasure_profile(builder, profile->name, words, profile->count);
}

static void copy_uses(strew_builder *builder, const strew_pool *pool)
{
	for (size_t i = 0; i < pool->use_count; i++)
		strew_builder_set_pg_use(builder,
					 (strew_pg){pool->id, pool->uses[i].seed},
					 pool->uses[i].bytes, pool->uses[i].objects);
}

static void copy_pools(strew_builder *builder, const strew_map *map)
{
	for (size_t i = 0; i < map->pool_count; i++) {
		const strew_pool *pool = &map->pools[i];
		strew_pool_desc desc = STREW_POOL_DESC_INIT;

		desc.id = pool->id;
		desc.name = pool->name;
		desc.kind = pool->kind;
		desc.size = pool->size;
		desc.min_size = pool->min_size;
		desc.k = pool->k;
		desc.pg_num = pool->pg_num;
		desc.pgp_num = pool->pgp_num;
		desc.rule = pool->rule;
		desc.hashpspool = pool->hashpspool;
		desc.object_hash = pool->object_hash;
		desc.has_bytes = pool->has_bytes;
		desc.bytes = pool->bytes;
		desc.objects = pool->objects;
		desc.erasure_profile = pool->profile;
		strew_builder_add_pool(builder, &desc);
		copy_uses(builder, pool);
	}
}

static void copy_overrides(strew_builder *builder, const strew_map *map)
{
	for (size_t i = 0; i < map->override_count; i++) {
		const struct map_override *override = &map->overrides[i];
		strew_pg pg = override->pg;

		if (override->upmap)
			strew_builder_add_upmap(builder, pg, override->upmap,
						override->upmap_count);
		for (size_t j = 0; j < override->upmap_item_count; j++)
			strew_builder_add_upmap_item(builder, pg,
						     override->upmap_items[2 * j],
						     override->upmap_items[2 * j + 1]);
		if (override->upmap_primary != STREW_NONE)
			strew_builder_set_upmap_primary(builder, pg,
							override->upmap_primary);
		if (override->temp)
			strew_builder_add_pg_temp(builder, pg, override->temp,
						  override->temp_count);
		if (override->primary_temp != STREW_NONE)
			strew_builder_set_primary_temp(builder, pg,
						       override->primary_temp);
	}
}

static void copy_unnamed(strew_builder *builder, const strew_map *map)
{
	for (size_t i = 0; i < map->type_count; i++)
		if (map->types[i].unnamed)
			map_set_unnamed(builder, MAP_TYPES, map->types[i].id);
	for (size_t i = 0; i < map->device_count; i++)
		if (map->devices[i].unnamed)
			map_set_unnamed(builder, MAP_DEVICES, map->devices[i].id);
	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].unnamed)
			map_set_unnamed(builder, MAP_BUCKETS, map->buckets[i].id);
}

static void copy(strew_builder *builder, const strew_map *map)
{
	strew_builder_set_name(builder, map->name);
	strew_builder_set_epoch(builder, map->epoch);
	for (enum map_ratio i = 0; i < MAP_RATIOS; i++)
		map_set_ratio(builder, i, map->ratios[i]);
	map_set_tunables(builder, &map->tunables);
	map_set_layout(builder, &map->layout);
	for (size_t i = 0; i < map->type_count; i++)
		strew_builder_add_type(builder, map->types[i].id, map->types[i].name);
	for (size_t i = 0; i < map->class_count; i++)
		map_add_class_id(builder, map->classes[i].id, map->classes[i].name);
	copy_devices(builder, map);
	copy_limit(builder, map);
	copy_buckets(builder, map);
	copy_rules(builder, map);
	copy_weight_sets(builder, map);
	for (size_t i = 0; i < map->profile_count; i++)
		copy_profile(builder, &map->profiles[i]);
	copy_pools(builder, map);
	copy_overrides(builder, map);
	/* Those on links came with their buckets. */
	for (size_t i = 0; i < map->remark_count; i++)
		if (map->remarks[i].owner != MAP_OF_LINK)
			copy_remarks(builder, &map->remarks[i], 1);
	for (size_t i = 0; i < map->stray_count; i++)
		map_add_stray(builder, &map->strays[i]);
	copy_unnamed(builder, map);
}

strew_status strew_builder_from_map(strew_builder **out, const strew_map *map)
{
	strew_status status = strew_builder_new(out, &map->arena.allocator);

	if (status != STREW_OK)
		return status;
	(*out)->source = strew_map_retain(map);
	copy(*out, map);
	if (!(*out)->failed)
		return STREW_OK;
	strew_builder_free(*out);
	*out = NULL;
	return STREW_ENOMEM;
}
