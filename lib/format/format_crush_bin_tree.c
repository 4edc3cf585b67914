/* SPDX-License-Identifier: MIT */
/* What hangs where in a binary CRUSH map, and what it is called. */
#include <stdlib.h>
#include <string.h>

#include "base_compare.h"
#include "format_crush_bin_priv.h"
#include "select.h"

struct tree {
	struct format_bin *file;
	/* For each slot the entry of the shadow that it is; NULL: it is none. */
	const struct format_bin_shadow **shadow_of;
	struct base_vec ids, weights, table; /* of the bucket that is told */
};

bool format_bin_make_table(struct base_vec *words, const struct format_bin_items *items,
			   const strew_allocator *allocator)
{
	const struct select_ops *ops = select_find(items->alg);
	const struct select_source source = {
		.bucket = items->bucket,
		.count = (uint32_t)items->count,
		.ids = items->ids,
		.weights = items->weights,
		.straw_calc_version = items->straw_calc_version,
	};
	uint32_t *room;

	words->count = 0;
	if (ops == NULL || ops->table_words == NULL || items->count == 0)
		return true;
	room = base_vec_extend(words, allocator, sizeof(*room),
			       ops->table_words(source.count));
	return room && ops->prepare(&source, room, allocator, NULL) == STREW_OK;
}

static void push_id(struct format_bin *file, struct base_vec *ids, int32_t id)
{
	int32_t *added = base_vec_push(ids, file->allocator, sizeof(*added));

	if (added)
		*added = id;
	else
		format_bin_no_memory(file);
}

/* Each id once, in ascending order. */
static void sort_ids(struct base_vec *ids)
{
	int32_t *all = ids->items;
	size_t count = 0;

	if (ids->count > 1)
		qsort(all, ids->count, sizeof(*all), base_compare_ids);
	for (size_t i = 0; i < ids->count; i++)
		if (count == 0 || all[count - 1] != all[i])
			all[count++] = all[i];
	ids->count = count;
}

static void list_used_types(struct format_bin *file, struct base_vec *types)
{
	for (uint32_t i = 0; i < file->bucket_slots && format_bin_good(file); i++)
		if (file->buckets[i])
			push_id(file, types, format_bin_bucket_at(file, i).type);
	for (uint32_t i = 0; i < file->rule_slots && format_bin_good(file); i++) {
		struct format_bin_rule rule;

		if (file->rules[i] == 0)
			continue;
		rule = format_bin_rule_at(file, i);
		for (size_t j = 0; j < rule.step_count; j++)
			if (map_op_chooses((int)base_bytes_u32_at(rule.steps, 3 * j)))
				push_id(file, types,
					(int32_t)base_bytes_u32_at(rule.steps,
								   3 * j + 2));
	}
	sort_ids(types);
}

static void add_stray_name(struct format_bin *file, enum map_stray_kind kind,
			   const struct format_bin_name *name)
{
	const struct map_stray stray = {
		.kind = kind, .id = name->key, .class_id = -1, .name = name->name};

	map_add_stray(format_bin_builder(file, name->at), &stray);
}

/* A type that is used without having a name; the model knows devices by itself. */
static void add_unnamed_type(struct format_bin *file, int32_t id)
{
	if (id <= 0 || id > UINT16_MAX || format_bin_find_name(&file->type_names, id))
		return;
	strew_builder_add_type(file->builder, id, map_stand_in(MAP_TYPES, id).name);
	map_set_unnamed(file->builder, MAP_TYPES, id);
}

static void tell_types(struct format_bin *file)
{
	const struct format_bin_name *names = file->type_names.items;
	struct base_vec used = {0};

	for (size_t i = 0; i < file->type_names.count; i++) {
		if (names[i].key < 0 || names[i].key > UINT16_MAX)
			add_stray_name(file, MAP_STRAY_TYPE, &names[i]);
		else
			strew_builder_add_type(format_bin_builder(file, names[i].at),
					       names[i].key, names[i].name);
	}
	list_used_types(file, &used);
	for (size_t i = 0; i < used.count; i++)
		add_unnamed_type(file, ((const int32_t *)used.items)[i]);
	base_vec_free(&used, file->allocator);
}

static void tell_classes(struct format_bin *file)
{
	const struct format_bin_name *names = file->class_names.items;

	for (size_t i = 0; i < file->class_names.count; i++)
		map_add_class_id(format_bin_builder(file, names[i].at), names[i].key,
				 names[i].name);
}

/* The name of an item's class; NULL for none, and for one without a name. */
static const char *class_of(const struct format_bin *file, int32_t item)
{
	const struct format_bin_class *class = format_bin_find_class(file, item);
	const struct format_bin_name *name = NULL;

	if (class)
		name = format_bin_find_name(&file->class_names, class->class_id);
	return name ? name->name : NULL;
}

