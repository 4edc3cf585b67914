/* SPDX-License-Identifier: MIT */
#ifndef RULE_H
#define RULE_H

#include <stdbool.h>

#include <strew/alloc.h>
#include <strew/error.h>

#include "flat.h"

struct select_kernel;
struct rule_watch;

/** Working memory for one thread; see rule_scratch.c. */
struct rule_scratch;

/** What a scratch must be good for. */
struct rule_needs {
	uint32_t want;      /**< the largest set */
	uint32_t msr_steps; /**< flat->max_msr_steps */
};

/** Are these enough for the others? */
int rule_needs_cover(const struct rule_needs *needs, const struct rule_needs *others);
/** Make them enough for the others, too. */
void rule_needs_add(struct rule_needs *needs, const struct rule_needs *others);

struct rule_scratch *rule_scratch_new(const struct rule_needs *needs,
				      const strew_allocator *allocator);
void rule_scratch_free(struct rule_scratch *scratch);
/** Is it large enough? */
int rule_scratch_fits(const struct rule_scratch *scratch, const struct rule_needs *needs);

/** One run of a rule. */
struct rule_call {
	const struct flat *flat;
	const struct flat_rule *rule;
	const struct flat_set *set; /**< the weight set in use, or NULL */
	const struct select_kernel *kernel;
	uint32_t x;
	int want; /**< 1 … the scratch's want */
	/** Told what rule_run() does, or NULL; see rule_watch.h. Without a kernel, since
	 * what a kernel is asked ahead of need isn't told. */
	const struct rule_watch *watch;
};

/**
 * Interpret a rule: doc/crush.md, sections 5 to 9. Writes at most call->want ids (holes
 * are FLAT_NONE; a rule may emit buckets) and returns how many. Pure but for the scratch;
 * no allocation, no failure.
 */
int rule_run(const struct rule_call *call, int32_t *out, struct rule_scratch *scratch);

/** The same for many inputs, in place of call->x: a row of call->want entries for each,
 * which a short one doesn't fill, and how many it has. */
void rule_run_many(const struct rule_call *call, const uint32_t *xs, size_t count,
		   int32_t *out, int *counts, struct rule_scratch *scratch);

/** doc/crush.md, section 7: what the set_ steps override until the rule ends. */
struct rule_settings {
	uint32_t choose_tries;
	uint32_t leaf_tries; /**< 0: not set */
	uint32_t local_tries;
	uint32_t fallback_tries;
	uint32_t vary_r;
	uint32_t stable;
};

/** What the tunables say; … */
void rule_settings_start(struct rule_settings *settings,
			 const struct flat_tunables *tunables);
/** … then what a step with this argument sets. @return is it a step that sets? */
bool rule_settings_apply(struct rule_settings *settings, int32_t op, int32_t argument);
/** How many a choose step asks for; 0 and below count from the size of the result. */
uint32_t rule_count_ranks(int32_t argument, int want);
/** How often firstn tries to find a leaf below an item. */
uint32_t rule_count_leaf_tries(const struct rule_settings *settings,
			       const struct flat_tunables *tunables);

#endif
