/* SPDX-License-Identifier: MIT */
/* The hashes that selectors other than straw2 ask a kernel for. Included behind
 * straw2_lanes.h, for any width as that is. */
#include "select_hash.h"

INLINE VEC word_at(const struct select_words *words, int which, uint32_t at, int k)
{
	const uint32_t *word = words->words[which];

	return words->alike >> which & 1 ? splat(*word) : load(word + at + k * LANES);
}

/* hash_4(). */
INLINE void hash_four(VEC *hashes, VEC *a, VEC *b, VEC *c, VEC *d, int chains)
{
	VEC x[CHAINS], y[CHAINS];

	EACH
	{
		x[k] = splat(HASH_X);
		y[k] = splat(HASH_Y);
		hashes[k] = HASH_SEED ^ a[k] ^ b[k] ^ c[k] ^ d[k];
	}
	mix(a, b, hashes, chains);
	mix(c, d, hashes, chains);
	mix(a, x, hashes, chains);
	mix(y, b, hashes, chains);
	mix(c, x, hashes, chains);
	mix(y, d, hashes, chains);
}

INLINE void hash_group(const struct select_words *words, uint32_t at, uint32_t *hashes,
		       int chains)
{
	struct lanes lanes;
	VEC b[CHAINS], d[CHAINS], made[CHAINS];

	EACH
	{
		lanes.x[k] = word_at(words, 0, at, k);
		b[k] = word_at(words, 1, at, k);
		lanes.r[k] = word_at(words, 2, at, k);
	}
	if (words->arity == 3) {
		hash(made, &lanes, b, chains, NULL);
	} else {
		EACH d[k] = word_at(words, 3, at, k);
		hash_four(made, lanes.x, b, lanes.r, d, chains);
	}
	EACH store(hashes + at + k * LANES, made[k]);
}

static void fill_hashes(const struct select_words *words, uint32_t *hashes)
{
	static_assert(PART_CHAINS == 4, "as there are cases here");
	for (uint32_t at = 0; at < words->count; at += LANES * PART_CHAINS) {
		uint32_t left = words->count - at;

		if (left > LANES * 3)
			hash_group(words, at, hashes, 4);
		else if (left > LANES * 2)
			hash_group(words, at, hashes, 3);
		else if (left > LANES)
			hash_group(words, at, hashes, 2);
		else
			hash_group(words, at, hashes, 1);
	}
}
