/* SPDX-License-Identifier: MIT */
/* Our JSON, strew-map/1; doc/formats/strew-map.md has all of its members. */
#include <stdio.h>
#include <string.h>

#include "base_alloc.h"
#include "base_error.h"
#include "format.h"
#include "format_json_priv.h"

#define FORMAT_MARK   "strew-map/"
#define FORMAT_MARK_1 "strew-map/1"

struct document {
	const char *format, *name;
	int64_t epoch;
	json_t *types, *tunables, *tree, *unplaced, *class_buckets, *rules, *weight_sets,
		*pools;
	json_t *upmaps, *temps;
};

static const struct format_field document_fields[] = {
	FORMAT_REQUIRED(KEY_FORMAT, FORMAT_TEXT, document, format),
	FORMAT_OPTIONAL(KEY_NAME, FORMAT_TEXT, document, name),
	FORMAT_OPTIONAL_RANGE(KEY_EPOCH, document, epoch, 0, INT64_MAX),
	FORMAT_REQUIRED(KEY_TYPES, FORMAT_LIST, document, types),
	FORMAT_OPTIONAL(KEY_TUNABLES, FORMAT_ANY, document, tunables),
	FORMAT_REQUIRED(KEY_TREE, FORMAT_LIST, document, tree),
	FORMAT_OPTIONAL(KEY_UNPLACED, FORMAT_LIST, document, unplaced),
	FORMAT_OPTIONAL(KEY_CLASS_BUCKETS, FORMAT_LIST, document, class_buckets),
	FORMAT_OPTIONAL(KEY_RULES, FORMAT_LIST, document, rules),
	FORMAT_OPTIONAL(KEY_WEIGHT_SETS, FORMAT_LIST, document, weight_sets),
	FORMAT_OPTIONAL(KEY_POOLS, FORMAT_LIST, document, pools),
	FORMAT_OPTIONAL(KEY_UPMAPS, FORMAT_LIST, document, upmaps),
	FORMAT_OPTIONAL(KEY_TEMPS, FORMAT_LIST, document, temps),
};
static const struct format_shape document_shape =
	FORMAT_SHAPE("map", document_fields, false);

struct type {
	const char *name;
	int64_t id;
};

static const struct format_field type_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_ID, type, id, 0, 65535),
	FORMAT_REQUIRED(KEY_NAME, FORMAT_TEXT, type, name),
};
static const struct format_shape type_shape = FORMAT_SHAPE("type", type_fields, false);

/* A name takes the id after the one before it; an object says its id. */
static void read_type(struct format_walk *walk, json_t *element, void *ctx)
{
	int64_t *next = ctx;
	struct type type = {.id = *next};

	if (json_is_string(element))
		type.name = json_string_value(element);
	else if (!format_object(walk, element, &type_shape, &type))
		type.name = NULL;
	if (type.name)
		strew_builder_add_type(format_builder(walk), (int32_t)type.id, type.name);
	else
		map_refuse_all(format_builder(walk), MAP_TYPES);
	*next = type.id + 1;
}

struct class_bucket {
	const char *bucket, *class_name;
	int64_t id;
};

static const struct format_field class_bucket_fields[] = {
	FORMAT_REQUIRED(KEY_BUCKET, FORMAT_TEXT, class_bucket, bucket),
	FORMAT_REQUIRED(KEY_CLASS, FORMAT_TEXT, class_bucket, class_name),
	FORMAT_REQUIRED_RANGE(KEY_ID, class_bucket, id, STREW_BUCKET_ID_MIN, -1),
};
static const struct format_shape class_bucket_shape =
	FORMAT_SHAPE("class bucket", class_bucket_fields, false);

/* The id of the bucket that a member names. */
static bool find_bucket(struct format_map *map, const char *name, int32_t *id)
{
	size_t mark;

	if (format_json_find(map, name, id) && *id < 0)
		return true;
	if (map_refuses_all(map->walk.builder, MAP_BUCKETS))
		return false;
	mark = format_enter(&map->walk, "bucket");
	format_fault(&map->walk, "no bucket of the tree is called \"%s\"", name);
	format_leave(&map->walk, mark);
	return false;
}

static void name_shadow(struct format_map *map, const struct class_bucket *record)
{
	size_t room = strlen(record->bucket) + strlen(record->class_name) + 2;
	char *name = base_arena_alloc(&map->arena, room, 1);

	if (name)
		snprintf(name, room, "%s~%s", record->bucket, record->class_name);
	if (name == NULL || !format_names_add(&map->shadows, map->walk.allocator, name,
					      (int32_t)record->id))
		map->walk.failed = true;
}

static void read_class_bucket(struct format_walk *walk, json_t *element, void *ctx)
{
	struct format_map *map = ctx;
	struct class_bucket record = {0};
	int32_t bucket = 0;

	if (!format_object(walk, element, &class_bucket_shape, &record) ||
	    !find_bucket(map, record.bucket, &bucket))
		return;
	strew_builder_set_shadow_id(format_builder(walk), bucket, record.class_name,
				    (int32_t)record.id);
	name_shadow(map, &record);
}

struct weight_set {
	const char *name;
	int64_t id;
	json_t *buckets;
};

