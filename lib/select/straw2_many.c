/* SPDX-License-Identifier: MIT */
/* Many questions at once, put into bins by the kind of row, for a kernel. */
#include <string.h>

#include "select_many.h"
#include "straw2_kernel.h"

/* Questions for the kernel. */
struct group {
	enum straw2_kind kind;
	uint32_t at[STRAW2_BIN]; /* in the batch */
	uint32_t spans[STRAW2_BIN];
	struct straw2_bin bin;
};

/* Questions about rows of one kind, waiting for more. */
struct queue {
	struct group group;
	uint32_t x[STRAW2_BIN];
	uint32_t r[STRAW2_BIN];
};

/* What tells the row of a question: loops take a copy, which stays in registers. */
struct view {
	const struct select_batch *batch;
	const struct flat_bucket *buckets;
	int32_t *refs;
	const struct flat_set *set;
	uint32_t straw2; /* as buckets name it */
};

/* A batch being answered. */
struct asking {
	const struct select_kernel *kernel;
	const struct select_batch *batch;
	struct view view;
	/* A slice of the batch: its next questions in their order. Only when they are of
	 * several kinds must they change places. */
	struct group slice;
	uint32_t kinds[STRAW2_BIN];
	struct queue equal;
	struct queue mixed;
	uint32_t other_count; /* those that are not for the kernel */
	size_t others[STRAW2_BIN];
};

static const struct flat_bucket *bucket_at(const struct asking *asking, size_t at)
{
	return &asking->view.buckets[-1 - asking->view.refs[at]];
}

/* What isn't for a kernel counts as odd; so does one item, of which there is no choice.
 */
static inline struct straw2_row row_at(struct view view, size_t at)
{
	const struct flat_bucket *bucket = &view.buckets[-1 - view.refs[at]];
	const struct flat_args *args = NULL;
	uint32_t position = 0;

	if (bucket->count - 2 > STRAW2_ITEMS - 2 || bucket->selector != view.straw2)
		return (struct straw2_row){
			.bucket = bucket, .ids = flat_ids(bucket), .kind = STRAW2_ODD};
	if (view.set) {
		args = flat_args_of(view.batch->flat, view.set,
				    (uint32_t)(bucket - view.buckets));
		position = view.batch->position ? view.batch->position[at] : 0;
	}
	return straw2_row_of(bucket, args, position);
}

static void put_other(struct asking *asking, size_t at)
{
	const struct flat_bucket *bucket = bucket_at(asking, at);

	if (bucket->count == 1)
		asking->view.refs[at] = flat_refs(bucket)[0];
	else
		asking->others[asking->other_count++] = at;
}

static void ask_others(struct asking *asking)
{
	select_ask_others(asking->kernel, asking->batch, asking->others,
			  asking->other_count);
	asking->other_count = 0;
}

/* Bins. */

static inline void put_row(struct group *group, uint32_t lane,
			   const struct straw2_row *row)
{
	struct straw2_bin *bin = &group->bin;

	group->spans[lane] = row->span;
	bin->items[lane] = row->bucket->count;
	bin->ids[lane] = row->ids;
	bin->first_ids[lane] = (uint32_t)row->ids[0];
	bin->strides[lane] = row->stride;
	bin->scales[lane] = row->scales;
}

/* Take what has won for sure. `kind` is a constant wherever this is inlined. */
static inline void settle(const struct asking *asking, const struct group *group,
			  enum straw2_kind kind)
{
	const struct straw2_bin *bin = &group->bin;
	struct view view = asking->view;
	uint32_t count = bin->count, limit;

	for (uint32_t i = 0; i < count; i++) {
		size_t at = group->at[i];
		uint32_t first = bin->first[i];

		if (kind == STRAW2_EQUAL)
			limit = straw2_equal_limit(group->spans[i], first);
		else
			limit = straw2_mixed_limit(bin->scales[i], first);
		if (bin->second[i] > limit)
			view.refs[at] = flat_refs(&view.buckets[-1 - view.refs[at]])
				[first & straw2_index_mask(kind)];
		else
			select_ask_alone(asking->kernel, asking->batch, at);
	}
}

