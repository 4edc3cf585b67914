/* SPDX-License-Identifier: MIT */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

/** Hash kind 0 of a bucket: the 32-bit mixes ("rjenkins1"). Any other kind hashes all to 0. */
#define HASH_RJENKINS1 0

/** The mixes of 1 to 5 words, kind 0. */
uint32_t hash_1(uint32_t a);
uint32_t hash_2(uint32_t a, uint32_t b);
uint32_t hash_3(uint32_t a, uint32_t b, uint32_t c);
uint32_t hash_4(uint32_t a, uint32_t b, uint32_t c, uint32_t d);
uint32_t hash_5(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e);

/** Object name hashes; the numbers are strew_object_hash. */
uint32_t hash_name_linux(const void *bytes, size_t count);
uint32_t hash_name_rjenkins(const void *bytes, size_t count);
/** By number; 0xffffffff for a number that is neither. */
uint32_t hash_name(int kind, const void *bytes, size_t count);

#endif
