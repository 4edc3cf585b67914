/* SPDX-License-Identifier: MIT */
/* Many questions at once, put into bins by the kind of row, for a kernel. */
#include <string.h>

#include "select_many.h"
#include "straw2_kernel.h"

/* Up to this many questions are answered item by item: in a bin most lanes would be
 * idle. */
#define FEW STRAW2_PARTS

/* Questions of a batch that are in a bin. */
struct chunk {
	const struct select_kernel *kernel;
	const struct select_batch *batch;
	size_t start;    /* in the batch */
	uint16_t straw2; /* as buckets name it */
	struct straw2_bin bin;
	uint8_t kinds[STRAW2_BIN];
	uint8_t spans[STRAW2_BIN];
	uint8_t at[STRAW2_BIN]; /* from the start */
};

static const struct flat_bucket *bucket_at(const struct chunk *chunk, size_t at)
{
	return flat_bucket_of(chunk->batch->flat, chunk->batch->refs[at]);
}

/* Without the other questions. */
static void ask_alone(const struct chunk *chunk, size_t at)
{
	select_ask_alone(chunk->kernel, chunk->batch, at);
}

/* Those that are not for the kernel, `count` of them in chunk->at. */
static void ask_others(const struct chunk *chunk, uint32_t count)
{
	select_ask_others(chunk->kernel, chunk->batch, chunk->start, chunk->at, count);
}

/* What isn't for a kernel counts as odd. */
static inline struct straw2_row row_at(const struct chunk *chunk, size_t at)
{
	const struct select_batch *batch = chunk->batch;
	const struct flat_bucket *bucket = bucket_at(chunk, at);
	const struct flat_args *args;

	if (bucket->count - 2 > STRAW2_ITEMS - 2 || bucket->selector != chunk->straw2)
		return (struct straw2_row){.bucket = bucket, .kind = STRAW2_ODD};
	args = flat_args_of(batch->flat, batch->set,
			    flat_bucket_index(batch->flat, bucket));
	return straw2_row_of(bucket, args, batch->position ? batch->position[at] : 0);
}

static void settle(const struct chunk *chunk, enum straw2_kind kind, uint32_t lane)
{
	const struct straw2_bin *bin = &chunk->bin;
	size_t at = chunk->start + chunk->at[lane];
	uint32_t first = bin->first[lane], limit;

	if (kind == STRAW2_EQUAL)
		limit = straw2_equal_limit(
			chunk->spans[bin->from == STRAW2_SAME ? 0 : lane], first);
	else
		limit = straw2_mixed_limit(
			bin->scales[bin->from == STRAW2_SAME ? 0 : lane], first);
	if (bin->second[lane] > limit)
		chunk->batch->refs[at] =
			flat_refs(bucket_at(chunk, at))[straw2_key_index(kind, first)];
	else
		ask_alone(chunk, at);
}

static void ask_kernel(struct chunk *chunk, enum straw2_kind kind)
{
	if (kind == STRAW2_EQUAL)
		chunk->kernel->equal(&chunk->bin);
	else
		chunk->kernel->mixed(&chunk->bin);
	for (uint32_t i = 0; i < chunk->bin.count; i++)
		settle(chunk, kind, i);
}

static void put(struct chunk *chunk, uint32_t lane, const struct straw2_row *row)
{
	chunk->kinds[lane] = (uint8_t)row->kind;
	chunk->spans[lane] = (uint8_t)row->span;
	chunk->at[lane] = (uint8_t)lane;
	chunk->bin.items[lane] = row->bucket->count;
	chunk->bin.ids[lane] = row->ids;
	chunk->bin.first_ids[lane] = row->kind == STRAW2_ODD ? 0 : (uint32_t)row->ids[0];
	chunk->bin.strides[lane] = row->stride;
	chunk->bin.scales[lane] = row->scales;
}

/* All about one row. */
static void ask_same(struct chunk *chunk)
{
	struct straw2_row row = row_at(chunk, chunk->start);

	put(chunk, 0, &row);
	for (uint32_t i = 0; i < chunk->bin.count; i++)
		chunk->at[i] = (uint8_t)i;
	chunk->bin.from = STRAW2_SAME;
	chunk->bin.items_min = row.bucket->count;
	chunk->bin.items_max = row.bucket->count;
	if (row.kind != STRAW2_ODD) {
		ask_kernel(chunk, row.kind);
		return;
	}
	ask_others(chunk, chunk->bin.count);
}

/* Lanes that nobody asks for do as the first. */
static void pad_bin(struct straw2_bin *bin)
{
	uint32_t least = bin->items[0], most = bin->items[0];
	int strided = 1;

	for (uint32_t i = bin->count; i < STRAW2_BIN; i++) {
		bin->items[i] = bin->items[0];
		bin->ids[i] = bin->ids[0];
		bin->first_ids[i] = bin->first_ids[0];
		bin->strides[i] = bin->strides[0];
		bin->scales[i] = bin->scales[0];
	}
	for (uint32_t i = 0; i < STRAW2_BIN; i++) {
		least = bin->items[i] < least ? bin->items[i] : least;
		most = bin->items[i] > most ? bin->items[i] : most;
		strided &= bin->strides[i] != 0;
	}
	bin->from = strided ? STRAW2_STRIDED : STRAW2_LOADED;
	bin->items_min = least;
	bin->items_max = most;
}

