/* SPDX-License-Identifier: MIT */
/* What a CRUSH map doesn't have: the facts of the cluster around it. */
#include "format_write.h"

static bool has_reweight(const strew_device *device)
{
	return device->reweight != STREW_WEIGHT_ONE;
}

static bool has_state(const strew_device *device)
{
	return !device->exists || !device->up;
}

static bool has_affinity(const strew_device *device)
{
	return device->primary_affinity != STREW_WEIGHT_ONE;
}

static bool has_capacity(const strew_device *device)
{
	return device->size_bytes != 0 || device->used_bytes != 0;
}

static const struct fact {
	const char *what;
	bool (*has)(const strew_device *device);
} facts[] = {
	{"reweight", has_reweight},
	{"state (down, or no device of the cluster)", has_state},
	{"primary affinity", has_affinity},
	{"size and use", has_capacity},
};

static void lose_device_fact(struct format_losses *losses, const strew_map *map,
			     const struct fact *fact)
{
	const strew_device *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < map->device_count; i++) {
		if (!fact->has(&map->devices[i]))
			continue;
		first = count++ ? first : &map->devices[i];
	}
	if (count == 1)
		format_lose(losses, "the %s of %.96s", fact->what, first->name);
	else if (count > 1)
		format_lose(losses, "the %s of %zu devices, the first of them %.96s",
			    fact->what, count, first->name);
}

static void lose_pools(struct format_losses *losses, const strew_map *map)
{
	size_t uses = 0;

	for (size_t i = 0; i < map->profile_count; i++)
		format_lose(losses, "the erasure code profile %.96s",
			    map->profiles[i].name);
	for (size_t i = 0; i < map->pool_count; i++)
		uses += map->pools[i].use_count;
	if (uses > 0)
		format_lose(losses, "what %zu PG%s", uses,
			    uses == 1 ? " holds" : "s hold");
	for (size_t i = 0; i < map->pool_count; i++)
		format_lose(losses, "the pool %.96s (id %lld)", map->pools[i].name,
			    (long long)map->pools[i].id);
	if (map->override_count > 0)
		format_lose(losses, "the overrides (upmaps, temps) of %zu PG%s",
			    map->override_count, map->override_count == 1 ? "" : "s");
}

void format_lose_cluster(struct format_losses *losses, const strew_map *map)
{
	int32_t follows =
		map->device_count ? map->devices[map->device_count - 1].id + 1 : 0;

	if (map->name[0] != '\0')
		format_lose(losses, "the map's name, \"%.96s\"", map->name);
	if (map->epoch != 0)
		format_lose(losses, "the map's epoch, %lld", (long long)map->epoch);
	if (map->ratios[MAP_FULL] || map->ratios[MAP_BACKFILLFULL] ||
	    map->ratios[MAP_NEARFULL])
		format_lose(losses, "how full devices may be (full_ratio and the like)");
	if (map->device_limit != follows)
		format_lose(losses, "the length of the cluster's device vector, %d",
			    (int)map->device_limit);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		lose_device_fact(losses, map, &facts[i]);
	lose_pools(losses, map);
	if (map->remark_count > 0)
		format_lose(losses, "%zu remark%s that people noted beside things",
			    map->remark_count, map->remark_count == 1 ? "" : "s");
}
