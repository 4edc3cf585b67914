/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <stdlib.h>

/**
 * Class shadows against what would be derived now, bucket by bucket: what is wrong below
 * is told there, and not again in all that is above.
 */

/* How many items are named in a message. */
#define ITEMS_SHOWN 3

/* The time goes by items × classes, of which no real map has this many. */
#define WORK_MAX 20000000u

struct shadow {
	uint32_t base;          /* the bucket that it shadows, by index */
	uint32_t bucket;        /* itself */
	const char *class_name; /* the class's own string */
};

/* Where an item was seen last. */
struct mark {
	uint32_t in; /* the shadow's bucket + 1 */
	uint32_t weight;
};

struct shadows {
	struct check *check;
	struct shadow *all; /* by base and class */
	size_t count;
	struct mark *held; /* by item: devices, then buckets */
	struct mark *wanted;
	size_t items;
};

static int compare_shadows(const void *left, const void *right)
{
	const struct shadow *a = left, *b = right;
	uintptr_t class_a = (uintptr_t)a->class_name, class_b = (uintptr_t)b->class_name;

	if (a->base != b->base)
		return a->base < b->base ? -1 : 1;
	return class_a < class_b ? -1 : class_a > class_b;
}

static void list_shadows(struct shadows *work)
{
	const strew_map *map = work->check->map;

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];

		if (bucket->shadow_of == 0)
			continue;
		work->all[work->count++] = (struct shadow){
			(uint32_t)map_bucket_index(map, bucket->shadow_of), (uint32_t)i,
			bucket->class_name};
	}
	if (work->count > 1)
		qsort(work->all, work->count, sizeof(*work->all), compare_shadows);
}

/* The marks of an item as the tree has it. */
static size_t place_of(const struct shadows *work, int32_t item)
{
	return item < 0 ? work->check->map->device_count + (size_t)(-1 - item)
			: (size_t)item;
}

static const char *name_of(const struct shadows *work, int32_t item)
{
	const strew_bucket *bucket = analyze_check_child(work->check, item);

	return bucket ? bucket->name : work->check->map->devices[item].name;
}

/* What a shadow should have for an item of its base, and how heavy. @return false:
 * nothing. A bucket without a shadow stands for the one that it lacks. */
static bool derive_item(const struct shadows *work, const struct shadow *shadow,
			size_t slot, struct map_item *out)
{
	const struct check *check = work->check;
	const strew_bucket *base = &check->map->buckets[shadow->base];
	struct shadow key = {0, 0, shadow->class_name}, *found;

	out->id = check->tree.items[check->tree.first[shadow->base] + slot];
	out->weight = base->items[slot].weight;
	if (out->id >= 0)
		return check->map->devices[out->id].class_name == shadow->class_name;
	key.base = (uint32_t)(-1 - out->id);
	if (check->map->buckets[key.base].shadow_of != 0)
		return false;
	found = bsearch(&key, work->all, work->count, sizeof(key), compare_shadows);
	if (found) {
		out->id = -1 - (int32_t)found->bucket;
		out->weight = (uint32_t)check->buckets[found->bucket].sum;
	}
	return found || check->buckets[key.base].has_devices;
}

static void mark_items(struct shadows *work, const struct shadow *shadow)
{
	const struct check *check = work->check;
	const strew_bucket *bucket = &check->map->buckets[shadow->bucket];
	const strew_bucket *base = &check->map->buckets[shadow->base];
	struct map_item item;

	for (size_t i = 0; i < bucket->item_count; i++) {
		int32_t held = check->tree.items[check->tree.first[shadow->bucket] + i];

		work->held[place_of(work, held)] =
			(struct mark){shadow->bucket + 1, bucket->items[i].weight};
	}
	for (size_t i = 0; i < base->item_count; i++)
		if (derive_item(work, shadow, i, &item))
			work->wanted[place_of(work, item.id)] =
				(struct mark){shadow->bucket + 1, item.weight};
}

static void say_in_list(struct shadows *work, size_t number, const char *before,
			const char *name)
{
	if (number < ITEMS_SHOWN)
		analyze_check_say(work->check, "%s%s", number > 0 ? ", " : before, name);
}

static void say_rest(struct shadows *work, size_t count)
{
	if (count > ITEMS_SHOWN)
		analyze_check_say(work->check, " and %zu more", count - ITEMS_SHOWN);
}

static size_t say_missing(struct shadows *work, const struct shadow *shadow)
{
	const strew_bucket *base = &work->check->map->buckets[shadow->base];
	struct map_item item;
	size_t count = 0;

	for (size_t i = 0; i < base->item_count; i++)
		if (derive_item(work, shadow, i, &item) &&
		    work->held[place_of(work, item.id)].in != shadow->bucket + 1)
			say_in_list(work, count++, " lacks ", name_of(work, item.id));
	say_rest(work, count);
	return count;
}

