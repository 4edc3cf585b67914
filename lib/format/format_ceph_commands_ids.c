/* SPDX-License-Identifier: MIT */
/**
 * The ids that the cluster chooses for what the commands make: the highest free one for a
 * new bucket, when it is made; for the shadows of new buckets, when the first thing is
 * hung. All new buckets but that one are roots then, and the cluster goes through roots
 * from the lowest id, and for each through the classes.
 */
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "format_ceph_commands.h"

/* Free ids, from -1 downward. */
struct ids {
	const strew_map *map;
	size_t next; /* the bucket whose id comes next */
	int32_t id;  /* the last one that was taken */
};

static int32_t take_id(struct ids *ids)
{
	const strew_bucket *buckets = ids->map->buckets;

	ids->id--;
	while (ids->next < ids->map->bucket_count && buckets[ids->next].id == ids->id) {
		ids->next++;
		ids->id--;
	}
	return ids->id;
}

/* The shadows of a map, by what they are of and by class; its classes that have some. */
struct shadows {
	const strew_bucket **buckets;
	size_t count;
	const strew_bucket **classes; /* one of each, by name */
	size_t class_count;
	size_t room;
};

static int compare_classes(const void *a, const void *b)
{
	const strew_bucket *left = *(const strew_bucket *const *)a;
	const strew_bucket *right = *(const strew_bucket *const *)b;

	return strcmp(left->class_name, right->class_name);
}

static int compare_shadows(const void *a, const void *b)
{
	const strew_bucket *left = *(const strew_bucket *const *)a;
	const strew_bucket *right = *(const strew_bucket *const *)b;

	if (left->shadow_of != right->shadow_of)
		return left->shadow_of < right->shadow_of ? -1 : 1;
	return strcmp(left->class_name, right->class_name);
}

static void find_classes(struct shadows *shadows)
{
	size_t kept = 0;

	memcpy(shadows->classes, shadows->buckets,
	       shadows->count * sizeof(*shadows->buckets));
	qsort(shadows->classes, shadows->count, sizeof(*shadows->classes),
	      compare_classes);
	for (size_t i = 0; i < shadows->count; i++)
		if (kept == 0 || compare_classes(&shadows->classes[kept - 1],
						 &shadows->classes[i]) != 0)
			shadows->classes[kept++] = shadows->classes[i];
	shadows->class_count = kept;
}

static bool list_shadows(struct shadows *shadows, const strew_map *map,
			 const strew_allocator *allocator)
{
	shadows->room = map->bucket_count;
	if (shadows->room == 0)
		return true;
	shadows->buckets =
		base_alloc(allocator, shadows->room, sizeof(*shadows->buckets));
	shadows->classes =
		base_alloc(allocator, shadows->room, sizeof(*shadows->classes));
	if (shadows->buckets == NULL || shadows->classes == NULL)
		return false;
	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of != 0)
			shadows->buckets[shadows->count++] = &map->buckets[i];
	if (shadows->count == 0)
		return true;
	qsort(shadows->buckets, shadows->count, sizeof(*shadows->buckets),
	      compare_shadows);
	find_classes(shadows);
	return true;
}

static void free_shadows(struct shadows *shadows, const strew_allocator *allocator)
{
	size_t size = shadows->room * sizeof(*shadows->buckets);

	base_free(allocator, shadows->buckets, size);
	base_free(allocator, shadows->classes, size);
}

static const strew_bucket *find_shadow(const struct shadows *shadows, int32_t base,
				       const char *class_name)
{
	const strew_bucket key = {.shadow_of = base, .class_name = class_name};
	const strew_bucket *wanted = &key;
	const strew_bucket **found = NULL;

	if (shadows->count > 0)
		found = bsearch(&wanted, shadows->buckets, shadows->count,
				sizeof(*shadows->buckets), compare_shadows);
	return found ? *found : NULL;
}

static bool has_shadows(const struct shadows *shadows, const char *class_name)
{
	const strew_bucket key = {.class_name = class_name};
	const strew_bucket *wanted = &key;

	return shadows->class_count > 0 &&
	       bsearch(&wanted, shadows->classes, shadows->class_count,
		       sizeof(*shadows->classes), compare_classes) != NULL;
}

static bool is_new(const struct format_commands *commands, const strew_bucket *bucket)
{
	return bucket->shadow_of == 0 && format_other(&commands->after, bucket) == NULL;
}

/* @return how many new ones there are */
static size_t check_buckets(struct format_commands *commands, struct ids *ids,
			    struct format_tally *tally)
{
	const strew_map *map = commands->after.map;
	size_t count = 0;

	for (size_t i = 0; i < map->bucket_count; i++) {
		const strew_bucket *bucket = &map->buckets[i];
		const strew_bucket *was = format_other(&commands->after, bucket);

		if (bucket->shadow_of != 0)
			continue;
		count += was == NULL;
		if (bucket->id != (was ? was->id : take_id(ids)))
			format_tally(tally, bucket->name);
	}
	return count;
}

static void check_new_shadows(struct format_commands *commands, struct ids *ids,
			      const struct shadows *before, const struct shadows *after,
			      struct format_tally *tally)
{
	const strew_map *map = commands->after.map, *old = commands->before.map;

	for (size_t i = map->bucket_count; i-- > 0;) {
		const strew_bucket *bucket = &map->buckets[i], *shadow;

		for (size_t j = 0; is_new(commands, bucket) && j < old->class_count;
		     j++) {
			const char *class_name = old->classes[j].name;
			int32_t id;

			if (!has_shadows(before, class_name))
				continue;
			id = take_id(ids);
			shadow = find_shadow(after, bucket->id, class_name);
			if (shadow && shadow->id != id)
				format_tally(tally, bucket->name);
		}
	}
}

static void check_old_shadows(struct format_commands *commands,
			      const struct shadows *before, const struct shadows *after,
			      struct format_tally *tally)
{
	for (size_t i = 0; i < after->count; i++) {
		const strew_bucket *shadow = after->buckets[i];
		const strew_bucket *base =
			strew_map_bucket_by_id(commands->after.map, shadow->shadow_of);
		const strew_bucket *was =
			base ? format_other(&commands->after, base) : NULL;
		const strew_bucket *old =
			was ? find_shadow(before, was->id, shadow->class_name) : NULL;

		if (old && old->id != shadow->id)
			format_tally(tally, base->name);
	}
}

static void check_all(struct format_commands *commands, const struct shadows *before,
		      const struct shadows *after)
{
	struct ids ids = {.map = commands->before.map};
	struct format_tally buckets = {.count = 0}, shadows = {.count = 0};
	size_t count = check_buckets(commands, &ids, &buckets);

	/* Each has one of each class, or isn't as the cluster would make it anyway. */
	if (before->class_count > 0 && count <= after->count / before->class_count)
		check_new_shadows(commands, &ids, before, after, &shadows);
	check_old_shadows(commands, before, after, &shadows);
	format_tally_lose(commands, &buckets, "the id of bucket");
	format_tally_lose(commands, &shadows, "the ids of the class shadows of bucket");
}

void format_commands_check_ids(struct format_commands *commands)
{
	const strew_allocator *allocator = commands->allocator;
	struct shadows before = {.count = 0}, after = {.count = 0};

	if (list_shadows(&before, commands->before.map, allocator) &&
	    list_shadows(&after, commands->after.map, allocator))
		check_all(commands, &before, &after);
	else
		commands->failed = true;
	free_shadows(&before, allocator);
	free_shadows(&after, allocator);
}
