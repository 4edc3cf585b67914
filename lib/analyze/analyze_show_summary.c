/* SPDX-License-Identifier: MIT */
#include "analyze_show_priv.h"

#include <inttypes.h>
#include <math.h>

#include "base_error.h"

/* What there is, counted. */
struct counts {
	size_t devices, in, up, buckets;
	size_t *by_type; /* devices and buckets, by place in the map's list of types */
	uint64_t pgs, weight;
	double size, used; /* bytes; 0: not known */
};

static void count_devices(struct counts *counts, const struct show *show)
{
	const strew_map *map = show->map;

	for (size_t i = 0; i < map->device_count; i++) {
		const strew_device *device = &map->devices[i];
		const struct analyze_spot *spot = &show->tree.device_spots[i];

		if (!device->exists)
			continue;
		counts->devices++;
		counts->in += device->reweight > 0;
		counts->up += device->up;
		counts->size += (double)device->size_bytes;
		counts->used += (double)device->used_bytes;
		if (spot->bucket != ANALYZE_NOWHERE)
			counts->weight +=
				map->buckets[spot->bucket].items[spot->slot].weight;
	}
}

static void count_all(struct counts *counts, const struct show *show)
{
	const strew_map *map = show->map;

	count_devices(counts, show);
	if (map->type_count > 0 && map->types[0].id == 0)
		counts->by_type[0] = counts->devices;
	for (size_t i = 0; i < map->bucket_count; i++) {
		if (map->buckets[i].shadow_of != 0)
			continue;
		counts->buckets++;
		counts->by_type[analyze_type_place(map, map->buckets[i].type)]++;
	}
	for (size_t i = 0; i < map->pool_count; i++)
		counts->pgs += map->pools[i].pg_num;
}

static const struct result_column summary_columns[] = {
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"epoch", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"devices", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"devices_up", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"devices_in", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"buckets", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"classes", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"weight", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"size_bytes", NULL, STREW_CELL_REAL, RESULT_BYTES},
	{"used_bytes", NULL, STREW_CELL_REAL, RESULT_BYTES},
	{"rules", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pools", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
};

static void add_summary(const struct show *show, const struct counts *counts)
{
	const strew_map *map = show->map;
	strew_table *table =
		result_add_table(show->result, "summary", NULL, summary_columns,
				 sizeof(summary_columns) / sizeof(summary_columns[0]),
				 RESULT_RECORD | RESULT_NO_TEXT);

	result_row(table);
	result_text(table, map->name);
	result_integer(table, map->epoch);
	result_integer(table, (int64_t)counts->devices);
	result_integer(table, (int64_t)counts->up);
	result_integer(table, (int64_t)counts->in);
	result_integer(table, (int64_t)counts->buckets);
	result_integer(table, (int64_t)map->class_count);
	result_real(table, (double)counts->weight / STREW_WEIGHT_ONE);
	result_real(table, counts->size > 0 ? counts->size : NAN);
	result_real(table, counts->used > 0 ? counts->used : NAN);
	result_integer(table, (int64_t)map->rule_count);
	result_integer(table, (int64_t)map->pool_count);
	result_integer(table, (int64_t)counts->pgs);
}

/* Only what isn't so: all are up and in as a rule. */
static void add_state(struct base_str *text, const struct counts *counts)
{
	if (counts->up < counts->devices)
		base_str_addf(text, "; %zu down", counts->devices - counts->up);
	if (counts->in < counts->devices)
		base_str_addf(text, "; %zu out", counts->devices - counts->in);
	if (counts->up == counts->devices && counts->in == counts->devices)
		base_str_add(text, "; all up and in");
}

static void add_use(struct base_str *text, const struct counts *counts)
{
	char bytes[RESULT_BYTES_ROOM];

	if (!(counts->size > 0))
		return;
	result_print_bytes(bytes, counts->size);
	base_str_addf(text, "; %s", bytes);
	if (counts->used > 0)
		base_str_addf(text, ", %.1f %% used", 100 * counts->used / counts->size);
}

/* "small: 1 root, 4 hosts, 8 devices; all up and in; 2 pools, 12 PGs" */
static strew_status tell_headline(const struct show *show, const struct counts *counts)
{
	const strew_map *map = show->map;
	struct base_str text;
	bool complete;

	base_str_init(&text, show->allocator);
	if (map->name[0] != '\0')
		base_str_addf(&text, "%s: ", map->name);
	if (!analyze_add_types(&text, map, counts->by_type, ""))
		base_str_add(&text, "no devices, no buckets");
	if (counts->devices > 0)
		add_state(&text, counts);
	add_use(&text, counts);
	if (map->pool_count > 0) {
		base_str_add(&text, "; ");
		analyze_add_count(&text, map->pool_count, "pool");
		base_str_addf(&text, ", %" PRIu64 " PG%s", counts->pgs,
			      counts->pgs == 1 ? "" : "s");
	}
	result_set_headline(show->result, "%s", base_str_text(&text));
	complete = base_str_ok(&text);
	base_str_free(&text);
	return complete ? STREW_OK : base_error_nomem(show->error);
}

strew_status analyze_show_summary(const struct show *show)
{
	struct counts counts = {.devices = 0};
	size_t types = show->map->type_count + 1;
	strew_status status;

	counts.by_type = base_calloc(show->allocator, types, sizeof(*counts.by_type));
	if (counts.by_type == NULL)
		return base_error_nomem(show->error);
	count_all(&counts, show);
	add_summary(show, &counts);
	status = tell_headline(show, &counts);
	base_free(show->allocator, counts.by_type, types * sizeof(*counts.by_type));
	return status;
}
