/* SPDX-License-Identifier: MIT */
#ifndef STRAW2_KERNEL_H
#define STRAW2_KERNEL_H

#include "select_priv.h"

struct select_words;

/*
 * How straw2 is asked fast; doc/selectors/straw2.md proves it exact. A kernel makes a
 * *key* for each item: its draw, but rounded, so that it fits 32 bits together with the
 * item's index, so that the largest wins. Of a bucket it keeps the two largest keys.
 * Where they are clearly apart the first has won; where they aren't, the plain definition
 * decides among the few that are close (straw2_sure.c).
 */

/** Questions in a bin: a multiple of what each kernel takes at once. */
#define STRAW2_BIN 96

/** The most items that are looked at together: the index must fit a key. */
#define STRAW2_ITEMS 256

/** The same for items of equal weights: more would fit a key, but of more the two best
 * are too close to each other too often. */
#define STRAW2_EQUAL_ITEMS 4096

/** What the keys of items of equal weights are made of: the 16 bits of hash that the
 * logarithm is of, over the index, counted down so that the first of equals wins. The sum
 * is above the subnormal floats, so that keys keep their order also when they are
 * compared as floats. */
#define STRAW2_EQUAL_BASE  0x00800000u
#define STRAW2_EQUAL_SHIFT 14
#define STRAW2_EQUAL_MASK  0x3fffu

/** Keys of mixed weights are positive floats, whose low bits are the index instead. */
#define STRAW2_INDEX_MASK 0xffu

/** Smaller than all keys. */
#define STRAW2_NO_KEY 0u

/* A key is the inverse of what is left to the longest straw. With v = 65535 - u, made
 * even, 1 / (2^48 - log(u)) is at most OCTAVE × 2^-44 × (1 / v + C0 + C1 × v): OCTAVE is
 * what the inverse of the sum is at half of all hashes. Where v must not be 0, a LIFT is
 * added. */
#define STRAW2_OCTAVE 45603.5f
#define STRAW2_C0     (-0.506f * 0x1p-16f)
#define STRAW2_C1     (-0.104f * 0x1p-32f)
#define STRAW2_LIFT   0.1f

/* How far a draw can be above a key's inverse: SLOPE + BEND × q^4 times that, and OFFSET
 * / scale, as long as q, which is scale / (OCTAVE × key), is at most LIMIT; and what must
 * lie between two draws so that they still differ when they are rounded down. The slope
 * also makes up for the index in a key's low bits. */
#define STRAW2_SLOPE    (1.0f + 1.0f / 240)
#define STRAW2_BEND     0.003f
#define STRAW2_OFFSET   (6e-5f * STRAW2_OCTAVE)
#define STRAW2_LIMIT    3.0f
#define STRAW2_ROUNDING 2.0f

enum straw2_kind {
	STRAW2_ODD,   /* keys are not made for it: weights with a sign, or none above 0 */
	STRAW2_EQUAL, /* all weigh the same */
	STRAW2_MIXED,
};

/** What a bucket draws by: its own arrays, or those of a weight set. */
struct straw2_row {
	const struct flat_bucket *bucket;
	const int32_t *ids;
	const uint32_t *weights;
	const uint32_t
		*scales; /* STRAW2_MIXED: what makes keys of hashes; bits of floats */
	enum straw2_kind kind;
	uint32_t span; /* STRAW2_EQUAL: hashes this far apart can't draw alike */
	int32_t first_id;
	uint32_t stride; /* from an item's id to the next one's, modulo 2^32; 0: none */
};

/* The table of a bucket, or of a row of a weight set: three words, then the scales. The
 * stride is that of the bucket's ids, and in no table of a weight set. */
#define STRAW2_KIND   0
#define STRAW2_SPAN   1
#define STRAW2_STRIDE 2
#define STRAW2_HEAD   FLAT_HEAD

uint32_t straw2_table_words(uint32_t count);
strew_status straw2_prepare(const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error);

/** A row of a weight set, with a table of its own behind it. */
static inline const uint32_t *straw2_set_row(const struct flat_args *args,
					     uint32_t position)
{
	uint32_t row = position < args->positions ? position : args->positions - 1;

	return (const uint32_t *)((const char *)args + args->weights) +
	       (size_t)row * args->stride;
}

static inline struct straw2_row straw2_row_of(const struct flat_bucket *bucket,
					      const struct flat_args *args,
					      uint32_t position)
{
	struct straw2_row row = {.bucket = bucket, .ids = flat_ids(bucket)};
	const uint32_t *head = bucket->head;

	row.weights = flat_weights(bucket);
	row.scales = flat_table(bucket) + STRAW2_HEAD;
	row.stride = bucket->head[STRAW2_STRIDE];
	row.first_id = bucket->first_id;
	if (args && args->ids) {
		row.stride = 0;
		row.ids = (const int32_t *)((const char *)args + args->ids);
		row.first_id = row.ids[0];
	}
	if (args && args->weights) {
		row.weights = straw2_set_row(args, position);
		head = row.weights + args->table;
		row.scales = head + STRAW2_HEAD;
	}
	/* A hash that isn't known gives 0 to all. */
	row.kind = bucket->hash == HASH_RJENKINS1 ? (enum straw2_kind)head[STRAW2_KIND]
						  : STRAW2_ODD;
	row.span = head[STRAW2_SPAN];
	return row;
}

/** The weight, as keys are made by it: bits of a float. For weight 0 it is so small that
 * the key is below all others. */
uint32_t straw2_scale(uint32_t weight);
/** Hashes that are this far apart can't draw alike where weights are equal. */
uint32_t straw2_span(uint32_t weight);

