/* SPDX-License-Identifier: MIT */
#ifndef MAP_H
#define MAP_H

#include <stdbool.h>

#include <strew/builder.h>
#include <strew/map.h>

#include "base_alloc.h"
#include "base_ref.h"

/**
 * The model: plain structs in a few arrays, sorted by id, in one arena. It never changes
 * after the build, and holds these invariants, each with a function in map_check.c and
 * a test:
 *
 *   1. ids of types, classes, devices, buckets, rules, pools and weight sets are unique
 *   2. names of types, classes, devices and buckets, rules, pools are unique and not ""
 *      (devices and buckets share one space; a rule may have the name "")
 *   3. ids are in range: devices 0 … STREW_DEVICE_ID_MAX, types 0 … 65535,
 *      buckets -1 … STREW_BUCKET_ID_MIN, rules 0 … 65535, pools 0 and up,
 *      weight sets -1 and up
 *   4. a bucket's type is known and above 0
 *   5. every item exists: a device in the list of devices or a bucket
 *   6. no bucket contains itself, at any depth
 *   7. an item hangs in one bucket, once, unless linked (shadow buckets count apart)
 *   8. a device's weight is below 32768.0; a bucket's items sum to less than 2^32
 *   9. a rule's steps are known, or raw and do nothing, and at most MAP_STEPS_MAX; what
 *      they take and the types that they choose exist; MSR rules have the shape that
 *      upstream can run
 *  10. a pool has a rule, pg_num ≥ 1, pgp_num 1 … pg_num, size 1 … 255, min_size 1 … size
 *  11. a weight set's rows and ids have as many entries as the bucket has items
 *  12. reweights and affinities are 0 … 1
 *  13. overrides are of existing pools and of PGs below pg_num
 *  14. stored straw lengths, sums and node weights fit their bucket
 *  15. strays are of what isn't there, one of a kind for each
 */

#define MAP_STEPS_MAX 1000

struct map_type {
	int32_t id;
	const char *name;
	bool unnamed; /* in the file; the name stands in, as for devices and buckets */
};

struct map_class {
	int32_t id;
	const char *name;
};

struct strew_device {
	int32_t id;
	const char *name;
	const char *class_name; /* NULL: none; else the class's own string */
	uint32_t reweight;
	uint32_t primary_affinity;
	bool exists;
	bool up;
	bool unnamed;
	uint64_t size_bytes; /* 0: not known */
	uint64_t used_bytes;
};

struct map_item {
	int32_t id;
	uint32_t weight;
};

struct strew_bucket {
	int32_t id;
	int32_t type;
	const char *name;
	const char *alg;
	uint8_t hash;
	uint8_t straw_calc_version; /* of a "straw" one; else 0 */
	bool auto_id;               /* the build chose the id */
	bool unnamed;
	uint32_t weight;        /* its own, stored one */
	int32_t shadow_of;      /* 0: an ordinary bucket */
	const char *class_name; /* of a shadow */
	struct map_item *items;
	size_t item_count;
	/* A selector's table as the file stored it, or NULL to have it made: straw
	 * lengths, running sums of a list, node weights of a tree; of an empty uniform
	 * bucket the weight that its items would have. */
	const uint32_t *table;
	size_t table_words;
};

struct map_step {
	strew_op op;  /* or any other number, of a step that does nothing */
	int32_t arg1; /* take: the item's id */
	int32_t arg2; /* choose: the type's id */
};

struct map_rule {
	int32_t id;
	const char *name;
	strew_kind kind;
	bool has_mask;
	uint8_t ruleset, min_size, max_size;
	struct map_step *steps;
	size_t step_count;
};

struct map_tunables {
	uint32_t choose_local_tries;
	uint32_t choose_local_fallback_tries;
	uint32_t choose_total_tries;
	uint32_t chooseleaf_descend_once;
	uint32_t chooseleaf_vary_r;
	uint32_t chooseleaf_stable;
	uint32_t straw_calc_version;
	uint32_t allowed_bucket_algs;
	uint32_t msr_descents;
	uint32_t msr_collision_tries;
};

/** A bucket's part of a weight set. */
struct map_weights {
	int32_t bucket;
	size_t positions;
	const uint32_t *rows; /* positions × the bucket's items */
	const int32_t *ids;   /* NULL: the items' own */
};

