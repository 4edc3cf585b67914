/* SPDX-License-Identifier: MIT */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdbool.h>

#include <strew/alloc.h>

/**
 * A growable array of one type. Starts empty when cleared (and given an allocator).
 *
 *     struct thing *thing = base_vec_push(&things, allocator, sizeof(*thing));
 *     struct thing *all = things.items;
 */
struct base_vec {
	void *items;
	size_t count;
	size_t bytes; /* allocated */
};

/** Room for one more, cleared; valid until the next push. NULL without memory. */
void *base_vec_push(struct base_vec *vec, const strew_allocator *allocator,
		    size_t item_size);
/** Room for `more` more, cleared, in one run. */
void *base_vec_extend(struct base_vec *vec, const strew_allocator *allocator,
		      size_t item_size, size_t more);
void base_vec_free(struct base_vec *vec, const strew_allocator *allocator);

#endif
