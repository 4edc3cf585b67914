/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_CHECK_RULES_PRIV_H
#define ANALYZE_CHECK_RULES_PRIV_H

#include "analyze_check_priv.h"
#include "rule.h"

/*
 * Rules are judged by their uses: a rule with a size, a weight set and a redundancy, as
 * pools have it, or one that no pool has. What can't happen follows from the tree
 * (analyze_check_shape.c); how often the rest does is counted over inputs
 * (analyze_check_count.c) and, where the law is simple, computed (analyze_check_odds.c).
 */

/** Inputs that are placed for a use at most, and for all uses, in shards. */
#define CHECK_INPUTS 200000
#define CHECK_SHARDS 10000000

/** Draws that counting, and trying a cure, may take for a use when all goes well. */
#define CHECK_DRAWS 200000000.0

/** With more tries for a place an input may take so long that none are counted. */
#define CHECK_TRIES_MAX 1000000

/** Bad inputs that are kept, to be tried again. */
#define CHECK_BAD_MAX 4096

/** Each device has a number on each level. Clusters have about ten. */
#define CHECK_LEVELS_MAX 64

/** A level of the tree: devices, or the buckets of a type. */
struct check_level {
	int32_t type;        /* 0: devices */
	size_t buckets;      /* that the map has, shadows apart */
	const uint32_t *own; /* by device: the bucket that it is in, by index; of devices
			      * themselves their number; ANALYZE_NOWHERE: none */
};

/** How a use lies on a level. */
struct check_lie {
	uint32_t bound;    /* no bucket can get more shards of an input */
	uint32_t most;     /* that one got */
	uint32_t buckets;  /* that got any */
	uint32_t worst;    /* the bucket whose loss takes too much most often */
	uint64_t worst_at; /* … and for so many inputs */
	uint64_t over;     /* inputs for which some bucket has more than the rule says */
	uint64_t lost;     /* … more than can be lost */
	uint64_t losses;   /* the same, counted for each such bucket */
	uint64_t stopped;  /* … more than min_size allows */
};

/** What a use's steps can fill, from the tree. */
struct check_room {
	uint32_t asked; /* places that its steps ask for, at most its size */
	uint32_t most;  /* that can be filled at best … */
	uint32_t least; /* … and whatever is chosen */
	/* Of the first step that lacks something, if any does. */
	int32_t type;
	uint32_t wanted, found;
	uint32_t below; /* the bucket that has too few, by index */
};

struct check_use {
	const struct map_rule *rule;
	int want;
	const struct map_weight_set *set;
	const strew_pool *pool; /* the first that has it; NULL: none */
	size_t pools;
	int k;           /* shards that hold the data, or 1; … */
	bool guess_k;    /* … of which only the usual is known */
	bool guess_want; /* neither a pool nor the steps nor the caller tell it */
	int min_size;    /* 0: not known */
	uint32_t tries;
	double effort; /* tries of a place, with all that is tried inside of them */
	struct check_room room;
	uint32_t promise;       /* shards that the steps put on one failure domain */
	size_t domain;          /* its level */
	struct check_lie *lies; /* by level */

	/* Counted. */
	uint64_t first;  /* unit of the walk */
	uint64_t inputs; /* 0: none are counted */
	uint64_t bad;
	uint64_t twice;             /* with a device twice */
	struct base_vec bad_inputs; /* uint32_t, the first ones */
	double odds; /* computed, that an input is bad; below 0: not known */
};

struct check_uses {
	struct check *check;
	struct check_use *uses;
	size_t count;
	struct check_level
		levels[CHECK_LEVELS_MAX]; /* devices, then types, low to high */
	size_t level_count;
	uint32_t *own;   /* all levels' */
	int most;        /* the largest want that is counted */
	int usual_width; /* of erasure codes in this map, as far as it tells */
	size_t items;    /* of the largest bucket */
};

/** The uses, made at the first call. NULL: no memory, or the run was cancelled, as
 * check->status says. */
struct check_uses *analyze_check_uses(struct check *check);

/** Fill in room, promise and bounds. */
strew_status analyze_check_shape(struct check_uses *uses, struct check_use *use);
/** Place inputs of all uses, and count. */
strew_status analyze_check_count(struct check_uses *uses);
/** The chance that an input is bad when each place has so many tries; below 0 where that
 * isn't simple. */
double analyze_check_odds(struct check_uses *uses, const struct check_use *use,
			  uint32_t tries);

/** What comes of bad inputs with more tries. */
#define CHECK_CURES 6

struct check_cure {
	size_t tried; /* bad inputs that were tried again */
	size_t count; /* of numbers of tries, from few to many */
	uint32_t tries[CHECK_CURES];
	size_t left[CHECK_CURES]; /* inputs that are bad still */
	bool cured;               /* by the last */
};

strew_status analyze_check_cure(struct check_uses *uses, const struct check_use *use,
				struct check_cure *cure);
/** How many PGs there are in the pools of a use, and how many of them are short. */
strew_status analyze_check_pgs(struct check_uses *uses, const struct check_use *use,
			       uint64_t *pgs, uint64_t *short_pgs);

/** Shards that may be lost. */
uint32_t analyze_check_spare(const struct check_use *use);
/** A finding about a use begins with "with 3 copies (pool data)". */
void analyze_check_begin_use(struct check *check, const struct check_use *use);
/** "3.42 % of PGs (±0.1, counted over 200000 inputs)" */
void analyze_check_say_rate(struct check *check, uint64_t hits,
			    const struct check_use *use);
/** A type, and a level's type. */
const char *analyze_check_named(const struct check *check, int32_t type);
const char *analyze_check_level(const struct check_uses *uses, size_t level);
/** Tell of the uses that are so, of those with pools or of those without. */
void analyze_check_for_uses(struct check *check, bool with_pools,
			    bool (*is)(const struct check_use *),
			    void (*tell)(struct check_uses *, const struct check_use *));
/** "copies" or "shards", or one of them */
const char *analyze_check_shards(const struct check_use *use);

#endif
