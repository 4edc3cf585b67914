/* SPDX-License-Identifier: MIT */
/*
 * The straw2 kernels, written once for any width. A file for an instruction set defines
 * WIDTH (bytes of a vector), CHAINS (vectors that are worked on in turns, as one hash at
 * a time leaves most of a processor idle), its smaller() and larger(), and includes this.
 * A lane is a question; all lanes go through their buckets' items side by side.
 */
#include <string.h>

#include "straw2_kernel.h"

#define LANES (WIDTH / 4)
#define GROUP (LANES * CHAINS)
#define EACH  _Pragma("GCC unroll 8") for (int k = 0; k < CHAINS; k++)

/* Some of the lanes, with the items that they look at next. */
struct lanes {
	VEC x[CHAINS];
	VEC r[CHAINS];
	VEC items[CHAINS];
	VEC first[CHAINS];
	VEC second[CHAINS];
	VEC ids[LANES][CHAINS];
	VEC scales[LANES][CHAINS];
};

#define INLINE static inline __attribute__((always_inline))

INLINE VEC splat(uint32_t value)
{
	return (VEC){0} + value;
}

INLINE VEC load(const void *from)
{
	VEC to;

	memcpy(&to, from, sizeof(to));
	return to;
}

INLINE void mix(VEC *a, VEC *b, VEC *c)
{
	EACH a[k] = (a[k] - b[k] - c[k]) ^ (c[k] >> 13);
	EACH b[k] = (b[k] - c[k] - a[k]) ^ (a[k] << 8);
	EACH c[k] = (c[k] - a[k] - b[k]) ^ (b[k] >> 13);
	EACH a[k] = (a[k] - b[k] - c[k]) ^ (c[k] >> 12);
	EACH b[k] = (b[k] - c[k] - a[k]) ^ (a[k] << 16);
	EACH c[k] = (c[k] - a[k] - b[k]) ^ (b[k] >> 5);
	EACH a[k] = (a[k] - b[k] - c[k]) ^ (c[k] >> 3);
	EACH b[k] = (b[k] - c[k] - a[k]) ^ (a[k] << 10);
	EACH c[k] = (c[k] - a[k] - b[k]) ^ (b[k] >> 15);
}

/* hash_3() of input, id and attempt. */
INLINE void hash(VEC *hashes, const struct lanes *lanes, const VEC *ids)
{
	VEC a[CHAINS], b[CHAINS], c[CHAINS], x[CHAINS], y[CHAINS];

	EACH
	{
		a[k] = lanes->x[k];
		b[k] = ids[k];
		c[k] = lanes->r[k];
		x[k] = splat(HASH_X);
		y[k] = splat(HASH_Y);
		hashes[k] = HASH_SEED ^ a[k] ^ c[k] ^ b[k];
	}
	mix(a, b, hashes);
	mix(c, x, hashes);
	mix(y, a, hashes);
	mix(b, x, hashes);
	mix(y, c, hashes);
}

INLINE void make_equal_keys(VEC *keys, const VEC *hashes, uint32_t index)
{
	EACH keys[k] = ((~hashes[k] & 0xffff) << STRAW2_EQUAL_SHIFT) +
		       (STRAW2_EQUAL_BASE + index);
}

INLINE VEC make_mixed_key(VEC hash, VEC scale, uint32_t index)
{
	FVEC v = TO_FLOAT(~hash & 0xfffe) + STRAW2_LIFT;
	FVEC z = v * 0x1p-16f;
	FVEC slope = STRAW2_A3 + z * STRAW2_A4;

	slope = STRAW2_A2 + z * slope;
	slope = STRAW2_A1 + z * slope;
	slope = STRAW2_A0 + z * slope;
	return ((VEC)BITS_OF(z * slope * AS_FLOAT(scale)) & ~STRAW2_INDEX_MASK) | index;
}

INLINE void make_mixed_keys(VEC *keys, const VEC *hashes, const VEC *scales,
			    uint32_t index)
{
	EACH keys[k] = make_mixed_key(hashes[k], scales[k], index);
}

/* Lanes whose bucket has no such item get no key. */
INLINE void drop_keys(VEC *keys, const struct lanes *lanes, uint32_t index)
{
	EACH
	{
		VEC gone = AT_MOST(lanes->items[k], index);

		keys[k] = (keys[k] & ~gone) | (gone & STRAW2_NO_KEY);
	}
}

