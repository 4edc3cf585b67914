/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_SPREAD_PRIV_H
#define ANALYZE_SPREAD_PRIV_H

#include "analyze.h"
#include "base_str.h"
#include "base_vec.h"
#include "place.h"

/** From what a device should have to what it has, in steps that have one reason each. */
enum spread_stage {
	SPREAD_TARGET,  /* by weight */
	SPREAD_BOUNDED, /* … as near to it as failure domains allow */
	SPREAD_DRAWN,   /* by the law of drawing different items, by the tree's weights */
	SPREAD_WEIGHED, /* … by the weight sets' */
	SPREAD_EXPECTED, /* … with reweights, and devices that are out or down */
	SPREAD_COUNTED,  /* what these PGs come to */
	SPREAD_PLACED,   /* … with upmaps */
	SPREAD_FILLED,   /* … each as large as it is among those of its pool */
	SPREAD_STAGES
};

/** What comes in with each stage but the first. */
#define SPREAD_PARTS (SPREAD_STAGES - 1)

/** What lies on a device or domain, and what should. */
struct spread_load {
	double weight;
	double stages[SPREAD_STAGES]; /* of all shards: 0 … 1 */
	double expected;              /* shards */
	uint64_t shards;
	uint64_t primaries;
	double bytes; /* that are placed on it */
	double size;  /* NAN: not known */
	double used;
	double now, later; /* what limits growth: placed, and expected */
};

struct spread_device {
	struct spread_load load;
	uint64_t raw;    /* shards before upmaps */
	double amount;   /* of the group at hand, in what its PGs are measured in */
	double variance; /* of the number of shards, by chance */
	bool reached;    /* do the rules come to it? */
	int32_t domain;
	const struct spread_group *last_group; /* that put a shard on it */
};

/** A bucket of the level; the last one is no bucket, for devices below none. */
struct spread_domain {
	uint32_t bucket; /* its index in the map, or ANALYZE_NOWHERE */
	size_t devices;
	struct spread_load load;
	double share;  /* of a unit of the group at hand, in shards */
	bool is_large; /* by weight it should hold more of a PG than the rule allows */
};

/** One of the plan's groups: a pool, the raw inputs or the objects. */
struct spread_group {
	uint64_t wanted; /* shards */
	uint64_t placed;
	uint64_t unplaced;
	double amount;  /* that is placed, in what its PGs are measured in */
	double load;    /* bytes that one place of each unit holds, as far as known */
	size_t demand;  /* the one that it is part of */
	size_t touched; /* where the devices that it is on begin in the list */
};

/** What fits on some devices, when all grows alike until the first of them is full. */
struct spread_room {
	size_t devices;
	double size;                 /* of them all */
	double now, later;           /* loads of them all, placed and expected */
	double growth, growth_later; /* HUGE_VAL: there is nothing */
	int32_t first, first_later;  /* indexes of devices that are full first, or -1 */
	struct analyze_limit limit;
};

enum spread_fill { SPREAD_FILL_UNKNOWN, SPREAD_FILL_USED, SPREAD_FILL_PLACED };

struct spread_totals {
	uint64_t wanted, placed, unplaced;
	uint64_t raw;
	double expected;
	double bytes;
	bool has_bytes, lacks_bytes;
	size_t devices; /* in the tables */
};

/** How the devices that can get shards compare. */
struct spread_balance {
	size_t devices;
	int32_t fullest, emptiest; /* indexes, by percent of the target; -1: none */
	double stddev, chance;     /* in percent of the target */
	uint64_t primaries_min, primaries_max;
	double primaries_mean;
	int32_t highest_fill;
};

struct spread {
	strew_spread_options how;
	const strew_allocator *allocator;
	const strew_run *run;
	strew_error *error;
	bool out_of_memory; /* in a place that has no status to return */
	const strew_placer *placer;
	const strew_map *map;
	struct analyze_tree tree;
	struct analyze_plan plan;
	size_t room; /* devices in a set */
	strew_result *result;
	struct spread_device *devices; /* by index in the map */
	struct spread_domain *domains;
	size_t domain_count;
	struct spread_load total;
	const char *level;
	int32_t type;                /* that the level is */
	struct spread_group *groups; /* as the plan's */
	const struct analyze_group *now;
	struct spread_group *counts;    /* … of it */
	struct base_vec touched;        /* uint32_t, devices that hold shards, by group */
	struct analyze_demand *demands; /* kinds of groups */
	size_t demand_count;
	struct analyze_limit *limits; /* of demands */
	uint8_t *reaches; /* bits: is a device expected to get something of a demand? */
	struct analyze_ratios ratios;
	bool has_states; /* devices that are out, down or reweighted */
	bool has_sizes;  /* of all devices: loads and sizes are bytes, else weights */
	bool has_data;   /* of all PGs: loads are bytes, else shards */
	enum analyze_basis bases[SPREAD_EXPECTED + 1]; /* how stages are known */
	enum spread_fill fill;
	struct spread_totals totals;
	struct spread_balance balance;
	struct analyze_inexact inexact;
};

int32_t analyze_spread_rule(const struct spread *spread,
			    const struct analyze_group *group);
int analyze_spread_want(const struct spread *spread, const struct analyze_group *group);
const struct map_weight_set *analyze_spread_set(const struct spread *spread,
						const struct analyze_group *group);
