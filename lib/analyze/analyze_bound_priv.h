/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_BOUND_PRIV_H
#define ANALYZE_BOUND_PRIV_H

#include "analyze.h"
#include "base_vec.h"

/* What failure domains allow, whatever is drawn: no domain that a step chooses has more
 * than one of the places below it. */

/** A step of a block: so many different items of a type in each that was chosen before,
 * in the mean. */
struct bound_step {
	int32_t type;
	double ranks;
	size_t first_parent; /* for what climbs from step to step */
};

/** A rule's part from a take to its emit. */
struct bound_block {
	int32_t taken; /* as in analyze_tree */
	struct bound_step *steps;
	size_t step_count;
	double places;   /* that it fills of each input's */
	bool is_ragged;  /* the last places of some choices are left out */
	uint32_t demand; /* whose it is, and with which it shares devices: for its user */
	uint32_t head;
};

struct bound {
	const struct analyze_tree *tree;
	const strew_allocator *allocator;
	struct base_vec blocks;  /* struct bound_block */
	struct base_arena arena; /* their steps */
	size_t items;            /* devices, then buckets: what the arrays below have */
	double *sums;            /* of all devices below, each counted where it hangs */
	double *now, *next;      /* by item, of a step and of the one after it */
	double *numbers;
	uint32_t *marks; /* … with `mark`: has been seen */
	uint32_t mark;
	int32_t *domains; /* as in analyze_tree */
	int32_t *stack;
};

strew_status analyze_bound_new(struct bound *bound, const struct analyze_tree *tree,
			       const strew_allocator *allocator, strew_error *error);
void analyze_bound_free(struct bound *bound);
size_t analyze_bound_index(const struct bound *bound, int32_t item);
/** Set the sums, of what each device has, or (NULL) of weights where devices hang. */
void analyze_bound_sum(struct bound *bound, const double *devices);
/** List the blocks of a rule, once sums tell which items can be chosen. */
strew_status analyze_bound_add_rule(struct bound *bound, const struct map_rule *rule,
				    int want, strew_error *error);
void analyze_bound_swap(struct bound *bound);
/** List what can be chosen of a type below a bucket in `domains`. @return how many */
size_t analyze_bound_collect(struct bound *bound, int32_t bucket, int32_t type);
/** Sort numbers, the largest first. */
void analyze_bound_sort(double *numbers, size_t count);

#endif
