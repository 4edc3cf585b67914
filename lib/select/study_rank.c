/* SPDX-License-Identifier: MIT */
#include "study.h"

struct study_score study_times(uint64_t number, uint32_t weight)
{
	uint64_t low = (number & UINT32_MAX) * weight;
	uint64_t high = (number >> 32) * weight + (low >> 32);

	return (struct study_score){high >> 32, high << 32 | (low & UINT32_MAX)};
}

struct study_score study_by_weight(uint64_t number, uint32_t weight)
{
	uint64_t whole = number / weight;
	uint64_t part = (number % weight << 32) / weight;

	return (struct study_score){~whole, ~part};
}

void study_rank_insert(struct study_ranking *ranking, uint32_t node,
		       struct study_score score)
{
	uint32_t at =
		ranking->count < ranking->want ? ranking->count++ : ranking->count - 1;

	for (; at > 0 && study_is_better(&score, &ranking->scores[at - 1]); at--) {
		ranking->scores[at] = ranking->scores[at - 1];
		ranking->nodes[at] = ranking->nodes[at - 1];
	}
	ranking->scores[at] = score;
	ranking->nodes[at] = node;
}

uint32_t study_pick_product(const struct study *study, const uint32_t *factors,
			    uint64_t key, uint32_t want, uint32_t *nodes)
{
	struct study_ranking ranking = {.want = want, .nodes = nodes};

	for (uint32_t i = 0; i < study->count; i++) {
		uint64_t hash = study_mix(study, key ^ study_hash_at(study, i));

		study_rank(&ranking, i, study_times(hash, factors[i]));
	}
	return want;
}

uint32_t study_rendezvous_log(const struct study *study, uint64_t key, unsigned bits,
			      uint32_t want, uint32_t *nodes)
{
	struct study_ranking ranking = {.want = want, .nodes = nodes};
	uint64_t below = bits < 64 ? UINT64_MAX >> bits : 0;

	for (uint32_t i = 0; i < study->count; i++) {
		uint64_t draw = study_mix(study, key ^ study_hash_at(study, i)) | below;

		study_rank(&ranking, i,
			   study_by_weight(study_log(draw), study->weights[i]));
	}
	return want;
}
