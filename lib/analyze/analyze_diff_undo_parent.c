/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

#include "base_error.h"

/* What buckets weigh in their parents, where both maps have the two. */

/* One of them: its parent's index in NEW, its place there, and the same in OLD. */
struct place {
	size_t bucket;
	size_t slot;
	const strew_bucket *before;
	const struct map_item *item;
};

/* Visits those of a parent. `slots` has room for OLD's buckets, all ANALYZE_NOWHERE. */
static void visit_parent(const struct diff *diff, size_t index, uint32_t *slots,
			 void (*visit)(void *ctx, const struct place *place), void *ctx)
{
	const struct diff_side *old = &diff->sides[0], *new = &diff->sides[1];
	const strew_bucket *bucket = &new->map->buckets[index];
	const strew_bucket *before = &old->map->buckets[new->buckets[index]];
	size_t first = old->tree.first[new->buckets[index]];

	for (size_t i = 0; i < before->item_count; i++)
		if (old->tree.items[first + i] < 0)
			slots[-1 - old->tree.items[first + i]] = (uint32_t)i;
	for (size_t i = 0; i < bucket->item_count; i++) {
		int32_t item = new->tree.items[new->tree.first[index] + i];
		uint32_t like = item < 0 ? new->buckets[-1 - item] : ANALYZE_NOWHERE;
		struct place place = {index, i, before, NULL};

		if (like == ANALYZE_NOWHERE || slots[like] == ANALYZE_NOWHERE)
			continue;
		place.item = &before->items[slots[like]];
		visit(ctx, &place);
	}
	for (size_t i = 0; i < before->item_count; i++)
		if (old->tree.items[first + i] < 0)
			slots[-1 - old->tree.items[first + i]] = ANALYZE_NOWHERE;
}

static strew_status visit_all(const struct diff *diff,
			      void (*visit)(void *ctx, const struct place *place),
			      void *ctx)
{
	size_t room = diff->sides[0].map->bucket_count + 1;
	uint32_t *slots = base_alloc(diff->allocator, room, sizeof(*slots));

	if (slots == NULL)
		return STREW_ENOMEM;
	for (size_t i = 0; i < room; i++)
		slots[i] = ANALYZE_NOWHERE;
	for (size_t i = 0; i < diff->sides[1].map->bucket_count; i++)
		if (diff->sides[1].buckets[i] != ANALYZE_NOWHERE)
			visit_parent(diff, i, slots, visit, ctx);
	base_free(diff->allocator, slots, room * sizeof(*slots));
	return STREW_OK;
}

/* OLD's weight of an item at a position of a set; without a row for it, its own. */
static uint32_t weight_before(const struct map_weights *part, const struct place *place,
			      size_t position)
{
	size_t slot = (size_t)(place->item - place->before->items);

	if (part == NULL || part->positions == 0)
		return place->item->weight;
	if (position >= part->positions)
		position = part->positions - 1;
	return part->rows[position * place->before->item_count + slot];
}

static void freeze_rows(const struct undoing *undoing, const struct place *place)
{
	const strew_map *map = undoing->map;
	const strew_bucket *bucket = &map->buckets[place->bucket];

	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_weight_set *set = &map->weight_sets[i];
		const struct map_weights *part = map_weights_of(set, bucket->id);
		const struct map_weights *before = map_weights_of(
			map_weight_set_by_id(undoing->old, set->id), place->before->id);
		uint32_t *rows = part ? (uint32_t *)part->rows : NULL;

		for (size_t j = 0; part && j < part->positions; j++)
			rows[j * bucket->item_count + place->slot] =
				weight_before(before, place, j);
	}
}

static void freeze(void *ctx, const struct place *place)
{
	struct undoing *undoing = ctx;
	strew_bucket *bucket = &undoing->map->buckets[place->bucket];
	struct map_item *item = &bucket->items[place->slot];

	if (place->item->weight != item->weight) {
		bucket->table = NULL;
		bucket->table_words = 0;
	}
	item->weight = place->item->weight;
	freeze_rows(undoing, place);
}

void analyze_diff_undo_parents(struct undoing *undoing)
{
	if (visit_all(undoing->diff, freeze, undoing) != STREW_OK)
		undoing->copy.failed = true;
}

/* How many weigh another amount, of those that count. */
struct count {
	const struct diff *diff;
	struct diff_parents *parents;
};

static void count(void *ctx, const struct place *place)
{
	struct count *counter = ctx;
	const strew_map *map = counter->diff->sides[1].map;
	const struct map_item *item = &map->buckets[place->bucket].items[place->slot];
	struct diff_parents *parents = counter->parents;

	if (!counter->diff->changes.reached[place->bucket] ||
	    item->weight == place->item->weight)
		return;
	if (parents->grown + parents->shrunk == 0)
		parents->first = strew_map_bucket_by_id(map, item->id)->name;
	parents->grown += item->weight > place->item->weight;
	parents->shrunk += item->weight < place->item->weight;
}

strew_status analyze_diff_count_parents(struct diff_parents *out, const struct diff *diff)
{
	struct count counter = {diff, out};

	*out = (struct diff_parents){0};
	return visit_all(diff, count, &counter);
}
