/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_SPREAD_PRIV_H
#define ANALYZE_SPREAD_PRIV_H

#include "analyze.h"
#include "base_str.h"
#include "base_vec.h"
#include "place.h"

/** What lies on a device or domain, and what should. */
struct spread_load {
	double weight;
	double target;   /* of all shards, by weight: 0 … 1 */
	double expected; /* shards */
	uint64_t shards;
	uint64_t primaries;
	double bytes; /* that are placed on it */
	double size;  /* NAN: not known */
	double used;
};

struct spread_device {
	struct spread_load load;
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
	size_t touched; /* where the devices that it is on begin in the list */
	double usable;  /* bytes; NAN: not known */
	int32_t limit;  /* the index of the device that is full first, or -1 */
};

enum spread_fill { SPREAD_FILL_UNKNOWN, SPREAD_FILL_USED, SPREAD_FILL_PLACED };

#define SPREAD_NEARFULL     85 /* percent; the other ratios that clusters come with: */
#define SPREAD_BACKFILLFULL 90
#define SPREAD_FULL         95

struct spread_totals {
	uint64_t wanted, placed, unplaced;
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
	struct spread_group *counts; /* … of it */
	struct base_vec touched;     /* uint32_t, devices that hold shards, by group */
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

/** Count a unit. */
strew_status analyze_spread_count(struct spread *spread, uint64_t unit,
				  const strew_set *set);

/** When all is counted: targets and expected shares of the devices, … */
strew_status analyze_spread_expect(struct spread *spread);
/** … how full they are, and what the pools can hold, … */
void analyze_spread_capacity(struct spread *spread);
/** … how they compare, … */
void analyze_spread_compare(struct spread *spread);
/** … and the sums of each domain. */
void analyze_spread_sum_domains(struct spread *spread);

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
/** The tables "devices", "domains" and "summary". */
void analyze_spread_tables(struct spread *spread, const char *why);
/** What can be drawn of them. */
void analyze_spread_draw(struct spread *spread);
/** The table for people, in the shape of `ceph osd df tree`, … */
void analyze_spread_tree(struct spread *spread);
/** … and what stands below it. */
void analyze_spread_last_line(struct spread *spread);
void analyze_spread_pools(struct spread *spread);
void analyze_spread_notes(struct spread *spread, const char *why);

#endif
