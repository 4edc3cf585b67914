/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "edit_priv.h"

/* Devices and buckets, by what people call them. */

static bool find_name(const strew_map *map, const char *name, int32_t *id)
{
	for (size_t i = 0; i < map->device_count; i++) {
		if (strcmp(map->devices[i].name, name) == 0) {
			*id = map->devices[i].id;
			return true;
		}
	}
	for (size_t i = 0; i < map->bucket_count; i++) {
		if (strcmp(map->buckets[i].name, name) == 0) {
			*id = map->buckets[i].id;
			return true;
		}
	}
	return false;
}

/* "osd.12", "12", or "-4" for a bucket. */
static bool find_number(const strew_map *map, const char *text, int32_t *id)
{
	bool bucket = *text == '-';
	int64_t number;

	if (strncmp(text, "osd.", 4) == 0)
		text += 4;
	if (!edit_parse_number(&number, text + bucket, STREW_DEVICE_ID_MAX))
		return false;
	*id = (int32_t)(bucket ? -number : number);
	return bucket ? map_bucket_index(map, *id) >= 0 : map_device_index(map, *id) >= 0;
}

/* "host:h3" */
static bool find_typed(const strew_map *map, const char *text, int32_t *id)
{
	const char *colon = strchr(text, ':');
	const char *type;

	if (colon == NULL || !find_name(map, colon + 1, id) || *id >= 0)
		return false;
	type = strew_map_type_name(map, strew_map_bucket_by_id(map, *id)->type);
	return type && strlen(type) == (size_t)(colon - text) &&
	       strncmp(type, text, (size_t)(colon - text)) == 0;
}

static strew_status refuse_item(strew_edit *edit, struct edit_call *call,
				const struct edit_arg *arg)
{
	struct edit_names names = {.count = 0};
	const char *colon = strchr(arg->text, ':');
	const char *word = colon ? colon + 1 : arg->text;

	for (size_t i = 0; i < edit->map.bucket_count; i++)
		if (edit->map.buckets[i].shadow_of == 0)
			edit_offer(&names, edit->map.buckets[i].name);
	for (size_t i = 0; i < edit->map.device_count; i++)
		edit_offer(&names, edit->map.devices[i].name);
	return edit_refuse(call, STREW_ENOTFOUND, arg,
			   "there is no device or bucket \"%.96s\"%s", arg->text,
			   edit_hint(call, word, names.list));
}

strew_status edit_find_item(strew_edit *edit, struct edit_call *call,
			    struct edit_arg *arg)
{
	const strew_map *map = &edit->map;
	const strew_bucket *bucket;

	if (!find_name(map, arg->text, &arg->id) &&
	    !find_number(map, arg->text, &arg->id) &&
	    !find_typed(map, arg->text, &arg->id))
		return refuse_item(edit, call, arg);
	bucket = edit_bucket(edit, arg->id);
	if (bucket == NULL || bucket->shadow_of == 0)
		return STREW_OK;
	return edit_refuse(call, STREW_EMAP, arg,
			   "%s is the shadow of %s for a device class, which it follows; "
			   "edit that one",
			   bucket->name, edit_label(edit, call, bucket->shadow_of));
}

strew_status edit_find_bucket(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *arg)
{
	strew_status status = edit_find_item(edit, call, arg);

	if (status != STREW_OK || arg->id < 0)
		return status;
	return edit_refuse(call, STREW_EMAP, arg,
			   "%s is a device; a bucket is needed here",
			   edit_label(edit, call, arg->id));
}

strew_status edit_find_device(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *arg)
{
	strew_status status = edit_find_item(edit, call, arg);

	if (status != STREW_OK || arg->id >= 0)
		return status;
	return edit_refuse(call, STREW_EMAP, arg,
			   "%s is a bucket; a device is needed here",
			   edit_label(edit, call, arg->id));
}

static strew_status add_id(struct edit_call *call, struct base_vec *ids, int32_t id,
			   const strew_allocator *allocator, const struct edit_arg *arg)
{
	int32_t *added;

	if (ids->count == EDIT_IDS_MAX)
		return edit_refuse(call, STREW_ERANGE, arg,
				   "one operation takes at most %d devices",
				   EDIT_IDS_MAX);
	added = base_vec_push(ids, allocator, sizeof(*added));
	if (added == NULL)
		return base_error_nomem(call->error);
	*added = id;
	return STREW_OK;
}

