/* SPDX-License-Identifier: MIT */
#ifndef FLAT_H
#define FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The flat form: a map as one block of arrays with offsets in place of pointers.
 * It can be copied, compared with memcmp and mapped elsewhere; every byte that
 * holds nothing is 0.
 *
 *     struct flat     header: counts, tunables, offsets from the block's start
 *     flat_bucket[]   one record a bucket, in the map's order: from id -1 downward
 *     flat_rule[]     in order of id; steps follow
 *     device arrays   ids and reweights, in order of id
 *     per bucket      ids, refs, weights (one entry an item); the selector's own table
 *     flat_set[]      weight sets, in order of id
 *     per set         one argument offset a bucket; then, for each bucket that it has,
 *                     its flat_args, positions × items weights, ids
 *
 * A *ref* names an item inside the block: a device's index (0 and up) or -1 - a bucket's
 * index. Refs and ids stand for each other one to one, so rules work on refs and turn
 * them into ids last.
 *
 * FLAT_PAD entries after each array may be read, whatever they are, so that vector code
 * needs no tail loop; and as many before it, since the header is longer than that.
 * Devices without gaps in their ids have no array of ids, and buckets of items whose refs
 * are their ids have one array as both.
 */

#define FLAT_ALIGN 64
#define FLAT_PAD   16
/** Words of a bucket's table that are in its record, too. */
#define FLAT_HEAD 3

/** A hole, and "not decided yet" of the rule interpreter; neither is ever a ref. */
#define FLAT_NONE  ((int32_t)0x7fffffff)
#define FLAT_UNDEF ((int32_t)0x7ffffffe)

/** The reweight from which on a device is in for all inputs. */
#define FLAT_IN 0x10000u

struct flat_tunables {
	uint32_t choose_local_tries;
	uint32_t choose_local_fallback_tries;
	uint32_t choose_total_tries;
	uint32_t chooseleaf_descend_once;
	uint32_t chooseleaf_vary_r;
	uint32_t chooseleaf_stable;
	uint32_t msr_descents;
	uint32_t msr_collision_tries;
};

struct flat_bucket {
	int32_t id;
	int32_t type;
	uint32_t count;
	uint16_t selector; /* index into select's list */
	uint8_t hash;
	uint8_t uniform; /* 1: indep stretches r in it (select's SELECT_PERMUTES) */
	/* Offsets from this record: the item arrays and the selector's table. */
	uint32_t ids;
	uint32_t refs;
	/* The table's first words and the first item's id once more: these are what
	 * kernels need of most buckets, and what is read together lies together. */
	uint32_t head[FLAT_HEAD];
	int32_t first_id;
	uint32_t table;
	/* 1 + the type of all items of all buckets of this one's type; 0: there are
	 * several, or none. */
	uint32_t below;
	uint32_t weights;
	uint32_t table_words;
	uint32_t reserved[2];
};

struct flat_step {
	int32_t op;   /* strew_op's numbers */
	int32_t arg1; /* take: a ref, or FLAT_NONE when the item isn't valid */
	int32_t arg2;
};

struct flat_rule {
	int32_t id;
	int32_t kind;   /* strew_kind's numbers */
	uint32_t steps; /* offset from the block's start */
	uint32_t step_count;
};

/** A weight set: where each bucket's arguments are, offsets from the block's
 * start, 0 for none. */
struct flat_set {
	int64_t id;
	uint32_t args; /* offset of uint32_t[bucket_count] */
	uint32_t reserved;
};

/** One bucket's part of a weight set. Offsets from this record, 0 for none. */
struct flat_args {
	uint32_t positions;
	uint32_t weights; /* positions rows, `stride` entries each */
	uint32_t stride;
	uint32_t table; /* where in a row the selector's table for it is, in entries */
	uint32_t ids;
};

struct flat {
	uint64_t size; /* of the whole block */
	uint32_t bucket_count;
	uint32_t device_count;
	uint32_t rule_count;
	uint32_t set_count;
	uint32_t max_items;     /* of any bucket */
	uint32_t max_msr_steps; /* choosemsr steps in any block of any rule */
	uint32_t max_positions; /* rows of weights of any bucket in any set */
	uint32_t any_uniform;   /* is any bucket's `uniform` set? */
	uint32_t any_empty;     /* has any bucket no items? */
	uint32_t any_out;       /* may any device's reweight be below FLAT_IN? */
	struct flat_tunables tunables;
	/* Offsets from the block's start. */
	uint32_t buckets;
	uint32_t rules;
	uint32_t device_ids; /* 0: each is its index */
	uint32_t device_reweights;
	uint32_t sets;
};

