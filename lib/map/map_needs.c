/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "map.h"

static void need_step(struct map_needs *needs, strew_op op)
{
	needs->v2_rules |=
		op == STREW_OP_CHOOSE_INDEP || op == STREW_OP_CHOOSELEAF_INDEP ||
		op == STREW_OP_SET_CHOOSE_TRIES || op == STREW_OP_SET_CHOOSELEAF_TRIES;
	needs->v3_rules |= op == STREW_OP_SET_CHOOSELEAF_VARY_R;
	needs->v5_rules |= op == STREW_OP_SET_CHOOSELEAF_STABLE;
}

struct map_needs map_needs_of(const strew_map *map)
{
	const struct map_tunables *tunables = &map->tunables;
	struct map_needs needs = {
		.tunables = tunables->choose_local_tries != 2 ||
			    tunables->choose_local_fallback_tries != 5 ||
			    tunables->choose_total_tries != 19,
		.tunables2 = tunables->chooseleaf_descend_once != 0,
		.tunables3 = tunables->chooseleaf_vary_r != 0,
		.tunables5 = tunables->chooseleaf_stable != 0,
	};

	for (size_t i = 0; i < map->bucket_count; i++)
		needs.v4_buckets |= strcmp(map->buckets[i].alg, "straw2") == 0;
	for (size_t i = 0; i < map->rule_count; i++) {
		const struct map_rule *rule = &map->rules[i];

		needs.msr_rules |= map_kind_is_msr(rule->kind);
		for (size_t j = 0; j < rule->step_count; j++)
			need_step(&needs, rule->steps[j].op);
	}
	return needs;
}
