/* SPDX-License-Identifier: MIT */
/*
 * The straw2 kernels, written once for any width. A file for an instruction set defines
 * WIDTH (bytes of a vector), CHAINS (the most vectors that are worked on in turns, as one
 * hash at a time leaves most of a processor idle; PART_CHAINS at least), PAUSES (how
 * often a hash lets other work be done: 5, or 0 where that would only take its
 * registers), VEC and FVEC and what there is to do with them, and includes this.
 *
 * For a bin, a lane is a question, and all lanes go through their rows' items side by
 * side. For a part, a lane is an item.
 */
#include <assert.h>
#include <string.h>

#include "straw2_turn.h"

#define LANES (WIDTH / 4)
/* How many items of each lane are loaded at a time. */
#define BLOCK  (LANES < 4 ? 1 : 4)
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
	VEC scale[CHAINS]; /* of the first; mixed weights only */
	/* STRAW2_STRIDED: the id of the next item of each. */
	VEC next[CHAINS];
	VEC strides[CHAINS];
	/* The next BLOCK items of each, where they must be loaded. */
	VEC ids[BLOCK][CHAINS];
	VEC scales[BLOCK][CHAINS];
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

#if WIDTH <= 16
/* BLOCK words of each BLOCK-th row; of one row, where a vector holds no more. */
INLINE VEC load_rows(const uint32_t *const *rows)
{
	return load(rows[0]);
}
#endif

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


INLINE void pause_hash(struct straw2_turn *turn)
{
	if (PAUSES > 0 && turn)
		straw2_turn_some(turn);
}

/* hash_3() of input, id and attempt. */
INLINE void hash(VEC *hashes, const struct lanes *lanes, const VEC *ids, int chains,
		 struct straw2_turn *turn)
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
	pause_hash(turn);
	mix(c, x, hashes, chains);
	pause_hash(turn);
	mix(y, a, hashes, chains);
	pause_hash(turn);
	mix(b, x, hashes, chains);
	pause_hash(turn);
	mix(y, c, hashes, chains);
	pause_hash(turn);
}

/* `below` is what stands below the hash. */
INLINE VEC equal_key(VEC hash, VEC below)
{
	return ((hash & 0xffff) << STRAW2_EQUAL_SHIFT) + below;
}

INLINE VEC below_hash(VEC index)
{
	return STRAW2_EQUAL_BASE + STRAW2_EQUAL_MASK - index;
}

INLINE FVEC spread(float value)
{
	return (FVEC){0} + value;
}

/* An upper bound of a draw's inverse. */
INLINE FVEC bound(VEC hash, VEC scale)
{
	FVEC v = TO_FLOAT(~hash & 0xfffe);

	return (INVERSE(v) + MUL_ADD(v, spread(STRAW2_C1), spread(STRAW2_C0))) *
	       AS_FLOAT(scale);
}

INLINE VEC mixed_key(VEC hash, VEC scale, VEC index)
{
	return ((VEC)BITS_OF(bound(hash, scale)) & ~STRAW2_INDEX_MASK) | index;
}

INLINE void keep_keys(struct lanes *lanes, const VEC *keys, int chains)
{
	EACH lanes->second[k] =
		larger(lanes->second[k], smaller(lanes->first[k], keys[k]));
	EACH lanes->first[k] = larger(lanes->first[k], keys[k]);
}

INLINE void start_keys(struct lanes *lanes, int chains)
{
	EACH
	{
		lanes->first[k] = splat(STRAW2_NO_KEY);
		lanes->second[k] = splat(STRAW2_NO_KEY);
		lanes->scale[k] = splat(0);
	}
}

/* Bins. */

/* BLOCK vectors hold BLOCK words each of LANES rows, that of BLOCK rows side by side, and
 * come to hold a column each: as often as BLOCK can be halved, vector i is dealt out
 * together with vector i + BLOCK / 2. */
INLINE void transpose(VEC *rows)
{
	VEC dealt[BLOCK];

	_Pragma("GCC unroll 4") for (int step = 1; step < BLOCK; step *= 2)
	{
		_Pragma("GCC unroll 4") for (int i = 0; i < BLOCK / 2; i++)
		{
			dealt[2 * i] = deal_low(rows[i], rows[i + BLOCK / 2]);
			dealt[2 * i + 1] = deal_high(rows[i], rows[i + BLOCK / 2]);
		}
		_Pragma("GCC unroll 4") for (int i = 0; i < BLOCK; i++)
		{
			rows[i] = dealt[i];
		}
	}
}

/* Items start … start + BLOCK - 1 of each lane, item by item. Lanes that have no more
 * read their first again; `all` says that each has. */
INLINE void load_columns(VEC columns[BLOCK][CHAINS], const void *const *rows,
			 const struct lanes *lanes, uint32_t start, bool all, int chains)
{
	EACH
	{
		uint32_t offsets[LANES];
		const uint32_t *from[LANES];
		VEC block[BLOCK];

		if (!all)
			store(offsets, pick(is_below(splat(start), lanes->items[k]),
					    splat(start), splat(0)));
		_Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++)
		{
			from[i] = (const uint32_t *)rows[k * LANES + i] +
				  (all ? start : offsets[i]);
		}
		_Pragma("GCC unroll 4") for (int i = 0; i < BLOCK; i++)
		{
			block[i] = load_rows(from + i);
		}
		transpose(block);
		for (int i = 0; i < BLOCK; i++)
			columns[i][k] = block[i];
	}
}

