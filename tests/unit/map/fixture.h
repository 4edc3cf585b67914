/* SPDX-License-Identifier: MIT */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "map.h"

#define ONE STREW_WEIGHT_ONE

/** A builder with the types device, host, rack and root. */
static inline strew_builder *start(const strew_allocator *allocator)
{
	strew_builder *builder;

	ck_assert_int_eq(strew_builder_new(&builder, allocator), STREW_OK);
	strew_builder_in_file(builder, "map.json");
	strew_builder_add_type(builder, 0, "device");
	strew_builder_add_type(builder, 1, "host");
	strew_builder_add_type(builder, 2, "rack");
	strew_builder_add_type(builder, 3, "root");
	return builder;
}

static inline int32_t add_bucket(strew_builder *builder, int32_t id, const char *name,
				 int32_t type)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.type = type;
	return strew_builder_add_bucket(builder, &desc);
}

static inline void hang(strew_builder *builder, int32_t bucket, int32_t item)
{
	strew_builder_add_item(builder, bucket, item, STREW_AUTO_WEIGHT, 0);
}

/** A host with devices of its own, of weight 1.0. */
static inline int32_t add_host(strew_builder *builder, int32_t id, const char *name,
			       int32_t first, int32_t count)
{
	id = add_bucket(builder, id, name, 1);
	for (int32_t i = first; i < first + count; i++) {
		strew_builder_add_device(builder, i, NULL, NULL);
		hang(builder, id, i);
	}
	return id;
}

/** A root "default" (-1) over the hosts h1 (-2; devices 0, 1) and h2 (-3; 2, 3). */
static inline void add_tree(strew_builder *builder)
{
	add_bucket(builder, -1, "default", 3);
	add_host(builder, -2, "h1", 0, 2);
	add_host(builder, -3, "h2", 2, 2);
	hang(builder, -1, -2);
	hang(builder, -1, -3);
}

static inline void add_rule(strew_builder *builder, int32_t id, const char *name)
{
	strew_builder_add_rule(builder, id, name, STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 0, 0, "host");
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

static inline strew_pool_desc pool_desc(int64_t id, const char *name)
{
	strew_pool_desc desc = STREW_POOL_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.pg_num = 8;
	desc.rule = 0;
	return desc;
}

/** Build, free the builder. */
static inline strew_map *finish(strew_builder *builder)
{
	strew_map *map;
	strew_error error = {STREW_OK, 0, 0, "", ""};
	strew_status status = strew_builder_build(&map, builder, &error);

	if (status != STREW_OK)
		ck_abort_msg("%s: %s", error.where, error.text);
	strew_builder_free(builder);
	return map;
}

/** The build must fail with this one fault, here. Frees the builder. */
static inline void refuse(strew_builder *builder, const char *where, const char *text)
{
	strew_map *map;
	strew_error error = {STREW_OK, 0, 0, "", ""};

	ck_assert_int_eq(strew_builder_build(&map, builder, &error), STREW_EMAP);
	ck_assert_ptr_null(map);
	ck_assert_str_eq(error.text, text);
	ck_assert_str_eq(error.where, where);
	if (strew_builder_fault_count(builder) != 1)
		ck_abort_msg("a second fault: %s",
			     strew_builder_fault_at(builder, 1)->text);
	strew_builder_free(builder);
}

/** The map has this one warning, or none when text is NULL. Releases the map. */
static inline void warned(strew_map *map, const char *text)
{
	ck_assert_uint_eq(strew_map_warning_count(map), text ? 1 : 0);
	if (text)
		ck_assert_str_eq(strew_map_warning_at(map, 0)->text, text);
	strew_map_release(map);
}

/** "id name weight: item*weight …" of a bucket, weights as whole numbers of 1/16. */
static inline const char *draw(const strew_map *map, const char *name)
{
	static char text[1024];
	const strew_bucket *bucket = strew_map_bucket_by_name(map, name);
	size_t at;

	if (bucket == NULL)
		return "no such bucket";
	at = (size_t)snprintf(text, sizeof(text), "%d %u:", (int)bucket->id,
			      bucket->weight / (ONE / 16));
	for (size_t i = 0; i < bucket->item_count && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, " %d*%u",
				       (int)bucket->items[i].id,
				       bucket->items[i].weight / (ONE / 16));
	return text;
}

#endif
