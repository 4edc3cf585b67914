/* SPDX-License-Identifier: MIT */
#ifndef COMPILE_PRIV_H
#define COMPILE_PRIV_H

#include "base_alloc.h"
#include "flat.h"
#include "map.h"

/**
 * One pass over a map. The same code runs twice: first with `flat` NULL, when it only
 * adds up what the block needs, then with the block, when it fills in. So the two can't
 * disagree.
 */
struct compile_pass {
	const strew_map *map;
	const strew_allocator *allocator;
	strew_error *error;
	struct flat *flat;
	struct flat header; /* becomes the block's */
	struct flat_layout layout;
};

/** What lies at an offset of the block, or NULL in the first pass. */
void *compile_at(const struct compile_pass *pass, uint32_t offset);
/** Room for an array of 32-bit entries. */
uint32_t compile_add_array(struct compile_pass *pass, uint64_t count);

/** Once the block is filled in: buckets' `below`. */
strew_status compile_levels(struct flat *flat, const struct compile_pass *pass);

/** The weight sets. @return the offset of their records. */
uint32_t compile_sets(struct compile_pass *pass);

#endif
