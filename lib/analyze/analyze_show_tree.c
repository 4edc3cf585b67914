/* SPDX-License-Identifier: MIT */
#include "analyze_show_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_error.h"
#include "base_fixed.h"
#include "base_vec.h"

/* Deeper rows are set in no further, lest a long chain fill memory with spaces. */
#define INDENT_MAX 40

/* A bucket that hangs in several places is opened in each, while there are no more rows
 * than this for each thing of the map: links upon links would double them without end. */
#define ROWS_EACH 4

struct row {
	int32_t item;    /* as in analyze_tree */
	uint32_t parent; /* a bucket's index, or ANALYZE_NOWHERE */
	uint32_t depth;
	uint32_t weight;
	double share;
	const char *key; /* what orders it among its siblings */
};

struct walk {
	struct show *show;
	struct base_vec stack; /* struct row, the next one last */
	size_t rows;           /* those on the stack, too */
	size_t row_limit;
	bool *opened; /* buckets, by index in the map */
	size_t shut;  /* how often one was not opened again */
	struct base_arena keys;
	strew_table *table;
	strew_table *text;
};

static const strew_bucket *bucket_of(const struct walk *walk, const struct row *row)
{
	return row->item < 0 ? &walk->show->map->buckets[-1 - row->item] : NULL;
}

static const strew_device *device_of(const struct walk *walk, const struct row *row)
{
	return row->item < 0 ? NULL : &walk->show->map->devices[row->item];
}

static const char *class_of(const struct walk *walk, const struct row *row)
{
	return row->item < 0 ? bucket_of(walk, row)->class_name
			     : device_of(walk, row)->class_name;
}

/* Siblings stand as in `ceph osd tree`: by class, and those without one, as all buckets,
 * where '_' sorts; then by name, where a device's is made of its number. */
static const char *make_key(struct walk *walk, const struct row *row)
{
	const strew_bucket *bucket = bucket_of(walk, row);
	const strew_device *device = device_of(walk, row);
	const char *class_name = device && device->class_name ? device->class_name : "";
	struct base_str text;
	const char *key = NULL;

	base_str_init(&text, walk->show->allocator);
	if (bucket)
		base_str_addf(&text, "_%s", bucket->name);
	else
		base_str_addf(&text, "%s_osd.%08" PRId32, class_name, device->id);
	if (base_str_ok(&text))
		key = base_arena_strdup(&walk->keys, base_str_text(&text));
	base_str_free(&text);
	return key;
}

/* The first is to come off the stack first. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *left = a, *right = b;
	int order = strcmp(right->key, left->key);

	if (order == 0)
		order = (right->item > left->item) - (right->item < left->item);
	if (order == 0)
		order = (right->weight > left->weight) - (right->weight < left->weight);
	return order;
}

static double share_of(const struct show *show, const struct row *row, double part)
{
	if (show->device_shares == NULL)
		return part;
	return row->item < 0 ? show->bucket_shares[-1 - row->item]
			     : show->device_shares[row->item];
}

/* Without pools what reaches a bucket is split by weight. */
static bool push_items(struct walk *walk, const struct row *row, struct row *items)
{
	const struct analyze_tree *tree = &walk->show->tree;
	uint32_t index = (uint32_t)(-1 - row->item);
	const strew_bucket *bucket = bucket_of(walk, row);
	double sum = (double)map_item_sum(bucket);
	bool complete = true;

	for (size_t i = 0; i < bucket->item_count; i++) {
		double part = sum > 0 ? bucket->items[i].weight / sum : 0;

		items[i] = (struct row){.item = tree->items[tree->first[index] + i],
					.parent = index,
					.depth = row->depth + 1,
					.weight = bucket->items[i].weight};
		items[i].share = share_of(walk->show, &items[i], row->share * part);
		items[i].key = make_key(walk, &items[i]);
		complete = complete && items[i].key;
	}
	return complete;
}

