/* SPDX-License-Identifier: MIT */
/* A map to show to others: things are called after what they are and their ids, which
 * decide where data lies. What is called alike everywhere keeps its name. */
#include <stdlib.h>
#include <string.h>

#include "map.h"

static const char *const known_types[] = {
	"osd", "device", "host",       "chassis", "rack",   "row",  "pdu",
	"pod", "room",   "datacenter", "zone",    "region", "root", NULL,
};
static const char *const known_classes[] = {"hdd", "ssd", "nvme", NULL};

/* Parameters of profiles whose values name things of the map. */
static const char *const root_keys[] = {"crush-root", "ruleset-root", NULL};
static const char *const type_keys[] = {"crush-failure-domain", "ruleset-failure-domain",
					"crush-locality", "ruleset-locality", NULL};
static const char *const class_keys[] = {"crush-device-class", NULL};
/* Those whose values are words or numbers of Ceph's. */
static const char *const plain_keys[] = {
	"k",
	"m",
	"l",
	"c",
	"d",
	"w",
	"plugin",
	"technique",
	"packetsize",
	"stripe_unit",
	"scalar_mds",
	"jerasure-per-chunk-alignment",
	"crush-num-failure-domains",
	"crush-osds-per-failure-domain",
	NULL,
};

static bool is_one_of(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

static void name_types(struct map_renaming *renaming)
{
	for (size_t i = 0; i < renaming->map.type_count; i++) {
		struct map_type *type = &renaming->map.types[i];

		if (!type->unnamed && !is_one_of(known_types, type->name))
			type->name = map_rename(renaming, "type-%d", (int)type->id);
	}
}

static void name_classes(struct map_renaming *renaming)
{
	for (size_t i = 0; i < renaming->map.class_count; i++) {
		struct map_class *class = &renaming->map.classes[i];

		if (!is_one_of(known_classes, class->name))
			class->name = map_rename(renaming, "class-%d", (int)class->id);
	}
}

static void name_items(struct map_renaming *renaming)
{
	strew_map *map = &renaming->map;

	for (size_t i = 0; i < map->device_count; i++)
		if (!map->devices[i].unnamed)
			map->devices[i].name =
				map_rename(renaming, "osd.%d", (int)map->devices[i].id);
	for (size_t i = 0; i < map->bucket_count; i++) {
		strew_bucket *bucket = &map->buckets[i];

		/* An id is negative, so it brings its dash along. Shadows follow their
		 * base in the end. */
		if (!bucket->unnamed)
			bucket->name = map_rename(renaming, "%s%d",
						  strew_map_type_name(map, bucket->type),
						  (int)bucket->id);
	}
}

static const char *value_of(struct map_renaming *renaming,
			    const struct map_parameter *parameter)
{
	const strew_map *from = renaming->from, *map = &renaming->map;

	if (is_one_of(root_keys, parameter->key)) {
		const strew_bucket *bucket =
			strew_map_bucket_by_name(from, parameter->value);

		return bucket && bucket->shadow_of == 0
			       ? map->buckets[bucket - from->buckets].name
			       : NULL;
	}
	if (is_one_of(type_keys, parameter->key))
		return strew_map_type_name(map,
					   strew_map_find_type(from, parameter->value));
	if (is_one_of(class_keys, parameter->key)) {
		for (size_t i = 0; i < from->class_count; i++)
			if (strcmp(from->classes[i].name, parameter->value) == 0)
				return map->classes[i].name;
		return NULL;
	}
	return is_one_of(plain_keys, parameter->key) ? parameter->value : NULL;
}

/* Parameters that may say anything are dropped. */
static void name_parameters(struct map_renaming *renaming, struct map_profile *profile)
{
	struct map_parameter *parameters = (struct map_parameter *)profile->parameters;
	size_t count = 0;

	for (size_t i = 0; i < profile->count; i++) {
		const char *value = value_of(renaming, &parameters[i]);

		if (value)
			parameters[count++] =
				(struct map_parameter){parameters[i].key, value};
	}
	profile->count = count;
}

static int compare_profiles(const void *left, const void *right)
{
	const struct map_profile *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static void name_pools(struct map_renaming *renaming)
{
	const strew_map *from = renaming->from;
	strew_map *map = &renaming->map;

	for (size_t i = 0; i < map->profile_count; i++) {
		name_parameters(renaming, &map->profiles[i]);
		map->profiles[i].name = map_rename(renaming, "profile-%zu", i + 1);
	}
	for (size_t i = 0; i < map->pool_count; i++) {
		strew_pool *pool = &map->pools[i];
		const struct map_profile wanted = {.name = pool->profile};
		const struct map_profile *found = NULL;

		if (from->profile_count > 0)
			found = bsearch(&wanted, from->profiles, from->profile_count,
					sizeof(wanted), compare_profiles);
		pool->profile = found ? map->profiles[found - from->profiles].name : "";
		pool->name = map_rename(renaming, "pool-%lld", (long long)pool->id);
	}
}

static void name_rules(struct map_renaming *renaming)
{
	strew_map *map = &renaming->map;

	for (size_t i = 0; i < map->rule_count; i++)
		if (map->rules[i].name[0] != '\0')
			map->rules[i].name =
				map_rename(renaming, "rule-%d", (int)map->rules[i].id);
	for (size_t i = 0; i < map->weight_set_count; i++)
		map->weight_sets[i].name =
			map_rename(renaming, "%lld", (long long)map->weight_sets[i].id);
}

/* Names of what isn't there, and bytes that nobody knows. */
static void name_stored(struct map_renaming *renaming)
{
	static const char *const words[] = {"type", "item", "rule"};

	for (size_t i = 0; i < renaming->map.stray_count; i++) {
		struct map_stray *stray = &renaming->map.strays[i];

		if (stray->kind < MAP_STRAY_CLASS)
			stray->name =
				map_rename(renaming, "stray-%s%s%d", words[stray->kind],
					   stray->id < 0 ? "" : "-", (int)stray->id);
	}
	renaming->map.layout.rest_count = 0;
}

strew_status strew_map_anonymise(strew_map **out, const strew_map *map,
				 strew_error *error)
{
	struct map_renaming renaming;

	map_rename_start(&renaming, map);
	if (!renaming.failed) {
		renaming.map.name = "";
		renaming.map.remark_count = 0;
		name_types(&renaming);
		name_classes(&renaming);
		name_items(&renaming);
		name_rules(&renaming);
		name_pools(&renaming);
		name_stored(&renaming);
	}
	return map_rename_end(out, &renaming, error);
}
