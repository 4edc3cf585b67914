/* SPDX-License-Identifier: MIT */
/* The devices, types and buckets of CRUSH text, told to the builder once all are known.
 */
#include <stdlib.h>
#include <string.h>

#include "base_compare.h"
#include "format_crush_text.h"

/* An item's name that is not known. */
#define UNKNOWN INT32_MIN

static struct format_crush_bucket *bucket_at(const struct format_crush *crush,
					     size_t index)
{
	return (struct format_crush_bucket *)crush->buckets.items + index;
}

static struct format_crush_item *items_of(const struct format_crush *crush,
					  const struct format_crush_bucket *bucket)
{
	if (crush->items.items == NULL)
		return NULL;
	return (struct format_crush_item *)crush->items.items + bucket->first_item;
}

/* A line on its way through qsort. */
struct entry {
	int32_t id;
	size_t index;
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static bool is_ascending(const struct base_vec *list)
{
	const struct format_crush_named *named = list->items;

	for (size_t i = 1; i < list->count; i++)
		if (named[i - 1].id >= named[i].id)
			return false;
	return true;
}

/* Of two lines with one id the later one's name counts; a class stays. */
static void drop_twins(struct format_crush *crush, struct base_vec *list)
{
	struct format_crush_named *named = list->items;
	size_t count = list->count;
	struct entry *entries;

	if (is_ascending(list))
		return;
	entries = base_alloc(crush->allocator, count, sizeof(*entries));
	if (entries == NULL) {
		crush->failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		entries[i] = (struct entry){named[i].id, i};
	qsort(entries, count, sizeof(*entries), compare_entries);
	for (size_t i = 1; i < count; i++) {
		struct format_crush_named *before = &named[entries[i - 1].index];
		struct format_crush_named *after = &named[entries[i].index];

		if (before->id != after->id)
			continue;
		before->is_gone = true;
		if (after->class_name == NULL)
			after->class_name = before->class_name;
	}
	base_free(crush->allocator, entries, count * sizeof(*entries));
}

static void add_types(struct format_crush *crush)
{
	const struct format_crush_named *types = crush->types.items;

	drop_twins(crush, &crush->types);
	for (size_t i = 0; i < crush->types.count; i++)
		if (!types[i].is_gone)
			strew_builder_add_type(format_crush_at(crush, &types[i].name),
					       types[i].id, types[i].name.text);
}

static void add_devices(struct format_crush *crush)
{
	const struct format_crush_named *devices = crush->devices.items;

	drop_twins(crush, &crush->devices);
	for (size_t i = 0; i < crush->devices.count; i++)
		if (!devices[i].is_gone)
			strew_builder_add_device(format_crush_at(crush, &devices[i].name),
						 devices[i].id, devices[i].name.text,
						 devices[i].class_name);
}

static void add_name(struct format_crush *crush, const struct format_token *name,
		     int32_t id)
{
	if (!format_names_add(&crush->names, crush->allocator, name->text, id))
		crush->failed = true;
}

/* Names that were given up come last: of two equal ones the first is found. */
static void add_names(struct format_crush *crush)
{
	const struct format_crush_named *devices = crush->devices.items;

	for (size_t i = 0; i < crush->devices.count; i++)
		if (!devices[i].is_gone)
			add_name(crush, &devices[i].name, devices[i].id);
	for (size_t i = 0; i < crush->buckets.count; i++)
		add_name(crush, &bucket_at(crush, i)->name, -1 - (int32_t)i);
	for (size_t i = 0; i < crush->devices.count; i++)
		if (devices[i].is_gone)
			add_name(crush, &devices[i].name, devices[i].id);
	format_names_sort(&crush->names);
}

/* For now an item that is a bucket has -1 - its index. */
static void find_items(struct format_crush *crush)
{
	struct format_crush_item *items = crush->items.items;
	size_t place = 0;

	for (size_t i = 0; i < crush->items.count; i++)
		if (!format_names_find_next(&crush->names, items[i].name.text, &place,
					    &items[i].id))
			items[i].id = UNKNOWN;
}

static int compare_sizes(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return (a > b) - (a < b);
}

/* The buckets that a bucket holds although they come later in the file, in order. */
static size_t list_later(const struct format_crush *crush, size_t index, size_t *later)
{
	const struct format_crush_bucket *bucket = bucket_at(crush, index);
	const struct format_crush_item *items = items_of(crush, bucket);
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < bucket->item_count; i++)
		if (items[i].id < 0 && items[i].id != UNKNOWN &&
		    (size_t)(-1 - items[i].id) > index)
			later[count++] = (size_t)(-1 - items[i].id);
	if (count > 1)
		qsort(later, count, sizeof(*later), compare_sizes);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || later[i] != later[i - 1])
			later[kept++] = later[i];
	return kept;
}

