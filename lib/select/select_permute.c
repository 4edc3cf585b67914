/* SPDX-License-Identifier: MIT */
/* doc/crush.md, section 3.2. */
#include "select_priv.h"

/*
 * The permutation starts as 0, 1, … and swaps place p with place p + hash(p) mod (count -
 * p), for p from 0 upward. Places up to r are settled after swap r, and only one place is
 * asked for: so follow that place back through the swaps, the last one first, to the
 * index that it started from. That takes no memory, and no more hashes than making the
 * permutation would.
 */
uint32_t select_permute(const struct flat_bucket *bucket, uint32_t x, uint32_t r)
{
	uint32_t count = bucket->count;
	uint32_t place = r % count;
	uint32_t swap = place < count - 1 ? place + 1 : count - 1;

	while (swap-- > 0) {
		uint32_t hash = select_hash_3(bucket, x, (uint32_t)bucket->id, swap);
		uint32_t other = swap + hash % (count - swap);

		if (place == swap)
			place = other;
		else if (place == other)
			place = swap;
	}
	return place;
}