static strew_status open_bucket(struct walk *walk, const struct row *row)
{
	const strew_bucket *bucket = bucket_of(walk, row);
	bool *opened = &walk->opened[-1 - row->item];
	struct row *items;

	if (bucket->item_count == 0)
		return STREW_OK;
	if (*opened && walk->rows + bucket->item_count > walk->row_limit) {
		walk->shut++;
		return STREW_OK;
	}
	*opened = true;
	walk->rows += bucket->item_count;
	items = base_vec_extend(&walk->stack, walk->show->allocator, sizeof(*items),
				bucket->item_count);
	if (items == NULL || !push_items(walk, row, items))
		return STREW_ENOMEM;
	qsort(items, bucket->item_count, sizeof(*items), compare_rows);
	return STREW_OK;
}

static const char *status_of(const strew_device *device)
{
	if (!device->exists)
		return "DNE";
	return device->up ? "up" : "down";
}

/* Five decimals of the nearest 32-bit float, which is what Ceph prints; 0 is bare. */
static void add_weight(strew_table *table, uint32_t weight)
{
	uint64_t scaled = (uint64_t)(float)weight * 100000;
	uint64_t whole = scaled / STREW_WEIGHT_ONE, rest = scaled % STREW_WEIGHT_ONE;

	if (rest > STREW_WEIGHT_ONE / 2 ||
	    (rest == STREW_WEIGHT_ONE / 2 && whole % 2 == 1))
		whole++;
	if (weight == 0)
		result_text(table, "0");
	else
		result_textf(table, "%" PRIu64 ".%05" PRIu64, whole / 100000,
			     whole % 100000);
}

static void add_for_people(const struct walk *walk, const struct row *row)
{
	const strew_bucket *bucket = bucket_of(walk, row);
	const strew_device *device = device_of(walk, row);
	const char *class_name = class_of(walk, row);
	int indent = 4 * (int)(row->depth < INDENT_MAX ? row->depth : INDENT_MAX);
	strew_table *table = walk->text;

	result_row(table);
	result_integer(table, bucket ? bucket->id : device->id);
	result_text(table, class_name ? class_name : "");
	add_weight(table, row->weight);
	if (bucket)
		result_textf(table, "%*s%s %s", indent, "",
			     strew_map_type_name(walk->show->map, bucket->type),
			     bucket->name);
	else
		result_textf(table, "%*s%s", indent, "", device->name);
	if (device) {
		result_text(table, status_of(device));
		add_weight(table, device->exists ? device->reweight : 0);
	}
	if (device && device->exists)
		add_weight(table, device->primary_affinity);
	for (int blank = device ? !device->exists : 3; blank > 0; blank--)
		result_text(table, "");
	result_real(table, 100 * row->share);
}

static void add_for_programs(const struct walk *walk, const struct row *row)
{
	const strew_map *map = walk->show->map;
	const strew_bucket *bucket = bucket_of(walk, row);
	const strew_device *device = device_of(walk, row);
	strew_table *table = walk->table;

	result_row(table);
	result_integer(table, bucket ? bucket->id : device->id);
	result_text(table, class_of(walk, row));
	result_real(table, base_fixed_to_double(row->weight));
	result_text(table, strew_map_type_name(map, bucket ? bucket->type : 0));
	result_text(table, bucket ? bucket->name : device->name);
	result_text(table, row->parent == ANALYZE_NOWHERE
				   ? NULL
				   : map->buckets[row->parent].name);
	result_integer(table, row->depth);
	result_text(table, device ? status_of(device) : NULL);
	result_real(table, device ? base_fixed_to_double(device->reweight) : NAN);
	result_real(table, device ? base_fixed_to_double(device->primary_affinity) : NAN);
	result_real(table, 100 * row->share);
}

static strew_status walk_down(struct walk *walk, struct row root)
{
	struct row *top =
		base_vec_push(&walk->stack, walk->show->allocator, sizeof(*top));
	strew_status status = top ? STREW_OK : STREW_ENOMEM;

	if (top)
		*top = root;
	while (status == STREW_OK && walk->stack.count > 0) {
		struct row row = ((struct row *)walk->stack.items)[--walk->stack.count];

		add_for_people(walk, &row);
		add_for_programs(walk, &row);
		if (row.item < 0)
			status = open_bucket(walk, &row);
	}
	return status ? status : result_status(walk->show->result);
}

