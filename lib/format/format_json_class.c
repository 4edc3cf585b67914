/* SPDX-License-Identifier: MIT */
/* Class buckets and weight sets of our JSON: other weights and items for what the tree
 * has. */
#include <string.h>

#include "base_alloc.h"
#include "format_json_priv.h"

struct class_bucket {
	const char *bucket, *class_name;
	const char *name, *type, *alg; /* from here on only with items */
	int64_t id, hash, straw_calc_version;
	uint32_t stored_weight;
	json_t *items, *table;
};

static const struct format_field class_bucket_fields[] = {
	FORMAT_REQUIRED(KEY_BUCKET, FORMAT_TEXT, class_bucket, bucket),
	FORMAT_REQUIRED(KEY_CLASS, FORMAT_TEXT, class_bucket, class_name),
	FORMAT_REQUIRED_RANGE(KEY_ID, class_bucket, id, STREW_BUCKET_ID_MIN, -1),
	FORMAT_OPTIONAL(KEY_ITEMS, FORMAT_LIST, class_bucket, items),
	FORMAT_OPTIONAL(KEY_TYPE, FORMAT_TEXT, class_bucket, type),
	FORMAT_OPTIONAL(KEY_NAME, FORMAT_TEXT, class_bucket, name),
	FORMAT_OPTIONAL(KEY_ALG, FORMAT_TEXT, class_bucket, alg),
	FORMAT_OPTIONAL_WORD(KEY_HASH, class_bucket, hash, WORD_BUCKET_HASH, 255),
	FORMAT_OPTIONAL_RANGE(KEY_STRAW_CALC_VERSION, class_bucket, straw_calc_version, 0,
			      1),
	FORMAT_OPTIONAL(KEY_STORED_WEIGHT, FORMAT_WEIGHT, class_bucket, stored_weight),
	FORMAT_OPTIONAL(KEY_TABLE, FORMAT_LIST, class_bucket, table),
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

void format_json_table(struct format_walk *walk, json_t *table, int32_t bucket)
{
	struct base_vec words = {0};
	size_t mark = format_enter(walk, "table");

	for (size_t i = 0; i < json_array_size(table); i++) {
		size_t inner = format_enter_at(walk, i);
		uint32_t *word = base_vec_push(&words, walk->allocator, sizeof(*word));
		int64_t number = 0;

		format_integer(walk, json_array_get(table, i), 0, UINT32_MAX, &number);
		if (word)
			*word = (uint32_t)number;
		else
			walk->failed = true;
		format_leave(walk, inner);
	}
	if (table && !walk->failed)
		map_set_table(format_builder(walk), bucket, words.items, words.count);
	format_leave(walk, mark);
	base_vec_free(&words, walk->allocator);
}

/* One item, [id, weight], of the shadow whose id is in ctx. */
static void read_item(struct format_walk *walk, json_t *element, void *ctx)
{
	const int32_t *shadow = ctx;
	int64_t id = 0;
	uint32_t weight = 0;

	if (json_array_size(element) != 2) {
		format_fault(walk, "expected an item's id and weight, [id, weight]");
		return;
	}
	if (format_integer(walk, json_array_get(element, 0), STREW_BUCKET_ID_MIN,
			   STREW_DEVICE_ID_MAX, &id) &&
	    format_weight(walk, json_array_get(element, 1), &weight))
		strew_builder_add_item(format_builder(walk), *shadow, (int32_t)id, weight,
				       STREW_ITEM_TWICE_OK);
}

/* A shadow that is not what would be made of its bucket. */
static void add_shadow(struct format_map *map, const struct class_bucket *record,
		       int32_t bucket)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	int32_t id;

	desc.id = (int32_t)record->id;
	desc.name = record->name;
	desc.type_name = record->type;
	desc.alg = record->alg;
	desc.hash = (uint8_t)record->hash;
	desc.weight = record->stored_weight;
	desc.shadow_of = bucket;
	desc.class_name = record->class_name;
	desc.straw_calc_version = (uint8_t)record->straw_calc_version;
	id = strew_builder_add_bucket(format_builder(&map->walk), &desc);
	format_list(&map->walk, "items", record->items, read_item, &id);
	format_json_table(&map->walk, record->table, id);
}

