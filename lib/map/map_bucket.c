/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base_compare.h"
#include "map_priv.h"

/* Provisional ids count up from here; STREW_AUTO_ID itself is one less. */
#define PROVISIONAL (INT32_MIN + 1)

static strew_bucket_desc full_desc(const strew_bucket_desc *desc)
{
	strew_bucket_desc full = STREW_BUCKET_DESC_INIT;

	memcpy(&full, desc, desc->size < sizeof(full) ? desc->size : sizeof(full));
	return full;
}

/* Says what id to use for the bucket until the build. */
static int32_t provisional_id(strew_builder *builder)
{
	int32_t *final = map_push(builder, &builder->provisional, sizeof(*final));

	return final ? PROVISIONAL + (int32_t)builder->provisional.count - 1 : 0;
}

static void describe(strew_builder *builder, struct map_bucket_draft *draft,
		     const strew_bucket_desc *desc)
{
	strew_bucket *bucket = &draft->bucket;

	bucket->type = desc->type_name ? -1 : desc->type;
	bucket->name = map_keep(builder, desc->name);
	bucket->alg = desc->alg ? map_keep_word(builder, desc->alg) : "straw2";
	bucket->hash = desc->hash;
	if (desc->alg && strcmp(desc->alg, "straw") == 0)
		bucket->straw_calc_version = desc->straw_calc_version > 0;
	bucket->weight = desc->weight;
	bucket->shadow_of = desc->shadow_of;
	draft->class_index = -1;
	if (desc->type_name)
		draft->type_name = map_keep_word(builder, desc->type_name);
	if (desc->class_name && desc->class_name[0] != '\0')
		bucket->class_name = map_add_class(builder, desc->class_name);
}

int32_t strew_builder_add_bucket(strew_builder *builder, const strew_bucket_desc *desc)
{
	strew_bucket_desc full = full_desc(desc);
	struct map_bucket_draft *draft = map_list_add(builder, &builder->buckets);
	int32_t id = full.id;

	if (draft == NULL)
		return 0;
	describe(builder, draft, &full);
	if (id != STREW_AUTO_ID &&
	    !map_check_id(builder, draft->head.place, MAP_BUCKETS, id)) {
		draft->head.refused = true;
		id = STREW_AUTO_ID;
	}
	if (id == STREW_AUTO_ID)
		id = provisional_id(builder);
	draft->bucket.id = id;
	return id;
}

void map_set_table(strew_builder *builder, int32_t bucket, const uint32_t *words,
		   size_t count)
{
	struct map_table_draft *draft =
		map_push(builder, &builder->tables, sizeof(*draft));

	if (draft == NULL)
		return;
	draft->head.place = map_here(builder);
	draft->bucket = bucket;
	draft->words = map_keep_array(builder, words, count, sizeof(*words));
	draft->count = count;
}

void strew_builder_add_item(strew_builder *builder, int32_t bucket, int32_t item,
			    uint32_t weight, unsigned flags)
{
	struct map_item_draft *draft = map_list_add(builder, &builder->items);

	if (draft == NULL)
		return;
	draft->bucket = bucket;
	draft->flags = flags;
	draft->item = (struct map_item){item, weight};
}

size_t map_hang_later(strew_builder *builder, int32_t bucket, uint32_t weight,
		      unsigned flags)
{
	struct map_item_draft *items;
	size_t number = builder->items.vec.count;

	strew_builder_add_item(builder, bucket, 0, weight, flags);
	items = builder->items.vec.items;
	if (!builder->failed)
		items[number].head.gone = true;
	return number;
}

void map_hang(strew_builder *builder, size_t number, int32_t item)
{
	struct map_item_draft *items = builder->items.vec.items;

	if (builder->failed)
		return;
	items[number].item.id = item;
	items[number].head.gone = false;
}

int32_t map_final_id(const strew_builder *builder, int32_t id)
{
	const int32_t *final = builder->provisional.items;
	int64_t index = (int64_t)id - PROVISIONAL;

	if (id >= STREW_BUCKET_ID_MIN)
		return id;
	return index >= 0 && index < (int64_t)builder->provisional.count ? final[index]
									 : 0;
}

/* Ids mostly have no gaps. */
struct map_bucket_draft *map_bucket_draft(const strew_builder *builder, int32_t id)
{
	struct map_bucket_draft *drafts = builder->buckets.vec.items;
	int64_t guess = drafts ? (int64_t)drafts[0].bucket.id - id : -1;

	if (id >= 0)
		return NULL;
	if (guess >= 0 && guess < (int64_t)builder->buckets.vec.count &&
	    drafts[guess].bucket.id == id &&
	    (guess == 0 || drafts[guess - 1].bucket.id != id))
		return &drafts[guess];
	return map_list_find(&builder->buckets, -(int64_t)id, 0);
}

