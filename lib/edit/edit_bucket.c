/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "edit_priv.h"

strew_bucket *edit_bucket(const strew_edit *edit, int32_t id)
{
	int64_t index = id < 0 ? map_bucket_index(&edit->map, id) : -1;

	return index < 0 ? NULL : &edit->map.buckets[index];
}

size_t edit_item_index(const strew_bucket *bucket, int32_t id)
{
	for (size_t i = 0; i < bucket->item_count; i++)
		if (bucket->items[i].id == id)
			return i;
	return EDIT_NOWHERE;
}

size_t edit_count_holders(const strew_edit *edit, int32_t id)
{
	size_t count = 0;

	for (size_t i = 0; i < edit->map.bucket_count; i++) {
		const strew_bucket *bucket = &edit->map.buckets[i];

		if (bucket->shadow_of == 0 && edit_item_index(bucket, id) != EDIT_NOWHERE)
			count++;
	}
	return count;
}

void edit_touch(strew_edit *edit, strew_bucket *bucket)
{
	bucket->table = NULL;
	bucket->table_words = 0;
	bucket->straw_calc_version = 0;
	if (strcmp(bucket->alg, "straw") == 0)
		bucket->straw_calc_version = edit->map.tunables.straw_calc_version > 0;
	if (bucket->shadow_of == 0)
		edit->reshaped = true;
}

void edit_hang(strew_edit *edit, strew_bucket *bucket, int32_t item, uint32_t weight)
{
	size_t count = bucket->item_count;
	struct map_item *items =
		edit_grow(edit, bucket->items, count, count + 1, sizeof(*items));

	if (items == NULL)
		return;
	items[count] = (struct map_item){item, weight};
	bucket->items = items;
	bucket->item_count++;
	bucket->weight += weight;
	edit_add_column(edit, bucket, weight);
	edit_touch(edit, bucket);
}

/* What people noted beside a bucket's items goes by the place of each. */
static void move_remarks(strew_edit *edit, const strew_bucket *bucket, size_t index)
{
	for (size_t i = edit->map.remark_count; i-- > 0;) {
		struct map_remark *remark = &edit->map.remarks[i];

		if (remark->owner != MAP_OF_LINK || remark->id != bucket->id ||
		    remark->other < (int64_t)index)
			continue;
		if (remark->other == (int64_t)index)
			edit_erase(edit, &edit->remarks, sizeof(*remark), i);
		else
			remark->other--;
	}
}

void edit_unhang(strew_edit *edit, strew_bucket *bucket, size_t index)
{
	struct map_item *item = &bucket->items[index];

	edit_drop_column(edit, bucket, index);
	move_remarks(edit, bucket, index);
	bucket->weight -= item->weight;
	memmove(item, item + 1, (bucket->item_count - index - 1) * sizeof(*item));
	bucket->item_count--;
	edit_touch(edit, bucket);
}

static bool is_uniform(const strew_bucket *bucket)
{
	return strcmp(bucket->alg, "uniform") == 0;
}

/* Bucket weights change by as much as an item's does: one that was stored, and isn't the
 * sum of its items, stays as far from it. */
static void weigh(strew_edit *edit, strew_bucket *bucket, size_t index, uint32_t weight)
{
	bool all = is_uniform(bucket);
	size_t first = all ? 0 : index, end = all ? bucket->item_count : index + 1;

	for (size_t i = first; i < end; i++) {
		bucket->weight += weight - bucket->items[i].weight;
		bucket->items[i].weight = weight;
	}
	edit_touch(edit, bucket);
}

void edit_weigh(strew_edit *edit, strew_bucket *bucket, size_t index, uint32_t weight)
{
	weigh(edit, bucket, index, weight);
	edit_set_column(edit, bucket, index, weight);
}

/** Buckets whose weight has changed, first come first served: each is looked at again at
 * most as often as it has levels below it. */
struct queue {
	strew_edit *edit;
	struct base_vec ids; /* int32_t */
	uint8_t *waiting;    /* by index: is it in the queue? */
};

static void enqueue(struct queue *queue, const strew_bucket *bucket)
{
	size_t index = (size_t)(bucket - queue->edit->map.buckets);
	int32_t *id;

	if (queue->waiting[index])
		return;
	id = base_vec_push(&queue->ids, &queue->edit->allocator, sizeof(*id));
	if (id == NULL) {
		queue->edit->failed = true;
		return;
	}
	*id = bucket->id;
	queue->waiting[index] = 1;
}

static void adopt(struct queue *queue, strew_bucket *holder, size_t index,
		  const strew_bucket *child)
{
	bool changed = holder->items[index].weight != child->weight;

	if (changed)
		weigh(queue->edit, holder, index, child->weight);
	if (edit_sum_column(queue->edit, holder, index, child) || changed)
		enqueue(queue, holder);
}

