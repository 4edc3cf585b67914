/* SPDX-License-Identifier: MIT */
/* What a strew-map can't hold: text that isn't UTF-8, and numbers beyond what it reads.
 */
#include "format_json_write.h"

static void check_bytes(struct format_losses *losses, const char *what, const char *name,
			uint64_t number)
{
	if (number > INT64_MAX)
		format_lose(losses, "the %s of %.200s is 8 EiB or more", what, name);
}

static void check_devices(struct format_losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->device_count; i++) {
		const strew_device *device = &map->devices[i];

		check_bytes(losses, "size", device->name, device->size_bytes);
		check_bytes(losses, "use", device->name, device->used_bytes);
	}
}

static void check_uses(struct format_losses *losses, const strew_pool *pool)
{
	for (size_t i = 0; i < pool->use_count; i++) {
		if (pool->uses[i].bytes > INT64_MAX)
			format_lose(losses, "PG %lld.%x holds 8 EiB or more",
				    (long long)pool->id, pool->uses[i].seed);
		if (pool->uses[i].objects > INT64_MAX)
			format_lose(losses, "PG %lld.%x holds 2^63 objects or more",
				    (long long)pool->id, pool->uses[i].seed);
	}
}

static void check_pools(struct format_losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->pool_count; i++) {
		const strew_pool *pool = &map->pools[i];

		check_bytes(losses, "size", pool->name, pool->bytes);
		check_bytes(losses, "number of objects", pool->name, pool->objects);
		check_uses(losses, pool);
	}
}

/* The last of the 2^32 weights stands for "none" while a map is read. */
static void check_rows(struct format_losses *losses, const strew_map *map,
		       const struct map_weight_set *set,
		       const struct map_weights *weights)
{
	size_t count = strew_map_bucket_by_id(map, weights->bucket)->item_count;

	for (size_t i = 0; i < count * weights->positions; i++) {
		if (weights->rows[i] != STREW_AUTO_WEIGHT)
			continue;
		format_lose(
			losses,
			"weight set %lld has a weight of 65535.99998 for bucket %d; the "
			"highest weight is one below it",
			(long long)set->id, (int)weights->bucket);
		return;
	}
}

static void check_weight_sets(struct format_losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_weight_set *set = &map->weight_sets[i];

		for (size_t j = 0; j < set->bucket_count; j++)
			check_rows(losses, map, set, &set->buckets[j]);
	}
}

void format_json_lose(struct format_losses *losses, const strew_map *map)
{
	format_lose_names(losses, map);
	if (map->epoch < 0)
		format_lose(losses, "the map's epoch, %lld, is negative",
			    (long long)map->epoch);
	check_devices(losses, map);
	check_weight_sets(losses, map);
	check_pools(losses, map);
}
