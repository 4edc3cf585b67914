/* SPDX-License-Identifier: MIT */
#include "study.h"

/* Replicas are on the nodes that follow. */
static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	uint32_t first = (uint32_t)(study_mix(study, key) % study->count);

	for (uint32_t i = 0; i < want; i++)
		nodes[i] = (first + i) % study->count;
	return want;
}

static const struct study_ops study = {.pick = pick};

const struct select_ops select_modulo = {
	.name = "modulo",
	.summary = "the key's hash modulo the number of nodes",
	.flags = SELECT_STUDY | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
