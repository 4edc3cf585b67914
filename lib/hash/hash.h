/* SPDX-License-Identifier: MIT */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

/** Hash kind 0 of a bucket: the mixes below ("rjenkins1"). Any other hashes all to 0. */
#define HASH_RJENKINS1 0

/** What the mixes of words start from: doc/crush.md, section 1. */
#define HASH_SEED 1315423911u
#define HASH_X    231232u
#define HASH_Y    1232u

/** Stir three words. */
static inline void hash_mix(uint32_t *a, uint32_t *b, uint32_t *c)
{
	*a = (*a - *b - *c) ^ (*c >> 13);
	*b = (*b - *c - *a) ^ (*a << 8);
	*c = (*c - *a - *b) ^ (*b >> 13);
	*a = (*a - *b - *c) ^ (*c >> 12);
	*b = (*b - *c - *a) ^ (*a << 16);
	*c = (*c - *a - *b) ^ (*b >> 5);
	*a = (*a - *b - *c) ^ (*c >> 3);
	*b = (*b - *c - *a) ^ (*a << 10);
	*c = (*c - *a - *b) ^ (*b >> 15);
}

/* The mixes of 1 to 5 words. Inline, as placing is little else than these. */

static inline uint32_t hash_1(uint32_t a)
{
	uint32_t hash = HASH_SEED ^ a, b = a, x = HASH_X, y = HASH_Y;

	hash_mix(&b, &x, &hash);
	hash_mix(&y, &a, &hash);
	return hash;
}

static inline uint32_t hash_2(uint32_t a, uint32_t b)
{
	uint32_t hash = HASH_SEED ^ a ^ b, x = HASH_X, y = HASH_Y;

	hash_mix(&a, &b, &hash);
	hash_mix(&x, &a, &hash);
	hash_mix(&b, &y, &hash);
	return hash;
}

static inline uint32_t hash_3(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t hash = HASH_SEED ^ a ^ b ^ c, x = HASH_X, y = HASH_Y;

	hash_mix(&a, &b, &hash);
	hash_mix(&c, &x, &hash);
	hash_mix(&y, &a, &hash);
	hash_mix(&b, &x, &hash);
	hash_mix(&y, &c, &hash);
	return hash;
}

static inline uint32_t hash_4(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	uint32_t hash = HASH_SEED ^ a ^ b ^ c ^ d, x = HASH_X, y = HASH_Y;

	hash_mix(&a, &b, &hash);
	hash_mix(&c, &d, &hash);
	hash_mix(&a, &x, &hash);
	hash_mix(&y, &b, &hash);
	hash_mix(&c, &x, &hash);
	hash_mix(&y, &d, &hash);
	return hash;
}

static inline uint32_t hash_5(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e)
{
	uint32_t hash = HASH_SEED ^ a ^ b ^ c ^ d ^ e, x = HASH_X, y = HASH_Y;

	hash_mix(&a, &b, &hash);
	hash_mix(&c, &d, &hash);
	hash_mix(&e, &x, &hash);
	hash_mix(&y, &a, &hash);
	hash_mix(&b, &x, &hash);
	hash_mix(&y, &c, &hash);
	hash_mix(&d, &x, &hash);
	hash_mix(&y, &e, &hash);
	return hash;
}

/** Object name hashes; the numbers are strew_object_hash. */
uint32_t hash_name_linux(const void *bytes, size_t count);
uint32_t hash_name_rjenkins(const void *bytes, size_t count);
/** By number; 0xffffffff for a number that is neither. */
uint32_t hash_name(int kind, const void *bytes, size_t count);

/** Hashes that people place keys by, for selectors that aren't Ceph's. */
struct hash_named {
	const char *name;
	const char *summary;
	uint64_t (*hash)(const void *bytes, size_t count);
};

/** NULL after the last. */
const struct hash_named *hash_named_at(size_t index);
/** NULL when there is none. */
const struct hash_named *hash_named_find(const char *name);

/** The last step of splitmix64: every bit of the result depends on every bit. */
static inline uint64_t hash_finish(uint64_t hash)
{
	hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
	hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
	return hash ^ hash >> 31;
}

#endif