/* Roots by id, the lowest first. */
static strew_status add_roots(struct walk *walk)
{
	const struct show *show = walk->show;
	strew_status status = STREW_OK;

	for (size_t i = show->map->bucket_count; i-- > 0 && status == STREW_OK;) {
		const strew_bucket *bucket = &show->map->buckets[i];
		struct row row = {.item = -1 - (int32_t)i,
				  .parent = ANALYZE_NOWHERE,
				  .weight = bucket->weight};

		if (show->tree.bucket_spots[i].bucket != ANALYZE_NOWHERE ||
		    (bucket->shadow_of != 0 && !show->how.shadow))
			continue;
		row.share = share_of(show, &row, 1);
		status = walk_down(walk, row);
	}
	return status;
}

/* Devices that hang nowhere stand below the trees. */
static strew_status add_strays(struct walk *walk)
{
	const struct show *show = walk->show;
	strew_status status = STREW_OK;

	for (size_t i = 0; i < show->map->device_count && status == STREW_OK; i++) {
		struct row row = {.item = (int32_t)i, .parent = ANALYZE_NOWHERE};

		row.share = share_of(show, &row, 0);
		if (show->map->devices[i].exists &&
		    show->tree.device_spots[i].bucket == ANALYZE_NOWHERE)
			status = walk_down(walk, row);
	}
	return status;
}

static const struct result_column columns[] = {
	{"id", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"class", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"weight", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"type", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"parent", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"depth", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"status", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"reweight", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"primary_affinity", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"share_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
};

static const struct result_column text_columns[] = {
	{"id", "ID", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"class", "CLASS", STREW_CELL_TEXT, RESULT_PLAIN},
	{"weight", "WEIGHT", STREW_CELL_TEXT, RESULT_PLAIN},
	{"type_name", "TYPE NAME", STREW_CELL_TEXT, RESULT_NAME},
	{"status", "STATUS", STREW_CELL_TEXT, RESULT_PLAIN},
	{"reweight", "REWEIGHT", STREW_CELL_TEXT, RESULT_PLAIN},
	{"primary_affinity", "PRI-AFF", STREW_CELL_TEXT, RESULT_PLAIN},
	{"share_percent", "SHARE", STREW_CELL_REAL, RESULT_PERCENT},
};

static void add_tables(struct walk *walk)
{
	strew_result *result = walk->show->result;

	walk->table =
		result_add_table(result, "tree", NULL, columns,
				 sizeof(columns) / sizeof(columns[0]), RESULT_NO_TEXT);
	walk->text = result_add_table(result, "tree_text", NULL, text_columns,
				      sizeof(text_columns) / sizeof(text_columns[0]),
				      RESULT_TEXT_ONLY | RESULT_NO_TITLE);
}

static void add_note(const struct walk *walk)
{
	strew_result *result = walk->show->result;

	if (walk->table == NULL || strew_table_row_count(walk->table) == 0)
		return;
	if (walk->show->device_shares)
		result_add_note(result, "SHARE: of all shards of the pools, what is "
					"expected there");
	else
		result_add_note(result,
				"SHARE: of what is placed in its root, by weight; "
				"the map has no pools");
	analyze_inexact_note(result, &walk->show->inexact);
	if (walk->shut > 0)
		result_add_note(result,
				"%zu times a bucket that hangs in several places is not "
				"opened again",
				walk->shut);
}

strew_status analyze_show_tree(struct show *show)
{
	const strew_map *map = show->map;
	size_t things = map->bucket_count + map->device_count +
			show->tree.first[map->bucket_count];
	struct walk walk = {.show = show, .row_limit = ROWS_EACH * things};
	strew_status status = STREW_ENOMEM;

	base_arena_init(&walk.keys, show->allocator);
	walk.opened =
		base_calloc(show->allocator, map->bucket_count + 1, sizeof(*walk.opened));
	add_tables(&walk);
	if (walk.opened)
		status = add_roots(&walk);
	if (status == STREW_OK)
		status = add_strays(&walk);
	add_note(&walk);
	base_free(show->allocator, walk.opened,
		  (map->bucket_count + 1) * sizeof(*walk.opened));
	base_vec_free(&walk.stack, show->allocator);
	base_arena_free(&walk.keys);
	return status ? base_error_nomem(show->error) : STREW_OK;
}
