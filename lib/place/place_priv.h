/* SPDX-License-Identifier: MIT */
#ifndef PLACE_PRIV_H
#define PLACE_PRIV_H

#include "base_alloc.h"
#include "base_ref.h"
#include "flat.h"
#include "place.h"
#include "place_watch.h"
#include "rule.h"

/** A pool with all that placing needs resolved. */
struct place_pool {
	const strew_pool *pool;
	const struct flat_rule *rule;
	const struct flat_set *set;
	int size; /* of its sets */
	/* Its overrides: map->overrides[first … first + count). */
	size_t override_first;
	size_t override_count;
};

struct strew_placer {
	struct base_ref refs;
	strew_allocator allocator;
	strew_map *map;
	strew_placer *owner; /* of the flat block, and kept for that; NULL: itself */
	struct flat *flat;
	const struct select_kernel *kernel;
	int64_t weight_set; /* as its options told */
	bool force_weight_set;
	const struct flat_set *raw_set;
	struct place_pool *pools; /* by id, as in the map */
	size_t pool_count;
	int max_set;
	bool *failed; /* devices, by index in the map; NULL: none can fail */
};

/** Inputs that are placed together, and the words that their sets have. */
#define PLACE_ROWS       1024
#define PLACE_ROWS_WORDS 4096

struct strew_scratch {
	strew_allocator allocator;
	struct rule_scratch *rule;
	int32_t *set;  /* STREW_WANT_MAX entries, for a PG's stages */
	int32_t *rows; /* PLACE_ROWS_WORDS entries, for what rules give */
};

/** A placer without a flat block, and with nothing resolved. NULL: no memory. */
strew_placer *place_start(const strew_map *map, const strew_allocator *allocator);
/** Room for the pools of its map. */
strew_status place_add_pools(strew_placer *placer, strew_error *error);
/** What any call on this placer may need of a scratch. */
struct rule_needs place_needs(const strew_placer *placer);
/** strew_scratch_new() by needs; NULL: no memory. */
strew_scratch *place_scratch_new(const struct rule_needs *needs,
				 const strew_allocator *allocator);
/** May the scratch be used with the placer? */
bool place_scratch_fits(const strew_placer *placer, const strew_scratch *scratch);
/** Check what strew_place() and strew_place_many() are given, and find the rule. */
strew_status place_check(const struct flat_rule **out, const strew_placer *placer,
			 int32_t rule, int want, const strew_scratch *scratch);
/** O(log n); NULL when there is none. */
const struct place_pool *place_find_pool(const strew_placer *placer, int64_t id);
/** For raw inputs but for the rule, and for a pool's PGs; both but for x. */
struct rule_call place_raw_call(const strew_placer *placer, int want);
struct rule_call place_pool_call(const strew_placer *placer,
				 const struct place_pool *pool);
/** A set of what a rule gave for a raw input. */
void place_fill_set(strew_set *set, const int32_t *row, int count);
/** How many of what is left are placed together. */
size_t place_chunk_size(size_t left, int want);

/** A PG on its way: where it lies, and what is hashed for it. */
struct place_pg {
	const strew_placer *placer;
	const struct place_pool *pool;
	uint32_t seed;
	uint32_t x;
	const struct place_watch *watch; /* NULL: nobody watches */
};

/** From the set that the PG's rule gives to its stages. */
void place_finish_pg(strew_stages *stages, const struct place_pg *pg, const int32_t *set,
		     int count, strew_scratch *scratch);
/** The value that CRUSH hashes for a PG. */
uint32_t place_pg_input(const strew_pool *pool, uint32_t seed);

#endif
