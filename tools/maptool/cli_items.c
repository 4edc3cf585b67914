/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void add_item(struct cli_items *items, int32_t id)
{
	items->ids = cli_resize(items->ids, items->count + 1, sizeof(items->ids[0]));
	items->ids[items->count++] = id;
}

static void add_devices(struct cli_items *items, const strew_map *map,
			const struct cli_devices *range)
{
	size_t count = strew_map_device_count(map);
	size_t i;

	for (i = 0; i < count; i++) {
		int32_t id = strew_device_id(strew_map_device_at(map, i));

		if (id >= range->first && id <= range->last)
			add_item(items, id);
	}
}

/* What follows the type in "host:h3". */
static const char *bare_name(const char *name)
{
	const char *colon = strchr(name, ':');

	return colon != NULL ? colon + 1 : name;
}

static const char *type_of(const strew_map *map, const strew_bucket *bucket)
{
	return strew_map_type_name(map, strew_bucket_type(bucket));
}

/* "host:h3" */
static const strew_bucket *find_typed(const strew_map *map, const char *name)
{
	const char *bare = bare_name(name);
	const strew_bucket *bucket = strew_map_bucket_by_name(map, bare);
	size_t len;

	if (bucket == NULL || bare == name)
		return NULL;
	len = strlen(type_of(map, bucket));
	if (len != (size_t)(bare - name) - 1 ||
	    strncmp(type_of(map, bucket), name, len) != 0)
		return NULL;
	return bucket;
}

static const char *nearest_item(const strew_map *map, const char *word)
{
	struct cli_nearest nearest = {.word = word};
	size_t buckets = strew_map_bucket_count(map);
	size_t devices = strew_map_device_count(map);
	size_t i;

	for (i = 0; i < buckets; i++)
		cli_nearest_offer(&nearest,
				  strew_bucket_name(strew_map_bucket_at(map, i)));
	for (i = 0; i < devices; i++)
		cli_nearest_offer(&nearest,
				  strew_device_name(strew_map_device_at(map, i)));
	return nearest.best;
}

static int refuse_item(const strew_map *map, const char *name)
{
	const strew_bucket *other = strew_map_bucket_by_name(map, bare_name(name));
	const char *nearest = nearest_item(map, bare_name(name));

	if (other != NULL)
		cli_error("the map has no bucket '%s'; %s is a %s", name, bare_name(name),
			  type_of(map, other));
	else if (nearest != NULL)
		cli_error("the map has no device or bucket '%s'; did you mean '%s'?",
			  name, nearest);
	else
		cli_error("the map has no device or bucket '%s'; 'maptool show' lists "
			  "them",
			  name);
	return CLI_USAGE;
}

static int find_item(struct cli_items *out, const strew_map *map, const char *name)
{
	const strew_bucket *bucket = strew_map_bucket_by_name(map, name);
	struct cli_devices range;

	if (bucket == NULL && cli_find_devices(&range, map, name)) {
		add_devices(out, map, &range);
		return CLI_DONE;
	}
	if (bucket == NULL)
		bucket = find_typed(map, name);
	if (bucket == NULL)
		return refuse_item(map, name);
	add_item(out, strew_bucket_id(bucket));
	return CLI_DONE;
}

static int compare_ids(const void *left, const void *right)
{
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;

	return (a > b) - (a < b);
}

/* The order in which they are named stays; `ids` are in order of number. */
static void drop_repeated(struct cli_items *items)
{
	int32_t *ids = cli_resize(NULL, items->count, sizeof(ids[0]));
	char *seen = cli_resize(NULL, items->count, 1);
	size_t kept = 0, i;

	memcpy(ids, items->ids, items->count * sizeof(ids[0]));
	memset(seen, 0, items->count);
	qsort(ids, items->count, sizeof(ids[0]), compare_ids);
	for (i = 0; i < items->count; i++) {
		const int32_t *at = bsearch(&items->ids[i], ids, items->count,
					    sizeof(ids[0]), compare_ids);

		if (seen[at - ids])
			continue;
		seen[at - ids] = 1;
		items->ids[kept++] = items->ids[i];
	}
	items->count = kept;
	free(ids);
	free(seen);
}

int cli_find_items(struct cli_items *out, const strew_map *map,
		   const struct cli_list *names)
{
	int code = CLI_DONE;
	size_t i;

	for (i = 0; i < names->count && code == CLI_DONE; i++)
		code = find_item(out, map, names->items[i]);
	if (code == CLI_DONE && out->count > 1)
		drop_repeated(out);
	return code;
}