static void list_placed(struct format_bin *file, struct base_vec *devices)
{
	for (uint32_t i = 0; i < file->bucket_slots && format_bin_good(file); i++) {
		struct format_bin_bucket bucket;

		if (file->buckets[i] == 0)
			continue;
		bucket = format_bin_bucket_at(file, i);
		for (size_t j = 0; j < bucket.size && format_bin_good(file); j++) {
			int32_t id = (int32_t)base_bytes_u32_at(bucket.items, j);

			if (id >= 0)
				push_id(file, devices, id);
		}
	}
	sort_ids(devices);
}

static void tell_unnamed_devices(struct format_bin *file)
{
	struct base_vec placed = {0};
	const int32_t *ids;

	list_placed(file, &placed);
	ids = placed.items;
	for (size_t i = 0; i < placed.count; i++) {
		if (format_bin_find_name(&file->item_names, ids[i]))
			continue;
		strew_builder_add_device(file->builder, ids[i],
					 map_stand_in(MAP_DEVICES, ids[i]).name,
					 class_of(file, ids[i]));
		map_set_unnamed(file->builder, MAP_DEVICES, ids[i]);
	}
	base_vec_free(&placed, file->allocator);
}

/* All that has a name: devices, and what isn't there; buckets come later. */
static void tell_named_items(struct format_bin *file)
{
	const struct format_bin_name *names = file->item_names.items;

	for (size_t i = 0; i < file->item_names.count; i++) {
		if (names[i].key >= 0)
			strew_builder_add_device(format_bin_builder(file, names[i].at),
						 names[i].key, names[i].name,
						 class_of(file, names[i].key));
		else if (!format_bin_find_bucket(file, names[i].key))
			add_stray_name(file, MAP_STRAY_ITEM, &names[i]);
	}
}

/* An entry is a shadow's when all that the file says of it fits together: its class has a
 * name, it is of that class, and it shadows a bucket that is no shadow. */
static bool is_shadow(const struct tree *tree, const struct format_bin_shadow *shadow)
{
	const struct format_bin *file = tree->file;
	const struct format_bin_class *class =
		format_bin_find_class(file, shadow->shadow);

	return class && class->class_id == shadow->class_id &&
	       class_of(file, shadow->shadow) &&
	       format_bin_find_bucket(file, shadow->shadow) &&
	       format_bin_find_bucket(file, shadow->bucket) &&
	       format_bin_find_class(file, shadow->bucket) == NULL &&
	       tree->shadow_of[-1 - shadow->shadow] == NULL;
}

static void find_shadows(struct tree *tree)
{
	struct format_bin *file = tree->file;
	struct format_bin_shadow *shadows = file->shadows.items;

	for (size_t i = 0; i < file->shadows.count; i++) {
		shadows[i].told = is_shadow(tree, &shadows[i]);
		if (shadows[i].told)
			tree->shadow_of[-1 - shadows[i].shadow] = &shadows[i];
	}
}

static void tell_stray_classes(const struct tree *tree)
{
	struct format_bin *file = tree->file;
	const struct format_bin_class *classes = file->classes.items;

	for (size_t i = 0; i < file->classes.count; i++) {
		const struct map_stray stray = {.kind = MAP_STRAY_CLASS,
						.id = classes[i].item,
						.class_id = classes[i].class_id};

		/* The build takes away those that devices without a name have. */
		if (format_bin_find_name(&file->item_names, stray.id) && stray.id >= 0 &&
		    class_of(file, stray.id))
			continue;
		if (stray.id >= 0 || !format_bin_find_bucket(file, stray.id) ||
		    tree->shadow_of[-1 - stray.id] == NULL)
			map_add_stray(format_bin_builder(file, classes[i].at), &stray);
	}
}

static void tell_stray_shadows(struct format_bin *file)
{
	const struct format_bin_shadow *shadows = file->shadows.items;

	for (size_t i = 0; i < file->shadows.count; i++) {
		const struct map_stray stray = {.kind = MAP_STRAY_SHADOW,
						.id = shadows[i].bucket,
						.class_id = shadows[i].class_id,
						.shadow = shadows[i].shadow};

		if (!shadows[i].told)
			map_add_stray(format_bin_builder(file, shadows[i].at), &stray);
	}
}

static void add_bucket(const struct tree *tree, const struct format_bin_bucket *bucket)
{
	struct format_bin *file = tree->file;
	const struct format_bin_name *name =
		format_bin_find_name(&file->item_names, bucket->id);
	const struct format_bin_shadow *shadow = tree->shadow_of[-1 - bucket->id];
	struct map_stand_in stand_in = map_stand_in(MAP_BUCKETS, bucket->id);
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = bucket->id;
	desc.name = name ? name->name : stand_in.name;
	desc.type = bucket->type;
	desc.alg = format_bin_algs[bucket->alg];
	desc.hash = bucket->hash;
	desc.weight = bucket->weight;
	desc.straw_calc_version = file->tunables.straw_calc_version > 0;
	if (shadow) {
		desc.shadow_of = shadow->bucket;
		desc.class_name = class_of(file, bucket->id);
	}
	strew_builder_add_bucket(format_bin_builder(file, bucket->at), &desc);
	if (name == NULL)
		map_set_unnamed(file->builder, MAP_BUCKETS, bucket->id);
}

