/* SPDX-License-Identifier: MIT */
/*
 * The straw2 kernels, written once for any width. A file for an instruction set defines
 * WIDTH (bytes of a vector), CHAINS (the most vectors that are worked on in turns, as one
 * hash at a time leaves most of a processor idle; PART_CHAINS at least), VEC and FVEC and
 * what there is to do with them, and includes this.
 *
 * For a bin, a lane is a question, and all lanes go through their rows' items side by
 * side. For a part, a lane is an item.
 */
#include <assert.h>
#include <string.h>

#include "straw2_kernel.h"

#define LANES  (WIDTH / 4)
#define INLINE static inline __attribute__((always_inline))

/* Where there may be too little for all CHAINS. */
#define PART_CHAINS 4
static_assert(CHAINS >= PART_CHAINS, "it is what there is room for");
static_assert(STRAW2_BIN % (LANES * CHAINS) == 0, "no group is cut by a bin's end");

/* `chains` is a constant wherever this is inlined. */
#define EACH _Pragma("GCC unroll 8") for (int k = 0; k < chains; k++)

/* Some of the lanes. */
struct lanes {
	VEC x[CHAINS];
	VEC r[CHAINS];
	VEC items[CHAINS];
	VEC first[CHAINS];
	VEC second[CHAINS];
	/* STRAW2_STRIDED: the id of the next item of each. */
	VEC next[CHAINS];
	VEC strides[CHAINS];
	/* The next LANES items of each, where they must be loaded. */
	VEC ids[LANES][CHAINS];
	VEC scales[LANES][CHAINS];
};

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

INLINE void store(void *to, VEC from)
{
	memcpy(to, &from, sizeof(from));
}

INLINE void mix(VEC *a, VEC *b, VEC *c, int chains)
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
INLINE void hash(VEC *hashes, const struct lanes *lanes, const VEC *ids, int chains)
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
	mix(a, b, hashes, chains);
	mix(c, x, hashes, chains);
	mix(y, a, hashes, chains);
	mix(b, x, hashes, chains);
	mix(y, c, hashes, chains);
}

INLINE VEC equal_key(VEC hash, VEC index)
{
	return ((~hash & 0xffff) << STRAW2_EQUAL_SHIFT) + index;
}

INLINE FVEC spread(float value)
{
	return (FVEC){0} + value;
}

/* A lower bound of a draw, mirrored. */
INLINE FVEC bound(VEC hash, VEC scale)
{
	FVEC z = MUL_ADD(TO_FLOAT(~hash & 0xfffe), spread(0x1p-16f),
			 spread(STRAW2_LIFT * 0x1p-16f));
	FVEC slope = MUL_ADD(z, spread(STRAW2_A4), spread(STRAW2_A3));

	slope = MUL_ADD(z, slope, spread(STRAW2_A2));
	slope = MUL_ADD(z, slope, spread(STRAW2_A1));
	slope = MUL_ADD(z, slope, spread(STRAW2_A0));
	return z * slope * AS_FLOAT(scale);
}

INLINE VEC mixed_key(VEC hash, VEC scale, VEC index)
{
	return ((VEC)BITS_OF(bound(hash, scale)) & ~STRAW2_INDEX_MASK) | index;
}

/* Keys of items that are not there are no keys. */
INLINE VEC drop_key(VEC key, VEC gone)
{
	return (key & ~gone) | (gone & STRAW2_NO_KEY);
}

INLINE void keep_keys(struct lanes *lanes, const VEC *keys, int chains)
{
	EACH lanes->second[k] =
		smaller(lanes->second[k], larger(lanes->first[k], keys[k]));
	EACH lanes->first[k] = smaller(lanes->first[k], keys[k]);
}

INLINE void start_keys(struct lanes *lanes, int chains)
{
	EACH
	{
		lanes->first[k] = splat(STRAW2_NO_KEY);
		lanes->second[k] = splat(STRAW2_NO_KEY);
	}
}

/* Bins. */

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
			 const uint32_t *items, uint32_t start, int chains)
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

INLINE void load_items(struct lanes *lanes, const struct straw2_bin *bin, uint32_t at,
		       uint32_t start, int mixed, enum straw2_ids from, int chains)
{
	if (from == STRAW2_LOADED)
		load_columns(lanes->ids, (const void *const *)(bin->ids + at),
			     bin->items + at, start, chains);
	if (mixed && from != STRAW2_SAME)
		load_columns(lanes->scales, (const void *const *)(bin->scales + at),
			     bin->items + at, start, chains);
}

INLINE void take_ids(VEC *ids, struct lanes *lanes, const struct straw2_bin *bin,
		     uint32_t index, enum straw2_ids from, int chains)
{
	EACH switch (from)
	{
	case STRAW2_SAME:
		ids[k] = splat((uint32_t)bin->ids[0][index]);
		break;
	case STRAW2_STRIDED:
		ids[k] = lanes->next[k];
		lanes->next[k] += lanes->strides[k];
		break;
	case STRAW2_LOADED:
		ids[k] = lanes->ids[index % LANES][k];
		break;
	}
}

