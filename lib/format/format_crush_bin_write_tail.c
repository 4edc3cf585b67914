/* SPDX-License-Identifier: MIT */
/* Names and the tail of a binary CRUSH map: maps of Ceph's, by ascending key. */
#include <stdlib.h>
#include <string.h>

#include "format_crush_bin_write.h"

static void *add_entry(struct format_bin_out *out, size_t size)
{
	void *entry = base_vec_push(&out->entries, out->allocator, size);

	if (entry == NULL)
		format_out_no_memory(&out->to);
	return entry;
}

static int compare_names(const void *left, const void *right)
{
	const struct format_bin_name *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

static void add_name(struct format_bin_out *out, int32_t key, const char *name)
{
	struct format_bin_name *entry = add_entry(out, sizeof(*entry));

	if (entry)
		*entry = (struct format_bin_name){.key = key, .name = name};
}

/* The entries that were added, and names of what isn't there, by key. */
static void write_names(struct format_bin_out *out, const enum map_stray_kind *strays)
{
	struct base_vec *entries = &out->entries;
	const struct format_bin_name *names;

	for (size_t i = 0; strays && i < out->map->stray_count; i++)
		if (out->map->strays[i].kind == *strays)
			add_name(out, out->map->strays[i].id, out->map->strays[i].name);
	names = entries->items;
	if (entries->count > 1)
		qsort(entries->items, entries->count, sizeof(*names), compare_names);
	base_bytes_put_u32(&out->to.text, (uint32_t)entries->count);
	for (size_t i = 0; i < entries->count; i++) {
		size_t len = strlen(names[i].name);

		base_bytes_put_i32(&out->to.text, names[i].key);
		base_bytes_put_u32(&out->to.text, (uint32_t)len);
		base_str_add_bytes(&out->to.text, names[i].name, len);
		format_out_pass(&out->to);
	}
	entries->count = 0;
}

static void write_type_names(struct format_bin_out *out)
{
	const enum map_stray_kind strays = MAP_STRAY_TYPE;
	const strew_map *map = out->map;

	for (size_t i = 0; i < map->type_count; i++)
		if (!map->types[i].unnamed)
			add_name(out, map->types[i].id, map->types[i].name);
	write_names(out, &strays);
}

static void write_item_names(struct format_bin_out *out)
{
	const enum map_stray_kind strays = MAP_STRAY_ITEM;
	const strew_map *map = out->map;

	for (size_t i = 0; i < map->bucket_count; i++)
		if (!map->buckets[i].unnamed)
			add_name(out, map->buckets[i].id, map->buckets[i].name);
	for (size_t i = 0; i < map->device_count; i++)
		if (!map->devices[i].unnamed)
			add_name(out, map->devices[i].id, map->devices[i].name);
	write_names(out, &strays);
}

static void write_rule_names(struct format_bin_out *out)
{
	const enum map_stray_kind strays = MAP_STRAY_RULE;
	const strew_map *map = out->map;

	for (size_t i = 0; i < map->rule_count; i++)
		if (map->rules[i].name[0] != '\0')
			add_name(out, map->rules[i].id, map->rules[i].name);
	write_names(out, &strays);
}

static int32_t class_id_of(const struct format_bin_out *out, const char *class_name)
{
	int32_t id = -1;

	format_names_find(&out->classes, class_name, &id);
	return id;
}

static int compare_classes(const void *left, const void *right)
{
	const struct format_bin_class *a = left, *b = right;

	return (a->item > b->item) - (a->item < b->item);
}

static void add_class(struct format_bin_out *out, int32_t item, int32_t class_id)
{
	struct format_bin_class *entry = add_entry(out, sizeof(*entry));

	if (entry)
		*entry = (struct format_bin_class){.item = item, .class_id = class_id};
}

static void write_item_classes(struct format_bin_out *out)
{
	const strew_map *map = out->map;
	struct base_vec *entries = &out->entries;
	const struct format_bin_class *classes;

	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].class_name)
			add_class(out, map->buckets[i].id,
				  class_id_of(out, map->buckets[i].class_name));
	for (size_t i = 0; i < map->device_count; i++)
		if (map->devices[i].class_name)
			add_class(out, map->devices[i].id,
				  class_id_of(out, map->devices[i].class_name));
	for (size_t i = 0; i < map->stray_count; i++)
		if (map->strays[i].kind == MAP_STRAY_CLASS)
			add_class(out, map->strays[i].id, map->strays[i].class_id);
	classes = entries->items;
	if (entries->count > 1)
		qsort(entries->items, entries->count, sizeof(*classes), compare_classes);
	base_bytes_put_u32(&out->to.text, (uint32_t)entries->count);
	for (size_t i = 0; i < entries->count; i++) {
		base_bytes_put_i32(&out->to.text, classes[i].item);
		base_bytes_put_i32(&out->to.text, classes[i].class_id);
	}
	entries->count = 0;
}

static void write_class_names(struct format_bin_out *out)
{
	for (size_t i = 0; i < out->map->class_count; i++)
		add_name(out, out->map->classes[i].id, out->map->classes[i].name);
	write_names(out, NULL);
}

static int compare_shadows(const void *left, const void *right)
{
	const struct format_bin_shadow *a = left, *b = right;

	if (a->bucket != b->bucket)
		return a->bucket < b->bucket ? -1 : 1;
	return (a->class_id > b->class_id) - (a->class_id < b->class_id);
}

static void add_shadow(struct format_bin_out *out, int32_t bucket, int32_t class_id,
		       int32_t shadow)
{
	struct format_bin_shadow *entry = add_entry(out, sizeof(*entry));

	if (entry)
		*entry = (struct format_bin_shadow){
			.bucket = bucket, .class_id = class_id, .shadow = shadow};
}