static size_t most_items(const struct format_crush *crush)
{
	size_t most = 1;

	for (size_t i = 0; i < crush->buckets.count; i++)
		if (bucket_at(crush, i)->item_count > most)
			most = bucket_at(crush, i)->item_count;
	return most;
}

/* crushtool makes the buckets in the order of the file, but for this: a bucket that holds
 * a later one changes places with it, once for each such pair, whatever was exchanged
 * before. Ids depend on that order. */
static size_t *order_buckets(struct format_crush *crush)
{
	size_t count = crush->buckets.count, most = most_items(crush);
	size_t *order = base_alloc(crush->allocator, count, sizeof(*order));
	size_t *later = base_alloc(crush->allocator, most, sizeof(*later));

	crush->failed |= order == NULL || later == NULL;
	for (size_t i = 0; !crush->failed && i < count; i++)
		order[i] = i;
	for (size_t i = 0; !crush->failed && i < count; i++) {
		size_t pairs = list_later(crush, i, later);

		for (size_t j = 0; j < pairs; j++) {
			size_t kept = order[i];

			order[i] = order[later[j]];
			order[later[j]] = kept;
		}
	}
	for (size_t i = 0; !crush->failed && i < count; i++)
		bucket_at(crush, order[i])->rank = i;
	base_free(crush->allocator, later, most * sizeof(*later));
	return order;
}

static void note_id(struct format_crush *crush, struct base_vec *ids, int32_t id)
{
	int32_t *room = format_crush_push(crush, ids, sizeof(*room));

	if (room)
		*room = id;
}

/* A bucket without an id gets the highest that is written nowhere. */
static void give_ids(struct format_crush *crush, const size_t *order)
{
	struct base_vec taken = {0};
	const struct format_crush_pin *pins = crush->pins.items;
	int32_t next = -1;
	size_t at = 0;

	for (size_t i = 0; i < crush->buckets.count; i++)
		if (bucket_at(crush, i)->id != 0)
			note_id(crush, &taken, bucket_at(crush, i)->id);
	for (size_t i = 0; i < crush->pins.count; i++)
		note_id(crush, &taken, pins[i].id);
	if (taken.count > 1)
		qsort(taken.items, taken.count, sizeof(int32_t), base_compare_ids_down);
	for (size_t i = 0; i < crush->buckets.count && !crush->failed; i++) {
		struct format_crush_bucket *bucket = bucket_at(crush, order[i]);

		for (; at < taken.count && ((int32_t *)taken.items)[at] >= next; at++)
			next -= ((int32_t *)taken.items)[at] == next;
		if (bucket->id == 0)
			bucket->id = next--;
		note_id(crush, &crush->ids, bucket->id);
	}
	for (size_t i = 0; i < crush->pins.count && crush->has_rules; i++)
		note_id(crush, &crush->ids, pins[i].id);
	base_vec_free(&taken, crush->allocator);
	if (crush->ids.count > 1)
		qsort(crush->ids.items, crush->ids.count, sizeof(int32_t),
		      base_compare_ids_down);
}

/* Says why an item can't be in the bucket. */
static void refuse_item(struct format_crush *crush,
			const struct format_crush_bucket *bucket,
			const struct format_crush_item *item)
{
	if (item->id != UNKNOWN && bucket_at(crush, (size_t)(-1 - item->id)) == bucket)
		format_crush_fault(crush, &item->name, STREW_EMAP,
				   "the bucket \"%.64s\" holds itself; take it out",
				   bucket->name.text);
	else if (item->id != UNKNOWN)
		format_crush_fault(
			crush, &item->name, STREW_EMAP,
			"the bucket \"%.64s\" holds \"%.64s\", which comes "
			"later, in line %d; what a bucket holds comes before it",
			bucket->name.text, item->name.text,
			bucket_at(crush, (size_t)(-1 - item->id))->name.line);
	else if (!crush->has_lost_items)
		format_crush_fault(
			crush, &item->name, STREW_EMAP,
			"the bucket \"%.64s\" holds \"%.64s\", but no device or "
			"bucket has that name",
			bucket->name.text, item->name.text);
}

