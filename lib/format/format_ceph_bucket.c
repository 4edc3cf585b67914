/* SPDX-License-Identifier: MIT */
/* Buckets of a CRUSH dump. */
#include <stdlib.h>
#include <string.h>

#include "format_ceph_priv.h"

struct bucket {
	int64_t id, type, weight;
	const char *name, *alg, *hash;
	json_t *items;
};

/* Ceph prints the 32 bits of a weight as a signed number, in places as an unsigned. */
#define WEIGHT_MIN INT32_MIN
#define WEIGHT_MAX UINT32_MAX

static const struct format_field bucket_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_ID, bucket, id, STREW_BUCKET_ID_MIN, -1),
	FORMAT_OPTIONAL(KEY_NAME, FORMAT_TEXT, bucket, name),
	FORMAT_REQUIRED_RANGE(KEY_TYPE_ID, bucket, type, 1, 65535),
	FORMAT_REQUIRED_RANGE(KEY_WEIGHT, bucket, weight, WEIGHT_MIN, WEIGHT_MAX),
	FORMAT_REQUIRED(KEY_ALG, FORMAT_TEXT, bucket, alg),
	FORMAT_OPTIONAL(KEY_HASH, FORMAT_TEXT, bucket, hash),
	FORMAT_REQUIRED(KEY_ITEMS, FORMAT_LIST, bucket, items),
};
static const struct format_shape bucket_shape =
	FORMAT_SHAPE("bucket", bucket_fields, true);

struct item {
	int64_t id, weight, pos;
};

static const struct format_field item_fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_ID, item, id, STREW_BUCKET_ID_MIN, STREW_DEVICE_ID_MAX),
	FORMAT_REQUIRED_RANGE(KEY_WEIGHT, item, weight, WEIGHT_MIN, WEIGHT_MAX),
	FORMAT_OPTIONAL_RANGE(KEY_POS, item, pos, 0, INT32_MAX),
};
static const struct format_shape item_shape = FORMAT_SHAPE("item", item_fields, true);

/* The last of the 2^32 weights means "sum it up" to the builder; no cluster has it. */
static bool accept_weight(struct format_walk *walk, int64_t weight)
{
	size_t mark;

	if ((uint32_t)weight != STREW_AUTO_WEIGHT)
		return true;
	mark = format_enter(walk, "weight");
	format_fault_range(
		walk,
		"a weight is below 65535.99998 (4294967295 in units of 1/65536); this is "
		"%lld",
		(long long)weight);
	format_leave(walk, mark);
	return false;
}

/* A device's weight is below 32768.0: no sane one is printed as a negative number. */
static bool accept_device_weight(struct format_walk *walk, const struct item *item)
{
	size_t mark;

	if (item->weight >= 0)
		return accept_weight(walk, item->weight);
	mark = format_enter(walk, "weight");
	format_fault_range(
		walk,
		"the weight of a device is at least 0 and below 32768 (2147483648 in "
		"units of 1/65536); this is %lld",
		(long long)item->weight);
	format_leave(walk, mark);
	return false;
}

static bool accept_alg(struct format_walk *walk, const char *alg)
{
	static const char *const algs[] = {"uniform", "list", "tree", "straw", "straw2"};
	size_t mark;

	for (size_t i = 0; i < sizeof(algs) / sizeof(algs[0]); i++)
		if (strcmp(alg, algs[i]) == 0)
			return true;
	mark = format_enter(walk, "alg");
	format_fault_range(walk,
			   "Ceph has no bucket algorithm \"%s\"; it has uniform, list, "
			   "tree, straw and straw2",
			   alg);
	format_leave(walk, mark);
	return false;
}

/* Where an item is read for a bucket. */
struct filling {
	int32_t bucket;
	size_t next;
};

static void read_item(struct format_walk *walk, json_t *element, void *ctx)
{
	struct filling *filling = ctx;
	struct item item = {.pos = (int64_t)filling->next++};
	size_t place = (size_t)item.pos;
	bool good = format_object(walk, element, &item_shape, &item);

	if (!good || !(item.id < 0 ? accept_weight(walk, item.weight)
				   : accept_device_weight(walk, &item)))
		return;
	if ((size_t)item.pos != place)
		format_warn(walk,
			    "the item's \"pos\" is %d, but it stands at %zu in the list; "
			    "the order of the list is taken",
			    (int)item.pos, place);
	if (filling->bucket != 0)
		strew_builder_add_item(format_builder(walk), filling->bucket,
				       (int32_t)item.id, (uint32_t)item.weight,
				       STREW_ITEM_TWICE_OK);
}

static const struct format_ceph_bucket *bucket_at(const struct format_ceph *ceph,
						  int32_t place)
{
	return (const struct format_ceph_bucket *)ceph->buckets.items + place;
}

/* "default~hdd" is the shadow of "default" for the class "hdd", if there is a bucket
 * "default" of the same type; else it is only an odd name. `base` has room for that. */
static void name_shadow(struct format_ceph *ceph, const struct bucket *bucket,
			struct base_str *base, strew_bucket_desc *desc)
{
	const char *tilde = bucket->name ? strrchr(bucket->name, '~') : NULL;
	int32_t place = 0;

