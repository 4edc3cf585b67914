/* SPDX-License-Identifier: MIT */
#include "analyze_expect_priv.h"

void analyze_expect_start(struct expect_settings *settings,
			  const struct map_tunables *tunables)
{
	settings->tries = tunables->choose_total_tries + 1;
	settings->leaf_tries = 0;
	settings->local_tries = tunables->choose_local_tries;
	settings->fallback_tries = tunables->choose_local_fallback_tries;
	settings->vary_r = tunables->chooseleaf_vary_r;
	settings->stable = tunables->chooseleaf_stable;
}

static uint32_t *find_setting(struct expect_settings *settings, strew_op op)
{
	switch ((int)op) {
	case STREW_OP_SET_CHOOSE_TRIES:
		return &settings->tries;
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

void analyze_expect_set(struct expect_settings *settings, const struct map_step *step)
{
	uint32_t *setting = find_setting(settings, step->op);
	bool tries = setting == &settings->tries || setting == &settings->leaf_tries;

	if (setting && step->arg1 >= (tries ? 1 : 0))
		*setting = (uint32_t)step->arg1;
}

uint32_t analyze_expect_leaf_tries(const struct expect *expect,
				   const struct expect_step *step)
{
	const struct map_tunables *tunables = &expect->share->tree->map->tunables;

	if (step->settings.leaf_tries)
		return step->settings.leaf_tries;
	return step->is_indep || tunables->chooseleaf_descend_once ? 1
								   : step->settings.tries;
}