/* "88" or "88-99" */
static bool parse_range(const char *text, int64_t *first, int64_t *last)
{
	char number[16];
	const char *dash = strchr(text, '-');
	size_t len = dash ? (size_t)(dash - text) : strlen(text);

	if (len >= sizeof(number))
		return false;
	memcpy(number, text, len);
	number[len] = '\0';
	if (!edit_parse_number(first, number, STREW_DEVICE_ID_MAX))
		return false;
	*last = *first;
	return dash == NULL || (edit_parse_number(last, dash + 1, STREW_DEVICE_ID_MAX) &&
				*last >= *first);
}

/* One entry of a list of devices: a name or a range. Of a range of devices that are to
 * exist, those that do. */
static strew_status add_entry(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *entry, struct base_vec *ids, bool exist)
{
	const strew_map *map = &edit->map;
	size_t before = ids->count;
	strew_status status = STREW_OK;
	int64_t first, last;
	bool is_range = parse_range(entry->text, &first, &last);

	if (!is_range && !exist)
		return edit_refuse(call, STREW_ESYNTAX, entry,
				   "\"%.64s\" is no device id; ids are given as 88, "
				   "88-99 or 3,5,8-9",
				   entry->text);
	if (!is_range || (exist && first == last)) {
		status = edit_find_device(edit, call, entry);
		return status ? status
			      : add_id(call, ids, entry->id, &edit->allocator, entry);
	}
	if (exist && map->device_count > 0 &&
	    last > map->devices[map->device_count - 1].id)
		last = map->devices[map->device_count - 1].id;
	for (; first <= last && status == STREW_OK; first++)
		if (!exist || map_device_index(map, (int32_t)first) >= 0)
			status = add_id(call, ids, (int32_t)first, &edit->allocator,
					entry);
	if (status == STREW_OK && ids->count == before)
		return edit_refuse(call, STREW_ENOTFOUND, entry,
				   "there is no device with an id in %.64s", entry->text);
	return status;
}

static strew_status find_list(strew_edit *edit, struct edit_call *call,
			      struct edit_arg *arg, bool exist)
{
	struct base_vec ids = {0};
	struct edit_arg entry = *arg;
	char *text = base_arena_strdup(&call->scratch, arg->text);
	strew_status status = STREW_OK;

	for (char *next = text; next && status == STREW_OK;) {
		char *comma = strchr(next, ',');

		if (comma)
			*comma = '\0';
		entry.text = next;
		entry.column = arg->column + (int)(next - text);
		status = add_entry(edit, call, &entry, &ids, exist);
		next = comma ? comma + 1 : NULL;
	}
	arg->ids = base_arena_copy(&call->scratch, ids.items, ids.count, sizeof(int32_t));
	arg->id_count = ids.count;
	base_vec_free(&ids, &edit->allocator);
	if (text == NULL || arg->ids == NULL)
		return base_error_nomem(call->error);
	return status;
}

strew_status edit_find_ids(strew_edit *edit, struct edit_call *call, struct edit_arg *arg)
{
	return find_list(edit, call, arg, false);
}

strew_status edit_find_devices(strew_edit *edit, struct edit_call *call,
			       struct edit_arg *arg)
{
	return find_list(edit, call, arg, true);
}

strew_status edit_check_free(strew_edit *edit, struct edit_call *call,
			     const struct edit_arg *arg, const char *name)
{
	int32_t id;

	if (strchr(name, '~'))
		return edit_refuse(call, STREW_EMAP, arg,
				   "\"%.96s\" has a \"~\", which only the shadows of "
				   "device classes have",
				   name);
	if (!find_name(&edit->map, name, &id))
		return STREW_OK;
	return edit_refuse(call, STREW_EMAP, arg,
			   "the name \"%.96s\" is taken, by %s; names of devices and "
			   "buckets must be unique",
			   name, edit_label(edit, call, id));
}
