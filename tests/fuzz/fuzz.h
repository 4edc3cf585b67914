/* SPDX-License-Identifier: MIT */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <strew/strew.h>

#include "support.h"

/** Bytes grown as they are written; free() the bytes. */
struct fuzz_text {
	char *bytes;
	size_t count;
};

/** Says what is wrong and aborts, so that a fuzzer keeps the input. */
_Noreturn void fuzz_fail(const char *format, ...) STREW_PRINTF(1, 2);

/** The target that is no format. */
#define FUZZ_EDIT "edit"

/** Give an input to a target: a format's name, or FUZZ_EDIT. Aborts when a promise is
 * broken.
 * @return whether the input gave a map */
bool fuzz_run(const char *target, const uint8_t *bytes, size_t count);

/** Hold a map to what holds for each: it is the same one when it was written, in every
 * format that can be, and read again, and places the same (fuzz_map.c). `heap` is where
 * all memory comes from. */
void fuzz_map(const strew_map *map, const struct support_heap *heap);

/** Where a map places a few inputs, as text; empty where the map may take for ever
 * (fuzz_place.c). */
struct fuzz_text fuzz_place(const strew_map *map, const struct support_heap *heap);

/** Give a binary OSD map the checksum of its content, without which nothing else of it is
 * read; a map that has no room for one stays as it is (fuzz_seal.c). */
void fuzz_seal(uint8_t *bytes, size_t count);

/** A stream into a text, which is complete when the stream was closed. */
FILE *fuzz_open(struct fuzz_text *text);

#endif
