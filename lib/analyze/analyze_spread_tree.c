/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <math.h>

#include "base_error.h"

/* For people: domains and their devices, in the shape of `ceph osd df tree`. */

#define LINES_MAX 100

enum field {
	FIELD_ID,
	FIELD_CLASS,
	FIELD_WEIGHT,
	FIELD_REWEIGHT,
	FIELD_SIZE,
	FIELD_DATA,
	FIELD_USE,
	FIELD_VAR,
	FIELD_EXPECTED,
	FIELD_SHARDS,
	FIELD_PRIMARIES,
	FIELD_STATUS,
	FIELD_NAME,
	FIELD_COUNT
};

static const struct result_column columns[FIELD_COUNT] = {
	{"id", "ID", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"class", "CLASS", STREW_CELL_TEXT, RESULT_NAME},
	{"weight", "WEIGHT", STREW_CELL_REAL, RESULT_PLAIN},
	{"reweight", "REWEIGHT", STREW_CELL_REAL, RESULT_PLAIN},
	{"size", "SIZE", STREW_CELL_INTEGER, RESULT_BYTES},
	{"data", "DATA", STREW_CELL_INTEGER, RESULT_BYTES},
	{"use", "%USE", STREW_CELL_REAL, RESULT_PLAIN},
	{"var", "VAR", STREW_CELL_REAL, RESULT_PLAIN},
	{"expected", "EXPECTED", STREW_CELL_REAL, RESULT_PLAIN},
	{"shards", "SHARDS", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"primaries", "PRIMARIES", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"status", "STATUS", STREW_CELL_TEXT, RESULT_NAME},
	{"name", "TYPE NAME", STREW_CELL_TEXT, RESULT_NAME},
};

struct tree {
	const struct spread *spread;
	strew_table *table;
	bool shows[FIELD_COUNT];
};

/* What a line is about. */
struct line {
	const strew_device *device; /* or NULL */
	const strew_bucket *bucket; /* or NULL */
	const struct spread_load *load;
	const char *indent;
};

static void add_name(strew_table *table, const struct spread *spread,
		     const struct line *line)
{
	if (line->device)
		result_textf(table, "%s%s", line->indent, line->device->name);
	else if (line->bucket)
		result_textf(table, "%s %s", spread->level, line->bucket->name);
	else
		result_text(table, line->indent);
}

static void add_identity(const struct tree *tree, const struct line *line)
{
	int32_t id = line->bucket ? line->bucket->id : 0;

	if (line->device)
		id = line->device->id;
	result_integer(tree->table, line->device || line->bucket ? id : INT64_MIN);
	if (tree->shows[FIELD_CLASS])
		result_text(tree->table, line->device ? line->device->class_name : NULL);
	result_real(tree->table, line->load->weight);
	result_real(tree->table,
		    line->device ? (double)line->device->reweight / STREW_WEIGHT_ONE
				 : NAN);
}

static void add_line(const struct tree *tree, const struct line *line)
{
	const struct spread *spread = tree->spread;
	const struct spread_load *load = line->load;
	strew_table *table = tree->table;

	result_row(table);
	add_identity(tree, line);
	if (tree->shows[FIELD_SIZE])
		analyze_spread_add_bytes(table, load->size, true);
	if (tree->shows[FIELD_DATA])
		analyze_spread_add_bytes(table, load->bytes, true);
	if (tree->shows[FIELD_USE])
		result_real(table, analyze_spread_fill(spread, load));
	result_real(table, analyze_spread_percent(spread, load) / 100);
	result_real(table, load->expected);
	result_integer(table, (int64_t)load->shards);
	result_integer(table, (int64_t)load->primaries);
	if (line->device)
		result_text(table,
			    line->device->exists && line->device->up ? "up" : "down");
	else
		result_null(table);
	add_name(table, spread, line);
}

