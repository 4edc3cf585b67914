/* SPDX-License-Identifier: MIT */
/* Where all units lie before anything fails, and how full devices are. */
#include "analyze_fail_priv.h"

#include <math.h>
#include <stdlib.h>

#include "base_error.h"

#define TIB 1099511627776.0

/* A unit's words: its PG's seed, how many devices are in the up set and in what the rule
 * gives, and these. */
enum { WORD_SEED, WORD_UP, WORD_RAW, WORD_DEVICES };

static void place_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
			strew_scratch *const scratch[2])
{
	const struct fail *fail = ctx;
	struct analyze_units units = {.plan = &fail->plan,
				      .placer = fail->placer,
				      .rule = fail->plan.inputs.rule,
				      .want = fail->plan.inputs.want,
				      .first = first,
				      .count = count};
	strew_stages stages[ANALYZE_CHUNK] = {0};
	strew_pg pgs[ANALYZE_CHUNK] = {0};
	size_t stride = WORD_DEVICES + 2 * fail->room;

	for (size_t i = 0; i < count; i++) {
		stages[i].up.devices = words + i * stride + WORD_DEVICES;
		stages[i].up.room = (int)fail->room;
		stages[i].raw.devices = stages[i].up.devices + fail->room;
		stages[i].raw.room = (int)fail->room;
	}
	analyze_place_units(stages, pgs, &units, scratch[0]);
	for (size_t i = 0; i < count; i++, words += stride) {
		words[WORD_SEED] = (int32_t)pgs[i].seed;
		words[WORD_UP] = stages[i].up.count;
		words[WORD_RAW] = stages[i].raw.count;
	}
}

/* A unit can only lie elsewhere when a device fails that it is told to have to do with: a
 * reweight of 0 turns down what was chosen, and what was not chosen for another reason
 * stays so. */
static strew_status touch(struct fail *fail, uint64_t unit, int32_t id)
{
	int64_t device = id == STREW_NONE ? -1 : map_device_index(fail->map, id);
	struct fail_touch *entry;

	if (device < 0 || fail->devices[device].last_unit == unit + 1)
		return STREW_OK;
	fail->devices[device].last_unit = unit + 1;
	entry = base_vec_push(&fail->touches, fail->allocator, sizeof(*entry));
	if (entry == NULL)
		return base_error_nomem(fail->error);
	*entry = (struct fail_touch){(uint32_t)device, (uint32_t)unit};
	return STREW_OK;
}

static strew_status touch_all(struct fail *fail, uint64_t unit, const int32_t *ids,
			      size_t count)
{
	strew_status status = STREW_OK;

	for (size_t i = 0; i < count && !status; i++)
		status = touch(fail, unit, ids[i]);
	return status;
}

static const struct map_override *find_override(const strew_map *map, strew_pg pg)
{
	size_t at = map_override_place(map, pg);
	const struct map_override *found;

	if (at == map->override_count)
		return NULL;
	found = &map->overrides[at];
	return found->pg.pool == pg.pool && found->pg.seed == pg.seed ? found : NULL;
}

/* What upmaps name has to do with it, too: they are dropped when it fails. */
static strew_status touch_upmaps(struct fail *fail, uint64_t unit, uint32_t seed)
{
	const strew_pool *pool = analyze_find_group(&fail->plan, unit)->pools[0];
	const struct map_override *override;
	strew_status status;

	if (pool == NULL)
		return STREW_OK;
	override = find_override(
		fail->map, (strew_pg){pool->id, map_stable_mod(seed, pool->pg_num)});
	if (override == NULL)
		return STREW_OK;
	status = touch_all(fail, unit, override->upmap, override->upmap_count);
	if (status == STREW_OK)
		status = touch_all(fail, unit, override->upmap_items,
				   2 * override->upmap_item_count);
	return status;
}

static void count_shard(struct fail *fail, int32_t device, double bytes)
{
	fail->devices[device].shards++;
	fail->devices[device].bytes += bytes > 0 ? bytes : 0;
	fail->shards++;
}

