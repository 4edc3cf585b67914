/* SPDX-License-Identifier: MIT */
#include "select_many.h"

#include <assert.h>
#include <string.h>

/* Copies of fixed length become vector code. */
#define STEP 8
static_assert(STEP <= FLAT_PAD, "that much may be read and written behind the last");

void select_pack_fill(uint32_t *words, uint32_t word, uint32_t count)
{
	for (uint32_t at = 0; at < count; at += STEP) {
		for (uint32_t i = 0; i < STEP; i++)
			words[at + i] = word;
	}
}

void select_pack_copy(uint32_t *words, const void *from, uint32_t count)
{
	for (uint32_t at = 0; at < count; at += STEP)
		memcpy(words + at, (const uint32_t *)from + at, STEP * sizeof(*words));
}

static void hash_pack(const struct select_kernel *kernel, struct select_pack *pack,
		      uint32_t arity)
{
	struct select_words words = {
		.words = {pack->words[0], pack->words[1], pack->words[2], pack->words[3]},
		.arity = arity,
		.count = pack->count,
	};

	select_hash_many(kernel, &words, pack->hashes);
}

/* As many questions from `first` on as there is room for, and how many hashes each has.
 * @return the first that isn't in the pack. */
static uint32_t fill_pack(struct select_pack *pack, const struct select_many *many,
			  const struct select_plan *plan, uint32_t first,
			  uint32_t *counts)
{
	uint32_t i = first;

	pack->count = 0;
	for (; i < many->count; i++) {
		uint32_t count = plan->count(many->buckets[i], many->r[i]);

		if (count > SELECT_PACK - pack->count)
			break;
		plan->put(pack, many->buckets[i], many->x[i], many->r[i], count);
		pack->count += count;
		counts[i] = count;
	}
	return i;
}

static void decide(struct select_many *many, const struct select_plan *plan,
		   uint32_t first, uint32_t end, const uint32_t *counts,
		   const uint32_t *hashes)
{
	for (uint32_t i = first; i < end; i++) {
		many->chosen[i] = plan->decide(many->buckets[i], many->r[i], hashes);
		hashes += counts[i];
	}
}

void select_answer(struct select_many *many, const struct select_plan *plan)
{
	struct select_pack pack;
	uint32_t counts[SELECT_HASHES];

	for (uint32_t first = 0, end; first < many->count; first = end) {
		end = fill_pack(&pack, many, plan, first, counts);
		if (end == first) {
			struct select_in in = {.x = many->x[first],
					       .r = many->r[first],
					       .kernel = many->kernel};

			many->chosen[end++] = select_choose(many->buckets[first], &in);
			continue;
		}
		hash_pack(many->kernel, &pack, plan->arity);
		decide(many, plan, first, end, counts, pack.hashes);
	}
}

void select_answer_alone(struct select_many *many,
			 uint32_t (*choose)(const struct flat_bucket *bucket,
					    const struct select_in *in))
{
	for (uint32_t i = 0; i < many->count; i++) {
		struct select_in in = {
			.x = many->x[i], .r = many->r[i], .kernel = many->kernel};

		many->chosen[i] = choose(many->buckets[i], &in);
	}
}

void select_ask_alone(const struct select_kernel *kernel,
		      const struct select_batch *batch, size_t at)
{
	const struct flat_bucket *bucket = flat_bucket_of(batch->flat, batch->refs[at]);
	struct select_in in = {
		.x = batch->x[at],
		.r = batch->r[at],
		.position = batch->position ? batch->position[at] : 0,
		.args = flat_args_of(batch->flat, batch->set,
				     flat_bucket_index(batch->flat, bucket)),
		.kernel = kernel,
	};

	batch->refs[at] = bucket->count > 1
				  ? flat_refs(bucket)[select_choose(bucket, &in)]
				  : select_only_item(bucket);
}

static void ask_joined(struct select_many *many, const struct select_batch *batch,
		       const struct select_ops *ops, const size_t *asked)
{
	if (many->count == 0)
		return;
	ops->choose_many(many);
	for (uint32_t i = 0; i < many->count; i++)
		batch->refs[asked[i]] = flat_refs(many->buckets[i])[many->chosen[i]];
}

/* Those that are for one selector. @return how many are left; their places close ranks.
 */
static uint32_t ask_one_kind(struct select_many *many, const struct select_batch *batch,
			     uint16_t selector, size_t *at, uint32_t count)
{
	const struct select_ops *ops = select_at(selector);
	const struct flat_bucket *buckets = flat_bucket_at(batch->flat, 0);
	size_t asked[SELECT_HASHES];
	uint32_t left = 0, joined = 0;

	for (uint32_t i = 0; i < count; i++) {
		size_t place = at[i];
		const struct flat_bucket *bucket = &buckets[-1 - batch->refs[place]];

		if (bucket->selector != selector || joined == SELECT_HASHES) {
			at[left++] = place;
		} else if (!ops->choose_many || bucket->hash != HASH_RJENKINS1) {
			select_ask_alone(many->kernel, batch, place);
		} else {
			many->buckets[joined] = bucket;
			many->x[joined] = batch->x[place];
			many->r[joined] = batch->r[place];
			asked[joined++] = place;
		}
	}
	many->count = joined;
	ask_joined(many, batch, ops, asked);
	return left;
}

void select_ask_others(const struct select_kernel *kernel,
		       const struct select_batch *batch, size_t *at, uint32_t count)
{
	struct select_many many;

	many.kernel = kernel;
	while (count > 0) {
		const struct flat_bucket *first =
			flat_bucket_of(batch->flat, batch->refs[at[0]]);

		count = ask_one_kind(&many, batch, first->selector, at, count);
	}
}
