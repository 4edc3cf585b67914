/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "edit_priv.h"

/* What is written to is the working copy's own. */
static uint32_t *rows_of(const struct map_weights *part)
{
	return (uint32_t *)part->rows;
}

static int32_t *ids_of(const struct map_weights *part)
{
	return (int32_t *)part->ids;
}

static struct map_weights *insert_part(strew_edit *edit, struct map_weight_set *set,
				       int32_t bucket)
{
	size_t place = map_weights_place(set, bucket), count = set->bucket_count;
	struct map_weights *parts =
		edit_grow(edit, set->buckets, count, count + 1, sizeof(*parts));

	if (parts == NULL)
		return NULL;
	memmove(parts + place + 1, parts + place, (count - place) * sizeof(*parts));
	parts[place] = (struct map_weights){.bucket = bucket};
	set->buckets = parts;
	set->bucket_count = count + 1;
	return &parts[place];
}

struct map_weights *edit_add_part(strew_edit *edit, struct map_weight_set *set,
				  const strew_bucket *bucket, size_t positions)
{
	struct map_weights *part = map_weights_of(set, bucket->id);

	if (part == NULL)
		part = insert_part(edit, set, bucket->id);
	if (part == NULL)
		return NULL;
	part->positions = positions;
	part->rows = edit_alloc(edit, edit_room(positions * bucket->item_count),
				sizeof(uint32_t));
	return part->rows ? part : NULL;
}

void edit_drop_part(strew_edit *edit, struct map_weight_set *set, int32_t bucket)
{
	struct map_weights *part = map_weights_of(set, bucket);
	size_t after;

	if (part == NULL || edit->failed)
		return;
	after = set->bucket_count - (size_t)(part - set->buckets) - 1;
	memmove(part, part + 1, after * sizeof(*part));
	set->bucket_count--;
}

/* From the last row to the first, since each moves up by as many as there are before it.
 */
static void widen(strew_edit *edit, struct map_weights *part, const strew_bucket *bucket,
		  uint32_t weight)
{
	size_t count = bucket->item_count - 1, wide = count + 1;
	uint32_t *rows = edit_grow(edit, rows_of(part), part->positions * count,
				   part->positions * wide, sizeof(*rows));
	int32_t *ids = part->ids
			       ? edit_grow(edit, ids_of(part), count, wide, sizeof(*ids))
			       : NULL;

	if (edit->failed)
		return;
	for (size_t i = part->positions; i-- > 0;) {
		memmove(rows + i * wide, rows + i * count, count * sizeof(*rows));
		rows[i * wide + count] = weight;
	}
	part->rows = rows;
	if (ids == NULL)
		return;
	ids[count] = bucket->items[count].id;
	part->ids = ids;
}

void edit_add_column(strew_edit *edit, const strew_bucket *bucket, uint32_t weight)
{
	for (size_t i = 0; i < edit->map.weight_set_count; i++) {
		struct map_weights *part =
			map_weights_of(&edit->map.weight_sets[i], bucket->id);

		if (part)
			widen(edit, part, bucket, weight);
	}
}

/* Rows only move down. */
static void narrow(struct map_weights *part, size_t count, size_t index)
{
	uint32_t *rows = rows_of(part);
	int32_t *ids = ids_of(part);
	size_t to = 0;

	for (size_t i = 0; i < part->positions * count; i++)
		if (i % count != index)
			rows[to++] = rows[i];
	if (ids)
		memmove(ids + index, ids + index + 1, (count - index - 1) * sizeof(*ids));
}

void edit_drop_column(strew_edit *edit, const strew_bucket *bucket, size_t index)
{
	for (size_t i = 0; i < edit->map.weight_set_count; i++) {
		struct map_weights *part =
			map_weights_of(&edit->map.weight_sets[i], bucket->id);

		if (part)
			narrow(part, bucket->item_count, index);
	}
}

void edit_set_column(strew_edit *edit, const strew_bucket *bucket, size_t index,
		     uint32_t weight)
{
	for (size_t i = 0; i < edit->map.weight_set_count; i++) {
		const struct map_weights *part =
			map_weights_of(&edit->map.weight_sets[i], bucket->id);

		for (size_t j = 0; part && j < part->positions; j++)
			rows_of(part)[j * bucket->item_count + index] = weight;
	}
}

uint32_t edit_row_sum(const struct map_weights *part, const strew_bucket *bucket,
		      size_t position)
{
	uint32_t sum = 0;

	if (part == NULL || part->positions == 0)
		return bucket->weight;
	if (position >= part->positions)
		position = part->positions - 1;
	for (size_t i = 0; i < bucket->item_count; i++)
		sum += part->rows[position * bucket->item_count + i];
	return sum;
}

static bool sum_part(const struct map_weight_set *set, const strew_bucket *holder,
		     size_t index, const strew_bucket *child)
{
	const struct map_weights *part = map_weights_of(set, holder->id);
	const struct map_weights *below = map_weights_of(set, child->id);
	bool changed = false;

	for (size_t i = 0; part && i < part->positions; i++) {
		uint32_t *weight = rows_of(part) + i * holder->item_count + index;
		uint32_t sum = edit_row_sum(below, child, i);

		changed = changed || *weight != sum;
		*weight = sum;
	}
	return changed;
}

bool edit_sum_column(strew_edit *edit, const strew_bucket *holder, size_t index,
		     const strew_bucket *child)
{
	bool changed = false;

	for (size_t i = 0; i < edit->map.weight_set_count; i++)
		if (sum_part(&edit->map.weight_sets[i], holder, index, child))
			changed = true;
	return changed;
}
