/* SPDX-License-Identifier: MIT */
/* Many questions at once, put into bins by the kind of row, for a kernel. */
#include <string.h>

#include "select_many.h"
#include "straw2_turn.h"

/* Questions about rows of one kind, waiting for more. */
struct queue {
	struct straw2_group group;
	uint32_t at[STRAW2_BIN]; /* in the batch */
	uint32_t x[STRAW2_BIN];
	uint32_t r[STRAW2_BIN];
};

/* A batch being answered. */
struct asking {
	const struct select_kernel *kernel;
	const struct select_batch *batch;
	/* Slices of the batch: its next questions in their order. Only when they are of
	 * several kinds must they change places. */
	struct straw2_group slices[2];
	struct straw2_turn turn; /* of the slice that isn't asked */
	uint32_t unsure[STRAW2_BIN + 1];
	struct queue equal;
	struct queue mixed;
	uint32_t other_count; /* those that are not for the kernel */
	size_t others[STRAW2_BIN];
};

static void put_other(struct asking *asking, size_t at)
{
	const struct select_batch *batch = asking->batch;
	const struct flat_bucket *bucket = flat_bucket_of(batch->flat, batch->refs[at]);

	if (bucket->count <= 1)
		batch->refs[at] = select_only_item(bucket);
	else
		asking->others[asking->other_count++] = at;
}

static void ask_others(struct asking *asking)
{
	select_ask_others(asking->kernel, asking->batch, asking->others,
			  asking->other_count);
	asking->other_count = 0;
}

static void ask_unsure(struct asking *asking)
{
	const struct select_batch *batch = asking->batch;
	struct straw2_turn *turn = &asking->turn;

	for (uint32_t i = 0; i < turn->unsure_count; i++) {
		uint32_t at = asking->unsure[i];
		struct straw2_row row = straw2_turn_row(turn, at);

		batch->refs[at] = flat_refs(row.bucket)[straw2_choose_closely(
			asking->kernel, &row, batch->x[at], batch->r[at])];
	}
	turn->unsure_count = 0;
}

/* Do what a kernel didn't. */
static void finish_turn(struct asking *asking)
{
	struct straw2_turn turn = asking->turn; /* a copy can stay in registers */
	uint32_t lanes = straw2_turn_lanes(&turn);

	turn.pace = turn.lane < lanes ? lanes - turn.lane : 0;
	straw2_turn_some(&turn);
	asking->turn = turn;
	ask_unsure(asking);
}

/* The lanes of a slice shall answer no more, and ask from `to` on. */
static void start_turn(struct asking *asking, uint32_t which, size_t to)
{
	struct straw2_turn *turn = &asking->turn;
	size_t count = asking->batch->count, left = to < count ? count - to : 0;

	turn->group = &asking->slices[which];
	turn->lane = 0;
	turn->settled = turn->group->bin.count;
	turn->found = left < STRAW2_BIN ? (uint32_t)left : STRAW2_BIN;
	turn->from = (uint32_t)to - 2 * STRAW2_BIN;
	turn->to = (uint32_t)to;
	turn->any = 0;
	turn->all = UINT32_MAX;
	turn->apart = 0;
}

/* Bins. */

static void ask_kernel(struct asking *asking, struct straw2_group *group)
{
	group->bin.turn = &asking->turn;
	if (group->kind == STRAW2_EQUAL)
		asking->kernel->equal(&group->bin);
	else
		asking->kernel->mixed(&group->bin);
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
		bin->spans[i] = bin->spans[0];
	}
}

static void ask_group(struct asking *asking, struct straw2_group *group, bool apart)
{
	struct straw2_bin *bin = &group->bin;
	/* With a sign, as vectors for every processor compare no others. */
	int32_t least = STRAW2_EQUAL_ITEMS, most = 0;
	uint32_t loaded = 0;

	pad_bin(bin);
	for (uint32_t i = 0; i < STRAW2_BIN; i++) {
		int32_t items = (int32_t)bin->items[i];

		least = items < least ? items : least;
		most = items > most ? items : most;
		loaded |= bin->strides[i] == 0;
	}
	bin->from = loaded ? STRAW2_LOADED : STRAW2_STRIDED;
	group->told = !loaded && !apart;
	bin->items_min = (uint32_t)least;
	bin->items_max = (uint32_t)most;
	ask_kernel(asking, group);
}

static void ask_queue(struct asking *asking, struct queue *queue)
{
	struct straw2_group *group = &queue->group;

	if (group->bin.count == 0)
		return;
	ask_group(asking, group, true);
	finish_turn(asking);
	for (uint32_t i = 0; i < group->bin.count; i++)
		straw2_settle_lane(&asking->turn, group, i, queue->at[i]);
	ask_unsure(asking);
	group->bin.count = 0;
}

static void move_to_queue(struct asking *asking, const struct straw2_group *slice,
			  uint32_t lane, uint32_t at, struct queue *queue)
{
	struct straw2_group *group = &queue->group;
	uint32_t to = group->bin.count++;

	queue->at[to] = at;
	group->bin.spans[to] = slice->bin.spans[lane];
	group->bin.items[to] = slice->bin.items[lane];
	group->bin.ids[to] = slice->bin.ids[lane];
	group->bin.first_ids[to] = slice->bin.first_ids[lane];
	group->bin.strides[to] = slice->bin.strides[lane];
	group->bin.scales[to] = slice->bin.scales[lane];
	queue->x[to] = slice->bin.x[lane];
	queue->r[to] = slice->bin.r[lane];
	if (to + 1 == STRAW2_BIN)
		ask_queue(asking, queue);
}

