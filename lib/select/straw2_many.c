/* SPDX-License-Identifier: MIT */
/* Many questions at once, sorted into bins by the kind of row, for a kernel. */
#include "straw2_kernel.h"

/* Fewer questions than this are answered one by one: most lanes would be idle. */
#define FEW 8

/* A bin, and what its questions are. */
struct heap {
	struct straw2_bin bin;
	enum straw2_kind kind;
	uint32_t count;
	uint32_t spans[STRAW2_BIN];
	const uint32_t *weights[STRAW2_BIN];
	uint32_t at[STRAW2_BIN]; /* in the batch */
};

struct sorter {
	const struct select_kernel *kernel;
	const struct select_batch *batch;
	struct heap equal;
	struct heap mixed;
};

static void answer(const struct sorter *sorter, size_t at,
		   const struct flat_bucket *bucket, uint32_t index)
{
	sorter->batch->refs[at] = flat_refs(bucket)[index];
}

/* The keys don't tell: ask for this one alone. */
static uint32_t decide(const struct sorter *sorter, const struct heap *heap,
		       uint32_t lane, const struct flat_bucket *bucket)
{
	const struct straw2_bin *bin = &heap->bin;
	struct straw2_row row = {
		.bucket = bucket,
		.ids = bin->ids[lane],
		.weights = heap->weights[lane],
		.scales = bin->scales[lane],
		.kind = heap->kind,
		.span = heap->spans[lane],
	};

	return straw2_choose_in_parts(sorter->kernel, &row, bin->x[lane], bin->r[lane]);
}

static void finish_bin(struct straw2_bin *bin, uint32_t count)
{
	uint32_t least = UINT32_MAX, most = 0;

	for (uint32_t i = count; i < STRAW2_BIN; i++) {
		bin->x[i] = bin->x[0];
		bin->r[i] = bin->r[0];
		bin->items[i] = bin->items[0];
		bin->ids[i] = bin->ids[0];
		bin->scales[i] = bin->scales[0];
	}
	bin->same = 1;
	for (uint32_t i = 0; i < STRAW2_BIN; i++) {
		least = bin->items[i] < least ? bin->items[i] : least;
		most = bin->items[i] > most ? bin->items[i] : most;
		bin->same &=
			(bin->ids[i] == bin->ids[0]) & (bin->scales[i] == bin->scales[0]);
	}
	bin->items_min = least;
	bin->items_max = most;
}

static void empty_heap(struct sorter *sorter, struct heap *heap)
{
	struct straw2_bin *bin = &heap->bin;
	const struct select_batch *batch = sorter->batch;

	if (heap->count == 0)
		return;
	finish_bin(bin, heap->count);
	if (heap->kind == STRAW2_EQUAL)
		sorter->kernel->equal(bin, heap->count);
	else
		sorter->kernel->mixed(bin, heap->count);
	for (uint32_t i = 0; i < heap->count; i++) {
		uint32_t at = heap->at[i];
		const struct flat_bucket *bucket =
			flat_bucket_of(batch->flat, batch->refs[at]);
		uint32_t index = straw2_key_index(heap->kind, bin->first[i]);

		if (!straw2_is_sure(heap->kind, heap->spans[i], bin->scales[i],
				    bin->first[i], bin->second[i]))
			index = decide(sorter, heap, i, bucket);
		answer(sorter, at, bucket, index);
	}
	heap->count = 0;
}

static void add(struct sorter *sorter, struct heap *heap, const struct straw2_row *row,
		uint32_t at)
{
	struct straw2_bin *bin = &heap->bin;
	uint32_t lane = heap->count++;

	bin->x[lane] = sorter->batch->x[at];
	bin->r[lane] = sorter->batch->r[at];
	bin->items[lane] = row->bucket->count;
	bin->ids[lane] = row->ids;
	bin->scales[lane] = row->scales;
	heap->weights[lane] = row->weights;
	heap->spans[lane] = row->span;
	heap->at[lane] = at;
	if (lane + 1 == STRAW2_BIN)
		empty_heap(sorter, heap);
}

static void ask(struct sorter *sorter, const struct flat_bucket *bucket, uint32_t at)
{
	const struct select_batch *batch = sorter->batch;
	struct select_in in = {.x = batch->x[at], .r = batch->r[at]};
	struct straw2_row row;

	in.kernel = sorter->kernel;
	in.position = batch->position ? batch->position[at] : 0;
	in.args = flat_args_of(batch->flat, batch->set,
			       flat_bucket_index(batch->flat, bucket));
	if (select_at(bucket->selector) != &select_straw2 ||
	    bucket->count > STRAW2_ITEMS) {
		answer(sorter, at, bucket, select_choose(bucket, &in));
		return;
	}
	row = straw2_row_of(bucket, in.args, in.position);
	if (row.kind == STRAW2_ODD)
		answer(sorter, at, bucket, straw2_choose_plainly(&row, in.x, in.r));
	else
		add(sorter, row.kind == STRAW2_EQUAL ? &sorter->equal : &sorter->mixed,
		    &row, at);
}

/* Without a kernel, or for too few to share its lanes. */
static void ask_singly(const struct select_kernel *kernel,
		       const struct select_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		const struct flat_bucket *bucket =
			flat_bucket_of(batch->flat, batch->refs[i]);
		struct select_in in = {
			.x = batch->x[i],
			.r = batch->r[i],
			.position = batch->position ? batch->position[i] : 0,
			.args = flat_args_of(batch->flat, batch->set,
					     flat_bucket_index(batch->flat, bucket)),
			.kernel = kernel,
		};

		batch->refs[i] = flat_refs(bucket)[select_choose(bucket, &in)];
	}
}

void select_choose_many(const struct select_kernel *kernel,
			const struct select_batch *batch)
{
	struct sorter sorter;

	if (kernel->equal == NULL || batch->count < FEW) {
		ask_singly(kernel, batch);
		return;
	}
	sorter.kernel = kernel;
	sorter.batch = batch;
	sorter.equal.kind = STRAW2_EQUAL;
	sorter.equal.count = 0;
	sorter.mixed.kind = STRAW2_MIXED;
	sorter.mixed.count = 0;
	for (size_t i = 0; i < batch->count; i++)
		ask(&sorter, flat_bucket_of(batch->flat, batch->refs[i]), (uint32_t)i);
	empty_heap(&sorter, &sorter.equal);
	empty_heap(&sorter, &sorter.mixed);
}
