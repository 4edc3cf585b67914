/* SPDX-License-Identifier: MIT */
/* Ceph's CRUSH map as `crushtool --dump` and `ceph osd crush dump` print it;
 * doc/formats/ceph-crush-json.md lists its quirks. */
#include <stdlib.h>
#include <string.h>

#include "base_compare.h"
#include "format.h"
#include "format_ceph_priv.h"
#include "format_ceph_write.h"

bool format_ceph_keep_id(struct format_ceph *ceph, struct base_vec *ids, int32_t id)
{
	int32_t *room = base_vec_push(ids, ceph->walk->allocator, sizeof(*room));

	if (room)
		*room = id;
	return room != NULL;
}

void format_ceph_sort_ids(struct base_vec *ids)
{
	if (ids->count > 1)
		qsort(ids->items, ids->count, sizeof(int32_t), base_compare_ids);
}

static bool has_id(const struct base_vec *ids, int32_t id)
{
	return ids->count > 0 &&
	       bsearch(&id, ids->items, ids->count, sizeof(id), base_compare_ids) != NULL;
}

struct document {
	json_t *devices, *types, *buckets, *rules, *tunables, *choose_args;
};

static const struct format_field document_fields[] = {
	FORMAT_REQUIRED(KEY_DEVICES, FORMAT_LIST, document, devices),
	FORMAT_REQUIRED(KEY_TYPES, FORMAT_LIST, document, types),
	FORMAT_REQUIRED(KEY_BUCKETS, FORMAT_LIST, document, buckets),
	FORMAT_OPTIONAL(KEY_RULES, FORMAT_LIST, document, rules),
	FORMAT_OPTIONAL(KEY_TUNABLES, FORMAT_OBJECT, document, tunables),
	FORMAT_OPTIONAL(KEY_CHOOSE_ARGS, FORMAT_OBJECT, document, choose_args),
};
static const struct format_shape document_shape =
	FORMAT_SHAPE("CRUSH map", document_fields, true);

struct type {
	int64_t id;
	const char *name;
};

static const struct format_field type_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_TYPE_ID, type, id, 0, 65535),
	FORMAT_REQUIRED(KEY_NAME, FORMAT_TEXT, type, name),
};
static const struct format_shape type_shape = FORMAT_SHAPE("type", type_fields, true);

static void read_type(struct format_walk *walk, json_t *element, void *ctx)
{
	struct format_ceph *ceph = ctx;
	struct type type;

	if (!format_object(walk, element, &type_shape, &type)) {
		map_refuse_all(format_builder(walk), MAP_TYPES);
		return;
	}
	strew_builder_add_type(format_builder(walk), (int32_t)type.id, type.name);
	if (!format_ceph_keep_id(ceph, &ceph->types, (int32_t)type.id))
		walk->failed = true;
}

/* Of a type without a name buckets and steps tell the number only, and the list of types
 * doesn't have it. */
static void stand_in_types(struct format_ceph *ceph)
{
	const int32_t *ids = ceph->nameless.items;
	strew_builder *builder = ceph->walk->builder;

	format_ceph_sort_ids(&ceph->types);
	format_ceph_sort_ids(&ceph->nameless);
	for (size_t i = 0; i < ceph->nameless.count; i++) {
		if (ids[i] == 0 || (i > 0 && ids[i] == ids[i - 1]) ||
		    has_id(&ceph->types, ids[i]))
			continue;
		strew_builder_add_type(builder, ids[i],
				       map_stand_in(MAP_TYPES, ids[i]).name);
		map_set_unnamed(builder, MAP_TYPES, ids[i]);
	}
}

struct device {
	int64_t id;
	const char *name, *class_name;
};

static const struct format_field device_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_ID, device, id, 0, STREW_DEVICE_ID_MAX),
	FORMAT_REQUIRED(KEY_NAME, FORMAT_TEXT, device, name),
	FORMAT_OPTIONAL(KEY_CLASS, FORMAT_TEXT, device, class_name),
};
static const struct format_shape device_shape =
	FORMAT_SHAPE("device", device_fields, true);

