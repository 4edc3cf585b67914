/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <inttypes.h>
#include <string.h>

#include "place.h"

/** Pools, and the overrides of their PGs. */

static void find_odd_pg_nums(struct check *check)
{
	for (size_t i = 0; i < check->map->pool_count; i++) {
		const strew_pool *pool = &check->map->pools[i];
		uint32_t below = pool->pg_num;
		uint64_t twice;

		if ((pool->pg_num & (pool->pg_num - 1)) == 0)
			continue;
		while ((below & (below - 1)) != 0)
			below &= below - 1;
		twice = 2 * (uint64_t)below - pool->pg_num;
		analyze_check_begin(check, "pool %s", pool->name);
		analyze_check_say(
			check,
			"pool %s has %" PRIu32 " PGs, which is no power of two: "
			"%" PRIu64 " of them hold%s twice the data of the others",
			pool->name, pool->pg_num, twice, twice == 1 ? "s" : "");
		analyze_check_end(check);
	}
}

static bool is_device(const strew_map *map, int32_t id)
{
	int64_t index = id < 0 ? -1 : map_device_index(map, id);

	return index >= 0 && map->devices[index].exists;
}

static void look_at_devices(struct check *check, const struct map_override *override,
			    const char *what, const int32_t *devices, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (devices[i] == STREW_NONE || is_device(check->map, devices[i]))
			continue;
		analyze_check_begin_pg(check, override->pg);
		analyze_check_say(check,
				  "the %s of PG %" PRId64 ".%" PRIx32
				  " names device %" PRId32 ", which does not exist",
				  what, override->pg.pool, override->pg.seed, devices[i]);
		analyze_check_end(check);
		return;
	}
}

static void find_missing_devices(struct check *check)
{
	for (size_t i = 0; i < check->map->override_count; i++) {
		const struct map_override *override = &check->map->overrides[i];

		look_at_devices(check, override, "upmap", override->upmap,
				override->upmap_count);
		look_at_devices(check, override, "upmap", override->upmap_items,
				2 * override->upmap_item_count);
		look_at_devices(check, override, "upmapped primary",
				&override->upmap_primary, 1);
		look_at_devices(check, override, "pg_temp", override->temp,
				override->temp_count);
		look_at_devices(check, override, "primary_temp", &override->primary_temp,
				1);
	}
}

/* PGs with upmaps, placed with them and without. */
struct upmaps {
	struct check *check;
	const strew_placer *placers[2];
	uint32_t *list; /* indexes of overrides */
	size_t count;
};

static void list_upmaps(struct upmaps *upmaps)
{
	const strew_map *map = upmaps->check->map;

	for (size_t i = 0; i < map->override_count; i++)
		if (map_has_upmap(&map->overrides[i]) &&
		    !analyze_check_upmap_goes(upmaps->check, i))
			upmaps->list[upmaps->count++] = (uint32_t)i;
}

static bool same_sets(const strew_set *a, const strew_set *b)
{
	return a->count == b->count && a->primary == b->primary &&
	       memcmp(a->devices, b->devices, (size_t)a->count * sizeof(*a->devices)) ==
		       0;
}

/* Does the upmap change anything? */
static bool place_twice(const struct upmaps *upmaps, uint64_t unit,
			strew_scratch *const scratch[2])
{
	const struct map_override *override =
		&upmaps->check->map->overrides[upmaps->list[unit]];
	int32_t devices[2][STREW_WANT_MAX];
	strew_stages stages[2] = {{0}, {0}};
	strew_status status = STREW_OK;

	for (int i = 0; i < 2 && !status; i++) {
		stages[i].up.devices = devices[i];
		stages[i].up.room = STREW_WANT_MAX;
		status = strew_place_pg(upmaps->placers[i], override->pg, &stages[i],
					scratch[i]);
	}
	return status != STREW_OK || !same_sets(&stages[0].up, &stages[1].up);
}

/* A unit's word is the answer. */
static void place_all_twice(const void *ctx, uint64_t first, size_t count, int32_t *words,
			    strew_scratch *const scratch[2])
{
	for (size_t i = 0; i < count; i++)
		words[i] = place_twice(ctx, first + i, scratch);
}

static strew_status take_answer(void *ctx, uint64_t unit, const int32_t *words)
{
	struct upmaps *upmaps = ctx;
	struct check *check = upmaps->check;
	const struct map_override *override = &check->map->overrides[upmaps->list[unit]];

	if (words[0])
		return STREW_OK;
	analyze_check_begin_pg(check, override->pg);
	analyze_check_say(check,
			  "the upmap of PG %" PRId64 ".%" PRIx32
			  " changes nothing: its devices are the same without it",
			  override->pg.pool, override->pg.seed);
	analyze_check_end(check);
	return check->status;
}

static strew_status compare_upmaps(struct upmaps *upmaps)
{
	struct check *check = upmaps->check;
	strew_placer *without = NULL;
	struct analyze_walk walk = {
		.words = 1, .place = place_all_twice, .take = take_answer, .ctx = upmaps};
	strew_status status;

	status = place_without_overrides(&without, check->placer, check->allocator, NULL);
	if (status != STREW_OK)
		return status;
	upmaps->placers[0] = walk.placers[0] = check->placer;
	upmaps->placers[1] = walk.placers[1] = without;
	walk.units = upmaps->count;
	status = analyze_walk(&walk, check->run, NULL);
	strew_placer_release(without);
	return status;
}

static void find_useless_upmaps(struct check *check)
{
	size_t room = check->map->override_count;
	struct upmaps upmaps = {.check = check};

	if (check->placer == NULL || room == 0)
		return;
	upmaps.list = base_alloc(check->allocator, room, sizeof(*upmaps.list));
	if (upmaps.list == NULL) {
		check->status = STREW_ENOMEM;
		return;
	}
	list_upmaps(&upmaps);
	if (check->status == STREW_OK && upmaps.count > 0)
		check->status = compare_upmaps(&upmaps);
	base_free(check->allocator, upmaps.list, room * sizeof(*upmaps.list));
}

static const struct check_kind kinds[] = {
	{"pg-num", CHECK_WARNING,
	 "Set pg_num to a power of two; the autoscaler does so by itself.",
	 find_odd_pg_nums},
	{"override-device", CHECK_WARNING,
	 "Remove what names it (ceph osd rm-pg-upmap-items and its like); a pg_temp goes "
	 "by itself when the PG has recovered.",
	 find_missing_devices},
	{"upmap-useless", CHECK_WARNING,
	 "Remove it (ceph osd rm-pg-upmap-items and its like), lest it takes effect some "
	 "day.",
	 find_useless_upmaps},
};

const struct check_subject analyze_check_pools = CHECK_SUBJECT(kinds);