/* A slice with questions of several kinds. */
static void split_slice(struct asking *asking, struct straw2_group *slice, uint32_t start)
{
	for (uint32_t i = 0; i < slice->bin.count; i++) {
		if (slice->kinds[i] == STRAW2_EQUAL)
			move_to_queue(asking, slice, i, start + i, &asking->equal);
		else if (slice->kinds[i] == STRAW2_MIXED)
			move_to_queue(asking, slice, i, start + i, &asking->mixed);
		else
			put_other(asking, start + i);
	}
	ask_others(asking);
	slice->bin.count = 0;
}

static void place_slice(struct asking *asking, struct straw2_group *slice, size_t start)
{
	const struct select_batch *batch = asking->batch;
	size_t left = batch->count - start;

	slice->bin.count = left < STRAW2_BIN ? (uint32_t)left : STRAW2_BIN;
	slice->bin.x = batch->x + start;
	slice->bin.r = batch->r + start;
}

static void ask_slice(struct asking *asking, uint32_t which, size_t start)
{
	struct straw2_group *slice = &asking->slices[which];
	uint32_t any = asking->turn.any, all = asking->turn.all;
	bool apart = asking->turn.apart != 0;

	place_slice(asking, slice, start);
	slice->kind = (enum straw2_kind)all;
	start_turn(asking, !which, start + STRAW2_BIN);
	if (all == any && all != STRAW2_ODD)
		ask_group(asking, slice, apart);
	else
		split_slice(asking, slice, (uint32_t)start);
	finish_turn(asking);
}

static void start_queue(struct queue *queue, enum straw2_kind kind)
{
	queue->group.kind = kind;
	queue->group.bin.count = 0;
	queue->group.bin.x = queue->x;
	queue->group.bin.r = queue->r;
}

static void ask_each(struct asking *asking)
{
	size_t count = asking->batch->count, start;
	uint32_t which = 0;

	start_queue(&asking->equal, STRAW2_EQUAL);
	start_queue(&asking->mixed, STRAW2_MIXED);
	start_turn(asking, 0, 0);
	finish_turn(asking);
	for (start = 0; start < count; start += STRAW2_BIN) {
		ask_slice(asking, which, start);
		which = !which;
	}
	start_turn(asking, !which, start + STRAW2_BIN);
	finish_turn(asking);
	ask_queue(asking, &asking->equal);
	ask_queue(asking, &asking->mixed);
}

static void ask_odd(struct asking *asking)
{
	for (size_t at = 0; at < asking->batch->count; at++) {
		put_other(asking, at);
		if (asking->other_count == STRAW2_BIN)
			ask_others(asking);
	}
	ask_others(asking);
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

static void fill_slice(struct straw2_group *slice, const struct straw2_row *row)
{
	straw2_put_row(slice, 0, row);
	/* Answers are told by these. */
	for (uint32_t i = 1; i < STRAW2_BIN; i++) {
		slice->bin.first_ids[i] = slice->bin.first_ids[0];
		slice->bin.strides[i] = slice->bin.strides[0];
	}
	slice->kind = row->kind;
	slice->told = row->stride != 0 && row->bucket->ids == row->bucket->refs;
	slice->bin.from = STRAW2_SAME;
	slice->bin.items_min = row->bucket->count;
	slice->bin.items_max = row->bucket->count;
}

/* All are about one row. */
static void ask_same(struct asking *asking)
{
	struct straw2_row row = straw2_turn_row(&asking->turn, 0);
	size_t count = asking->batch->count, start;
	uint32_t which = 0;

	if (row.kind == STRAW2_ODD) {
		ask_odd(asking);
		return;
	}
	fill_slice(&asking->slices[0], &row);
	fill_slice(&asking->slices[1], &row);
	for (start = 0; start < count; start += STRAW2_BIN) {
		place_slice(asking, &asking->slices[which], start);
		start_turn(asking, !which, start + STRAW2_BIN);
		asking->turn.found = 0;
		ask_kernel(asking, &asking->slices[which]);
		finish_turn(asking);
		which = !which;
	}
	start_turn(asking, !which, start + STRAW2_BIN);
	finish_turn(asking);
}

static void ask_many(const struct select_kernel *kernel, const struct select_batch *batch)
{
	struct asking asking; /* not cleared: it's large */

	asking.kernel = kernel;
	asking.batch = batch;
	asking.slices[0].bin.count = 0;
	asking.slices[1].bin.count = 0;
	asking.turn = (struct straw2_turn){
		.batch = batch,
		.buckets = flat_bucket_at(batch->flat, 0),
		.straw2 = select_index(&select_straw2),
		.unsure = asking.unsure,
	};
	asking.other_count = 0;
	if (are_same(batch))
		ask_same(&asking);
	else
		ask_each(&asking);
}

void select_choose_many(const struct select_kernel *kernel,
			const struct select_batch *batch)
{
	if (kernel->equal && batch->count <= STRAW2_FEW)
		straw2_choose_few(kernel, batch);
	else if (kernel->equal)
		ask_many(kernel, batch);
	else
		for (size_t at = 0; at < batch->count; at++)
			select_ask_alone(kernel, batch, at);
}
