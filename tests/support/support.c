/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int must_fail(const struct support_heap *heap)
{
	if (heap->fail_at == 0 || heap->calls < heap->fail_at)
		return 0;
	return heap->calls == heap->fail_at || heap->fail_on;
}

static void *counting_resize(void *ctx, void *old, size_t old_size, size_t new_size)
{
	struct support_heap *heap = ctx;
	void *block;

	if (new_size == 0) {
		if (old) {
			heap->blocks--;
			heap->bytes -= old_size;
			free(old);
		}
		return NULL;
	}
	heap->calls++;
	if (must_fail(heap))
		return NULL;
	block = realloc(old, new_size);
	if (block == NULL)
		return NULL;
	if (old == NULL)
		heap->blocks++;
	heap->bytes += new_size - (old ? old_size : 0);
	if (heap->most < heap->bytes)
		heap->most = heap->bytes;
	return block;
}

void support_heap_init(struct support_heap *heap)
{
	memset(heap, 0, sizeof(*heap));
	heap->allocator.resize = counting_resize;
	heap->allocator.ctx = heap;
}

const char *support_path(const char *relative)
{
	static char path[4096];
	const char *root = getenv("STREW_SOURCE_DIR");

	snprintf(path, sizeof(path), "%s/%s", root ? root : ".", relative);
	return path;
}

uint64_t support_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

uint32_t support_below(uint64_t *state, uint32_t below)
{
	return (uint32_t)(((support_random(state) >> 32) * below) >> 32);
}