/* Finds the item's id and weight. */
static bool settle_item(struct format_crush *crush,
			const struct format_crush_bucket *bucket,
			struct format_crush_item *item)
{
	bool is_device = item->id >= 0;
	const struct format_crush_bucket *child = NULL;

	if (!is_device && item->id != UNKNOWN)
		child = bucket_at(crush, (size_t)(-1 - item->id));
	if (!is_device && (child == NULL || child->rank >= bucket->rank)) {
		refuse_item(crush, bucket, item);
		return false;
	}
	if (child)
		item->id = child->id;
	if (item->weight == STREW_AUTO_WEIGHT) {
		item->weight = child ? (uint32_t)child->weight : STREW_WEIGHT_ONE;
	} else if (item->weight > (is_device ? FORMAT_CRUSH_DEVICE_WEIGHT_MAX
					     : FORMAT_CRUSH_BUCKET_WEIGHT_MAX)) {
		format_crush_fault(crush, &item->name, STREW_EMAP,
				   "the weight of \"%.64s\" is over %s; crushtool takes "
				   "none above that",
				   item->name.text,
				   is_device ? "100, for a device" : "65535");
		return false;
	}
	return true;
}

/* Where each item goes: those with a place first, the others into what is left. */
static bool place_items(struct format_crush *crush,
			const struct format_crush_bucket *bucket, size_t *places)
{
	const struct format_crush_item *items = items_of(crush, bucket);
	size_t count = bucket->item_count, next = 0;
	bool good = true;

	for (size_t i = 0; i < count; i++)
		places[i] = SIZE_MAX;
	for (size_t i = 0; i < count; i++) {
		if (items[i].pos < 0)
			continue;
		if ((size_t)items[i].pos < count && places[items[i].pos] == SIZE_MAX) {
			places[items[i].pos] = i;
			continue;
		}
		good = false;
		if ((size_t)items[i].pos < count)
			format_crush_fault(crush, &items[i].name, STREW_EMAP,
					   "\"%.64s\" has pos %d, which \"%.64s\" has "
					   "already",
					   items[i].name.text, (int)items[i].pos,
					   items[places[items[i].pos]].name.text);
		else
			format_crush_fault(crush, &items[i].name, STREW_EMAP,
					   "\"%.64s\" has pos %d, but its bucket has %zu "
					   "items; pos counts from 0",
					   items[i].name.text, (int)items[i].pos, count);
	}
	for (size_t i = 0; i < count && good; i++) {
		if (items[i].pos >= 0)
			continue;
		while (places[next] != SIZE_MAX)
			next++;
		places[next] = i;
	}
	return good;
}

static bool check_uniform(struct format_crush *crush,
			  const struct format_crush_bucket *bucket)
{
	const struct format_crush_item *items = items_of(crush, bucket);

	for (size_t i = 0; i < bucket->item_count; i++) {
		if (items[i].weight == items[0].weight && items[0].weight > 0)
			continue;
		format_crush_fault(
			crush, &items[i].name, STREW_EMAP,
			i > 0 ? "\"%.64s\" weighs another amount than the first "
				"item of \"%.64s\"; in a uniform bucket all "
				"items weigh the same"
			      : "\"%.64s\" weighs nothing; in a uniform bucket, "
				"as \"%.64s\" is one, items must have a weight",
			items[i].name.text, bucket->name.text);
		return false;
	}
	return true;
}

/* The selector's own limits. */
static bool check_alg(struct format_crush *crush,
		      const struct format_crush_bucket *bucket)
{
	if (strcmp(bucket->alg, "uniform") == 0)
		return check_uniform(crush, bucket);
	if (strcmp(bucket->alg, "tree") != 0 ||
	    bucket->item_count <= FORMAT_CRUSH_TREE_ITEMS_MAX)
		return true;
	format_crush_fault(crush, &bucket->name, STREW_EMAP,
			   "the tree bucket \"%.64s\" has %zu items; Ceph's can have %d",
			   bucket->name.text, bucket->item_count,
			   FORMAT_CRUSH_TREE_ITEMS_MAX);
	return false;
}