INLINE void ask_item(struct lanes *lanes, const struct straw2_bin *bin, uint32_t index,
		     int mixed, enum straw2_ids from, int chains)
{
	VEC ids[CHAINS], hashes[CHAINS], keys[CHAINS];

	take_ids(ids, lanes, bin, index, from, chains);
	hash(hashes, lanes, ids, chains);
	if (!mixed)
		EACH keys[k] = equal_key(hashes[k], splat(STRAW2_EQUAL_BASE + index));
	else if (from == STRAW2_SAME)
		EACH keys[k] =
			mixed_key(hashes[k], splat(bin->scales[0][index]), splat(index));
	else
		EACH keys[k] = mixed_key(hashes[k], lanes->scales[index % LANES][k],
					 splat(index));
	if (index >= bin->items_min)
		EACH keys[k] = drop_key(keys[k], AT_MOST(lanes->items[k], index));
	keep_keys(lanes, keys, chains);
}

INLINE void load_lanes(struct lanes *lanes, const struct straw2_bin *bin, uint32_t at,
		       enum straw2_ids from, int chains)
{
	EACH
	{
		lanes->x[k] = load(bin->x + at + k * LANES);
		lanes->r[k] = load(bin->r + at + k * LANES);
		lanes->items[k] = from == STRAW2_SAME ? splat(bin->items_max)
						      : load(bin->items + at + k * LANES);
		if (from != STRAW2_STRIDED)
			continue;
		lanes->next[k] = load(bin->first_ids + at + k * LANES);
		lanes->strides[k] = load(bin->strides + at + k * LANES);
	}
	start_keys(lanes, chains);
}

INLINE void ask_group(struct straw2_bin *bin, uint32_t at, int mixed,
		      enum straw2_ids from, int chains)
{
	struct lanes lanes;

	load_lanes(&lanes, bin, at, from, chains);
	for (uint32_t start = 0; start < bin->items_max; start += LANES) {
		load_items(&lanes, bin, at, start, mixed, from, chains);
		for (uint32_t i = 0; i < LANES && start + i < bin->items_max; i++)
			ask_item(&lanes, bin, start + i, mixed, from, chains);
	}
	EACH
	{
		store(bin->first + at + k * LANES, lanes.first[k]);
		store(bin->second + at + k * LANES, lanes.second[k]);
	}
}

/* The last lanes may be few. */
INLINE void ask_bin(struct straw2_bin *bin, int mixed, enum straw2_ids from)
{
	for (uint32_t at = 0; at < bin->count; at += LANES * CHAINS) {
		uint32_t left = bin->count - at;

		if (left <= LANES * 2)
			ask_group(bin, at, mixed, from, 2);
		else if (CHAINS == 4 || left > LANES * 4)
			ask_group(bin, at, mixed, from, CHAINS);
		else
			ask_group(bin, at, mixed, from, 4);
	}
}

INLINE void ask_as_fits(struct straw2_bin *bin, int mixed)
{
	switch (bin->from) {
	case STRAW2_SAME:
		ask_bin(bin, mixed, STRAW2_SAME);
		break;
	case STRAW2_STRIDED:
		ask_bin(bin, mixed, STRAW2_STRIDED);
		break;
	case STRAW2_LOADED:
		ask_bin(bin, mixed, STRAW2_LOADED);
		break;
	}
}

static void fill_equal(struct straw2_bin *bin)
{
	ask_as_fits(bin, 0);
}

static void fill_mixed(struct straw2_bin *bin)
{
	ask_as_fits(bin, 1);
}

/* Parts. */

INLINE VEC count_lanes(void)
{
	VEC numbers;
	uint32_t all[LANES];

	for (uint32_t i = 0; i < LANES; i++)
		all[i] = i;
	memcpy(&numbers, all, sizeof(numbers));
	return numbers;
}

/* A vector's worth of a part's items. */
struct piece {
	uint32_t part;
	uint32_t start;
};

/* What is worked on together, and what came of each part so far. */
struct table {
	struct straw2_part *parts;
	struct piece pieces[PART_CHAINS];
	uint32_t count; /* of pieces */
	VEC first[STRAW2_PARTS];
	VEC second[STRAW2_PARTS];
};

/* The two smallest of two pairs. */
INLINE void merge(VEC *first, VEC *second, VEC other_first, VEC other_second)
{
	*second = smaller(larger(*first, other_first), smaller(*second, other_second));
	*first = smaller(*first, other_first);
}

/* All lanes get the two smallest of all lanes: half a vector is dealt out with the other
 * half until there is nothing left to halve. */
INLINE void merge_lanes(struct straw2_part *part, VEC first, VEC second)
{
	_Pragma("GCC unroll 8") for (int step = 1; step < LANES; step *= 2)
	{
		VEC other_first = deal_high(first, first);
		VEC other_second = deal_high(second, second);

		first = deal_low(first, first);
		second = deal_low(second, second);
		merge(&first, &second, other_first, other_second);
	}
	memcpy(&part->first, &first, sizeof(part->first));
	memcpy(&part->second, &second, sizeof(part->second));
}

