/* SPDX-License-Identifier: MIT */
#ifndef STUDY_H
#define STUDY_H

#include "hash.h"
#include "select.h"

/**
 * Study selectors: how others than Ceph place keys on nodes, to compare with. Each is a
 * selector like straw2, so that a bucket of our own maps can use it; and each can be
 * asked without a map, for the first k nodes of a key (strew/study.h).
 *
 * A study is a table of 32-bit words: its nodes, those without weight left out, and
 * behind them what the scheme made for itself. doc/selectors/README.md lists the schemes.
 */

/** The most nodes that are asked for at once. */
#define STUDY_WANT_MAX 64

struct study_settings {
	/** Of keys, names and labels. */
	uint64_t (*hash)(const void *bytes, size_t count);
	const char *label_join; /**< between a node's name and its label's number */
	uint32_t first_label;
	uint32_t labels; /**< of a node of weight 1 … */
	bool by_mean;    /**< … or of one of mean weight */
	uint32_t rows;   /**< of tables, slots, partitions */
	uint32_t branch; /**< nodes of a group */
	bool raw;        /**< hashes are used as they come, without a last mix */
};

/** What a scheme was told of its nodes, and what it made of that. */
struct study {
	const struct study_settings *settings;
	uint32_t count;
	const uint32_t *names;   /**< what those who ask call each */
	const uint32_t *hashes;  /**< of each name: two words, the lower first */
	const uint32_t *weights; /**< 16.16, none is 0 */
	const uint32_t *table;
};

/** Nodes to make a study of. */
struct study_source {
	const struct study_settings *settings;
	uint32_t count;
	const uint64_t *hashes;
	const uint32_t *weights;  /**< NULL while only words are counted: none is 0 */
	const char *const *texts; /**< their names; NULL: they have none */
	/** The study that this one follows, or NULL; and for each node of that one, what
	 * the new one calls it, STUDY_GONE for one that is gone. */
	const struct study *old;
	const uint32_t *heirs;
};

#define STUDY_GONE UINT32_MAX

struct study_ops {
	/** How it is commonly used; NULL: fnv1a, mixed. */
	const char *hash;
	bool raw;
	uint32_t rows; /**< 0: 65536 */
	/** Words of its table, at most; NULL: it has none. */
	uint64_t (*words)(const struct study_source *source);
	/** Fill the table. The study is complete but for that; it has a node at least. */
	strew_status (*fill)(const struct study *study, const struct study_source *source,
			     uint32_t *table, const strew_allocator *allocator,
			     strew_error *error);
	/** The first `want` different nodes for a key's hash, by their index in the
	 * study, the best first. `want` is 1 … the lesser of count and STUDY_WANT_MAX.
	 * @return how many: as many as wanted, but for what is wrong on purpose */
	uint32_t (*pick)(const struct study *study, uint64_t key, uint32_t want,
			 uint32_t *nodes);
};

/** 32-bit words of a study, at most. */
uint64_t study_words(const struct study_ops *ops, const struct study_source *source);
/** Make it. @param words what study_words() said */
strew_status study_make(const struct study_ops *ops, const struct study_source *source,
			uint32_t *words, const strew_allocator *allocator,
			strew_error *error);
/** What study_make() made. */
struct study study_read(const uint32_t *words, const struct study_settings *settings);
/** The first `want` different nodes for a key's hash, as those who ask call them.
 * @return how many; fewer than wanted when there are no more. */
uint32_t study_pick(const struct study_ops *ops, const struct study *study, uint64_t key,
		    uint32_t want, uint32_t *names);

/* What the selectors of study_*.c have in common as selectors of buckets. */
uint32_t study_table_words(const struct study_ops *ops, uint32_t count);
strew_status study_prepare(const struct study_ops *ops,
			   const struct select_source *source, uint32_t *table,
			   const strew_allocator *allocator, strew_error *error);
uint32_t study_choose(const struct flat_bucket *bucket, const struct select_in *in);
uint32_t study_explain(const struct flat_bucket *bucket, const struct select_in *in,
		       struct select_candidate *candidates);

static inline uint64_t study_hash_at(const struct study *study, uint32_t node)
{
	return study->hashes[2 * node] | (uint64_t)study->hashes[2 * node + 1] << 32;
}

/** Mixed, unless hashes are to be used as they come. */
static inline uint64_t study_mix(const struct study *study, uint64_t hash)
{
	return study->settings->raw ? hash : hash_finish(hash);
}

/** Where a hash falls among `count` places of one size. */
static inline uint32_t study_scale(uint64_t hash, uint32_t count)
{
	return (uint32_t)((hash >> 32) * count >> 32);
}

/** -log2 of (u + 1) / 2^64, times 2^57; wrong by less than 2^-54. */
uint64_t study_log(uint64_t u);

/** How well a node does: the larger the better, `high` first. */
struct study_score {
	uint64_t high;
	uint64_t low;
};

/** A number times a weight. */
struct study_score study_times(uint64_t number, uint32_t weight);
/** The larger, the smaller number / weight is. */
struct study_score study_by_weight(uint64_t number, uint32_t weight);

/** Pick by score: each node's is told, in their order; of equals the first wins. */
struct study_ranking {
	uint32_t want;
	uint32_t count;
	uint32_t *nodes;
	struct study_score scores[STUDY_WANT_MAX];
};

/** Where a node of a score belongs; want: nowhere. */
static inline bool study_is_better(const struct study_score *a,
				   const struct study_score *b)
{
	return a->high > b->high || (a->high == b->high && a->low > b->low);
}

void study_rank_insert(struct study_ranking *ranking, uint32_t node,
		       struct study_score score);

static inline void study_rank(struct study_ranking *ranking, uint32_t node,
			      struct study_score score)
{
	if (ranking->count < ranking->want ||
	    study_is_better(&score, &ranking->scores[ranking->count - 1]))
		study_rank_insert(ranking, node, score);
}

/** Is the node not among the first `count` of the list? */
static inline bool study_is_new(uint32_t node, const uint32_t *nodes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (nodes[i] == node)
			return false;
	}
	return true;
}

/** Rendezvous: the order in which nodes stand for a hash, its first `want`. Schemes that
 * fill tables begin here. */
uint32_t study_rendezvous(const struct study *study, uint64_t key, uint32_t want,
			  uint32_t *nodes);
/** The same by weights, from so many bits of the hash. */
uint32_t study_rendezvous_log(const struct study *study, uint64_t key, unsigned bits,
			      uint32_t want, uint32_t *nodes);
/** By the product of hash and factor. */
uint32_t study_pick_product(const struct study *study, const uint32_t *factors,
			    uint64_t key, uint32_t want, uint32_t *nodes);
/** Where a table has too few owners: those that have no place in it. @return `want` */
uint32_t study_fill_up(uint32_t *nodes, uint32_t found, uint32_t want);
/** From an owner of many places on: the first `want` different owners; then others. */
uint32_t study_walk(const uint32_t *owners, uint32_t count, uint32_t first, uint32_t want,
		    uint32_t *nodes);
/** Give each node its weight's part of places: as few as can be move from the old study;
 * where there is none, each gets its part in one piece. */
strew_status study_apportion(const struct study *study, const struct study_source *source,
			     uint32_t *owners, const strew_allocator *allocator);
/** Each node's part of `count` things, one after the other; together they are all. */
struct study_parts {
	const struct study *study;
	uint32_t count;
	uint32_t node;
	uint64_t whole;
	uint64_t before;
};

struct study_parts study_parts_of(const struct study *study, uint32_t count);
uint32_t study_parts_next(struct study_parts *parts);

#endif
