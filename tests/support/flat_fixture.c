/* SPDX-License-Identifier: MIT */
#include "flat_fixture.h"

#include <stdlib.h>
#include <string.h>

#include <strew/builder.h>

#include "base_alloc.h"
#include "select.h"

/* A block being laid out: the first pass counts, with `block` NULL, the second writes. */
struct layout {
	const struct fixture_map *map;
	struct flat_layout space;
	struct flat *block;
};

static void *reserve(struct layout *layout, uint64_t count, uint64_t size,
		     uint32_t *offset)
{
	*offset = flat_layout_add(&layout->space, count, size, FLAT_ALIGN);
	return layout->block ? (char *)layout->block + *offset : NULL;
}

/* An array of items, with the padding that may be read. */
static void *reserve_items(struct layout *layout, uint64_t count, uint32_t *offset)
{
	return reserve(layout, count + FLAT_PAD, sizeof(uint32_t), offset);
}

static void copy(void *to, const void *from, size_t count, size_t size)
{
	if (to && from && count > 0)
		memcpy(to, from, count * size);
}

static int32_t ref_of(const struct layout *layout, int32_t id)
{
	const struct fixture_map *map = layout->map;

	for (uint32_t i = 0; id < 0 && i < map->bucket_count; i++) {
		if (map->buckets[i].id == id)
			return -1 - (int32_t)i;
	}
	if (id >= 0) {
		int32_t index = flat_find_device(layout->block, id);

		return index < 0 ? FLAT_NONE : index;
	}
	return FLAT_NONE;
}

static void fill_weights(uint32_t *to, const uint32_t *from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		to[i] = from ? from[i] : 0x10000;
}

static void lay_devices(struct layout *layout, struct flat *head)
{
	const struct fixture_map *map = layout->map;
	int32_t *ids = reserve_items(layout, map->device_count, &head->device_ids);
	uint32_t *reweights =
		reserve_items(layout, map->device_count, &head->device_reweights);

	if (ids == NULL)
		return;
	for (uint32_t i = 0; i < map->device_count; i++)
		ids[i] = map->device_ids ? map->device_ids[i] : (int32_t)i;
	fill_weights(reweights, map->reweights, map->device_count);
	for (uint32_t i = 0; i < map->device_count; i++)
		head->any_out |= reweights[i] < FLAT_IN;
}

static void prepare(const struct fixture_bucket *source, const struct select_ops *ops,
		    const uint32_t *weights, uint32_t *table)
{
	struct select_source question = {
		.bucket = source->id,
		.count = source->count,
		.ids = source->items,
		.weights = weights,
		.straw_calc_version = source->straw_calc_version,
	};

	if (select_table_words(ops, source->count) && source->count > 0 &&
	    select_prepare(ops, &question, table, &base_heap, NULL) != STREW_OK)
		abort();
}

static void lay_bucket(struct layout *layout, const struct fixture_bucket *source,
		       struct flat_bucket *record, uint32_t from)
{
	const struct select_ops *ops = select_find(source->alg ? source->alg : "straw2");
	uint32_t words = source->count ? select_table_words(ops, source->count) : 0;
	uint32_t at[4];
	int32_t *ids = reserve_items(layout, source->count, &at[0]);
	int32_t *refs = reserve_items(layout, source->count, &at[1]);
	uint32_t *weights = reserve_items(layout, source->count, &at[2]);
	uint32_t *table = reserve_items(layout, words, &at[3]);

	if (record == NULL)
		return;
	*record = (struct flat_bucket){
		.id = source->id,
		.type = source->type,
		.count = source->count,
		.selector = select_index(ops),
		.hash = source->hash,
		.uniform = (ops->flags & SELECT_PERMUTES) != 0,
		.ids = at[0] - from,
		.refs = at[1] - from,
		.weights = at[2] - from,
		.table = at[3] - from,
		.table_words = words,
	};
	copy(ids, source->items, source->count, sizeof(*ids));
	for (uint32_t i = 0; i < source->count; i++)
		refs[i] = ref_of(layout, source->items[i]);
	fill_weights(weights, source->weights, source->count);
	prepare(source, ops, weights, table);
	copy(record->head, table, words < FLAT_HEAD ? words : FLAT_HEAD, sizeof(*table));
	record->first_id = source->count ? source->items[0] : 0;
}

static void lay_buckets(struct layout *layout, struct flat *head)
{
	const struct fixture_map *map = layout->map;
	struct flat_bucket *records =
		reserve(layout, map->bucket_count, sizeof(*records), &head->buckets);

	for (uint32_t i = 0; i < map->bucket_count; i++) {
		uint32_t from = head->buckets + i * (uint32_t)sizeof(*records);

		lay_bucket(layout, &map->buckets[i], records ? &records[i] : NULL, from);
		if (records)
			head->any_uniform |= records[i].uniform;
		if (map->buckets[i].count > head->max_items)
			head->max_items = map->buckets[i].count;
	}
}