INLINE void load_items(struct lanes *lanes, const struct straw2_bin *bin, uint32_t at,
		       uint32_t start, bool all, int mixed, enum straw2_ids from,
		       int chains)
{
	if (from == STRAW2_LOADED)
		load_columns(lanes->ids, (const void *const *)(bin->ids + at), lanes,
			     start, all, chains);
	if (mixed && from != STRAW2_SAME)
		load_columns(lanes->scales, (const void *const *)(bin->scales + at),
			     lanes, start, all, chains);
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
		ids[k] = lanes->ids[index % BLOCK][k];
		break;
	}
}

INLINE void take_scales(VEC *scales, const struct lanes *lanes,
			const struct straw2_bin *bin, uint32_t index, int mixed,
			enum straw2_ids from, int chains)
{
	if (mixed)
		EACH scales[k] = from == STRAW2_SAME ? splat(bin->scales[0][index])
						     : lanes->scales[index % BLOCK][k];
}

INLINE void ask_item(struct lanes *lanes, const struct straw2_bin *bin, uint32_t index,
		     int mixed, enum straw2_ids from, int chains,
		     struct straw2_turn *turn)
{
	VEC ids[CHAINS], hashes[CHAINS], scales[CHAINS], keys[CHAINS];

	take_ids(ids, lanes, bin, index, from, chains);
	hash(hashes, lanes, ids, chains, turn);
	take_scales(scales, lanes, bin, index, mixed, from, chains);
	if (mixed)
		EACH keys[k] = mixed_key(hashes[k], scales[k], splat(index));
	else
		EACH keys[k] = equal_key(hashes[k], below_hash(splat(index)));
	if (index >= bin->items_min)
		EACH keys[k] &= ~AT_MOST(lanes->items[k], splat(index));
	if (mixed)
		EACH lanes->scale[k] = pick(is_below(lanes->first[k], keys[k]), scales[k],
					    lanes->scale[k]);
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

/* Not 0 where the holder may be beaten: where its bound is too low to tell how far its
 * draw can be off, or the riser's isn't below that; straw2_mixed_limit() has the same. Of
 * what isn't a number nothing is true. */
INLINE VEC may_lose(FVEC holder, VEC scale, FVEC riser)
{
	FVEC unit = AS_FLOAT(scale),
	     q = unit * INVERSE(holder) * (0x1.002p0f / STRAW2_OCTAVE);
	FVEC slope = STRAW2_SLOPE + STRAW2_BEND * (q * q) * (q * q);
	FVEC most = slope * unit + (STRAW2_OFFSET + STRAW2_ROUNDING * unit) * holder;

	return ~(IS_BELOW(q, spread(STRAW2_LIMIT)) &
		 IS_BELOW(riser * most, unit * holder));
}

INLINE VEC first_spans(const struct straw2_bin *bin, uint32_t at)
{
	return bin->from == STRAW2_SAME ? splat(bin->spans[0]) : load(bin->spans + at);
}

/* The lowest key that may still win against the first. */
INLINE VEC equal_limit(VEC first, VEC span)
{
	return ((first >> STRAW2_EQUAL_SHIFT) + 1 - span) << STRAW2_EQUAL_SHIFT;
}

INLINE VEC tell_unsure(const struct straw2_bin *bin, const struct lanes *lanes,
		       uint32_t at, int mixed, int k)
{
	VEC first = lanes->first[k], second = lanes->second[k];

	if (mixed)
		return may_lose(AS_FLOAT(first), lanes->scale[k], AS_FLOAT(second));
	return AT_MOST(equal_limit(first, first_spans(bin, at)), second);
}

INLINE void keep_answers(struct straw2_bin *bin, const struct lanes *lanes, uint32_t at,
			 int mixed, int chains)
{
	EACH
	{
		uint32_t to = at + (uint32_t)k * LANES;

		store(bin->first + to, lanes->first[k]);
		store(bin->second + to, lanes->second[k]);
		store(bin->unsure + to, tell_unsure(bin, lanes, to, mixed, k));
	}
}

INLINE void ask_group(struct straw2_bin *bin, uint32_t at, int mixed,
		      enum straw2_ids from, int chains, struct straw2_turn *turn)
{
	struct lanes lanes;

	load_lanes(&lanes, bin, at, from, chains);
	for (uint32_t start = 0; start < bin->items_max; start += BLOCK) {
		if (start < bin->items_min)
			load_items(&lanes, bin, at, start, true, mixed, from, chains);
		else
			load_items(&lanes, bin, at, start, false, mixed, from, chains);
		for (uint32_t i = 0; i < BLOCK && start + i < bin->items_max; i++)
			ask_item(&lanes, bin, start + i, mixed, from, chains, turn);
	}
	keep_answers(bin, &lanes, at, mixed, chains);
}

/* So that its lanes are all turned over when the bin is answered, as nearly as can be. */
INLINE struct straw2_turn start_turn(const struct straw2_bin *bin)
{
	uint32_t pauses = STRAW2_BIN / (LANES * CHAINS) * bin->items_max * PAUSES;
	struct straw2_turn turn = {0};

	if (pauses > 0 && bin->turn) {
		turn = *bin->turn;
		turn.pace = straw2_turn_lanes(&turn) / pauses + 1;
	}
	return turn;
}

/* The last lanes may be few. */
INLINE void ask_bin(struct straw2_bin *bin, int mixed, enum straw2_ids from)
{
	struct straw2_turn turn = start_turn(bin); /* a copy can stay in registers */
	uint32_t at = 0;

	for (; at + LANES * (CHAINS - 2) < bin->count; at += LANES * CHAINS)
		ask_group(bin, at, mixed, from, CHAINS, &turn);
	for (; at < bin->count; at += LANES * 2)
		ask_group(bin, at, mixed, from, 2, NULL);
	if (PAUSES > 0 && bin->turn)
		*bin->turn = turn;
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

/* Probes. */

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
		hash(hashes, &lanes, ids, chains, NULL);
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
