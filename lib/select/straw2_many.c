/* SPDX-License-Identifier: MIT */
/* Many questions at once, put into bins by the kind of row, for a kernel. */
#include <string.h>

#include "select_many.h"
#include "straw2_kernel.h"

/* Up to this many questions are answered item by item: in a bin most lanes would be
 * idle. */
#define FEW STRAW2_PARTS

/* Questions about rows of one kind, waiting for more. */
struct queue {
	enum straw2_kind kind;
	uint32_t at[STRAW2_BIN];         /* in the batch */
	const int32_t *refs[STRAW2_BIN]; /* of the row's items */
	uint32_t spans[STRAW2_BIN];
	uint32_t x[STRAW2_BIN];
	uint32_t r[STRAW2_BIN];
	struct straw2_bin bin;
};

/* A batch being answered. */
struct asking {
	const struct select_kernel *kernel;
	const struct select_batch *batch;
	uint16_t straw2; /* as buckets name it */
	struct queue equal;
	struct queue mixed;
	uint32_t other_count; /* those that are not for the kernel */
	size_t others[STRAW2_BIN];
};

static const struct flat_bucket *bucket_at(const struct asking *asking, size_t at)
{
	return flat_bucket_of(asking->batch->flat, asking->batch->refs[at]);
}

/* What isn't for a kernel counts as odd. */
static inline struct straw2_row row_at(const struct asking *asking, size_t at)
{
	const struct select_batch *batch = asking->batch;
	const struct flat_bucket *bucket = bucket_at(asking, at);
	uint32_t position = 0;
	const struct flat_args *args = NULL;

	if (bucket->count > STRAW2_ITEMS || bucket->selector != asking->straw2)
		return (struct straw2_row){.bucket = bucket, .kind = STRAW2_ODD};
	if (batch->set) {
		args = flat_args_of(batch->flat, batch->set,
				    flat_bucket_index(batch->flat, bucket));
		position = batch->position ? batch->position[at] : 0;
	}
	return straw2_row_of(bucket, args, position);
}

/* Of one item there is no choice. */
static inline bool take_only(const struct asking *asking, const struct straw2_row *row,
			     size_t at)
{
	if (row->bucket->count != 1)
		return false;
	asking->batch->refs[at] = flat_refs(row->bucket)[0];
	return true;
}

static void ask_others(struct asking *asking)
{
	select_ask_others(asking->kernel, asking->batch, asking->others,
			  asking->other_count);
	asking->other_count = 0;
}

/* Bins. */

static inline void put_row(struct queue *queue, uint32_t lane,
			   const struct straw2_row *row)
{
	struct straw2_bin *bin = &queue->bin;

	queue->refs[lane] = flat_refs(row->bucket);
	queue->spans[lane] = row->span;
	bin->items[lane] = row->bucket->count;
	bin->ids[lane] = row->ids;
	bin->first_ids[lane] = (uint32_t)row->ids[0];
	bin->strides[lane] = row->stride;
	bin->scales[lane] = row->scales;
}

/* Which first keys have won for sure. Compilers make vectors of the loop for equal
 * weights. */
static void settle(const struct queue *queue, uint8_t *sure)
{
	const struct straw2_bin *bin = &queue->bin;

	if (queue->kind == STRAW2_EQUAL) {
		for (uint32_t i = 0; i < STRAW2_BIN; i++)
			sure[i] = bin->second[i] >
				  straw2_equal_limit(queue->spans[i], bin->first[i]);
		return;
	}
	for (uint32_t i = 0; i < bin->count; i++)
		sure[i] = bin->second[i] >
			  straw2_mixed_limit(bin->scales[i], bin->first[i]);
}

static void ask_kernel(const struct asking *asking, struct queue *queue)
{
	struct straw2_bin *bin = &queue->bin;
	uint32_t mask = straw2_index_mask(queue->kind);
	uint8_t sure[STRAW2_BIN];

	if (queue->kind == STRAW2_EQUAL)
		asking->kernel->equal(bin);
	else
		asking->kernel->mixed(bin);
	settle(queue, sure);
	for (uint32_t i = 0; i < bin->count; i++) {
		if (sure[i])
			asking->batch->refs[queue->at[i]] =
				queue->refs[i][bin->first[i] & mask];
		else
			select_ask_alone(asking->kernel, asking->batch, queue->at[i]);
	}
	bin->count = 0;
}

/* Lanes that nobody asks for do as the first. */
static void pad_bin(struct straw2_bin *bin)
{
	for (uint32_t i = bin->count; i < STRAW2_BIN; i++) {
		bin->items[i] = bin->items[0];
		bin->ids[i] = bin->ids[0];
		bin->first_ids[i] = bin->first_ids[0];
		bin->strides[i] = bin->strides[0];
		bin->scales[i] = bin->scales[0];
	}
}

static void ask_queue(const struct asking *asking, struct queue *queue)
{
	struct straw2_bin *bin = &queue->bin;
	uint32_t least = UINT32_MAX, most = 0, loaded = 0;

	if (bin->count == 0)
		return;
	pad_bin(bin);
	for (uint32_t i = 0; i < STRAW2_BIN; i++) {
		least = bin->items[i] < least ? bin->items[i] : least;
		most = bin->items[i] > most ? bin->items[i] : most;
		loaded |= bin->strides[i] == 0;
	}
	bin->from = loaded ? STRAW2_LOADED : STRAW2_STRIDED;
	bin->items_min = least;
	bin->items_max = most;
	bin->x = queue->x;
	bin->r = queue->r;
	ask_kernel(asking, queue);
}

