/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_DIFF_PRIV_H
#define ANALYZE_DIFF_PRIV_H

#include "analyze.h"
#include "base_vec.h"
#include "place.h"

/** One of the two maps: OLD, then NEW. */
struct diff_side {
	const strew_placer *placer;
	const strew_map *map;
	struct analyze_tree tree;
	uint32_t *buckets; /* each bucket's index in the other map, or ANALYZE_NOWHERE */
	double *shares;    /* of the group at hand, by index in the map */
	size_t room;       /* devices in a set */
};

/** A device of either map. */
struct diff_device {
	int32_t id;
	int32_t indexes[2]; /* in the maps, or -1 */
	int32_t domains[2]; /* where it is in each, or -1 */
	uint64_t shards_in;
	uint64_t shards_out;
	double bytes_in;
	double bytes_out;
	double held[2]; /* bytes that are placed on it */
};

struct diff_domain {
	const char *name;
	bool in[2];
};

/** What moves from one domain to another; -1: from or to none. */
struct diff_flow {
	int32_t from;
	int32_t to;
	uint64_t shards;
	double bytes;
};

/** Domains and the flows between them. */
struct diff_domains {
	int32_t types[2]; /* the level in each map, or -1 */
	const char *type_name;
	struct diff_domain *items;
	size_t count;
	struct base_vec flows; /* struct diff_flow */
	uint32_t *slots;       /* hash table of indexes into flows, from 1 */
	size_t slot_count;
};

enum diff_change {
	DIFF_ADDED,
	DIFF_REMOVED,
	DIFF_MOVED,
	DIFF_PLACES,
	DIFF_RENAMED,
	DIFF_TYPE,
	DIFF_ALG,
	DIFF_ORDER,
	DIFF_ID,
	DIFF_WEIGHT,
	DIFF_CLASS,
	DIFF_REWEIGHT,
	DIFF_STATE,
	DIFF_AFFINITY,
	DIFF_TUNABLE,
	DIFF_RULE,
	DIFF_CHOICE, /* NEW's rule or size, because the caller asked for another */
	DIFF_WEIGHT_SET,
	DIFF_POOL,
	DIFF_UPMAP,
	DIFF_CHANGE_COUNT
};

/** What has been added, or removed: by type, and to where if that is one place. */
struct diff_crowd {
	size_t *by_type; /* by place in the map's list of types */
	const char *place;
	bool many_places;
};

struct diff_changes {
	size_t counts[DIFF_CHANGE_COUNT];
	size_t reached_ids; /* of DIFF_ID, those of buckets that NEW's rules come to */
	bool *reached;      /* NEW's buckets, by index in the map */
	struct diff_crowd removed; /* types and place are OLD's */
	struct diff_crowd added;   /* … NEW's */
};

struct diff_totals {
	uint64_t units, units_changed;
	uint64_t shards, moved, unplaced, forced;
	uint64_t between_old; /* moved from a device that stays to one that was there */
	uint64_t positions_changed;
	bool has_positions;
	double bytes, bytes_moved;
	bool has_bytes, lacks_bytes;
	double objects, objects_moved;
	bool lacks_objects;
	double minimum, minimum_bytes, variance;
};

/** What the group at hand is like. */
struct diff_now {
	const struct analyze_group *group;
	bool is_erasure;
	bool by_position;
	uint64_t want; /* shards of a unit in NEW */
};

/** What one unit gains and loses. */
struct diff_moves {
	int32_t gained[STREW_WANT_MAX];
	int32_t from[STREW_WANT_MAX]; /* what was lost for it, or STREW_NONE */
	int gained_count;
	int32_t lost[STREW_WANT_MAX];
	int lost_count;
};

struct diff_tables {
	strew_table *summary, *changes, *devices, *domains, *totals, *matrix, *pgs;
};

struct diff {
	strew_diff_options how;
	const strew_allocator *allocator;
	strew_error *error;
	bool out_of_memory; /* in a place that has no status to return */
	struct diff_side sides[2];
	struct analyze_plan plan;
	strew_result *result;
	struct diff_tables tables;
	struct diff_device *devices; /* by id */
	size_t device_count;
	struct diff_domains domains;
	struct diff_changes changes;
	struct diff_totals totals;
	struct diff_now now;
	struct diff_moves moves;
	struct analyze_inexact inexact; /* rules of either side */
};

/** A side's rule and size for a group. */
int32_t analyze_diff_rule(const struct diff *diff, const struct analyze_group *group,
			  int side);
int analyze_diff_want(const struct diff *diff, const struct analyze_group *group,
		      int side);
/** O(log n); NULL: in neither map. */
struct diff_device *analyze_diff_device(const struct diff *diff, int32_t id);
const char *analyze_diff_device_name(const struct diff *diff,
				     const struct diff_device *device);

/** Find each bucket's like in the other map: by name, or by id if it was renamed. */
void analyze_diff_match(struct diff *diff);

/** Set the group at hand: its least movement, and what its shards are. */
strew_status analyze_diff_enter(struct diff *diff, const struct analyze_group *group);
/** Count a unit of the group at hand. */
strew_status analyze_diff_count(struct diff *diff, uint64_t unit, const strew_set *before,
				const strew_set *after);

/** Number the domains of the level asked for, and put each device into its own. */
strew_status analyze_diff_domains(struct diff *diff);
void analyze_diff_domains_free(struct diff *diff);
strew_status analyze_diff_add_flow(struct diff *diff, int32_t from, int32_t to,
				   double bytes);
/** The flows, by domain. */
void analyze_diff_sort_flows(struct diff *diff);

/** Fill the table "changes". */
strew_status analyze_diff_changes(struct diff *diff);
void analyze_diff_changes_free(struct diff *diff);
void analyze_diff_add_change(struct diff *diff, enum diff_change what, const char *item,
			     const char *from, const char *to);
/** … with what isn't in the tree. */
void analyze_diff_rule_changes(struct diff *diff);
void analyze_diff_pool_changes(struct diff *diff);

/** Add all tables, empty, in order; and fill them. */
void analyze_diff_add_tables(struct diff *diff);
void analyze_diff_fill_tables(struct diff *diff);
/** A row of the table "pgs", if that is wanted. */
void analyze_diff_list_unit(struct diff *diff, uint64_t unit, const strew_set *before,
			    const strew_set *after);
/** Headline, totals and notes. */
void analyze_diff_tell(struct diff *diff);
void analyze_diff_add_notes(const struct diff *diff);
/** What to call a side's map. */
const char *analyze_diff_side_name(const struct diff *diff, int side);

#endif