/* Those about one kind of row, out of more kinds. */
static void ask_some(const struct chunk *all, enum straw2_kind kind)
{
	uint32_t x[STRAW2_BIN] = {0}, r[STRAW2_BIN] = {0}, count = 0;
	struct chunk chunk = {
		.kernel = all->kernel, .batch = all->batch, .start = all->start};

	for (uint32_t i = 0; i < all->bin.count; i++) {
		if (all->kinds[i] != kind)
			continue;
		x[count] = all->bin.x[i];
		r[count] = all->bin.r[i];
		chunk.at[count] = (uint8_t)i;
		chunk.spans[count] = all->spans[i];
		chunk.bin.items[count] = all->bin.items[i];
		chunk.bin.ids[count] = all->bin.ids[i];
		chunk.bin.first_ids[count] = all->bin.first_ids[i];
		chunk.bin.strides[count] = all->bin.strides[i];
		chunk.bin.scales[count++] = all->bin.scales[i];
	}
	if (count == 0)
		return;
	chunk.bin.x = x;
	chunk.bin.r = r;
	chunk.bin.count = count;
	pad_bin(&chunk.bin);
	ask_kernel(&chunk, kind);
}

static void ask_each(struct chunk *chunk)
{
	uint32_t kinds = 0, odd = 0;

	for (uint32_t i = 0; i < chunk->bin.count; i++) {
		struct straw2_row row = row_at(chunk, chunk->start + i);

		put(chunk, i, &row);
		kinds |= 1u << row.kind;
	}
	if (kinds == 1u << STRAW2_EQUAL || kinds == 1u << STRAW2_MIXED) {
		pad_bin(&chunk->bin);
		ask_kernel(chunk, (enum straw2_kind)chunk->kinds[0]);
		return;
	}
	ask_some(chunk, STRAW2_EQUAL);
	ask_some(chunk, STRAW2_MIXED);
	for (uint32_t i = 0; i < chunk->bin.count; i++) {
		if (chunk->kinds[i] == STRAW2_ODD)
			chunk->at[odd++] = (uint8_t)i;
	}
	ask_others(chunk, odd);
}

/* The winner is sure, or else there is more to look at. */
static void settle_few(const struct chunk *chunk, struct straw2_part *part, size_t at)
{
	const struct flat_bucket *bucket = bucket_at(chunk, at);
	struct straw2_row row;
	uint32_t index;

	if (part->second > straw2_part_limit(part)) {
		index = straw2_key_index(part->scales ? STRAW2_MIXED : STRAW2_EQUAL,
					 part->first);
	} else {
		row = row_at(chunk, at);
		index = straw2_settle_part(chunk->kernel, &row, part);
	}
	chunk->batch->refs[at] = flat_refs(bucket)[index];
}

/* Few questions: all their items are lanes. */
static void ask_few(struct chunk *chunk, uint32_t count)
{
	struct straw2_part parts[FEW];
	uint8_t others[FEW];
	uint32_t used = 0, odd = 0;

	for (uint32_t i = 0; i < count; i++) {
		size_t at = chunk->start + i;
		struct straw2_row row = row_at(chunk, at);

		if (row.bucket->count == 1) {
			chunk->batch->refs[at] = flat_refs(row.bucket)[0];
			continue;
		}
		if (row.kind == STRAW2_ODD) {
			others[odd++] = (uint8_t)i;
			continue;
		}
		chunk->at[used] = (uint8_t)i;
		straw2_make_part(&parts[used++], &row, 0, chunk->batch->x[at],
				 chunk->batch->r[at]);
	}
	if (used > 0)
		chunk->kernel->parts(parts, used);
	for (uint32_t i = 0; i < used; i++)
		settle_few(chunk, &parts[i], chunk->start + chunk->at[i]);
	select_ask_others(chunk->kernel, chunk->batch, chunk->start, others, odd);
}

/* For a kernel that can do nothing. */
static void ask_all_alone(const struct chunk *chunk)
{
	for (size_t i = 0; i < chunk->batch->count; i++)
		ask_alone(chunk, i);
}

static int are_same(const struct chunk *chunk)
{
	const int32_t *refs = chunk->batch->refs + chunk->start;
	const uint32_t *positions = chunk->batch->position;
	uint32_t differing = 0;

	for (uint32_t i = 1; i < chunk->bin.count; i++)
		differing |= (uint32_t)(refs[i] ^ refs[0]);
	for (uint32_t i = 1; positions && i < chunk->bin.count; i++)
		differing |= positions[chunk->start + i] ^ positions[chunk->start];
	return differing == 0;
}

void select_choose_many(const struct select_kernel *kernel,
			const struct select_batch *batch)
{
	struct chunk chunk;

	chunk.kernel = kernel;
	chunk.batch = batch;
	chunk.straw2 = select_index(&select_straw2);
	if (kernel->equal == NULL) {
		ask_all_alone(&chunk);
		return;
	}
	for (chunk.start = 0; chunk.start < batch->count; chunk.start += STRAW2_BIN) {
		size_t left = batch->count - chunk.start;

		chunk.bin.count = left < STRAW2_BIN ? (uint32_t)left : STRAW2_BIN;
		chunk.bin.x = batch->x + chunk.start;
		chunk.bin.r = batch->r + chunk.start;
		if (left <= FEW)
			ask_few(&chunk, (uint32_t)left);
		else if (are_same(&chunk))
			ask_same(&chunk);
		else
			ask_each(&chunk);
	}
}
