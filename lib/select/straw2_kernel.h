/* SPDX-License-Identifier: MIT */
#ifndef STRAW2_KERNEL_H
#define STRAW2_KERNEL_H

#include "select_priv.h"

/*
 * How straw2 is asked by many at once; doc/selectors/straw2.md proves it exact. A kernel
 * makes a *key* for each item: its draw, but rounded, so that it fits 32 bits together
 * with the item's index, and mirrored, so that the smallest wins. Of each bucket it keeps
 * the two smallest keys. Where they are clearly apart the first has won; where they
 * aren't, the plain definition decides. All that is exact or not is decided in
 * straw2_many.c, in plain C; kernels only hash, and compare keys.
 */

/** Questions in a bin: a multiple of what each kernel takes at once. */
#define STRAW2_BIN 64

/** The most items of a bucket that may be in a bin: the index must fit a key. */
#define STRAW2_BIN_ITEMS 256

/** What the keys of items in buckets of equal weights are made of: the 16 bits of hash
 * that the logarithm is of, counted down, over the index. Both are above those of
 * subnormal numbers, so that keys also keep their order when compared as floats. */
#define STRAW2_EQUAL_BASE  0x00800000u
#define STRAW2_EQUAL_SHIFT 14

/** Keys of mixed weights are positive floats, whose low bits are the index instead. */
#define STRAW2_INDEX_MASK 0xffu

/** Larger than all keys. */
#define STRAW2_NO_KEY 0x7f000000u

/* A lower bound of 2^-44 × (2^48 - log(u)), for v = 65535 - u, made even, plus
 * STRAW2_LIFT: v × (A0 + z × (A1 + z × (A2 + z × (A3 + z × A4)))) / 65536, z = v / 65536.
 */
#define STRAW2_LIFT 0.1f
#define STRAW2_A0   1.43737f
#define STRAW2_A1   0.639690f
#define STRAW2_A2   1.255791f
#define STRAW2_A3   (-2.106050f)
#define STRAW2_A4   2.894277f

/* How far a draw can be above its key: STRAW2_SLOPE × key + STRAW2_OFFSET / weight, as long
 * as key × weight is at most STRAW2_LIMIT; and what must lie between two draws, so that
 * they still differ when they are rounded down. Offset and limit are in units of 2^44, as
 * scales are. The slope also makes up for the index in a key's low bits. */
#define STRAW2_SLOPE    (1.0f + 1.0f / 158)
#define STRAW2_OFFSET   6e-5f
#define STRAW2_LIMIT    1.98f
#define STRAW2_ROUNDING 2.0f

/** Questions to buckets of one kind. */
struct straw2_bin {
	uint32_t x[STRAW2_BIN];
	uint32_t r[STRAW2_BIN];
	uint32_t items[STRAW2_BIN]; /* how many the bucket has */
	const int32_t *ids[STRAW2_BIN];
	const uint32_t
		*scales[STRAW2_BIN]; /* mixed weights: bits of floats, for 1/weight */
	/* The answers: the smallest key of each, and the next. */
	uint32_t first[STRAW2_BIN];
	uint32_t second[STRAW2_BIN];
	uint32_t items_min;
	uint32_t items_max;
	int same; /* are all about one bucket? */
};

struct select_kernel {
	const char *name;
	const char *summary;
	int (*usable)(void); /* can this processor run it? */
	/* NULL: it has none, and the definition does all. */
	void (*equal)(struct straw2_bin *bin, uint32_t count);
	void (*mixed)(struct straw2_bin *bin, uint32_t count);
};

/* The table of a straw2 bucket: STRAW2_HEAD words, then a scale for each item. */
enum straw2_kind { STRAW2_ODD, STRAW2_EQUAL, STRAW2_MIXED };
#define STRAW2_HEAD 4
#define STRAW2_KIND 0
#define STRAW2_SPAN 1 /* STRAW2_EQUAL: hashes this far apart can't draw alike */

uint32_t straw2_table_words(uint32_t count);
strew_status straw2_prepare(const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error);

/** What turns a bound of 2^-44 × (2^48 - log(u)) into a key: bits of a float. For weight 0
 * it is so large that the key is above all others. */
uint32_t straw2_scale(uint32_t weight);
/** Hashes that are this far apart can't draw alike where weights are equal. */
uint32_t straw2_span(uint32_t weight);

/** By the definition, whatever the bucket. */
uint32_t straw2_choose(const struct flat_bucket *bucket, const struct select_in *in);
/** Answer questions to straw2 buckets. */
void straw2_choose_many(const struct select_kernel *kernel,
			const struct select_batch *batch);

#endif
