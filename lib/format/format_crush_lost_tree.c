/* SPDX-License-Identifier: MIT */
/* What CRUSH text can't hold of the tree: weights between its decimals, numbers that
 * follow from others but don't here, and shadows that aren't as they would be made. */
#include <stdlib.h>
#include <string.h>

#include "base_fixed.h"
#include "format_crush_text.h"
#include "format_crush_write.h"

/* Weights that are printed and read again as others. */
struct rounded {
	size_t count;
	uint32_t weight, reread; /* of the first; the same when nothing is read */
	bool is_read;
	const char *item;
	const strew_bucket *bucket;
};

static uint32_t limit_of(int32_t item)
{
	return item < 0 ? FORMAT_CRUSH_BUCKET_WEIGHT_MAX : FORMAT_CRUSH_DEVICE_WEIGHT_MAX;
}

static void note(struct rounded *rounded, const strew_map *map,
		 const strew_bucket *bucket, size_t place, int decimals)
{
	const struct map_item *item = &bucket->items[place];
	uint32_t reread = 0;
	bool is_read = format_crush_reread(item->weight, decimals, &reread) &&
		       reread <= limit_of(item->id) && (int32_t)item->weight >= 0;

	if ((is_read && reread == item->weight) || rounded->count++ > 0)
		return;
	rounded->weight = item->weight;
	rounded->reread = reread;
	rounded->is_read = is_read;
	rounded->item = format_crush_item_name(map, item->id);
	rounded->bucket = bucket;
}

static void tell_rounded(struct format_losses *losses, const struct rounded *rounded)
{
	if (rounded->count == 0)
		return;
	if (rounded->is_read)
		format_lose(losses,
			    "the exact weight of %zu item%s, such as %.96s in "
			    "%.96s: %.16g is read again as %.16g",
			    rounded->count, rounded->count == 1 ? "" : "s", rounded->item,
			    rounded->bucket->name, base_fixed_to_double(rounded->weight),
			    base_fixed_to_double(rounded->reread));
	else
		format_lose(losses,
			    "the weight of %zu item%s, such as %.96s in %.96s: "
			    "%.16g is not read again",
			    rounded->count, rounded->count == 1 ? "" : "s", rounded->item,
			    rounded->bucket->name, base_fixed_to_double(rounded->weight));
}

static void lose_weights(struct format_losses *losses, const struct format_crush_out *out)
{
	struct rounded rounded = {0};

	for (size_t i = 0; i < out->map->bucket_count; i++) {
		const strew_bucket *bucket = &out->map->buckets[i];

		for (size_t j = 0; bucket->shadow_of == 0 && j < bucket->item_count; j++)
			note(&rounded, out->map, bucket, j,
			     out->dialect->weight_decimals);
	}
	tell_rounded(losses, &rounded);
}

static void lose_rows(struct format_losses *losses, const struct format_crush_out *out,
		      const struct map_weight_set *set)
{
	int decimals = out->dialect->weight_decimals;
	size_t rounded = 0;

	for (size_t i = 0; i < set->bucket_count; i++) {
		const struct map_weights *part = &set->buckets[i];
		size_t count = strew_map_bucket_by_id(out->map, part->bucket)->item_count;

		for (size_t j = 0; j < count * part->positions; j++) {
			uint32_t reread = 0;

			rounded +=
				!format_crush_reread(part->rows[j], decimals, &reread) ||
				reread != part->rows[j];
		}
	}
	if (rounded > 0)
		format_lose(losses, "the exact weight of %zu item%s in weight set %lld",
			    rounded, rounded == 1 ? "" : "s", (long long)set->id);
}

static bool is_alg(const strew_bucket *bucket, const char *alg)
{
	return strcmp(bucket->alg, alg) == 0;
}

static bool is_uniform(const strew_bucket *bucket)
{
	for (size_t i = 0; i < bucket->item_count; i++)
		if (bucket->items[i].weight != bucket->items[0].weight ||
		    bucket->items[i].weight == 0)
			return false;
	return true;
}

static void lose_bucket(struct format_losses *losses, const strew_map *map,
			const strew_bucket *bucket)
{
	if (bucket->weight != map_item_sum(bucket))
		format_lose(losses,
			    "the weight of bucket %.96s, %.16g, which becomes the sum of "
			    "its items, %.16g",
			    bucket->name, base_fixed_to_double(bucket->weight),
			    (double)map_item_sum(bucket) / STREW_WEIGHT_ONE);
	if (bucket->table)
		format_lose(losses,
			    "the numbers that are stored for the selector of bucket "
			    "%.96s, %.32s; they are made anew",
			    bucket->name, bucket->alg);
	if (is_alg(bucket, "straw") &&
	    bucket->straw_calc_version != (map->tunables.straw_calc_version > 0))
		format_lose(losses,
			    "that the straw lengths of bucket %.96s follow another "
			    "straw_calc_version than the map's",
			    bucket->name);
	if (is_alg(bucket, "tree") && bucket->item_count > FORMAT_CRUSH_TREE_ITEMS_MAX)
		format_lose(
			losses, "the tree bucket %.96s, which has %zu items; %d are read",
			bucket->name, bucket->item_count, FORMAT_CRUSH_TREE_ITEMS_MAX);
	if (is_alg(bucket, "uniform") && !is_uniform(bucket))
		format_lose(losses,
			    "the uniform bucket %.96s, whose items don't weigh the same, "
			    "or nothing",
			    bucket->name);
}

