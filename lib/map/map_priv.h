/* SPDX-License-Identifier: MIT */
#ifndef MAP_PRIV_H
#define MAP_PRIV_H

#include "base_error.h"
#include "base_str.h"
#include "base_vec.h"
#include "map.h"

/**
 * The builder: lists of drafts, in the order in which they were added.
 * strew_builder_build() settles them (sorts, resolves names and ids, sums weights,
 * derives shadows), checks the invariants, and copies what is left into a map.
 *
 * Running out of memory sticks in `failed`; every step does nothing once it is set.
 */

/** The faults, and the warnings, that are kept; beyond that they are only counted. */
#define MAP_REPORTS_MAX 100
/** Looking for a near name takes time in proportion to the names. */
#define MAP_HINT_NAMES_MAX 1000
/** Limits of what a map may derive: shadow buckets, and items looked at to make them. */
#define MAP_SHADOWS_MAX     (1u << 20)
#define MAP_SHADOW_WORK_MAX (1u << 28)

#define MAP_NO_INDEX UINT32_MAX

/** Where something stands in the input. Records refer to it by number; 0 is nowhere. */
struct map_place {
	const char *file;
	const char *path; /* up to the index at its end, if it has one */
	uint32_t index;   /* or MAP_NO_INDEX */
	int line;
	int column;
};

/** Every draft starts with this. A refused one has been reported, and exists so that what
 * refers to it isn't reported too. */
struct map_draft {
	uint32_t place;
	bool refused;
	bool stub;    /* refused, by the reader: what else it has is not known */
	bool gone;    /* taken out again, such as with its refused bucket */
	uint8_t hung; /* in how many places, or 2 for more */
};

struct map_type_draft {
	struct map_draft head;
	struct map_type type;
};

struct map_device_draft {
	struct map_draft head;
	int32_t class_index; /* -1: none */
	strew_device device;
	bool is_weighed; /* another file told its weight */
	uint32_t weight;
};

enum map_fact_kind { MAP_REWEIGHT, MAP_STATE, MAP_AFFINITY, MAP_CAPACITY, MAP_CLASS };

/** Classes have the id that they are told, or one above all told ones. After settling
 * they are in order of id, and drafts name them by their index. */
#define MAP_AUTO_CLASS_ID (-1)

struct map_class_draft {
	uint32_t place;
	struct map_class class;
};

/** Something told of a device. */
struct map_fact_draft {
	struct map_draft head;
	int32_t device;
	enum map_fact_kind kind;
	unsigned epoch; /* calls of strew_builder_set_device_limit() before it */
	bool exists;
	bool up;
	uint32_t share; /* a reweight or an affinity */
	uint64_t size_bytes;
	uint64_t used_bytes;
	const char *class_name;
};

/** What a device weighs, as another file than the map's has it. */
struct map_weigh_draft {
	struct map_draft head;
	const char *name; /* NULL: the id is known */
	int32_t id;
	uint32_t weight;
};

struct map_bucket_draft {
	struct map_draft head;
	bool is_weighed;       /* another file told weights below it */
	const char *type_name; /* not resolved, when bucket.type is -1 */
	int32_t class_index;   /* of a shadow, else -1 */
	uint32_t sum;          /* of its items; 0 when that doesn't fit */
	uint32_t tree;         /* the root that it was found from, counted from 0 */
	bool is_derived;       /* faults are those of what it shadows */
	size_t first_item;     /* in builder->items, once they are grouped */
	strew_bucket bucket;
};

/** A selector's table, as a file stores it. */
struct map_table_draft {
	struct map_draft head;
	int32_t bucket;
	const uint32_t *words;
	size_t count;
};

struct map_item_draft {
	struct map_draft head;
	int32_t bucket;
	unsigned flags;
	uint32_t link; /* the number by which remarks know it; 0: it has none */
	struct map_item item;
};

/** Which id the shadow of a bucket for a class has, or is to have. */
struct map_shadow_draft {
	struct map_draft head;
	int32_t bucket;
	int32_t class_index;
	int32_t id;
	const char *class_name;
};

