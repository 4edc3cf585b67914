/* SPDX-License-Identifier: MIT */
#ifndef PLACE_H
#define PLACE_H

#include <strew/placer.h>

#include "map.h"

/**
 * A placer like another, but all its pools are placed by one rule, or in sets of one
 * size. The two share the flat block; release it like any other.
 *
 * @param rule below 0: each pool's own
 * @param size 0: each pool's own; at most STREW_WANT_MAX
 * @return also STREW_ENOTFOUND when there is no such rule.
 */
strew_status place_vary(strew_placer **out, const strew_placer *from, int32_t rule,
			int size, const strew_allocator *allocator, strew_error *error);

/** A placer of another map, which takes its weight sets and its kernel as `from` was told
 * to. @return as strew_placer_new() */
strew_status place_like(strew_placer **out, const strew_placer *from,
			const strew_map *map, const strew_allocator *allocator,
			strew_error *error);

/** A placer like another, but for no upmap and no pg_temp. */
strew_status place_without_overrides(strew_placer **out, const strew_placer *from,
				     const strew_allocator *allocator,
				     strew_error *error);

/** A placer like another, but raw inputs have the weight set that a pool of the map has.
 */
strew_status place_raw_as_pool(strew_placer **out, const strew_placer *from, int64_t pool,
			       const strew_allocator *allocator, strew_error *error);

/** A placer like another, but raw inputs have a weight set of the map, or none (NULL).
 * is_whole: as if no device had a reweight; then it has a flat block of its own. */
strew_status place_vary_raw(strew_placer **out, const strew_placer *from,
			    const struct map_weight_set *set, bool is_whole,
			    const strew_allocator *allocator, strew_error *error);

/** A placer like another, but all rules have so many tries for a place (in MSR rules: so
 * many descents), whatever the tunables and the rules' own steps say. It has a flat block
 * of its own. `tries` is at least 1. */
strew_status place_with_tries(strew_placer **out, const strew_placer *from,
			      uint32_t tries, const strew_allocator *allocator,
			      strew_error *error);

/** Apply the upmaps of an override to a raw set, whether its devices are up or not.
 * `devices` has STREW_WANT_MAX entries. @return how many there are then */
int place_apply_upmaps(const strew_placer *placer, const struct map_override *override,
		       int32_t *devices, int count);

/** A placer of one's own: it places as `from` does until devices fail in it. It has a
 * flat block of its own. For one thread at a time. */
strew_status place_private(strew_placer **out, const strew_placer *from,
			   const strew_allocator *allocator, strew_error *error);
/** A device of a private placer, by its index in the map, dies, or comes back as the map
 * has it. One that died is down and out, as Ceph has it when it waited long enough: its
 * reweight is 0, and its weight stays. */
void place_set_failed(strew_placer *placer, size_t device, bool failed);

/** strew_place() for many inputs: each set gets its devices, room for `want` of them, how
 * many there are, and the first as its primary. @return as strew_place(). */
strew_status place_raw_many(strew_set *sets, const strew_placer *placer, int32_t rule,
			    const uint32_t *xs, size_t count, int want,
			    strew_scratch *scratch);

/** What is hashed of an object, whose pool is in the map. @return as strew_object_pg() */
strew_status place_object_hash(uint32_t *out, const strew_placer *placer, int64_t pool,
			       const strew_object *object);

/** The weight set that is used for raw inputs, or for a pool of the map. NULL: none. */
const struct map_weight_set *place_raw_weight_set(const strew_placer *placer);
const struct map_weight_set *place_pool_weight_set(const strew_placer *placer,
						   int64_t pool);

#endif
