/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_H
#define ANALYZE_H

#include <stdbool.h>

#include <strew/analyze.h>

#include "base_alloc.h"
#include "base_str.h"
#include "base_vec.h"
#include "map.h"
#include "result.h"

/** Fill `all`, which holds the defaults, with what the caller's version of the struct
 * has. Both start with their size; given may be NULL. */
void analyze_read_options(void *all, const void *given);

/* What to place, checked: units 0 … units - 1, in a few groups that are placed alike. */

enum analyze_kind { ANALYZE_PGS, ANALYZE_RAW, ANALYZE_OBJECTS };

struct analyze_group {
	const strew_pool *pools[2]; /* on either side; NULL: raw inputs */
	uint32_t seed;              /* of its first unit, where that is a PG */
	uint64_t first;             /* its first unit */
	uint64_t count;
};

struct analyze_plan {
	enum analyze_kind kind;
	strew_inputs inputs;
	struct analyze_group *groups;
	size_t group_count;
	size_t group_room;
	uint64_t units;
	const strew_allocator *allocator;
};

/** Check `inputs` (NULL: all PGs) against one map, or two: then pools that both have are
 * matched by id, and have as many PGs as the one with more. */
strew_status analyze_plan_new(struct analyze_plan *plan, const strew_map *const maps[2],
			      const strew_inputs *inputs,
			      const strew_allocator *allocator, strew_error *error);
void analyze_plan_free(struct analyze_plan *plan);
/** Is it all that a map's pools have? */
bool analyze_covers_pools(const struct analyze_plan *plan, const strew_map *map);
/** Is there such a rule, and is want in range? */
strew_status analyze_check_rule(const strew_map *map, int32_t rule, int want,
				strew_error *error);
const struct analyze_group *analyze_find_group(const struct analyze_plan *plan,
					       uint64_t unit);
/** The object that a unit is. */
const strew_named_object *analyze_object(const struct analyze_plan *plan, uint64_t unit);
/** The raw input that a unit is, and the value that is hashed for it. */
uint32_t analyze_raw_input(const struct analyze_plan *plan, uint64_t unit);
uint32_t analyze_hashed_input(const struct analyze_plan *plan, uint64_t unit);
/** The PG that a unit is or, for an object, lies in. */
strew_pg analyze_unit_pg(const struct analyze_plan *plan, uint64_t unit,
			 const strew_placer *placer);
/** How many shards a pool's bytes are spread over before redundancy; 0: not known. */
int analyze_data_shards(const strew_pool *pool);
/** What one shard of a unit of a group weighs, and how many objects the unit is. With two
 * maps the data is the first one's; only if that doesn't tell, the second one's. */
struct map_amount analyze_shard_amount(const struct analyze_plan *plan,
				       const struct analyze_group *group, uint64_t unit);

/** The most units that are placed together: few, so that progress is told of and a caller
 * can cancel. */
#define ANALYZE_CHUNK 256

/**
 * Placing all units: `place` fills the words of some, in parallel and in any order;
 * `take` gets them one after the other, in order, in one thread at a time, while others
 * are placed: it writes nothing that `place` reads. So the answer does not depend on
 * threads.
 */
struct analyze_walk {
	uint64_t units;
	size_t words; /* int32_t that a unit needs */
	const strew_placer
		*placers[2]; /* whose scratch `place` gets; the second may be NULL */
	/* `words` has those of all units, at most ANALYZE_CHUNK. */
	void (*place)(const void *ctx, uint64_t first, size_t count, int32_t *words,
		      strew_scratch *const scratch[2]);
	strew_status (*take)(void *ctx, uint64_t unit, const int32_t *words);
	void *ctx;
};

strew_status analyze_walk(const struct analyze_walk *walk, const strew_run *run,
			  strew_error *error);

/** Where some units of a plan lie, and how they are placed. */
struct analyze_units {
	const struct analyze_plan *plan;
	const strew_placer *placer;
	int32_t rule; /* of raw inputs, and how many devices they want */
	int want;
	uint64_t first;
	size_t count;
	const uint64_t *list; /* the units, in place of those from `first` on; or NULL */
};