/* The last of all weights stands for "none" in the builder. */
static bool accept_weight(struct format_bin *file, size_t at, uint32_t weight)
{
	if (weight != STREW_AUTO_WEIGHT)
		return true;
	strew_builder_report(
		format_bin_builder(file, at), STREW_FAULT, STREW_ERANGE,
		"the weight 0xffffffff is too high; the highest is one below "
		"it, 65535.99997");
	return false;
}

/* Where an item's weight stands. */
static size_t weight_at(const struct format_bin_bucket *bucket, size_t item)
{
	const char *alg = format_bin_algs[bucket->alg];
	size_t word = item;

	if (strcmp(alg, "uniform") == 0)
		return bucket->numbers_at - 4;
	if (strcmp(alg, "tree") == 0)
		word = 2 * item + 1;
	else if (strcmp(alg, "straw2") != 0)
		word = 2 * item;
	return bucket->numbers_at + 4 * word;
}

static void add_items(struct tree *tree, const struct format_bin_bucket *bucket)
{
	struct format_bin *file = tree->file;

	tree->ids.count = tree->weights.count = 0;
	for (size_t i = 0; i < bucket->size && format_bin_good(file); i++) {
		int32_t id = (int32_t)base_bytes_u32_at(bucket->items, i);
		uint32_t weight = format_bin_weight(bucket, i);

		push_id(file, &tree->ids, id);
		push_id(file, &tree->weights, (int32_t)weight);
		if (accept_weight(file, weight_at(bucket, i), weight))
			strew_builder_add_item(
				format_bin_builder(file, bucket->items_at + 4 * i),
				bucket->id, id, weight, STREW_ITEM_TWICE_OK);
	}
}

/* What the file stores of a bucket's table. */
static void get_table(struct tree *tree, const struct format_bin_bucket *bucket,
		      struct base_vec *table)
{
	struct format_bin *file = tree->file;
	bool is_tree = strcmp(format_bin_algs[bucket->alg], "tree") == 0;
	size_t count = is_tree ? bucket->nodes : bucket->size;
	uint32_t *words;

	if (count == 0)
		return;
	words = base_vec_extend(table, file->allocator, sizeof(*words), count);
	for (size_t i = 0; words && i < count; i++)
		words[i] = base_bytes_u32_at(bucket->numbers, is_tree ? i : 2 * i + 1);
	if (words == NULL)
		format_bin_no_memory(file);
}

/* A table that would be made just so need not be kept. */
static void tell_table(struct tree *tree, const struct format_bin_bucket *bucket)
{
	struct format_bin *file = tree->file;
	const struct format_bin_items items = {
		.alg = format_bin_algs[bucket->alg],
		.bucket = bucket->id,
		.count = tree->ids.count,
		.ids = tree->ids.items,
		.weights = tree->weights.items,
		.straw_calc_version = file->tunables.straw_calc_version > 0,
	};
	struct base_vec stored = {0};

	get_table(tree, bucket, &stored);
	if (!format_bin_make_table(&tree->table, &items, file->allocator))
		format_bin_no_memory(file);
	else if (stored.count > 0 &&
		 (stored.count != tree->table.count ||
		  memcmp(stored.items, tree->table.items, 4 * stored.count) != 0))
		map_set_table(format_bin_builder(file, bucket->numbers_at), bucket->id,
			      stored.items, stored.count);
	base_vec_free(&stored, file->allocator);
}

static void tell_bucket(struct tree *tree, uint32_t slot)
{
	struct format_bin *file = tree->file;
	struct format_bin_bucket bucket = format_bin_bucket_at(file, slot);
	const char *alg = format_bin_algs[bucket.alg];

	if (!accept_weight(file, bucket.at + 8, bucket.weight))
		bucket.weight = 0;
	add_bucket(tree, &bucket);
	add_items(tree, &bucket);
	if (strcmp(alg, "uniform") != 0 && strcmp(alg, "straw2") != 0)
		tell_table(tree, &bucket);
	else if (bucket.size == 0 && bucket.item_weight != 0)
		map_set_table(file->builder, bucket.id, &bucket.item_weight, 1);
}

void format_bin_tell_tree(struct format_bin *file)
{
	struct tree tree = {.file = file};
	size_t slots = (size_t)file->bucket_slots + 1;

	tree.shadow_of = base_calloc(file->allocator, slots, sizeof(*tree.shadow_of));
	if (tree.shadow_of == NULL) {
		format_bin_no_memory(file);
		return;
	}
	tell_types(file);
	tell_classes(file);
	tell_named_items(file);
	tell_unnamed_devices(file);
	find_shadows(&tree);
	for (uint32_t i = 0; i < file->bucket_slots && format_bin_good(file); i++)
		if (file->buckets[i])
			tell_bucket(&tree, i);
	tell_stray_classes(&tree);
	tell_stray_shadows(file);
	base_free(file->allocator, tree.shadow_of, slots * sizeof(*tree.shadow_of));
	base_vec_free(&tree.ids, file->allocator);
	base_vec_free(&tree.weights, file->allocator);
	base_vec_free(&tree.table, file->allocator);
}
