/* SPDX-License-Identifier: MIT */
#include "study.h"

/* The wrong way, to see what comes of it: only as many orders as the highest bits in
 * which nodes differ allow. */
static uint32_t pick_apart(const struct study *study, uint64_t key, uint32_t want,
			   uint32_t *nodes)
{
	struct study_ranking ranking = {.want = want, .nodes = nodes};
	uint64_t mask = study_mix(study, key);

	for (uint32_t i = 0; i < study->count; i++) {
		uint64_t hash = mask ^ study_mix(study, study_hash_at(study, i));

		study_rank(&ranking, i, (struct study_score){hash, 0});
	}
	return want;
}

static const struct study_ops study = {.pick = pick_apart};

const struct select_ops select_rendezvous_apart = {
	.name = "rendezvous-apart",
	.summary = "wrong on purpose: rendezvous with key and node mixed apart",
	.flags = SELECT_STUDY | SELECT_PERMUTES | SELECT_WRONG,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