/* Ceph lists every id below the highest, and calls one without a name "deviceN". */
static bool is_nameless(const struct device *device)
{
	int64_t number = 0;

	return format_numbered(device->name, "device", &number) && number == device->id;
}

static void refuse_device(struct format_walk *walk, const struct device *device)
{
	if (device->id >= 0)
		map_refuse_device(format_builder(walk), (int32_t)device->id, device->name,
				  device->class_name);
	else
		map_refuse_all(format_builder(walk), MAP_DEVICES);
}

/* An id without a name is a device when a bucket holds it. */
static void add_nameless(struct format_ceph *ceph, const struct device *device)
{
	strew_builder *builder = format_builder(ceph->walk);
	int32_t id = (int32_t)device->id;

	if (has_id(&ceph->placed, id)) {
		strew_builder_add_device(builder, id, device->name, device->class_name);
		map_set_unnamed(builder, MAP_DEVICES, id);
	} else if (device->class_name) {
		map_add_stray(builder, &(struct map_stray){.kind = MAP_STRAY_CLASS,
							   .id = id,
							   .name = device->class_name});
	}
}

static void read_device(struct format_walk *walk, json_t *element, void *ctx)
{
	struct device device = {.id = -1};

	if (!format_object(walk, element, &device_shape, &device))
		refuse_device(walk, &device);
	else if (is_nameless(&device))
		add_nameless(ctx, &device);
	else
		strew_builder_add_device(format_builder(walk), (int32_t)device.id,
					 device.name, device.class_name);
}

static void read_document(struct format_ceph *ceph, const struct document *document)
{
	struct format_walk *walk = ceph->walk;

	if (document->tunables)
		format_tunables(walk, document->tunables, true,
				&ceph->straw_calc_version);
	else
		format_warn(
			walk,
			"the map has no \"tunables\"; those of Ceph's default profile, "
			"jewel, are taken");
	format_need_list(walk, document->types, MAP_TYPES);
	format_need_list(walk, document->buckets, MAP_BUCKETS);
	format_need_list(walk, document->devices, MAP_DEVICES);
	format_ceph_list_buckets(ceph, document->buckets);
	format_list(walk, "types", document->types, read_type, ceph);
	format_list(walk, "devices", document->devices, read_device, ceph);
	format_ceph_buckets(ceph, document->buckets);
	format_ceph_rules(ceph, document->rules);
	stand_in_types(ceph);
	format_ceph_choose_args(ceph, document->choose_args);
}

void format_ceph_crush(struct format_walk *walk, json_t *map)
{
	struct format_ceph ceph = {.walk = walk, .straw_calc_version = 1};
	struct document document = {.devices = NULL};

	format_object(walk, map, &document_shape, &document);
	if (json_object_get(map, "rules"))
		format_need_list(walk, document.rules, MAP_RULES);
	read_document(&ceph, &document);
	base_vec_free(&ceph.placed, walk->allocator);
	base_vec_free(&ceph.types, walk->allocator);
	base_vec_free(&ceph.nameless, walk->allocator);
	base_vec_free(&ceph.buckets, walk->allocator);
	format_names_free(&ceph.names, walk->allocator);
}

static strew_status read_ceph_json(const struct format_input *input,
				   strew_builder *builder, strew_error *error)
{
	struct format_walk walk;

	format_walk_init(&walk, builder, input->allocator);
	format_ceph_crush(&walk, input->json);
	return format_walk_end(&walk, error);
}

static int probe_ceph_json(const struct format_input *input)
{
	int score = 0;

	if (json_object_get(input->json, "format"))
		return 0;
	for (size_t i = 0; i < document_shape.count; i++)
		if (json_object_get(input->json, format_key_name(document_fields[i].key)))
			score += 10;
	return json_is_array(json_object_get(input->json, "buckets")) ? score + 20 : 0;
}

const struct format_ops format_ceph_json = {
	.name = "crush-json",
	.summary = "Ceph's CRUSH map as JSON (crushtool --dump, ceph osd crush dump)",
	.flags = FORMAT_WHOLE,
	.probe = probe_ceph_json,
	.read = read_ceph_json,
	.write = format_ceph_write,
};
