/* SPDX-License-Identifier: MIT */
#ifndef STREW_MAP_H
#define STREW_MAP_H

#include <strew/alloc.h>
#include <strew/error.h>

STREW_BEGIN_DECLS

/**
 * A cluster map: devices, buckets, rules, pools and overrides. Immutable and checked;
 * it may be shared by any number of threads. Made by a builder (builder.h) or read from
 * a file (io.h).
 */
typedef struct strew_map strew_map;
typedef struct strew_bucket strew_bucket;
typedef struct strew_device strew_device;
typedef struct strew_pool strew_pool;

/** Rule and pool types, with Ceph's numbers. */
typedef enum strew_kind {
	STREW_KIND_REPLICATED = 1,
	STREW_KIND_ERASURE = 3,
	STREW_KIND_MSR_FIRSTN = 4,
	STREW_KIND_MSR_INDEP = 5
} strew_kind;

/** Add a reference. @return map, for convenience. Safe from any thread. */
STREW_API strew_map *strew_map_retain(const strew_map *map);

/** Drop a reference; the last one frees the map. NULL is allowed. Safe
 * from any thread. */
STREW_API void strew_map_release(strew_map *map);

/** The same map with neutral names, to be shown to others: things are called after what
 * they are and their ids ("rack-2", "pool-3", "default~hdd" becomes "root-1~hdd"), and
 * what people noted is left out. Ids, weights and all else that decides where data lies
 * are kept, so every placement is the same. Words that are the same everywhere are kept:
 * Ceph's names of bucket types, "hdd", "ssd" and "nvme". The same map gives the same
 * names. @return STREW_ENOMEM */
STREW_API STREW_MUST_USE strew_status strew_map_anonymise(strew_map **out,
							  const strew_map *map,
							  strew_error *error);

/* Everything below is a plain getter. Pointers that it returns live as
 * long as the map. */

/** The cluster's name, or "". */
STREW_API const char *strew_map_name(const strew_map *map);
STREW_API int64_t strew_map_epoch(const strew_map *map);

/** Bucket types by level or id; type 0 is the device. @return NULL when there
 * is no such type. */
STREW_API const char *strew_map_type_name(const strew_map *map, int32_t type);
/** @return the type's id, or STREW_ENOTFOUND. */
STREW_API int32_t strew_map_find_type(const strew_map *map, const char *name);

/** Buckets, in order of id from -1 downward, the shadow buckets of device
 * classes among them. */
STREW_API size_t strew_map_bucket_count(const strew_map *map);
/** @return NULL when index is not below the count. */
STREW_API const strew_bucket *strew_map_bucket_at(const strew_map *map, size_t index);
/** @return NULL when there is none. O(log n). */
STREW_API const strew_bucket *strew_map_bucket_by_id(const strew_map *map, int32_t id);
STREW_API const strew_bucket *strew_map_bucket_by_name(const strew_map *map,
						       const char *name);

STREW_API int32_t strew_bucket_id(const strew_bucket *bucket);
STREW_API const char *strew_bucket_name(const strew_bucket *bucket);
STREW_API int32_t strew_bucket_type(const strew_bucket *bucket);
/** The word for its selector, such as "straw2". */
STREW_API const char *strew_bucket_alg(const strew_bucket *bucket);
/** The weight that the map stores for the bucket itself; its parent may
 * hold another one. */
STREW_API uint32_t strew_bucket_weight(const strew_bucket *bucket);
STREW_API size_t strew_bucket_item_count(const strew_bucket *bucket);
/** Items: devices (0 and up) or buckets (below 0). index must be below the count. */
STREW_API int32_t strew_bucket_item(const strew_bucket *bucket, size_t index);
STREW_API uint32_t strew_bucket_item_weight(const strew_bucket *bucket, size_t index);
/** The id of the bucket that this one is the class shadow of, or 0 for an
 * ordinary bucket. */
STREW_API int32_t strew_bucket_shadow_of(const strew_bucket *bucket);

/** Devices, in order of id, also those in no bucket. */
STREW_API size_t strew_map_device_count(const strew_map *map);
STREW_API const strew_device *strew_map_device_at(const strew_map *map, size_t index);
STREW_API const strew_device *strew_map_device_by_id(const strew_map *map, int32_t id);
STREW_API const strew_device *strew_map_device_by_name(const strew_map *map,
						       const char *name);

STREW_API int32_t strew_device_id(const strew_device *device);
STREW_API const char *strew_device_name(const strew_device *device);
/** The device class, or NULL. */
STREW_API const char *strew_device_class(const strew_device *device);
/** 0 (out) to STREW_WEIGHT_ONE (fully in). */
STREW_API uint32_t strew_device_reweight(const strew_device *device);
/** Size in bytes, 0 when not known. */
STREW_API uint64_t strew_device_size(const strew_device *device);

/** Rules are known by id. @return the id, or STREW_ENOTFOUND. Ids are never negative. */
STREW_API int32_t strew_map_find_rule(const strew_map *map, const char *name);
STREW_API size_t strew_map_rule_count(const strew_map *map);
/** The id of the rule at a place in the list, which is in order of id. */
STREW_API int32_t strew_map_rule_at(const strew_map *map, size_t index);
/** @return the rule's name, "" when it has none, NULL when there is no such rule. */
STREW_API const char *strew_map_rule_name(const strew_map *map, int32_t rule);

/** A step of a rule, as the map keeps it: names are ids. */
typedef struct strew_step {
	int32_t op;   /**< a strew_op (builder.h), or another number: nothing is done */
	int32_t arg1; /**< take: the item; choose: how many; set_…: the value */
	int32_t arg2; /**< choose: the type */
} strew_step;

/** @return 0 when there is no such rule. */
STREW_API size_t strew_map_step_count(const strew_map *map, int32_t rule);
/** The step at a place in a rule; index must be below the count. */
STREW_API strew_step strew_map_step_at(const strew_map *map, int32_t rule, size_t index);

/** A tunable by its Ceph name, such as "choose_total_tries". @return STREW_ENOTFOUND */
STREW_API strew_status strew_map_tunable(uint32_t *out, const strew_map *map,
					 const char *name);

/** Pools, in order of id. */
STREW_API size_t strew_map_pool_count(const strew_map *map);
STREW_API const strew_pool *strew_map_pool_at(const strew_map *map, size_t index);
STREW_API const strew_pool *strew_map_pool_by_id(const strew_map *map, int64_t id);
STREW_API const strew_pool *strew_map_pool_by_name(const strew_map *map,
						   const char *name);

STREW_API int64_t strew_pool_id(const strew_pool *pool);
STREW_API const char *strew_pool_name(const strew_pool *pool);
STREW_API strew_kind strew_pool_kind(const strew_pool *pool);
/** Replicas, or shards (k + m), of each PG. */
STREW_API int strew_pool_size(const strew_pool *pool);
STREW_API uint32_t strew_pool_pg_num(const strew_pool *pool);
STREW_API int32_t strew_pool_rule(const strew_pool *pool);

/** Weight sets ("choose_args"). @return the set's id by name, or by its number as text.
 * Ids may be -1 (the compat set), so the result comes through `out`. */
STREW_API strew_status strew_map_find_weight_set(int64_t *out, const strew_map *map,
						 const char *name);

/** What the map's reader or builder warned of. Texts are whole sentences. */
STREW_API size_t strew_map_warning_count(const strew_map *map);
STREW_API const strew_error *strew_map_warning_at(const strew_map *map, size_t index);

STREW_END_DECLS

#endif