static void take_set(struct fail *fail, uint64_t unit, const int32_t *ids, int32_t count)
{
	const struct analyze_group *group = analyze_find_group(&fail->plan, unit);
	int want = fail->groups[group - fail->plan.groups].want, placed = 0;
	double bytes = analyze_shard_amount(&fail->plan, group, unit).bytes;
	int32_t *set = fail->sets + unit * fail->room;

	for (size_t i = 0; i < fail->room; i++) {
		int32_t id = i < (size_t)count ? ids[i] : STREW_NONE;

		set[i] = id == STREW_NONE ? -1 : (int32_t)map_device_index(fail->map, id);
		if (set[i] < 0)
			continue;
		count_shard(fail, set[i], bytes);
		placed++;
	}
	fail->lacks_bytes |= bytes < 0;
	fail->has_bytes |= bytes >= 0;
	fail->unplaced += placed < want ? (uint64_t)(want - placed) : 0;
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	struct fail *fail = ctx;
	const int32_t *up = words + WORD_DEVICES, *raw = up + fail->room;
	strew_status status;

	take_set(fail, unit, up, words[WORD_UP]);
	status = touch_all(fail, unit, up, (size_t)words[WORD_UP]);
	if (status == STREW_OK)
		status = touch_all(fail, unit, raw, (size_t)words[WORD_RAW]);
	if (status == STREW_OK)
		status = touch_upmaps(fail, unit, (uint32_t)words[WORD_SEED]);
	return status;
}

/* From the list of touches, which is in order of units. */
static strew_status index_touches(struct fail *fail)
{
	const struct fail_touch *touches = fail->touches.items;
	size_t devices = fail->map->device_count, count = fail->touches.count;

	fail->first = base_calloc(fail->allocator, devices + 2, sizeof(*fail->first));
	fail->units = base_alloc(fail->allocator, count + 1, sizeof(*fail->units));
	if (fail->first == NULL || fail->units == NULL)
		return base_error_nomem(fail->error);
	for (size_t i = 0; i < count; i++)
		fail->first[touches[i].device + 2]++;
	for (size_t i = 2; i < devices + 2; i++)
		fail->first[i] += fail->first[i - 1];
	for (size_t i = 0; i < count; i++)
		fail->units[fail->first[touches[i].device + 1]++] = touches[i].unit;
	return STREW_OK;
}

strew_status analyze_fail_place(struct fail *fail)
{
	struct analyze_walk walk = {.units = fail->plan.units,
				    .words = WORD_DEVICES + 2 * fail->room,
				    .placers = {fail->placer, NULL},
				    .place = place_units,
				    .take = take_unit,
				    .ctx = fail};
	strew_status status;

	if (fail->plan.units >= UINT32_MAX ||
	    fail->plan.units > SIZE_MAX / sizeof(*fail->sets) / (fail->room + 1))
		return base_error_set(fail->error, STREW_ERANGE,
				      "these are too many to keep; place less at a time");
	fail->sets = base_alloc(fail->allocator, (size_t)fail->plan.units * fail->room,
				sizeof(*fail->sets));
	fail->hurt = base_calloc(fail->allocator, (size_t)fail->plan.units,
				 sizeof(*fail->hurt));
	if ((fail->sets == NULL || fail->hurt == NULL) && fail->plan.units > 0)
		return base_error_nomem(fail->error);
	status = analyze_walk(&walk, &fail->run, fail->error);
	return status ? status : index_touches(fail);
}

static strew_status list_devices(struct fail *fail)
{
	size_t count = fail->map->device_count;
	double *weights = base_alloc(fail->allocator, count + 1, sizeof(*weights));
	const struct map_rule *last = NULL;
	strew_status status = weights ? STREW_OK : base_error_nomem(fail->error);

	for (size_t i = 0; i < fail->plan.group_count && !status; i++) {
		if (fail->groups[i].rule == last)
			continue;
		last = fail->groups[i].rule;
		status = analyze_reach(weights, &fail->tree, last, fail->allocator,
				       fail->error);
		for (size_t k = 0; k < count && !status; k++) {
			const strew_device *device = &fail->map->devices[k];

			fail->devices[k].listed |=
				weights[k] > 0 && device->exists && device->reweight > 0;
		}
	}
	for (size_t k = 0; k < count; k++)
		fail->devices[k].listed |= fail->devices[k].shards > 0;
	base_free(fail->allocator, weights, (count + 1) * sizeof(*weights));
	return status;
}