struct map_weight_set {
	int64_t id;
	const char *name;
	struct map_weights *buckets; /* in order of bucket id, from -1 downward */
	size_t bucket_count;
};

/** What one PG holds. */
struct map_use {
	uint32_t seed;
	uint64_t bytes;
	uint64_t objects;
};

struct strew_pool {
	int64_t id;
	const char *name;
	const char *profile; /* its erasure code profile; "": none is named */
	strew_kind kind;
	int size;
	int min_size;
	int k; /* erasure: data shards, 0 when not known; replicated: 1 */
	uint32_t pg_num;
	uint32_t pgp_num;
	int32_t rule;
	bool hashpspool;
	int object_hash;
	bool has_bytes;
	uint64_t bytes;
	uint64_t objects;
	const struct map_use *uses; /* of the PGs that it is known of, by seed */
	size_t use_count;
	uint64_t use_bytes, use_objects; /* their sums */
	double use_part; /* of the pool's objects, that hashes put there in the mean */
};

struct map_parameter {
	const char *key;
	const char *value;
};

/** An erasure code profile. */
struct map_profile {
	const char *name;
	const struct map_parameter *parameters; /* by key */
	size_t count;
};

/** The overrides of one PG. NULL or STREW_NONE: not set. */
struct map_override {
	strew_pg pg;
	const int32_t *upmap;
	size_t upmap_count;
	const int32_t *upmap_items; /* from, to, from, to, … */
	size_t upmap_item_count;    /* pairs */
	int32_t upmap_primary;
	const int32_t *temp;
	size_t temp_count;
	int32_t primary_temp;
};

/** Whose remark it is, and what tells one from another in struct map_remark: its `id`,
 * and where two are told, its `other`. */
enum map_owner {
	MAP_OF_MAP,
	MAP_OF_TUNABLES,
	MAP_OF_TYPE,
	MAP_OF_BUCKET,
	MAP_OF_DEVICES, /* the first of a run */
	MAP_OF_LINK,    /* the bucket and the item's place in it, from 0; until the build
			 * it is the item last added, whatever these say */
	MAP_OF_CLASS_BUCKET,
	MAP_OF_RULE, /* STREW_AUTO_ID: the one last added */
	MAP_OF_WEIGHT_SET,
	MAP_OF_WEIGHTS, /* the set and the bucket */
	MAP_OF_POOL,
	MAP_OF_UPMAP, /* the pool and the seed */
	MAP_OF_TEMP,  /* the same */
	MAP_OF_CLASS,
	MAP_OF_STORED,
	MAP_OF_USE /* the pool and the seed */
};

/** What a person noted beside something, as a file's writer gives it back. */
struct map_remark {
	enum map_owner owner;
	int64_t id;
	int64_t other; /* 0 where one is enough */
	int32_t last;  /* the last of a run of devices */
	const char *name;
	const char *text; /* the file's business */
};

/** The last part of a stored map that is there: older ones end earlier. */
enum map_tail {
	MAP_TAIL_USUAL, /* as Ceph's own tools would write the map */
	MAP_TAIL_NAMES, /* no tail at all */
	MAP_TAIL_TRIES,
	MAP_TAIL_DESCEND_ONCE,
	MAP_TAIL_VARY_R,
	MAP_TAIL_STRAW_CALC,
	MAP_TAIL_ALGS,
	MAP_TAIL_STABLE,
	MAP_TAIL_CLASSES,
	MAP_TAIL_WEIGHT_SETS,
	MAP_TAIL_MSR
};

/** How a map was stored, where that differs from how Ceph's own tools would. */
struct map_layout {
	uint32_t bucket_slots; /* the arrays, with what is empty in them; 0: as usual */
	uint32_t rule_slots;
	enum map_tail tail;
	const uint8_t *rest; /* bytes after all parts that are known */
	size_t rest_count;
};

enum map_stray_kind {
	MAP_STRAY_TYPE, /* a name */
	MAP_STRAY_ITEM, /* a name */
	MAP_STRAY_RULE, /* a name */
	MAP_STRAY_CLASS,
	MAP_STRAY_SHADOW
};

/** What a file tells of a thing that the map doesn't have. An edit that adds the thing
 * takes it away. */
