/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "compile_priv.h"

/* Entries from one row to the next: every row is aligned and padded for itself. */
static uint64_t stride_of(uint64_t items)
{
	uint64_t unit = FLAT_ALIGN / sizeof(uint32_t);

	return (items + FLAT_PAD + unit - 1) / unit * unit;
}

static void fill_rows(uint32_t *to, uint64_t stride, const struct map_weights *weights,
		      size_t items)
{
	for (size_t i = 0; items && i < weights->positions; i++)
		memcpy(to + i * stride, weights->rows + i * items, items * sizeof(*to));
}

/* One bucket's part of a set. @return the offset of its record; what that points at is
 * counted from there. */
static uint32_t add_args(struct compile_pass *pass, const struct map_weights *weights,
			 size_t items)
{
	uint64_t stride = stride_of(items);
	uint32_t record =
		flat_layout_add(&pass->layout, 1, sizeof(struct flat_args), FLAT_ALIGN);
	struct flat_args args = {.positions = (uint32_t)weights->positions,
				 .stride = (uint32_t)stride};
	struct flat_args *flat = compile_at(pass, record);

	if (pass->header.max_positions < args.positions)
		pass->header.max_positions = args.positions;
	if (weights->positions)
		args.weights =
			compile_add_array(pass, stride * weights->positions) - record;
	if (weights->ids)
		args.ids = compile_add_array(pass, items) - record;
	if (flat == NULL)
		return record;
	*flat = args;
	if (args.weights)
		fill_rows(compile_at(pass, record + args.weights), stride, weights,
			  items);
	if (args.ids && items)
		memcpy(compile_at(pass, record + args.ids), weights->ids,
		       items * sizeof(*weights->ids));
	return record;
}

/* @return the offset of the set's argument offsets, one for each bucket of the map. */
static uint32_t add_set_args(struct compile_pass *pass, const struct map_weight_set *set)
{
	const strew_map *map = pass->map;
	uint32_t at = flat_layout_add(&pass->layout, map->bucket_count, sizeof(uint32_t),
				      FLAT_ALIGN);
	uint32_t *offsets = compile_at(pass, at);

	for (size_t i = 0; i < set->bucket_count; i++) {
		size_t bucket = (size_t)map_bucket_index(map, set->buckets[i].bucket);
		uint32_t record =
			add_args(pass, &set->buckets[i], map->buckets[bucket].item_count);

		if (offsets)
			offsets[bucket] = record;
	}
	return at;
}

uint32_t compile_sets(struct compile_pass *pass)
{
	const strew_map *map = pass->map;
	uint32_t records = flat_layout_add(&pass->layout, map->weight_set_count,
					   sizeof(struct flat_set), FLAT_ALIGN);
	struct flat_set *sets = compile_at(pass, records);

	for (size_t i = 0; i < map->weight_set_count; i++) {
		uint32_t args = add_set_args(pass, &map->weight_sets[i]);

		if (sets)
			sets[i] = (struct flat_set){.id = map->weight_sets[i].id,
						    .args = args};
	}
	return records;
}
