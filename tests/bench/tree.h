/* SPDX-License-Identifier: MIT */
#ifndef BENCH_TREE_H
#define BENCH_TREE_H

#include <stdbool.h>

#include <strew/strew.h>

#include "peer.h"

/** Clusters to measure placing on, in our library and in the reference's. */

#define TREE_LEVELS_MAX  4
#define TREE_WANT_MAX    11
#define TREE_RULES_MAX   3
#define TREE_KERNELS_MAX 8

enum tree_weights {
	TREE_EQUAL,
	TREE_BY_HOST, /* each host has its own */
	TREE_MIXED,   /* each device has its own; ids in no order */
	TREE_ZEROS,   /* one in fifty has none */
	TREE_OUT,     /* equal, but a tenth of the devices is out, a third reweighted */
};

struct tree_kind {
	const char *name;
	/** How many items a bucket has, from the root down; 0 ends. */
	int fans[TREE_LEVELS_MAX + 1];
	enum tree_weights weights;
	const char *alg;
	bool legacy; /* the first tunables there were */
	bool racks;  /* has a rule across racks, too */
};

struct tree_rule {
	const char *name;
	int32_t id;
	int want;
};

/** Our side, with one kernel. */
struct ours {
	const char *kernel;
	strew_placer *placer;
	strew_scratch *scratch;
};

struct tree {
	const char *name;
	struct tree_rule rules[TREE_RULES_MAX];
	size_t rule_count;
	struct ours ours[TREE_KERNELS_MAX];
	size_t ours_count;
	const struct peer *peer;
	void *map;
	void *workspace;
	uint32_t *reweights;
	int devices;
};

extern const struct tree_kind tree_kinds[];
extern const size_t tree_kind_count;

/** Ends the program where something is amiss. kernel: only this one, or NULL. */
void tree_make(struct tree *tree, const struct tree_kind *kind, const struct peer *peer,
	       const char *kernel);
void tree_free(struct tree *tree);
int tree_place_peer(const struct tree *tree, const struct tree_rule *rule, uint32_t x,
		    int32_t *out);

#endif