/** Does a device belong in the tables? */
bool analyze_spread_lists(const struct spread_device *device);

/** Count a unit. raw: its set before upmaps; NULL: the same. */
strew_status analyze_spread_count(struct spread *spread, uint64_t unit,
				  const strew_set *set, const strew_set *raw);
/** No more units come. */
void analyze_spread_end_group(struct spread *spread);

/** When all is counted: targets and expected shares of the devices, … */
strew_status analyze_spread_expect(struct spread *spread);
/** … how full they are, … */
void analyze_spread_find_fill(struct spread *spread);
/** The demands' memory, for as many as there are groups. */
bool analyze_spread_add_reaches(struct spread *spread);
void analyze_spread_forget(struct spread *spread);
void analyze_spread_set_reach(struct spread *spread, size_t demand, size_t device);
/** … what limits growth, … */
strew_status analyze_spread_capacity(struct spread *spread);
/** … how they compare, … */
void analyze_spread_compare(struct spread *spread);
/** … and the sums of each domain. */
void analyze_spread_sum_domains(struct spread *spread);

/** What fits on the devices of a pool, of a class (as the map's devices have it; NULL:
 * none), or on all. */
struct spread_room analyze_spread_pool_room(const struct spread *spread, size_t group);
struct spread_room analyze_spread_class_room(const struct spread *spread,
					     const char *class_name);
struct spread_room analyze_spread_whole_room(const struct spread *spread);

/** In percent; NAN when it can't be told. */
double analyze_spread_percent(const struct spread *spread,
			      const struct spread_load *load);
double analyze_spread_fill(const struct spread *spread, const struct spread_load *load);

/** Find the level, and put each device into its domain. */
strew_status analyze_spread_domains(struct spread *spread);
/** Mark the domains that should by weight hold more than one shard of a PG, where the
 * rule allows one. `shares`: as of analyze_share(). */
void analyze_spread_mark_large(struct spread *spread, const struct map_rule *rule,
			       const double *shares);

/** Of the devices that can get shards: is this one of them? */
bool analyze_spread_competes(const struct spread_device *device);
/** What the fullest device's excess is made of; "" when there is none. */
void analyze_spread_explain(const struct spread *spread, struct base_str *text);
/** Why shares are not what weights say; "" when there is nothing to tell. */
void analyze_spread_why(const struct spread *spread, struct base_str *text);
/** NULL: none. */
const char *analyze_spread_domain_name(const struct spread *spread,
				       const struct spread_domain *domain);
/** Does the text have a line for each device? */
bool analyze_spread_shows_devices(const struct spread *spread);

/* The result, in order. */

void analyze_spread_headline(struct spread *spread);
/** A cell of whole bytes. */
void analyze_spread_add_bytes(strew_table *table, double bytes, bool known);
/** Columns for the parts, and the cells for a load. */
#define SPREAD_PART_COLUMNS                                                              \
	{"excess_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},                          \
		{"excess_rule_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},             \
		{"excess_multi_pick_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},       \
		{"excess_weight_set_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},       \
		{"excess_reweight_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},         \
		{"excess_chance_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},           \
		{"excess_upmap_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},            \
	{                                                                                \
		"excess_pg_size_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN             \
	}
void analyze_spread_add_parts(strew_table *table, const struct spread *spread,
			      const struct spread_load *load);
/** Columns for a room, and its cells; `raw` stands before bytes that count each replica.
 * A stock is what is there, in the bytes that a row tells, placed and expected. */
#define SPREAD_ROOM_COLUMNS(raw)                                                         \
	{"usable_" raw "bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},                 \
		{"usable_backfillfull_" raw "bytes", NULL, STREW_CELL_INTEGER,           \
		 RESULT_BYTES},                                                          \
		{"usable_nearfull_" raw "bytes", NULL, STREW_CELL_INTEGER,               \
		 RESULT_BYTES},                                                          \
		{"usable_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},               \
		{"first_full", NULL, STREW_CELL_TEXT, RESULT_NAME},                      \
		{"expected_usable_" raw "bytes", NULL, STREW_CELL_INTEGER,               \
		 RESULT_BYTES},                                                          \
		{"expected_usable_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},      \
		{"expected_first_full", NULL, STREW_CELL_TEXT, RESULT_NAME},             \
		{"limit_" raw "bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},          \
		{"limit_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},                \
	{                                                                                \
		"limit_basis", NULL, STREW_CELL_TEXT, RESULT_NAME                        \
	}
struct spread_stock {
	double now, later;
};
void analyze_spread_add_room(strew_table *table, const struct spread *spread,
			     const struct spread_room *room, struct spread_stock stock);
/** All replicas in a room. */
struct spread_stock analyze_spread_raw_stock(const struct spread_room *room);
/** Does what is placed tell how all grows? */
bool analyze_spread_tells_room(const struct spread *spread);
/** The tables "devices", "domains" and "summary". */
void analyze_spread_tables(struct spread *spread, const char *why);
/** What can be drawn of them. */
void analyze_spread_draw(struct spread *spread);
/** The table for people, in the shape of `ceph osd df tree`, … */
void analyze_spread_tree(struct spread *spread);
/** … and what stands below it. */
void analyze_spread_last_line(struct spread *spread);
void analyze_spread_imbalance(struct spread *spread);
void analyze_spread_pools(struct spread *spread);
void analyze_spread_notes(struct spread *spread, const char *why);

#endif