struct map_stray {
	enum map_stray_kind kind;
	int32_t id;       /* of the type, item or rule; for a shadow of its base */
	int32_t class_id; /* of a class or shadow; -1: the base has an empty list */
	int32_t shadow;   /* the id that is kept for it */
	const char *name; /* told to the builder for a class or shadow: the class, whose
			   * id need not be told then */
};

/** A fault or a warning. */
struct map_report {
	strew_error error;
	bool in_map; /* a warning of what the map has, for all to see in it */
};

/** How much of a device may be in use: until writing stops, until nothing is moved
 * to it, until the cluster warns. */
enum map_ratio { MAP_FULL, MAP_BACKFILLFULL, MAP_NEARFULL, MAP_RATIOS };

struct strew_map {
	struct base_ref refs;
	struct base_arena arena;
	const char *name;
	int64_t epoch;
	struct map_tunables tunables;
	uint32_t ratios[MAP_RATIOS]; /* 16.16; 0: not told */
	struct map_type *types;      /* by id */
	size_t type_count;
	struct map_class *classes; /* by id */
	size_t class_count;
	strew_device *devices; /* by id */
	size_t device_count;
	int32_t device_limit;  /* length of the cluster's device vector (max_osd) */
	strew_bucket *buckets; /* by id, from -1 downward */
	size_t bucket_count;
	struct map_rule *rules; /* by id */
	size_t rule_count;
	struct map_weight_set *weight_sets; /* by id */
	size_t weight_set_count;
	struct map_profile *profiles; /* by name */
	size_t profile_count;
	strew_pool *pools; /* by id */
	size_t pool_count;
	struct map_override *overrides; /* by pool and seed */
	size_t override_count;
	struct map_remark *remarks; /* by owner, id, other and name */
	size_t remark_count;
	struct map_layout layout;
	struct map_stray *strays; /* by kind, id and class */
	size_t stray_count;
	struct map_report *warnings;
	size_t warning_count;
	/* Look-ups by name: indexes sorted by name. Devices that are called by their id,
	 * as nearly all are, need none. */
	uint32_t *devices_by_name;
	size_t named_device_count;
	uint32_t *buckets_by_name;
};

/** What other parts of a map refer to. */
enum map_part { MAP_TYPES, MAP_DEVICES, MAP_BUCKETS, MAP_RULES, MAP_POOLS };
#define MAP_PARTS 5

/** O(log n); NULL when there is none. */
const struct map_rule *map_rule_by_id(const strew_map *map, int32_t id);
const struct map_weight_set *map_weight_set_by_id(const strew_map *map, int64_t id);
/** Where in a set a bucket's part is, or would be. */
size_t map_weights_place(const struct map_weight_set *set, int32_t bucket);
/** A bucket's part of a set; NULL when it has none, as when there is no set. */
struct map_weights *map_weights_of(const struct map_weight_set *set, int32_t bucket);
/** What an item of a bucket, by its place there, weighs at a position: a row beyond the
 * last is the last one again, and a bucket without rows has its own weights. */
uint32_t map_weight_in(const struct map_weight_set *set, const strew_bucket *bucket,
		       size_t item, size_t position);
/** The positions of a set's longest part, at least 1. */
size_t map_positions(const struct map_weight_set *set);
/** A type's index in map->types, or -1. */
int64_t map_type_index(const strew_map *map, int32_t id);
/** A device's index in map->devices, or -1. */
int64_t map_device_index(const strew_map *map, int32_t id);
/** What the items of a bucket weigh together. */
uint64_t map_item_sum(const strew_bucket *bucket);
/** A bucket's index in map->buckets, or -1. */
int64_t map_bucket_index(const strew_map *map, int32_t id);
/** The id of the device that has this name unless it is given another, or -1. */
int64_t map_default_id(const char *name);
/** A ratio as the map tells it, to four decimals, else as Ceph has it by default. */
double map_ratio(const strew_map *map, enum map_ratio ratio);
/** Where in map->overrides a PG's are, or would be. O(log n) */
size_t map_override_place(const strew_map *map, strew_pg pg);
/** Is there any upmap of its PG, of whichever kind? */
bool map_has_upmap(const struct map_override *override);
/** What a pool has that doesn't say it. */
int map_default_min_size(const strew_pool *pool);
/** Ceph's stable_mod: x modulo n, so that growing n moves few; n is at least 1. */
uint32_t map_stable_mod(uint32_t x, uint32_t n);