static void follow_one(struct queue *queue, const strew_bucket *bucket)
{
	const strew_map *map = &queue->edit->map;

	queue->waiting[bucket - map->buckets] = 0;
	for (size_t i = 0; i < map->bucket_count; i++) {
		strew_bucket *holder = &map->buckets[i];

		for (size_t j = 0; holder->shadow_of == 0 && j < holder->item_count; j++)
			if (holder->items[j].id == bucket->id)
				adopt(queue, holder, j, bucket);
	}
}

void edit_follow(strew_edit *edit, int32_t bucket)
{
	size_t count = edit->map.bucket_count;
	struct queue queue = {edit, {0}, NULL};

	if (edit->failed)
		return;
	queue.waiting = base_calloc(&edit->allocator, count, 1);
	if (queue.waiting == NULL)
		edit->failed = true;
	else
		enqueue(&queue, edit_bucket(edit, bucket));
	for (size_t i = 0; i < queue.ids.count && !edit->failed; i++)
		follow_one(&queue,
			   edit_bucket(edit, ((const int32_t *)queue.ids.items)[i]));
	base_free(&edit->allocator, queue.waiting, count);
	base_vec_free(&queue.ids, &edit->allocator);
}

int32_t edit_free_id(const strew_edit *edit)
{
	int32_t id = -1;

	for (size_t i = 0; i < edit->map.bucket_count && edit->map.buckets[i].id == id;
	     i++)
		id--;
	return id;
}

void edit_add_parts(strew_edit *edit, const strew_bucket *bucket)
{
	if (strcmp(bucket->alg, "straw2") != 0)
		return;
	for (size_t i = 0; i < edit->map.weight_set_count && !edit->failed; i++) {
		struct map_weight_set *set = &edit->map.weight_sets[i];

		edit_add_part(edit, set, bucket, map_positions(set));
	}
	for (size_t i = 0; i < bucket->item_count && !edit->failed; i++) {
		const strew_bucket *child = edit_bucket(edit, bucket->items[i].id);

		edit_set_column(edit, bucket, i, bucket->items[i].weight);
		if (child)
			edit_sum_column(edit, bucket, i, child);
	}
}

strew_bucket *edit_add_bucket(strew_edit *edit, const strew_bucket *like)
{
	size_t at = 0;
	strew_bucket *bucket;

	while (at < edit->map.bucket_count && edit->map.buckets[at].id > like->id)
		at++;
	bucket = edit_insert(edit, &edit->buckets, sizeof(*bucket), at);
	if (bucket == NULL)
		return NULL;
	*bucket = *like;
	edit_touch(edit, bucket);
	if (bucket->shadow_of == 0)
		edit_add_parts(edit, bucket);
	return bucket;
}

void edit_drop_bucket(strew_edit *edit, int32_t id)
{
	for (size_t i = edit->map.bucket_count; i-- > 0;) {
		const strew_bucket *bucket = &edit->map.buckets[i];

		if (bucket->id != id && bucket->shadow_of != id)
			continue;
		for (size_t j = 0; j < edit->map.weight_set_count; j++)
			edit_drop_part(edit, &edit->map.weight_sets[j], bucket->id);
		edit_forget(edit, MAP_OF_BUCKET, bucket->id);
		edit_forget(edit, MAP_OF_LINK, bucket->id);
		edit_erase(edit, &edit->buckets, sizeof(*bucket), i);
	}
	edit->reshaped = true;
}

static void see(strew_edit *edit, struct edit_below *below, size_t index)
{
	uint32_t *added;

	if (below->seen[index])
		return;
	added = base_vec_push(&below->indexes, &edit->allocator, sizeof(*added));
	if (added == NULL) {
		edit->failed = true;
		return;
	}
	*added = (uint32_t)index;
	below->seen[index] = 1;
}

void edit_free_below(strew_edit *edit, struct edit_below *below)
{
	base_free(&edit->allocator, below->seen, below->buckets);
	base_vec_free(&below->indexes, &edit->allocator);
}

void edit_list_below(strew_edit *edit, struct edit_below *below, int32_t root)
{
	const strew_map *map = &edit->map;

	memset(below, 0, sizeof(*below));
	below->buckets = map->bucket_count;
	below->seen = base_calloc(&edit->allocator, map->bucket_count, 1);
	if (below->seen == NULL) {
		edit->failed = true;
		return;
	}
	see(edit, below, (size_t)map_bucket_index(map, root));
	for (size_t i = 0; i < below->indexes.count && !edit->failed; i++) {
		const uint32_t *indexes = below->indexes.items;
		const strew_bucket *bucket = &map->buckets[indexes[i]];

		for (size_t j = 0; j < bucket->item_count; j++)
			if (bucket->items[j].id < 0)
				see(edit, below,
				    (size_t)map_bucket_index(map, bucket->items[j].id));
	}
}