/** Place them. `stages` tells where the devices go, of raw inputs to the up stage, which
 * has room for all. A unit that can't be placed has none. pgs: filled in, but for raw
 * inputs. */
void analyze_place_units(strew_stages *stages, strew_pg *pgs,
			 const struct analyze_units *units, strew_scratch *scratch);

/** How many devices a set has, without holes. */
int analyze_count_devices(const strew_set *set);

/* The tree by index in place of id, for analyses that visit all of it. */

#define ANALYZE_NOWHERE UINT32_MAX

/** Where an item hangs. */
struct analyze_spot {
	uint32_t bucket; /* its index in the map, or ANALYZE_NOWHERE */
	uint32_t slot;
	uint32_t places; /* how many there are, all in all */
};

struct analyze_tree {
	const strew_map *map;
	size_t *first; /* where a bucket's items begin in `items`; one more for the end */
	int32_t *items;  /* a device's index in the map, or -1 - a bucket's */
	uint32_t *order; /* buckets, each before those it holds */
	/* A place of each device and bucket outside the class shadows. */
	struct analyze_spot *device_spots;
	struct analyze_spot *bucket_spots;
};

strew_status analyze_tree_new(struct analyze_tree *tree, const strew_map *map,
			      const strew_allocator *allocator, strew_error *error);
void analyze_tree_free(struct analyze_tree *tree, const strew_allocator *allocator);
/** The names of what holds a device, the highest first: "default/r1/h2"; "" where it
 * hangs nowhere. Of a chain longer than any cluster's only the lowest names. */
void analyze_add_location(struct base_str *text, const struct analyze_tree *tree,
			  size_t device);
/** What a device weighs in its spot, in whole units; 0 when it hangs nowhere. */
double analyze_device_weight(const struct analyze_tree *tree, size_t device);

/* What Ceph's monitor makes of upmaps whenever the map changes: doc/analyses/check.md. */

enum analyze_upmap_fate {
	ANALYZE_UPMAP_STAYS,
	ANALYZE_UPMAP_SHRINKS, /* some of its pairs go */
	ANALYZE_UPMAP_GOES     /* upmap and items of the PG */
};

enum analyze_upmap_reason {
	ANALYZE_UPMAP_IS_FINE,
	ANALYZE_UPMAP_SAME_DOMAIN, /* device and other are in one `bucket` */
	ANALYZE_UPMAP_MANY_DOMAINS,
	ANALYZE_UPMAP_OUTSIDE,    /* device isn't below `bucket` */
	ANALYZE_UPMAP_WEIGHTLESS, /* device weighs nothing, or is out */
	ANALYZE_UPMAP_SIZE,
	ANALYZE_UPMAP_EQUAL,     /* to what it is without */
	ANALYZE_UPMAP_NO_SOURCE, /* device, which is to be replaced, isn't there */
	ANALYZE_UPMAP_OUT        /* … or other, which is to take its place, is out */
};

struct analyze_upmap {
	enum analyze_upmap_fate fate;
	enum analyze_upmap_reason reason;
	int32_t device, other; /* STREW_NONE: a hole */
	int32_t bucket;        /* an id, or that of a type for many domains */
	size_t kept;           /* items that stay, the first of them in kept_items */
	size_t first_kept;
};

struct analyze_upmaps {
	struct analyze_upmap *upmaps; /* by index of the map's overrides */
	size_t count;
	struct base_vec kept_items; /* int32_t: from, to, … */
	const strew_allocator *allocator;
};

/** Judge the upmaps of the placer's map. `tree` is that map's. */
strew_status analyze_upmaps_new(struct analyze_upmaps *out, const strew_placer *placer,
				const struct analyze_tree *tree, const strew_run *run,
				const strew_allocator *allocator, strew_error *error);
void analyze_upmaps_free(struct analyze_upmaps *upmaps);
/** The reason in words: "osd.3 is not below r0, where the rule looks". */
void analyze_upmap_add_reason(struct base_str *text, const strew_map *map,
			      const struct analyze_upmap *upmap);

/* Levels of the tree, by the name of a type. */

#define ANALYZE_DEVICE_TYPE "device" /* names type 0, whatever a map calls it */

