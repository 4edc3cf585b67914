/* SPDX-License-Identifier: MIT */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <stddef.h>
#include <stdint.h>

#include <strew/alloc.h>

/** An allocator that can be told to fail, and that counts what is not freed. */
struct support_heap {
	strew_allocator allocator; /* hand this out */
	size_t calls;              /* allocations and growths so far */
	size_t fail_at;            /* the call that fails, from 1; 0: none */
	int fail_on;               /* … and all after it? */
	size_t blocks;             /* not freed yet */
	size_t bytes;              /* … and their size as the library told it */
	size_t most;               /* … and the most that there was of that at once */
};

void support_heap_init(struct support_heap *heap);

/** The path of a file in the source tree, in a static buffer:
 * support_path("maps/tiny.json"). */
const char *support_path(const char *relative);

/** A small, good generator (splitmix64), for tests that are random and the
 * same each time. */
uint64_t support_random(uint64_t *state);
/** 0 … below - 1. */
uint32_t support_below(uint64_t *state, uint32_t below);

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SUPPORT_SANITIZED true
#else
#define SUPPORT_SANITIZED false
#endif

/** How often to repeat what is random. A sanitizer makes it ten times slower and looks at
 * how the code runs, not at what it answers: there a third is enough. */
#define SUPPORT_TIMES(times) (SUPPORT_SANITIZED ? ((times) + 2) / 3 : (times))

#endif
