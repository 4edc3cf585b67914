/* SPDX-License-Identifier: MIT */
/* Hashes of object names: doc/osdmap.md, section 1. */
#include "hash.h"

#include <strew/builder.h>

#define GOLDEN_RATIO 0x9e3779b9u
#define BLOCK        12

/* `count` bytes, at most 4, as a little-endian number. */
static uint32_t read_word(const unsigned char *bytes, size_t count)
{
	uint32_t word = 0;

	for (size_t i = 0; i < count; i++)
		word |= (uint32_t)bytes[i] << (8 * i);
	return word;
}

/* The word at `offset` of a tail of `left` bytes, as far as the tail has it. */
static uint32_t read_tail(const unsigned char *bytes, size_t left, size_t offset,
			  size_t max)
{
	if (left <= offset)
		return 0;
	return read_word(bytes + offset, left - offset < max ? left - offset : max);
}

uint32_t hash_name_rjenkins(const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	uint32_t a = GOLDEN_RATIO, b = GOLDEN_RATIO, c = 0;
	size_t left = count;

	for (; left >= BLOCK; left -= BLOCK, at += BLOCK) {
		a += read_word(at, 4);
		b += read_word(at + 4, 4);
		c += read_word(at + 8, 4);
		hash_mix(&a, &b, &c);
	}
	/* The last word's low byte belongs to the length. */
	a += read_tail(at, left, 0, 4);
	b += read_tail(at, left, 4, 4);
	c += (uint32_t)count + (read_tail(at, left, 8, 3) << 8);
	hash_mix(&a, &b, &c);
	return c;
}

uint32_t hash_name_linux(const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	uint64_t hash = 0;

	for (size_t i = 0; i < count; i++)
		hash = (hash + ((uint64_t)at[i] << 4) + (at[i] >> 4)) * 11;
	return (uint32_t)hash;
}

uint32_t hash_name(int kind, const void *bytes, size_t count)
{
	if (kind == STREW_HASH_LINUX)
		return hash_name_linux(bytes, count);
	if (kind == STREW_HASH_RJENKINS)
		return hash_name_rjenkins(bytes, count);
	return UINT32_MAX;
}
