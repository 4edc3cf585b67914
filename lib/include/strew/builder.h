/* SPDX-License-Identifier: MIT */
#ifndef STREW_BUILDER_H
#define STREW_BUILDER_H

#include <strew/map.h>
#include <strew/pool.h>

STREW_BEGIN_DECLS

/**
 * Makes a map, anew or by adding to one. Short-lived, one owner, one thread. What changes
 * or takes away what a map has is a strew_edit's (edit.h).
 *
 * Calls that add return nothing: the builder records every fault, up to a cap, with its
 * place in the input. What depends on something faulty is skipped. Names and ids may be
 * used before what they name is added; strew_builder_build() resolves them, checks every
 * rule of the model and gives the map. Strings are copied.
 */
typedef struct strew_builder strew_builder;

/** Where the builder is to choose an id or a weight: the highest free negative id in
 * order of adding; the sum of what a bucket holds. */
#define STREW_AUTO_ID	  ((int32_t)INT32_MIN)
#define STREW_AUTO_WEIGHT ((uint32_t)0xffffffff)

/** The limits of the model. Bucket ids are -1 … STREW_BUCKET_ID_MIN, device ids 0 …
 * STREW_DEVICE_ID_MAX. A device's weight is below STREW_DEVICE_WEIGHT_END (32768.0). */
#define STREW_BUCKET_ID_MIN	(-0x40000000)
#define STREW_DEVICE_ID_MAX	0x3fffffff
#define STREW_DEVICE_WEIGHT_END ((uint32_t)0x80000000)

STREW_API STREW_MUST_USE strew_status strew_builder_new(strew_builder **out,
							const strew_allocator *allocator);
/** A builder that holds what `map` holds, to be added to. */
STREW_API STREW_MUST_USE strew_status strew_builder_from_map(strew_builder **out,
							     const strew_map *map);
STREW_API void strew_builder_free(strew_builder *builder);

/** Check everything and make the map. On failure `error` is the first fault and
 * strew_builder_fault_at() tells all. The builder can only be freed afterwards. */
STREW_API STREW_MUST_USE strew_status strew_builder_build(strew_map **out,
							  strew_builder *builder,
							  strew_error *error);

/* Where the input stands. Set before the calls it applies to; kept until set again. */

/** The file (or other source) that the next calls come from. */
STREW_API void strew_builder_in_file(strew_builder *builder, const char *file);
/** A line and column, both from 1. */
STREW_API void strew_builder_at_line(strew_builder *builder, int line, int column);
/** A JSON pointer, such as "/buckets/2/items/1". */
STREW_API void strew_builder_at_path(strew_builder *builder, const char *pointer);

/* Faults. Errors stop the build; warnings end up in the map. */

typedef enum strew_severity { STREW_WARNING, STREW_FAULT } strew_severity;

/** Report one from outside, at the place last set: readers use this for what
 * only they can see. */
STREW_API void strew_builder_report(strew_builder *builder, strew_severity severity,
				    strew_status status, const char *format, ...)
	STREW_PRINTF(4, 5);
/** Faults so far, also those beyond the cap of what is kept. */
STREW_API size_t strew_builder_fault_count(const strew_builder *builder);
/** @return NULL when index is at or beyond what is kept. */
STREW_API const strew_error *strew_builder_fault_at(const strew_builder *builder,
						    size_t index);
STREW_API size_t strew_builder_warning_count(const strew_builder *builder);
STREW_API const strew_error *strew_builder_warning_at(const strew_builder *builder,
						      size_t index);

/* The cluster. */

STREW_API void strew_builder_set_name(strew_builder *builder, const char *name);
STREW_API void strew_builder_set_epoch(strew_builder *builder, int64_t epoch);
/** A level of the tree; type 0 is the device, whose name a map may lack. */
STREW_API void strew_builder_add_type(strew_builder *builder, int32_t id,
				      const char *name);
/** One of the tunables by its Ceph name, such as "choose_total_tries". */
STREW_API void strew_builder_set_tunable(strew_builder *builder, const char *name,
					 uint32_t value);
/** A named profile: "argonaut" (or "legacy"), "bobtail", "firefly", "hammer", "jewel" (or
 * "optimal", "default"). A new builder starts with "default". */
STREW_API void strew_builder_set_profile(strew_builder *builder, const char *name);

/* Devices. A device that hangs in the tree must be added. */

/** name NULL: "osd.<id>". class_name NULL: none. */
STREW_API void strew_builder_add_device(strew_builder *builder, int32_t id,
					const char *name, const char *class_name);
/** 0 (out) to STREW_WEIGHT_ONE. */
STREW_API void strew_builder_set_reweight(strew_builder *builder, int32_t device,
					  uint32_t reweight);