static inline void put(const struct asking *asking, struct queue *queue,
		       const struct straw2_row *row, size_t at)
{
	uint32_t lane = queue->bin.count++;

	queue->at[lane] = (uint32_t)at;
	queue->x[lane] = asking->batch->x[at];
	queue->r[lane] = asking->batch->r[at];
	put_row(queue, lane, row);
}

/* Some questions, for all of which there is room. */
static void put_some(struct asking *asking, size_t start, size_t end)
{
	for (size_t at = start; at < end; at++) {
		struct straw2_row row = row_at(asking, at);

		if (take_only(asking, &row, at))
			continue;
		if (row.kind == STRAW2_EQUAL)
			put(asking, &asking->equal, &row, at);
		else if (row.kind == STRAW2_MIXED)
			put(asking, &asking->mixed, &row, at);
		else
			asking->others[asking->other_count++] = at;
	}
}

static void ask_each(struct asking *asking)
{
	size_t count = asking->batch->count;

	for (size_t start = 0, end; start < count; start = end) {
		size_t used = asking->equal.bin.count > asking->mixed.bin.count
				      ? asking->equal.bin.count
				      : asking->mixed.bin.count;

		end = start + STRAW2_BIN - used;
		end = end < count ? end : count;
		put_some(asking, start, end);
		ask_others(asking);
		if (asking->equal.bin.count == STRAW2_BIN)
			ask_queue(asking, &asking->equal);
		if (asking->mixed.bin.count == STRAW2_BIN)
			ask_queue(asking, &asking->mixed);
	}
	ask_queue(asking, &asking->equal);
	ask_queue(asking, &asking->mixed);
}

/* Are they all about one row? */
static bool are_same(const struct select_batch *batch)
{
	uint32_t differing = 0;

	for (size_t i = 1; i < batch->count; i++)
		differing |= (uint32_t)(batch->refs[i] ^ batch->refs[0]);
	for (size_t i = 1; batch->position && i < batch->count; i++)
		differing |= batch->position[i] ^ batch->position[0];
	return differing == 0;
}

static void ask_same(struct asking *asking, const struct straw2_row *row)
{
	const struct select_batch *batch = asking->batch;
	struct queue *queue = &asking->equal;
	struct straw2_bin *bin = &queue->bin;

	queue->kind = row->kind;
	for (uint32_t i = 0; i < STRAW2_BIN; i++)
		put_row(queue, i, row);
	bin->from = STRAW2_SAME;
	bin->items_min = row->bucket->count;
	bin->items_max = row->bucket->count;
	for (size_t start = 0; start < batch->count; start += STRAW2_BIN) {
		size_t left = batch->count - start;

		bin->count = left < STRAW2_BIN ? (uint32_t)left : STRAW2_BIN;
		bin->x = batch->x + start;
		bin->r = batch->r + start;
		for (uint32_t i = 0; i < STRAW2_BIN; i++)
			queue->at[i] = (uint32_t)start + i;
		ask_kernel(asking, queue);
	}
}

/* Few questions. */

/* The winner is sure, or else there is more to look at. */
static void settle_few(const struct asking *asking, struct straw2_part *part, size_t at)
{
	const struct flat_bucket *bucket = bucket_at(asking, at);
	struct straw2_row row;
	uint32_t index;

	if (part->second > straw2_part_limit(part)) {
		index = part->first &
			straw2_index_mask(part->scales ? STRAW2_MIXED : STRAW2_EQUAL);
	} else {
		row = row_at(asking, at);
		index = straw2_settle_part(asking->kernel, &row, part);
	}
	asking->batch->refs[at] = flat_refs(bucket)[index];
}

/* All their items are lanes. */
static void ask_few(struct asking *asking)
{
	const struct select_batch *batch = asking->batch;
	struct straw2_part parts[FEW];
	size_t asked[FEW];
	uint32_t used = 0;

	for (size_t at = 0; at < batch->count; at++) {
		struct straw2_row row = row_at(asking, at);

		if (take_only(asking, &row, at))
			continue;
		if (row.kind == STRAW2_ODD) {
			asking->others[asking->other_count++] = at;
			continue;
		}
		asked[used] = at;
		straw2_make_part(&parts[used++], &row, 0, batch->x[at], batch->r[at]);
	}
	if (used > 0)
		asking->kernel->parts(parts, used);
	for (uint32_t i = 0; i < used; i++)
		settle_few(asking, &parts[i], asked[i]);
	ask_others(asking);
}

void select_choose_many(const struct select_kernel *kernel,
			const struct select_batch *batch)
{
	struct asking asking; /* not cleared: it's large */
	struct straw2_row row;

	asking.kernel = kernel;
	asking.batch = batch;
	asking.straw2 = select_index(&select_straw2);
	asking.other_count = 0;
	if (kernel->equal == NULL) {
		for (size_t at = 0; at < batch->count; at++)
			select_ask_alone(kernel, batch, at);
		return;
	}
	if (batch->count <= FEW) {
		ask_few(&asking);
		return;
	}
	row = row_at(&asking, 0);
	if (row.kind != STRAW2_ODD && row.bucket->count > 1 && are_same(batch)) {
		ask_same(&asking, &row);
		return;
	}
	asking.equal.kind = STRAW2_EQUAL;
	asking.equal.bin.count = 0;
	asking.mixed.kind = STRAW2_MIXED;
	asking.mixed.bin.count = 0;
	ask_each(&asking);
}
