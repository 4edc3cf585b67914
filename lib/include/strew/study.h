/* SPDX-License-Identifier: MIT */
#ifndef STREW_STUDY_H
#define STREW_STUDY_H

#include <strew/alloc.h>
#include <strew/error.h>

STREW_BEGIN_DECLS

/**
 * Placement schemes side by side: who holds a key, by any selector of the library,
 * without a map. To compare CRUSH with rings, rendezvous, jump, tables and others; each
 * has its page in doc/selectors/. Experimental: it may still change.
 */

/** One scheme, and the nodes that it places keys on. Immutable; may be shared by any
 * number of threads. */
typedef struct strew_study strew_study;

typedef struct strew_study_options {
	size_t size;
	/** A selector by its name: strew_scheme_at() tells them. */
	const char *scheme;
	/** Of keys, nodes and labels, by a name of strew_study_hash_at(); NULL: as the
	 * scheme is commonly used, mostly "fnv1a". */
	const char *hash;
	/** Use hashes as they come; else a last step mixes them. -1: as the scheme is
	 * commonly used. */
	int raw;
	/** Rings: labels of a node of weight 1, from 1 to 4096. */
	uint32_t labels;
	/** … whose text is the node's name, this, at most 15 bytes, and a number … */
	const char *label_join;
	/** … from this one on. */
	uint32_t first_label;
	/** Rows of a table, slots, partitions: 1 … 2^24; 0: as is common for the scheme.
	 */
	uint32_t rows;
	/** Members of a group, 2 … 2^16. */
	uint32_t branch;
	const strew_allocator *allocator; /**< NULL: the heap */
} strew_study_options;

#define STREW_STUDY_OPTIONS_INIT                                                         \
	{                                                                                \
		sizeof(strew_study_options), 0, 0, -1, 100, "#", 0, 0, 16, 0             \
	}

typedef struct strew_study_node {
	const char *name; /**< no two are alike */
	/** 16.16; 0: gets no keys. Schemes without weights only look at whether it is 0.
	 */
	uint32_t weight;
} strew_study_node;

/** The most nodes that are told for a key. */
#define STREW_STUDY_WANT_MAX 64

/**
 * Make a scheme's table for some nodes. Names are copied.
 *
 * @return also STREW_ENOTFOUND (scheme, hash), STREW_EINVAL (two nodes of one name),
 * STREW_ERANGE (an option out of its range, a table over 4 GiB), STREW_EMAP (more nodes
 * than the scheme takes).
 */
STREW_API STREW_MUST_USE strew_status strew_study_new(strew_study **out,
						      const strew_study_options *options,
						      const strew_study_node *nodes,
						      size_t count, strew_error *error);

/** The same scheme with other nodes, those of the same name being the same. Schemes whose
 * tables have a history (slots, partitions, groups) change as little as they can; Ceph's
 * selectors keep ids. @return as strew_study_new(). */
STREW_API STREW_MUST_USE strew_status strew_study_change(strew_study **out,
							 const strew_study *old,
							 const strew_study_node *nodes,
							 size_t count,
							 strew_error *error);
STREW_API void strew_study_free(strew_study *study);

/** The hash of a key, for strew_study_pick_hash(). */
STREW_API uint64_t strew_study_hash(const strew_study *study, const void *key,
				    size_t length);
/**
 * The nodes of a key: different ones, the first first, as indexes in `nodes` as given.
 *
 * @param out room for `want`, 1 … STREW_STUDY_WANT_MAX, entries
 * @return how many: as many as wanted or as have weight, but for schemes that are wrong
 * on purpose; and Ceph's, whose tries may run out. 0 for a `want` out of range.
 */
STREW_API size_t strew_study_pick(const strew_study *study, const void *key,
				  size_t length, size_t want, uint32_t *out);
STREW_API size_t strew_study_pick_hash(const strew_study *study, uint64_t hash,
				       size_t want, uint32_t *out);

/** Bytes that look-ups read: the table. */
STREW_API uint64_t strew_study_bytes(const strew_study *study);

#define STREW_SCHEME_CEPH     1u /**< one of Ceph's: may be in a Ceph map */
#define STREW_SCHEME_WEIGHTED 2u /**< heeds weights */
#define STREW_SCHEME_WRONG    4u /**< wrong on purpose, to see what comes of it */

typedef struct strew_scheme {
	const char *name;
	const char *summary; /**< one line */
	unsigned flags;      /**< STREW_SCHEME_… */
	size_t nodes_max;    /**< more are refused */
} strew_scheme;

/** @return STREW_ENOTFOUND after the last. */
STREW_API strew_status strew_scheme_at(size_t index, strew_scheme *scheme);

typedef struct strew_named_hash {
	const char *name;
	const char *summary;
	uint64_t (*hash)(const void *bytes, size_t count);
} strew_named_hash;

/** @return STREW_ENOTFOUND after the last. */
STREW_API strew_status strew_study_hash_at(size_t index, strew_named_hash *hash);
/** splitmix64's last step, which mixes hashes. */
STREW_API uint64_t strew_study_mix(uint64_t hash);

/** Load factors of the cache array routing protocol: the multipliers that give each node
 * its weight's share. Weights 16.16, none 0. @return or STREW_ENOMEM */
STREW_API STREW_MUST_USE strew_status
strew_study_factors(const uint32_t *weights, size_t count, double *factors,
		    const strew_allocator *allocator);
/** The exact shares that nodes get when a key goes to the highest hash times factor:
 * factors above 0. O(n log n). @return or STREW_ENOMEM */
STREW_API STREW_MUST_USE strew_status
strew_study_naive_shares(const double *factors, size_t count, double *shares,
			 const strew_allocator *allocator);

STREW_END_DECLS

#endif