/** A device that does not exist for the cluster is placed by CRUSH only to be
 * taken out again; it isn't up. */
STREW_API void strew_builder_set_state(strew_builder *builder, int32_t device, int exists,
				       int up);
/** 0 to STREW_WEIGHT_ONE. */
STREW_API void strew_builder_set_primary_affinity(strew_builder *builder, int32_t device,
						  uint32_t affinity);
STREW_API void strew_builder_set_capacity(strew_builder *builder, int32_t device,
					  uint64_t size_bytes, uint64_t used_bytes);
/** From here on, a device does not exist, is down and has reweight 0 until told
 * otherwise: what an OSD dump means by not listing it. `limit` is the length of the
 * cluster's device vector (max_osd); ids at or above it are not valid upmap targets. */
STREW_API void strew_builder_set_device_limit(strew_builder *builder, int32_t limit);

/* Buckets. */

typedef struct strew_bucket_desc {
	size_t size;
	int32_t id;		/**< below 0, or STREW_AUTO_ID */
	const char *name;	/**< required */
	int32_t type;		/**< above 0; used when type_name is NULL */
	const char *type_name;	/**< resolved by strew_builder_build() */
	const char *alg;	/**< the selector's word; NULL: "straw2" */
	uint8_t hash;		/**< 0: rjenkins1 */
	uint32_t weight;	/**< the stored weight, or STREW_AUTO_WEIGHT */
	int32_t shadow_of;	/**< for a class shadow: the bucket it shadows; else 0 */
	const char *class_name; /**< for a class shadow: the class */
	uint8_t straw_calc_version; /**< for "straw": how its lengths are made, 0 or 1 */
} strew_bucket_desc;

#define STREW_BUCKET_DESC_INIT                                                           \
	{                                                                                \
		sizeof(strew_bucket_desc), STREW_AUTO_ID, 0, 0, 0, 0, 0,                 \
			STREW_AUTO_WEIGHT, 0, 0, 0                                       \
	}

/** Add a bucket. @return the id to name it by in later calls of this builder (with
 * STREW_AUTO_ID, or when the id was faulty, a provisional one, which the map will not
 * have), or 0 without memory. */
STREW_API int32_t strew_builder_add_bucket(strew_builder *builder,
					   const strew_bucket_desc *desc);

#define STREW_ITEM_LINK	  1u /**< the item is meant to hang in more than one place */
#define STREW_ITEM_TWICE_OK 2u /**< warn, don't refuse: Ceph's maps may have it */

/** Hang a device or bucket into a bucket, after the items that are there.
 * With STREW_AUTO_WEIGHT a bucket weighs what it holds and a device 1.0.
 * Flags: STREW_ITEM_…. */
STREW_API void strew_builder_add_item(strew_builder *builder, int32_t bucket,
				      int32_t item, uint32_t weight, unsigned flags);

/** Which id the shadow of `bucket` for a class has, to keep placements when
 * shadows are derived. */
STREW_API void strew_builder_set_shadow_id(strew_builder *builder, int32_t bucket,
					   const char *class_name, int32_t id);
/** Have the build make the class shadows that are missing, as Ceph would. */
STREW_API void strew_builder_derive_shadows(strew_builder *builder);

/* Rules. */

/** Steps, with Ceph's numbers. */
typedef enum strew_op {
	STREW_OP_NOOP = 0,
	STREW_OP_TAKE = 1,
	STREW_OP_CHOOSE_FIRSTN = 2,
	STREW_OP_CHOOSE_INDEP = 3,
	STREW_OP_EMIT = 4,
	STREW_OP_CHOOSELEAF_FIRSTN = 6,
	STREW_OP_CHOOSELEAF_INDEP = 7,
	STREW_OP_SET_CHOOSE_TRIES = 8,
	STREW_OP_SET_CHOOSELEAF_TRIES = 9,
	STREW_OP_SET_CHOOSE_LOCAL_TRIES = 10,
	STREW_OP_SET_CHOOSE_LOCAL_FALLBACK_TRIES = 11,
	STREW_OP_SET_CHOOSELEAF_VARY_R = 12,
	STREW_OP_SET_CHOOSELEAF_STABLE = 13,
	STREW_OP_SET_MSR_DESCENTS = 14,
	STREW_OP_SET_MSR_COLLISION_TRIES = 15,
	STREW_OP_CHOOSE_MSR = 16
} strew_op;

/** Start a rule; steps are added to the rule last started. id may be STREW_AUTO_ID: the
 * lowest free one. */
STREW_API void strew_builder_add_rule(strew_builder *builder, int32_t id,
				      const char *name, strew_kind kind);
/** The old rule mask, kept for maps that have one. It decides nothing here. */
STREW_API void strew_builder_set_rule_mask(strew_builder *builder, uint8_t ruleset,
					   uint8_t min_size, uint8_t max_size);
