/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_COMPARE_PRIV_H
#define ANALYZE_COMPARE_PRIV_H

#include <strew/study.h>

#include "analyze.h"

/** The nodes at one time. A node is its place among all that there ever are. */
struct compare_state {
	size_t count;
	uint32_t *members;
	strew_study_node *nodes; /* the same, as a study takes them */
	double weight;           /* of all */
	size_t live;             /* with weight */
};

/** A step from one state to the next: an event, or one of a churn's. */
struct compare_step {
	size_t event;
	uint32_t node;      /* whom it is about */
	bool takes_from_it; /* it loses what it has */
};

struct compare {
	strew_compare_options options;
	const strew_run *run;
	const strew_allocator *allocator;
	struct base_arena arena;
	/* All nodes that there ever are. */
	const char **names;
	size_t node_count;
	struct compare_state *states; /* step_count + 1 */
	struct compare_step *steps;
	size_t step_count;
	size_t member_count; /* of all states but the first, together */
	double requests;     /* of all keys; 0: not known */
};

/** What one scheme comes to. Arrays by event have event_count entries, by node
 * node_count. */
struct compare_tally {
	const strew_study_options *options;
	strew_scheme scheme;
	strew_study **studies; /* by state, while keys are counted */
	uint64_t *keys;        /* by node, before any event */
	double *requests;
	double *hot_requests; /* … when hot keys are copied */
	uint64_t *after;      /* by event, then by node: keys after it */
	uint64_t *moved;      /* by event */
	uint64_t *between;    /* by event: of them, between nodes that it isn't about */
	uint64_t *taken;      /* by event, then by node: of those that its node lost */
	double *minimum;      /* by event */
	uint64_t short_keys;  /* with fewer nodes than replicas */
	uint64_t bytes;
	double ns; /* of a look-up; NAN: not timed */
};

/** Lay out all states. */
strew_status analyze_compare_states(struct compare *compare, strew_error *error);

/** Does the event take all keys from the node that it is about? */
bool analyze_compare_takes_all(const strew_compare_event *event);

/** Fill in a tally. */
strew_status analyze_compare_count(struct compare *compare, struct compare_tally *tally,
				   strew_error *error);

/** A node's share of keys in a state, for a scheme that heeds weights or not. */
double analyze_compare_share(const struct compare_state *state, size_t member,
			     bool weighted);

/** How often a key is asked for; 0: not known. */
double analyze_compare_requests(const struct compare *compare, uint64_t key);

/** The chance that of n, each with a chance of p, more (or less) than k come. */
double analyze_compare_beyond(double n, double k, double p, bool more);

/** What 998 of 1000 ideal hashes come to. */
struct compare_band {
	double low;
	double high;
};

/** The least and the most keys of a node in proportion to its share, by an ideal hash.
 * For `shares` of `count` nodes, computed. */
void analyze_compare_bands(struct compare_band *least, struct compare_band *most,
			   const double *shares, size_t count, uint64_t keys);
/** The most requests of a node over the mean, from simulated placements of the keys. */
strew_status analyze_compare_request_band(struct compare_band *most,
					  const struct compare *compare,
					  const double *shares, size_t count);

strew_status analyze_compare_report(strew_result **out, const struct compare *compare,
				    const struct compare_tally *tallies,
				    strew_error *error);

#endif
