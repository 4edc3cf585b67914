/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_FAIL_PRIV_H
#define ANALYZE_FAIL_PRIV_H

#include <stdatomic.h>

#include "analyze.h"
#include "base_str.h"
#include "base_vec.h"
#include "place.h"

/** What is needed of the units of one of the plan's groups. */
struct fail_group {
	const struct map_rule *rule;
	int want;
	int needed;       /* shards that data can be read from; 0: not known */
	int min_size;     /* shards that are left where it still serves; 0: not known */
	bool by_position; /* each position holds another shard */
};

/** What the devices' loads are, and what they are measured by. */
enum fail_basis {
	FAIL_USE,     /* bytes in use, of bytes that there are */
	FAIL_PLACED,  /* the pools' bytes, of bytes that there are */
	FAIL_WEIGHTS, /* the pools' bytes, of as many TiB as the weight says */
	FAIL_SHARDS   /* what is placed, beside the weight: nothing in bytes */
};

struct fail_device {
	bool listed;        /* can the rules put shards on it? */
	uint64_t last_unit; /* that is told to have to do with it, + 1 */
	uint64_t shards;
	double bytes; /* that are placed on it */
	double load;
	double size; /* 0: it has no part in how full devices get */
};

/** Why a unit finds no device for a shard that it lost. */
enum fail_cause {
	FAIL_HEALS,
	FAIL_NO_DOMAIN, /* too few are left */
	FAIL_STUCK,     /* an earlier step keeps choosing what failed */
	FAIL_TRIES,     /* there are enough; they aren't found in time */
	FAIL_DOWN       /* what the rule chooses is down for another reason */
};

struct fail_reason {
	enum fail_cause cause;
	uint32_t group; /* of the plan's */
	/* FAIL_NO_DOMAIN: what the first choose step needs below the root, and what that
	 * needs below itself; an inner type below 0: nothing. */
	uint32_t root;
	int32_t type, inner_type;
	int wanted, left, inner;
};

/** Some items down at once. */
struct fail_case {
	size_t first; /* in the items of all cases */
	size_t items;
	size_t devices;
	uint64_t shards_lost, degraded, below_min_size, lost, unhealable;
	uint64_t moved_shards;
	double moved_bytes;
	int least_left;     /* shards of any unit that lost one; -1: none did */
	int32_t fullest;    /* the index of the fullest device then; -1: none */
	double fullest_use; /* its load by its size */
	struct fail_reason reason;
	/* Of a unit that lost shards it isn't known what it needs. */
	bool lost_unknown, below_unknown;
};

/** The distinct sets of devices that units lie on. */
struct fail_sets {
	int32_t *devices; /* room entries a set, in order; -1 after the last */
	uint16_t *counts;
	uint16_t *fatal; /* so many failed devices lose data; 0: never */
	size_t count;
	size_t *first; /* by device: where its sets are in `of` */
	uint32_t *of;
	size_t of_count;
};

/** How many other devices share a set with a device. */
struct fail_scatter {
	uint32_t least, most;
	double mean;
};

struct fail {
	strew_fail_options how;
	struct analyze_ratios ratios;
	strew_run run;
	const strew_allocator *allocator;
	strew_error *error;
	const strew_placer *placer;
	const strew_map *map;
	struct analyze_tree tree;
	struct analyze_plan plan;
	struct fail_group *groups; /* as the plan's */
	size_t room;               /* devices in a set */
	int32_t type;              /* of --each and --pairs, and its name */
	int32_t level;             /* of the table "recovery" */
	const char *level_name;
	/* What is now: each unit's devices by index in the map, -1 for holes … */
	int32_t *sets;
	struct fail_device *devices;
	struct base_vec touches; /* struct fail_touch, until the next two are made */
	size_t *first;           /* by device: where its units are in `units` */
	uint32_t *units;
	bool has_bytes, lacks_bytes;
	uint64_t shards, unplaced;
	enum fail_basis basis;
	double shard_load; /* of a shard whose bytes aren't known */
	double fill;       /* of all devices together, 0 … 1, or any scale */
	bool absolute;     /* is that a part of what fits? */
	int32_t *by_use;   /* devices with a size, the fullest first */
	size_t by_use_count;
	/* … and what would be. */
	int32_t *items; /* ids */
	size_t item_count, item_room;
	struct fail_case *cases;
	size_t case_count;
	uint32_t *order;       /* of the cases, the worst first */
	_Atomic uint8_t *hurt; /* by unit: FAIL_HURT_… by any case */
	strew_result *result;
	struct fail_worker *shown; /* with the case that the text tells more of */
	struct fail_sets distinct;
	bool out_of_memory; /* in a place that has no status to return */
};

#define FAIL_HURT_LOST  1u
#define FAIL_HURT_BELOW 2u

/** A device that has to do with where a unit lies. */
struct fail_touch {
	uint32_t device, unit;
};

