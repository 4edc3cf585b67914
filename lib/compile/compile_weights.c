/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "compile_priv.h"
#include "select.h"

/* A weight set's part that is being laid out, and the bucket that it is for. */
struct part {
	const struct map_weights *weights;
	const strew_bucket *bucket;
	const struct select_ops *ops;
};

static void fill_row(const struct part *part, const struct flat_args *args, size_t row,
		     uint32_t *to)
{
	size_t items = part->bucket->item_count;
	const uint32_t *weights = part->weights->rows + row * items;
	struct select_source source = {
		.bucket = part->bucket->id,
		.count = (uint32_t)items,
		.weights = weights,
	};

	memcpy(to, weights, items * sizeof(*to));
	/* No such table fails. */
	if (args->table)
		part->ops->prepare(&source, to + args->table, NULL, NULL);
}

static struct flat_args measure(struct compile_pass *pass, const struct part *part,
				uint32_t record)
{
	size_t items = part->bucket->item_count;
	uint64_t stride = items;
	struct flat_args args = {.positions = (uint32_t)part->weights->positions};

	if (items && part->ops->flags & SELECT_SETS) {
		args.table = (uint32_t)stride;
		stride += part->ops->table_words((uint32_t)items);
	}
	args.stride = (uint32_t)stride;
	if (args.positions)
		args.weights = compile_add_array(pass, stride * args.positions) - record;
	if (part->weights->ids)
		args.ids = compile_add_array(pass, items) - record;
	return args;
}

/* One bucket's part of a set. @return the offset of its record; what that points at is
 * counted from there. */
static uint32_t add_args(struct compile_pass *pass, const struct part *part)
{
	size_t items = part->bucket->item_count;
	uint32_t record =
		flat_layout_add(&pass->layout, 1, sizeof(struct flat_args), FLAT_ALIGN);
	struct flat_args args = measure(pass, part, record);
	struct flat_args *flat = compile_at(pass, record);

	if (pass->header.max_positions < args.positions)
		pass->header.max_positions = args.positions;
	if (flat == NULL)
		return record;
	*flat = args;
	for (size_t i = 0; items && i < args.positions; i++)
		fill_row(part, &args, i,
			 (uint32_t *)compile_at(pass, record + args.weights) +
				 i * args.stride);
	if (args.ids && items)
		memcpy(compile_at(pass, record + args.ids), part->weights->ids,
		       items * sizeof(*part->weights->ids));
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
		struct part part = {
			.weights = &set->buckets[i],
			.bucket = &map->buckets[bucket],
			.ops = select_find(map->buckets[bucket].alg),
		};
		uint32_t record = add_args(pass, &part);

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
