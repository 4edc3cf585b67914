/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <string.h>

/** Weights that contradict each other, and weights that the draw can't follow. */

/* Two weights that differ by less than a thousandth were the same before a text form
 * rounded them. */
#define ROUNDED_BELOW 1000

#define TEXT_MAX    (100 * STREW_WEIGHT_ONE)
#define SIGNED_END  ((uint32_t)0x80000000)
#define EXACT_MAX   (856 * STREW_WEIGHT_ONE)
#define RATIO_MAX   1000
#define ITEMS_MAX   650
#define ITEMS_CURVE 2000 /* beyond, the error grows less than the number of items */

static bool differ(uint64_t a, uint64_t b)
{
	uint64_t more = a > b ? a : b, less = a > b ? b : a;

	return (more - less) * ROUNDED_BELOW > more;
}

static bool is_rounded(uint64_t a, uint64_t b)
{
	return a != b && !differ(a, b);
}

/* Calls `tell` for each item of each ordinary bucket. */
static void for_items(struct check *check,
		      void (*tell)(struct check *check, const strew_bucket *bucket,
				   size_t slot, int32_t item))
{
	for (size_t i = 0; i < check->map->bucket_count; i++) {
		const strew_bucket *bucket = &check->map->buckets[i];
		const int32_t *items = &check->tree.items[check->tree.first[i]];

		for (size_t j = 0; j < bucket->item_count && !bucket->shadow_of; j++)
			tell(check, bucket, j, items[j]);
	}
}

static void begin_item(struct check *check, const strew_bucket *holder, size_t slot,
		       int32_t item)
{
	const strew_bucket *bucket = analyze_check_child(check, item);
	const char *name = bucket ? bucket->name : check->map->devices[item].name;

	analyze_check_begin(check, bucket ? "bucket %s" : "device %s", name);
	analyze_check_say(check, "%s%s%s weighs %s in %s %s",
			  bucket ? analyze_check_type(check, bucket) : "",
			  bucket ? " " : "", name,
			  analyze_check_weight(holder->items[slot].weight).text,
			  analyze_check_type(check, holder), holder->name);
}

static uint64_t sum_below(const struct check *check, const strew_bucket *bucket)
{
	return check->buckets[bucket - check->map->buckets].sum;
}

static void say_own(struct check *check, const strew_bucket *bucket)
{
	analyze_check_say(check, "; its own weight is %s, and what it holds weighs %s",
			  analyze_check_weight(bucket->weight).text,
			  analyze_check_weight(sum_below(check, bucket)).text);
}

/* Where the parent has what the bucket holds, the bucket's own weight is the odd one. */
static void tell_parent(struct check *check, const strew_bucket *holder, size_t slot,
			int32_t item)
{
	const strew_bucket *bucket = analyze_check_child(check, item);
	uint32_t weight = holder->items[slot].weight;

	if (bucket == NULL || !differ(weight, bucket->weight) ||
	    !differ(weight, sum_below(check, bucket)))
		return;
	begin_item(check, holder, slot, item);
	say_own(check, bucket);
	analyze_check_end(check);
}

static void find_parents(struct check *check)
{
	for_items(check, tell_parent);
}

static void tell_sum(struct check *check, size_t index)
{
	const strew_bucket *bucket = &check->map->buckets[index];
	const struct analyze_spot *spot = &check->tree.bucket_spots[index];
	const strew_bucket *holder;

	analyze_check_begin(check, "bucket %s", bucket->name);
	analyze_check_say(check, "%s %s has the weight %s, but what it holds weighs %s",
			  analyze_check_type(check, bucket), bucket->name,
			  analyze_check_weight(bucket->weight).text,
			  analyze_check_weight(check->buckets[index].sum).text);
	if (spot->bucket != ANALYZE_NOWHERE) {
		holder = &check->map->buckets[spot->bucket];
		analyze_check_say(
			check, "; in %s %s it weighs %s",
			analyze_check_type(check, holder), holder->name,
			analyze_check_weight(holder->items[spot->slot].weight).text);
	}
	analyze_check_end(check);
}

static void find_sums(struct check *check)
{
	for (size_t i = 0; i < check->map->bucket_count; i++) {
		const strew_bucket *bucket = &check->map->buckets[i];

		if (!bucket->shadow_of && differ(bucket->weight, check->buckets[i].sum))
			tell_sum(check, i);
	}
}

static void tell_rounded(struct check *check, const strew_bucket *holder, size_t slot,
			 int32_t item)
{
	const strew_bucket *bucket = analyze_check_child(check, item);
	uint64_t sum;

	if (bucket == NULL)
		return;
	sum = sum_below(check, bucket);
	if (!is_rounded(holder->items[slot].weight, bucket->weight) &&
	    !is_rounded(bucket->weight, sum))
		return;
	begin_item(check, holder, slot, item);
	say_own(check, bucket);
	analyze_check_end(check);
}

static void find_rounded(struct check *check)
{
	check->shown = CHECK_FEW;
	for_items(check, tell_rounded);
}

static void tell_signed(struct check *check, const strew_bucket *holder, size_t slot,
			int32_t item)
{
	if (holder->items[slot].weight < SIGNED_END || strcmp(holder->alg, "straw2") != 0)
		return;
	begin_item(check, holder, slot, item);
	analyze_check_say(check, ": from 32768 on, Ceph daemons divide by a negative "
				 "number, and it always wins; kernel clients do not");
	analyze_check_end(check);
}

