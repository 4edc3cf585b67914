/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_EXPECT_PRIV_H
#define ANALYZE_EXPECT_PRIV_H

#include "analyze.h"
#include "rule.h"

/* Exact shares, from the law of drawing without replacement: doc/analyses/expected.md. */

/** A device that a racer puts forward: for an input it is in with the chance `reweight`,
 * the same in each of its draws. */
struct expect_member {
	double rate;
	double reweight;
	double wins;  /* out: the chance that it is chosen */
	double after; /* for the race: none of those behind it has come */
};

/** What is drawn at a rate, in independent draws, until it is chosen. */
struct expect_racer {
	double rate;
	double chance; /* that it can be chosen at all; of one with members not used */
	size_t first;  /* its members, where it is one of them that is drawn; … */
	size_t count;  /* … 0: it has none */
	double wins;   /* out: the chance that it is chosen */
};

struct expect_race {
	struct expect_racer *racers;
	size_t count;
	struct expect_member *members;
	uint32_t places; /* how many different racers are chosen, 1 and up */
	const strew_allocator *allocator;
};

/** Fill in who wins. A racer of rate 0 never does. @return STREW_OK or STREW_ENOMEM */
strew_status analyze_expect_race(const struct expect_race *race);
/** The same by quadrature, where a closed form could tell, too. */
strew_status analyze_expect_integrate(const struct expect_race *race);

/** A choose step, and what must be known of its result: the items in its first `full`
 * places together, and with `next` that in the place behind them. */
struct expect_step {
	struct rule_settings settings;
	int32_t type;
	uint32_t ranks;
	bool is_leaf, is_indep;
	bool fills_room; /* it stops for lack of room */
	uint32_t full;
	bool next;
};

/** How many are expected of each device, and behind them of each bucket, by index. */
struct expect_level {
	double *full;
	double *next;
};

/** A device or bucket on the way down from a bucket of the working set. */
struct expect_node {
	int32_t item;    /* as in analyze_tree */
	uint32_t domain; /* the node that it is or hangs below, or ANALYZE_NOWHERE */
	uint32_t first;  /* what a bucket holds … */
	uint32_t count;  /* … where the step looks into it */
	double rate;     /* of being drawn from the top */
	double wins;     /* the chance of being chosen, of a domain or a device below */
	uint32_t number; /* a domain's, among domains */
};

/** The chances that a domain isn't chosen in the tries that there are, and never could
 * be: devices that are out for an input slow all of its draws. */
struct expect_miss {
	double tries;
	double ever;
};

struct expect {
	const struct analyze_share *share;
	const strew_allocator *allocator;
	const char *reason; /* why it can't be told exactly; NULL: it can */
	double *shares;
	int placed; /* shards of all blocks so far */
	struct rule_settings settings;
	struct expect_step *steps; /* since the last take */
	size_t step_count;
	int32_t taken;  /* as in analyze_tree … */
	bool has_taken; /* … if anything is */
	bool is_cut;    /* places are left out, … */
	bool is_short;  /* … and there may be fewer than asked for */
	size_t items;   /* devices and buckets */
	struct expect_level now, then;
	double *block;  /* the memory of these and of other numbers */
	bool *seen;     /* items that the block came to, by index as in a level … */
	double *hashed; /* … and the ids that stand for them in draws */
	size_t hashed_count;
	bool has_ids; /* that aren't the items' own */
	/* Of the window in hand, with room for all items and one more. */
	struct expect_node *nodes;
	uint32_t *domains; /* nodes */
	struct expect_racer *racers;
	struct expect_racer *inner;
	struct expect_member *members;
	uint32_t *member_nodes;
	struct expect_miss *misses;
	double *numbers;
};

/** The choice that a step makes below one bucket. */
struct expect_window {
	struct expect *expect;
	const struct expect_step *step;
	uint32_t node_count;
	uint32_t domain_count;
	size_t member_count;
	bool is_varied;   /* a weight set differs by position */
	bool is_shuffled; /* a uniform bucket makes draws depend on each other */
	bool is_uniform;  /* there is one that doesn't, as long as nothing is turned down
			   */
	bool has_outs;    /* devices may be turned down */
};

/** The first reason stays. */
void analyze_expect_refuse(struct expect *expect, const char *reason);
/** An item's index in a level. */
size_t analyze_expect_index(const struct expect *expect, int32_t item);

/** Look at all below a bucket of the working set, as the step does. */
void analyze_expect_open(struct expect_window *window, uint32_t bucket);
/** Set the nodes' rates, for a position of the result. */
void analyze_expect_rate(struct expect_window *window, uint32_t position);
/** Once rates are set, make domains racers; … */
strew_status analyze_expect_enter(struct expect_window *window);
/** … and set what nodes win when so many places are filled. */
strew_status analyze_expect_run(struct expect_window *window, uint32_t places);

#endif