struct map_rule_draft {
	struct map_draft head;
	struct map_rule rule;
	size_t first_step;
	size_t number; /* in the order of adding */
};

struct map_step_draft {
	struct map_draft head;
	struct map_step step;
	const char *name; /* of the item to take, or of the type */
	const char *class_name;
	bool unknown; /* the name, the item or the type */
	bool raw;     /* its op may be one that nobody knows */
};

struct map_set_draft {
	struct map_draft head;
	struct map_weight_set set;
};

/** A row of weights, or the ids, of one bucket in one set. */
struct map_row_draft {
	struct map_draft head;
	int64_t set;
	int32_t bucket;
	bool is_ids;
	bool from_source; /* copied from the map that is being added to */
	const void *words;
	size_t count;
};

struct map_pool_draft {
	struct map_draft head;
	strew_pool pool;
	const char *rule_name;
};

struct map_profile_draft {
	struct map_profile profile;
	size_t number; /* in the order of adding */
};

/** In place of a PG's seed. */
#define MAP_WHOLE_POOL (-1)

/** What a PG holds, or a pool. */
struct map_use_draft {
	struct map_draft head;
	int64_t pool;
	int64_t seed;
	struct map_use use;
};

enum map_override_kind {
	MAP_UPMAP,
	MAP_UPMAP_ITEM,
	MAP_UPMAP_PRIMARY,
	MAP_PG_TEMP,
	MAP_PRIMARY_TEMP
};

struct map_override_draft {
	struct map_draft head;
	strew_pg pg;
	enum map_override_kind kind;
	int32_t pair[2]; /* from and to, or a primary */
	const int32_t *devices;
	size_t count;
};

struct map_remark_draft {
	struct map_draft head;
	size_t rule;   /* the number of the rule last added; SIZE_MAX: the id is known */
	uint32_t link; /* the item's number */
	struct map_remark remark;
};

struct map_stray_draft {
	struct map_stray stray;
	size_t number; /* in the order of adding */
};

struct map_unnamed {
	enum map_part part;
	int32_t id;
};

/** What drafts are sorted by. */
struct map_key {
	int64_t major; /* the id; buckets have theirs negated */
	int64_t minor;
	size_t index; /* in the order of adding */
};

/** A kind of draft: how to call one, what its key is, what its name is. */
struct map_kind {
	const char *word;
	size_t size;
	void (*key)(struct map_key *key, const void *draft);
	const char *(*name)(const void *draft);
};

struct map_list {
	const struct map_kind *kind;
	struct base_vec vec;
};

/** Names, to be looked up. */
struct map_name {
	const char *name;
	int64_t id;
	uint32_t place;
};

struct strew_builder {
	strew_allocator allocator;
	struct base_arena kept;    /* what the map will need: names, weights, … */
	struct base_arena scratch; /* what only the builder needs */
	bool failed;
	bool built;
	strew_map *source; /* the map being added to, or NULL */

	struct base_vec places; /* struct map_place */
	struct map_place here;
	bool here_is_new;
	struct base_vec faults, warnings; /* struct map_report */
	size_t fault_count, warning_count;
	bool refuses_all[MAP_PARTS]; /* by map_refuse_all() */

	const char *name;
	int64_t epoch;
	uint32_t ratios[MAP_RATIOS];
	struct map_tunables tunables;
	const char *words[8]; /* short strings met lately, to keep each once */
	unsigned next_word;

	struct map_list types;
	struct base_vec classes; /* struct map_class_draft */
	struct map_list devices, facts;
	unsigned limit_epoch;
	uint32_t limit_place;
	bool has_limit;
	int32_t device_limit;

	struct map_list buckets, items, pins, shadows;
	struct base_vec tables; /* struct map_table_draft */
	/* int32_t: the ids in place of provisional ones;
	 * those in use or pinned, downward. */
	struct base_vec provisional, taken;
	size_t next_taken;
	int32_t next_id;
	bool derives;
	struct base_vec weighs; /* struct map_weigh_draft */
	bool has_cycle;
	bool lacks_shadows; /* they could not be derived, and that was reported */
	uint32_t *order;    /* buckets' indexes: by root, children before parents */
	size_t order_bytes;

