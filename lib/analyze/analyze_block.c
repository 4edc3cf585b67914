/* SPDX-License-Identifier: MIT */
#include "analyze.h"

bool analyze_next_block(struct analyze_block *block, const struct map_rule *rule,
			size_t *at)
{
	*block = (struct analyze_block){.is_msr = map_kind_is_msr(rule->kind)};
	while (*at < rule->step_count) {
		const struct map_step *step = &rule->steps[(*at)++];

		if (step->op == STREW_OP_TAKE) {
			block->take = step;
			block->steps = step + 1;
		} else if (step->op == STREW_OP_EMIT && block->take) {
			block->count = (size_t)(step - block->steps);
			return true;
		}
	}
	return false;
}

/* MSR rules have a step of their own, which others pass over. */
const struct map_step *analyze_next_choice(const struct analyze_block *block, size_t *at)
{
	while (*at < block->count) {
		const struct map_step *step = &block->steps[(*at)++];

		if (map_op_chooses((int)step->op) &&
		    (step->op == STREW_OP_CHOOSE_MSR) == block->is_msr)
			return step;
	}
	return NULL;
}

bool analyze_finds_devices(const struct map_step *step)
{
	return map_op_leaf((int)step->op) || step->arg2 == 0;
}
