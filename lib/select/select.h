/* SPDX-License-Identifier: MIT */
#ifndef SELECT_H
#define SELECT_H

#include <strew/alloc.h>
#include <strew/error.h>

#include "flat.h"

/** Code for a set of instructions. Which kernel answers changes nothing but how long it
 * takes. */
struct select_kernel;

struct select_many;

/** One question to a bucket. */
struct select_in {
	uint32_t x;
	uint32_t r;
	/** Which row of a weight set; used with args only. */
	uint32_t position;
	/** The bucket's part of the weight set in use, or NULL. Only straw2 heeds it. */
	const struct flat_args *args;
	/** What helps to answer, or NULL. */
	const struct select_kernel *kernel;
};

/** What a selector makes its table from. Arrays have `count` entries, at least 1. */
struct select_source {
	int32_t bucket;
	uint32_t count;
	const int32_t *ids;
	const uint32_t *weights;
	uint8_t straw_calc_version;
};

#define SELECT_STUDY    1u  /**< never in a Ceph map */
#define SELECT_WEIGHTED 2u  /**< heeds weights */
#define SELECT_PERMUTES 4u  /**< indep stretches its attempts, as in Ceph's uniform */
#define SELECT_SETS     8u  /**< heeds weight sets; has a table for each of their rows */
#define SELECT_RACES    16u /**< of select_explain()'s straws the longest wins */
#define SELECT_WRONG    32u /**< a study of what goes wrong: not to be used */

/** One hash of a choice, and what came of it: of an item, or of an inner node of a tree
 * bucket. Each selector's file says what is compared. */
struct select_candidate {
	uint32_t item; /**< its index; SELECT_NODE: none */
	uint32_t node; /**< a tree's; 0: none */
	int32_t id;    /**< the one that was hashed */
	uint32_t hash; /**< 32 bits for trees and permutations, else the 16 that count */
	uint64_t log;  /**< straw2 only: of the hash */
	uint32_t weight; /**< the item's; of a node: of what is to its left */
	uint32_t scale;  /**< what hash or logarithm is multiplied with or divided by */
	int64_t straw;   /**< what comes of it; INT64_MIN: the item can't be chosen */
};

#define SELECT_NODE UINT32_MAX

/** How many more candidates there can be than items. */
#define SELECT_CANDIDATES_MORE 32

/** A selector: the only symbol that its file exports. */
struct select_ops {
	const char *name; /**< as in maps and on the command line */
	const char *summary;
	unsigned flags;
	/** The most items it takes; 0: no limit. */
	uint32_t max_items;
	/** 32-bit words of its table for a bucket of `count` items; NULL: it has none.
	 * With SELECT_SETS it may have only those for 0 items where all weigh the same.
	 */
	uint32_t (*table_words)(uint32_t count);
	/** Fill the table; runs once, when a map is compiled. NULL when there is none. */
	strew_status (*prepare)(const struct select_source *source, uint32_t *table,
				const strew_allocator *allocator, strew_error *error);
	/** The index of the item chosen. Pure: no allocation, no failure, no state but
	 * its arguments. The bucket has at least one item. */
	uint32_t (*choose)(const struct flat_bucket *bucket, const struct select_in *in);
	/** The candidates of a choice, in the order in which they are looked at: one at
	 * least, and unless they race the last one is the answer. @return how many */
	uint32_t (*explain)(const struct flat_bucket *bucket, const struct select_in *in,
			    struct select_candidate *candidates);
	/** Answers many as choose does, and sooner. NULL: it has no way to. */
	void (*choose_many)(struct select_many *many);
	/** A study selector's scheme, which makes its tables; NULL: not one. */
	const struct study_ops *study;
};

/** table_words and prepare of any selector; 0 words: there is no table. */
uint32_t select_table_words(const struct select_ops *ops, uint32_t count);
strew_status select_prepare(const struct select_ops *ops,
			    const struct select_source *source, uint32_t *table,
			    const strew_allocator *allocator, strew_error *error);

/** The kernels that this processor can run, the best first; NULL after the last. */
const struct select_kernel *select_kernel_at(size_t index);
/** By name; NULL for the best. NULL when there is none, or not on this processor. */
const struct select_kernel *select_kernel_find(const char *name);
const char *select_kernel_name(const struct select_kernel *kernel);
/** Does it answer many questions sooner than one after the other? NULL doesn't. */
bool select_asks_together(const struct select_kernel *kernel);

/** What may be read behind the x and the r of a batch. */
#define SELECT_PAD 64

/** Many questions: entry i of each array is one. */
struct select_batch {
	const struct flat *flat;
	const struct flat_set *set; /**< the weight set in use, or NULL */
	size_t count;
	const uint32_t *x;
	const uint32_t *r;
	const uint32_t *position; /**< NULL: 0 for all */
	int32_t *refs; /**< of buckets; becomes those of items, FLAT_NONE of an empty one
			*/
};