bool map_item_exists(const strew_builder *builder, int32_t id)
{
	return id < 0 ? map_bucket_draft(builder, id) != NULL
		      : map_device_draft(builder, id) != NULL;
}

struct map_item_draft *map_bucket_items(const strew_builder *builder,
					const struct map_bucket_draft *draft)
{
	/* Where no bucket holds anything there is no array to count from. */
	if (builder->items.vec.items == NULL)
		return NULL;
	return (struct map_item_draft *)builder->items.vec.items + draft->first_item;
}

static void take_id(strew_builder *builder, int32_t id)
{
	int32_t *taken = map_push(builder, &builder->taken, sizeof(*taken));

	if (taken)
		*taken = id;
}

/* What may not be given to a bucket without an id: what others have, or are to have. */
static void list_taken_ids(strew_builder *builder)
{
	for (size_t i = 0; i < builder->buckets.vec.count; i++) {
		const struct map_bucket_draft *draft = map_list_at(&builder->buckets, i);

		if (draft->bucket.id >= STREW_BUCKET_ID_MIN)
			take_id(builder, draft->bucket.id);
	}
	for (size_t i = 0; i < builder->pins.vec.count; i++)
		take_id(builder,
			((const struct map_shadow_draft *)map_list_at(&builder->pins, i))
				->id);
	for (size_t i = 0; i < builder->strays.count; i++) {
		const struct map_stray_draft *drafts = builder->strays.items;

		if (drafts[i].stray.kind == MAP_STRAY_SHADOW)
			take_id(builder, drafts[i].stray.shadow);
	}
	if (builder->taken.count > 1)
		qsort(builder->taken.items, builder->taken.count, sizeof(int32_t),
		      base_compare_ids_down);
}

int32_t map_take_id(strew_builder *builder)
{
	const int32_t *taken = builder->taken.items;
	size_t i = builder->next_taken;

	while (i < builder->taken.count && taken[i] >= builder->next_id) {
		if (taken[i] == builder->next_id)
			builder->next_id--;
		i++;
	}
	builder->next_taken = i;
	return builder->next_id--;
}

static void settle_bucket(strew_builder *builder, struct map_bucket_draft *draft)
{
	int32_t *final = builder->provisional.items;
	const struct map_name *type;

	if (draft->bucket.id < STREW_BUCKET_ID_MIN) {
		int32_t *given = &final[draft->bucket.id - PROVISIONAL];

		*given = map_take_id(builder);
		draft->bucket.id = *given;
		draft->bucket.auto_id = true;
	}
	if (draft->type_name == NULL)
		return;
	type = map_names_find(&builder->type_names, draft->type_name);
	if (type)
		draft->bucket.type = (int32_t)type->id;
}

static void settle_tables(strew_builder *builder)
{
	struct map_table_draft *tables = builder->tables.items;

	for (size_t i = 0; i < builder->tables.count; i++) {
		struct map_bucket_draft *draft;

		draft = map_bucket_draft(builder,
					 map_final_id(builder, tables[i].bucket));
		if (draft == NULL)
			continue;
		draft->bucket.table = tables[i].words;
		draft->bucket.table_words = tables[i].count;
	}
}

void map_settle_buckets(strew_builder *builder)
{
	list_taken_ids(builder);
	if (builder->failed)
		return;
	for (size_t i = 0; i < builder->buckets.vec.count; i++)
		settle_bucket(builder, map_list_at(&builder->buckets, i));
	map_list_sort(builder, &builder->buckets);
	map_list_refuse_twins(&builder->buckets);
	settle_tables(builder);
}

/* The device that has a name by default, or NULL. */
static const struct map_device_draft *find_by_default(const strew_builder *builder,
						      const char *name)
{
	int64_t id = map_default_id(name);
	const struct map_device_draft *draft =
		id < 0 ? NULL : map_device_draft(builder, (int32_t)id);

	return draft && strcmp(draft->device.name, name) == 0 ? draft : NULL;
}

static void add_device_name(strew_builder *builder, struct base_vec *names,
			    const struct map_device_draft *draft)
{
	map_names_add(builder, names, draft->device.name, draft->device.id,
		      draft->head.place);
}

/* A name that was given, and whoever has it by default. */
static void add_given_name(strew_builder *builder, const char *name, int32_t id,
			   uint32_t place)
{
	const struct map_device_draft *other = find_by_default(builder, name);

	map_names_add(builder, &builder->item_names, name, id, place);
	if (other)
		add_device_name(builder, &builder->item_names, other);
}

