/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base_error.h"
#include "base_str.h"
#include "map.h"

/* A class by the string that devices and shadows of the map have of it. */
struct old_class {
	const char *name;
	size_t index;
};

static int compare_classes(const void *left, const void *right)
{
	const struct old_class *a = left, *b = right;

	return strcmp(a->name, b->name);
}

void *map_rename_own(struct map_renaming *renaming, const void *from, size_t count,
		     size_t size)
{
	void *copy = base_arena_copy(&renaming->arena, from, count, size);

	renaming->failed |= copy == NULL;
	return copy;
}

static void own_profiles(struct map_renaming *renaming)
{
	strew_map *map = &renaming->map;

	map->profiles = map_rename_own(renaming, map->profiles, map->profile_count,
				       sizeof(*map->profiles));
	for (size_t i = 0; !renaming->failed && i < map->profile_count; i++)
		map->profiles[i].parameters = map_rename_own(
			renaming, map->profiles[i].parameters, map->profiles[i].count,
			sizeof(*map->profiles[i].parameters));
}

void map_rename_start(struct map_renaming *renaming, const strew_map *from)
{
	strew_map *map = &renaming->map;

	*renaming = (struct map_renaming){.from = from, .map = *from};
	base_ref_init(&map->refs);
	base_arena_init(&renaming->arena, &from->arena.allocator);
	map->types = map_rename_own(renaming, map->types, map->type_count,
				    sizeof(*map->types));
	map->classes = map_rename_own(renaming, map->classes, map->class_count,
				      sizeof(*map->classes));
	map->devices = map_rename_own(renaming, map->devices, map->device_count,
				      sizeof(*map->devices));
	map->buckets = map_rename_own(renaming, map->buckets, map->bucket_count,
				      sizeof(*map->buckets));
	map->rules = map_rename_own(renaming, map->rules, map->rule_count,
				    sizeof(*map->rules));
	map->weight_sets =
		map_rename_own(renaming, map->weight_sets, map->weight_set_count,
			       sizeof(*map->weight_sets));
	map->pools = map_rename_own(renaming, map->pools, map->pool_count,
				    sizeof(*map->pools));
	map->strays = map_rename_own(renaming, map->strays, map->stray_count,
				     sizeof(*map->strays));
	own_profiles(renaming);
}

const char *map_rename(struct map_renaming *renaming, const char *format, ...)
{
	const char *name = NULL;
	struct base_str text;
	va_list args;

	base_str_init(&text, &renaming->arena.allocator);
	va_start(args, format);
	base_str_addv(&text, format, args);
	va_end(args);
	if (base_str_ok(&text))
		name = base_arena_strdup(&renaming->arena, base_str_text(&text));
	base_str_free(&text);
	renaming->failed |= name == NULL;
	return name ? name : "";
}

/* The classes of the map by their old names, sorted; NULL without memory. */
static struct old_class *list_classes(struct map_renaming *renaming)
{
	const strew_map *from = renaming->from;
	struct old_class *classes =
		base_arena_alloc(&renaming->arena, from->class_count, sizeof(*classes));

	if (classes == NULL)
		return NULL;
	for (size_t i = 0; i < from->class_count; i++)
		classes[i] = (struct old_class){from->classes[i].name, i};
	if (from->class_count > 1)
		qsort(classes, from->class_count, sizeof(*classes), compare_classes);
	return classes;
}

static const char *new_class(const struct map_renaming *renaming,
			     const struct old_class *classes, const char *name)
{
	const struct old_class wanted = {.name = name};
	const struct old_class *found = NULL;

	if (name && renaming->map.class_count > 0)
		found = bsearch(&wanted, classes, renaming->map.class_count,
				sizeof(*classes), compare_classes);
	return found ? renaming->map.classes[found->index].name : NULL;
}

bool map_follows_base(const strew_map *map, const strew_bucket *bucket)
{
	const strew_bucket *base = strew_map_bucket_by_id(map, bucket->shadow_of);

	return base && !bucket->unnamed && map_is_called_after(bucket, base->name);
}

static void follow_base(struct map_renaming *renaming, strew_bucket *shadow)
{
	const strew_bucket *base =
		strew_map_bucket_by_id(&renaming->map, shadow->shadow_of);

	shadow->name = map_rename(renaming, "%s~%s", base->name, shadow->class_name);
}

static void follow(struct map_renaming *renaming)
{
	const struct old_class *classes = list_classes(renaming);
	strew_map *map = &renaming->map;

	renaming->failed |= classes == NULL;
	for (size_t i = 0; !renaming->failed && i < map->device_count; i++)
		map->devices[i].class_name =
			new_class(renaming, classes, map->devices[i].class_name);
	for (size_t i = 0; !renaming->failed && i < map->bucket_count; i++) {
		strew_bucket *bucket = &map->buckets[i];

		bucket->class_name = new_class(renaming, classes, bucket->class_name);
		if (map_follows_base(renaming->from, &renaming->from->buckets[i]))
			follow_base(renaming, bucket);
	}
}

strew_status map_rename_build(strew_map **out, struct map_renaming *renaming,
			      strew_error *error)
{
	strew_builder *builder = NULL;
	strew_status status = STREW_ENOMEM;

	*out = NULL;
	if (!renaming->failed)
		status = strew_builder_from_map(&builder, &renaming->map);
	if (status == STREW_OK)
		status = strew_builder_build(out, builder, error);
	else
		base_error_nomem(error);
	strew_builder_free(builder);
	base_arena_free(&renaming->arena);
	return status;
}

strew_status map_rename_end(strew_map **out, struct map_renaming *renaming,
			    strew_error *error)
{
	if (!renaming->failed)
		follow(renaming);
	return map_rename_build(out, renaming, error);
}