/** The last type of buckets that a rule chooses before its first emit, else that of
 * devices. */
const char *analyze_failure_domain(const strew_map *map, int32_t rule);
/** The same as a number; 0: devices. */
int32_t analyze_failure_type(const struct map_rule *rule);
/** STREW_ENOTFOUND when there is none. */
int32_t analyze_find_type(const strew_map *map, const char *name);
/** The lowest bucket of a type that a device hangs below, by its index; ANALYZE_NOWHERE:
 * there is none. */
uint32_t analyze_bucket_above(const struct analyze_tree *tree, size_t device,
			      int32_t type);
/** Fails, and says which types there are. */
strew_status analyze_refuse_type(const strew_map *map, const char *name,
				 const strew_allocator *allocator, strew_error *error);

/** The weights, in whole units, of the devices that a rule's takes lead to, in the order
 * of the map's; -1 for all others. A device in several places has the sum. */
strew_status analyze_reach(double *weights, const struct analyze_tree *tree,
			   const struct map_rule *rule, const strew_allocator *allocator,
			   strew_error *error);

/* A rule is blocks, each from a take to its emit, of steps that choose: all but the last
 * choose buckets, the last one devices, each in another bucket of its type. */

struct analyze_block {
	const struct map_step *take;
	const struct map_step *steps;
	size_t count;
	bool is_msr;
};

/** The block that ends at the next emit from `*at` on. @return false when none does */
bool analyze_next_block(struct analyze_block *block, const struct map_rule *rule,
			size_t *at);
/** Its next step that chooses, from `*at` on; NULL behind the last. */
const struct map_step *analyze_next_choice(const struct analyze_block *block, size_t *at);
/** Does the step choose devices, directly or below what it chooses? */
bool analyze_finds_devices(const struct map_step *step);

/** How full devices may be, as a part of their size. */
struct analyze_ratios {
	double full, backfillfull, nearfull;
};

/** What isn't given, 0, is as the map has it. @return also STREW_ERANGE */
strew_status analyze_choose_ratios(struct analyze_ratios *ratios, const strew_map *map,
				   strew_error *error);

/** Draw percentages of fill, with lines at these. */
void analyze_draw_fill(strew_result *result, const char *table,
		       const struct result_picture *picture,
		       const struct analyze_ratios *ratios);

/* Words. */

/** The name of a device or bucket by id; "?" when there is none. */
const char *analyze_item_name(const strew_map *map, int32_t id);
const char *analyze_kind_name(strew_kind kind);
/** "chooseleaf firstn 0 type host" */
void analyze_add_step(struct base_str *text, const strew_map *map,
		      const struct map_step *step);
/** "osd.14 (ams1/r2/h6)": with the buckets above it, but for the root; or "NONE". */
void analyze_add_device(struct base_str *text, const struct analyze_tree *tree,
			int32_t id);
/** "take default, chooseleaf firstn 0 type host, emit" */
void analyze_add_steps(struct base_str *text, const strew_map *map,
		       const struct map_rule *rule);
/** "3 hosts": the noun in the plural where it is due. */
void analyze_add_count(struct base_str *text, size_t count, const char *noun);
/** A type's place in the map's list of types. */
size_t analyze_type_place(const strew_map *map, int32_t type);
/** "1 rack, 8 hosts, 96 devices", the highest first, and `before` in front. by_type: how
 * many, by a type's place. @return were there any? */
bool analyze_add_types(struct base_str *text, const strew_map *map, const size_t *by_type,
		       const char *before);

/** How many shards of an input a rule puts on each device, by weight shares. */
struct analyze_share {
	const struct analyze_tree *tree;
	const struct map_rule *rule;
	int want;
	const struct map_weight_set *set; /* NULL: the weights of the tree */
	bool is_whole; /* as if all devices were in and up, without reweights */
};

/** The part of inputs for which a device is in, 0 … 1, as a share sees it; … */
double analyze_reweight(const struct analyze_share *share, size_t device);
/** … and whether it holds what comes to it. */
bool analyze_serves(const struct analyze_share *share, size_t device);

/** shares: one entry for each device of the map. What gets more than its weight because
 * shards are kept apart isn't seen. */
