/* SPDX-License-Identifier: MIT */
#ifndef STREW_ALLOC_H
#define STREW_ALLOC_H

#include <strew/common.h>

STREW_BEGIN_DECLS

/**
 * Where memory comes from. Given per object, never global; NULL means the C
 * library's heap.
 *
 * `resize` allocates (old is NULL), frees (new_size is 0, result ignored) and resizes,
 * like realloc with the old size told. It returns NULL when it can't. It may be called
 * from any thread that uses an object made with it. Memory must be aligned for any type.
 * The struct is copied; `ctx` must outlive every object made with it.
 */
typedef struct strew_allocator {
	void *(*resize)(void *ctx, void *old, size_t old_size, size_t new_size);
	void *ctx;
} strew_allocator;

STREW_END_DECLS

#endif
