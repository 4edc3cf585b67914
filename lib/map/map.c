/* SPDX-License-Identifier: MIT */
#include "map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

strew_map *strew_map_retain(const strew_map *map)
{
	strew_map *shared = (strew_map *)map;

	if (shared)
		base_ref_get(&shared->refs);
	return shared;
}

/* The map lies in its own arena. */
void strew_map_release(strew_map *map)
{
	struct base_arena arena;

	if (map == NULL || !base_ref_put(&map->refs))
		return;
	arena = map->arena;
	base_arena_free(&arena);
}

const char *strew_map_name(const strew_map *map)
{
	return map->name;
}

double map_ratio(const strew_map *map, enum map_ratio ratio)
{
	static const double usual[MAP_RATIOS] = {
		[MAP_FULL] = 0.95, [MAP_BACKFILLFULL] = 0.90, [MAP_NEARFULL] = 0.85};

	if (map->ratios[ratio] == 0)
		return usual[ratio];
	return (double)(((uint64_t)map->ratios[ratio] * 10000 + STREW_WEIGHT_ONE / 2) /
			STREW_WEIGHT_ONE) /
	       1e4;
}

int64_t strew_map_epoch(const strew_map *map)
{
	return map->epoch;
}

/* An array sorted by an id: where that is, and how far apart. */
struct ids {
	const void *first;
	size_t count;
	size_t size;
	bool wide;     /* int64_t, else int32_t */
	bool downward; /* from -1 to lower ones */
};

static int64_t id_at(const struct ids *ids, size_t index)
{
	const char *at = (const char *)ids->first + index * ids->size;

	return ids->wide ? *(const int64_t *)(const void *)at
			 : *(const int32_t *)(const void *)at;
}

static int64_t find_id(const struct ids *ids, int64_t id)
{
	size_t low = 0, high = ids->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int64_t found = id_at(ids, middle);

		if (found == id)
			return (int64_t)middle;
		if (ids->downward ? found > id : found < id)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

int64_t map_device_index(const strew_map *map, int32_t id)
{
	struct ids ids = {map->devices, map->device_count, sizeof(*map->devices), false,
			  false};

	return find_id(&ids, id);
}

int64_t map_bucket_index(const strew_map *map, int32_t id)
{
	struct ids ids = {map->buckets, map->bucket_count, sizeof(*map->buckets), false,
			  true};

	return find_id(&ids, id);
}

const struct map_rule *map_rule_by_id(const strew_map *map, int32_t id)
{
	struct ids ids = {map->rules, map->rule_count, sizeof(*map->rules), false, false};
	int64_t index = find_id(&ids, id);

	return index < 0 ? NULL : &map->rules[index];
}

const struct map_weight_set *map_weight_set_by_id(const strew_map *map, int64_t id)
{
	struct ids ids = {map->weight_sets, map->weight_set_count,
			  sizeof(*map->weight_sets), true, false};
	int64_t index = find_id(&ids, id);

	return index < 0 ? NULL : &map->weight_sets[index];
}

size_t map_weights_place(const struct map_weight_set *set, int32_t bucket)
{
	size_t low = 0, high = set->bucket_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->buckets[middle].bucket > bucket)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct map_weights *map_weights_of(const struct map_weight_set *set, int32_t bucket)
{
	size_t place = set ? map_weights_place(set, bucket) : 0;

	if (set == NULL || place == set->bucket_count ||
	    set->buckets[place].bucket != bucket)
		return NULL;
	return &set->buckets[place];
}

uint64_t map_item_sum(const strew_bucket *bucket)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < bucket->item_count; i++)
		sum += bucket->items[i].weight;
	return sum;
}

uint32_t map_weight_in(const struct map_weight_set *set, const strew_bucket *bucket,
		       size_t item, size_t position)
{
	const struct map_weights *weights = map_weights_of(set, bucket->id);

	if (weights == NULL || weights->positions == 0)
		return bucket->items[item].weight;
	if (position >= weights->positions)
		position = weights->positions - 1;
	return weights->rows[position * bucket->item_count + item];
}

size_t map_positions(const struct map_weight_set *set)
{
	size_t positions = 1;

	for (size_t i = 0; i < set->bucket_count; i++)
		if (set->buckets[i].positions > positions)
			positions = set->buckets[i].positions;
	return positions;
}

