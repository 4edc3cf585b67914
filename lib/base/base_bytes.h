/* SPDX-License-Identifier: MIT */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>

#include "base_str.h"

/**
 * Reading little-endian bytes, never beyond their end. What doesn't fit reads as 0, or
 * NULL, and sticks: nothing is read after it, so that a reader may ask once, at the end
 * of a record. `at` then stays where the value that is missing begins.
 */
struct base_bytes {
	const uint8_t *bytes; /* from the start of the file, also in a part of it */
	size_t end;           /* offset */
	size_t at;            /* offset of what is read next */
	uint64_t lacks;       /* the bytes that are missing; 0: all was there so far */
};

void base_bytes_init(struct base_bytes *bytes, const void *from, size_t count);
size_t base_bytes_left(const struct base_bytes *bytes);
uint8_t base_bytes_get_u8(struct base_bytes *bytes);
uint16_t base_bytes_get_u16(struct base_bytes *bytes);
uint32_t base_bytes_get_u32(struct base_bytes *bytes);
uint64_t base_bytes_get_u64(struct base_bytes *bytes);
int32_t base_bytes_get_i32(struct base_bytes *bytes);
int64_t base_bytes_get_i64(struct base_bytes *bytes);
/** So many things of a size, as they lie there. @return NULL when they don't fit */
const uint8_t *base_bytes_get(struct base_bytes *bytes, uint64_t count, size_t size);
/** The next bytes as a part that ends with them; an empty one when they don't fit. */
struct base_bytes base_bytes_get_part(struct base_bytes *bytes, uint64_t count);

/** One number of an array that base_bytes_get() gave. */
uint32_t base_bytes_u32_at(const uint8_t *array, size_t index);

/** Little-endian bytes at the end of a string. */
void base_bytes_put_u8(struct base_str *out, uint8_t value);
void base_bytes_put_u16(struct base_str *out, uint16_t value);
void base_bytes_put_u32(struct base_str *out, uint32_t value);
void base_bytes_put_i32(struct base_str *out, int32_t value);
void base_bytes_put_i64(struct base_str *out, int64_t value);

/** "byte 0x1a4", for the place of a fault. */
struct base_bytes_place {
	char text[32];
};
struct base_bytes_place base_bytes_place(size_t offset);

#endif
