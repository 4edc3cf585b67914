/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <stdlib.h>

/** Where things hang, and buckets in which nothing can be found. */

/* How many places of an item are named. */
#define PLACES_SHOWN 4

/* A root that has not been looked for yet. */
#define ROOT_UNKNOWN (UINT32_MAX - 1)

struct place {
	int32_t item; /* as in the tree */
	uint32_t root;
	uint32_t bucket;
};

static bool is_shadow(const struct check *check, size_t bucket)
{
	return check->map->buckets[bucket].shadow_of != 0;
}

static void find_roots(struct check *check)
{
	const struct analyze_tree *tree = &check->tree;
	size_t count = check->map->bucket_count;

	for (size_t i = 0; i < count; i++) {
		check->buckets[i].root = ROOT_UNKNOWN;
		check->buckets[i].holder = ANALYZE_NOWHERE;
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t bucket = tree->order[i];
		uint32_t *root = &check->buckets[bucket].root;

		if (*root == ROOT_UNKNOWN)
			*root = bucket;
		for (size_t at = tree->first[bucket]; at < tree->first[bucket + 1];
		     at++) {
			uint32_t *below;

			if (tree->items[at] >= 0)
				continue;
			below = &check->buckets[-1 - tree->items[at]].root;
			*below = *below == ROOT_UNKNOWN || *below == *root
					 ? *root
					 : ANALYZE_NOWHERE;
		}
	}
}

static void keep_heaviest(struct check_bucket *child, uint32_t holder, uint32_t weight)
{
	if (child->holder != ANALYZE_NOWHERE && weight <= child->drawn)
		return;
	child->holder = holder;
	child->drawn = weight;
}

static void look_below(struct check *check, uint32_t index)
{
	const strew_bucket *bucket = &check->map->buckets[index];
	const int32_t *items = &check->tree.items[check->tree.first[index]];
	struct check_bucket *known = &check->buckets[index];

	for (size_t i = 0; i < bucket->item_count; i++) {
		struct check_bucket *child =
			items[i] < 0 ? &check->buckets[-1 - items[i]] : NULL;

		known->sum += bucket->items[i].weight;
		if (child == NULL || child->has_devices)
			known->has_devices = true;
		if (bucket->items[i].weight > 0 && (child == NULL || child->can_place))
			known->can_place = true;
		if (child)
			keep_heaviest(child, index, bucket->items[i].weight);
	}
}

void analyze_check_survey(struct check *check)
{
	find_roots(check);
	for (size_t i = check->map->bucket_count; i-- > 0;)
		look_below(check, check->tree.order[i]);
}

static uint32_t count_places(const struct check *check, int32_t item)
{
	return item < 0 ? check->tree.bucket_spots[-1 - item].places
			: check->tree.device_spots[item].places;
}

/* The places of items that have several, outside the class shadows. */
static void list_places(struct check *check, struct base_vec *places)
{
	const struct analyze_tree *tree = &check->tree;

	for (uint32_t i = 0; i < check->map->bucket_count; i++) {
		for (size_t at = tree->first[i]; at < tree->first[i + 1]; at++) {
			struct place *place;

			if (is_shadow(check, i) ||
			    count_places(check, tree->items[at]) < 2)
				continue;
			place = base_vec_push(places, check->allocator, sizeof(*place));
			if (place == NULL) {
				check->status = STREW_ENOMEM;
				return;
			}
			*place = (struct place){tree->items[at], check->buckets[i].root,
						i};
		}
	}
}

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->item != b->item)
		return a->item < b->item ? -1 : 1;
	if (a->root != b->root)
		return compare(a->root, b->root);
	return compare(a->bucket, b->bucket);
}

/* Can one root reach two of the places? They are in order of their roots. */
static bool share_root(const struct place *places, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (places[i].root == ANALYZE_NOWHERE ||
		    (i > 0 && places[i].root == places[i - 1].root))
			return true;
	return false;
}

