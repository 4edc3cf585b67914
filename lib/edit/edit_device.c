/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "edit_priv.h"

static strew_device *device_of(const strew_edit *edit, int32_t id)
{
	int64_t index = map_device_index(&edit->map, id);

	return index < 0 ? NULL : &edit->map.devices[index];
}

static int32_t end_of_devices(const strew_edit *edit)
{
	size_t count = edit->map.device_count;

	return count ? edit->map.devices[count - 1].id + 1 : 0;
}

/* Where a device is, or is to be, in the order of ids. */
static size_t place_of(const strew_edit *edit, int32_t id)
{
	size_t low = 0, high = edit->map.device_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (edit->map.devices[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void make_device(strew_edit *edit, int32_t id, const char *name)
{
	strew_device *device =
		edit_insert(edit, &edit->devices, sizeof(*device), place_of(edit, id));

	if (device == NULL)
		return;
	device->id = id;
	device->name = edit_keep(edit, name);
	device->reweight = STREW_WEIGHT_ONE;
	device->primary_affinity = STREW_WEIGHT_ONE;
	device->exists = device->up = true;
	if (edit->map.device_limit <= id)
		edit->map.device_limit = id + 1;
}

static bool lists(const int32_t *devices, size_t count, int32_t id)
{
	for (size_t i = 0; i < count; i++)
		if (devices[i] == id)
			return true;
	return false;
}

static void drop_pairs(strew_edit *edit, struct map_override *override, int32_t id)
{
	size_t count = override->upmap_item_count, kept = 0;
	int32_t *pairs;

	for (size_t i = 0; i < count; i++)
		kept += override->upmap_items[2 * i + 1] != id;
	if (kept == count)
		return;
	pairs = edit_alloc(edit, kept, 2 * sizeof(*pairs));
	if (pairs == NULL)
		return;
	kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (override->upmap_items[2 * i + 1] == id)
			continue;
		pairs[2 * kept] = override->upmap_items[2 * i];
		pairs[2 * kept + 1] = override->upmap_items[2 * i + 1];
		kept++;
	}
	override->upmap_items = pairs;
	override->upmap_item_count = kept;
}

static void drop_upmaps(strew_edit *edit, int32_t id)
{
	for (size_t i = edit->map.override_count; i-- > 0;) {
		struct map_override *override = &edit->map.overrides[i];

		if (lists(override->upmap, override->upmap_count, id)) {
			override->upmap = NULL;
			override->upmap_count = 0;
		}
		if (override->upmap_primary == id)
			override->upmap_primary = STREW_NONE;
		drop_pairs(edit, override, id);
		edit_tidy_override(edit, i);
	}
}

/* A limit just above the devices stays there. */
void edit_drop_device(strew_edit *edit, int32_t id)
{
	bool follows = edit->map.device_limit == end_of_devices(edit);

	edit_erase(edit, &edit->devices, sizeof(strew_device), place_of(edit, id));
	if (follows)
		edit->map.device_limit = end_of_devices(edit);
	drop_upmaps(edit, id);
	edit->reshaped = true;
}

static strew_status check_new(strew_edit *edit, struct edit_call *call,
			      const struct edit_arg *ids, int32_t id, const char *name)
{
	if (edit_count_holders(edit, id) > 0)
		return edit_refuse(call, STREW_EMAP, ids,
				   "%s hangs in the tree already; move or link it",
				   edit_label(edit, call, id));
	if (device_of(edit, id))
		return STREW_OK;
	return edit_check_free(edit, call, ids, name);
}

static const char *device_name(struct edit_call *call, int32_t id)
{
	const struct edit_arg *given = &call->args[4];
	char name[32];

	if (given->text)
		return given->text;
	snprintf(name, sizeof(name), "osd.%d", (int)id);
	return base_arena_strdup(&call->scratch, name);
}

static strew_status check_add(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *ids = &call->args[0], *name = &call->args[4];
	strew_status status = edit_check_weight(edit, call, &call->args[2], ids->ids[0]);

	if (status == STREW_OK)
		status = edit_check_uniform(edit, call, &call->args[1],
					    call->args[2].weight);
	if (status == STREW_OK && name->text && ids->id_count > 1)
		status = edit_refuse(call, STREW_EMAP, name,
				     "one name is given for %zu devices", ids->id_count);
	for (size_t i = 0; i < ids->id_count && status == STREW_OK; i++) {
		const char *new_name = device_name(call, ids->ids[i]);

		status = new_name ? check_new(edit, call, ids, ids->ids[i], new_name)
				  : base_error_nomem(call->error);
		if (status == STREW_OK && lists(ids->ids, i, ids->ids[i]))
			status =
				edit_refuse(call, STREW_EMAP, ids,
					    "the id %d is given twice", (int)ids->ids[i]);
	}
	return status;
}

static strew_status add_devices(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *ids = &call->args[0], *class = &call->args[3];
	strew_status status = check_add(edit, call);
	const char *class_name = NULL;

	if (status != STREW_OK)
		return status;
	if (class->text) {
		class_name = edit_class(edit, class->text);
		edit->shades = true;
	}
	for (size_t i = 0; i < ids->id_count && !edit->failed; i++) {
		int32_t id = ids->ids[i];

		if (device_of(edit, id) == NULL)
			make_device(edit, id, device_name(call, id));
		if (class_name && !edit->failed)
			device_of(edit, id)->class_name = class_name;
		edit_hang(edit, edit_bucket(edit, call->args[1].id), id,
			  call->args[2].weight);
	}
	edit_follow(edit, call->args[1].id);
	return STREW_OK;
}

static strew_status set_class(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *devices = &call->args[0];
	const char *name = edit_class(edit, call->args[1].text);

	for (size_t i = 0; i < devices->id_count; i++)
		device_of(edit, devices->ids[i])->class_name = name;
	edit->shades = edit->reshaped = true;
	return STREW_OK;
}

static strew_status remove_class(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *devices = &call->args[0];

	for (size_t i = 0; i < devices->id_count; i++)
		device_of(edit, devices->ids[i])->class_name = NULL;
	edit->reshaped = true;
	return STREW_OK;
}

static size_t find_class(const strew_edit *edit, const char *name)
{
	size_t i = 0;

	while (i < edit->map.class_count && strcmp(edit->map.classes[i].name, name) != 0)
		i++;
	return i;
}

static strew_status refuse_class(strew_edit *edit, struct edit_call *call,
				 const struct edit_arg *arg)
{
	size_t count = edit->map.class_count < 100 ? edit->map.class_count : 100;
	const char *names[101] = {0};

	for (size_t i = 0; i < count; i++)
		names[i] = edit->map.classes[i].name;
	return edit_refuse(call, STREW_ENOTFOUND, arg,
			   "there is no device class \"%.64s\"%s", arg->text,
			   edit_hint(call, arg->text, names));
}

static void rename_in(strew_edit *edit, const char *old, const char *name)
{
	for (size_t i = 0; i < edit->map.device_count; i++) {
		strew_device *device = &edit->map.devices[i];

		if (device->class_name && strcmp(device->class_name, old) == 0)
			device->class_name = name;
	}
	for (size_t i = 0; i < edit->map.bucket_count; i++) {
		strew_bucket *bucket = &edit->map.buckets[i];

		if (bucket->class_name && strcmp(bucket->class_name, old) == 0)
			bucket->class_name = name;
	}
}

static strew_status rename_class(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *old = &call->args[0], *name = &call->args[1];
	size_t class = find_class(edit, old->text);
	const char *kept;

	if (class == edit->map.class_count)
		return refuse_class(edit, call, old);
	if (find_class(edit, name->text) < edit->map.class_count)
		return edit_refuse(call, STREW_EMAP, name,
				   "there is a device class \"%.64s\" already",
				   name->text);
	kept = edit_keep(edit, name->text);
	if (kept == NULL)
		return STREW_ENOMEM;
	edit->map.classes[class].name = kept;
	rename_in(edit, old->text, kept);
	edit->reshaped = true;
	return STREW_OK;
}

static strew_status set_reweight(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *devices = &call->args[0];

	for (size_t i = 0; i < devices->id_count; i++)
		device_of(edit, devices->ids[i])->reweight = call->args[1].weight;
	return STREW_OK;
}

static strew_status take_out(strew_edit *edit, struct edit_call *call)
{
	call->args[1].weight = 0;
	return set_reweight(edit, call);
}

static strew_status take_in(strew_edit *edit, struct edit_call *call)
{
	call->args[1].weight = STREW_WEIGHT_ONE;
	return set_reweight(edit, call);
}

static strew_status set_affinity(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *devices = &call->args[0];

	for (size_t i = 0; i < devices->id_count; i++)
		device_of(edit, devices->ids[i])->primary_affinity = call->args[1].weight;
	return STREW_OK;
}

/* Only what exists can be up. */
static strew_status set_up(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *devices = &call->args[0];

	for (size_t i = 0; i < devices->id_count; i++)
		if (!device_of(edit, devices->ids[i])->exists)
			return edit_refuse(
				call, STREW_EMAP, devices,
				"%s does not exist for the cluster, so that it "
				"can't be up",
				edit_label(edit, call, devices->ids[i]));
	for (size_t i = 0; i < devices->id_count; i++)
		device_of(edit, devices->ids[i])->up = true;
	return STREW_OK;
}

static strew_status set_down(strew_edit *edit, struct edit_call *call)
{
	const struct edit_arg *devices = &call->args[0];

	for (size_t i = 0; i < devices->id_count; i++)
		device_of(edit, devices->ids[i])->up = false;
	return STREW_OK;
}

const struct edit_op edit_device_ops[] = {
	{"add device IDS to BUCKET weight W [class CLASS] [name NAME]",
	 "new devices, such as 88 or 88-99, each of this CRUSH weight", add_devices},
	{"set class DEVICES CLASS", "the device class; shadow trees follow", set_class},
	{"remove class DEVICES", "have devices be of no class", remove_class},
	{"rename class OLD NEW", "give a device class another name", rename_class},
	{"set reweight DEVICES SHARE",
	 "the part of its data, 0 to 1, that a device keeps (its override weight)",
	 set_reweight},
	{"out DEVICES", "the same as a reweight of 0", take_out},
	{"in DEVICES", "the same as a reweight of 1", take_in},
	{"up DEVICES", "devices that run", set_up},
	{"down DEVICES", "devices that don't", set_down},
	{"set affinity DEVICES SHARE",
	 "how much of what a device is first for it is primary for, 0 to 1",
	 set_affinity},
	{NULL, NULL, NULL},
};