strew_status analyze_share(double *shares, const struct analyze_share *share,
			   const strew_allocator *allocator, strew_error *error);

/** The same exactly, from the law of drawing without replacement. Where that isn't known
 * the shares are those by weight, and reason tells why: "it is an MSR rule". */
strew_status analyze_expect(double *shares, const char **reason,
			    const struct analyze_share *share,
			    const strew_allocator *allocator, strew_error *error);

/** How shares were counted where they can't be told exactly. */
struct analyze_counted {
	uint32_t inputs;
	double error; /* the standard error of an average share, as a part of it */
};

/** Shares counted by placing many inputs with a placer of the share's map. */
strew_status analyze_count_shares(double *shares, struct analyze_counted *counted,
				  const struct analyze_share *share,
				  const strew_placer *placer, const strew_run *run,
				  strew_error *error);

/** How shares are known, the best way first. */
enum analyze_basis { ANALYZE_EXACT, ANALYZE_COUNTED, ANALYZE_BY_WEIGHTS };

/** Rules whose shares aren't exact, and why. */
#define ANALYZE_INEXACT_MAX 8

struct analyze_inexact {
	struct {
		const struct map_rule *rule;
		const char *reason;
		struct analyze_counted counted; /* no inputs: shares are by weights */
	} items[ANALYZE_INEXACT_MAX];           /* the first ones */
	size_t count;
	enum analyze_basis basis; /* the worst one that there is */
	uint64_t asked, drawn;    /* shares that were asked for, and their items */
};

/** As analyze_expect(), but a map can have thousands of rules, pools and weight sets:
 * those behind the first ones get shares by weight. */
strew_status analyze_inexact_try(double *shares, const char **reason,
				 struct analyze_inexact *inexact,
				 const struct analyze_share *share,
				 const strew_allocator *allocator, strew_error *error);
/** reason: as of analyze_expect(); NULL adds nothing. */
void analyze_inexact_add(struct analyze_inexact *inexact, const struct map_rule *rule,
			 const char *reason);
/** Shares exactly, or counted for the first rules for which they can't be told; and noted
 * as such. basis: which they are, unless it was a worse one. */
strew_status analyze_inexact_expect(double *shares, enum analyze_basis *basis,
				    struct analyze_inexact *inexact,
				    const struct analyze_share *share,
				    const strew_placer *placer, const strew_run *run,
				    strew_error *error);
/** "expected", "counted" or "weights", which is the worst one that there is. */
const char *analyze_inexact_basis(const struct analyze_inexact *inexact);
/** A note for each rule. */
void analyze_inexact_note(strew_result *result, const struct analyze_inexact *inexact);

/** So much is to be placed in one way. */
struct analyze_demand {
	struct analyze_share share;
	double units;
	double part; /* of all shards */
	double load; /* of all units together, what one place of each holds */
};

/** The shares as near to the devices' weights as failure domains allow, whatever is
 * drawn: a domain that a step chooses has each place below it at most once. Neither
 * weight sets nor the devices' states count. */
strew_status analyze_bound_shares(double *shares, const struct analyze_share *share,
				  const strew_allocator *allocator, strew_error *error);

/** By what factor a demand's load can grow, together with all that share devices with it,
 * before no arrangement fits that its rule allows. */
struct analyze_limit {
	double growth; /* HUGE_VAL: nothing is placed */
	bool is_exact; /* false: at most so far */
};

/** out: one for each demand, of which there is one at least. sizes: by device. */
strew_status analyze_bound_limits(struct analyze_limit *out,
				  const struct analyze_demand *demands, size_t count,
				  const double *sizes, const strew_allocator *allocator,
				  strew_error *error);

/** Make one of all that have a rule, a want and a set in common, in order of these, for
 * shares take a walk through the tree each, and clusters may have thousands of pools.
 * @return how many are left */
size_t analyze_merge_demands(struct analyze_demand *demands, size_t count);
/** Which of merged demands has a share's rule, want and set; it must be there. */
size_t analyze_find_demand(const struct analyze_demand *demands, size_t count,
			   const struct analyze_share *share);

#endif
