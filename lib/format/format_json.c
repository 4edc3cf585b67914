/* SPDX-License-Identifier: MIT */
/* Our JSON, strew-map/1; doc/formats/strew-map.md has all of its members. */
#include <string.h>

#include "base_alloc.h"
#include "base_error.h"
#include "format.h"
#include "format_json_priv.h"
#include "format_json_write.h"

#define FORMAT_MARK   "strew-map/"
#define FORMAT_MARK_1 "strew-map/1"

struct document {
	const char *format, *name;
	int64_t epoch;
	int64_t device_limit, derives;
	uint32_t full, backfillfull, nearfull;
	json_t *types, *tunables, *classes, *tree, *unplaced, *class_buckets, *rules;
	json_t *weight_sets, *profiles, *pools, *pgs, *upmaps, *temps, *stored;
};

static const struct format_field document_fields[] = {
	FORMAT_REQUIRED(KEY_FORMAT, FORMAT_TEXT, document, format),
	FORMAT_OPTIONAL(KEY_NAME, FORMAT_TEXT, document, name),
	FORMAT_OPTIONAL_RANGE(KEY_EPOCH, document, epoch, 0, INT64_MAX),
	FORMAT_OPTIONAL(KEY_FULL_RATIO, FORMAT_SHARE, document, full),
	FORMAT_OPTIONAL(KEY_BACKFILLFULL_RATIO, FORMAT_SHARE, document, backfillfull),
	FORMAT_OPTIONAL(KEY_NEARFULL_RATIO, FORMAT_SHARE, document, nearfull),
	FORMAT_REQUIRED(KEY_TYPES, FORMAT_LIST, document, types),
	FORMAT_OPTIONAL(KEY_TUNABLES, FORMAT_ANY, document, tunables),
	FORMAT_OPTIONAL(KEY_CLASSES, FORMAT_LIST, document, classes),
	FORMAT_OPTIONAL_RANGE(KEY_DEVICE_LIMIT, document, device_limit, 0,
			      STREW_DEVICE_ID_MAX + 1),
	FORMAT_REQUIRED(KEY_TREE, FORMAT_LIST, document, tree),
	FORMAT_OPTIONAL(KEY_UNPLACED, FORMAT_LIST, document, unplaced),
	FORMAT_OPTIONAL(KEY_CLASS_BUCKETS, FORMAT_LIST, document, class_buckets),
	FORMAT_OPTIONAL(KEY_DERIVE_CLASS_BUCKETS, FORMAT_BOOLEAN, document, derives),
	FORMAT_OPTIONAL(KEY_RULES, FORMAT_LIST, document, rules),
	FORMAT_OPTIONAL(KEY_WEIGHT_SETS, FORMAT_LIST, document, weight_sets),
	FORMAT_OPTIONAL(KEY_ERASURE_PROFILES, FORMAT_OBJECT, document, profiles),
	FORMAT_OPTIONAL(KEY_POOLS, FORMAT_LIST, document, pools),
	FORMAT_OPTIONAL(KEY_PGS, FORMAT_LIST, document, pgs),
	FORMAT_OPTIONAL(KEY_UPMAPS, FORMAT_LIST, document, upmaps),
	FORMAT_OPTIONAL(KEY_TEMPS, FORMAT_LIST, document, temps),
	FORMAT_OPTIONAL(KEY_STORED, FORMAT_OBJECT, document, stored),
};
static const struct format_shape document_shape =
	FORMAT_SHAPE("map", document_fields, false);

/* A type or a class. */
struct level {
	const char *name;
	int64_t id;
};

static const struct format_field type_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_ID, level, id, 0, 65535),
	FORMAT_REQUIRED(KEY_NAME, FORMAT_TEXT, level, name),
};
static const struct format_shape type_shape = FORMAT_SHAPE("type", type_fields, false);