static size_t say_foreign(struct shadows *work, const struct shadow *shadow,
			  const char *before)
{
	const struct check *check = work->check;
	const strew_bucket *bucket = &check->map->buckets[shadow->bucket];
	const int32_t *items = &check->tree.items[check->tree.first[shadow->bucket]];
	size_t count = 0;

	for (size_t i = 0; i < bucket->item_count; i++)
		if (work->wanted[place_of(work, items[i])].in != shadow->bucket + 1)
			say_in_list(work, count++, before, name_of(work, items[i]));
	say_rest(work, count);
	return count;
}

static size_t say_reweighted(struct shadows *work, const struct shadow *shadow)
{
	const struct check *check = work->check;
	const strew_bucket *bucket = &check->map->buckets[shadow->bucket];
	const int32_t *items = &check->tree.items[check->tree.first[shadow->bucket]];
	size_t count = 0;

	for (size_t i = 0; i < bucket->item_count; i++) {
		const struct mark *wanted = &work->wanted[place_of(work, items[i])];

		if (wanted->in != shadow->bucket + 1 ||
		    wanted->weight == bucket->items[i].weight)
			continue;
		if (count < ITEMS_SHOWN)
			analyze_check_say(
				work->check, "%s%s weighs %s and not %s",
				count > 0 ? ", " : ": ", name_of(work, items[i]),
				analyze_check_weight(bucket->items[i].weight).text,
				analyze_check_weight(wanted->weight).text);
		count++;
	}
	say_rest(work, count);
	return count;
}

static void begin_shadow(struct shadows *work, const struct shadow *shadow)
{
	const char *name = work->check->map->buckets[shadow->bucket].name;

	analyze_check_begin(work->check, "bucket %s", name);
	analyze_check_say(work->check, "%s", name);
}

static void compare_members(struct shadows *work, const struct shadow *shadow)
{
	size_t count;

	begin_shadow(work, shadow);
	count = say_missing(work, shadow);
	count += say_foreign(work, shadow,
			     count > 0 ? ", and should not have " : " should not have ");
	if (count > 0)
		analyze_check_end(work->check);
}

static void compare_weights(struct shadows *work, const struct shadow *shadow)
{
	begin_shadow(work, shadow);
	if (say_reweighted(work, shadow) > 0)
		analyze_check_end(work->check);
}

static bool is_too_much(const struct shadows *work)
{
	uint64_t items = 0;

	for (size_t i = 0; i < work->count; i++)
		items += work->check->map->buckets[work->all[i].base].item_count;
	return items > WORK_MAX;
}

static void compare_all(struct shadows *work,
			void (*compare)(struct shadows *work,
					const struct shadow *shadow))
{
	list_shadows(work);
	if (is_too_much(work)) {
		analyze_check_begin(work->check, "%s", "");
		analyze_check_say(work->check,
				  "the %zu class shadows are not compared with what they "
				  "shadow: there are too many classes for so many items",
				  work->count);
		analyze_check_end(work->check);
		return;
	}
	for (size_t i = 0; i < work->count && !work->check->status; i++) {
		mark_items(work, &work->all[i]);
		compare(work, &work->all[i]);
	}
}

static bool open_shadows(struct shadows *work)
{
	const strew_map *map = work->check->map;
	const strew_allocator *allocator = work->check->allocator;

	work->items = map->device_count + map->bucket_count + 1;
	work->all = base_alloc(allocator, map->bucket_count + 1, sizeof(*work->all));
	work->held = base_calloc(allocator, work->items, sizeof(*work->held));
	work->wanted = base_calloc(allocator, work->items, sizeof(*work->wanted));
	return work->all && work->held && work->wanted;
}

static void close_shadows(struct shadows *work)
{
	const strew_allocator *allocator = work->check->allocator;

	base_free(allocator, work->all,
		  (work->check->map->bucket_count + 1) * sizeof(*work->all));
	base_free(allocator, work->held, work->items * sizeof(*work->held));
	base_free(allocator, work->wanted, work->items * sizeof(*work->wanted));
}

static void for_shadows(struct check *check, void (*compare)(struct shadows *work,
							     const struct shadow *shadow))
{
	struct shadows work = {.check = check};

	if (open_shadows(&work))
		compare_all(&work, compare);
	else
		check->status = STREW_ENOMEM;
	close_shadows(&work);
}

static void find_members(struct check *check)
{
	for_shadows(check, compare_members);
}

static void find_weights(struct check *check)
{
	for_shadows(check, compare_weights);
}

static const struct check_kind kinds[] = {
	{"shadow-items", CHECK_WARNING,
	 "Have the shadows made anew (ceph osd crush class, or crushtool "
	 "--reclassify): rules for the class place by what the shadow holds.",
	 find_members},
	{"shadow-weights", CHECK_WARNING,
	 "Have the shadows made anew, as by reweighting the device: rules for the class "
	 "place by the shadow's weights.",
	 find_weights},
};

const struct check_subject analyze_check_shadows = CHECK_SUBJECT(kinds);
