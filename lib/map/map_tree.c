/* SPDX-License-Identifier: MIT */
#include "map_priv.h"

/* Says how many items each bucket has, and where they begin when those of the buckets
 * before it are before them. @return are they there? */
static bool count_items(strew_builder *builder)
{
	struct map_bucket_draft *buckets = builder->buckets.vec.items, *last = NULL;
	const struct map_item_draft *items = builder->items.vec.items;
	size_t first = 0;
	bool grouped = true;

	for (size_t i = 0; i < builder->items.vec.count; i++) {
		struct map_bucket_draft *bucket =
			map_bucket_draft(builder, items[i].bucket);

		bucket->bucket.item_count++;
		grouped &= last == NULL || bucket >= last;
		last = bucket;
	}
	for (size_t i = 0; i < builder->buckets.vec.count; i++) {
		buckets[i].first_item = first;
		first += buckets[i].bucket.item_count;
	}
	return grouped;
}

/* The items of a bucket stay in order. */
static void spread_items(const strew_builder *builder, struct map_item_draft *to)
{
	struct map_bucket_draft *buckets = builder->buckets.vec.items;
	const struct map_item_draft *items = builder->items.vec.items;

	for (size_t i = 0; i < builder->items.vec.count; i++)
		to[map_bucket_draft(builder, items[i].bucket)->first_item++] = items[i];
	for (size_t i = 0; i < builder->buckets.vec.count; i++)
		buckets[i].first_item -= buckets[i].bucket.item_count;
}

void map_group_items(strew_builder *builder)
{
	struct base_vec *vec = &builder->items.vec;
	size_t size = sizeof(struct map_item_draft);
	struct map_item_draft *grouped;

	if (count_items(builder))
		return;
	grouped = base_alloc(&builder->allocator, vec->count, size);
	if (grouped == NULL) {
		builder->failed = true;
		return;
	}
	spread_items(builder, grouped);
	base_free(&builder->allocator, vec->items, vec->bytes);
	vec->items = grouped;
	vec->bytes = vec->count * size;
}

/** A walk through the trees, children before their parents. */
struct walk {
	strew_builder *builder;
	uint32_t *states;     /* of each bucket; for an open one OPEN and its stop */
	struct base_vec path; /* struct stop */
	size_t count;
	uint32_t tree;
};

enum state { UNSEEN, LISTED, DONE, OPEN };

/* A bucket on the path from the root to where the walk is. */
struct stop {
	uint32_t bucket;
	size_t next_item;
};

static void enter(struct walk *walk, size_t bucket)
{
	struct map_bucket_draft *draft = map_list_at(&walk->builder->buckets, bucket);
	uint32_t number = (uint32_t)walk->path.count;
	struct stop *stop = map_push(walk->builder, &walk->path, sizeof(*stop));

	walk->states[bucket] = OPEN + number;
	draft->tree = walk->tree;
	if (stop)
		stop->bucket = (uint32_t)bucket;
}

static void leave(struct walk *walk)
{
	const struct stop *stops = walk->path.items;
	uint32_t bucket = stops[--walk->path.count].bucket;

	walk->states[bucket] = DONE;
	walk->builder->order[walk->count++] = bucket;
}

static void report_cycle(struct walk *walk, size_t bucket, struct map_item_draft *item)
{
	const struct stop *stops = walk->path.items;
	size_t first = walk->states[bucket] - OPEN, last = walk->path.count - 1;
	const struct map_bucket_draft *drafts = walk->builder->buckets.vec.items;

	walk->builder->has_cycle = true;
	item->head.refused = true;
	map_check_cycle(walk->builder, &drafts[bucket], &drafts[stops[last].bucket],
			last - first, item);
}

