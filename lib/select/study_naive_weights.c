/* SPDX-License-Identifier: MIT */
/* What looks right and isn't: the heavy get far more than their weight's share.
 * strew_study_naive_shares() says how much. */
#include "study.h"

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	return study_pick_product(study, study->weights, key, want, nodes);
}

static const struct study_ops study = {.pick = pick};

const struct select_ops select_naive_weights = {
	.name = "naive-weights",
	.summary = "wrong on purpose: the highest hash times weight",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES | SELECT_WRONG,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
