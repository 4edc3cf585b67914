/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "map_priv.h"

/**
 * The shadow trees of device classes, made as the reference makes them: root by root from
 * the lowest id, class by class, children before their parents.
 */

struct shade {
	int32_t id; /* 0: not made yet */
	uint32_t weight;
};

struct derivation {
	strew_builder *builder;
	struct map_list made; /* bucket drafts */
	struct shade *shades; /* by class, then by the base's index */
	size_t buckets;
};

static struct shade *shade_of(const struct derivation *work, size_t bucket,
			      int32_t class_index)
{
	return &work->shades[(size_t)class_index * work->buckets + bucket];
}

static size_t index_of(const strew_builder *builder, const struct map_bucket_draft *draft)
{
	return (size_t)(draft -
			(const struct map_bucket_draft *)builder->buckets.vec.items);
}

static const char *shadow_name(strew_builder *builder, const char *base,
			       const char *class_name)
{
	char *name = map_shadow_name(&builder->kept, base, class_name);

	builder->failed |= name == NULL;
	return name;
}

static void choose_id(strew_builder *builder, strew_bucket *shadow, int32_t class_index)
{
	const struct map_shadow_draft *pin =
		map_list_find(&builder->pins, -(int64_t)shadow->shadow_of, class_index);

	shadow->auto_id = pin == NULL;
	shadow->id = pin ? pin->id : map_take_id(builder);
}

/* What the shadow holds in place of an item. @return false for nothing. */
static bool shade_item(const struct derivation *work, struct map_item *item,
		       int32_t class_index)
{
	const struct map_device_draft *device = map_device_draft(work->builder, item->id);
	const struct map_bucket_draft *bucket = map_bucket_draft(work->builder, item->id);
	const struct shade *shade;

	if (device)
		return device->class_index == class_index;
	if (bucket == NULL || bucket->bucket.shadow_of != 0)
		return false;
	shade = shade_of(work, index_of(work->builder, bucket), class_index);
	item->id = shade->id;
	item->weight = shade->weight;
	return true;
}

/* Items go to the end of the builder's, where they are in one run. */
static void add_items(const struct derivation *work, struct map_bucket_draft *shadow,
		      const struct map_bucket_draft *base, int32_t class_index)
{
	strew_builder *builder = work->builder;
	uint64_t sum = 0;

	shadow->first_item = builder->items.vec.count;
	shadow->bucket.item_count = 0;
	for (size_t i = 0; i < base->bucket.item_count && !builder->failed; i++) {
		struct map_item_draft item = map_bucket_items(builder, base)[i], *added;

		if (!shade_item(work, &item.item, class_index))
			continue;
		added = map_push(builder, &builder->items.vec, sizeof(*added));
		if (added == NULL)
			return;
		*added = item;
		added->bucket = shadow->bucket.id;
		added->link = 0;
		shadow->bucket.item_count++;
		sum += item.item.weight;
	}
	shadow->sum = sum <= UINT32_MAX ? (uint32_t)sum : 0;
}

static void derive_one(struct derivation *work, size_t index, int32_t class_index)
{
	strew_builder *builder = work->builder;
	const struct map_bucket_draft *base = map_list_at(&builder->buckets, index);
	const char *class_name = map_class_name(builder, class_index);
	struct shade *shade = shade_of(work, index, class_index);
	struct map_bucket_draft shadow = *base, *added;

	if (base->bucket.shadow_of != 0 || shade->id != 0)
		return;
	shadow.class_index = class_index;
	shadow.is_derived = true;
	shadow.bucket.name = shadow_name(builder, base->bucket.name, class_name);
	shadow.bucket.shadow_of = base->bucket.id;
	choose_id(builder, &shadow.bucket, class_index);
	shadow.bucket.table = NULL;
	shadow.bucket.table_words = 0;
	add_items(work, &shadow, base, class_index);
	shadow.bucket.weight = shadow.sum;
	*shade = (struct shade){shadow.bucket.id, shadow.sum};
	added = map_push(builder, &work->made.vec, sizeof(*added));
	if (added)
		*added = shadow;
}

