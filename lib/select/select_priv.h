/* SPDX-License-Identifier: MIT */
#ifndef SELECT_PRIV_H
#define SELECT_PRIV_H

#include "hash.h"
#include "select.h"

extern const struct select_ops select_straw2;

/* A bucket whose hash kind is not known hashes everything to 0:
 * doc/crush.md, section 1. */

static inline uint32_t select_hash_3(const struct flat_bucket *bucket, uint32_t a,
				     uint32_t b, uint32_t c)
{
	return bucket->hash == HASH_RJENKINS1 ? hash_3(a, b, c) : 0;
}

static inline uint32_t select_hash_4(const struct flat_bucket *bucket, uint32_t a,
				     uint32_t b, uint32_t c, uint32_t d)
{
	return bucket->hash == HASH_RJENKINS1 ? hash_4(a, b, c, d) : 0;
}

#endif
