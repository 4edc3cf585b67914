/* SPDX-License-Identifier: MIT */
/*
 * doc/crush.md, section 3.5. The table holds a straw length for each item. Lengths are
 * the one place of the library where floating point decides a placement: they are made
 * once, when a map is compiled, in just the order of operations that the reference has.
 */
#include "select_many.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base_alloc.h"
#include "base_error.h"

static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1,
	      "doubles must be rounded after each operation; on 32-bit x86 that takes "
	      "-msse2 -mfpmath=sse");

static uint32_t table_words(uint32_t count)
{
	return count;
}

/* An item in order of weight, then of index: the weight above, the index below. */
static uint64_t make_key(uint32_t weight, uint32_t index)
{
	return (uint64_t)weight << 32 | index;
}

static uint32_t key_weight(uint64_t key)
{
	return (uint32_t)(key >> 32);
}

static uint32_t key_index(uint64_t key)
{
	return (uint32_t)key;
}

static int compare_keys(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* How far the lengths have been laid out, from the lightest item upward. */
struct ladder {
	const uint64_t *keys;
	uint32_t count;
	uint8_t version;
	int64_t left; /* items that are heavier */
	double straw;
	double below;
	double last;
};

/* Items from `first` on that weigh the same. */
static uint32_t count_equal(const struct ladder *ladder, uint32_t first)
{
	uint32_t end = first;

	while (end < ladder->count &&
	       key_weight(ladder->keys[end]) == key_weight(ladder->keys[first]))
		end++;
	return end - first;
}

/* From the item before `next` in order of weight to `next`. */
static void climb(struct ladder *ladder, uint32_t next)
{
	uint32_t weight = key_weight(ladder->keys[next - 1]);
	uint32_t more = key_weight(ladder->keys[next]) - weight;
	double above, share;

	if (ladder->version == 0 && more == 0)
		return;
	ladder->below += ((double)weight - ladder->last) * (double)ladder->left;
	ladder->left -= ladder->version == 0 ? count_equal(ladder, next) : 1;
	above = (double)((uint32_t)ladder->left * more);
	share = ladder->below / (ladder->below + above);
	ladder->straw *= pow(1.0 / share, 1.0 / (double)ladder->left);
	ladder->last = (double)weight;
}

/* As x86-64 converts a double to 32 bits without a sign: by way of 64 bits with one. */
static uint32_t to_length(double straw)
{
	double scaled = straw * 65536.0;

	if (!(scaled >= 0.0 && scaled < 0x1p63))
		return 0;
	return (uint32_t)(int64_t)scaled;
}

static void lay_out(struct ladder *ladder, uint32_t *lengths)
{
	for (uint32_t i = 0; i < ladder->count; i++) {
		uint64_t key = ladder->keys[i];

		if (key_weight(key) == 0) {
			lengths[key_index(key)] = 0;
			ladder->left -= ladder->version == 0 ? 0 : 1;
			continue;
		}
		lengths[key_index(key)] = to_length(ladder->straw);
		if (i + 1 < ladder->count)
			climb(ladder, i + 1);
	}
}

static strew_status prepare(const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error)
{
	struct ladder ladder = {
		.count = source->count,
		.version = source->straw_calc_version,
		.left = source->count,
		.straw = 1.0,
	};
	uint64_t *keys = base_alloc(allocator, source->count, sizeof(*keys));

	if (keys == NULL)
		return base_error_nomem(error);
	for (uint32_t i = 0; i < source->count; i++)
		keys[i] = make_key(source->weights[i], i);
	qsort(keys, source->count, sizeof(*keys), compare_keys);
	ladder.keys = keys;
	lay_out(&ladder, table);
	base_free(allocator, keys, source->count * sizeof(*keys));
	return STREW_OK;
}

/* The longest draw so far. */
struct longest {
	uint64_t draw;
	uint32_t index;
};

static void draw_some(struct longest *longest, const uint32_t *lengths, uint32_t start,
		      uint32_t count, const uint32_t *hashes)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t draw = (uint64_t)(hashes[i] & 0xffff) * lengths[i];

		longest->index = draw > longest->draw ? start + i : longest->index;
		longest->draw = draw > longest->draw ? draw : longest->draw;
	}
}

static uint32_t choose(const struct flat_bucket *bucket, const struct select_in *in)
{
	uint32_t hashes[SELECT_HASHES + FLAT_PAD];
	struct longest longest = {0, 0};

	for (uint32_t start = 0; start < bucket->count; start += SELECT_HASHES) {
		uint32_t left = bucket->count - start;
		uint32_t count = left < SELECT_HASHES ? left : SELECT_HASHES;

		select_hash_words_3(bucket, in, flat_ids(bucket) + start, count, hashes);
		draw_some(&longest, flat_table(bucket) + start, start, count, hashes);
	}
	return longest.index;
}

/* Each item's straw is its hash times its length. */
static uint32_t explain(const struct flat_bucket *bucket, const struct select_in *in,
			struct select_candidate *candidates)
{
	for (uint32_t i = 0; i < bucket->count; i++) {
		int32_t id = flat_ids(bucket)[i];
		uint32_t hash = select_hash_3(bucket, in->x, (uint32_t)id, in->r);
		uint32_t length = flat_table(bucket)[i];

		candidates[i] = (struct select_candidate){
			.item = i,
			.id = id,
			.hash = hash & 0xffff,
			.weight = flat_weights(bucket)[i],
			.scale = length,
			.straw = (int64_t)((uint64_t)(hash & 0xffff) * length),
		};
	}
	return bucket->count;
}

static uint32_t count_hashes(const struct flat_bucket *bucket, uint32_t r)
{
	(void)r;
	return bucket->count;
}

static void put(struct select_pack *pack, const struct flat_bucket *bucket, uint32_t x,
		uint32_t r, uint32_t count)
{
	select_pack_fill(pack->words[0] + pack->count, x, count);
	select_pack_copy(pack->words[1] + pack->count, flat_ids(bucket), count);
	select_pack_fill(pack->words[2] + pack->count, r, count);
}

static uint32_t decide(const struct flat_bucket *bucket, uint32_t r,
		       const uint32_t *hashes)
{
	struct longest longest = {0, 0};

	(void)r;
	draw_some(&longest, flat_table(bucket), 0, bucket->count, hashes);
	return longest.index;
}

static void choose_many(struct select_many *many)
{
	static const struct select_plan plan = {3, count_hashes, put, decide};

	select_answer(many, &plan);
}

const struct select_ops select_straw = {
	.name = "straw",
	.summary = "the longest of scaled straws wins; straw2 replaces it",
	.flags = SELECT_WEIGHTED | SELECT_RACES,
	.table_words = table_words,
	.prepare = prepare,
	.choose = choose,
	.explain = explain,
	.choose_many = choose_many,
};
