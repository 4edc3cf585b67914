/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "map_priv.h"

void strew_builder_add_weight_set(strew_builder *builder, int64_t id, const char *name)
{
	struct map_set_draft *draft = map_list_add(builder, &builder->sets);
	char number[32];

	if (draft == NULL)
		return;
	snprintf(number, sizeof(number), "%lld", (long long)id);
	if (id < -1) {
		draft->head.refused = true;
		map_fault(builder, draft->head.place,
			  "the weight set id %lld is out of range; it must be -1 or more",
			  (long long)id);
	}
	draft->set.id = id;
	draft->set.name = map_keep(builder, name ? name : number);
	builder->last_set = id;
}

static struct map_row_draft *add_row(strew_builder *builder, int32_t bucket,
				     const void *words, size_t count)
{
	struct map_row_draft *draft;

	if (builder->sets.vec.count == 0) {
		if (!builder->failed)
			map_fault(builder, map_here(builder),
				  "weights of a weight set come before any weight set; "
				  "add the set first");
		return NULL;
	}
	draft = map_list_add(builder, &builder->rows);
	if (draft == NULL)
		return NULL;
	draft->set = builder->last_set;
	draft->bucket = bucket;
	draft->count = count;
	draft->words = base_arena_copy(&builder->scratch, words, count, sizeof(uint32_t));
	if (draft->words == NULL)
		builder->failed = true;
	return draft;
}

void strew_builder_add_weight_row(strew_builder *builder, int32_t bucket,
				  const uint32_t *weights, size_t count)
{
	add_row(builder, bucket, weights, count);
}

void strew_builder_set_weight_ids(strew_builder *builder, int32_t bucket,
				  const int32_t *ids, size_t count)
{
	struct map_row_draft *draft = add_row(builder, bucket, ids, count);

	if (draft)
		draft->is_ids = true;
}

/* Does a bucket hold what it held in the map that is being added to? */
static bool is_as_before(const strew_builder *builder,
			 const struct map_bucket_draft *draft)
{
	const strew_bucket *before =
		strew_map_bucket_by_id(builder->source, draft->bucket.id);
	const struct map_item_draft *items = map_bucket_items(builder, draft);

	if (before == NULL || before->item_count != draft->bucket.item_count)
		return false;
	for (size_t i = 0; i < before->item_count; i++)
		if (before->items[i].id != items[i].item.id)
			return false;
	return true;
}

/* Why the part of a bucket must be dropped, or NULL. */
static const char *reason_to_drop(const strew_builder *builder,
				  const struct map_row_draft *row)
{
	const struct map_bucket_draft *bucket = map_bucket_draft(builder, row->bucket);

	if (bucket == NULL)
		return "the bucket does not exist";
	if (bucket->head.stub)
		return NULL;
	if (strcmp(bucket->bucket.alg, "straw2") != 0)
		return "only straw2 buckets heed one";
	if (row->from_source && !is_as_before(builder, bucket))
		return "what the bucket holds has changed";
	return NULL;
}

static void drop_part(strew_builder *builder, const struct map_row_draft *row,
		      const char *reason)
{
	map_warn(builder, row->head.place,
		 "the part of weight set %lld for %s is dropped, because %s",
		 (long long)row->set, map_label(builder, row->bucket).text, reason);
}

/* No ids, of no items, are none. */
static bool is_void(const strew_builder *builder, const struct map_row_draft *row)
{
	const struct map_bucket_draft *bucket = map_bucket_draft(builder, row->bucket);

	return row->is_ids && row->count == 0 && bucket && bucket->bucket.item_count == 0;
}

static void settle_rows(strew_builder *builder)
{
	const struct map_row_draft *before = NULL;
	const char *reason = NULL;

	for (size_t i = 0; i < builder->rows.vec.count; i++) {
		struct map_row_draft *row = map_list_at(&builder->rows, i);
		const struct map_set_draft *set =
			map_list_find(&builder->sets, row->set, 0);

		if (before == NULL || before->set != row->set ||
		    before->bucket != row->bucket) {
			reason = reason_to_drop(builder, row);
			if (reason && !set->head.refused &&
			    !builder->refuses_all[MAP_BUCKETS])
				drop_part(builder, row, reason);
		}
		row->head.gone = reason || set->head.refused || is_void(builder, row);
		before = row;
	}
	map_list_compact(&builder->rows);
}

void map_settle_weight_sets(strew_builder *builder)
{
	map_list_sort(builder, &builder->sets);
	map_list_refuse_twins(&builder->sets);
	for (size_t i = 0; i < builder->rows.vec.count; i++) {
		struct map_row_draft *row = map_list_at(&builder->rows, i);
		int32_t id = map_final_id(builder, row->bucket);

		row->bucket = id ? id : row->bucket;
	}
	map_list_sort(builder, &builder->rows);
	if (!builder->failed)
		settle_rows(builder);
}

/* The rows of one bucket, which start at `first`.
 * @return where those of the next one start. */
static size_t end_of_part(const strew_builder *builder, size_t first)
{
	const struct map_row_draft *rows = builder->rows.vec.items;
	size_t end = first + 1;

	while (end < builder->rows.vec.count && rows[end].set == rows[first].set &&
	       rows[end].bucket == rows[first].bucket)
		end++;
	return end;
}

static bool freeze_part(struct map_weights *part, strew_builder *builder, size_t first,
			size_t end)
{
	const struct map_row_draft *rows = builder->rows.vec.items;
	size_t count = rows[first].count, positions = 0;
	uint32_t *words;

	for (size_t i = first; i < end; i++)
		positions += !rows[i].is_ids;
	words = base_arena_alloc(&builder->kept, positions, count * sizeof(*words));
	if (words == NULL)
		return false;
	part->bucket = rows[first].bucket;
	part->positions = positions;
	part->rows = words;
	for (size_t i = first; i < end; i++) {
		if (rows[i].is_ids)
			part->ids = map_keep_array(builder, rows[i].words, count,
						   sizeof(int32_t));
		else if (count > 0)
			memcpy(words + (i - first) * count, rows[i].words,
			       count * sizeof(*words));
	}
	return !builder->failed;
}

static bool freeze_set(struct map_weight_set *set, strew_builder *builder, size_t *row)
{
	const struct map_row_draft *rows = builder->rows.vec.items;
	size_t end = *row, i = 0;

	for (; end < builder->rows.vec.count && rows[end].set == set->id;
	     end = end_of_part(builder, end))
		set->bucket_count++;
	set->buckets = base_arena_alloc(&builder->kept, set->bucket_count,
					sizeof(*set->buckets));
	if (set->buckets == NULL)
		return false;
	for (size_t first = *row; first < end; first = *row) {
		*row = end_of_part(builder, first);
		if (!freeze_part(&set->buckets[i++], builder, first, *row))
			return false;
	}
	return true;
}

bool map_freeze_weight_sets(strew_map *map, strew_builder *builder)
{
	size_t row = 0;

	map->weight_set_count = builder->sets.vec.count;
	map->weight_sets = base_arena_alloc(&builder->kept, map->weight_set_count,
					    sizeof(*map->weight_sets));
	if (map->weight_sets == NULL)
		return false;
	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_set_draft *draft = map_list_at(&builder->sets, i);

		map->weight_sets[i] = draft->set;
		if (!freeze_set(&map->weight_sets[i], builder, &row))
			return false;
	}
	return true;
}