/** Bytes that users stored, and objects; below 0: not known. */
struct map_amount {
	double bytes;
	double objects;
};

/** The part of a pool's objects that hashes put into one of n PGs: where n is no power of
 * two, some PGs get twice what others get. */
double map_pg_part(uint32_t seed, uint32_t n);
/** Does any device tell how much of it is in use? */
bool map_tells_use(const strew_map *map);
/** What one PG of a pool holds: what was told of it, or its part of what isn't told of
 * single PGs. Of a pool that is to have more PGs, `pg_num`, a PG gets its part of the one
 * that it is split from. @return false when nothing is known */
bool map_pg_use(struct map_amount *out, const strew_pool *pool, uint32_t seed,
		uint32_t pg_num);

/** Give a bucket of the builder the table that a file stores for its selector. The map
 * keeps it instead of having one made. */
void map_set_table(strew_builder *builder, int32_t bucket, const uint32_t *words,
		   size_t count);
/** Hang an item that isn't known yet: it will be where it stands among the others, and
 * what isn't told by the build is dropped. @return its number for the next two */
size_t map_hang_later(strew_builder *builder, int32_t bucket, uint32_t weight,
		      unsigned flags);
void map_hang(strew_builder *builder, size_t number, int32_t item);
/** It can't be told: a fault, at the place that it was hung at. */
void map_refuse_hanging(strew_builder *builder, size_t number, strew_status status,
			const char *format, ...) STREW_PRINTF(4, 5);
/** The cluster's device vector has this length; nothing is said of the devices. */
void map_set_limit(strew_builder *builder, int32_t limit);
/** A device weighs so much wherever it hangs, as another file than the map's has it; sums
 * above follow where that is another weight than the map's. By name (its own, osd.N or
 * N), or by id when the name is NULL. */
void map_weigh_device(strew_builder *builder, int32_t id, const char *name,
		      uint32_t weight);
/** The class that another file than the map's has of a device. It is taken where the map
 * has none; where the map has another, that stands, and a warning says so. */
void map_classify_device(strew_builder *builder, int32_t device, const char *class_name);
/** Know a device class from here on, whether a device has it or not: classes are in order
 * of being known. @return the map's string for it, or NULL without memory */
const char *map_add_class(strew_builder *builder, const char *name);
/** The same with an id of its own, 0 and up. */
void map_add_class_id(strew_builder *builder, int32_t id, const char *name);
/** Up to STREW_WEIGHT_ONE; 0 tells nothing. */
void map_set_ratio(strew_builder *builder, enum map_ratio ratio, uint32_t share);
/** A step of the rule last added with both of its arguments, whatever its op is. */
void map_add_raw_step(strew_builder *builder, uint32_t op, int32_t arg1, int32_t arg2);
/** Set all tunables at once, as they are. */
void map_set_tunables(strew_builder *builder, const struct map_tunables *tunables);
/** Keep a remark. Of those of one owner and name the last one stands. */
void map_add_remark(strew_builder *builder, const struct map_remark *remark);
/** The order in which a map has its remarks, for qsort(). */
int map_compare_remarks(const void *left, const void *right);
/** The remarks of an owner. */
const struct map_remark *map_remarks(const strew_map *map, enum map_owner owner,
				     int64_t id, int64_t other, size_t *count);
/** How the file stores the map, but for what is as usual. */
void map_set_layout(strew_builder *builder, const struct map_layout *layout);
/** The same of a map in full: nothing is 0 or MAP_TAIL_USUAL but what there is none of.
 */
struct map_layout map_layout_of(const strew_map *map);
/** Of those of one kind, id and class the last one stands. */
void map_add_stray(strew_builder *builder, const struct map_stray *stray);
/** The type, device or bucket, whether it has been added yet or not, has no name in the
 * file: the one that it is added with, map_stand_in()'s, stands in. */
void map_set_unnamed(strew_builder *builder, enum map_part part, int32_t id);
/** What Ceph's tools call a thing without a name: "type5", "device3", "bucket0" for -1.
 */
