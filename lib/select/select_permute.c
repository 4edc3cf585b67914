/* SPDX-License-Identifier: MIT */
/* doc/crush.md, section 3.2. */
#include <string.h>

#include "select_many.h"

/*
 * The permutation starts as 0, 1, … and swaps place p with place p + hash(p) mod (count -
 * p), for p from 0 upward. Places up to r are settled after swap r, and only one place is
 * asked for: so follow that place back through the swaps, the last one first, to the
 * index that it started from. That takes no memory, and no more hashes than making the
 * permutation would.
 */
/* Mostly r is below, and a division takes as long as half of a hash. */
static inline uint32_t place_of(uint32_t count, uint32_t r)
{
	return r < count ? r : r % count;
}

static uint32_t count_swaps(uint32_t count, uint32_t r)
{
	uint32_t place = place_of(count, r);

	return place < count - 1 ? place + 1 : count - 1;
}

/* Back through swaps start … end - 1, whose hashes are given. */
static uint32_t follow(uint32_t count, uint32_t place, uint32_t start, uint32_t end,
		       const uint32_t *hashes)
{
	for (uint32_t swap = end; swap-- > start;) {
		uint32_t other = swap + hashes[swap - start] % (count - swap);

		if (place == swap)
			place = other;
		else if (place == other)
			place = swap;
	}
	return place;
}

static void hash_swaps(const struct flat_bucket *bucket, const struct select_in *in,
		       uint32_t start, uint32_t count, uint32_t *hashes)
{
	uint32_t id = (uint32_t)bucket->id, swaps[SELECT_HASHES + FLAT_PAD] = {0};
	struct select_words words = {
		.words = {&in->x, &id, swaps},
		.arity = 3,
		.alike = 1u << 0 | 1u << 1,
		.count = count,
	};

	for (uint32_t i = 0; i < count; i++)
		swaps[i] = start + i;
	if (bucket->hash == HASH_RJENKINS1)
		select_hash_many(in->kernel, &words, hashes);
	else
		memset(hashes, 0, count * sizeof(*hashes));
}

uint32_t select_permute(const struct flat_bucket *bucket, const struct select_in *in)
{
	uint32_t place = place_of(bucket->count, in->r);
	uint32_t hashes[SELECT_HASHES + FLAT_PAD];

	for (uint32_t start, end = count_swaps(bucket->count, in->r); end > 0;
	     end = start) {
		start = end < SELECT_HASHES ? 0 : end - SELECT_HASHES;
		hash_swaps(bucket, in, start, end - start, hashes);
		place = follow(bucket->count, place, start, end, hashes);
	}
	return place;
}

/* Place by place: which item each gets, and the hash that swaps it there from as many
 * places further on. The last one is the answer. */
uint32_t select_explain_permuted(const struct flat_bucket *bucket,
				 const struct select_in *in,
				 struct select_candidate *candidates)
{
	uint32_t count = bucket->count, end = in->r % count + 1;

	for (uint32_t i = 0; i < count; i++)
		candidates[i].item = i;
	for (uint32_t place = 0; place < end; place++) {
		uint32_t hash = select_hash_3(bucket, in->x, (uint32_t)bucket->id, place);
		uint32_t other = place + hash % (count - place);
		uint32_t item = candidates[other].item;

		candidates[other].item = candidates[place].item;
		candidates[place] = (struct select_candidate){
			.item = item,
			.id = flat_ids(bucket)[item],
			.hash = hash,
			.weight = flat_weights(bucket)[item],
			.scale = count - place,
			.straw = hash % (count - place),
		};
	}
	return end;
}

static uint32_t count_hashes(const struct flat_bucket *bucket, uint32_t r)
{
	return count_swaps(bucket->count, r);
}

static void put(struct select_pack *pack, const struct flat_bucket *bucket, uint32_t x,
		uint32_t r, uint32_t count)
{
	(void)r;
	/* Mostly a few. */
	for (uint32_t i = 0; i < count; i++) {
		pack->words[0][pack->count + i] = x;
		pack->words[1][pack->count + i] = (uint32_t)bucket->id;
		pack->words[2][pack->count + i] = i;
	}
}

static uint32_t decide(const struct flat_bucket *bucket, uint32_t r,
		       const uint32_t *hashes)
{
	return follow(bucket->count, place_of(bucket->count, r), 0,
		      count_swaps(bucket->count, r), hashes);
}

void select_permute_many(struct select_many *many)
{
	static const struct select_plan plan = {3, count_hashes, put, decide};

	select_answer(many, &plan);
}