INLINE VEC piece_keys(const struct straw2_part *part, VEC hash, uint32_t start)
{
	VEC index = count_lanes() + start, key;

	if (part->scales)
		key = mixed_key(hash, load(part->scales + start), index);
	else
		key = equal_key(hash, index + STRAW2_EQUAL_BASE);
	if (start + LANES > part->items)
		key = drop_key(key, AT_LEAST(index, part->items));
	if (part->keys)
		store(part->keys + start, key);
	return key;
}

INLINE void ask_chains(struct table *table, int chains)
{
	struct lanes lanes;
	VEC ids[CHAINS], hashes[CHAINS];

	EACH
	{
		const struct piece *piece = &table->pieces[k];
		const struct straw2_part *part = &table->parts[piece->part];

		lanes.x[k] = splat(part->x);
		lanes.r[k] = splat(part->r);
		ids[k] = load(part->ids + piece->start);
	}
	hash(hashes, &lanes, ids, chains);
	EACH
	{
		const struct piece *piece = &table->pieces[k];
		VEC keys =
			piece_keys(&table->parts[piece->part], hashes[k], piece->start);

		merge(&table->first[piece->part], &table->second[piece->part], keys,
		      splat(STRAW2_NO_KEY));
	}
	table->count = 0;
}

static void ask_pieces(struct table *table)
{
	static_assert(PART_CHAINS == 4, "as there are cases here");
	switch (table->count) {
	case 4:
		ask_chains(table, 4);
		break;
	case 3:
		ask_chains(table, 3);
		break;
	case 2:
		ask_chains(table, 2);
		break;
	case 1:
		ask_chains(table, 1);
		break;
	default:
		break;
	}
}

/* The first items of a part, as far as they fill all chains: what came of each chain is
 * put together only in the end. @return how many they are. */
INLINE uint32_t ask_run(struct table *table, uint32_t number)
{
	enum { chains = PART_CHAINS };
	const struct straw2_part *part = &table->parts[number];
	struct lanes lanes;
	uint32_t at = 0;

	EACH
	{
		lanes.x[k] = splat(part->x);
		lanes.r[k] = splat(part->r);
	}
	start_keys(&lanes, chains);
	for (; part->items - at >= LANES * chains; at += LANES * chains) {
		VEC ids[CHAINS], hashes[CHAINS], keys[CHAINS];

		EACH ids[k] = load(part->ids + at + k * LANES);
		hash(hashes, &lanes, ids, chains);
		EACH keys[k] = piece_keys(part, hashes[k], at + (uint32_t)k * LANES);
		keep_keys(&lanes, keys, chains);
	}
	EACH merge(&table->first[number], &table->second[number], lanes.first[k],
		   lanes.second[k]);
	return at;
}

/* Part by part: the hashes of a group of pieces are made in turns, whosever they are. */
static void fill_parts(struct straw2_part *parts, uint32_t count)
{
	struct table table;

	table.parts = parts;
	table.count = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at;

		table.first[i] = splat(STRAW2_NO_KEY);
		table.second[i] = splat(STRAW2_NO_KEY);
		at = parts[i].items >= LANES * PART_CHAINS ? ask_run(&table, i) : 0;
		for (; at < parts[i].items; at += LANES) {
			table.pieces[table.count++] = (struct piece){i, at};
			if (table.count == PART_CHAINS)
				ask_pieces(&table);
		}
	}
	ask_pieces(&table);
	for (uint32_t i = 0; i < count; i++)
		merge_lanes(&parts[i], table.first[i], table.second[i]);
}

/* Probes. */

/* Not 0 where the holder may be beaten: where its bound is too high to tell how far its
 * draw can be above, or the riser's isn't above that. */
INLINE VEC may_lose(FVEC holder, VEC scale, FVEC riser)
{
	FVEC unit = AS_FLOAT(scale);
	FVEC limit = holder * STRAW2_SLOPE + unit * STRAW2_OFFSET + STRAW2_ROUNDING;

	/* Differences below 0 have their sign as the highest bit. */
	return ((VEC)BITS_OF(unit * STRAW2_LIMIT - holder) |
		~(VEC)BITS_OF(limit - riser)) >>
	       31;
}

static void probe_all(struct select_probe *probe)
{
	enum { chains = PART_CHAINS, half = PART_CHAINS / 2 };

	for (uint32_t at = 0; at < SELECT_PROBES; at += half * LANES) {
		struct lanes lanes;
		VEC ids[CHAINS], hashes[CHAINS];

		EACH
		{
			uint32_t from = at + (uint32_t)(k % half) * LANES;

			lanes.x[k] = load(probe->x + from);
			lanes.r[k] = load(probe->r + from);
			ids[k] = load((k < half ? probe->holder_ids : probe->riser_ids) +
				      from);
		}
		hash(hashes, &lanes, ids, chains);
		for (int k = 0; k < half; k++) {
			uint32_t from = at + (uint32_t)k * LANES;
			VEC scale = load(probe->holder_scales + from);
			FVEC riser =
				bound(hashes[half + k], load(probe->riser_scales + from));

			store(probe->beaten + from,
			      may_lose(bound(hashes[k], scale), scale, riser));
		}
	}
}