struct map_stand_in {
	char name[24];
};
struct map_stand_in map_stand_in(enum map_part part, int32_t id);
/** What a shadow is called after its base and class; NULL without memory. */
char *map_shadow_name(struct base_arena *arena, const char *base, const char *class_name);
/** Is a shadow called so? */
bool map_is_called_after(const strew_bucket *shadow, const char *base);
/** Is it a shadow that has a name, and is called so? */
bool map_follows_base(const strew_map *map, const strew_bucket *bucket);

/** A copy of a map that is being given other names, or is changed otherwise
 * (map_rename.c). Its own and those of its types, classes, devices, buckets, rules,
 * weight sets, pools, profiles and strays may be replaced, as may all else in these, and
 * the map may be cut short; the rest is the original's, and is replaced by a copy. */
struct map_renaming {
	const strew_map *from;
	strew_map map;
	struct base_arena arena;
	bool failed; /* for lack of memory; then the arrays may not be there */
};

void map_rename_start(struct map_renaming *renaming, const strew_map *from);
/** A name that lives as long as the renaming; "" without memory. */
const char *map_rename(struct map_renaming *renaming, const char *format, ...)
	STREW_PRINTF(2, 3);
/** A copy of an array, for as long as the renaming lives. NULL without memory. */
void *map_rename_own(struct map_renaming *renaming, const void *from, size_t count,
		     size_t size);
/** Makes a map of it as it is, and frees. @return also what the builder refuses it with
 */
strew_status map_rename_build(strew_map **out, struct map_renaming *renaming,
			      strew_error *error);
/** Makes a map of it, in which devices and shadows have the new names of their classes,
 * and shadows that followed their base follow it still; and frees. */
strew_status map_rename_end(strew_map **out, struct map_renaming *renaming,
			    strew_error *error);
/** One tunable after the other, by its name; NULL beyond the last. */
const char *map_tunable(const struct map_tunables *tunables, size_t index,
			uint32_t *value);
/** The most that a tunable may be. @return false when there is none of the name */
bool map_tunable_max(const char *name, uint32_t *max);
/** The tunable must exist. */
void map_set_tunable(struct map_tunables *tunables, const char *name, uint32_t value);
/** A name that exists, for messages. */
const char *map_nearest_tunable(const char *word);
/** @return false when there is no profile of the name; MAP_PROFILES tells of them. */
bool map_set_profile(struct map_tunables *tunables, const char *name);
#define MAP_PROFILES                                                                     \
	"there are argonaut (legacy), bobtail, firefly, hammer, jewel (optimal, "        \
	"default)"
/** The profile with which the fewest tunables differ, and what it sets. */
const char *map_nearest_profile(const struct map_tunables *tunables,
				struct map_tunables *profile);
/** Tell of something that a reader has reported and can't add, lest what refers to it be
 * reported too. @return the id to use for a bucket, which may be STREW_AUTO_ID here */
int32_t map_refuse_bucket(strew_builder *builder, int32_t id, const char *name);
void map_refuse_device(strew_builder *builder, int32_t id, const char *name,
		       const char *class_name);
void map_refuse_rule(strew_builder *builder, int32_t id, const char *name);
void map_refuse_pool(strew_builder *builder, int64_t id, const char *name);
/** The same for things whose id or name isn't known: that one of the part is missing is
 * not reported any more. */
void map_refuse_all(strew_builder *builder, enum map_part part);
bool map_refuses_all(const strew_builder *builder, enum map_part part);
/** Has no part of a map been added yet? */
bool map_builder_is_empty(const strew_builder *builder);
/** The word for a step, such as "chooseleaf firstn"; NULL when the op isn't known. */
const char *map_op_name(int op);
/** What clients must know to place by the map, by the features of Ceph's releases. */
struct map_needs {
	bool tunables, tunables2, tunables3, tunables5;
	bool v2_rules, v3_rules, v4_buckets, v5_rules, msr_rules;
};

struct map_needs map_needs_of(const strew_map *map);
/** Does the step choose (firstn, indep or MSR)? Is it one of the chooseleaf ones? */
bool map_op_chooses(int op);
bool map_op_leaf(int op);
/** Is it a step, or a rule, that came with multi-step retry? */
bool map_op_is_msr(int op);
bool map_kind_is_msr(strew_kind kind);
/** Is it a rule, or pool, of copies, whose place in the result says nothing? */
bool map_kind_copies(strew_kind kind);

#endif