/* How many of the places, from the first one on, are in its bucket? */
static size_t count_same(const struct place *places, size_t count)
{
	size_t same = 1;

	while (same < count && places[same].bucket == places->bucket)
		same++;
	return same;
}

static void say_places(struct check *check, const struct place *places, size_t count)
{
	size_t told = 0;

	for (int i = 0; i < PLACES_SHOWN && told < count; i++) {
		const strew_bucket *bucket = &check->map->buckets[places[told].bucket];
		size_t same = count_same(places + told, count - told);

		analyze_check_say(check, "%s in %s %s", i > 0 ? " and" : "",
				  analyze_check_type(check, bucket), bucket->name);
		if (same > 1)
			analyze_check_say(check, " %zu times", same);
		told += same;
	}
	if (told < count)
		analyze_check_say(check, " and in %zu more places", count - told);
}

static void add_places(struct check *check, const struct place *places, size_t count)
{
	const strew_bucket *bucket = analyze_check_child(check, places->item);
	const char *name;

	if (bucket) {
		analyze_check_begin(check, "bucket %s", bucket->name);
		analyze_check_say(check, "%s %s hangs", analyze_check_type(check, bucket),
				  bucket->name);
	} else {
		name = check->map->devices[places->item].name;
		analyze_check_begin(check, "device %s", name);
		analyze_check_say(check, "%s hangs", name);
	}
	say_places(check, places, count);
	analyze_check_end(check);
}

/* Whatever has several places, and is wanted. */
static void find_twice(struct check *check,
		       bool (*is_wanted)(const struct place *places, size_t count))
{
	struct base_vec all = {0};
	const struct place *places;
	size_t end;

	list_places(check, &all);
	places = all.items;
	if (all.count > 1)
		qsort(all.items, all.count, sizeof(*places), compare_places);
	for (size_t first = 0; first < all.count && !check->status; first = end) {
		end = first + 1;
		while (end < all.count && places[end].item == places[first].item)
			end++;
		if (end - first > 1 && is_wanted(places + first, end - first))
			add_places(check, places + first, end - first);
	}
	base_vec_free(&all, check->allocator);
}

static bool is_device(const struct place *places, size_t count)
{
	(void)count;
	return places->item >= 0;
}

static bool is_bucket_of_one_root(const struct place *places, size_t count)
{
	return places->item < 0 && share_root(places, count);
}

static bool is_bucket_of_many_roots(const struct place *places, size_t count)
{
	return places->item < 0 && !share_root(places, count);
}

static void find_devices_twice(struct check *check)
{
	find_twice(check, is_device);
}

static void find_buckets_twice(struct check *check)
{
	find_twice(check, is_bucket_of_one_root);
}

static void find_links(struct check *check)
{
	find_twice(check, is_bucket_of_many_roots);
}

static bool is_drawn(const struct check_bucket *known)
{
	return known->holder != ANALYZE_NOWHERE && known->drawn > 0;
}

static bool is_empty(const struct check *check, size_t bucket)
{
	return !check->buckets[bucket].has_devices;
}

/* Is it drawn, to no avail? */
static bool is_lost(const struct check *check, size_t bucket)
{
	return is_empty(check, bucket) && is_drawn(&check->buckets[bucket]);
}

/* Does it have devices, but none by weight? */
static bool is_weightless(const struct check *check, size_t bucket)
{
	const struct check_bucket *known = &check->buckets[bucket];

	return known->has_devices &&
	       (!known->can_place ||
		(known->holder != ANALYZE_NOWHERE && known->drawn == 0));
}

/* Of buckets below each other only the highest is told of. */
static bool is_highest(const struct check *check, size_t bucket,
		       bool (*is)(const struct check *, size_t))
{
	uint32_t above = check->tree.bucket_spots[bucket].bucket;

	return is(check, bucket) && !is_shadow(check, bucket) &&
	       (above == ANALYZE_NOWHERE || !is(check, above));
}