static void choose_columns(struct tree *tree)
{
	const struct spread *spread = tree->spread;

	for (size_t i = 0; i < FIELD_COUNT; i++)
		tree->shows[i] = i != FIELD_CLASS && i != FIELD_SIZE;
	for (size_t i = 0; i < spread->map->device_count; i++) {
		if (!analyze_spread_lists(&spread->devices[i]))
			continue;
		if (spread->map->devices[i].class_name)
			tree->shows[FIELD_CLASS] = true;
		if (spread->map->devices[i].size_bytes > 0)
			tree->shows[FIELD_SIZE] = true;
	}
	tree->shows[FIELD_DATA] = spread->totals.has_bytes;
	tree->shows[FIELD_USE] =
		spread->fill != SPREAD_FILL_UNKNOWN && tree->shows[FIELD_SIZE];
}

static strew_table *add_table(const struct tree *tree)
{
	struct result_column shown[FIELD_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < FIELD_COUNT; i++) {
		if (tree->shows[i])
			shown[count++] = columns[i];
	}
	return result_add_table(tree->spread->result, "tree", NULL, shown, count,
				RESULT_TEXT_ONLY | RESULT_NO_TITLE);
}

/* Devices that are listed, by domain and then by id: a counting sort. */
static void sort_devices(const struct spread *spread, uint32_t *order, size_t *next)
{
	size_t end = 0;

	for (size_t i = 0; i < spread->domain_count; i++) {
		next[i] = end;
		end += spread->domains[i].devices;
	}
	for (size_t i = 0; i < spread->map->device_count; i++) {
		if (analyze_spread_lists(&spread->devices[i]))
			order[next[spread->devices[i].domain]++] = (uint32_t)i;
	}
}

static void add_devices(const struct tree *tree, const uint32_t *order, size_t count)
{
	const struct spread *spread = tree->spread;
	const char *indent = spread->type > 0 ? "    " : "";

	for (size_t i = 0; i < count; i++) {
		struct line line = {.device = &spread->map->devices[order[i]],
				    .load = &spread->devices[order[i]].load,
				    .indent = indent};

		add_line(tree, &line);
	}
}

static void add_lines(const struct tree *tree, const uint32_t *order)
{
	const struct spread *spread = tree->spread;
	bool shows_devices = analyze_spread_shows_devices(spread);
	bool shows_domains = spread->type > 0 && (spread->how.all_devices ||
						  spread->domain_count <= LINES_MAX);
	struct line total = {.load = &spread->total, .indent = "TOTAL"};

	for (size_t i = 0; i < spread->domain_count; i++) {
		const struct spread_domain *domain = &spread->domains[i];
		struct line line = {.load = &domain->load, .indent = "NONE"};

		if (domain->bucket != ANALYZE_NOWHERE)
			line.bucket = &spread->map->buckets[domain->bucket];
		if (domain->devices > 0 && shows_domains)
			add_line(tree, &line);
		if (shows_devices)
			add_devices(tree, order, domain->devices);
		order += domain->devices;
	}
	add_line(tree, &total);
}

bool analyze_spread_shows_devices(const struct spread *spread)
{
	return spread->how.all_devices || spread->totals.devices <= LINES_MAX;
}

void analyze_spread_tree(struct spread *spread)
{
	size_t devices = spread->map->device_count + 1;
	size_t domains = spread->domain_count + 1;
	uint32_t *order = base_alloc(spread->allocator, devices, sizeof(*order));
	size_t *next = base_alloc(spread->allocator, domains, sizeof(*next));
	struct tree tree = {.spread = spread};

	if (order && next) {
		choose_columns(&tree);
		tree.table = add_table(&tree);
		sort_devices(spread, order, next);
		add_lines(&tree, order);
	} else {
		spread->out_of_memory = true;
	}
	base_free(spread->allocator, order, devices * sizeof(*order));
	base_free(spread->allocator, next, domains * sizeof(*next));
}
