/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_DIFF_PRIV_H
#define ANALYZE_DIFF_PRIV_H

#include "analyze.h"
#include "base_vec.h"
#include "place.h"

/** Shares of the group before, by what they follow from: most pools have theirs in
 * common. */
struct diff_shared {
	const struct map_rule *rule;
	int want;
	const struct map_weight_set *set;
};

/** One of the two maps: OLD, then NEW. */
struct diff_side {
	const strew_placer *placer;
	const strew_map *map;
	struct analyze_tree tree;
	uint32_t *buckets; /* each bucket's index in the other map, or ANALYZE_NOWHERE */
	double *shares;    /* of the group at hand, by index in the map */
	struct diff_shared shared;
	size_t room; /* devices in a set */
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
	bool *reached;             /* NEW's buckets, by index in the map */
	struct diff_crowd removed; /* types and place are OLD's */
	struct diff_crowd added;   /* … NEW's */
};

struct diff_totals {
	uint64_t units, units_changed;
	uint64_t shards, moved, unplaced, forced;
	uint64_t between_old; /* moved from a device that stays to one that was there */
	uint64_t positions_changed;
	bool has_positions;
	uint64_t moved_by_set; /* whatever shards are counted by */
	double bytes, bytes_moved, bytes_moved_by_set;
	bool has_bytes, lacks_bytes;
	double objects, objects_moved;
	bool lacks_objects;
	double minimum, minimum_bytes, variance;
};

