/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hash.h"
#include "place_priv.h"

/* Tell who watches, if anyone does. */
#define TELL(walk, ...)                                                                  \
	do {                                                                             \
		if ((walk)->watch)                                                       \
			(walk)->watch->tell((walk)->watch->ctx,                          \
					    &(struct place_event){__VA_ARGS__});         \
	} while (0)

/* A PG's set on its way through the stages. */
struct walk {
	const strew_placer *placer;
	const struct place_pool *pool;
	const struct map_override *override; /* NULL: the PG has none */
	uint32_t x;
	const struct place_watch *watch;
	int32_t *devices; /* the scratch's, STREW_WANT_MAX entries */
	int count;
};

/* Within the cluster's device vector? What is not in it has no state and no reweight,
 * and a hole or a bucket never is. */
static bool is_valid(const struct walk *walk, int32_t device)
{
	return device >= 0 && device < walk->placer->map->device_limit;
}

/* NULL when the device is not valid or the map knows nothing of it: then it
 * doesn't exist. */
static const strew_device *find_device(const struct walk *walk, int32_t device)
{
	int32_t index;

	if (!is_valid(walk, device))
		return NULL;
	index = flat_find_device(walk->placer->flat, device);
	return index >= 0 ? &walk->placer->map->devices[index] : NULL;
}

static bool device_exists(const struct walk *walk, int32_t device)
{
	const strew_device *found = find_device(walk, device);

	return found && found->exists;
}

static bool has_failed(const struct walk *walk, const strew_device *device)
{
	const strew_placer *placer = walk->placer;

	return placer->failed && placer->failed[device - placer->map->devices];
}

static bool device_serves(const struct walk *walk, int32_t device)
{
	const strew_device *found = find_device(walk, device);

	return found && found->exists && found->up && !has_failed(walk, found);
}

static bool is_valid_and_out(const struct walk *walk, int32_t device)
{
	const strew_device *found = find_device(walk, device);

	return is_valid(walk, device) &&
	       (found == NULL || found->reweight == 0 || has_failed(walk, found));
}

static bool is_valid_and_in(const struct walk *walk, int32_t device)
{
	return is_valid(walk, device) && !is_valid_and_out(walk, device);
}

static int find_in_set(const struct walk *walk, int32_t device)
{
	for (int i = 0; i < walk->count; i++)
		if (walk->devices[i] == device)
			return i;
	return -1;
}

static int32_t first_device(const struct walk *walk)
{
	for (int i = 0; i < walk->count; i++)
		if (walk->devices[i] != STREW_NONE)
			return walk->devices[i];
	return STREW_NONE;
}

/* Replace the set by those of `from` that `keep` says. What else there is leaves a hole
 * in an erasure pool, and nothing in a replicated one. `from` may be the set itself. */
static void keep_devices(struct walk *walk, const int32_t *from, size_t count,
			 bool (*keep)(const struct walk *walk, int32_t device))
{
	bool holes = walk->pool->pool->kind == STREW_KIND_ERASURE;
	int kept = 0;

	for (size_t i = 0; i < count && kept < STREW_WANT_MAX; i++) {
		if (keep(walk, from[i])) {
			walk->devices[kept++] = from[i];
			continue;
		}
		if (from[i] != STREW_NONE)
			TELL(walk, .kind = PLACE_DROPPED, .device = from[i],
			     .verdict = device_exists(walk, from[i]) ? PLACE_DOWN
								     : PLACE_MISSING);
		if (holes)
			walk->devices[kept++] = STREW_NONE;
	}
	walk->count = kept;
}

/* Hand a stage to the caller. */
static void show_stage(struct strew_set *set, const struct walk *walk, int32_t primary)
{
	set->primary = primary;
	set->count = 0;
	if (set->devices == NULL || set->room <= 0)
		return;
	set->count = walk->count < set->room ? walk->count : set->room;
	memcpy(set->devices, walk->devices, (size_t)set->count * sizeof(*set->devices));
}

/* pg_upmap. @return false when it names a device that is out: then no upmap
 * counts at all. */
static bool apply_upmap(struct walk *walk)
{
	const struct map_override *override = walk->override;
	size_t count = override->upmap_count;

	if (override->upmap == NULL)
		return true;
	for (size_t i = 0; i < count; i++) {
		if (!is_valid_and_out(walk, override->upmap[i]))
			continue;
		TELL(walk, .kind = PLACE_UPMAP, .device = override->upmap[i],
		     .verdict = PLACE_OUT);
		return false;
	}
	TELL(walk, .kind = PLACE_UPMAP);
	walk->count = count < STREW_WANT_MAX ? (int)count : STREW_WANT_MAX;
	memcpy(walk->devices, override->upmap,
	       (size_t)walk->count * sizeof(*walk->devices));
	return true;
}

static enum place_verdict judge_item(const struct walk *walk, int at, int32_t to)
{
	if (at < 0)
		return PLACE_NOT_THERE;
	if (find_in_set(walk, to) >= 0)
		return PLACE_THERE;
	return is_valid_and_out(walk, to) ? PLACE_OUT : PLACE_APPLIED;
}

/* pg_upmap_items. Pairs see what the pairs before them did. */
static void apply_upmap_items(struct walk *walk)
{
	const struct map_override *override = walk->override;

	for (size_t i = 0; i < override->upmap_item_count; i++) {
		int32_t from = override->upmap_items[2 * i];
		int32_t to = override->upmap_items[2 * i + 1];
		int at = find_in_set(walk, from);
		enum place_verdict verdict = judge_item(walk, at, to);

		TELL(walk, .kind = PLACE_UPMAP_ITEM, .device = from, .to = to,
		     .verdict = verdict);
		if (verdict == PLACE_APPLIED)
			walk->devices[at] = to;
	}
}