/* What shadows are as they are made from what they shadow. */

static const strew_bucket *shadow_of(const struct format_crush_out *out, int32_t bucket,
				     int32_t class_id)
{
	const struct format_crush_shadow wanted = {.bucket = bucket,
						   .class_id = class_id};
	const struct format_crush_shadow *found =
		bsearch(&wanted, out->shadows, out->shadow_count, sizeof(wanted),
			format_crush_compare_shadows);

	return found ? strew_map_bucket_by_id(out->map, found->id) : NULL;
}

/* Does the shadow hold, at a place, what it would for an item of its base? Goes to the
 * next place when it does. */
static bool holds(const struct format_crush_out *out, const strew_bucket *shadow,
		  const struct format_crush_shadow *as, const struct map_item *item,
		  size_t *place)
{
	struct map_item wanted = *item;
	const strew_bucket *child;
	int64_t device;

	if (item->id >= 0) {
		device = map_device_index(out->map, item->id);
		if (device < 0 || out->map->devices[device].class_name == NULL ||
		    strcmp(out->map->devices[device].class_name, as->class_name) != 0)
			return true;
	} else {
		child = shadow_of(out, item->id, as->class_id);
		if (child == NULL)
			return false;
		wanted.id = child->id;
		wanted.weight = child->weight;
	}
	return *place < shadow->item_count && shadow->items[*place].id == wanted.id &&
	       shadow->items[(*place)++].weight == wanted.weight;
}

/* "BASE~CLASS"; what was renamed may have left its shadows behind. */
static bool is_named_as_made(const strew_bucket *shadow, const strew_bucket *base,
			     const char *class_name)
{
	size_t len = strlen(base->name);

	return !shadow->unnamed && strncmp(shadow->name, base->name, len) == 0 &&
	       shadow->name[len] == '~' &&
	       strcmp(shadow->name + len + 1, class_name) == 0;
}

static bool is_as_made(const struct format_crush_out *out,
		       const struct format_crush_shadow *as)
{
	const strew_bucket *shadow = strew_map_bucket_by_id(out->map, as->id);
	const strew_bucket *base = strew_map_bucket_by_id(out->map, as->bucket);
	size_t place = 0;

	if (shadow == NULL || base == NULL || strcmp(shadow->alg, base->alg) != 0 ||
	    shadow->hash != base->hash || shadow->type != base->type || shadow->table ||
	    shadow->weight != map_item_sum(shadow) ||
	    !is_named_as_made(shadow, base, as->class_name))
		return false;
	for (size_t i = 0; i < base->item_count; i++)
		if (!holds(out, shadow, as, &base->items[i], &place))
			return false;
	return place == shadow->item_count;
}

static void lose_shadows(struct format_losses *losses, const struct format_crush_out *out)
{
	const strew_map *map = out->map;
	size_t ordinary = 0, changed = 0, wanted;

	for (size_t i = 0; i < map->bucket_count; i++)
		ordinary += map->buckets[i].shadow_of == 0;
	for (size_t i = 0; i < out->shadow_count; i++)
		changed += !is_as_made(out, &out->shadows[i]);
	wanted = ordinary * map->class_count;
	if (map->rule_count == 0 && out->shadow_count > 0)
		format_lose(losses,
			    "the shadow buckets of device classes, because the map has "
			    "no rule: they are made with the first one");
	else if (changed > 0)
		format_lose(losses,
			    "%zu shadow bucket%s of device classes that would be made "
			    "anew in another way",
			    changed, changed == 1 ? "" : "s");
	else if (map->rule_count > 0 && out->shadow_count < wanted)
		format_lose(losses,
			    "that %zu bucket%s no shadow for a device class: they would "
			    "be made",
			    wanted - out->shadow_count,
			    wanted - out->shadow_count == 1 ? " has" : "s have");
}

/* Classes are numbered as they come: devices by id, then the shadows of buckets. */
static void lose_class_ids(struct format_losses *losses,
			   const struct format_crush_out *out)
{
	const strew_map *map = out->map;
	int32_t next = 0;
	bool changed = false;

	for (size_t i = 0; i < map->class_count; i++)
		changed |= map->classes[i].id != (int32_t)i;
	for (size_t i = 0; i < map->device_count; i++) {
		const char *name = map->devices[i].class_name;
		int32_t id = 0;

		if (name == NULL || !format_names_find(&out->classes, name, &id))
			continue;
		changed |= id > next;
		next += id == next;
	}
	if (changed)
		format_lose(losses, "the ids of the device classes, which are given anew "
				    "in order of first appearance");
	else if (out->shadow_count == 0 && (size_t)next < map->class_count)
		format_lose(losses, "the device class \"%.96s\", which nothing has",
			    map->classes[next].name);
}

void format_crush_lose_tree(struct format_losses *losses,
			    const struct format_crush_out *out)
{
	const strew_map *map = out->map;

	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of == 0)
			lose_bucket(losses, map, &map->buckets[i]);
	lose_weights(losses, out);
	lose_shadows(losses, out);
	lose_class_ids(losses, out);
	for (size_t i = 0; i < map->weight_set_count; i++)
		lose_rows(losses, out, &map->weight_sets[i]);
}
