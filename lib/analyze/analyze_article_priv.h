/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_ARTICLE_PRIV_H
#define ANALYZE_ARTICLE_PRIV_H

#include <strew/study.h>

#include "analyze.h"

/** How many keys the articles' list has. */
#define ARTICLE_KEYS  4258
#define ARTICLE_NODES 64

/** Where the figures of an experiment go. Running out of memory sticks. */
struct article {
	strew_table *table;
	const char *id;
	const strew_named_object *keys; /* or NULL: those are made up */
	size_t key_count;
	const strew_allocator *allocator;
	strew_status status;
};

/** A band of 998 of 1000. */
struct article_band {
	double low;
	double high;
};

/** A figure: `printed` is what the article has. */
void analyze_article_figure(struct article *article, const char *what,
			    const char *printed, double ours, struct article_band band);
/** One that has to be equal. */
void analyze_article_exact(struct article *article, const char *what, const char *printed,
			   double ours, double right);

/** Of a count of n with a chance of p each; of the least and the most of `times`. */
struct article_band analyze_article_count_band(double n, double p);
struct article_band analyze_article_least_band(double n, double p, int times);
struct article_band analyze_article_most_band(double n, double p, int times);

/** A scheme with nodes of weight 1 that are named proxy-1 … ; NULL: no memory, which the
 * article then knows. Options may be NULL. */
strew_study *analyze_article_study(struct article *article, const char *scheme,
				   size_t nodes, const strew_study_options *options);
/** The same by weights. */
strew_study *analyze_article_weighted(struct article *article, const char *scheme,
				      const double *weights, size_t nodes,
				      const strew_study_options *options);
/** The same study without one node; its others keep their names. */
strew_study *analyze_article_without(struct article *article, const strew_study *from,
				     size_t nodes, size_t gone);
/** … or with one more. */
strew_study *analyze_article_with_more(struct article *article, const strew_study *from,
				       size_t nodes);

/** What moves when a scheme gets one more node than `nodes`, and what of it moves to
 * another than that one. */
struct article_growth {
	double moved;
	double astray;
};

struct article_growth analyze_article_grow(struct article *article, const char *scheme,
					   size_t nodes, size_t keys);

/** The hash of the index-th key, as all studies have it. */
uint64_t analyze_article_key(const struct article *article, size_t index);
/** The node of a key's hash; 0 for a study that is NULL. */
uint32_t analyze_article_first(const strew_study *study, uint64_t hash);
/** Keys of each node. A study that is NULL has none. */
void analyze_article_count(const struct article *article, const strew_study *study,
			   size_t keys, uint64_t *counts, size_t nodes);

/* The experiments, by subject. */
void analyze_article_modulo(struct article *article);
void analyze_article_vectors(struct article *article);
void analyze_article_hashes(struct article *article);
void analyze_article_even(struct article *article);
void analyze_article_failure(struct article *article);
void analyze_article_growth(struct article *article);
void analyze_article_pairs(struct article *article);
void analyze_article_weights(struct article *article);
void analyze_article_naive(struct article *article);
void analyze_article_factors(struct article *article);
void analyze_article_apart(struct article *article);
void analyze_article_arcs(struct article *article);
void analyze_article_hundred_arcs(struct article *article);
void analyze_article_spacings(struct article *article);
void analyze_article_labels(struct article *article);
void analyze_article_weighted_labels(struct article *article);
void analyze_article_short(struct article *article);
void analyze_article_ring_moves(struct article *article);
void analyze_article_deviation(struct article *article);
void analyze_article_churn(struct article *article);
void analyze_article_table(struct article *article);
void analyze_article_groups(struct article *article);
void analyze_article_jump(struct article *article);
void analyze_article_slots(struct article *article);
void analyze_article_partitions(struct article *article);
void analyze_article_agreement(struct article *article);
void analyze_article_requests(struct article *article);
void analyze_article_circle(struct article *article);

#endif
