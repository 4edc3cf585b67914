/* SPDX-License-Identifier: MIT */
/* Lamping, Veach: A fast, minimal memory, consistent hash algorithm (2014). Nodes are
 * numbers, so only the last can go without others' keys moving. It divides in floating
 * point, as published: one division and one product, the same wherever
 * doubles are plain IEEE ones. */
#include "study.h"

#define MULTIPLIER 2862933555777941757u
#define TRIES      64

static uint32_t jump(uint64_t key, uint32_t count)
{
	int64_t at = -1, next = 0;

	while (next < count) {
		at = next;
		key = key * MULTIPLIER + 1;
		next = (int64_t)((double)(at + 1) *
				 ((double)(1LL << 31) / (double)((key >> 33) + 1)));
	}
	return (uint32_t)at;
}

/* Replicas: where the key's further hashes jump to; after many vain ones, the next node.
 */
static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	uint64_t hash = study_mix(study, key);

	for (uint32_t found = 0; found < want; found++) {
		uint32_t node = jump(hash, study->count);

		for (int i = 0; !study_is_new(node, nodes, found); i++) {
			hash = hash_finish(hash + 1);
			node = i < TRIES ? jump(hash, study->count)
					 : (node + 1) % study->count;
		}
		nodes[found] = node;
	}
	return want;
}

static const struct study_ops study = {
	.pick = pick,
};

const struct select_ops select_jump = {
	.name = "jump",
	.summary = "jump consistent hash: no table; only the last node can go",
	.flags = SELECT_STUDY | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