static void begin_bucket(struct check *check, const strew_bucket *bucket)
{
	analyze_check_begin(check, "bucket %s", bucket->name);
	analyze_check_say(check, "%s %s", analyze_check_type(check, bucket),
			  bucket->name);
}

static void say_drawn(struct check *check, size_t bucket)
{
	const struct check_bucket *known = &check->buckets[bucket];
	const strew_bucket *holder = &check->map->buckets[known->holder];

	analyze_check_say(check, " weighs %s in %s %s, but ",
			  analyze_check_weight(known->drawn).text,
			  analyze_check_type(check, holder), holder->name);
}

static void find_lost_draws(struct check *check)
{
	for (size_t i = 0; i < check->map->bucket_count; i++) {
		if (!is_highest(check, i, is_lost))
			continue;
		begin_bucket(check, &check->map->buckets[i]);
		say_drawn(check, i);
		analyze_check_say(check, "has no device, at any level");
		analyze_check_end(check);
	}
}

static void find_empty(struct check *check)
{
	for (size_t i = 0; i < check->map->bucket_count; i++) {
		if (!is_highest(check, i, is_empty) || is_lost(check, i))
			continue;
		begin_bucket(check, &check->map->buckets[i]);
		analyze_check_say(check, " has no device, at any level");
		analyze_check_end(check);
	}
}

/* A draw among items that all weigh 0 has a winner all the same. */
static void say_weightless(struct check *check, size_t bucket)
{
	const struct check_bucket *known = &check->buckets[bucket];

	if (is_drawn(known)) {
		say_drawn(check, bucket);
		analyze_check_say(check, "all its devices weigh 0 or hang in what does: "
					 "what is drawn into it goes to one or few of "
					 "them, or is drawn again");
	} else if (known->holder == ANALYZE_NOWHERE) {
		analyze_check_say(check, " has devices, but all weigh 0 or hang in what "
					 "does: a rule that takes it puts all data on "
					 "one or few of them, or finds none");
	} else {
		analyze_check_say(check, known->can_place
						 ? " weighs 0 where it hangs, though not "
						   "what it holds: it gets nothing"
						 : " weighs 0, and all its devices do or "
						   "hang in what does: it gets nothing");
	}
}

static void find_weightless(struct check *check)
{
	for (size_t i = 0; i < check->map->bucket_count; i++) {
		if (!is_highest(check, i, is_weightless))
			continue;
		begin_bucket(check, &check->map->buckets[i]);
		say_weightless(check, i);
		analyze_check_end(check);
	}
}

static const struct check_kind kinds[] = {
	{"device-in-two-places", CHECK_ERROR,
	 "Take it out of all places but one: it gets the data of both, and two copies of "
	 "one PG can meet on it, which then cost a retry or are missing.",
	 find_devices_twice},
	{"bucket-lost-draws", CHECK_WARNING,
	 "Set its weight to 0, or take it out: what is drawn into it has to be drawn "
	 "again, and may end as a missing copy.",
	 find_lost_draws},
	{"bucket-in-two-places", CHECK_WARNING,
	 "Take it out of all places but one: one root can lead to several of them, so "
	 "that its devices can be chosen twice for one PG.",
	 find_buckets_twice},
	{"bucket-empty", CHECK_WARNING,
	 "Remove it, if nothing is to come: whoever counts failure domains counts it "
	 "too.",
	 find_empty},
	{"bucket-weightless", CHECK_WARNING,
	 "Give its devices weight if it is to hold data; if it is drained, see that it "
	 "weighs 0 where it hangs, or remove it.",
	 find_weightless},
	{"bucket-linked", CHECK_INFO,
	 "Nothing is wrong with it if both roots are meant to lead to the same devices.",
	 find_links},
};

const struct check_subject analyze_check_tree = CHECK_SUBJECT(kinds);