/** Answers each as select_choose() would. */
void select_choose_many(const struct select_kernel *kernel,
			const struct select_batch *batch);

/** A bucket in one of two maps, and its part of the weight set in use there, or NULL. */
struct select_side {
	const struct flat_bucket *bucket;
	const struct flat_args *args;
};

/** Which answers another map may change. */
enum select_extent {
	SELECT_SAME, /**< none */
	SELECT_SOME, /**< as the struct select_change says */
	SELECT_ANY,
};

/** The most items of a bucket that may rise. */
#define SELECT_RISERS 8
#define SELECT_NEW    UINT32_MAX

/** An item that was chosen, for all that only depends on it. */
struct select_item {
	int32_t to; /**< the item's ref in the new map; FLAT_NONE: it's gone */
	bool falls; /**< it may lose now against any other: ask the bucket again */
	/* How it draws in the new map. */
	uint32_t id;
	uint32_t scale;
};

/** An item that may win now against the one that was chosen. */
struct select_riser {
	uint32_t was; /**< its index in the old bucket, or SELECT_NEW */
	uint32_t id;
	uint32_t scale;
};

/**
 * What became of a bucket's items. An item that was chosen is chosen again unless it
 * falls, or a riser other than itself beats it.
 */
struct select_change {
	struct select_item *items; /**< by index in the old bucket; room for all */
	uint32_t riser_count;
	struct select_riser risers[SELECT_RISERS];
};

/** Compare a bucket in two maps. The change is only filled in for SELECT_SOME. Weight
 * sets are compared at position 0. */
enum select_extent select_compare(const struct select_side *from,
				  const struct select_side *to,
				  struct select_change *change);

#define SELECT_PROBES 64

/** Does one item draw longer than another? */
struct select_probe {
	uint32_t x[SELECT_PROBES];
	uint32_t r[SELECT_PROBES];
	uint32_t holder_ids[SELECT_PROBES];
	uint32_t holder_scales[SELECT_PROBES];
	uint32_t riser_ids[SELECT_PROBES];
	uint32_t riser_scales[SELECT_PROBES];
	uint32_t beaten[SELECT_PROBES]; /**< the answers: 0: surely not */
};

/** Answers all of them; a kernel that can't tell says that each may be beaten. */
void select_probe(const struct select_kernel *kernel, struct select_probe *probe);

/** What a straw2 bucket's items weighed once: ids, weights and scales. */
struct select_weighing {
	uint32_t count; /**< items; 0: the bucket isn't one that can be told of */
	size_t room;
	uint32_t *words;
};

/** In what margins count: a margin of 1 stands for a change of weights by 1/1024. */
#define SELECT_MARGIN_STEPS 1024
#define SELECT_NO_MARGIN    256

/** Weigh a bucket, weight sets at position 0. @return false without memory */
bool select_weigh(struct select_weighing *weighing, const struct select_side *side,
		  const strew_allocator *allocator);
void select_weighing_free(struct select_weighing *weighing,
			  const strew_allocator *allocator);

/** By how much weights may change before the answers for these inputs and an attempt
 * do: all 0 where that can't be told. */
void select_measure(const struct select_kernel *kernel,
		    const struct select_weighing *weighing, const uint32_t *x, uint32_t r,
		    uint32_t count, uint8_t *margins);

/** The margin from which on a bucket answers as the one that was weighed did, or
 * SELECT_NO_MARGIN, which none has. */
uint32_t select_needed_margin(const struct select_weighing *weighing,
			      const struct select_side *side);

/** By name; NULL when there is none. */
const struct select_ops *select_find(const char *name);
/** By place in the list, as in flat_bucket.selector. */
const struct select_ops *select_at(uint16_t index);
uint16_t select_index(const struct select_ops *ops);
/** All names, ended by NULL, for messages. */
const char *const *select_names(void);

/** The bucket's own selector. */
uint32_t select_choose(const struct flat_bucket *bucket, const struct select_in *in);

/** The item at place r of a pseudo-random permutation of the bucket's items, whatever its
 * selector: how uniform buckets choose, and the fallback of firstn's local retries. */
uint32_t select_permute(const struct flat_bucket *bucket, const struct select_in *in);

/** What led to an answer of select_choose(), and to one of select_permute(). There is
 * room for one an item, and SELECT_CANDIDATES_MORE. @return how many there are; an item
 * may not be among them where it was no longer looked at. */
uint32_t select_explain(const struct flat_bucket *bucket, const struct select_in *in,
			struct select_candidate *candidates);
uint32_t select_explain_permuted(const struct flat_bucket *bucket,
				 const struct select_in *in,
				 struct select_candidate *candidates);

/** 2^44 × log2(u + 1), as the reference's table has it; u is 0 … 65535. */
uint64_t select_straw2_log(uint32_t u);

#endif