/** What works on one case at a time. */
struct fail_worker {
	struct fail *fail;
	struct base_arena arena;
	strew_placer *placer; /* private */
	strew_scratch *scratch;
	struct fail_case *now;
	bool out_of_memory; /* told at the end */
	bool *failed;       /* by device */
	uint32_t *failed_list;
	size_t failed_count;
	bool *seen; /* by bucket */
	uint32_t *queue;
	uint32_t stamp;
	uint32_t *stamps; /* by unit: of the last case that it was on the list of */
	uint64_t *list;   /* units to place again */
	size_t listed;
	uint64_t *short_list; /* the first units that don't heal */
	size_t short_count;
	int32_t *words; /* devices of a chunk */
	/* By device: what it gains and loses. */
	double *change;
	double *bytes_in;
	uint32_t *shards_in;
	bool *is_changed;
	uint32_t *changed;
	size_t changed_count;
	/* To tell why units don't heal. */
	bool *device_fits;
	bool *bucket_fits;
	int *below;
};

/** The most units that are looked at to tell why a case doesn't heal. */
#define FAIL_SHORT_MAX 64

/* Where all is now (analyze_fail_now.c). */

/** Place all units, and find the devices' units. */
strew_status analyze_fail_place(struct fail *fail);
/** How full devices are. */
strew_status analyze_fail_measure(struct fail *fail);
/** What a shard of a unit adds to a device's load. */
double analyze_fail_shard_load(const struct fail *fail, double bytes);

/* Cases (analyze_fail_list.c, analyze_fail_case.c). */

strew_status analyze_fail_list(struct fail *fail);

strew_status analyze_fail_open_worker(struct fail_worker *worker, struct fail *fail);
void analyze_fail_close_worker(struct fail_worker *worker);
/** Let the case's items fail, and tell what comes of it. The worker keeps what it counted
 * until … @return false: it was canceled */
bool analyze_fail_run_case(struct fail_worker *worker, size_t index,
			   const atomic_bool *canceled);
/** … this. */
void analyze_fail_end_case(struct fail_worker *worker);

/** Why the units on the short list don't heal (analyze_fail_heal.c). */
void analyze_fail_explain(struct fail_worker *worker);
/** "no host left: 3 wanted, 2 left" */
void analyze_fail_add_reason(struct base_str *text, const struct fail *fail,
			     const struct fail_reason *reason);

/* Devices that fail at random (analyze_fail_sets.c, analyze_fail_odds.c). */

#define FAIL_ODDS_MAX 32 /* devices */

strew_status analyze_fail_find_sets(struct fail *fail);
void analyze_fail_free_sets(struct fail *fail);
strew_status analyze_fail_scatter(struct fail_scatter *out, const struct fail *fail);
/** The table "odds", and a note. */
strew_status analyze_fail_odds(struct fail *fail);

/* Words and tables (analyze_fail_text.c, analyze_fail_table.c, analyze_fail_recovery.c).
 */

#define FAIL_LINES_MAX 20 /* for people, unless all are asked for */

/** Put the cases in order, the worst first. */
void analyze_fail_sort(struct fail *fail);
/** All tables and sentences. */
strew_status analyze_fail_tell(struct fail *fail);
/** The tables "failures", "recovery" and "summary", in two parts. */
strew_status analyze_fail_tables(struct fail *fail);
strew_status analyze_fail_summary(struct fail *fail);
/** The table "recovery". */
strew_status analyze_fail_recovery(struct fail *fail);
/** Whole bytes in a cell; null when not known, or more than it can hold. */
void analyze_fail_bytes_cell(strew_table *table, double bytes, bool known);
/** What can be drawn of the tables. */
void analyze_fail_draw(struct fail *fail);

/** What all cases come to. */
struct fail_totals {
	size_t lose, stop, stick, overfill; /* cases with units that are lost, … */
	/* The case with the most of it; NULL: none has any. */
	const struct fail_case *most_lost, *most_stopped, *most_stuck, *fullest;
	bool lost_unknown, below_unknown;
	const struct fail_case *least_safe; /* of those that heal */
	double safe_fill; /* of all devices, up to which all of them do; NAN: none does */
};

struct fail_totals analyze_fail_total(const struct fail *fail);
/** "r4", "h1 + h2" */
void analyze_fail_add_name(struct base_str *text, const struct fail *fail,
			   const struct fail_case *found);
/** The same in a cell. */
void analyze_fail_name_cell(strew_table *table, struct fail *fail,
			    const struct fail_case *found);
/** How full all devices may be for a case to heal, as fail->fill is; NAN: it doesn't. */
double analyze_fail_safe_fill(const struct fail *fail, const struct fail_case *found);
/** In percent; NAN when it can't be told. */
double analyze_fail_percent(const struct fail *fail, double use);
/** The highest ratio that a device is over: "backfillfull"; NULL: none. */
const char *analyze_fail_passed(const struct fail *fail, double use, double *percent);

#endif