void map_settle_names(strew_builder *builder)
{
	if (builder->failed)
		return;
	builder->item_names.count = 0;
	for (size_t i = 0; i < builder->devices.vec.count; i++) {
		const struct map_device_draft *draft = map_list_at(&builder->devices, i);

		if (map_default_id(draft->device.name) != draft->device.id)
			add_given_name(builder, draft->device.name, draft->device.id,
				       draft->head.place);
	}
	for (size_t i = 0; i < builder->buckets.vec.count; i++) {
		const struct map_bucket_draft *draft = map_list_at(&builder->buckets, i);

		add_given_name(builder, draft->bucket.name, draft->bucket.id,
			       draft->head.place);
	}
	map_names_sort(&builder->item_names);
}

bool map_find_item(const strew_builder *builder, const char *name, int32_t *id)
{
	const struct map_name *given = map_names_find(&builder->item_names, name);
	const struct map_device_draft *device = NULL;

	if (given)
		*id = (int32_t)given->id;
	else
		device = find_by_default(builder, name);
	if (device)
		*id = device->device.id;
	return given || device;
}

struct map_text map_hint_item(strew_builder *builder, const char *word)
{
	struct map_text out = {""};
	struct base_vec names = {0};
	size_t devices = builder->devices.vec.count;

	if (devices + builder->buckets.vec.count > MAP_HINT_NAMES_MAX)
		return out;
	for (size_t i = 0; i < devices; i++)
		add_device_name(builder, &names, map_list_at(&builder->devices, i));
	for (size_t i = 0; i < builder->buckets.vec.count; i++) {
		const struct map_bucket_draft *draft = map_list_at(&builder->buckets, i);

		map_names_add(builder, &names, draft->bucket.name, draft->bucket.id,
			      draft->head.place);
	}
	map_names_sort(&names);
	out = map_hint(builder, word, &names);
	base_vec_free(&names, &builder->allocator);
	return out;
}

/* An item of a bucket that was refused is dropped without a word:
 * its bucket's fault comes first. */
static void settle_item(strew_builder *builder, struct map_item_draft *draft)
{
	int32_t id = map_final_id(builder, draft->bucket);
	const struct map_bucket_draft *bucket = map_bucket_draft(builder, id);

	if (bucket == NULL && draft->bucket != 0)
		map_fault(builder, draft->head.place,
			  "%s is added to the bucket %d, which does not exist; add the "
			  "bucket too",
			  map_label(builder, draft->item.id).text, (int)draft->bucket);
	draft->bucket = id;
	draft->head.gone |= bucket == NULL || bucket->head.refused;
	if (draft->item.id < 0) {
		id = map_final_id(builder, draft->item.id);
		draft->item.id = id ? id : draft->item.id;
	}
}

void map_settle_items(strew_builder *builder)
{
	for (size_t i = 0; i < builder->items.vec.count; i++)
		settle_item(builder, map_list_at(&builder->items, i));
	map_list_compact(&builder->items);
}

static bool freeze_items(strew_bucket *bucket, strew_builder *builder,
			 const struct map_bucket_draft *draft)
{
	const struct map_item_draft *items = map_bucket_items(builder, draft);

	bucket->items = base_arena_alloc(&builder->kept, bucket->item_count,
					 sizeof(*bucket->items));
	if (bucket->items == NULL)
		return false;
	for (size_t i = 0; i < bucket->item_count; i++)
		bucket->items[i] = items[i].item;
	return true;
}

/* The names are of as many buckets as there are, and of the devices that were given one.
 */
static bool freeze_names(strew_map *map, strew_builder *builder)
{
	const struct map_name *names = builder->item_names.items;
	size_t count = builder->item_names.count, buckets = 0;

	map->named_device_count = count - map->bucket_count;
	map->devices_by_name = base_arena_alloc(&builder->kept, map->named_device_count,
						sizeof(*map->devices_by_name));
	map->buckets_by_name = base_arena_alloc(&builder->kept, map->bucket_count,
						sizeof(*map->buckets_by_name));
	if (map->devices_by_name == NULL || map->buckets_by_name == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		int32_t id = (int32_t)names[i].id;

		if (id < 0)
			map->buckets_by_name[buckets++] =
				(uint32_t)map_bucket_index(map, id);
		else
			map->devices_by_name[i - buckets] =
				(uint32_t)map_device_index(map, id);
	}
	return true;
}

bool map_freeze_buckets(strew_map *map, strew_builder *builder)
{
	size_t count = builder->buckets.vec.count;

	map->buckets = base_arena_alloc(&builder->kept, count, sizeof(*map->buckets));
	if (map->buckets == NULL)
		return false;
	map->bucket_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct map_bucket_draft *draft = map_list_at(&builder->buckets, i);

		map->buckets[i] = draft->bucket;
		map->buckets[i].class_name = map_class_name(builder, draft->class_index);
		if (!freeze_items(&map->buckets[i], builder, draft))
			return false;
	}
	return freeze_names(map, builder);
}
