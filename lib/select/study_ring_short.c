/* SPDX-License-Identifier: MIT */
/* The wrong way, as it is often printed: as many steps as replicas are wanted, and what
 * comes twice is left out. Where nodes have many labels, two of one often follow each
 * other, and keys get too few replicas. */
#include "study_ring.h"

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	struct study_ring ring = study_ring_of(study);
	uint32_t first = study_ring_find(study, &ring, key), found = 0;

	for (uint32_t step = 0; step < want; step++) {
		uint32_t node = ring.labels[(first + step) % ring.count].node;

		if (study_is_new(node, nodes, found))
			nodes[found++] = node;
	}
	return found;
}

static const struct study_ops study = {
	.words = study_ring_words,
	.fill = study_ring_fill,
	.pick = pick,
};

const struct select_ops select_ring_short = {
	.name = "ring-short",
	.summary = "wrong on purpose: a ring with one step for each replica",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES | SELECT_WRONG,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