static enum place_verdict judge_primary(const struct walk *walk, int at, int32_t primary)
{
	if (at < 0)
		return PLACE_NOT_THERE;
	if (at == 0)
		return PLACE_FIRST;
	return is_valid_and_in(walk, primary) ? PLACE_APPLIED : PLACE_OUT;
}

/* pg_upmap_primaries. */
static void apply_upmap_primary(struct walk *walk)
{
	int32_t primary = walk->override->upmap_primary;
	int at = find_in_set(walk, primary);
	enum place_verdict verdict = judge_primary(walk, at, primary);

	if (primary != STREW_NONE)
		TELL(walk, .kind = PLACE_UPMAP_PRIMARY, .device = primary,
		     .verdict = verdict);
	if (verdict != PLACE_APPLIED)
		return;
	walk->devices[at] = walk->devices[0];
	walk->devices[0] = primary;
}

static void apply_upmaps(struct walk *walk)
{
	if (walk->override == NULL || !apply_upmap(walk))
		return;
	apply_upmap_items(walk);
	apply_upmap_primary(walk);
}

int place_apply_upmaps(const strew_placer *placer, const struct map_override *override,
		       int32_t *devices, int count)
{
	struct walk walk = {.placer = placer,
			    .override = override,
			    .devices = devices,
			    .count = count};

	apply_upmaps(&walk);
	return walk.count;
}

/* Does the device's affinity turn this PG's primary role down? */
static bool declines(const struct walk *walk, int32_t device)
{
	uint32_t affinity = find_device(walk, device)->primary_affinity;
	uint32_t hash;

	if (affinity >= STREW_WEIGHT_ONE)
		return false;
	hash = hash_2(walk->x, (uint32_t)device) >> 16;
	if (hash < affinity)
		return false;
	TELL(walk, .kind = PLACE_DECLINED, .device = device, .hash = hash,
	     .affinity = affinity);
	return true;
}

/* The place of the primary: the first that takes the role, else the first;
 * -1: no device. */
static int choose_primary(const struct walk *walk)
{
	int first = -1;

	for (int i = 0; i < walk->count; i++) {
		if (walk->devices[i] == STREW_NONE)
			continue;
		if (!declines(walk, walk->devices[i]))
			return i;
		if (first < 0)
			first = i;
	}
	return first;
}

/* Primary affinity, on a set of devices that are up. In a replicated pool the primary
 * moves to the front. */
static int32_t apply_affinity(struct walk *walk)
{
	int at = choose_primary(walk);
	int32_t primary = at < 0 ? STREW_NONE : walk->devices[at];

	if (at > 0 && walk->pool->pool->kind != STREW_KIND_ERASURE) {
		memmove(walk->devices + 1, walk->devices,
			(size_t)at * sizeof(*walk->devices));
		walk->devices[0] = primary;
	}
	return primary;
}

/* How many entries pg_temp has for the set; 0: the up set acts. */
static size_t count_temp(const struct walk *walk)
{
	const struct map_override *override = walk->override;
	size_t count = 0;

	if (override == NULL || override->temp == NULL)
		return 0;
	if (walk->pool->pool->kind == STREW_KIND_ERASURE)
		return override->temp_count;
	for (size_t i = 0; i < override->temp_count; i++)
		count += device_serves(walk, override->temp[i]);
	return count;
}

/* pg_temp and primary_temp, on an up set. @return the acting primary. */
static int32_t apply_temp(struct walk *walk, int32_t up_primary)
{
	const struct map_override *override = walk->override;
	int32_t primary = override ? override->primary_temp : STREW_NONE;
	size_t count = count_temp(walk);

	if (override && override->temp)
		TELL(walk, .kind = PLACE_TEMP,
		     .verdict = count > 0 ? PLACE_APPLIED : PLACE_NONE_SERVES);
	if (primary != STREW_NONE)
		TELL(walk, .kind = PLACE_PRIMARY_TEMP, .device = primary);
	if (count == 0)
		return primary == STREW_NONE ? up_primary : primary;
	keep_devices(walk, override->temp, override->temp_count, device_serves);
	return primary == STREW_NONE ? first_device(walk) : primary;
}

static const struct map_override *
find_override(const strew_placer *placer, const struct place_pool *pool, uint32_t seed)
{
	const struct map_override *all = placer->map->overrides + pool->override_first;
	size_t low = 0;
	size_t high = pool->override_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all[middle].pg.seed < seed)
			low = middle + 1;
		else
			high = middle;
	}
	return low < pool->override_count && all[low].pg.seed == seed ? &all[low] : NULL;
}

static void walk_stages(struct walk *walk, strew_stages *stages)
{
	int32_t primary;

	show_stage(&stages->raw, walk, first_device(walk));
	apply_upmaps(walk);
	keep_devices(walk, walk->devices, (size_t)walk->count, device_serves);
	primary = apply_affinity(walk);
	TELL(walk, .kind = PLACE_LED, .device = primary);
	show_stage(&stages->up, walk, primary);
	primary = apply_temp(walk, primary);
	show_stage(&stages->acting, walk, primary);
}

void place_finish_pg(strew_stages *stages, const struct place_pg *pg, const int32_t *set,
		     int count, strew_scratch *scratch)
{
	struct walk walk = {.placer = pg->placer,
			    .pool = pg->pool,
			    .x = pg->x,
			    .watch = pg->watch,
			    .devices = scratch->set};

	walk.override = find_override(pg->placer, pg->pool,
				      map_stable_mod(pg->seed, pg->pool->pool->pg_num));
	stages->x = pg->x;
	keep_devices(&walk, set, (size_t)count, device_exists);
	walk_stages(&walk, stages);
}
