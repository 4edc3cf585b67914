/* SPDX-License-Identifier: MIT */
#ifndef STREW_POOL_H
#define STREW_POOL_H

#include <strew/error.h>

STREW_BEGIN_DECLS

typedef struct strew_placer strew_placer;
typedef struct strew_scratch strew_scratch;

/** A placement group: written "POOL.SEED" with the seed in hexadecimal, as in "1.2f". */
typedef struct strew_pg {
	int64_t pool;
	uint32_t seed;
} strew_pg;

/** Parse "1.2f". @return STREW_ESYNTAX when it is not that. */
STREW_API strew_status strew_pg_parse(strew_pg *out, const char *text);

/** An object's name. Bytes, not necessarily text; nothing is folded. */
typedef struct strew_object {
	const char *name;
	size_t name_len;
	const char *key; /**< locator key, hashed in place of the name; NULL: none */
	size_t key_len;
	const char *name_space; /**< NULL: the default one */
	size_t name_space_len;
} strew_object;

/**
 * The PG that holds an object (Ceph's ceph_stable_mod of the pool's string hash).
 *
 * @return STREW_ENOTFOUND when the pool is not in the map, STREW_ERANGE when a name space
 * and what is hashed with it are over 4095 bytes together. No allocation, no lock.
 */
STREW_API strew_status strew_object_pg(strew_pg *out, const strew_placer *placer,
				       int64_t pool, const strew_object *object);

/** A set of devices on its way through the stages of a PG's placement. */
typedef struct strew_set {
	int32_t *devices; /**< the caller's array, or NULL when the stage is not wanted */
	int room;	  /**< its length; longer sets are cut */
	int count;	  /**< out: entries written, holes (STREW_NONE) included */
	int32_t primary;  /**< out: STREW_NONE when there is none */
} strew_set;

typedef struct strew_stages {
	uint32_t x;	  /**< out: the value that CRUSH hashes for this PG */
	strew_set raw;	  /**< what the rule gives, without devices that don't exist */
	strew_set up;	  /**< after upmaps and without devices that are down */
	strew_set acting; /**< after pg_temp: who serves it now */
} strew_stages;

/** Room that is enough for any stage of any PG of this placer. Never above
 * STREW_WANT_MAX. */
STREW_API int strew_placer_max_set(const strew_placer *placer);

/**
 * Place a PG: raw, up and acting sets with their primaries, as Ceph's OSD map does.
 *
 * The seed may be the full object hash; it is reduced by the pool's pg_num for the
 * overrides. Erasure pools keep holes, replicated pools close them. No allocation, no
 * lock. The time it may take is strew_place()'s.
 *
 * @return STREW_OK, or STREW_ENOTFOUND (pool), STREW_EINVAL (scratch too small).
 */
STREW_API strew_status strew_place_pg(const strew_placer *placer, strew_pg pg,
				      strew_stages *stages, strew_scratch *scratch);

/** The same for many PGs, much faster: each has its stages. They may be of any pools, but
 * neighbours of one pool are placed together. Equals a loop of strew_place_pg(), and ends
 * with the first PG whose pool there is not. */
STREW_API strew_status strew_place_pgs(const strew_placer *placer, const strew_pg *pgs,
				       size_t count, strew_stages *stages,
				       strew_scratch *scratch);

STREW_END_DECLS

#endif
