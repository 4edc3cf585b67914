/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include "base_error.h"

/* All PGs of a pool alike. */
static void enter_group(struct spread *spread, const struct analyze_group *group)
{
	struct spread_group *counts = &spread->groups[group - spread->plan.groups];
	const strew_pool *pool = group->pools[0];

	spread->now = group;
	spread->counts = counts;
	counts->touched = spread->touched.count;
	counts->shard_bytes = -1;
	if (spread->plan.kind == ANALYZE_PGS && pool->has_bytes &&
	    analyze_data_shards(pool) > 0)
		counts->shard_bytes = (double)pool->bytes / (double)pool->pg_num /
				      analyze_data_shards(pool);
}

static double shard_bytes(const struct spread *spread, uint64_t unit)
{
	const strew_pool *pool = spread->now->pools[0];
	const strew_named_object *object;

	if (spread->plan.kind != ANALYZE_OBJECTS)
		return spread->counts->shard_bytes;
	object = analyze_object(&spread->plan, unit);
	if (!object->has_bytes || analyze_data_shards(pool) == 0)
		return -1;
	return (double)object->bytes / analyze_data_shards(pool);
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
				double bytes)
{
	device->load.shards++;
	spread->counts->placed++;
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

strew_status analyze_spread_count(struct spread *spread, uint64_t unit,
				  const strew_set *set)
{
	const struct analyze_group *group = spread->now;
	struct spread_device *primary = find_device(spread, set->primary);
	strew_status status = STREW_OK;
	uint64_t placed = 0;
	double bytes;

	if (group == NULL || unit >= group->first + group->count)
		enter_group(spread, analyze_find_group(&spread->plan, unit));
	bytes = shard_bytes(spread, unit);
	spread->totals.lacks_bytes |= bytes < 0;
	spread->totals.has_bytes |= bytes >= 0;
	for (int i = 0; i < set->count && !status; i++) {
		struct spread_device *device = find_device(spread, set->devices[i]);

		if (device == NULL)
			continue;
		placed++;
		status = count_shard(spread, device, bytes);
	}
	count_unplaced(spread, placed);
	if (primary)
		primary->load.primaries++;
	return status;
}
