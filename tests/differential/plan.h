/* SPDX-License-Identifier: MIT */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <strew/strew.h>

#include "support.h"

/**
 * A random map, described without a library: buckets, rules, tunables, reweights and a
 * weight set. Both sides build theirs from it. The same seed gives the same plan.
 */

#define PLAN_LEVELS_MAX    4
#define PLAN_BUCKETS_MAX   160
#define PLAN_ITEMS_MAX     1000
#define PLAN_DEVICES_MAX   2000
#define PLAN_STRIDE_MAX    7
#define PLAN_POSITIONS_MAX 3
#define PLAN_RULES_MAX     6
#define PLAN_STEPS_MAX     40
#define PLAN_WANT_MAX      40

/* The reference's numbers. */
enum plan_alg { PLAN_UNIFORM = 1, PLAN_LIST, PLAN_TREE, PLAN_STRAW, PLAN_STRAW2 };

struct plan_bucket {
	int32_t id;
	int32_t type;
	enum plan_alg alg;
	uint8_t hash;
	int count;
	int32_t items[PLAN_ITEMS_MAX];
	uint32_t weights[PLAN_ITEMS_MAX];
	/* Its part of the weight set; straw2 only. */
	int positions; /* 0: no weights of its own there */
	uint32_t rows[PLAN_POSITIONS_MAX][PLAN_ITEMS_MAX];
	bool has_ids;
	int32_t ids[PLAN_ITEMS_MAX];
};

struct plan_step {
	int32_t op;
	int32_t arg1;
	int32_t arg2;
};

struct plan_rule {
	int kind;
	int step_count;
	struct plan_step steps[PLAN_STEPS_MAX];
	int want;
};

struct plan_tunables {
	uint32_t local_tries;
	uint32_t fallback_tries;
	uint32_t total_tries;
	uint32_t descend_once;
	uint32_t vary_r;
	uint32_t stable;
	uint32_t straw_calc_version;
};

struct plan {
	uint64_t random;
	int levels; /* types are 0, the device, to this */
	int root_count;
	int bucket_count;
	struct plan_bucket buckets[PLAN_BUCKETS_MAX];
	int32_t bucket_stride;
	int device_count;
	int32_t device_ids[PLAN_DEVICES_MAX];
	int32_t device_stride;
	uint32_t reweights[PLAN_DEVICES_MAX * PLAN_STRIDE_MAX]; /* by id */
	int32_t device_limit;
	bool has_weight_set;
	struct plan_tunables tunables;
	int rule_count;
	struct plan_rule rules[PLAN_RULES_MAX];
};

/** Make the plan of a seed. */
void plan_make(struct plan *plan, uint64_t seed);

/* The parts of it. */
void plan_make_tree(struct plan *plan);
void plan_make_weights(struct plan *plan);
void plan_make_rules(struct plan *plan);

/** 0 … below - 1. */
int plan_below(struct plan *plan, int below);
/** True once in n times. */
bool plan_once_in(struct plan *plan, int n);
/** One of the entries. */
#define PLAN_PICK(plan, list)                                                            \
	((list)[plan_below(plan, (int)(sizeof(list) / sizeof((list)[0])))])

#endif
