/* SPDX-License-Identifier: MIT */
/* What steps set, and how steps count: doc/crush.md, section 7. */
#include "rule_priv.h"

#include <strew/builder.h>

void rule_settings_start(struct rule_settings *settings,
			 const struct flat_tunables *tunables)
{
	/* The tunable counts retries, the setting tries. The most there can be are none:
	 * so it is in the reference. */
	settings->choose_tries = tunables->choose_total_tries + 1;
	settings->leaf_tries = 0;
	settings->local_tries = tunables->choose_local_tries;
	settings->fallback_tries = tunables->choose_local_fallback_tries;
	settings->vary_r = tunables->chooseleaf_vary_r;
	settings->stable = tunables->chooseleaf_stable;
}

static uint32_t *find_setting(struct rule_settings *settings, int32_t op)
{
	switch (op) {
	case STREW_OP_SET_CHOOSE_TRIES:
		return &settings->choose_tries;
	case STREW_OP_SET_CHOOSELEAF_TRIES:
		return &settings->leaf_tries;
	case STREW_OP_SET_CHOOSE_LOCAL_TRIES:
		return &settings->local_tries;
	case STREW_OP_SET_CHOOSE_LOCAL_FALLBACK_TRIES:
		return &settings->fallback_tries;
	case STREW_OP_SET_CHOOSELEAF_VARY_R:
		return &settings->vary_r;
	case STREW_OP_SET_CHOOSELEAF_STABLE:
		return &settings->stable;
	default:
		return NULL;
	}
}

bool rule_settings_apply(struct rule_settings *settings, int32_t op, int32_t argument)
{
	uint32_t *setting = find_setting(settings, op);
	bool tries =
		setting == &settings->choose_tries || setting == &settings->leaf_tries;

	/* The tries must be above 0 to count, the other settings at least 0. */
	if (setting && argument >= (tries ? 1 : 0))
		*setting = (uint32_t)argument;
	return setting != NULL;
}

uint32_t rule_count_ranks(int32_t argument, int want)
{
	int32_t ranks = argument > 0 ? argument : argument + want;

	return ranks > 0 ? (uint32_t)ranks : 0;
}

uint32_t rule_count_leaf_tries(const struct rule_settings *settings,
			       const struct flat_tunables *tunables)
{
	if (settings->leaf_tries)
		return settings->leaf_tries;
	return tunables->chooseleaf_descend_once ? 1 : settings->choose_tries;
}
