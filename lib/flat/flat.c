/* SPDX-License-Identifier: MIT */
#include "flat.h"

const struct flat_rule *flat_find_rule(const struct flat *flat, int32_t id)
{
	uint32_t low = 0, high = flat->rule_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct flat_rule *rule = flat_rule_at(flat, middle);

		if (rule->id == id)
			return rule;
		if (rule->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct flat_bucket *flat_find_bucket(const struct flat *flat, int32_t id)
{
	uint32_t low = 0, high = flat->bucket_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct flat_bucket *bucket = flat_bucket_at(flat, middle);

		if (bucket->id == id)
			return bucket;
		if (bucket->id > id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static int32_t search_device(const struct flat *flat, int32_t id)
{
	uint32_t low = 0, high = flat->device_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		int32_t found = flat_device_id(flat, middle);

		if (found == id)
			return (int32_t)middle;
		if (found < id)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

int32_t flat_find_device(const struct flat *flat, int32_t id)
{
	/* Where ids have no gaps, a device's index is its id. */
	if (id >= 0 && (uint32_t)id < flat->device_count &&
	    flat_device_id(flat, (uint32_t)id) == id)
		return id;
	return search_device(flat, id);
}

static const struct flat_set *search_set(const struct flat *flat, int64_t id)
{
	uint32_t low = 0, high = flat->set_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct flat_set *set = flat_set_at(flat, middle);

		if (set->id == id)
			return set;
		if (set->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct flat_set *flat_pick_set(const struct flat *flat, int64_t id)
{
	const struct flat_set *set = search_set(flat, id);

	return set ? set : search_set(flat, -1);
}

uint32_t flat_layout_add(struct flat_layout *layout, uint64_t count, uint64_t size,
			 uint64_t align)
{
	uint64_t start, bytes;

	/* Once too large it stays so. */
	if (!flat_layout_fits(layout))
		return 0;
	start = (layout->used + align - 1) / align * align;
	if (__builtin_mul_overflow(count, size, &bytes) ||
	    __builtin_add_overflow(start, bytes, &layout->used))
		layout->used = UINT64_MAX;
	return (uint32_t)start;
}

bool flat_layout_fits(const struct flat_layout *layout)
{
	return layout->used <= UINT32_MAX;
}
