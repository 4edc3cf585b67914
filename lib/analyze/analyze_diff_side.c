/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include "base_error.h"

/* The two maps side by side, and their devices. */

struct diff_device *analyze_diff_device(const struct diff *diff, int32_t id)
{
	size_t low = 0, high = diff->device_count;

	/* Without gaps an id is its own place. */
	if (id >= 0 && (size_t)id < high && diff->devices[id].id == id)
		return &diff->devices[id];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (diff->devices[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == diff->device_count || diff->devices[low].id != id)
		return NULL;
	return &diff->devices[low];
}

const char *analyze_diff_device_name(const struct diff *diff,
				     const struct diff_device *device)
{
	int side = device->indexes[1] >= 0 ? 1 : 0;

	return diff->sides[side].map->devices[device->indexes[side]].name;
}

/* Both maps list devices by id. */
static void merge_devices(struct diff *diff)
{
	const strew_map *maps[2] = {diff->sides[0].map, diff->sides[1].map};
	size_t next[2] = {0, 0};

	while (next[0] < maps[0]->device_count || next[1] < maps[1]->device_count) {
		struct diff_device *device = &diff->devices[diff->device_count++];

		device->id = STREW_NONE;
		for (int side = 0; side < 2; side++) {
			if (next[side] < maps[side]->device_count &&
			    maps[side]->devices[next[side]].id < device->id)
				device->id = maps[side]->devices[next[side]].id;
		}
		for (int side = 0; side < 2; side++) {
			bool has = next[side] < maps[side]->device_count &&
				   maps[side]->devices[next[side]].id == device->id;

			device->indexes[side] = has ? (int32_t)next[side]++ : -1;
		}
	}
}

static size_t device_room(const struct diff *diff)
{
	return diff->sides[0].map->device_count + diff->sides[1].map->device_count + 1;
}

strew_status analyze_diff_open_sides(struct diff *diff)
{
	strew_status status = STREW_OK;

	for (int i = 0; i < 2 && !status; i++) {
		struct diff_side *side = &diff->sides[i];

		status = analyze_tree_new(&side->tree, side->map, diff->allocator,
					  diff->error);
		side->shares = base_calloc(diff->allocator, side->map->device_count + 1,
					   sizeof(*side->shares));
		side->buckets = base_alloc(diff->allocator, side->map->bucket_count + 1,
					   sizeof(*side->buckets));
		if (side->shares == NULL || side->buckets == NULL)
			status = base_error_nomem(diff->error);
	}
	if (status)
		return status;
	diff->devices =
		base_calloc(diff->allocator, device_room(diff), sizeof(*diff->devices));
	if (diff->devices == NULL)
		return base_error_nomem(diff->error);
	merge_devices(diff);
	analyze_diff_match(diff);
	return STREW_OK;
}

void analyze_diff_close_sides(struct diff *diff)
{
	for (int i = 0; i < 2; i++) {
		struct diff_side *side = &diff->sides[i];

		analyze_tree_free(&side->tree, diff->allocator);
		base_free(diff->allocator, side->shares,
			  (side->map->device_count + 1) * sizeof(*side->shares));
		base_free(diff->allocator, side->buckets,
			  (side->map->bucket_count + 1) * sizeof(*side->buckets));
	}
	base_free(diff->allocator, diff->devices,
		  device_room(diff) * sizeof(*diff->devices));
}
