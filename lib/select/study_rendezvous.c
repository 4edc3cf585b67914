/* SPDX-License-Identifier: MIT */
/* Thaler, Ravishankar: A name-based mapping scheme for rendezvous (1996). Also how PIM
 * routers agree on a rendezvous point: the order of the list changes nothing. */
#include "study.h"

/* Key and node are mixed together: mixed apart and then xored, all nodes' orders would
 * hang on a few bits of the key. */
uint32_t study_rendezvous(const struct study *study, uint64_t key, uint32_t want,
			  uint32_t *nodes)
{
	struct study_ranking ranking = {.want = want, .nodes = nodes};

	for (uint32_t i = 0; i < study->count; i++) {
		uint64_t hash = study_mix(study, key ^ study_hash_at(study, i));

		study_rank(&ranking, i, (struct study_score){hash, 0});
	}
	return want;
}

static const struct study_ops study = {.pick = study_rendezvous};

const struct select_ops select_rendezvous = {
	.name = "rendezvous",
	.summary = "the node whose hash with the key is the highest",
	.flags = SELECT_STUDY | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
