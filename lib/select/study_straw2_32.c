/* SPDX-License-Identifier: MIT */
#include "study.h"

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	return study_rendezvous_log(study, key, 32, want, nodes);
}

static const struct study_ops study = {.pick = pick};

const struct select_ops select_straw2_32 = {
	.name = "straw2-32",
	.summary = "straw2 with draws of 32 bits, for flat buckets of thousands",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
