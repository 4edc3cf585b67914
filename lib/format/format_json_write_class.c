/* SPDX-License-Identifier: MIT */
/* Class buckets and weight sets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "format_json_write.h"

/* A shadow, to be found by what it is the shadow of. Classes have one string each. */
struct shade {
	int32_t base;
	const char *class_name;
	const strew_bucket *bucket;
};

struct shades {
	struct format_json_out *out;
	struct shade *all; /* by base and class */
	size_t count;
	bool derived; /* will the missing ones be made when the map is read? */
};

static int compare_shades(const void *left, const void *right)
{
	const struct shade *a = left, *b = right;

	if (a->base != b->base)
		return a->base < b->base ? -1 : 1;
	return strcmp(a->class_name, b->class_name);
}

static const strew_bucket *find_shade(const struct shades *shades, int32_t base,
				      const char *class_name)
{
	struct shade wanted = {.base = base, .class_name = class_name};
	const struct shade *found;

	found = bsearch(&wanted, shades->all, shades->count, sizeof(wanted),
			compare_shades);
	return found ? found->bucket : NULL;
}

/* Ceph keeps a shadow of every bucket for every class. A map that lacks some must not get
 * them by being written and read. */
static void list_shades(struct shades *shades)
{
	const strew_map *map = shades->out->map;
	size_t ordinary = 0;

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];

		if (bucket->shadow_of == 0)
			ordinary++;
		else
			shades->all[shades->count++] = (struct shade){
				bucket->shadow_of, bucket->class_name, bucket};
	}
	shades->derived = shades->count == ordinary * map->class_count;
	if (shades->count > 1)
		qsort(shades->all, shades->count, sizeof(*shades->all), compare_shades);
}

/* What a shadow would be made to hold for an item. @return false for nothing */
static bool shade_item(const struct shades *shades, const char *class_name,
		       struct map_item *item)
{
	const strew_map *map = shades->out->map;
	const strew_bucket *child;

	if (item->id >= 0)
		return strew_map_device_by_id(map, item->id)->class_name == class_name;
	if (strew_map_bucket_by_id(map, item->id)->shadow_of != 0)
		return false;
	child = find_shade(shades, item->id, class_name);
	if (child == NULL)
		return false;
	item->id = child->id;
	item->weight = format_json_sum(shades->out, child);
	return true;
}

static bool holds_what_it_would(const struct shades *shades, const strew_bucket *shadow,
				const strew_bucket *base)
{
	size_t count = 0;

	for (size_t i = 0; i < base->item_count; i++) {
		struct map_item item = base->items[i];

		if (!shade_item(shades, shadow->class_name, &item))
			continue;
		if (count == shadow->item_count || shadow->items[count].id != item.id ||
		    shadow->items[count].weight != item.weight)
			return false;
		count++;
	}
	return count == shadow->item_count;
}

/* "BASE~CLASS" */
static bool has_usual_name(const strew_bucket *shadow, const strew_bucket *base)
{
	size_t len = strlen(base->name);

	return strncmp(shadow->name, base->name, len) == 0 && shadow->name[len] == '~' &&
	       strcmp(shadow->name + len + 1, shadow->class_name) == 0;
}

/* Is the shadow what would be made of its bucket? Then its id is all there is to say. */
static bool is_as_made(const struct shades *shades, const strew_bucket *shadow,
		       const strew_bucket *base)
{
	return shades->derived && has_usual_name(shadow, base) &&
	       shadow->type == base->type && strcmp(shadow->alg, base->alg) == 0 &&
	       shadow->hash == base->hash &&
	       shadow->straw_calc_version == base->straw_calc_version &&
	       shadow->table == NULL &&
	       shadow->weight == format_json_sum(shades->out, shadow) &&
	       holds_what_it_would(shades, shadow, base);
}

static void write_items(struct format_json_out *out, const strew_bucket *bucket)
{
	format_json_member(out, "items");
	format_json_put(out, "[");
	for (size_t i = 0; i < bucket->item_count; i++) {
		format_json_put(out, i ? ", [" : "[");
		format_json_put_integer(out, bucket->items[i].id);
		format_json_put(out, ", ");
		format_add_weight(&out->to.text, bucket->items[i].weight);
		format_json_put(out, "]");
	}
	format_json_put(out, "]");
}

static void write_whole(struct format_json_out *out, const strew_bucket *shadow,
			const strew_bucket *base)
{
	if (!has_usual_name(shadow, base))
		format_json_string_member(out, "name", shadow->name);
	format_json_string_member(out, "type",
				  strew_map_type_name(out->map, shadow->type));
	format_json_selector_members(out, shadow);
	write_items(out, shadow);
}

