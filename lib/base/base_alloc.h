/* SPDX-License-Identifier: MIT */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stdbool.h>

#include <strew/alloc.h>

/** The heap; what a NULL allocator in an option struct stands for. */
extern const strew_allocator base_heap;

/** `allocator`, or the heap when it is NULL. */
const strew_allocator *base_allocator_or_heap(const strew_allocator *allocator);

/** NULL when there is no memory, or when size is 0 or count × size overflows.
 * Not cleared. */
void *base_alloc(const strew_allocator *allocator, size_t count, size_t size);
/** The same, cleared. */
void *base_calloc(const strew_allocator *allocator, size_t count, size_t size);
/** On failure the old block stays. */
void *base_resize(const strew_allocator *allocator, void *old, size_t old_size,
		  size_t new_size);
/** NULL is allowed. */
void base_free(const strew_allocator *allocator, void *block, size_t size);

/**
 * Many allocations, one free. Start with base_arena_init(); freeing an initialised arena
 * twice is allowed.
 */
struct base_arena {
	strew_allocator allocator;
	struct base_arena_chunk *chunks;
};

void base_arena_init(struct base_arena *arena, const strew_allocator *allocator);
void base_arena_free(struct base_arena *arena);
/** Cleared memory, aligned for any type; NULL when there is none, or count × size
 * overflows. A size of 0 gives a valid pointer. */
void *base_arena_alloc(struct base_arena *arena, size_t count, size_t size);
/** A copy; NULL when there is no memory. */
char *base_arena_strdup(struct base_arena *arena, const char *text);
void *base_arena_copy(struct base_arena *arena, const void *from, size_t count,
		      size_t size);

#endif