static bool settle_bucket(struct format_crush *crush, struct format_crush_bucket *bucket,
			  size_t *places)
{
	struct format_crush_item *items = items_of(crush, bucket);
	bool good = true;

	for (size_t i = 0; i < bucket->item_count; i++) {
		good &= settle_item(crush, bucket, &items[i]);
		bucket->weight += items[i].weight;
	}
	if (bucket->weight > UINT32_MAX)
		bucket->weight = (uint32_t)bucket->weight;
	return good && check_alg(crush, bucket) && place_items(crush, bucket, places);
}

static void add_bucket(struct format_crush *crush, struct format_crush_bucket *bucket,
		       size_t *places)
{
	bool good = settle_bucket(crush, bucket, places) && !bucket->is_refused;
	strew_builder *builder = format_crush_at(crush, &bucket->name);
	const struct format_crush_item *items = items_of(crush, bucket);
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	if (!good) {
		map_refuse_bucket(builder, bucket->id, bucket->name.text);
		return;
	}
	desc.id = bucket->id;
	desc.name = bucket->name.text;
	desc.type_name = bucket->type_name;
	desc.alg = bucket->alg;
	desc.hash = bucket->hash;
	desc.straw_calc_version = crush->straw_calc_version;
	strew_builder_add_bucket(builder, &desc);
	for (size_t i = 0; i < bucket->item_count; i++) {
		const struct format_crush_item *item = &items[places[i]];

		strew_builder_add_item(format_crush_at(crush, &item->name), bucket->id,
				       item->id, item->weight, STREW_ITEM_TWICE_OK);
	}
}

static int compare_pins(const void *left, const void *right)
{
	const struct format_crush_pin *a = left, *b = right;
	int order;

	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	order = strcmp(a->class_name, b->class_name);
	return order ? order : (a->at.text > b->at.text) - (a->at.text < b->at.text);
}

/* Shadows are made with the first rule: without one, their ids mean nothing. */
static void add_pins(struct format_crush *crush)
{
	struct format_crush_pin *pins = crush->pins.items;

	if (crush->has_rules)
		strew_builder_derive_shadows(crush->builder);
	if (crush->pins.count > 1)
		qsort(pins, crush->pins.count, sizeof(*pins), compare_pins);
	for (size_t i = 0; i < crush->pins.count; i++) {
		const struct format_crush_bucket *bucket =
			bucket_at(crush, pins[i].bucket);

		if (i > 0 && pins[i - 1].bucket == pins[i].bucket &&
		    strcmp(pins[i - 1].class_name, pins[i].class_name) == 0)
			format_crush_fault(crush, &pins[i].at, STREW_EMAP,
					   "the bucket \"%.64s\" has an id for the class "
					   "\"%.64s\" already, in line %d",
					   bucket->name.text, pins[i].class_name,
					   pins[i - 1].at.line);
		else if (crush->has_rules)
			strew_builder_set_shadow_id(format_crush_at(crush, &pins[i].at),
						    bucket->id, pins[i].class_name,
						    pins[i].id);
	}
}

static void add_buckets(struct format_crush *crush, const size_t *order)
{
	size_t most = most_items(crush);
	size_t *places = base_alloc(crush->allocator, most, sizeof(*places));

	crush->failed |= places == NULL;
	for (size_t i = 0; i < crush->buckets.count && !crush->failed; i++)
		add_bucket(crush, bucket_at(crush, order[i]), places);
	base_free(crush->allocator, places, most * sizeof(*places));
}

void format_crush_make_tree(struct format_crush *crush)
{
	size_t *order;

	add_types(crush);
	add_devices(crush);
	add_names(crush);
	if (crush->failed || crush->buckets.count == 0)
		return;
	find_items(crush);
	order = order_buckets(crush);
	if (!crush->failed)
		give_ids(crush, order);
	if (!crush->failed)
		add_buckets(crush, order);
	if (!crush->failed)
		add_pins(crush);
	base_free(crush->allocator, order, crush->buckets.count * sizeof(*order));
}