static void ask_kernel(const struct asking *asking, struct group *group)
{
	if (group->kind == STRAW2_EQUAL) {
		asking->kernel->equal(&group->bin);
		settle(asking, group, STRAW2_EQUAL);
	} else {
		asking->kernel->mixed(&group->bin);
		settle(asking, group, STRAW2_MIXED);
	}
	group->bin.count = 0;
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

static void ask_group(const struct asking *asking, struct group *group)
{
	struct straw2_bin *bin = &group->bin;
	/* With a sign, as vectors for every processor compare no others. */
	int32_t least = STRAW2_ITEMS, most = 0;
	uint32_t loaded = 0;

	if (bin->count == 0)
		return;
	pad_bin(bin);
	for (uint32_t i = 0; i < STRAW2_BIN; i++) {
		int32_t items = (int32_t)bin->items[i];

		least = items < least ? items : least;
		most = items > most ? items : most;
		loaded |= bin->strides[i] == 0;
	}
	bin->from = loaded ? STRAW2_LOADED : STRAW2_STRIDED;
	bin->items_min = (uint32_t)least;
	bin->items_max = (uint32_t)most;
	ask_kernel(asking, group);
}

static void move_to_queue(const struct asking *asking, uint32_t lane, struct queue *queue)
{
	const struct group *slice = &asking->slice;
	struct group *group = &queue->group;
	uint32_t to = group->bin.count++;

	group->at[to] = slice->at[lane];
	group->spans[to] = slice->spans[lane];
	group->bin.items[to] = slice->bin.items[lane];
	group->bin.ids[to] = slice->bin.ids[lane];
	group->bin.first_ids[to] = slice->bin.first_ids[lane];
	group->bin.strides[to] = slice->bin.strides[lane];
	group->bin.scales[to] = slice->bin.scales[lane];
	queue->x[to] = slice->bin.x[lane];
	queue->r[to] = slice->bin.r[lane];
	if (to + 1 == STRAW2_BIN)
		ask_group(asking, group);
}

/* A slice with questions of several kinds. */
static void split_slice(struct asking *asking)
{
	for (uint32_t i = 0; i < asking->slice.bin.count; i++) {
		size_t at = asking->slice.at[i];

		if (asking->kinds[i] == STRAW2_EQUAL)
			move_to_queue(asking, i, &asking->equal);
		else if (asking->kinds[i] == STRAW2_MIXED)
			move_to_queue(asking, i, &asking->mixed);
		else
			put_other(asking, at);
	}
	ask_others(asking);
}

static void start_slice(struct asking *asking, size_t start)
{
	const struct select_batch *batch = asking->batch;
	struct group *slice = &asking->slice;
	size_t left = batch->count - start;

	slice->bin.count = left < STRAW2_BIN ? (uint32_t)left : STRAW2_BIN;
	slice->bin.x = batch->x + start;
	slice->bin.r = batch->r + start;
	for (uint32_t i = 0; i < STRAW2_BIN; i++)
		slice->at[i] = (uint32_t)start + i;
}

static void ask_slice(struct asking *asking, size_t start)
{
	struct group *slice = &asking->slice;
	uint32_t count, any = 0, all = UINT32_MAX;
	struct view view = asking->view;

	start_slice(asking, start);
	count = slice->bin.count;
	for (uint32_t i = 0; i < count; i++) {
		struct straw2_row row = row_at(view, start + i);

		any |= row.kind;
		all &= row.kind;
		asking->kinds[i] = row.kind;
		put_row(slice, i, &row);
	}
	slice->kind = (enum straw2_kind)all;
	if (all == any && all != STRAW2_ODD)
		ask_group(asking, slice);
	else
		split_slice(asking);
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
	start_queue(&asking->equal, STRAW2_EQUAL);
	start_queue(&asking->mixed, STRAW2_MIXED);
	for (size_t start = 0; start < asking->batch->count; start += STRAW2_BIN)
		ask_slice(asking, start);
	ask_group(asking, &asking->equal.group);
	ask_group(asking, &asking->mixed.group);
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

/* All are about one row. */
static void ask_same(struct asking *asking)
{
	struct straw2_row row = row_at(asking->view, 0);
	struct group *slice = &asking->slice;

	if (row.kind == STRAW2_ODD) {
		ask_odd(asking);
		return;
	}
	slice->kind = row.kind;
	for (uint32_t i = 0; i < STRAW2_BIN; i++)
		put_row(slice, i, &row);
	slice->bin.from = STRAW2_SAME;
	slice->bin.items_min = row.bucket->count;
	slice->bin.items_max = row.bucket->count;
	for (size_t start = 0; start < asking->batch->count; start += STRAW2_BIN) {
		start_slice(asking, start);
		ask_kernel(asking, slice);
	}
}

void select_choose_many(const struct select_kernel *kernel,
			const struct select_batch *batch)
{
	struct asking asking; /* not cleared: it's large */

	if (kernel->equal == NULL) {
		for (size_t at = 0; at < batch->count; at++)
			select_ask_alone(kernel, batch, at);
		return;
	}
	if (batch->count <= STRAW2_FEW) {
		straw2_choose_few(kernel, batch);
		return;
	}
	asking.kernel = kernel;
	asking.batch = batch;
	asking.view.batch = batch;
	asking.view.buckets = flat_bucket_at(batch->flat, 0);
	asking.view.refs = batch->refs;
	asking.view.set = batch->set;
	asking.view.straw2 = select_index(&select_straw2);
	asking.other_count = 0;
	if (are_same(batch))
		ask_same(&asking);
	else
		ask_each(&asking);
}
