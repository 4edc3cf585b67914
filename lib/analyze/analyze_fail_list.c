/* SPDX-License-Identifier: MIT */
/* The cases: what fails in each. */
#include <inttypes.h>

#include "analyze_fail_priv.h"
#include "base_error.h"

#define CASES_MAX 1000000

static strew_status add_item(struct fail *fail, int32_t id)
{
	size_t room =
		fail->map->bucket_count + fail->map->device_count + fail->how.item_count;

	if (fail->items == NULL)
		fail->items = base_alloc(fail->allocator, room, sizeof(*fail->items));
	if (fail->items == NULL)
		return base_error_nomem(fail->error);
	fail->item_room = room;
	fail->items[fail->item_count++] = id;
	return STREW_OK;
}

static strew_status add_named(struct fail *fail)
{
	strew_status status = STREW_OK;

	for (size_t i = 0; i < fail->how.item_count && !status; i++) {
		int32_t id = fail->how.items[i];
		bool known = id >= 0 ? map_device_index(fail->map, id) >= 0
				     : map_bucket_index(fail->map, id) >= 0;

		if (!known)
			return base_error_set(fail->error, STREW_ENOTFOUND,
					      "the map has no %s %" PRId32,
					      id >= 0 ? "device" : "bucket", id);
		status = add_item(fail, id);
	}
	return status;
}

static strew_status add_buckets(struct fail *fail)
{
	strew_status status = STREW_OK;

	for (size_t i = 0; i < fail->map->bucket_count && !status; i++) {
		const strew_bucket *bucket = &fail->map->buckets[i];

		if (bucket->type == fail->type && bucket->shadow_of == 0)
			status = add_item(fail, bucket->id);
	}
	return status;
}

/* Those that hold something, or could. */
static strew_status add_devices(struct fail *fail)
{
	strew_status status = STREW_OK;

	for (size_t i = 0; i < fail->map->device_count && !status; i++) {
		if (fail->devices[i].listed)
			status = add_item(fail, fail->map->devices[i].id);
	}
	return status;
}

static strew_status list_items(struct fail *fail)
{
	strew_status status;

	if (fail->how.what == STREW_FAIL_ITEMS)
		return add_named(fail);
	status = fail->type == 0 ? add_devices(fail) : add_buckets(fail);
	if (status == STREW_OK && fail->item_count == 0)
		return base_error_set(fail->error, STREW_ENOTFOUND, "the map has no %s",
				      fail->how.type);
	return status;
}

static strew_status count_cases(struct fail *fail)
{
	double count = (double)fail->item_count;

	if (fail->how.what == STREW_FAIL_ITEMS)
		count = 1;
	else if (fail->how.what == STREW_FAIL_PAIRS)
		count = count * (count - 1) / 2;
	if (count < 1)
		return base_error_set(fail->error, STREW_ENOTFOUND,
				      "there is only one %s, and so no pair",
				      fail->how.type);
	if (count > CASES_MAX)
		return base_error_set(fail->error, STREW_ERANGE,
				      "%.0f cases are too many, at most %d are looked "
				      "at; take a higher level, or name items",
				      count, CASES_MAX);
	fail->case_count = (size_t)count;
	return STREW_OK;
}

/* The items of all pairs, one behind the other, take the place of the list of items. */
static strew_status list_pairs(struct fail *fail)
{
	size_t room = 2 * fail->case_count, at = 0;
	int32_t *pairs = base_alloc(fail->allocator, room, sizeof(*pairs));

	if (pairs == NULL)
		return base_error_nomem(fail->error);
	for (size_t i = 0; i < fail->item_count; i++)
		for (size_t k = i + 1; k < fail->item_count; k++) {
			pairs[at++] = fail->items[i];
			pairs[at++] = fail->items[k];
		}
	base_free(fail->allocator, fail->items, fail->item_room * sizeof(*fail->items));
	fail->items = pairs;
	fail->item_room = room;
	return STREW_OK;
}

strew_status analyze_fail_list(struct fail *fail)
{
	size_t each = fail->how.what == STREW_FAIL_PAIRS   ? 2
		      : fail->how.what == STREW_FAIL_ITEMS ? fail->how.item_count
							   : 1;
	strew_status status = list_items(fail);

	if (status == STREW_OK)
		status = count_cases(fail);
	if (status == STREW_OK && fail->how.what == STREW_FAIL_PAIRS)
		status = list_pairs(fail);
	if (status)
		return status;
	fail->cases =
		base_calloc(fail->allocator, fail->case_count, sizeof(*fail->cases));
	fail->order = base_alloc(fail->allocator, fail->case_count, sizeof(*fail->order));
	if (fail->cases == NULL || fail->order == NULL)
		return base_error_nomem(fail->error);
	for (size_t i = 0; i < fail->case_count; i++) {
		fail->cases[i].first = i * each;
		fail->cases[i].items = each;
	}
	return STREW_OK;
}
