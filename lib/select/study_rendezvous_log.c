/* SPDX-License-Identifier: MIT */
/* Schindelhauer, Schomaker: Weighted distributed hash tables (2005), the logarithmic
 * method: the node with the least -log(u) / weight. It is straw2's law, without its 16
 * bits. */
#include "study.h"

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	return study_rendezvous_log(study, key, 64, want, nodes);
}

static const struct study_ops study = {.pick = pick};

const struct select_ops select_rendezvous_log = {
	.name = "rendezvous-log",
	.summary = "rendezvous by weights: the least logarithm over weight",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