const strew_pool *strew_map_pool_by_id(const strew_map *map, int64_t id)
{
	struct ids ids = {map->pools, map->pool_count, sizeof(*map->pools), true, false};
	int64_t index = find_id(&ids, id);

	return index < 0 ? NULL : &map->pools[index];
}

int64_t map_type_index(const strew_map *map, int32_t id)
{
	struct ids ids = {map->types, map->type_count, sizeof(*map->types), false, false};

	return find_id(&ids, id);
}

const char *strew_map_type_name(const strew_map *map, int32_t type)
{
	int64_t index = map_type_index(map, type);

	return index < 0 ? NULL : map->types[index].name;
}

int32_t strew_map_find_type(const strew_map *map, const char *name)
{
	for (size_t i = 0; i < map->type_count; i++)
		if (strcmp(map->types[i].name, name) == 0)
			return map->types[i].id;
	return STREW_ENOTFOUND;
}

size_t strew_map_bucket_count(const strew_map *map)
{
	return map->bucket_count;
}

const strew_bucket *strew_map_bucket_at(const strew_map *map, size_t index)
{
	return index < map->bucket_count ? &map->buckets[index] : NULL;
}

const strew_bucket *strew_map_bucket_by_id(const strew_map *map, int32_t id)
{
	int64_t index = map_bucket_index(map, id);

	return index < 0 ? NULL : &map->buckets[index];
}

/* One of the two lists of names, each an order of indexes. */
struct name_list {
	const strew_map *map;
	const uint32_t *order;
	size_t count;
	const char *(*name_at)(const strew_map *map, uint32_t index);
};

/* @return the index of the thing of that name, or -1. */
static int64_t find_name(const struct name_list *list, const char *name)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t index = list->order[middle];
		int order = strcmp(list->name_at(list->map, index), name);

		if (order == 0)
			return index;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

static const char *bucket_name_at(const strew_map *map, uint32_t index)
{
	return map->buckets[index].name;
}

static const char *device_name_at(const strew_map *map, uint32_t index)
{
	return map->devices[index].name;
}

const strew_bucket *strew_map_bucket_by_name(const strew_map *map, const char *name)
{
	const struct name_list names = {map, map->buckets_by_name, map->bucket_count,
					bucket_name_at};
	int64_t index = find_name(&names, name);

	return index < 0 ? NULL : &map->buckets[index];
}

int32_t strew_bucket_id(const strew_bucket *bucket)
{
	return bucket->id;
}

const char *strew_bucket_name(const strew_bucket *bucket)
{
	return bucket->name;
}

int32_t strew_bucket_type(const strew_bucket *bucket)
{
	return bucket->type;
}

const char *strew_bucket_alg(const strew_bucket *bucket)
{
	return bucket->alg;
}

uint32_t strew_bucket_weight(const strew_bucket *bucket)
{
	return bucket->weight;
}

size_t strew_bucket_item_count(const strew_bucket *bucket)
{
	return bucket->item_count;
}

int32_t strew_bucket_item(const strew_bucket *bucket, size_t index)
{
	return bucket->items[index].id;
}

uint32_t strew_bucket_item_weight(const strew_bucket *bucket, size_t index)
{
	return bucket->items[index].weight;
}

int32_t strew_bucket_shadow_of(const strew_bucket *bucket)
{
	return bucket->shadow_of;
}

size_t strew_map_device_count(const strew_map *map)
{
	return map->device_count;
}

const strew_device *strew_map_device_at(const strew_map *map, size_t index)
{
	return index < map->device_count ? &map->devices[index] : NULL;
}

const strew_device *strew_map_device_by_id(const strew_map *map, int32_t id)
{
	int64_t index = map_device_index(map, id);

	return index < 0 ? NULL : &map->devices[index];
}

const strew_device *strew_map_device_by_name(const strew_map *map, const char *name)
{
	const struct name_list names = {map, map->devices_by_name,
					map->named_device_count, device_name_at};
	int64_t index = find_name(&names, name), id = map_default_id(name);

	if (index < 0 && id >= 0)
		index = map_device_index(map, (int32_t)id);
	return index < 0 || strcmp(map->devices[index].name, name) != 0
		       ? NULL
		       : &map->devices[index];
}

