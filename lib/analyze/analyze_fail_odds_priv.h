/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_FAIL_ODDS_PRIV_H
#define ANALYZE_FAIL_ODDS_PRIV_H

#include "analyze_fail_priv.h"

#define FAIL_ODDS_WORK 30000000.0 /* steps: what each row may cost */

/** So many devices that fail at random. */
struct fail_odds {
	struct fail *fail;
	const struct fail_sets *sets;
	int32_t *devices; /* those that may fail, by index in the map */
	size_t count;
	int failed;        /* of them */
	double *sums;      /* by set: the chances of those up to it */
	uint16_t *hits;    /* by set: devices of it that failed */
	uint32_t *touched; /* sets with hits */
	size_t touched_count;
	int32_t chosen[FAIL_ODDS_MAX];
	bool *is_chosen; /* by device */
	uint64_t random;
};

struct fail_answer {
	double chance, error;
	bool exact;
	double expected; /* units lost */
};

/** How many ways there are to choose k of n; k is at most FAIL_ODDS_MAX. */
double analyze_fail_choose(double n, int k);
/** The chance that exactly `hit` devices of a set of n fail; that at least `fatal` do. */
double analyze_fail_chance(const struct fail_odds *odds, int n, int hit);
double analyze_fail_tail(const struct fail_odds *odds, int n, int fatal);
/** How many sets the chosen devices lose, and what asking it costs, about. */
size_t analyze_fail_count_lost(struct fail_odds *odds);
double analyze_fail_look_cost(const struct fail_odds *odds);

/** By looking at all choices: which part of them loses data. */
double analyze_fail_enumerate(struct fail_odds *odds);
/** Where no fewer devices lose data: can the choices that do be listed, and how many are
 * there? */
bool analyze_fail_is_listable(const struct fail_odds *odds);
strew_status analyze_fail_count_fatal(double *out, const struct fail_odds *odds);
/** By drawing. sum: odds->sums' last. */
void analyze_fail_estimate(struct fail_answer *answer, struct fail_odds *odds,
			   double sum);

#endif