static bool is_whole(const struct class_bucket *record)
{
	return record->items && record->type;
}

/* An id alone, or all that there is to a bucket; an id alone is for what is to be made.
 */
static bool accept_parts(struct format_map *map, const struct class_bucket *record)
{
	bool has_more = record->name || record->alg || record->table ||
			record->hash >= 0 || record->straw_calc_version >= 0 ||
			record->stored_weight != STREW_AUTO_WEIGHT;

	if (is_whole(record))
		return true;
	if (record->items || record->type || has_more) {
		format_fault(&map->walk,
			     "a class bucket that is not to be made of its bucket has "
			     "\"items\" and a \"type\"; any other has only \"bucket\", "
			     "\"class\" and \"id\"");
		return false;
	}
	if (!map->derives)
		format_fault(&map->walk,
			     "this class bucket has to have \"items\" and a \"type\", "
			     "because \"derive_class_buckets\" is false: it is not made "
			     "of its bucket");
	return map->derives;
}

static void read_class_bucket(struct format_walk *walk, json_t *element, void *ctx)
{
	struct format_map *map = ctx;
	struct class_bucket record = {
		.hash = -1, .straw_calc_version = -1, .stored_weight = STREW_AUTO_WEIGHT};
	int32_t bucket = 0;

	if (!format_object(walk, element, &class_bucket_shape, &record) ||
	    !accept_parts(map, &record) || !find_bucket(map, record.bucket, &bucket))
		return;
	if (record.name == NULL)
		record.name =
			map_shadow_name(&map->arena, record.bucket, record.class_name);
	if (record.name == NULL || !format_names_add(&map->shadows, walk->allocator,
						     record.name, (int32_t)record.id)) {
		walk->failed = true;
		return;
	}
	if (record.hash < 0)
		record.hash = 0;
	if (record.straw_calc_version < 0)
		record.straw_calc_version = map->straw_calc_version;
	if (is_whole(&record))
		add_shadow(map, &record, bucket);
	else
		strew_builder_set_shadow_id(format_builder(walk), bucket,
					    record.class_name, (int32_t)record.id);
	format_json_remarks(
		walk, element,
		(struct map_remark){.owner = MAP_OF_CLASS_BUCKET, .id = record.id});
}

void format_json_class_buckets(struct format_map *map, json_t *class_buckets)
{
	format_list(&map->walk, "class_buckets", class_buckets, read_class_bucket, map);
	format_names_sort(&map->shadows);
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

/* Where the weights of a bucket are read for a set. */
struct part {
	struct format_map *map;
	int64_t set;
};

static void read_weights(struct format_walk *walk, json_t *element, void *ctx)
{
	const struct part *part = ctx;
	struct format_map *map = part->map;
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
	format_json_remarks(walk, element,
			    (struct map_remark){.owner = MAP_OF_WEIGHTS,
						.id = part->set,
						.other = bucket});
}

static void read_weight_set(struct format_walk *walk, json_t *element, void *ctx)
{
	struct weight_set set = {.id = -1};
	struct part part = {.map = ctx};

	if (!format_object(walk, element, &weight_set_shape, &set))
		return;
	part.set = set.id;
	strew_builder_add_weight_set(format_builder(walk), set.id, set.name);
	format_list(walk, "buckets", set.buckets, read_weights, &part);
	format_json_remarks(
		walk, element,
		(struct map_remark){.owner = MAP_OF_WEIGHT_SET, .id = set.id});
}

void format_json_weight_sets(struct format_map *map, json_t *weight_sets)
{
	format_list(&map->walk, "weight_sets", weight_sets, read_weight_set, map);
}
