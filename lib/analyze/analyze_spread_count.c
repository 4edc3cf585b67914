/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include "base_error.h"

static void enter_group(struct spread *spread, const struct analyze_group *group)
{
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
	bytes = analyze_shard_amount(&spread->plan, spread->now, unit).bytes;
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
