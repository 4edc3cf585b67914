/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <math.h>
#include <stdio.h>

/* What pools and device classes can hold: tables and a sentence. */

#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))

static const struct result_column pool_columns[] = {
	{"pool", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"pgs", "PGs", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards_unplaced", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"size_raw_bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	SPREAD_ROOM_COLUMNS(""),
};

static const struct result_column class_columns[] = {
	{"class", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"devices", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"raw_bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"size_raw_bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	SPREAD_ROOM_COLUMNS("raw_"),
};

/* For people: bytes where sizes are known, else percentages of all that the weights stand
 * for. */
#define SHOWN_BYTES                                                                      \
	{"usable", NULL, STREW_CELL_INTEGER, RESULT_BYTES},                              \
		{"of_raw", "of raw", STREW_CELL_REAL, RESULT_PERCENT},                   \
		{"first_full", "full first", STREW_CELL_TEXT, RESULT_NAME},              \
		{"expected", NULL, STREW_CELL_INTEGER, RESULT_BYTES},                    \
	{                                                                                \
		"at_best", "at best", STREW_CELL_INTEGER, RESULT_BYTES                   \
	}
#define SHOWN_PERCENTS                                                                   \
	{"usable", "usable of raw", STREW_CELL_REAL, RESULT_PERCENT},                    \
		{"first_full", "full first", STREW_CELL_TEXT, RESULT_NAME},              \
		{"expected", NULL, STREW_CELL_REAL, RESULT_PERCENT},                     \
	{                                                                                \
		"at_best", "at best", STREW_CELL_REAL, RESULT_PERCENT                    \
	}
#define SHOWN_POOL                                                                       \
	{"pool", NULL, STREW_CELL_TEXT, RESULT_NAME},                                    \
		{"pgs", "PGs", STREW_CELL_INTEGER, RESULT_PLAIN},                        \
		{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},                      \
		{"unplaced", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},                    \
	{                                                                                \
		"stored", NULL, STREW_CELL_INTEGER, RESULT_BYTES                         \
	}

static const struct result_column shown_pools[] = {SHOWN_POOL, SHOWN_BYTES};
static const struct result_column shown_weights[] = {SHOWN_POOL, SHOWN_PERCENTS};
static const struct result_column shown_classes[] = {
	{"class", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"devices", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"size", "raw size", STREW_CELL_INTEGER, RESULT_BYTES},
	{"stored", "raw stored", STREW_CELL_INTEGER, RESULT_BYTES},
	SHOWN_BYTES,
};

static double grown(double growth, double value)
{
	return isfinite(growth) && value > 0 ? growth * value : NAN;
}

/* Of all that devices have, what is in use when the first is full. */
static double percent_of(const struct spread_room *room, double growth, double load,
			 double ratio)
{
	return room->size > 0 ? 100 * ratio * grown(growth, load) / room->size : NAN;
}

static void add_bytes(strew_table *table, const struct spread *spread, double bytes)
{
	analyze_spread_add_bytes(table, bytes, spread->has_sizes && !isnan(bytes));
}

static void add_name(strew_table *table, const struct spread *spread, int32_t device)
{
	result_text(table, device >= 0 ? spread->map->devices[device].name : NULL);
}

void analyze_spread_add_room(strew_table *table, const struct spread *spread,
			     const struct spread_room *room, struct spread_stock stock)
{
	double now = grown(room->growth, stock.now);
	double full = spread->ratios.full;

	add_bytes(table, spread, full * now);
	add_bytes(table, spread, spread->ratios.backfillfull * now);
	add_bytes(table, spread, spread->ratios.nearfull * now);
	result_real(table, percent_of(room, room->growth, room->now, full));
	add_name(table, spread, room->first);
	add_bytes(table, spread, full * grown(room->growth_later, stock.later));
	result_real(table, percent_of(room, room->growth_later, room->later, full));
	add_name(table, spread, room->first_later);
	add_bytes(table, spread, full * grown(room->limit.growth, stock.later));
	result_real(table, percent_of(room, room->limit.growth, room->later, full));
	if (isfinite(room->limit.growth))
		result_text(table, room->limit.is_exact ? "exact" : "at_most");
	else
		result_null(table);
}

/* What users store in a pool. */
static struct spread_stock pool_stock(const struct spread *spread, size_t group)
{
	const strew_pool *pool = spread->plan.groups[group].pools[0];
	double stored = (double)pool->bytes;

	if (!spread->has_data)
		stored = (double)pool->pg_num * analyze_data_shards(pool);
	return (struct spread_stock){stored, stored};
}

struct spread_stock analyze_spread_raw_stock(const struct spread_room *room)
{
	return (struct spread_stock){room->now, room->later};
}

/* What all tables of pools begin with, after the id. */
static void add_pool(strew_table *table, const struct spread *spread, size_t group)
{
	const strew_pool *pool = spread->plan.groups[group].pools[0];

	result_text(table, pool->name);
	result_integer(table, (int64_t)spread->plan.groups[group].count);
	result_integer(table, (int64_t)spread->groups[group].wanted);
	result_integer(table, (int64_t)spread->groups[group].unplaced);
	analyze_spread_add_bytes(table, (double)pool->bytes, pool->has_bytes);
}

static void fill_pools(struct spread *spread, strew_table *table)
{
	for (size_t i = 0; i < spread->plan.group_count; i++) {
		struct spread_room room = analyze_spread_pool_room(spread, i);

		result_row(table);
		result_integer(table, spread->plan.groups[i].pools[0]->id);
		add_pool(table, spread, i);
		add_bytes(table, spread, room.size);
		analyze_spread_add_room(table, spread, &room, pool_stock(spread, i));
	}
}

/* Classes in order, those devices first that have none. */
static const char *class_at(const struct spread *spread, size_t index)
{
	return index > 0 ? spread->map->classes[index - 1].name : NULL;
}

static size_t count_classes(const struct spread *spread)
{
	size_t count = 0;

	for (size_t i = 0; i <= spread->map->class_count; i++)
		count += analyze_spread_class_room(spread, class_at(spread, i)).devices >
			 0;
	return count;
}

static void fill_classes(struct spread *spread, strew_table *table)
{
	for (size_t i = 0; i <= spread->map->class_count; i++) {
		const char *class_name = class_at(spread, i);
		struct spread_room room = analyze_spread_class_room(spread, class_name);

		if (room.devices == 0)
			continue;
		result_row(table);
		result_text(table, class_name);
		result_integer(table, (int64_t)room.devices);
		analyze_spread_add_bytes(table, room.now, spread->has_data);
		add_bytes(table, spread, room.size);
		analyze_spread_add_room(table, spread, &room,
					analyze_spread_raw_stock(&room));
	}
}

static void show_room(strew_table *table, const struct spread *spread,
		      const struct spread_room *room, struct spread_stock stock)
{
	double full = spread->ratios.full;

	if (spread->has_sizes)
		add_bytes(table, spread, full * grown(room->growth, stock.now));
	result_real(table, percent_of(room, room->growth, room->now, full));
	add_name(table, spread, room->first);
	if (spread->has_sizes) {
		add_bytes(table, spread, full * grown(room->growth_later, stock.later));
		add_bytes(table, spread, full * grown(room->limit.growth, stock.later));
	} else {
		result_real(table,
			    percent_of(room, room->growth_later, room->later, full));
		result_real(table,
			    percent_of(room, room->limit.growth, room->later, full));
	}
}

static void show_pools(struct spread *spread, strew_table *table)
{
	for (size_t i = 0; i < spread->plan.group_count; i++) {
		struct spread_room room = analyze_spread_pool_room(spread, i);

		result_row(table);
		add_pool(table, spread, i);
		show_room(table, spread, &room, pool_stock(spread, i));
	}
}

static void show_classes(struct spread *spread, strew_table *table)
{
	for (size_t i = 0; i <= spread->map->class_count; i++) {
		const char *class_name = class_at(spread, i);
		struct spread_room room = analyze_spread_class_room(spread, class_name);

		if (room.devices == 0)
			continue;
		result_row(table);
		result_text(table, class_name ? class_name : "none");
		result_integer(table, (int64_t)room.devices);
		add_bytes(table, spread, room.size);
		analyze_spread_add_bytes(table, room.now, spread->has_data);
		show_room(table, spread, &room, analyze_spread_raw_stock(&room));
	}
}

static void show_tables(struct spread *spread)
{
	strew_result *result = spread->result;
	char title[128];

	snprintf(title, sizeof(title),
		 "pools (usable: until the first device is %g %% full, all growing %s)",
		 100 * spread->ratios.full,
		 spread->has_data ? "alike" : "with as much in each shard");
	show_pools(spread,
		   spread->has_sizes
			   ? result_add_table(result, "pools_text", title, shown_pools,
					      COUNT(shown_pools), RESULT_TEXT_ONLY)
			   : result_add_table(result, "pools_text", title, shown_weights,
					      COUNT(shown_weights), RESULT_TEXT_ONLY));
	if (spread->has_sizes && count_classes(spread) > 1)
		show_classes(spread, result_add_table(result, "classes_text",
						      "device classes (all replicas)",
						      shown_classes, COUNT(shown_classes),
						      RESULT_TEXT_ONLY));
}

/* "usable: 80.6 % of the raw space, until osd.4 is 95 % full; 84.0 % expected, 95.0 % at
 * best" */
static void note_room(struct spread *spread)
{
	struct spread_room room = analyze_spread_whole_room(spread);
	double full = spread->ratios.full;

	if (room.first < 0 || !(room.size > 0) || !isfinite(room.growth_later) ||
	    !isfinite(room.limit.growth))
		return;
	result_add_note(spread->result,
			"usable: %.1f %% of the raw space, until %s is %g %% full; %.1f "
			"%% expected, %s%.1f %% at best",
			percent_of(&room, room.growth, room.now, full),
			spread->map->devices[room.first].name, 100 * full,
			percent_of(&room, room.growth_later, room.later, full),
			room.limit.is_exact ? "" : "under ",
			percent_of(&room, room.limit.growth, room.later, full));
}

bool analyze_spread_tells_room(const struct spread *spread)
{
	return spread->plan.kind != ANALYZE_OBJECTS && spread->plan.inputs.pg == NULL;
}

void analyze_spread_pools(struct spread *spread)
{
	strew_result *result = spread->result;

	if (!analyze_spread_tells_room(spread))
		return;
	if (spread->plan.kind == ANALYZE_PGS)
		fill_pools(spread, result_add_table(result, "pools", NULL, pool_columns,
						    COUNT(pool_columns), RESULT_NO_TEXT));
	fill_classes(spread, result_add_table(result, "classes", NULL, class_columns,
					      COUNT(class_columns), RESULT_NO_TEXT));
	if (spread->plan.kind == ANALYZE_PGS)
		show_tables(spread);
	else
		note_room(spread);
}