static inline const struct flat_bucket *flat_bucket_at(const struct flat *flat,
						       uint32_t index)
{
	return (const struct flat_bucket *)((const char *)flat + flat->buckets) + index;
}

/** The bucket that a ref below 0 names. */
static inline const struct flat_bucket *flat_bucket_of(const struct flat *flat,
						       int32_t ref)
{
	return flat_bucket_at(flat, (uint32_t)(-1 - ref));
}

static inline uint32_t flat_bucket_index(const struct flat *flat,
					 const struct flat_bucket *bucket)
{
	return (uint32_t)(bucket - flat_bucket_at(flat, 0));
}

static inline const int32_t *flat_ids(const struct flat_bucket *bucket)
{
	return (const int32_t *)((const char *)bucket + bucket->ids);
}

static inline const int32_t *flat_refs(const struct flat_bucket *bucket)
{
	return (const int32_t *)((const char *)bucket + bucket->refs);
}

static inline const uint32_t *flat_weights(const struct flat_bucket *bucket)
{
	return (const uint32_t *)((const char *)bucket + bucket->weights);
}

static inline const uint32_t *flat_table(const struct flat_bucket *bucket)
{
	return (const uint32_t *)((const char *)bucket + bucket->table);
}

static inline int32_t flat_device_id(const struct flat *flat, uint32_t index)
{
	if (flat->device_ids == 0)
		return (int32_t)index;
	return ((const int32_t *)((const char *)flat + flat->device_ids))[index];
}

static inline const uint32_t *flat_device_reweights(const struct flat *flat)
{
	return (const uint32_t *)((const char *)flat + flat->device_reweights);
}

static inline const struct flat_rule *flat_rule_at(const struct flat *flat,
						   uint32_t index)
{
	return (const struct flat_rule *)((const char *)flat + flat->rules) + index;
}

static inline const struct flat_step *flat_steps(const struct flat *flat,
						 const struct flat_rule *rule)
{
	return (const struct flat_step *)((const char *)flat + rule->steps);
}

static inline const struct flat_set *flat_set_at(const struct flat *flat, uint32_t index)
{
	return (const struct flat_set *)((const char *)flat + flat->sets) + index;
}

/** A bucket's arguments in a weight set (NULL: no set), or NULL when it
 * has none there. */
static inline const struct flat_args *
flat_args_of(const struct flat *flat, const struct flat_set *set, uint32_t bucket)
{
	const uint32_t *args;

	if (set == NULL)
		return NULL;
	args = (const uint32_t *)((const char *)flat + set->args);
	return args[bucket]
		       ? (const struct flat_args *)((const char *)flat + args[bucket])
		       : NULL;
}

/** The id that a ref stands for; FLAT_NONE for itself. */
static inline int32_t flat_id_of(const struct flat *flat, int32_t ref)
{
	if (ref < 0)
		return flat_bucket_of(flat, ref)->id;
	return ref == FLAT_NONE ? FLAT_NONE : flat_device_id(flat, (uint32_t)ref);
}

/** A rule by its id, or NULL. O(log n). */
const struct flat_rule *flat_find_rule(const struct flat *flat, int32_t id);

/** A bucket by its id, or NULL. O(log n). */
const struct flat_bucket *flat_find_bucket(const struct flat *flat, int32_t id);

/** A device's index by its id, or -1. O(1) where ids have no gaps, else O(log n). */
int32_t flat_find_device(const struct flat *flat, int32_t id);

/** The weight set for an id as Ceph picks it: that id, else -1, else NULL. */
const struct flat_set *flat_pick_set(const struct flat *flat, int64_t id);

/** A block being laid out: how much of it is given away. */
struct flat_layout {
	uint64_t used;
};

/** The offset of `count` entries of `size` bytes, aligned to `align`, in a block being
 * laid out. Grows layout->used; the 32-bit limit is checked once at the end by
 * flat_layout_fits(). */
uint32_t flat_layout_add(struct flat_layout *layout, uint64_t count, uint64_t size,
			 uint64_t align);
bool flat_layout_fits(const struct flat_layout *layout);

#endif
