/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_OSDMAP_PRIV_H
#define FORMAT_OSDMAP_PRIV_H

#include "base_alloc.h"
#include "base_bytes.h"
#include "base_vec.h"
#include "format.h"
#include "map.h"

/**
 * Ceph's binary OSD map; doc/formats/osdmap.md has its layout.
 *
 * It is read from its start to its end, and the builder is told at once: what isn't
 * settled yet, such as the rule of a pool, may come later. Only pools wait, for their
 * names stand behind them.
 *
 * Every length is held against the bytes that are there. The first one that doesn't fit,
 * and whatever isn't understood, ends the reading with its offset.
 */
struct format_osdmap {
	const struct format_input *input;
	strew_builder *builder;
	struct base_bytes bytes; /* of the part that is read */
	struct base_arena arena; /* texts */
	int version;             /* of the part for clients */
	int32_t max_osd;
	strew_status status; /* the first failure, which sticks */
	strew_error *error;
};

bool format_osdmap_good(const struct format_osdmap *map);
/** Fails the reading with what is wrong at an offset. */
void format_osdmap_refuse(struct format_osdmap *map, size_t at, const char *text, ...)
	STREW_PRINTF(3, 4);
/** The same, of what a later release may have: says how to get JSON instead. */
void format_osdmap_refuse_version(struct format_osdmap *map, size_t at, const char *text,
				  ...) STREW_PRINTF(3, 4);
void format_osdmap_no_memory(struct format_osdmap *map);
/** The builder, told of a place in the file. */
strew_builder *format_osdmap_builder(struct format_osdmap *map, size_t at);

static inline void format_osdmap_skip(struct format_osdmap *map, uint64_t count,
				      size_t size)
{
	base_bytes_get(&map->bytes, count, size);
}

/** How many things, of at least this size, follow; 0 when they can't. */
uint32_t format_osdmap_count(struct format_osdmap *map, size_t size);
/** A text with its length before it, which stays as long as the reading; NULL when
 * reading has failed. */
const char *format_osdmap_text(struct format_osdmap *map);
/** A record with its version, the oldest that can read it, and its length. */
struct format_osdmap_frame {
	size_t at; /* of its first byte */
	int version;
	int compat;
	struct base_bytes content;
};
struct format_osdmap_frame format_osdmap_frame(struct format_osdmap *map);

/** The pools with their names (format_osdmap_pool.c). */
void format_osdmap_pools(struct format_osdmap *map);
void format_osdmap_profiles(struct format_osdmap *map);
/** Upmaps and temps (format_osdmap_pg.c), each a map of PGs. */
void format_osdmap_sets(struct format_osdmap *map,
			void (*add)(strew_builder *, strew_pg, const int32_t *, size_t));
void format_osdmap_pairs(struct format_osdmap *map);
void format_osdmap_primaries(struct format_osdmap *map,
			     void (*set)(strew_builder *, strew_pg, int32_t));

#endif