static const struct format_field class_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_ID, level, id, 0, INT32_MAX),
	FORMAT_REQUIRED(KEY_NAME, FORMAT_TEXT, level, name),
};
static const struct format_shape class_shape = FORMAT_SHAPE("class", class_fields, false);

/* A name takes the id after the one before it; an object says its id. */
static struct level read_level(struct format_walk *walk, json_t *element, int64_t *next,
			       const struct format_shape *shape)
{
	struct level level = {.id = *next};

	if (json_is_string(element))
		level.name = json_string_value(element);
	else if (!format_object(walk, element, shape, &level))
		level.name = NULL;
	*next = level.id + 1;
	return level;
}

static void read_type(struct format_walk *walk, json_t *element, void *ctx)
{
	struct level type = read_level(walk, element, ctx, &type_shape);

	if (type.name)
		strew_builder_add_type(format_builder(walk), (int32_t)type.id, type.name);
	else
		map_refuse_all(format_builder(walk), MAP_TYPES);
	format_json_remarks(walk, element,
			    (struct map_remark){.owner = MAP_OF_TYPE, .id = type.id});
}

static void read_class(struct format_walk *walk, json_t *element, void *ctx)
{
	struct level class = read_level(walk, element, ctx, &class_shape);

	if (class.name == NULL)
		return;
	if (class.name[0] == '\0')
		format_fault(walk, "a device class has a name");
	else if (class.id > INT32_MAX)
		format_fault_range(walk, "the ids of device classes end at 2147483647");
	else
		map_add_class_id(format_builder(walk), (int32_t) class.id, class.name);
	format_json_remarks(walk, element,
			    (struct map_remark){.owner = MAP_OF_CLASS, .id = class.id});
}

static void read_head(struct format_map *map, const struct document *document)
{
	struct format_walk *walk = &map->walk;
	int64_t next_type = 0, next_class = 0;

	if (document->name)
		strew_builder_set_name(format_builder(walk), document->name);
	strew_builder_set_epoch(format_builder(walk), document->epoch);
	map_set_ratio(format_builder(walk), MAP_FULL, document->full);
	map_set_ratio(format_builder(walk), MAP_BACKFILLFULL, document->backfillfull);
	map_set_ratio(format_builder(walk), MAP_NEARFULL, document->nearfull);
	if (document->device_limit >= 0)
		map_set_limit(format_builder(walk), (int32_t)document->device_limit);
	format_need_list(walk, document->types, MAP_TYPES);
	format_need_list(walk, document->tree, MAP_BUCKETS);
	format_need_list(walk, document->tree, MAP_DEVICES);
	format_list(walk, "types", document->types, read_type, &next_type);
	format_list(walk, "classes", document->classes, read_class, &next_class);
	if (document->tunables)
		format_tunables(walk, document->tunables, false,
				&map->straw_calc_version);
	format_json_remarks(walk, document->tunables,
			    (struct map_remark){.owner = MAP_OF_TUNABLES});
}

static void read_document(struct format_map *map, const struct document *document)
{
	map->derives = document->derives != 0;
	read_head(map, document);
	format_json_tree(map, document->tree, document->unplaced);
	format_json_class_buckets(map, document->class_buckets);
	format_json_links(map);
	if (map->derives)
		strew_builder_derive_shadows(format_builder(&map->walk));
	format_json_rules(map, document->rules);
	format_json_weight_sets(map, document->weight_sets);
	format_profiles(&map->walk, "erasure_profiles", document->profiles);
	format_json_pools(map, document->pools);
	format_json_uses(map, document->pgs);
	format_json_overrides(map, document->upmaps, document->temps);
	format_json_stored(&map->walk, document->stored);
}

static strew_status read_json(const struct format_input *input, strew_builder *builder,
			      strew_error *error)
{
	struct format_map map = {.straw_calc_version = 1};
	struct document document = {.device_limit = -1, .derives = 1};
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
	format_json_remarks(&map.walk, input->json,
			    (struct map_remark){.owner = MAP_OF_MAP});
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
	.write = format_json_write,
};
