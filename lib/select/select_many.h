/* SPDX-License-Identifier: MIT */
#ifndef SELECT_MANY_H
#define SELECT_MANY_H

#include "select_hash.h"

/*
 * Many questions to buckets of one selector, other than straw2. One question seldom needs
 * as many hashes as a kernel makes at once, and its answer waits for them: so the words
 * of many are packed one behind the other, hashed, and then each is decided.
 */

struct select_many {
	const struct select_kernel *kernel;
	uint32_t count; /* up to SELECT_HASHES */
	/* Their hash is known. */
	const struct flat_bucket *buckets[SELECT_HASHES];
	uint32_t x[SELECT_HASHES + FLAT_PAD];
	uint32_t r[SELECT_HASHES + FLAT_PAD];
	/* The answers: indices of items. */
	uint32_t chosen[SELECT_HASHES];
};

/** The most hashes that are made together. */
#define SELECT_PACK 256

struct select_pack {
	uint32_t words[4][SELECT_PACK + FLAT_PAD];
	uint32_t hashes[SELECT_PACK + FLAT_PAD];
	uint32_t count;
};

/** How a selector answers from hashes that are all made beforehand. */
struct select_plan {
	uint32_t arity;
	/* How many hashes a question needs. */
	uint32_t (*count)(const struct flat_bucket *bucket, uint32_t r);
	/* Put the words for so many at the end of the pack, which counts them itself. */
	void (*put)(struct select_pack *pack, const struct flat_bucket *bucket,
		    uint32_t x, uint32_t r, uint32_t count);
	/* The index of the item. */
	uint32_t (*decide)(const struct flat_bucket *bucket, uint32_t r,
			   const uint32_t *hashes);
};

/** Answers by a plan; questions that need more hashes than fit are asked alone. */
void select_answer(struct select_many *many, const struct select_plan *plan);

/** Answers one after the other. */
void select_answer_alone(struct select_many *many,
			 uint32_t (*choose)(const struct flat_bucket *bucket,
					    const struct select_in *in));

/** As select_permute(). */
void select_permute_many(struct select_many *many);

/** Put one word often, or many words; up to FLAT_PAD words behind may be written. */
void select_pack_fill(uint32_t *words, uint32_t word, uint32_t count);
void select_pack_copy(uint32_t *words, const void *from, uint32_t count);

/** What comes of a bucket that leaves no choice: its only item, or FLAT_NONE. */
static inline int32_t select_only_item(const struct flat_bucket *bucket)
{
	return bucket->count > 0 ? flat_refs(bucket)[0] : FLAT_NONE;
}

/** Answer some questions of a batch, which are not for a kernel of straw2: those at `at`,
 * which is changed. */
void select_ask_others(const struct select_kernel *kernel,
		       const struct select_batch *batch, size_t *at, uint32_t count);
/** Answer one, whatever it is. */
void select_ask_alone(const struct select_kernel *kernel,
		      const struct select_batch *batch, size_t at);

#endif