int32_t strew_device_id(const strew_device *device)
{
	return device->id;
}

const char *strew_device_name(const strew_device *device)
{
	return device->name;
}

const char *strew_device_class(const strew_device *device)
{
	return device->class_name;
}

uint32_t strew_device_reweight(const strew_device *device)
{
	return device->reweight;
}

uint64_t strew_device_size(const strew_device *device)
{
	return device->size_bytes;
}

int32_t strew_map_find_rule(const strew_map *map, const char *name)
{
	for (size_t i = 0; i < map->rule_count; i++)
		if (strcmp(map->rules[i].name, name) == 0)
			return map->rules[i].id;
	return STREW_ENOTFOUND;
}

size_t strew_map_rule_count(const strew_map *map)
{
	return map->rule_count;
}

int32_t strew_map_rule_at(const strew_map *map, size_t index)
{
	return index < map->rule_count ? map->rules[index].id : STREW_ENOTFOUND;
}

const char *strew_map_rule_name(const strew_map *map, int32_t id)
{
	const struct map_rule *rule = map_rule_by_id(map, id);

	return rule ? rule->name : NULL;
}

size_t strew_map_step_count(const strew_map *map, int32_t id)
{
	const struct map_rule *rule = map_rule_by_id(map, id);

	return rule ? rule->step_count : 0;
}

strew_step strew_map_step_at(const strew_map *map, int32_t id, size_t index)
{
	const struct map_step *step = &map_rule_by_id(map, id)->steps[index];

	return (strew_step){(int32_t)step->op, step->arg1, step->arg2};
}

strew_status strew_map_tunable(uint32_t *out, const strew_map *map, const char *name)
{
	const char *tunable;

	for (size_t i = 0; (tunable = map_tunable(&map->tunables, i, out)) != NULL; i++)
		if (strcmp(tunable, name) == 0)
			return STREW_OK;
	return STREW_ENOTFOUND;
}

size_t strew_map_pool_count(const strew_map *map)
{
	return map->pool_count;
}

const strew_pool *strew_map_pool_at(const strew_map *map, size_t index)
{
	return index < map->pool_count ? &map->pools[index] : NULL;
}

const strew_pool *strew_map_pool_by_name(const strew_map *map, const char *name)
{
	for (size_t i = 0; i < map->pool_count; i++)
		if (strcmp(map->pools[i].name, name) == 0)
			return &map->pools[i];
	return NULL;
}

int64_t strew_pool_id(const strew_pool *pool)
{
	return pool->id;
}

const char *strew_pool_name(const strew_pool *pool)
{
	return pool->name;
}

strew_kind strew_pool_kind(const strew_pool *pool)
{
	return pool->kind;
}

int strew_pool_size(const strew_pool *pool)
{
	return pool->size;
}

uint32_t strew_pool_pg_num(const strew_pool *pool)
{
	return pool->pg_num;
}

int32_t strew_pool_rule(const strew_pool *pool)
{
	return pool->rule;
}

static const struct map_weight_set *weight_set_by_name(const strew_map *map,
						       const char *name)
{
	for (size_t i = 0; i < map->weight_set_count; i++)
		if (strcmp(map->weight_sets[i].name, name) == 0)
			return &map->weight_sets[i];
	return NULL;
}

strew_status strew_map_find_weight_set(int64_t *out, const strew_map *map,
				       const char *name)
{
	const struct map_weight_set *set = weight_set_by_name(map, name);
	char *end;
	long long id;

	*out = 0;
	if (set == NULL) {
		errno = 0;
		id = strtoll(name, &end, 10);
		if (end != name && *end == '\0' && errno == 0)
			set = map_weight_set_by_id(map, id);
	}
	if (set == NULL)
		return STREW_ENOTFOUND;
	*out = set->id;
	return STREW_OK;
}

size_t strew_map_warning_count(const strew_map *map)
{
	return map->warning_count;
}

const strew_error *strew_map_warning_at(const strew_map *map, size_t index)
{
	return index < map->warning_count ? &map->warnings[index].error : NULL;
}
