/* SPDX-License-Identifier: MIT */
/* What hangs in all buckets of a type. */
#include "base_error.h"
#include "compile_priv.h"

/* What is noted of a type: 0 for nothing yet, 1 + a type, or several. */
#define SEVERAL UINT32_MAX

static void note_items(uint32_t *below, const struct flat_bucket *buckets,
		       const struct flat_bucket *bucket)
{
	const int32_t *refs = flat_refs(bucket);

	for (uint32_t i = 0; i < bucket->count && *below != SEVERAL; i++) {
		int32_t type = refs[i] < 0 ? buckets[-1 - refs[i]].type : 0;
		uint32_t found = (uint32_t)type + 1;

		*below = *below == 0 || *below == found ? found : SEVERAL;
	}
}

/* One entry for each of the map's types, each of which it knows. */
static uint32_t *entry_of(uint32_t *below, const strew_map *map, int32_t type)
{
	return &below[map_type_index(map, type)];
}

strew_status compile_levels(struct flat *flat, const struct compile_pass *pass)
{
	const strew_map *map = pass->map;
	struct flat_bucket *buckets = compile_at(pass, flat->buckets);
	uint32_t *below = base_calloc(pass->allocator, map->type_count, sizeof(*below));

	if (below == NULL)
		return base_error_nomem(pass->error);
	for (uint32_t i = 0; i < flat->bucket_count; i++) {
		note_items(entry_of(below, map, buckets[i].type), buckets, &buckets[i]);
		flat->any_empty |= buckets[i].count == 0;
	}
	for (uint32_t i = 0; i < flat->bucket_count; i++) {
		uint32_t found = *entry_of(below, map, buckets[i].type);

		buckets[i].below = found != SEVERAL ? found : 0;
	}
	base_free(pass->allocator, below, map->type_count * sizeof(*below));
	return STREW_OK;
}
