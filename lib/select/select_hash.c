/* SPDX-License-Identifier: MIT */
#include "select_hash.h"

#include <string.h>

#include "straw2_kernel.h"

static uint32_t word_at(const struct select_words *words, uint32_t which, uint32_t at)
{
	return words->words[which][words->alike >> which & 1 ? 0 : at];
}

void select_hash_many(const struct select_kernel *kernel,
		      const struct select_words *words, uint32_t *hashes)
{
	if (kernel && kernel->hashes) {
		kernel->hashes(words, hashes);
		return;
	}
	for (uint32_t i = 0; i < words->count; i++) {
		uint32_t a = word_at(words, 0, i), b = word_at(words, 1, i);
		uint32_t c = word_at(words, 2, i);

		hashes[i] = words->arity == 3 ? hash_3(a, b, c)
					      : hash_4(a, b, c, word_at(words, 3, i));
	}
}

uint32_t select_hash_lanes(const struct select_kernel *kernel)
{
	return kernel && kernel->lanes ? kernel->lanes : 1;
}

int select_hash_is_cheap(const struct select_kernel *kernel)
{
	return select_hash_lanes(kernel) >= 8;
}

static void hash_words(const struct flat_bucket *bucket, const struct select_in *in,
		       const struct select_words *words, uint32_t *hashes)
{
	if (bucket->hash == HASH_RJENKINS1)
		select_hash_many(in->kernel, words, hashes);
	else
		memset(hashes, 0, words->count * sizeof(*hashes));
}

void select_hash_words_3(const struct flat_bucket *bucket, const struct select_in *in,
			 const void *words, uint32_t count, uint32_t *hashes)
{
	struct select_words all = {
		.words = {&in->x, words, &in->r},
		.arity = 3,
		.alike = 1u << 0 | 1u << 2,
		.count = count,
	};

	hash_words(bucket, in, &all, hashes);
}

void select_hash_words_4(const struct flat_bucket *bucket, const struct select_in *in,
			 const void *words, uint32_t count, uint32_t *hashes)
{
	uint32_t id = (uint32_t)bucket->id;
	struct select_words all = {
		.words = {&in->x, words, &in->r, &id},
		.arity = 4,
		.alike = 1u << 0 | 1u << 2 | 1u << 3,
		.count = count,
	};

	hash_words(bucket, in, &all, hashes);
}
