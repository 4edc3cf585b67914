/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define LISTED_MAX 8

/* The names of one kind of thing in a map. */
struct names {
	const char *what;
	size_t count;
	const char *(*at)(const strew_map *map, size_t index);
};

static const char *pool_at(const strew_map *map, size_t index)
{
	return strew_pool_name(strew_map_pool_at(map, index));
}

static const char *rule_at(const strew_map *map, size_t index)
{
	return strew_map_rule_name(map, strew_map_rule_at(map, index));
}

static struct names pool_names(const strew_map *map)
{
	return (struct names){"pool", strew_map_pool_count(map), pool_at};
}

static struct names rule_names(const strew_map *map)
{
	return (struct names){"rule", strew_map_rule_count(map), rule_at};
}

static char *list_names(const strew_map *map, const struct names *names)
{
	char *text = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&text, &len);
	size_t i;

	if (stream == NULL)
		cli_no_memory();
	for (i = 0; i < names->count && i < LISTED_MAX; i++)
		fprintf(stream, "%s'%s'", i > 0 ? ", " : "", names->at(map, i));
	if (names->count > LISTED_MAX)
		fprintf(stream, " and %zu more", names->count - LISTED_MAX);
	if (fclose(stream) != 0)
		cli_no_memory();
	return text;
}

char *cli_list_rules(const strew_map *map)
{
	struct names names = rule_names(map);

	return list_names(map, &names);
}

static int refuse_name(const strew_map *map, const struct names *names, const char *name)
{
	struct cli_nearest nearest = {.word = name};
	char *list;
	size_t i;

	for (i = 0; i < names->count; i++)
		cli_nearest_offer(&nearest, names->at(map, i));
	if (nearest.best != NULL) {
		cli_error("the map has no %s '%s'; did you mean '%s'?", names->what, name,
			  nearest.best);
		return CLI_USAGE;
	}
	list = list_names(map, names);
	if (names->count > 0)
		cli_error("the map has no %s '%s'; it has %s", names->what, name, list);
	else
		cli_error("the map has no %s '%s', nor any other", names->what, name);
	free(list);
	return CLI_USAGE;
}

static const strew_pool *find_pool(const strew_map *map, const char *name)
{
	const strew_pool *pool = strew_map_pool_by_name(map, name);
	int64_t id;

	if (pool == NULL && cli_parse_integer(&id, name, 0, INT64_MAX) == 0)
		pool = strew_map_pool_by_id(map, id);
	return pool;
}

int cli_find_pool(int64_t *out, const strew_map *map, const strew_map *other,
		  const char *name)
{
	const strew_pool *pool = find_pool(map, name);
	struct names names = pool_names(map);

	if (pool == NULL && other != NULL)
		pool = find_pool(other, name);
	if (pool == NULL)
		return refuse_name(map, &names, name);
	*out = strew_pool_id(pool);
	return CLI_DONE;
}

int cli_find_rule(int32_t *out, const strew_map *map, const char *name)
{
	int32_t rule = strew_map_find_rule(map, name);
	struct names names = rule_names(map);
	int64_t id;

	if (rule < 0 && cli_parse_integer(&id, name, 0, INT32_MAX) == 0 &&
	    strew_map_rule_name(map, (int32_t)id) != NULL)
		rule = (int32_t)id;
	if (rule < 0)
		return refuse_name(map, &names, name);
	*out = rule;
	return CLI_DONE;
}

static int has_device_between(const strew_map *map, const struct cli_devices *range)
{
	size_t count = strew_map_device_count(map);
	size_t i;

	for (i = 0; i < count; i++) {
		int32_t id = strew_device_id(strew_map_device_at(map, i));

		if (id >= range->first && id <= range->last)
			return 1;
	}
	return 0;
}

/* "12" or "0-1023" */
static int parse_ids(struct cli_devices *out, const char *text)
{
	int64_t first, last;

	if (cli_parse_integer(&first, text, 0, INT32_MAX) == 0)
		last = first;
	else if (cli_parse_range(&first, &last, text, INT32_MAX) != 0)
		return -1;
	*out = (struct cli_devices){(int32_t)first, (int32_t)last};
	return 0;
}

int cli_find_devices(struct cli_devices *out, const strew_map *map, const char *name)
{
	const strew_device *device = strew_map_device_by_name(map, name);

	if (device != NULL) {
		out->first = out->last = strew_device_id(device);
		return 1;
	}
	if (strncmp(name, "osd.", 4) == 0)
		name += 4;
	return parse_ids(out, name) == 0 && has_device_between(map, out);
}