/** What the group at hand is like. */
struct diff_now {
	const struct analyze_group *group;
	struct diff_totals before; /* of the groups before it */
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

/** OLD's placements, when they are to be compared with more than NEW's. */
struct diff_kept {
	int32_t *words; /* of each unit: the size of its set, and room for the set */
	bool is_full;
};

/** What can be taken back alone. What weighs what, hangs where and is asked for are the
 * change itself, and stay. */
enum diff_undo {
	DIFF_UNDO_IDS,      /* of buckets */
	DIFF_UNDO_PARENTS,  /* weights of buckets in their parents */
	DIFF_UNDO_TUNABLES, /* but for those that only new buckets heed */
	DIFF_UNDO_ALG,      /* of buckets */
	DIFF_UNDO_RULE,     /* its steps, or which one it is */
	DIFF_UNDO_REWEIGHT, /* with the states of devices */
	DIFF_UNDO_UPMAP,    /* of all kinds */
	DIFF_UNDO_PG_NUM,   /* with what else makes seeds of PGs */
	DIFF_UNDO_COUNT
};

#define DIFF_UNDO(what) (1u << (what))

/** Why more moves than has to: what can be taken back, and the rest. */
enum diff_cause {
	DIFF_CAUSE_POSITION = DIFF_UNDO_COUNT, /* within a PG's set */
	DIFF_CAUSE_COLLISIONS,                 /* shards of a PG that meet */
	DIFF_CAUSE_WEIGHTS,                    /* several that change at once */
	DIFF_CAUSE_INTERACTION,                /* what is counted twice, or never */
	DIFF_CAUSE_CHANCE,                     /* within the error of sampling */
	DIFF_CAUSE_COUNT
};

/** A part of the excess. */
struct diff_part {
	double shards;
	double bytes;
};

struct diff_causes {
	unsigned undoable; /* bits of DIFF_UNDO() */
	unsigned tried;    /* those that were taken back, and what moves then */
	struct diff_totals totals[DIFF_UNDO_COUNT];
	struct diff_part parts[DIFF_CAUSE_COUNT];
};

/** Progress of one walk among several. */
struct diff_meter {
	const strew_progress *progress; /* the caller's; NULL: none */
	strew_progress hook;
	uint64_t before; /* done by the walks before */
	uint64_t total;
};

/** What becomes of NEW's upmaps. */
struct diff_cleanup {
	size_t upmaps;
	size_t gone; /* wholly or in part */
	uint64_t shards;
	double bytes;
};

struct diff_tables {
	strew_table *summary, *changes, *devices, *domains, *pools, *causes, *cures,
		*upmaps;
	strew_table *totals, *moved_pools, *matrix, *why, *gone, *pgs; /* for people */
};

struct diff {
	strew_diff_options how;
	const strew_allocator *allocator;
	strew_error *error;
	bool out_of_memory; /* in a place that has no status to return */
	struct diff_side sides[2];
	struct diff_kept kept;
	bool one_shard; /* of each unit, whatever its size */
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
	struct diff_causes causes;
	struct diff_cleanup cleanup;
	struct diff_meter meter;
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

/** Set up what sides have besides placer and map, and the devices. To be closed on
 * failure, too. */
strew_status analyze_diff_open_sides(struct diff *diff);
void analyze_diff_close_sides(struct diff *diff);

/** How long sets may be. */
void analyze_diff_measure_rooms(struct diff *diff);
/** Have the next walk keep OLD's sets, unless there are very many. */
strew_status analyze_diff_keep(struct diff *diff);
void analyze_diff_kept_free(struct diff *diff);
/** Place all units in both maps and take them in order. */
strew_status analyze_diff_walk(struct diff *diff,
			       strew_status (*take)(struct diff *diff, uint64_t unit,
						    const strew_set *before,
						    const strew_set *after),
			       const strew_run *run);

/** Find each bucket's like in the other map: by name, or by id if it was renamed. */
void analyze_diff_match(struct diff *diff);

/** Set the group at hand: its least movement, and what its shards are. */
strew_status analyze_diff_enter(struct diff *diff, const struct analyze_group *group);
/** Compare a unit's sets and add what moves to the totals. @return a shard's bytes; below
 * 0: not known */
double analyze_diff_measure(struct diff *diff, uint64_t unit, const strew_set *before,
			    const strew_set *after);
bool analyze_diff_has_moves(const struct diff_moves *moves);
/** The number of the domain that a device is in; -1: none. */
int32_t analyze_diff_domain_on(const struct diff *diff, int32_t id, int side);
/** Count a unit of the group at hand in all tables. */
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
/** The caller's run, for one walk more: progress goes on where the walks before have
 * ended. */
strew_run analyze_diff_meter(struct diff *diff, const strew_run *run);
/** How many walks causes and cures may take in all. */
uint64_t analyze_diff_walks(const struct diff *diff);
/** Find which parts of the excess come from what. */
strew_status analyze_diff_causes(struct diff *diff, const strew_run *run);
/** Find what would make less move, and tell of it. */
strew_status analyze_diff_cures(struct diff *diff, const strew_run *run);
/** Fill the tables "causes" and "why". */
strew_status analyze_diff_tell_causes(struct diff *diff);
/** The least bytes of some totals of this diff. */
double analyze_diff_least_bytes(const struct diff *diff,
				const struct diff_totals *totals);

/** A row of the table "pools" for the group that ends. */
void analyze_diff_leave_pool(struct diff *diff);
/** "(4.76 %)" */
void analyze_diff_add_percent(strew_table *table, double part, double whole);

/** How long a device takes to get and give what moves; not a number: can't be told. */
double analyze_diff_backfill_seconds(const struct diff *diff,
				     const struct diff_device *device);
/** The device that takes longest; NULL: none. */
const struct diff_device *analyze_diff_slowest(const struct diff *diff);
void analyze_diff_note_time(const struct diff *diff);

/** Find what the monitor makes of NEW's upmaps. */
strew_status analyze_diff_clean_upmaps(struct diff *diff, const strew_run *run);
void analyze_diff_note_cleanup(const struct diff *diff);
/** "1 → 7, 2 → 9" */
void analyze_diff_describe_upmap(struct base_str *text,
				 const struct map_override *override);
bool analyze_diff_by_position(const struct diff *diff, const struct analyze_group *group);
/** How many shards one set gains over another, as the group counts. */
int analyze_diff_gains(const struct diff *diff, const struct analyze_group *group,
		       const strew_set *before, const strew_set *after);

/** What tells how full devices are. */
enum diff_fill { DIFF_FILL_UNKNOWN, DIFF_FILL_USED, DIFF_FILL_PLACED };

enum diff_fill analyze_diff_fill_basis(const struct diff *diff);
/** Cells of a device: how full it is on each side. */
void analyze_diff_add_device_fill(strew_table *table, const struct diff *diff,
				  const struct diff_device *device, enum diff_fill basis);
/** Cells of the summary: the fullest device, and what users can store, on each side. */
void analyze_diff_add_fill(strew_table *table, const struct diff *diff);
void analyze_diff_note_fill(const struct diff *diff);
/** Headline, totals and notes. */
void analyze_diff_tell(struct diff *diff);
/** What can be drawn of the tables. */
void analyze_diff_draw(struct diff *diff);
void analyze_diff_add_notes(const struct diff *diff);
/** What else can be asked for: the last note. */
void analyze_diff_note_more(const struct diff *diff);
/** The bucket that the first rule of a side takes first; NULL: a device. */
const strew_bucket *analyze_diff_first_taken(const struct diff *diff, int side);
/** What to call a side's map. */
const char *analyze_diff_side_name(const struct diff *diff, int side);

#endif
