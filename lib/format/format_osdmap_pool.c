/* SPDX-License-Identifier: MIT */
/* The pools and erasure code profiles of a binary OSD map. */
#include <stdlib.h>

#include "format_osdmap_priv.h"

#define FLAG_HASHPSPOOL 1

/* From this version of a pool on, what stands between its min_size and the name of its
 * profile is known. */
#define PROFILE_VERSION 29

struct name {
	int64_t id;
	const char *name;
};

static int compare_names(const void *left, const void *right)
{
	const struct name *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

/* A number, and a record behind it. */
static void skip_snapshots(struct format_osdmap *map)
{
	uint32_t count = format_osdmap_count(map, 8 + 6);

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++) {
		format_osdmap_skip(map, 1, 8);
		format_osdmap_frame(map);
	}
}

static void skip_texts(struct format_osdmap *map)
{
	uint32_t count = format_osdmap_count(map, 2 * 4);

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++) {
		format_osdmap_skip(map, base_bytes_get_u32(&map->bytes), 1);
		format_osdmap_skip(map, base_bytes_get_u32(&map->bytes), 1);
	}
}

/* Behind min_size: quotas, tiers, how it caches, sizes of stripes, targets. */
static const char *read_profile(struct format_osdmap *map)
{
	format_osdmap_skip(map, 2, 8);
	format_osdmap_skip(map, base_bytes_get_u32(&map->bytes), 8);
	format_osdmap_skip(map, 1, 8 + 1 + 8 + 8);
	skip_texts(map);
	format_osdmap_frame(map);
	format_osdmap_skip(map, 3, 4);
	format_osdmap_skip(map, 2, 8);
	format_osdmap_skip(map, 4, 4);
	return format_osdmap_text(map);
}

/* All that a pool has, up to what decides nothing here. */
static void read_fields(struct format_osdmap *map, strew_pool_desc *desc, int version)
{
	desc->kind = (strew_kind)base_bytes_get_u8(&map->bytes);
	desc->size = base_bytes_get_u8(&map->bytes);
	desc->rule = base_bytes_get_u8(&map->bytes);
	desc->object_hash = base_bytes_get_u8(&map->bytes);
	desc->pg_num = base_bytes_get_u32(&map->bytes);
	desc->pgp_num = base_bytes_get_u32(&map->bytes);
	format_osdmap_skip(map, 2 + 1, 4);
	format_osdmap_skip(map, 1, 8 + 4);
	skip_snapshots(map);
	format_osdmap_skip(map, base_bytes_get_u32(&map->bytes), 16);
	format_osdmap_skip(map, 1, 8);
	desc->hashpspool = (base_bytes_get_u64(&map->bytes) & FLAG_HASHPSPOOL) != 0;
	format_osdmap_skip(map, 1, 4);
	desc->min_size = base_bytes_get_u8(&map->bytes);
	if (desc->kind == STREW_KIND_ERASURE && version >= PROFILE_VERSION)
		desc->erasure_profile = read_profile(map);
}

static const char *find_name(const struct base_vec *names, int64_t id)
{
	const struct name wanted = {id, NULL}, *found = NULL;

	if (names->count > 0)
		found = bsearch(&wanted, names->items, names->count, sizeof(wanted),
				compare_names);
	return found ? found->name : NULL;
}

static void read_pool(struct format_osdmap *map, const struct base_vec *names)
{
	struct base_bytes whole;
	size_t at = map->bytes.at;
	int64_t id = base_bytes_get_i64(&map->bytes);
	struct format_osdmap_frame frame = format_osdmap_frame(map);
	strew_pool_desc desc = STREW_POOL_DESC_INIT;

	whole = map->bytes;
	map->bytes = frame.content;
	read_fields(map, &desc, frame.version);
	desc.id = id;
	desc.name = find_name(names, id);
	if (desc.kind != STREW_KIND_REPLICATED && desc.kind != STREW_KIND_ERASURE)
		format_osdmap_refuse(map, frame.content.at,
				     "the type of a pool is 1 (replicated) or 3 "
				     "(erasure), not %d",
				     (int)desc.kind);
	if (desc.name == NULL)
		format_osdmap_refuse(map, at, "the pool %lld has no name", (long long)id);
	if (format_osdmap_good(map))
		strew_builder_add_pool(format_osdmap_builder(map, at), &desc);
	if (map->bytes.lacks == 0)
		map->bytes = whole;
}

static void read_names(struct format_osdmap *map, struct base_vec *names)
{
	uint32_t count = format_osdmap_count(map, 8 + 4);

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++) {
		struct name *name =
			base_vec_push(names, map->input->allocator, sizeof(*name));

		if (name == NULL) {
			format_osdmap_no_memory(map);
			return;
		}
		name->id = base_bytes_get_i64(&map->bytes);
		name->name = format_osdmap_text(map);
	}
	if (names->count > 1)
		qsort(names->items, names->count, sizeof(struct name), compare_names);
}

#define POOL_SIZE (8 + 6)

/* First over the pools, then back to them. */
void format_osdmap_pools(struct format_osdmap *map)
{
	struct base_vec names = {0};
	uint32_t count = format_osdmap_count(map, POOL_SIZE);
	struct base_bytes pools = map->bytes, behind;

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++) {
		format_osdmap_skip(map, 1, 8);
		format_osdmap_frame(map);
	}
	read_names(map, &names);
	behind = map->bytes;
	map->bytes = pools;
	for (uint32_t i = 0; i < count && behind.lacks == 0 && format_osdmap_good(map);
	     i++)
		read_pool(map, &names);
	if (map->bytes.lacks == 0)
		map->bytes = behind;
	base_vec_free(&names, map->input->allocator);
}

static void add_word(struct format_osdmap *map, struct base_vec *words)
{
	const char *text = format_osdmap_text(map);
	const char **word = base_vec_push(words, map->input->allocator, sizeof(*word));

	if (word)
		*word = text;
	else
		format_osdmap_no_memory(map);
}

static void read_parameters(struct format_osdmap *map)
{
	size_t at = map->bytes.at;
	const char *name = format_osdmap_text(map);
	uint32_t count = format_osdmap_count(map, 2 * 4);
	struct base_vec words = {0};

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++) {
		add_word(map, &words);
		add_word(map, &words);
	}
	if (format_osdmap_good(map))
		strew_builder_add_erasure_profile(format_osdmap_builder(map, at), name,
						  words.items, count);
	base_vec_free(&words, map->input->allocator);
}

void format_osdmap_profiles(struct format_osdmap *map)
{
	uint32_t count = format_osdmap_count(map, 2 * 4);

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++)
		read_parameters(map);
}
