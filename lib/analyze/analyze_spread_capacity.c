/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <math.h>

/* How full devices are, and what pools can hold. */

static bool tells_sizes(const struct spread *spread)
{
	for (size_t i = 0; i < spread->map->device_count; i++) {
		if (spread->map->devices[i].size_bytes > 0 &&
		    analyze_spread_lists(&spread->devices[i]))
			return true;
	}
	return false;
}

static bool tells_use(const strew_map *map)
{
	for (size_t i = 0; i < map->device_count; i++) {
		if (map->devices[i].used_bytes > 0)
			return true;
	}
	return false;
}

/* Does what is placed stand for all that is stored? */
static bool covers_all(const struct spread *spread)
{
	return spread->plan.kind == ANALYZE_PGS && spread->plan.inputs.pg == NULL &&
	       spread->plan.group_count == spread->map->pool_count &&
	       spread->totals.has_bytes && !spread->totals.lacks_bytes;
}

static enum spread_fill choose_fill(const struct spread *spread)
{
	if (!tells_sizes(spread))
		return SPREAD_FILL_UNKNOWN;
	if (tells_use(spread->map))
		return SPREAD_FILL_USED;
	return covers_all(spread) ? SPREAD_FILL_PLACED : SPREAD_FILL_UNKNOWN;
}

double analyze_spread_fill(const struct spread *spread, const struct spread_load *load)
{
	switch (spread->fill) {
	case SPREAD_FILL_USED:
		return 100 * load->used / load->size;
	case SPREAD_FILL_PLACED:
		return 100 * load->bytes / load->size;
	default:
		return NAN;
	}
}

static void find_highest(struct spread *spread)
{
	double highest = -1;

	spread->balance.highest_fill = -1;
	for (size_t i = 0; i < spread->map->device_count; i++) {
		double fill = analyze_spread_fill(spread, &spread->devices[i].load);

		if (!analyze_spread_lists(&spread->devices[i]) || !(fill > highest))
			continue;
		highest = fill;
		spread->balance.highest_fill = (int32_t)i;
	}
}

static size_t touched_end(const struct spread *spread, size_t group)
{
	return group + 1 < spread->plan.group_count ? spread->groups[group + 1].touched
						    : spread->touched.count;
}

/* What a device holds in parts of its size. One pool grows alone and needs no bytes. */
static double load_of(const struct spread *spread, const struct spread_load *load)
{
	double held = spread->plan.group_count == 1 ? (double)load->shards : load->bytes;

	return held / load->size;
}

/* The device of a group that is full first; NAN when one's size isn't known. */
static double find_limit(const struct spread *spread, size_t index)
{
	struct spread_group *group = &spread->groups[index];
	const uint32_t *touched = spread->touched.items;
	double most = 0;

	group->limit = -1;
	for (size_t i = group->touched; i < touched_end(spread, index); i++) {
		double load = load_of(spread, &spread->devices[touched[i]].load);

		if (isnan(load))
			return NAN;
		if (load > most) {
			most = load;
			group->limit = (int32_t)touched[i];
		}
	}
	return most;
}

/* Pools grow together until a device is full. */
static void find_usable(struct spread *spread, size_t index)
{
	const strew_pool *pool = spread->plan.groups[index].pools[0];
	struct spread_group *group = &spread->groups[index];
	double most = find_limit(spread, index);
	double stored = (double)pool->bytes;

	group->usable = NAN;
	if (spread->plan.group_count == 1)
		stored = (double)pool->pg_num *
			 (pool->kind == STREW_KIND_ERASURE ? pool->k : 1);
	else if (spread->totals.lacks_bytes)
		stored = 0;
	if (stored > 0 && most > 0)
		group->usable = stored / most;
	else
		group->limit = -1;
}

void analyze_spread_capacity(struct spread *spread)
{
	spread->fill = choose_fill(spread);
	find_highest(spread);
	if (spread->plan.kind != ANALYZE_PGS || spread->plan.inputs.pg)
		return;
	for (size_t i = 0; i < spread->plan.group_count; i++)
		find_usable(spread, i);
}