static void write_shadow(const struct shades *shades, const strew_bucket *shadow,
			 bool is_first)
{
	struct format_json_out *out = shades->out;
	const strew_bucket *base = strew_map_bucket_by_id(out->map, shadow->shadow_of);

	format_json_start_line(out, 2, is_first);
	format_json_string_member(out, "bucket", base->name);
	format_json_string_member(out, "class", shadow->class_name);
	format_json_integer_member(out, "id", shadow->id);
	if (!is_as_made(shades, shadow, base))
		write_whole(out, shadow, base);
	format_json_remark_members(out, MAP_OF_CLASS_BUCKET, shadow->id, 0);
	format_json_put(out, " }");
	format_json_name_class(out, shadow->class_name);
}

static void write_shades(const struct shades *shades)
{
	struct format_json_out *out = shades->out;
	const strew_map *map = out->map;
	bool is_first = true;

	if (!shades->derived) {
		format_json_top_member(out, "derive_class_buckets");
		format_json_put(out, "false");
	}
	if (shades->count == 0)
		return;
	format_json_top_member(out, "class_buckets");
	format_json_put(out, "[");
	for (size_t i = 0; i < map->bucket_count && !format_out_stopped(&out->to); i++) {
		if (map->buckets[i].shadow_of == 0)
			continue;
		write_shadow(shades, &map->buckets[i], is_first);
		is_first = false;
	}
	format_json_put(out, "\n  ]");
	out->starts = false;
}

void format_json_write_class_buckets(struct format_json_out *out)
{
	const strew_allocator *allocator = out->to.output->allocator;
	size_t room = out->map->bucket_count + 1;
	struct shades shades = {.out = out};

	shades.all = base_alloc(allocator, room, sizeof(*shades.all));
	if (shades.all == NULL) {
		format_out_no_memory(&out->to);
		return;
	}
	list_shades(&shades);
	write_shades(&shades);
	base_free(allocator, shades.all, room * sizeof(*shades.all));
}

static void write_row(struct format_json_out *out, const uint32_t *row, size_t count)
{
	format_json_put(out, "[");
	for (size_t i = 0; i < count; i++) {
		/* One that can't be read would spoil the map. */
		uint32_t weight = row[i] == STREW_AUTO_WEIGHT ? row[i] - 1 : row[i];

		format_json_put(out, i ? ", " : "");
		format_add_weight(&out->to.text, weight);
	}
	format_json_put(out, "]");
}

static void write_weights(struct format_json_out *out, const struct map_weight_set *set,
			  const struct map_weights *weights, bool is_first)
{
	const strew_bucket *bucket = strew_map_bucket_by_id(out->map, weights->bucket);

	format_json_start_line(out, 3, is_first);
	format_json_string_member(out, "bucket", bucket->name);
	if (weights->positions > 0) {
		format_json_member(out, "weights");
		format_json_put(out, "[");
		for (size_t i = 0; i < weights->positions; i++) {
			format_json_put(out, i ? ", " : "");
			write_row(out, weights->rows + i * bucket->item_count,
				  bucket->item_count);
		}
		format_json_put(out, "]");
	}
	if (weights->ids) {
		format_json_member(out, "ids");
		format_json_integers(out, weights->ids, bucket->item_count);
	}
	format_json_remark_members(out, MAP_OF_WEIGHTS, set->id, weights->bucket);
	format_json_put(out, " }");
}

static void write_weight_set(struct format_json_out *out,
			     const struct map_weight_set *set, bool is_first)
{
	char number[32];

	snprintf(number, sizeof(number), "%lld", (long long)set->id);
	format_json_start_line(out, 2, is_first);
	format_json_integer_member(out, "id", set->id);
	if (strcmp(set->name, number) != 0)
		format_json_string_member(out, "name", set->name);
	format_json_remark_members(out, MAP_OF_WEIGHT_SET, set->id, 0);
	format_json_member(out, "buckets");
	format_json_put(out, "[");
	for (size_t i = 0; i < set->bucket_count && !format_out_stopped(&out->to); i++)
		write_weights(out, set, &set->buckets[i], i == 0);
	format_json_put(out, set->bucket_count ? " ] }" : "] }");
}

void format_json_write_weight_sets(struct format_json_out *out)
{
	const strew_map *map = out->map;

	if (map->weight_set_count == 0)
		return;
	format_json_top_member(out, "weight_sets");
	format_json_put(out, "[");
	for (size_t i = 0; i < map->weight_set_count && !format_out_stopped(&out->to);
	     i++)
		write_weight_set(out, &map->weight_sets[i], i == 0);
	format_json_put(out, "\n  ]");
	out->starts = false;
}
