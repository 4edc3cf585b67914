/* SPDX-License-Identifier: MIT */
/* The overrides of a binary OSD map. */
#include "format_osdmap_priv.h"

/* A PG: a version, its pool, its seed, and what once was a preferred device. */
#define PG_SIZE (1 + 8 + 4 + 4)

static strew_pg read_pg(struct format_osdmap *map)
{
	size_t at = map->bytes.at;
	int version = base_bytes_get_u8(&map->bytes);
	strew_pg pg;

	pg.pool = base_bytes_get_i64(&map->bytes);
	pg.seed = base_bytes_get_u32(&map->bytes);
	base_bytes_get_u32(&map->bytes);
	if (version != 1)
		format_osdmap_refuse_version(map, at, "a PG has the version %d, not 1",
					     version);
	return pg;
}

static void read_set(struct format_osdmap *map,
		     void (*add)(strew_builder *, strew_pg, const int32_t *, size_t))
{
	size_t at = map->bytes.at;
	strew_pg pg = read_pg(map);
	uint32_t count = format_osdmap_count(map, 4);
	const uint8_t *ids = base_bytes_get(&map->bytes, count, 4);
	struct base_vec set = {0};
	int32_t *devices = NULL;

	if (ids && count > 0)
		devices = base_vec_extend(&set, map->input->allocator, sizeof(*devices),
					  count);
	for (uint32_t i = 0; devices && i < count; i++)
		devices[i] = (int32_t)base_bytes_u32_at(ids, i);
	if (ids && count > 0 && devices == NULL)
		format_osdmap_no_memory(map);
	else if (format_osdmap_good(map))
		add(format_osdmap_builder(map, at), pg, devices, count);
	base_vec_free(&set, map->input->allocator);
}

void format_osdmap_sets(struct format_osdmap *map,
			void (*add)(strew_builder *, strew_pg, const int32_t *, size_t))
{
	uint32_t count = format_osdmap_count(map, PG_SIZE + 4);

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++)
		read_set(map, add);
}

void format_osdmap_pairs(struct format_osdmap *map)
{
	uint32_t count = format_osdmap_count(map, PG_SIZE + 4);

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++) {
		strew_pg pg = read_pg(map);
		uint32_t pairs = format_osdmap_count(map, 8);

		for (uint32_t j = 0; j < pairs && format_osdmap_good(map); j++) {
			size_t at = map->bytes.at;
			int32_t from = base_bytes_get_i32(&map->bytes);
			int32_t to = base_bytes_get_i32(&map->bytes);

			strew_builder_add_upmap_item(format_osdmap_builder(map, at), pg,
						     from, to);
		}
	}
}

void format_osdmap_primaries(struct format_osdmap *map,
			     void (*set)(strew_builder *, strew_pg, int32_t))
{
	uint32_t count = format_osdmap_count(map, PG_SIZE + 4);

	for (uint32_t i = 0; i < count && format_osdmap_good(map); i++) {
		size_t at = map->bytes.at;
		strew_pg pg = read_pg(map);
		int32_t device = base_bytes_get_i32(&map->bytes);

		if (format_osdmap_good(map))
			set(format_osdmap_builder(map, at), pg, device);
	}
}