	struct map_list rules;
	struct base_vec steps; /* struct map_step_draft */
	struct map_list sets, rows;
	int64_t last_set;
	struct base_vec profiles; /* struct map_profile_draft */
	struct map_list pools, overrides, uses;
	struct base_vec remarks; /* struct map_remark_draft */
	struct map_layout layout;
	struct base_vec strays;  /* struct map_stray_draft */
	struct base_vec unnamed; /* struct map_unnamed */
	uint32_t link_count;     /* items with remarks */

	/* struct map_name. Those of items without names that devices have by default,
	 * unless something else was given the same. */
	struct base_vec type_names, class_names, item_names, rule_names;
};

/* map_list.c */

void map_lists_init(strew_builder *builder);
/** A new draft at the place last set, cleared, or NULL without memory;
 * valid until the next one. */
void *map_list_add(strew_builder *builder, struct map_list *list);
/** The same for a plain array. */
void *map_push(strew_builder *builder, struct base_vec *vec, size_t size);
/** By key, drafts with equal keys in the order of adding. */
void map_list_sort(strew_builder *builder, struct map_list *list);
/** The first draft with a key of a sorted list, or NULL. */
void *map_list_find(const struct map_list *list, int64_t major, int64_t minor);
void *map_list_at(const struct map_list *list, size_t index);
struct map_key map_list_key(const struct map_list *list, size_t index);
/** Drop the drafts that are gone; the others stay in order. */
void map_list_compact(struct map_list *list);
/** Refuse all drafts that share their major key with another one. */
void map_list_refuse_twins(const struct map_list *list);

void map_names_add(strew_builder *builder, struct base_vec *names, const char *name,
		   int64_t id, uint32_t place);
void map_names_sort(struct base_vec *names);
/** The first of the name, or NULL. */
struct map_name *map_names_find(const struct base_vec *names, const char *name);

/* map_fault.c */

/** The number of the place last set. */
uint32_t map_here(strew_builder *builder);
/** Report against the model, at a place. */
void map_fault(strew_builder *builder, uint32_t place, const char *format, ...)
	STREW_PRINTF(3, 4);
void map_warn(strew_builder *builder, uint32_t place, const char *format, ...)
	STREW_PRINTF(3, 4);
/** The same of what the map will have, for whoever looks at it to find again. */
void map_warn_in_map(strew_builder *builder, uint32_t place, const char *format, ...)
	STREW_PRINTF(3, 4);

/** Short texts for messages. */
struct map_text {
	char text[320];
};

/** "host h1 (id -4)", "device osd.3 (id 3)". */
struct map_text map_label(const strew_builder *builder, int32_t item);
struct map_text map_bucket_label(const strew_builder *builder,
				 const struct map_bucket_draft *draft);
/** " (FILE: /path)" for a message that stands at `from`: without the file when it is the
 * same. "" when nothing is known. */
struct map_text map_at(const strew_builder *builder, uint32_t place, uint32_t from);
/** "; did you mean \"x\"?", or "" when no name is near or there are too many. */
struct map_text map_hint(strew_builder *builder, const char *word,
			 const struct base_vec *names);
/** The same for names of devices and buckets (map_bucket.c). */
struct map_text map_hint_item(strew_builder *builder, const char *word);

/* map_build.c */

/** A copy that the map keeps, "" for NULL; NULL without memory. */
const char *map_keep(strew_builder *builder, const char *text);
/** The same for words that come again and again: classes, selectors. */
const char *map_keep_word(strew_builder *builder, const char *text);
const void *map_keep_array(strew_builder *builder, const void *from, size_t count,
			   size_t size);

/* Settling, in this order. */