static uint32_t count_msr(const struct fixture_rule *rule)
{
	uint32_t longest = 0, run = 0;

	for (uint32_t i = 0; i < rule->step_count; i++) {
		run = rule->steps[i].op == STREW_OP_CHOOSE_MSR ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static void lay_rules(struct layout *layout, struct flat *head)
{
	const struct fixture_map *map = layout->map;
	struct flat_rule *records =
		reserve(layout, map->rule_count, sizeof(*records), &head->rules);

	for (uint32_t i = 0; i < map->rule_count; i++) {
		const struct fixture_rule *rule = &map->rules[i];
		uint32_t at;
		struct flat_step *steps =
			reserve(layout, rule->step_count, sizeof(*steps), &at);
		uint32_t msr = count_msr(rule);

		head->max_msr_steps =
			msr > head->max_msr_steps ? msr : head->max_msr_steps;
		if (records == NULL)
			continue;
		records[i] = (struct flat_rule){rule->id, rule->kind ? rule->kind : 1, at,
						rule->step_count};
		copy(steps, rule->steps, rule->step_count, sizeof(*steps));
		for (uint32_t k = 0; k < rule->step_count; k++) {
			if (steps[k].op == STREW_OP_TAKE)
				steps[k].arg1 = ref_of(layout, steps[k].arg1);
		}
	}
}

static void lay_args(struct layout *layout, const struct fixture_args *args,
		     uint32_t *offsets)
{
	uint32_t index = 0, at, weights_at = 0, ids_at = 0;
	struct flat_args *record = reserve(layout, 1, sizeof(*record), &at);
	uint32_t *weights = NULL;
	int32_t *ids = NULL;
	const struct select_ops *ops = select_find("straw2");
	uint32_t count, stride, table;

	while (layout->map->buckets[index].id != args->bucket)
		index++;
	count = layout->map->buckets[index].count;
	table = (count + FLAT_PAD + 15) / 16 * 16;
	stride = 2 * table + 16;
	if (args->weights)
		weights = reserve_items(layout, (uint64_t)args->positions * stride,
					&weights_at);
	if (args->ids)
		ids = reserve_items(layout, count, &ids_at);
	if (record == NULL)
		return;
	offsets[index] = at;
	if (layout->block->max_positions < args->positions)
		layout->block->max_positions = args->positions;
	*record = (struct flat_args){args->positions, weights ? weights_at - at : 0,
				     stride, table, ids ? ids_at - at : 0};
	for (uint32_t i = 0; weights && i < args->positions; i++) {
		copy(weights + i * stride, args->weights + i * count, count,
		     sizeof(*weights));
		prepare(&layout->map->buckets[index], ops, args->weights + i * count,
			weights + i * stride + table);
	}
	copy(ids, args->ids, count, sizeof(*ids));
}

static void lay_sets(struct layout *layout, struct flat *head)
{
	const struct fixture_map *map = layout->map;
	struct flat_set *records =
		reserve(layout, map->set_count, sizeof(*records), &head->sets);

	for (uint32_t i = 0; i < map->set_count; i++) {
		const struct fixture_set *set = &map->sets[i];
		uint32_t at;
		uint32_t *offsets = reserve_items(layout, map->bucket_count, &at);

		if (records)
			records[i] = (struct flat_set){.id = set->id, .args = at};
		for (uint32_t k = 0; k < set->count; k++)
			lay_args(layout, &set->args[k], offsets);
	}
}

static void lay(struct layout *layout, struct flat *head)
{
	uint32_t at;

	layout->space.used = 0;
	*head = (struct flat){
		.bucket_count = layout->map->bucket_count,
		.device_count = layout->map->device_count,
		.rule_count = layout->map->rule_count,
		.set_count = layout->map->set_count,
		.tunables = layout->map->tunables,
	};
	reserve(layout, 1, sizeof(*head), &at);
	lay_devices(layout, head);
	lay_buckets(layout, head);
	lay_rules(layout, head);
	lay_sets(layout, head);
	head->size = layout->space.used;
}

struct flat *fixture_flat(const struct fixture_map *map)
{
	struct layout layout = {.map = map};
	struct flat head;

	lay(&layout, &head);
	if (!flat_layout_fits(&layout.space))
		abort();
	layout.block = calloc(1, (size_t)head.size);
	if (layout.block == NULL)
		abort();
	lay(&layout, layout.block);
	return layout.block;
}

struct flat *fixture_one(const char *alg, uint32_t count, const uint32_t *weights)
{
	int32_t *items = malloc((count + 1) * sizeof(*items));
	struct fixture_bucket bucket = {-1, 1, alg, count, items, weights, 0, 1};
	struct fixture_map map = {
		.device_count = count,
		.bucket_count = 1,
		.buckets = &bucket,
		.tunables = FIXTURE_TUNABLES,
	};
	struct flat *flat;

	for (uint32_t i = 0; items && i < count; i++)
		items[i] = (int32_t)i;
	flat = fixture_flat(&map);
	free(items);
	return flat;
}