/* The end of the run of buckets in one tree. */
static size_t end_of_tree(const strew_builder *builder, size_t start)
{
	const struct map_bucket_draft *drafts = builder->buckets.vec.items;
	size_t end = start + 1;

	while (end < builder->buckets.vec.count &&
	       drafts[builder->order[end]].tree == drafts[builder->order[start]].tree)
		end++;
	return end;
}

static void derive_all(struct derivation *work)
{
	strew_builder *builder = work->builder;
	int32_t classes = (int32_t)builder->classes.count;
	size_t end;

	for (size_t start = 0; start < work->buckets; start = end) {
		end = end_of_tree(builder, start);
		for (int32_t class_index = 0; class_index < classes; class_index++)
			for (size_t i = start; i < end && !builder->failed; i++)
				derive_one(work, builder->order[i], class_index);
	}
}

static void note_existing(struct derivation *work)
{
	const strew_builder *builder = work->builder;

	for (size_t i = 0; i < builder->shadows.vec.count; i++) {
		const struct map_shadow_draft *draft = map_list_at(&builder->shadows, i);
		const struct map_bucket_draft *base =
			map_bucket_draft(builder, draft->bucket);
		const struct map_bucket_draft *shadow =
			map_bucket_draft(builder, draft->id);

		*shade_of(work, index_of(builder, base), draft->class_index) =
			(struct shade){draft->id, shadow->sum};
	}
}

static void add_made(struct derivation *work)
{
	strew_builder *builder = work->builder;

	for (size_t i = 0; i < work->made.vec.count; i++) {
		const struct map_bucket_draft *shadow = map_list_at(&work->made, i);
		struct map_bucket_draft *draft =
			map_push(builder, &builder->buckets.vec, sizeof(*draft));
		struct map_shadow_draft *entry =
			map_push(builder, &builder->shadows.vec, sizeof(*entry));

		if (draft == NULL || entry == NULL)
			return;
		*draft = *shadow;
		entry->bucket = shadow->bucket.shadow_of;
		entry->class_index = shadow->class_index;
		entry->id = shadow->bucket.id;
	}
	map_list_sort(builder, &builder->buckets);
	map_list_sort(builder, &builder->shadows);
}

static bool is_too_much(strew_builder *builder)
{
	size_t classes = builder->classes.count, buckets = builder->buckets.vec.count;
	size_t items = builder->items.vec.count;

	if (classes * buckets <= MAP_SHADOWS_MAX &&
	    classes * (buckets + items) <= MAP_SHADOW_WORK_MAX)
		return false;
	map_fault(builder, 0,
		  "%zu device classes for %zu buckets with %zu items are too many to "
		  "make shadow buckets of; at most %u shadows can be made, from %u items "
		  "in all",
		  classes, buckets, items, MAP_SHADOWS_MAX, MAP_SHADOW_WORK_MAX);
	return true;
}

void map_derive_shadows(strew_builder *builder)
{
	struct derivation work = {builder, {builder->buckets.kind, {0}}, NULL, 0};
	size_t classes = builder->classes.count;

	work.buckets = builder->buckets.vec.count;
	if (!builder->derives || classes == 0 || work.buckets == 0)
		return;
	if (builder->has_cycle || is_too_much(builder)) {
		builder->lacks_shadows = true;
		return;
	}
	work.shades = base_calloc(&builder->allocator, classes * work.buckets,
				  sizeof(*work.shades));
	if (work.shades == NULL) {
		builder->failed = true;
		return;
	}
	map_pin_stray_shadows(builder);
	note_existing(&work);
	derive_all(&work);
	add_made(&work);
	map_settle_names(builder);
	base_free(&builder->allocator, work.shades,
		  classes * work.buckets * sizeof(*work.shades));
	base_vec_free(&work.made.vec, &builder->allocator);
}