static void find_signed(struct check *check)
{
	for_items(check, tell_signed);
}

static void tell_too_heavy_for_text(struct check *check, const strew_bucket *holder,
				    size_t slot, int32_t item)
{
	if (item < 0 || holder->items[slot].weight <= TEXT_MAX)
		return;
	begin_item(check, holder, slot, item);
	analyze_check_say(check, ": over 100, crushtool's text compiler of 16.2 won't "
				 "take it back");
	analyze_check_end(check);
}

static void find_too_heavy_for_text(struct check *check)
{
	for_items(check, tell_too_heavy_for_text);
}

/* Calls `tell` for each straw2 bucket outside the class shadows. */
static void for_straw2(struct check *check,
		       void (*tell)(struct check *check, const strew_bucket *bucket))
{
	for (size_t i = 0; i < check->map->bucket_count; i++) {
		const strew_bucket *bucket = &check->map->buckets[i];

		if (bucket->shadow_of == 0 && strcmp(bucket->alg, "straw2") == 0)
			tell(check, bucket);
	}
}

static void begin_bucket(struct check *check, const strew_bucket *bucket)
{
	analyze_check_begin(check, "bucket %s", bucket->name);
	analyze_check_say(check, "%s %s has ", analyze_check_type(check, bucket),
			  bucket->name);
}

/* doc/analyses/check.md has the numbers. */
static void tell_large(struct check *check, const strew_bucket *bucket)
{
	size_t count = bucket->item_count;

	if (count <= ITEMS_MAX)
		return;
	begin_bucket(check, bucket);
	analyze_check_say(check,
			  "%zu items: with straw2's 16-bit hash the first ones "
			  "get ",
			  count);
	if (count <= ITEMS_CURVE)
		analyze_check_say(check, "about %.1f %%", (double)count / ITEMS_MAX);
	else
		analyze_check_say(check, "over %.0f %%", ITEMS_CURVE / (double)ITEMS_MAX);
	analyze_check_say(check,
			  " more than their share, and the last ones as much less");
	analyze_check_end(check);
}

static void find_large(struct check *check)
{
	for_straw2(check, tell_large);
}

static void tell_ratio(struct check *check, const strew_bucket *bucket)
{
	uint32_t min = UINT32_MAX, max = 0;

	for (size_t i = 0; i < bucket->item_count; i++) {
		uint32_t weight = bucket->items[i].weight;

		if (weight > 0 && weight < min)
			min = weight;
		if (weight > max)
			max = weight;
	}
	if (max <= (uint64_t)min * RATIO_MAX)
		return;
	begin_bucket(check, bucket);
	analyze_check_say(check,
			  "items of weight %s and of weight %s, 1:%u: straw2's 16-bit "
			  "hash gives the light ones too much",
			  analyze_check_weight(min).text, analyze_check_weight(max).text,
			  max / min);
	analyze_check_end(check);
}

static void find_ratios(struct check *check)
{
	for_straw2(check, tell_ratio);
}

static void tell_inexact(struct check *check, const strew_bucket *bucket)
{
	size_t count = 0;
	uint32_t max = 0;

	for (size_t i = 0; i < bucket->item_count; i++) {
		if (bucket->items[i].weight > max)
			max = bucket->items[i].weight;
		count += bucket->items[i].weight > EXACT_MAX;
	}
	if (count == 0)
		return;
	begin_bucket(check, bucket);
	analyze_check_say(check,
			  "%zu item%s of weight over 856, up to %s: dividing by them "
			  "makes draws equal that were not",
			  count, count == 1 ? "" : "s", analyze_check_weight(max).text);
	analyze_check_end(check);
}

static void find_inexact(struct check *check)
{
	for_straw2(check, tell_inexact);
}

static const struct check_kind kinds[] = {
	{"weight-negative", CHECK_ERROR,
	 "Use a larger unit for all weights of the map, such as 10 TB in place of 1 TB: "
	 "daemons and kernel clients look for data in different places.",
	 find_signed},
	{"weight-in-parent", CHECK_WARNING,
	 "The weight in the parent decides. Set it to what the bucket holds (ceph osd "
	 "crush reweight-all), unless it is held back on purpose.",
	 find_parents},
	{"weight-stored", CHECK_WARNING,
	 "The bucket's own weight becomes the one in its parent when something below is "
	 "reweighted, which then moves data; ceph osd crush reweight-all makes all of "
	 "them "
	 "sums.",
	 find_sums},
	{"weight-over-text", CHECK_WARNING,
	 "Edit this map as JSON, or with commands, not by crushtool -d and -c.",
	 find_too_heavy_for_text},
	{"bucket-large", CHECK_WARNING, "Put the items into a few buckets below it.",
	 find_large},
	{"weight-ratio", CHECK_WARNING,
	 "Put the light items into a bucket of their own, or take them out: at 1:1000 "
	 "they "
	 "get 0.2 % too much, at 1:10000 0.9 %, at 1:100000 84 %.",
	 find_ratios},
	{"weight-over-856", CHECK_INFO,
	 "Nothing to do, as a rule: shares are off by about 0.01 % at weights of 10000 "
	 "and "
	 "by 0.07 % at 60000.",
	 find_inexact},
	{"weight-rounded", CHECK_INFO,
	 "Less than a thousandth: as a rule from crushtool's text, which has five "
	 "decimals or three. Nothing to do.",
	 find_rounded},
};

const struct check_subject analyze_check_weights = CHECK_SUBJECT(kinds);