INLINE void keep_keys(struct lanes *lanes, const VEC *keys)
{
	EACH lanes->second[k] =
		smaller(lanes->second[k], larger(lanes->first[k], keys[k]));
	EACH lanes->first[k] = smaller(lanes->first[k], keys[k]);
}

/* LANES rows of LANES words become columns: as often as LANES can be halved, row i is
 * dealt out together with row i + LANES / 2. */
INLINE void transpose(VEC *rows)
{
	VEC dealt[LANES];

	_Pragma("GCC unroll 8") for (int step = 1; step < LANES; step *= 2)
	{
		_Pragma("GCC unroll 16") for (int i = 0; i < LANES / 2; i++)
		{
			dealt[2 * i] = deal_low(rows[i], rows[i + LANES / 2]);
			dealt[2 * i + 1] = deal_high(rows[i], rows[i + LANES / 2]);
		}
		_Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++)
		{
			rows[i] = dealt[i];
		}
	}
}

/* Items start … start + LANES - 1 of each lane, item by item. Lanes that have no more
 * read their first again. */
INLINE void load_columns(VEC columns[LANES][CHAINS], const void *const *rows,
			 const uint32_t *items, uint32_t start)
{
	EACH
	{
		VEC block[LANES];

		for (int i = 0; i < LANES; i++) {
			int lane = k * LANES + i;

			block[i] = load((const uint32_t *)rows[lane] +
					(start < items[lane] ? start : 0));
		}
		transpose(block);
		for (int i = 0; i < LANES; i++)
			columns[i][k] = block[i];
	}
}

/* All lanes have the same bucket. */
INLINE void spread_columns(VEC columns[LANES][CHAINS], const uint32_t *row)
{
	for (int i = 0; i < LANES; i++)
		EACH columns[i][k] = splat(row[i]);
}

INLINE void load_items(struct lanes *lanes, const struct straw2_bin *bin, uint32_t at,
		       uint32_t start, int mixed)
{
	if (bin->same) {
		spread_columns(lanes->ids, (const uint32_t *)bin->ids[0] + start);
		if (mixed)
			spread_columns(lanes->scales, bin->scales[0] + start);
		return;
	}
	load_columns(lanes->ids, (const void *const *)(bin->ids + at), bin->items + at,
		     start);
	if (mixed)
		load_columns(lanes->scales, (const void *const *)(bin->scales + at),
			     bin->items + at, start);
}

INLINE void start_lanes(struct lanes *lanes, const struct straw2_bin *bin, uint32_t at)
{
	EACH
	{
		lanes->x[k] = load(bin->x + at + k * LANES);
		lanes->r[k] = load(bin->r + at + k * LANES);
		lanes->items[k] = load(bin->items + at + k * LANES);
		lanes->first[k] = splat(STRAW2_NO_KEY);
		lanes->second[k] = splat(STRAW2_NO_KEY);
	}
}

INLINE void run_group(struct straw2_bin *bin, uint32_t at, int mixed)
{
	struct lanes lanes;

	start_lanes(&lanes, bin, at);
	for (uint32_t start = 0; start < bin->items_max; start += LANES) {
		uint32_t left = bin->items_max - start;

		load_items(&lanes, bin, at, start, mixed);
		for (uint32_t i = 0; i < LANES && i < left; i++) {
			VEC hashes[CHAINS], keys[CHAINS];

			hash(hashes, &lanes, lanes.ids[i]);
			if (mixed)
				make_mixed_keys(keys, hashes, lanes.scales[i], start + i);
			else
				make_equal_keys(keys, hashes, start + i);
			if (start + i >= bin->items_min)
				drop_keys(keys, &lanes, start + i);
			keep_keys(&lanes, keys);
		}
	}
	EACH
	{
		memcpy(bin->first + at + k * LANES, &lanes.first[k], sizeof(VEC));
		memcpy(bin->second + at + k * LANES, &lanes.second[k], sizeof(VEC));
	}
}

static void fill_equal(struct straw2_bin *bin, uint32_t count)
{
	for (uint32_t at = 0; at < count; at += GROUP)
		run_group(bin, at, 0);
}

static void fill_mixed(struct straw2_bin *bin, uint32_t count)
{
	for (uint32_t at = 0; at < count; at += GROUP)
		run_group(bin, at, 1);
}
