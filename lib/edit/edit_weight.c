/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "edit_priv.h"

strew_status edit_check_weight(strew_edit *edit, struct edit_call *call,
			       const struct edit_arg *arg, int32_t item)
{
	if (item < 0 || arg->weight < STREW_DEVICE_WEIGHT_END)
		return STREW_OK;
	return edit_refuse(call, STREW_ERANGE, arg,
			   "%s can't weigh %.64s; a device's weight must be below 32768",
			   edit_label(edit, call, item), arg->text);
}

static strew_status reweight(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *item = &call->args[0], *weight = &call->args[1];
	strew_status status = edit_check_weight(edit, call, weight, item->id);

	if (status != STREW_OK)
		return status;
	if (edit_count_holders(edit, item->id) == 0)
		return edit_refuse(call, STREW_EMAP, item,
				   "%s hangs in no bucket, so that it has no weight",
				   edit_label(edit, call, item->id));
	for (size_t i = 0; i < edit->map.bucket_count; i++) {
		strew_bucket *bucket = &edit->map.buckets[i];
		size_t index = edit_item_index(bucket, item->id);

		if (bucket->shadow_of != 0 || index == EDIT_NOWHERE)
			continue;
		edit_weigh(edit, bucket, index, weight->weight);
		edit_follow(edit, bucket->id);
	}
	return STREW_OK;
}

static void reweight_devices(strew_edit *edit, strew_bucket *bucket, uint32_t weight)
{
	bool changed = false;

	for (size_t i = 0; i < bucket->item_count; i++) {
		if (bucket->items[i].id < 0)
			continue;
		edit_weigh(edit, bucket, i, weight);
		changed = true;
	}
	if (changed)
		edit_follow(edit, bucket->id);
}

static strew_status reweight_below(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *weight = &call->args[1];
	strew_status status = edit_check_weight(edit, call, weight, 0);
	struct edit_below below;

	if (status != STREW_OK)
		return status;
	edit_list_below(edit, &below, call->args[0].id);
	for (size_t i = 0; i < below.indexes.count && !edit->failed; i++)
		reweight_devices(edit,
				 &edit->map.buckets[((uint32_t *)below.indexes.items)[i]],
				 weight->weight);
	edit_free_below(edit, &below);
	return STREW_OK;
}

/* Bucket weights first: whatever is changed above follows by differences. */
static strew_status reweight_all(strew_edit *edit, struct edit_call *call)
{
	(void)call;
	for (size_t i = 0; i < edit->map.bucket_count; i++) {
		strew_bucket *bucket = &edit->map.buckets[i];

		if (bucket->shadow_of == 0)
			bucket->weight = (uint32_t)map_item_sum(bucket);
	}
	for (size_t i = 0; i < edit->map.bucket_count && !edit->failed; i++)
		if (edit->map.buckets[i].shadow_of == 0)
			edit_follow(edit, edit->map.buckets[i].id);
	edit->reshaped = true;
	return STREW_OK;
}

static strew_status set_tunable(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *name = &call->args[0], *value = &call->args[1];
	uint32_t max;

	if (!map_tunable_max(name->text, &max))
		return edit_refuse(call, STREW_ENOTFOUND, name,
				   "there is no tunable \"%.64s\"; the nearest one is %s",
				   name->text, map_nearest_tunable(name->text));
	if (value->number > max)
		return edit_refuse(call, STREW_ERANGE, value,
				   "the tunable %s must be at most %u", name->text, max);
	map_set_tunable(&edit->map.tunables, name->text, (uint32_t)value->number);
	return STREW_OK;
}

static strew_status set_profile(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *name = &call->args[0];

	if (map_set_profile(&edit->map.tunables, name->text))
		return STREW_OK;
	return edit_refuse(call, STREW_ENOTFOUND, name,
			   "there is no profile \"%.64s\"; %s", name->text, MAP_PROFILES);
}

const struct edit_op edit_weight_ops[] = {
	{"reweight ITEM W",
	 "set an item's CRUSH weight wherever it hangs; the weights above follow",
	 reweight},
	{"reweight below BUCKET W", "set the CRUSH weight of all devices below a bucket",
	 reweight_below},
	{"reweight all", "make all buckets weigh what they hold", reweight_all},
	{"set tunables PROFILE", "set all tunables, such as to jewel", set_profile},
	{"set tunable NAME N", "set one tunable", set_tunable},
	{NULL, NULL, NULL},
};
