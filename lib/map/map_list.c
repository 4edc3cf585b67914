/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "map_priv.h"

/* Indexes and places are kept in 32 bits. */
#define DRAFTS_MAX 0x3fffffff

void *map_push(strew_builder *builder, struct base_vec *vec, size_t size)
{
	void *item = NULL;

	if (!builder->failed && vec->count < DRAFTS_MAX)
		item = base_vec_push(vec, &builder->allocator, size);
	if (item == NULL)
		builder->failed = true;
	return item;
}

void *map_list_add(strew_builder *builder, struct map_list *list)
{
	uint32_t place = map_here(builder);
	struct map_draft *head = map_push(builder, &list->vec, list->kind->size);

	if (head)
		head->place = place;
	return head;
}

void *map_list_at(const struct map_list *list, size_t index)
{
	return (char *)list->vec.items + index * list->kind->size;
}

static int compare_keys(const void *left, const void *right)
{
	const struct map_key *a = left, *b = right;

	if (a->major != b->major)
		return a->major < b->major ? -1 : 1;
	if (a->minor != b->minor)
		return a->minor < b->minor ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

struct map_key map_list_key(const struct map_list *list, size_t index)
{
	struct map_key key = {0, 0, index};

	list->kind->key(&key, map_list_at(list, index));
	return key;
}

static bool is_sorted(const struct map_list *list)
{
	for (size_t i = 1; i < list->vec.count; i++) {
		struct map_key before = map_list_key(list, i - 1),
			       after = map_list_key(list, i);

		if (compare_keys(&before, &after) > 0)
			return false;
	}
	return true;
}

void map_list_sort(strew_builder *builder, struct map_list *list)
{
	size_t count = list->vec.count, size = list->kind->size;
	struct map_key *keys;
	char *sorted;

	if (builder->failed || is_sorted(list))
		return;
	keys = base_alloc(&builder->allocator, count, sizeof(*keys));
	sorted = base_alloc(&builder->allocator, count, size);
	if (keys == NULL || sorted == NULL) {
		builder->failed = true;
		goto out;
	}
	for (size_t i = 0; i < count; i++)
		keys[i] = map_list_key(list, i);
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < count; i++)
		memcpy(sorted + i * size, map_list_at(list, keys[i].index), size);
	memcpy(list->vec.items, sorted, count * size);
out:
	base_free(&builder->allocator, keys, count * sizeof(*keys));
	base_free(&builder->allocator, sorted, count * size);
}