void map_settle_types(strew_builder *builder);
void map_settle_classes(strew_builder *builder);
void map_settle_strays(strew_builder *builder);
void map_settle_devices(strew_builder *builder);
void map_settle_buckets(strew_builder *builder);
void map_settle_items(strew_builder *builder);
void map_settle_names(strew_builder *builder);
void map_settle_shadows(strew_builder *builder);
void map_apply_weighs(strew_builder *builder);
void map_group_items(strew_builder *builder);
void map_order_buckets(strew_builder *builder);
void map_sum_weights(strew_builder *builder);
void map_derive_shadows(strew_builder *builder);
void map_settle_rules(strew_builder *builder);
void map_settle_weight_sets(strew_builder *builder);
void map_settle_profiles(strew_builder *builder);
void map_settle_pools(strew_builder *builder);
void map_settle_uses(strew_builder *builder);
void map_settle_overrides(strew_builder *builder);
void map_check(strew_builder *builder);

/* Freezing: each fills its part of the map; false without memory. */

bool map_freeze_types(strew_map *map, strew_builder *builder);
bool map_freeze_devices(strew_map *map, strew_builder *builder);
bool map_freeze_buckets(strew_map *map, strew_builder *builder);
bool map_freeze_rules(strew_map *map, strew_builder *builder);
bool map_freeze_weight_sets(strew_map *map, strew_builder *builder);
bool map_freeze_profiles(strew_map *map, strew_builder *builder);
bool map_freeze_pools(strew_map *map, strew_builder *builder);
bool map_freeze_uses(strew_map *map, strew_builder *builder);
bool map_freeze_overrides(strew_map *map, strew_builder *builder);
bool map_freeze_remarks(strew_map *map, strew_builder *builder);
/** After all that has ids and names. */
bool map_freeze_stored(strew_map *map, strew_builder *builder);

/* Looking up drafts, once their list is settled. */

struct map_device_draft *map_device_draft(const strew_builder *builder, int32_t id);
struct map_bucket_draft *map_bucket_draft(const strew_builder *builder, int32_t id);
bool map_item_exists(const strew_builder *builder, int32_t id);
/** The device or bucket of a name, once names are settled. */
bool map_find_item(const strew_builder *builder, const char *name, int32_t *id);
struct map_item_draft *map_bucket_items(const strew_builder *builder,
					const struct map_bucket_draft *draft);
/** The final id for one that may be provisional; 0 when it was never given. */
int32_t map_final_id(const strew_builder *builder, int32_t id);
/** The next free bucket id, from -1 downward. */
int32_t map_take_id(strew_builder *builder);
/** -1 when there is none. */
int32_t map_class_index(const strew_builder *builder, const char *name);
/** Its index by its id, or -1. */
int32_t map_class_by_id(const strew_builder *builder, int32_t id);
/** Of an index: the class's own id, -1 for -1; its own string, NULL for -1. */
int32_t map_class_id(const strew_builder *builder, int32_t class_index);
const char *map_class_name(const strew_builder *builder, int32_t class_index);
/** Shadows that are only told of have their ids when they are derived (map_stored.c). */
void map_pin_stray_shadows(strew_builder *builder);
/** The shadow's id, or 0. */
int32_t map_shadow_id(const strew_builder *builder, int32_t bucket, int32_t class_index);

/** The data shards of a profile, once the profiles are settled; 0 when it doesn't say. */
int map_profile_k(const strew_builder *builder, const char *name);

void map_start_tunables(struct map_tunables *tunables);
/** Invariant 3. Reports an id that is out of range. */
bool map_check_id(strew_builder *builder, uint32_t place, enum map_part part, int64_t id);
/** Invariant 6. `holder` holds `bucket`, and hangs `levels` below it. */
void map_check_cycle(strew_builder *builder, const struct map_bucket_draft *bucket,
		     const struct map_bucket_draft *holder, size_t levels,
		     const struct map_item_draft *item);
/** Invariant 7. */
void map_check_hanging(strew_builder *builder);
/** Invariant 9. */
void map_check_rules(strew_builder *builder);

#endif
