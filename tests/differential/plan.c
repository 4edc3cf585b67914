/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include <string.h>

int plan_below(struct plan *plan, int below)
{
	return (int)support_below(&plan->random, (uint32_t)below);
}

bool plan_once_in(struct plan *plan, int n)
{
	return plan_below(plan, n) == 0;
}

/** The named profiles, in the order of the struct. */
static const struct plan_tunables profiles[] = {
	{2, 5, 19, 0, 0, 0, 0},
	{0, 0, 50, 1, 0, 0, 0},
	{0, 0, 50, 1, 1, 0, 1},
	{0, 0, 50, 1, 1, 1, 1},
};

static void make_tunables(struct plan *plan)
{
	static const uint32_t local[] = {0, 0, 0, 1, 2, 5};
	static const uint32_t fallback[] = {0, 0, 0, 1, 3, 5, 10};
	static const uint32_t total[] = {0, 1, 2, 4, 8, 19, 50, UINT32_MAX};
	struct plan_tunables *tunables = &plan->tunables;

	/* The highest number of retries wraps around to no tries. */
	if (plan_once_in(plan, 3)) {
		*tunables = PLAN_PICK(plan, profiles);
		return;
	}
	tunables->local_tries = PLAN_PICK(plan, local);
	tunables->fallback_tries = PLAN_PICK(plan, fallback);
	tunables->total_tries = PLAN_PICK(plan, total);
	tunables->descend_once = (uint32_t)plan_below(plan, 2);
	tunables->vary_r = (uint32_t)plan_below(plan, 5);
	tunables->stable = (uint32_t)plan_below(plan, 2);
	tunables->straw_calc_version = (uint32_t)plan_below(plan, 2);
	/* Tries within tries: a rule that can't be satisfied takes their product. */
	if (!tunables->descend_once && tunables->total_tries > 19)
		tunables->total_tries = 19;
}

static void make_reweights(struct plan *plan)
{
	int kept = 1 + plan_below(plan, 8);

	for (int32_t id = 0; id < plan->device_limit; id++) {
		uint32_t reweight = STREW_WEIGHT_ONE;

		if (plan_once_in(plan, kept))
			reweight = (uint32_t)plan_below(plan, STREW_WEIGHT_ONE + 1);
		if (plan_once_in(plan, 10 * kept))
			reweight = 0;
		plan->reweights[id] = kept == 8 ? STREW_WEIGHT_ONE : reweight;
	}
}

void plan_make(struct plan *plan, uint64_t seed)
{
	memset(plan, 0, sizeof(*plan));
	plan->random = seed;
	plan_make_tree(plan);
	plan_make_weights(plan);
	make_tunables(plan);
	make_reweights(plan);
	plan_make_rules(plan);
}
