/* SPDX-License-Identifier: MIT */
#include "base_alloc.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_MIN 4096
#define CHUNK_MAX (1024 * 1024)

struct base_arena_chunk {
	struct base_arena_chunk *next;
	size_t size; /* of the whole chunk */
	size_t used; /* header included */
};

static void *heap_resize(void *ctx, void *old, size_t old_size, size_t new_size)
{
	(void)ctx;
	(void)old_size;
	if (new_size == 0) {
		free(old);
		return NULL;
	}
	return realloc(old, new_size);
}

const strew_allocator base_heap = {heap_resize, NULL};

const strew_allocator *base_allocator_or_heap(const strew_allocator *allocator)
{
	return allocator ? allocator : &base_heap;
}

void *base_alloc(const strew_allocator *allocator, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total) || total == 0)
		return NULL;
	return allocator->resize(allocator->ctx, NULL, 0, total);
}

void *base_calloc(const strew_allocator *allocator, size_t count, size_t size)
{
	void *block = base_alloc(allocator, count, size);

	if (block)
		memset(block, 0, count * size);
	return block;
}

void *base_resize(const strew_allocator *allocator, void *old, size_t old_size,
		  size_t new_size)
{
	return allocator->resize(allocator->ctx, old, old_size, new_size);
}

void base_free(const strew_allocator *allocator, void *block, size_t size)
{
	if (block)
		allocator->resize(allocator->ctx, block, size, 0);
}

void base_arena_init(struct base_arena *arena, const strew_allocator *allocator)
{
	arena->allocator = *base_allocator_or_heap(allocator);
	arena->chunks = NULL;
}

void base_arena_free(struct base_arena *arena)
{
	struct base_arena_chunk *chunk = arena->chunks;

	while (chunk) {
		struct base_arena_chunk *next = chunk->next;

		base_free(&arena->allocator, chunk, chunk->size);
		chunk = next;
	}
	arena->chunks = NULL;
}

static size_t align_up(size_t size)
{
	const size_t to = alignof(max_align_t);

	return (size + to - 1) / to * to;
}

static const size_t header_size =
	(sizeof(struct base_arena_chunk) + alignof(max_align_t) - 1) /
	alignof(max_align_t) * alignof(max_align_t);

/* Chunks double, so that a big map takes few of them and a small one little memory. */
static struct base_arena_chunk *add_chunk(struct base_arena *arena, size_t need)
{
	size_t size = arena->chunks ? arena->chunks->size * 2 : CHUNK_MIN;
	struct base_arena_chunk *chunk;

	if (size > CHUNK_MAX)
		size = CHUNK_MAX;
	if (size < need + header_size)
		size = need + header_size;
	chunk = base_alloc(&arena->allocator, 1, size);
	if (chunk == NULL)
		return NULL;
	chunk->size = size;
	chunk->used = header_size;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return chunk;
}

void *base_arena_alloc(struct base_arena *arena, size_t count, size_t size)
{
	struct base_arena_chunk *chunk = arena->chunks;
	size_t total;
	void *block;

	if (__builtin_mul_overflow(count, size, &total) || total > SIZE_MAX / 2)
		return NULL;
	total = align_up(total);
	if (chunk == NULL || chunk->size - chunk->used < total)
		chunk = add_chunk(arena, total);
	if (chunk == NULL)
		return NULL;
	block = (char *)chunk + chunk->used;
	chunk->used += total;
	memset(block, 0, total);
	return block;
}

void *base_arena_copy(struct base_arena *arena, const void *from, size_t count,
		      size_t size)
{
	void *block = base_arena_alloc(arena, count, size);

	if (block && count > 0)
		memcpy(block, from, count * size);
	return block;
}

char *base_arena_strdup(struct base_arena *arena, const char *text)
{
	return base_arena_copy(arena, text, strlen(text) + 1, 1);
}