struct known {
	bool sizes, use;
	double used, weighed;
};

/* Of the devices that are listed. */
static struct known find_known(const struct fail *fail)
{
	struct known known = {.sizes = true};

	for (size_t i = 0; i < fail->map->device_count; i++) {
		const strew_device *device = &fail->map->devices[i];

		if (!fail->devices[i].listed)
			continue;
		known.sizes &= device->size_bytes > 0;
		known.use |= device->used_bytes > 0;
		known.used += (double)device->used_bytes;
		known.weighed += TIB * analyze_device_weight(&fail->tree, i);
	}
	return known;
}

/* Do the bytes that are placed stand for all that is stored? */
static bool covers_all(const struct fail *fail)
{
	return analyze_covers_pools(&fail->plan, fail->map) && fail->has_bytes &&
	       !fail->lacks_bytes;
}

static double sum_bytes(const struct fail *fail)
{
	double sum = 0;

	for (size_t i = 0; i < fail->map->device_count; i++)
		sum += fail->devices[i].bytes;
	return sum;
}

static enum fail_basis choose_basis(const struct fail *fail, const struct known *known)
{
	if (fail->plan.kind == ANALYZE_PGS && known->sizes && known->use)
		return FAIL_USE;
	if (!covers_all(fail) || sum_bytes(fail) == 0)
		return FAIL_SHARDS;
	if (known->sizes)
		return FAIL_PLACED;
	return sum_bytes(fail) < known->weighed ? FAIL_WEIGHTS : FAIL_SHARDS;
}

double analyze_fail_shard_load(const struct fail *fail, double bytes)
{
	if (fail->basis == FAIL_SHARDS)
		return 1;
	return bytes >= 0 ? bytes : fail->shard_load;
}

static void measure_device(struct fail *fail, size_t index)
{
	struct fail_device *device = &fail->devices[index];
	const strew_device *model = &fail->map->devices[index];
	double weight = analyze_device_weight(&fail->tree, index);

	device->size = (double)model->size_bytes;
	device->load = device->bytes;
	if (fail->basis == FAIL_USE) {
		device->load = (double)model->used_bytes;
	} else if (fail->basis == FAIL_WEIGHTS) {
		device->size = weight * TIB;
	} else if (fail->basis == FAIL_SHARDS) {
		device->size = weight;
		device->load = (double)device->shards;
	}
	if (!device->listed)
		device->size = 0;
}

/* The fullest first; of equals in order. */
static int compare_use(const void *left, const void *right, void *ctx)
{
	const struct fail_device *devices = ctx;
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
	double use_a = devices[a].load / devices[a].size;
	double use_b = devices[b].load / devices[b].size;

	if (use_a != use_b)
		return use_a < use_b ? 1 : -1;
	return a < b ? -1 : a > b;
}

static strew_status sort_by_use(struct fail *fail)
{
	size_t count = fail->map->device_count;

	fail->by_use = base_alloc(fail->allocator, count + 1, sizeof(*fail->by_use));
	if (fail->by_use == NULL)
		return base_error_nomem(fail->error);
	for (size_t i = 0; i < count; i++) {
		if (fail->devices[i].size > 0)
			fail->by_use[fail->by_use_count++] = (int32_t)i;
	}
	qsort_r(fail->by_use, fail->by_use_count, sizeof(*fail->by_use), compare_use,
		fail->devices);
	return STREW_OK;
}

strew_status analyze_fail_measure(struct fail *fail)
{
	strew_status status = list_devices(fail);
	struct known known;
	double load = 0, size = 0;

	if (status)
		return status;
	known = find_known(fail);
	fail->basis = choose_basis(fail, &known);
	fail->absolute = fail->basis != FAIL_SHARDS;
	fail->shard_load = fail->shards > 0 ? known.used / (double)fail->shards : 0;
	for (size_t i = 0; i < fail->map->device_count; i++) {
		measure_device(fail, i);
		if (!(fail->devices[i].size > 0))
			continue;
		load += fail->devices[i].load;
		size += fail->devices[i].size;
	}
	fail->fill = size > 0 ? load / size : NAN;
	return sort_by_use(fail);
}