static void step(struct walk *walk)
{
	strew_builder *builder = walk->builder;
	struct stop *stop = (struct stop *)walk->path.items + walk->path.count - 1;
	const struct map_bucket_draft *draft =
		map_list_at(&builder->buckets, stop->bucket);
	const struct map_bucket_draft *child;
	struct map_item_draft *item;
	size_t index;

	if (stop->next_item == draft->bucket.item_count) {
		leave(walk);
		return;
	}
	item = map_bucket_items(builder, draft) + stop->next_item++;
	child = map_bucket_draft(builder, item->item.id);
	if (child == NULL)
		return;
	index = (size_t)(child -
			 (const struct map_bucket_draft *)builder->buckets.vec.items);
	if (walk->states[index] >= OPEN)
		report_cycle(walk, index, item);
	else if (walk->states[index] != DONE)
		enter(walk, index);
}

static void walk_from(struct walk *walk, size_t root)
{
	enter(walk, root);
	while (walk->path.count > 0 && !walk->builder->failed)
		step(walk);
	walk->tree++;
}

static void mark_listed(struct walk *walk)
{
	strew_builder *builder = walk->builder;

	for (size_t i = 0; i < builder->items.vec.count; i++) {
		const struct map_item_draft *item = map_list_at(&builder->items, i);
		const struct map_bucket_draft *child =
			map_bucket_draft(builder, item->item.id);

		if (child)
			walk->states[child - (const struct map_bucket_draft *)
						     builder->buckets.vec.items] = LISTED;
	}
}

/* Roots from the lowest id up; after them what has no root,
 * because it is on or below a cycle. */
static void walk_all(struct walk *walk)
{
	size_t count = walk->builder->buckets.vec.count;

	mark_listed(walk);
	for (size_t i = count; i-- > 0;)
		if (walk->states[i] == UNSEEN)
			walk_from(walk, i);
	for (size_t i = 0; i < count; i++)
		if (walk->states[i] == LISTED)
			walk_from(walk, i);
}

void map_order_buckets(strew_builder *builder)
{
	size_t count = builder->buckets.vec.count;
	struct walk walk = {builder, NULL, {0}, 0, 0};

	if (count == 0)
		return;
	builder->order = base_alloc(&builder->allocator, count, sizeof(*builder->order));
	walk.states = base_calloc(&builder->allocator, count, sizeof(*walk.states));
	if (builder->order == NULL || walk.states == NULL) {
		builder->failed = true;
		goto out;
	}
	walk_all(&walk);
out:
	builder->order_bytes = builder->order ? count * sizeof(*builder->order) : 0;
	base_free(&builder->allocator, walk.states, count * sizeof(*walk.states));
	base_vec_free(&walk.path, &builder->allocator);
}

/* Weights that are told below an item change its own. */
static void settle_weight(const strew_builder *builder, struct map_bucket_draft *holder,
			  struct map_item_draft *item)
{
	const struct map_bucket_draft *child = map_bucket_draft(builder, item->item.id);
	bool follows = child && child->is_weighed;

	holder->is_weighed |= follows;
	if (follows || item->item.weight == STREW_AUTO_WEIGHT)
		item->item.weight = child ? child->sum : STREW_WEIGHT_ONE;
}

static void sum_bucket(const strew_builder *builder, struct map_bucket_draft *draft)
{
	struct map_item_draft *items = map_bucket_items(builder, draft);
	uint64_t sum = 0;

	for (size_t i = 0; i < draft->bucket.item_count; i++) {
		settle_weight(builder, draft, &items[i]);
		sum += items[i].item.weight;
	}
	draft->sum = sum <= UINT32_MAX ? (uint32_t)sum : 0;
	if (draft->is_weighed || draft->bucket.weight == STREW_AUTO_WEIGHT)
		draft->bucket.weight = draft->sum;
	if (draft->is_weighed) {
		draft->bucket.table = NULL;
		draft->bucket.table_words = 0;
	}
}

void map_sum_weights(strew_builder *builder)
{
	if (builder->has_cycle)
		return;
	for (size_t i = 0; i < builder->buckets.vec.count; i++)
		sum_bucket(builder, map_list_at(&builder->buckets, builder->order[i]));
}
