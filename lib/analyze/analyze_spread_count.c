/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include "base_error.h"

/* How large a PG is beside others of its pool. */
static double measure(const struct spread *spread, uint64_t unit, double bytes)
{
	const struct analyze_group *group = spread->now;
	const strew_pool *pool = group->pools[0];

	if (spread->plan.kind != ANALYZE_PGS || spread->plan.inputs.pg)
		return 1;
	if (bytes >= 0 && pool->bytes > 0 &&
	    (pool->use_bytes > 0 || pool->use_count < pool->pg_num))
		return bytes;
	return map_pg_part(group->seed + (uint32_t)(unit - group->first), pool->pg_num);
}

/* PGs are measured, so that those of a pool are as large as shards in the mean. */
void analyze_spread_end_group(struct spread *spread)
{
	const struct spread_group *counts = spread->counts;
	const uint32_t *touched = spread->touched.items;

	for (size_t i = counts ? counts->touched : spread->touched.count;
	     i < spread->touched.count; i++) {
		struct spread_device *device = &spread->devices[touched[i]];

		if (counts->amount > 0)
			device->load.stages[SPREAD_FILLED] +=
				device->amount * (double)counts->placed / counts->amount;
		device->amount = 0;
	}
}

static void enter_group(struct spread *spread, const struct analyze_group *group)
{
	analyze_spread_end_group(spread);
	spread->now = group;
	spread->counts = &spread->groups[group - spread->plan.groups];
	spread->counts->touched = spread->touched.count;
}

static struct spread_device *find_device(const struct spread *spread, int32_t id)
{
	int64_t index = id == STREW_NONE ? -1 : map_device_index(spread->map, id);

	return index < 0 ? NULL : &spread->devices[index];
}

static strew_status touch(struct spread *spread, struct spread_device *device)
{
	uint32_t *entry;

	if (device->last_group == spread->counts)
		return STREW_OK;
	device->last_group = spread->counts;
	entry = base_vec_push(&spread->touched, spread->allocator, sizeof(*entry));
	if (entry == NULL)
		return base_error_nomem(spread->error);
	*entry = (uint32_t)(device - spread->devices);
	return STREW_OK;
}

static strew_status count_shard(struct spread *spread, struct spread_device *device,
				double bytes, double amount)
{
	device->load.shards++;
	device->amount += amount;
	spread->counts->placed++;
	spread->counts->amount += amount;
	if (bytes > 0) {
		device->load.bytes += bytes;
		spread->totals.bytes += bytes;
	}
	return touch(spread, device);
}

static void count_unplaced(struct spread *spread, uint64_t placed)
{
	uint64_t want = (uint64_t)analyze_spread_want(spread, spread->now);

	spread->counts->wanted += want;
	if (placed < want)
		spread->counts->unplaced += want - placed;
}

/* Before upmaps: what is down or gone holds nothing, as in up sets. */
static void count_raw(struct spread *spread, const strew_set *raw)
{
	for (int i = 0; i < raw->count; i++) {
		struct spread_device *device = find_device(spread, raw->devices[i]);
		const strew_device *known;

		if (device == NULL)
			continue;
		known = &spread->map->devices[device - spread->devices];
		if (known->exists && known->up) {
			device->raw++;
			spread->totals.raw++;
		}
	}
}

strew_status analyze_spread_count(struct spread *spread, uint64_t unit,
				  const strew_set *set, const strew_set *raw)
{
	const struct analyze_group *group = spread->now;
	struct spread_device *primary = find_device(spread, set->primary);
	strew_status status = STREW_OK;
	uint64_t placed = 0;
	double bytes, amount;

	if (group == NULL || unit >= group->first + group->count)
		enter_group(spread, analyze_find_group(&spread->plan, unit));
	bytes = analyze_shard_amount(&spread->plan, spread->now, unit).bytes;
	amount = measure(spread, unit, bytes);
	spread->totals.lacks_bytes |= bytes < 0;
	spread->totals.has_bytes |= bytes >= 0;
	spread->counts->load += bytes >= 0 ? bytes : 0;
	for (int i = 0; i < set->count && !status; i++) {
		struct spread_device *device = find_device(spread, set->devices[i]);

		if (device == NULL)
			continue;
		placed++;
		device->raw += raw == NULL;
		spread->totals.raw += raw == NULL;
		status = count_shard(spread, device, bytes, amount);
	}
	if (raw)
		count_raw(spread, raw);
	count_unplaced(spread, placed);
	if (primary)
		primary->load.primaries++;
	return status;
}
