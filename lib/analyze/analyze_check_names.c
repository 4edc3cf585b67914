/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <stdlib.h>
#include <string.h>

/** Names that look alike, and ids that were not written down. */

struct named {
	const char *folded;
	const char *name;
	const char *what; /* "bucket" */
};

/* Names that must differ from each other. */
struct names {
	struct check *check;
	struct base_arena arena; /* the folded ones */
	struct base_str folded;
	struct named *all;
	size_t count;
	size_t room;
};

static int compare_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = strcmp(a->folded, b->folded);

	return order != 0 ? order : strcmp(a->name, b->name);
}

static void add_name(struct names *names, const char *what, const char *name)
{
	struct named *added = &names->all[names->count++];
	const char *folded = analyze_check_fold(name, &names->folded);

	*added = (struct named){folded, name, what};
	if (folded != name)
		added->folded = base_arena_strdup(&names->arena, folded);
	if (added->folded == NULL || !base_str_ok(&names->folded)) {
		names->check->status = STREW_ENOMEM;
		names->count--;
	}
}

/* A name with its code points to be seen, as in cafe\u0301. */
static void say_points(struct check *check, const char *name)
{
	const char *at = name;

	while (*at) {
		uint32_t point = analyze_check_point(&at);

		if (point >= 0x20 && point < 0x7f)
			analyze_check_say(check, "%c", (int)point);
		else
			analyze_check_say(check, "\\u%04x", point);
	}
}

static void add_pair(struct check *check, const struct named *first,
		     const struct named *second)
{
	analyze_check_begin(check, "%s %s", second->what, second->name);
	analyze_check_say(check,
			  "%s \"%s\" is named like %s \"%s\" but for the form of "
			  "its letters in Unicode: ",
			  second->what, second->name, first->what, first->name);
	say_points(check, second->name);
	analyze_check_say(check, " and ");
	say_points(check, first->name);
	analyze_check_end(check);
}

static void compare_names(struct names *names)
{
	const struct named *all = names->all;
	size_t first = 0;

	if (names->count > 1)
		qsort(names->all, names->count, sizeof(*all), compare_named);
	for (size_t i = 1; i < names->count && !names->check->status; i++) {
		if (strcmp(all[i].folded, all[first].folded) != 0)
			first = i;
		else if (strcmp(all[i].name, all[i - 1].name) != 0)
			add_pair(names->check, &all[first], &all[i]);
	}
	names->count = 0;
}

static void list_items(struct names *names)
{
	const strew_map *map = names->check->map;

	for (size_t i = 0; i < map->device_count; i++)
		add_name(names, "device", map->devices[i].name);
	for (size_t i = 0; i < map->bucket_count; i++)
		if (map->buckets[i].shadow_of == 0)
			add_name(names, "bucket", map->buckets[i].name);
}

static void list_rules(struct names *names)
{
	const strew_map *map = names->check->map;

	for (size_t i = 0; i < map->rule_count; i++)
		add_name(names, "rule", map->rules[i].name);
}

static void list_pools(struct names *names)
{
	const strew_map *map = names->check->map;

	for (size_t i = 0; i < map->pool_count; i++)
		add_name(names, "pool", map->pools[i].name);
}

static size_t most_names(const strew_map *map)
{
	size_t most = map->device_count + map->bucket_count;

	if (most < map->rule_count)
		most = map->rule_count;
	return most < map->pool_count ? map->pool_count : most;
}

static void find_alike(struct check *check)
{
	static void (*const lists[])(struct names *) = {list_items, list_rules,
							list_pools};
	struct names names = {.check = check, .room = most_names(check->map) + 1};

	base_arena_init(&names.arena, check->allocator);
	base_str_init(&names.folded, check->allocator);
	names.all = base_alloc(check->allocator, names.room, sizeof(*names.all));
	if (names.all == NULL)
		check->status = STREW_ENOMEM;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]) && !check->status; i++) {
		lists[i](&names);
		compare_names(&names);
	}
	base_free(check->allocator, names.all, names.room * sizeof(*names.all));
	base_str_free(&names.folded);
	base_arena_free(&names.arena);
}

static void find_unpinned(struct check *check)
{
	check->shown = CHECK_FEW;
	for (size_t i = 0; i < check->map->bucket_count; i++) {
		const strew_bucket *bucket = &check->map->buckets[i];

		if (!bucket->auto_id)
			continue;
		analyze_check_begin(check, "bucket %s", bucket->name);
		analyze_check_say(check, "%s %s has no id written down, and was given %d",
				  analyze_check_type(check, bucket), bucket->name,
				  (int)bucket->id);
		analyze_check_end(check);
	}
}

static const struct check_kind kinds[] = {
	{"name-unicode", CHECK_WARNING,
	 "Rename one: to a person, and to tools that normalise text, they are the same.",
	 find_alike},
	{"id-unpinned", CHECK_WARNING,
	 "Write the id into the map: ids decide where data goes, and another bucket "
	 "added to the map can change those that were given.",
	 find_unpinned},
};

const struct check_subject analyze_check_names = CHECK_SUBJECT(kinds);