static const struct format_field weight_set_fields[] = {
	FORMAT_OPTIONAL_RANGE(KEY_ID, weight_set, id, -1, INT64_MAX),
	FORMAT_OPTIONAL(KEY_NAME, FORMAT_TEXT, weight_set, name),
	FORMAT_REQUIRED(KEY_BUCKETS, FORMAT_LIST, weight_set, buckets),
};
static const struct format_shape weight_set_shape =
	FORMAT_SHAPE("weight set", weight_set_fields, false);

struct weights {
	const char *bucket;
	json_t *rows, *ids;
};

static const struct format_field weights_fields[] = {
	FORMAT_REQUIRED(KEY_BUCKET, FORMAT_TEXT, weights, bucket),
	FORMAT_OPTIONAL(KEY_WEIGHTS, FORMAT_LIST, weights, rows),
	FORMAT_OPTIONAL(KEY_IDS, FORMAT_LIST, weights, ids),
};
static const struct format_shape weights_shape =
	FORMAT_SHAPE("bucket in a weight set", weights_fields, false);

static void read_weight_row(struct format_walk *walk, json_t *element, void *ctx)
{
	const int32_t *bucket = ctx;
	struct base_vec row = {0};

	if (format_weights(walk, element, &row))
		strew_builder_add_weight_row(format_builder(walk), *bucket, row.items,
					     row.count);
	base_vec_free(&row, walk->allocator);
}

static void read_weights(struct format_walk *walk, json_t *element, void *ctx)
{
	struct format_map *map = ctx;
	struct weights weights = {0};
	int32_t bucket = 0;

	if (!format_object(walk, element, &weights_shape, &weights))
		return;
	if (!format_names_find(&map->shadows, weights.bucket, &bucket) &&
	    !find_bucket(map, weights.bucket, &bucket))
		return;
	format_list(walk, "weights", weights.rows, read_weight_row, &bucket);
	if (weights.ids)
		format_weight_ids(walk, weights.ids, bucket);
}

static void read_weight_set(struct format_walk *walk, json_t *element, void *ctx)
{
	struct weight_set set = {.id = -1};

	if (!format_object(walk, element, &weight_set_shape, &set))
		return;
	strew_builder_add_weight_set(format_builder(walk), set.id, set.name);
	format_list(walk, "buckets", set.buckets, read_weights, ctx);
}

static void read_document(struct format_map *map, const struct document *document)
{
	struct format_walk *walk = &map->walk;
	int64_t next_type = 0;

	if (document->name)
		strew_builder_set_name(format_builder(walk), document->name);
	strew_builder_set_epoch(format_builder(walk), document->epoch);
	format_need_list(walk, document->types, MAP_TYPES);
	format_need_list(walk, document->tree, MAP_BUCKETS);
	format_need_list(walk, document->tree, MAP_DEVICES);
	format_list(walk, "types", document->types, read_type, &next_type);
	if (document->tunables)
		format_tunables(walk, document->tunables, false,
				&map->straw_calc_version);
	format_json_tree(map, document->tree, document->unplaced);
	format_list(walk, "class_buckets", document->class_buckets, read_class_bucket,
		    map);
	format_names_sort(&map->shadows);
	strew_builder_derive_shadows(format_builder(walk));
	format_json_rules(map, document->rules);
	format_list(walk, "weight_sets", document->weight_sets, read_weight_set, map);
	format_json_pools(map, document->pools);
	format_json_overrides(map, document->upmaps, document->temps);
}

static strew_status read_json(const struct format_input *input, strew_builder *builder,
			      strew_error *error)
{
	struct format_map map = {.straw_calc_version = 1};
	struct document document = {.format = NULL};
	const char *mark = json_string_value(json_object_get(input->json, "format"));

	if (mark && strcmp(mark, FORMAT_MARK_1) != 0)
		return base_error_at(
			error, STREW_EFORMAT, input->name, 0, 0,
			"this is \"%s\"; what can be read here is \"" FORMAT_MARK_1 "\"",
			mark);
	format_walk_init(&map.walk, builder, input->allocator);
	base_arena_init(&map.arena, input->allocator);
	format_object(&map.walk, input->json, &document_shape, &document);
	/* Also when something was at fault: the rest is checked in the same run. */
	if (json_object_get(input->json, "rules"))
		format_need_list(&map.walk, document.rules, MAP_RULES);
	if (json_object_get(input->json, "pools"))
		format_need_list(&map.walk, document.pools, MAP_POOLS);
	read_document(&map, &document);
	format_names_free(&map.names, input->allocator);
	format_names_free(&map.shadows, input->allocator);
	base_arena_free(&map.arena);
	return format_walk_end(&map.walk, error);
}

static int probe_json(const struct format_input *input)
{
	const char *mark = json_string_value(json_object_get(input->json, "format"));

	if (mark && strncmp(mark, FORMAT_MARK, strlen(FORMAT_MARK)) == 0)
		return 100;
	return json_is_array(json_object_get(input->json, "tree")) ? 40 : 0;
}

const struct format_ops format_json = {
	.name = "json",
	.summary = "strew's own JSON map, strew-map/1",
	.flags = FORMAT_WHOLE,
	.probe = probe_json,
	.read = read_json,
};
