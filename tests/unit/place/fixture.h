/* SPDX-License-Identifier: MIT */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <strew/strew.h>

/**
 * A small map: eight devices in one bucket, a rule of each kind, and two pools of eight
 * PGs, FIXTURE_REPLICATED with three replicas and FIXTURE_ERASURE with four shards.
 */

#define FIXTURE_DEVICES    8
#define FIXTURE_REPLICATED 1
#define FIXTURE_ERASURE    2
#define FIXTURE_PG_NUM     8
#define FIXTURE_ROOM       16

/** What a test changes, knowing the raw set of the PG that it is about. */
typedef void fixture_edit(strew_builder *builder, strew_pg pg, const int32_t *raw);

/** A PG's placement, with the arrays of its stages. */
struct fixture_placed {
	strew_stages stages;
	int32_t raw[FIXTURE_ROOM];
	int32_t up[FIXTURE_ROOM];
	int32_t acting[FIXTURE_ROOM];
	int32_t before[FIXTURE_ROOM]; /* the raw set without the edit */
};

/** The map, filled into a builder. */
strew_builder *fixture_builder(const strew_allocator *allocator);
strew_map *fixture_build(strew_builder *builder);
strew_placer *fixture_placer(strew_builder *builder);

/** Place a PG of the map as the edit leaves it; NULL: as it is. The sets' pointers are
 * those of `out`. */
void fixture_place(struct fixture_placed *out, int64_t pool, uint32_t seed,
		   fixture_edit *edit);

/** Fails the test when a set isn't this; the list ends the arguments. */
#define FIXTURE_ASSERT_SET(set, ...)                                                     \
	fixture_assert_set(                                                              \
		&(set), (const int32_t[]){__VA_ARGS__},                                  \
		(int)(sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t)))
void fixture_assert_set(const strew_set *set, const int32_t *expected, int count);

#endif