/** Where a bin's items have their ids from. */
enum straw2_ids {
	STRAW2_SAME,    /* all questions are about one row: only its entry 0 is there */
	STRAW2_STRIDED, /* each row's are evenly apart */
	STRAW2_LOADED,
};

/** Does a row go into a bin as a whole? One item leaves no choice. */
static inline bool straw2_is_askable(enum straw2_kind kind, uint32_t count)
{
	if (kind == STRAW2_EQUAL)
		return count - 2 <= STRAW2_EQUAL_ITEMS - 2;
	return kind == STRAW2_MIXED && count - 2 <= STRAW2_ITEMS - 2;
}

/** Questions about rows of one kind, none odd, of not too many items for it. */
struct straw2_bin {
	uint32_t count;
	enum straw2_ids from;
	const uint32_t *x; /* SELECT_PAD more than `count` may be read of these two, … */
	const uint32_t *r;
	/* … and all of these, which must then hold something like the rest. */
	uint32_t items[STRAW2_BIN]; /* how many the row has */
	const int32_t *ids[STRAW2_BIN];
	uint32_t first_ids[STRAW2_BIN]; /* these two for STRAW2_STRIDED only */
	uint32_t strides[STRAW2_BIN];
	const uint32_t *scales[STRAW2_BIN]; /* mixed weights only */
	uint32_t spans[STRAW2_BIN];         /* equal weights only */
	uint32_t items_min;
	uint32_t items_max;
	struct straw2_turn *turn; /* what to do meanwhile, or NULL */
	/* The answers: the largest key of each, and the next. */
	uint32_t first[STRAW2_BIN];
	uint32_t second[STRAW2_BIN];
	uint32_t unsure[STRAW2_BIN]; /* not 0: the first may not have won */
};

/** The most parts that are asked for together. */
#define STRAW2_PARTS 16

/** Up to this many questions are answered item by item. */
#define STRAW2_FEW STRAW2_PARTS

/** A question about items of a row, not odd, not too many of them. */
struct straw2_part {
	uint32_t x;
	uint32_t r;
	uint32_t items;
	uint32_t span; /* as in a row */
	const int32_t *ids;
	const uint32_t *scales; /* NULL: weights are equal */
	uint32_t *keys;         /* NULL, or room for the items' keys and FLAT_PAD more */
	/* The answers. */
	uint32_t first;
	uint32_t second;
};

struct select_kernel {
	const char *name;
	const char *summary;
	int (*usable)(void); /* can this processor run it? NULL: any can */
	/* The definition has none of these. */
	void (*equal)(struct straw2_bin *bin);
	void (*mixed)(struct straw2_bin *bin);
	void (*parts)(struct straw2_part *parts, uint32_t count); /* of one kind */
	void (*probe)(struct select_probe *probe);
	/* For the other selectors: select_hash_many(), and how many of its hashes are
	 * side by side. */
	uint32_t lanes;
	void (*hashes)(const struct select_words *words, uint32_t *hashes);
};

/** Part of the kernel for AVX2, which that for AVX-512 uses, too. */
void straw2_avx2_hashes(const struct select_words *words, uint32_t *hashes);

/** select_choose_many() for at most STRAW2_FEW questions. */
void straw2_choose_few(const struct select_kernel *kernel,
		       const struct select_batch *batch);

/** What an item draws, by the definition; the longest wins. */
int64_t straw2_draw(const struct straw2_row *row, uint32_t index, uint32_t x, uint32_t r);
/** Choose by the definition, among all items. */
uint32_t straw2_choose_plainly(const struct straw2_row *row, uint32_t x, uint32_t r);
/** Choose with a kernel's help; the row isn't odd. */
uint32_t straw2_choose_in_parts(const struct select_kernel *kernel,
				const struct straw2_row *row, uint32_t x, uint32_t r);
/** The same, where it is known that the kernel isn't sure of it. */
uint32_t straw2_choose_closely(const struct select_kernel *kernel,
			       const struct straw2_row *row, uint32_t x, uint32_t r);

/** Items from `start` on, as many as there may be in a part. */
static inline void straw2_make_part(struct straw2_part *part,
				    const struct straw2_row *row, uint32_t start,
				    uint32_t x, uint32_t r)
{
	uint32_t left = row->bucket->count - start;

	part->x = x;
	part->r = r;
	part->items = left < STRAW2_ITEMS ? left : STRAW2_ITEMS;
	part->span = row->span;
	part->ids = row->ids + start;
	part->scales = row->kind == STRAW2_MIXED ? row->scales + start : NULL;
	part->keys = NULL;
}

/** The index of a key's item. */
static inline uint32_t straw2_index_of(enum straw2_kind kind, uint32_t key)
{
	return kind == STRAW2_EQUAL ? ~key & STRAW2_EQUAL_MASK : key & STRAW2_INDEX_MASK;
}

/** The lowest key that may still win against the first, where weights are equal. */
static inline uint32_t straw2_equal_limit(uint32_t span, uint32_t first)
{
	return ((first >> STRAW2_EQUAL_SHIFT) + 1 - span) << STRAW2_EQUAL_SHIFT;
}

/** The same where they are mixed: all keys, if the first is too low for its bound. */
uint32_t straw2_mixed_limit(const uint32_t *scales, uint32_t first);

/** By how much weights may change before another item than that of the first key, whose
 * scale is given, can be chosen: a margin, as select_measure() has them. */
uint8_t straw2_margin(uint32_t scale, uint32_t first, uint32_t second);

static inline uint32_t straw2_part_limit(const struct straw2_part *part)
{
	return part->scales ? straw2_mixed_limit(part->scales, part->first)
			    : straw2_equal_limit(part->span, part->first);
}

#endif
