/* SPDX-License-Identifier: MIT */
#ifndef SELECT_HASH_H
#define SELECT_HASH_H

#include "select_priv.h"

/*
 * Many hashes at once. All selectors but straw2 are plain C for every kernel; what they
 * leave to it is this, which is where their time goes.
 */

/** Hash i is of word i of each array, or of its word 0 where `alike` has the array's bit.
 * FLAT_PAD words behind the last may be read, whatever they are. */
struct select_words {
	const uint32_t *words[4];
	uint32_t arity; /* arrays: 3 or 4 */
	uint32_t alike;
	uint32_t count;
};

/** The hashes for which selectors that go through a bucket have room. */
#define SELECT_HASHES 64

/** Makes them with the kernel's help, NULL for none. FLAT_PAD more may be written. */
void select_hash_many(const struct select_kernel *kernel,
		      const struct select_words *words, uint32_t *hashes);

/** How many are made side by side; 1 without a kernel, too. */
uint32_t select_hash_lanes(const struct select_kernel *kernel);
/** Is a hash among many so cheap that some may be in vain? */
int select_hash_is_cheap(const struct select_kernel *kernel);

/** hash3(x, word, r) of each word; all 0 where the bucket's hash isn't known. */
void select_hash_words_3(const struct flat_bucket *bucket, const struct select_in *in,
			 const void *words, uint32_t count, uint32_t *hashes);
/** hash4(x, word, r, bucket's id) likewise. */
void select_hash_words_4(const struct flat_bucket *bucket, const struct select_in *in,
			 const void *words, uint32_t count, uint32_t *hashes);

#endif
