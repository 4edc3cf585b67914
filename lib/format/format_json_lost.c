/* SPDX-License-Identifier: MIT */
/* What a strew-map can't hold: text that isn't UTF-8, and numbers beyond what it reads.
 */
#include <stdarg.h>
#include <stdio.h>

#include "format_json_write.h"

struct losses {
	const struct format_output *output;
	size_t count;
	char *first;
	size_t room;
};

static void lose(struct losses *losses, const char *format, ...) STREW_PRINTF(2, 3);

static void lose(struct losses *losses, const char *format, ...)
{
	const struct format_output *output = losses->output;
	char fact[400];
	va_list args;

	va_start(args, format);
	vsnprintf(fact, sizeof(fact), format, args);
	va_end(args);
	base_str_make_printable(fact);
	if (losses->count++ == 0)
		snprintf(losses->first, losses->room, "%s", fact);
	if (output->lost)
		output->lost(output->ctx, fact);
}

static void check_text(struct losses *losses, const char *what, int64_t id,
		       const char *text)
{
	if (!format_json_holds(text))
		lose(losses, "the name of %s %lld is not UTF-8: \"%.200s\"", what,
		     (long long)id, text);
}

static void check_bytes(struct losses *losses, const char *what, const char *name,
			uint64_t number)
{
	if (number > INT64_MAX)
		lose(losses, "the %s of %.200s is 8 EiB or more", what, name);
}

static void check_names(struct losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->type_count; i++)
		check_text(losses, "type", map->types[i].id, map->types[i].name);
	for (size_t i = 0; i < map->class_count; i++)
		check_text(losses, "class", map->classes[i].id, map->classes[i].name);
	for (size_t i = 0; i < map->bucket_count; i++)
		check_text(losses, "bucket", map->buckets[i].id, map->buckets[i].name);
	for (size_t i = 0; i < map->rule_count; i++)
		check_text(losses, "rule", map->rules[i].id, map->rules[i].name);
}

static void check_devices(struct losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->device_count; i++) {
		const strew_device *device = &map->devices[i];

		check_text(losses, "device", device->id, device->name);
		check_bytes(losses, "size", device->name, device->size_bytes);
		check_bytes(losses, "use", device->name, device->used_bytes);
	}
}

static void check_pools(struct losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->pool_count; i++) {
		const strew_pool *pool = &map->pools[i];

		check_text(losses, "pool", pool->id, pool->name);
		check_bytes(losses, "size", pool->name, pool->bytes);
		check_bytes(losses, "number of objects", pool->name, pool->objects);
	}
}

/* The last of the 2^32 weights stands for "none" while a map is read. */
static void check_rows(struct losses *losses, const strew_map *map,
		       const struct map_weight_set *set,
		       const struct map_weights *weights)
{
	size_t count = strew_map_bucket_by_id(map, weights->bucket)->item_count;

	for (size_t i = 0; i < count * weights->positions; i++) {
		if (weights->rows[i] != STREW_AUTO_WEIGHT)
			continue;
		lose(losses,
		     "weight set %lld has a weight of 65535.99998 for bucket %d; the "
		     "highest weight is one below it",
		     (long long)set->id, (int)weights->bucket);
		return;
	}
}

static void check_weight_sets(struct losses *losses, const strew_map *map)
{
	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_weight_set *set = &map->weight_sets[i];

		check_text(losses, "weight set", set->id, set->name);
		for (size_t j = 0; j < set->bucket_count; j++)
			check_rows(losses, map, set, &set->buckets[j]);
	}
}

size_t format_json_losses(const strew_map *map, const struct format_output *output,
			  char *first, size_t room)
{
	struct losses losses = {output, 0, first, room};

	if (!format_json_holds(map->name))
		lose(&losses, "the map's name is not UTF-8: \"%.200s\"", map->name);
	if (map->epoch < 0)
		lose(&losses, "the map's epoch, %lld, is negative",
		     (long long)map->epoch);
	check_names(&losses, map);
	check_devices(&losses, map);
	check_weight_sets(&losses, map);
	check_pools(&losses, map);
	return losses.count;
}