	if (tilde == NULL || tilde[1] == '\0')
		return;
	base_str_add_bytes(base, bucket->name, (size_t)(tilde - bucket->name));
	if (!base_str_ok(base)) {
		ceph->walk->failed = true;
		return;
	}
	if (!format_names_find(&ceph->names, base_str_text(base), &place) ||
	    bucket_at(ceph, place)->type != bucket->type)
		return;
	desc->shadow_of = bucket_at(ceph, place)->id;
	desc->class_name = tilde + 1;
}

static int32_t add_bucket(struct format_ceph *ceph, const struct bucket *bucket)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	const struct map_stand_in stand_in =
		map_stand_in(MAP_BUCKETS, (int32_t)bucket->id);
	struct base_str base;
	int32_t id;

	base_str_init(&base, ceph->walk->allocator);
	desc.id = (int32_t)bucket->id;
	desc.name = bucket->name ? bucket->name : stand_in.name;
	if (bucket->name == NULL)
		map_set_unnamed(ceph->walk->builder, MAP_BUCKETS, desc.id);
	desc.type = (int32_t)bucket->type;
	desc.alg = bucket->alg;
	desc.hash = bucket->hash == NULL || strcmp(bucket->hash, "rjenkins1") == 0
			    ? 0
			    : FORMAT_CEPH_UNKNOWN_HASH;
	desc.weight = (uint32_t)bucket->weight;
	desc.straw_calc_version = ceph->straw_calc_version;
	name_shadow(ceph, bucket, &base, &desc);
	id = strew_builder_add_bucket(format_builder(ceph->walk), &desc);
	base_str_free(&base);
	return id;
}

static void read_bucket(struct format_walk *walk, json_t *element, void *ctx)
{
	struct filling filling = {.bucket = 0};
	struct bucket bucket = {.items = NULL};

	if (format_object(walk, element, &bucket_shape, &bucket) &&
	    accept_weight(walk, bucket.weight) && accept_alg(walk, bucket.alg))
		filling.bucket = add_bucket(ctx, &bucket);
	else if (bucket.id < 0)
		filling.bucket = map_refuse_bucket(format_builder(walk),
						   (int32_t)bucket.id, bucket.name);
	else
		map_refuse_all(format_builder(walk), MAP_BUCKETS);
	/* Also when the bucket is at fault: the items are checked in the same run. */
	format_list(walk, "items", bucket.items, read_item, &filling);
}

/* What the reader needs to know of the buckets before they are read. Faults are left to
 * the reading. */
static bool list_bucket(struct format_ceph *ceph, json_t *element)
{
	const char *name = json_string_value(json_object_get(element, "name"));
	json_int_t id = json_integer_value(json_object_get(element, "id"));
	json_int_t type = json_integer_value(json_object_get(element, "type_id"));
	struct format_ceph_bucket *bucket;

	if (id >= 0 || id < STREW_BUCKET_ID_MIN || type < 0 || type > 65535)
		return true;
	if (ceph->buckets.count >= INT32_MAX ||
	    (name && !format_names_add(&ceph->names, ceph->walk->allocator, name,
				       (int32_t)ceph->buckets.count)))
		return false;
	bucket = base_vec_push(&ceph->buckets, ceph->walk->allocator, sizeof(*bucket));
	if (bucket == NULL)
		return false;
	bucket->id = (int32_t)id;
	bucket->type = (int32_t)type;
	bucket->item_count = json_array_size(json_object_get(element, "items"));
	return json_object_get(element, "type_name") != NULL ||
	       format_ceph_keep_id(ceph, &ceph->nameless, bucket->type);
}

static bool list_items(struct format_ceph *ceph, json_t *items)
{
	for (size_t i = 0; i < json_array_size(items); i++) {
		json_int_t id = json_integer_value(
			json_object_get(json_array_get(items, i), "id"));

		if (id >= 0 && id <= STREW_DEVICE_ID_MAX &&
		    !format_ceph_keep_id(ceph, &ceph->placed, (int32_t)id))
			return false;
	}
	return true;
}

void format_ceph_list_buckets(struct format_ceph *ceph, json_t *buckets)
{
	for (size_t i = 0; i < json_array_size(buckets) && !ceph->walk->failed; i++) {
		json_t *element = json_array_get(buckets, i);

		if (!list_bucket(ceph, element) ||
		    !list_items(ceph, json_object_get(element, "items")))
			ceph->walk->failed = true;
	}
	format_names_sort(&ceph->names);
	format_ceph_sort_ids(&ceph->placed);
}

static int compare_buckets(const void *left, const void *right)
{
	const struct format_ceph_bucket *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

void format_ceph_buckets(struct format_ceph *ceph, json_t *buckets)
{
	format_list(ceph->walk, "buckets", buckets, read_bucket, ceph);
	/* From here on they are looked up by id, no longer by their place in the list. */
	if (ceph->buckets.count > 0)
		qsort(ceph->buckets.items, ceph->buckets.count,
		      sizeof(struct format_ceph_bucket), compare_buckets);
}

const struct format_ceph_bucket *format_ceph_find(const struct format_ceph *ceph,
						  int32_t id)
{
	struct format_ceph_bucket wanted = {.id = id};

	if (ceph->buckets.count == 0)
		return NULL;
	return bsearch(&wanted, ceph->buckets.items, ceph->buckets.count, sizeof(wanted),
		       compare_buckets);
}