void *map_list_find(const struct map_list *list, int64_t major, int64_t minor)
{
	struct map_key wanted = {major, minor, 0}, found;
	size_t low = 0, high = list->vec.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		found = map_list_key(list, middle);
		found.index = 0;
		if (compare_keys(&found, &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == list->vec.count)
		return NULL;
	found = map_list_key(list, low);
	return found.major == major && found.minor == minor ? map_list_at(list, low)
							    : NULL;
}

void map_list_refuse_twins(const struct map_list *list)
{
	for (size_t i = 1; i < list->vec.count; i++) {
		struct map_draft *first = map_list_at(list, i - 1);
		struct map_draft *second = map_list_at(list, i);

		if (map_list_key(list, i - 1).major == map_list_key(list, i).major)
			first->refused = second->refused = true;
	}
}

void map_list_compact(struct map_list *list)
{
	size_t count = 0, size = list->kind->size;

	for (size_t i = 0; i < list->vec.count; i++) {
		const struct map_draft *draft = map_list_at(list, i);

		if (draft->gone)
			continue;
		if (count < i)
			memcpy(map_list_at(list, count), draft, size);
		count++;
	}
	list->vec.count = count;
}

void map_names_add(strew_builder *builder, struct base_vec *names, const char *name,
		   int64_t id, uint32_t place)
{
	struct map_name *entry = map_push(builder, names, sizeof(*entry));

	if (entry)
		*entry = (struct map_name){name, id, place};
}

/* Places are numbered in the order of adding: the earlier of two equal names is first. */
static int compare_names(const void *left, const void *right)
{
	const struct map_name *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (order != 0)
		return order;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

void map_names_sort(struct base_vec *names)
{
	if (names->count > 1)
		qsort(names->items, names->count, sizeof(struct map_name), compare_names);
}

struct map_name *map_names_find(const struct base_vec *names, const char *name)
{
	struct map_name *entries = names->items;
	size_t low = 0, high = names->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(entries[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == names->count || strcmp(entries[low].name, name) != 0)
		return NULL;
	return &entries[low];
}

static void key_type(struct map_key *key, const void *draft)
{
	key->major = ((const struct map_type_draft *)draft)->type.id;
}

static const char *name_type(const void *draft)
{
	return ((const struct map_type_draft *)draft)->type.name;
}

static void key_device(struct map_key *key, const void *draft)
{
	key->major = ((const struct map_device_draft *)draft)->device.id;
}

static const char *name_device(const void *draft)
{
	return ((const struct map_device_draft *)draft)->device.name;
}

static void key_fact(struct map_key *key, const void *draft)
{
	key->major = ((const struct map_fact_draft *)draft)->device;
}

static void key_bucket(struct map_key *key, const void *draft)
{
	key->major = -(int64_t)((const struct map_bucket_draft *)draft)->bucket.id;
}

static const char *name_bucket(const void *draft)
{
	return ((const struct map_bucket_draft *)draft)->bucket.name;
}

static void key_item(struct map_key *key, const void *draft)
{
	key->major = -(int64_t)((const struct map_item_draft *)draft)->bucket;
}

static void key_shadow(struct map_key *key, const void *draft)
{
	const struct map_shadow_draft *shadow = draft;

	key->major = -(int64_t)shadow->bucket;
	key->minor = shadow->class_index;
}

static void key_rule(struct map_key *key, const void *draft)
{
	key->major = ((const struct map_rule_draft *)draft)->rule.id;
}

static const char *name_rule(const void *draft)
{
	return ((const struct map_rule_draft *)draft)->rule.name;
}

static void key_set(struct map_key *key, const void *draft)
{
	key->major = ((const struct map_set_draft *)draft)->set.id;
}

static const char *name_set(const void *draft)
{
	return ((const struct map_set_draft *)draft)->set.name;
}

static void key_row(struct map_key *key, const void *draft)
{
	const struct map_row_draft *row = draft;

	key->major = row->set;
	key->minor = -(int64_t)row->bucket * 2 + row->is_ids;
}

static void key_pool(struct map_key *key, const void *draft)
{
	key->major = ((const struct map_pool_draft *)draft)->pool.id;
}

static const char *name_pool(const void *draft)
{
	return ((const struct map_pool_draft *)draft)->pool.name;
}

static void key_override(struct map_key *key, const void *draft)
{
	const struct map_override_draft *override = draft;

	key->major = override->pg.pool;
	key->minor = override->pg.seed;
}

static void key_use(struct map_key *key, const void *draft)
{
	const struct map_use_draft *use = draft;

	key->major = use->pool;
	key->minor = use->seed;
}

static const struct map_kind type_kind = {"type", sizeof(struct map_type_draft), key_type,
					  name_type};
static const struct map_kind device_kind = {"device", sizeof(struct map_device_draft),
					    key_device, name_device};
static const struct map_kind fact_kind = {"fact", sizeof(struct map_fact_draft), key_fact,
					  NULL};
static const struct map_kind bucket_kind = {"bucket", sizeof(struct map_bucket_draft),
					    key_bucket, name_bucket};
static const struct map_kind item_kind = {"item", sizeof(struct map_item_draft), key_item,
					  NULL};
static const struct map_kind shadow_kind = {"shadow", sizeof(struct map_shadow_draft),
					    key_shadow, NULL};
static const struct map_kind rule_kind = {"rule", sizeof(struct map_rule_draft), key_rule,
					  name_rule};
static const struct map_kind set_kind = {"weight set", sizeof(struct map_set_draft),
					 key_set, name_set};
static const struct map_kind row_kind = {"row", sizeof(struct map_row_draft), key_row,
					 NULL};
static const struct map_kind pool_kind = {"pool", sizeof(struct map_pool_draft), key_pool,
					  name_pool};
static const struct map_kind override_kind = {
	"override", sizeof(struct map_override_draft), key_override, NULL};
static const struct map_kind use_kind = {"use", sizeof(struct map_use_draft), key_use,
					 NULL};

void map_lists_init(strew_builder *builder)
{
	builder->types.kind = &type_kind;
	builder->devices.kind = &device_kind;
	builder->facts.kind = &fact_kind;
	builder->buckets.kind = &bucket_kind;
	builder->items.kind = &item_kind;
	builder->pins.kind = &shadow_kind;
	builder->shadows.kind = &shadow_kind;
	builder->rules.kind = &rule_kind;
	builder->sets.kind = &set_kind;
	builder->rows.kind = &row_kind;
	builder->pools.kind = &pool_kind;
	builder->overrides.kind = &override_kind;
	builder->uses.kind = &use_kind;
}