static void list_shadows(struct format_bin_out *out)
{
	const strew_map *map = out->map;
	struct base_vec *entries = &out->entries;

	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of)
			add_shadow(out, map->buckets[i].shadow_of,
				   class_id_of(out, map->buckets[i].class_name),
				   map->buckets[i].id);
	for (size_t i = 0; i < map->stray_count; i++)
		if (map->strays[i].kind == MAP_STRAY_SHADOW)
			add_shadow(out, map->strays[i].id, map->strays[i].class_id,
				   map->strays[i].shadow);
	if (entries->count > 1)
		qsort(entries->items, entries->count, sizeof(struct format_bin_shadow),
		      compare_shadows);
}

/* Where the entries of the next bucket begin. */
static size_t next_bucket(const struct base_vec *entries, size_t first)
{
	const struct format_bin_shadow *shadows = entries->items;
	size_t end = first + 1;

	while (end < entries->count && shadows[end].bucket == shadows[first].bucket)
		end++;
	return end;
}

static void write_shadows(struct format_bin_out *out)
{
	struct base_vec *entries = &out->entries;
	const struct format_bin_shadow *shadows;
	struct base_str *text = &out->to.text;
	uint32_t buckets = 0;
	size_t end;

	list_shadows(out);
	shadows = entries->items;
	for (size_t i = 0; i < entries->count; i = next_bucket(entries, i))
		buckets++;
	base_bytes_put_u32(&out->to.text, buckets);
	for (size_t i = 0; i < entries->count; i = end) {
		/* A bucket with an empty list has one entry of no class; one that has got
		 * a shadow since has more. */
		size_t first = i + (shadows[i].class_id < 0);

		end = next_bucket(entries, i);
		base_bytes_put_i32(text, shadows[i].bucket);
		base_bytes_put_u32(&out->to.text, (uint32_t)(end - first));
		for (size_t j = first; j < end; j++) {
			base_bytes_put_i32(text, shadows[j].class_id);
			base_bytes_put_i32(text, shadows[j].shadow);
		}
	}
	entries->count = 0;
}

static void write_part(struct format_bin_out *out, const struct map_weights *weights)
{
	size_t count = strew_map_bucket_by_id(out->map, weights->bucket)->item_count;

	base_bytes_put_u32(&out->to.text, (uint32_t)(-1 - weights->bucket));
	base_bytes_put_u32(&out->to.text, (uint32_t)weights->positions);
	for (size_t i = 0; i < weights->positions; i++) {
		base_bytes_put_u32(&out->to.text, (uint32_t)count);
		for (size_t j = 0; j < count; j++)
			base_bytes_put_u32(&out->to.text, weights->rows[i * count + j]);
	}
	base_bytes_put_u32(&out->to.text, weights->ids ? (uint32_t)count : 0);
	for (size_t j = 0; weights->ids && j < count; j++)
		base_bytes_put_i32(&out->to.text, weights->ids[j]);
	format_out_pass(&out->to);
}

static void write_sets(struct format_bin_out *out)
{
	const strew_map *map = out->map;

	base_bytes_put_u32(&out->to.text, (uint32_t)map->weight_set_count);
	for (size_t i = 0; i < map->weight_set_count; i++) {
		const struct map_weight_set *set = &map->weight_sets[i];

		base_bytes_put_i64(&out->to.text, set->id);
		base_bytes_put_u32(&out->to.text, (uint32_t)set->bucket_count);
		for (size_t j = 0; j < set->bucket_count; j++)
			write_part(out, &set->buckets[j]);
	}
}

static void write_parts(struct format_bin_out *out)
{
	const struct map_tunables *t = &out->map->tunables;
	enum map_tail tail = out->layout.tail;
	struct base_str *text = &out->to.text;

	if (tail >= MAP_TAIL_TRIES) {
		base_bytes_put_u32(&out->to.text, t->choose_local_tries);
		base_bytes_put_u32(&out->to.text, t->choose_local_fallback_tries);
		base_bytes_put_u32(&out->to.text, t->choose_total_tries);
	}
	if (tail >= MAP_TAIL_DESCEND_ONCE)
		base_bytes_put_u32(&out->to.text, t->chooseleaf_descend_once);
	if (tail >= MAP_TAIL_VARY_R)
		base_bytes_put_u8(text, (uint8_t)t->chooseleaf_vary_r);
	if (tail >= MAP_TAIL_STRAW_CALC)
		base_bytes_put_u8(text, (uint8_t)t->straw_calc_version);
	if (tail >= MAP_TAIL_ALGS)
		base_bytes_put_u32(&out->to.text, t->allowed_bucket_algs);
	if (tail >= MAP_TAIL_STABLE)
		base_bytes_put_u8(text, (uint8_t)t->chooseleaf_stable);
	if (tail >= MAP_TAIL_CLASSES) {
		write_item_classes(out);
		write_class_names(out);
		write_shadows(out);
	}
	if (tail >= MAP_TAIL_WEIGHT_SETS)
		write_sets(out);
	if (tail >= MAP_TAIL_MSR) {
		base_bytes_put_u32(&out->to.text, t->msr_descents);
		base_bytes_put_u32(&out->to.text, t->msr_collision_tries);
	}
	base_str_add_bytes(text, (const char *)out->layout.rest, out->layout.rest_count);
}

void format_bin_write_tail(struct format_bin_out *out)
{
	write_type_names(out);
	write_item_names(out);
	write_rule_names(out);
	write_parts(out);
}