/** `take`, by id, or by name and optionally class (then its shadow is taken). */
STREW_API void strew_builder_add_take(strew_builder *builder, int32_t item);
STREW_API void strew_builder_add_take_name(strew_builder *builder, const char *item,
					   const char *class_name);
/** A choose step: the type by name, or by id when type_name is NULL. */
STREW_API void strew_builder_add_choose(strew_builder *builder, strew_op op,
					int32_t count, int32_t type,
					const char *type_name);
/** Any other step: emit, set_…, noop; `argument` is what it sets. */
STREW_API void strew_builder_add_step(strew_builder *builder, strew_op op,
				      int32_t argument);

/* Weight sets ("choose_args"), for straw2 buckets. Rows and ids go to the
 * set last added. */

/** id -1 is the compat set; others are for the pool of that id. name NULL: its number. */
STREW_API void strew_builder_add_weight_set(strew_builder *builder, int64_t id,
					    const char *name);
/** The weights of a bucket's items at its next position (0 first). `count` is the
 * number of items. */
STREW_API void strew_builder_add_weight_row(strew_builder *builder, int32_t bucket,
					    const uint32_t *weights, size_t count);
/** The ids that are hashed in place of the items' own. */
STREW_API void strew_builder_set_weight_ids(strew_builder *builder, int32_t bucket,
					    const int32_t *ids, size_t count);

/* Pools and overrides. */

typedef enum strew_object_hash {
	STREW_HASH_LINUX = 1,
	STREW_HASH_RJENKINS = 2
} strew_object_hash;

typedef struct strew_pool_desc {
	size_t struct_size;
	int64_t id;	       /**< 0 or above */
	const char *name;      /**< required */
	strew_kind kind;       /**< replicated or erasure */
	int size;	       /**< replicas, or k + m */
	int min_size;	       /**< 0: size - size / 2, or k + 1 (at most size) */
	int k;		       /**< erasure: data shards; 0 when not known */
	uint32_t pg_num;       /**< required */
	uint32_t pgp_num;      /**< 0: pg_num */
	int32_t rule;	       /**< used when rule_name is NULL */
	const char *rule_name; /**< resolved by strew_builder_build() */
	int hashpspool;	       /**< mix the pool's id into the seed; normally 1 */
	int object_hash;       /**< strew_object_hash; another hashes all names alike */
	int has_bytes;	       /**< are the next two known? */
	uint64_t bytes;	       /**< stored by users, without replicas or parity */
	uint64_t objects;      /**< 0 where there are bytes: not known */
	/** The name of its erasure code profile, which may tell k; NULL: none. */
	const char *erasure_profile;
} strew_pool_desc;

#define STREW_POOL_DESC_INIT                                                             \
	{                                                                                \
		sizeof(strew_pool_desc), 0, 0, STREW_KIND_REPLICATED, 3, 0, 0, 0, 0, 0,  \
			0, 1, STREW_HASH_RJENKINS, 0, 0, 0, 0                            \
	}

STREW_API void strew_builder_add_pool(strew_builder *builder,
				      const strew_pool_desc *desc);

/** An erasure code profile: `count` parameters, each a name and a value in `words`. Of
 * two with one name the last stands. */
STREW_API void strew_builder_add_erasure_profile(strew_builder *builder, const char *name,
						 const char *const *words, size_t count);

/** What users stored in a pool, or in one of its PGs, without replicas or parity: bytes,
 * and objects (0 where there are bytes: not known). What is told last stands; of pools or
 * PGs that aren't there it is dropped with a warning. A pool of which nothing else is
 * told holds what its PGs hold, once all of them are known. */
STREW_API void strew_builder_set_pool_use(strew_builder *builder, int64_t pool,
					  uint64_t bytes, uint64_t objects);
STREW_API void strew_builder_set_pg_use(strew_builder *builder, strew_pg pg,
					uint64_t bytes, uint64_t objects);

/** pg_upmap: the whole set of a PG. */
STREW_API void strew_builder_add_upmap(strew_builder *builder, strew_pg pg,
				       const int32_t *devices, size_t count);
/** pg_upmap_items: one more pair for a PG; pairs apply in order. */
STREW_API void strew_builder_add_upmap_item(strew_builder *builder, strew_pg pg,
					    int32_t from, int32_t to);
/** pg_upmap_primaries. */
STREW_API void strew_builder_set_upmap_primary(strew_builder *builder, strew_pg pg,
					       int32_t device);
STREW_API void strew_builder_add_pg_temp(strew_builder *builder, strew_pg pg,
					 const int32_t *devices, size_t count);
STREW_API void strew_builder_set_primary_temp(strew_builder *builder, strew_pg pg,
					      int32_t device);

STREW_END_DECLS

#endif
