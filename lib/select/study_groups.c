/* SPDX-License-Identifier: MIT */
/*
 * Rendezvous in a tree: among groups first, then in the group that won, and so on: as
 * many hashes as branches on the way, not as there are nodes. The law is the flat one's,
 * as groups weigh what is in them. A node keeps its leaf while others come and go: what a
 * node leaves is empty until a new one takes it.
 *
 * The table: how many leaves; their nodes; then, level by level from the leaves upward,
 * the weights of what `branch` entries of the level below make a group of.
 */
#include "study.h"

#include <string.h>

#define TRIES 64

static uint32_t branch_of(const struct study_settings *settings)
{
	return settings->branch < 2 ? 2 : settings->branch;
}

/* As many leaves as nodes, or as the old tree had. */
static uint64_t leaf_count(const struct study_source *source)
{
	uint32_t old = source->old ? source->old->table[0] : 0;

	return source->count + (uint64_t)old;
}

static uint64_t words(const struct study_source *source)
{
	uint64_t level = leaf_count(source), total = 1 + 2 * level;

	while (level > 1) {
		level = (level + branch_of(source->settings) - 1) /
			branch_of(source->settings);
		total += level;
	}
	return total;
}

/* Heirs take the leaves of those they follow. @return how many leaves there are */
static uint32_t seat_heirs(const struct study_source *source, uint32_t *leaves,
			   uint32_t *seated)
{
	uint32_t count = source->old ? source->old->table[0] : 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = source->old->table[1 + i];

		leaves[i] = node == STUDY_GONE ? STUDY_GONE : source->heirs[node];
		if (leaves[i] != STUDY_GONE)
			seated[leaves[i]] = 1;
	}
	return count;
}

/* … and new ones those that are free. */
static uint32_t seat(const struct study *study, const struct study_source *source,
		     uint32_t *leaves)
{
	/* Where the lowest level will be. */
	uint32_t *seated = leaves + leaf_count(source), count, next = 0;

	memset(seated, 0, study->count * sizeof(*seated));
	count = seat_heirs(source, leaves, seated);
	for (uint32_t node = 0; node < study->count; node++) {
		if (seated[node])
			continue;
		while (next < count && leaves[next] != STUDY_GONE)
			next++;
		leaves[next] = node;
		count += next == count;
	}
	return count;
}

/* No node is without weight, however much is shifted out. */
static uint32_t shift_weight(uint32_t weight, unsigned shift)
{
	return weight >> shift ? weight >> shift : 1;
}

/* Sums of all weights fit 32 bits when shifted by this. */
static unsigned sum_shift(const struct study *study)
{
	for (unsigned shift = 0;; shift++) {
		uint64_t sum = 0;

		for (uint32_t i = 0; i < study->count; i++)
			sum += shift_weight(study->weights[i], shift);
		if (sum <= UINT32_MAX)
			return shift;
	}
}

static strew_status fill(const struct study *study, const struct study_source *source,
			 uint32_t *table, const strew_allocator *allocator,
			 strew_error *error)
{
	uint32_t count = seat(study, source, table + 1),
		 branch = branch_of(study->settings);
	uint32_t *level = table + 1 + count, *above;
	unsigned shift = sum_shift(study);

	(void)allocator;
	(void)error;
	table[0] = count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = table[1 + i];

		level[i] = node == STUDY_GONE ? 0
					      : shift_weight(study->weights[node], shift);
	}
	for (; count > 1; level = above) {
		above = level + count;
		memset(above, 0, (count + branch - 1) / branch * sizeof(*above));
		for (uint32_t i = 0; i < count; i++)
			above[i / branch] += level[i];
		count = (count + branch - 1) / branch;
	}
	return STREW_OK;
}

/* Where each level starts, from the leaves up. */
struct levels {
	const uint32_t *weights[33];
	uint32_t counts[33];
	int count;
};

static struct levels levels_of(const struct study *study)
{
	uint32_t count = study->table[0], branch = branch_of(study->settings);
	const uint32_t *at = study->table + 1 + count;
	struct levels levels = {.count = 0};

	for (;;) {
		levels.weights[levels.count] = at;
		levels.counts[levels.count++] = count;
		if (count <= 1)
			return levels;
		at += count;
		count = (count + branch - 1) / branch;
	}
}

/* The entry of a group, [first, end) of its level, that wins. */
static uint32_t compete(const struct levels *levels, int level, uint32_t first,
			uint32_t end, uint64_t key)
{
	struct study_score best = {0, 0};
	uint32_t winner = first;

	for (uint32_t i = first; i < end; i++) {
		uint64_t entry = (uint64_t)(level + 1) << 32 | i;
		uint64_t hash = hash_finish(key ^ hash_finish(entry));
		struct study_score score;

		if (levels->weights[level][i] == 0)
			continue;
		score = study_by_weight(study_log(hash), levels->weights[level][i]);
		if (study_is_better(&score, &best)) {
			best = score;
			winner = i;
		}
	}
	return winner;
}

static uint32_t descend(const struct study *study, const struct levels *levels,
			uint64_t key)
{
	uint32_t branch = branch_of(study->settings), at = 0;

	for (int level = levels->count - 2; level >= 0; level--) {
		uint32_t first = at * branch, end = first + branch;

		if (end > levels->counts[level])
			end = levels->counts[level];
		at = compete(levels, level, first, end, key);
	}
	return study->table[1 + at];
}

/* Replicas: where the key's further hashes lead; after many vain ones, the next node. */
static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	struct levels levels = levels_of(study);
	uint64_t hash = study_mix(study, key);

	for (uint32_t found = 0; found < want; found++) {
		uint32_t node = descend(study, &levels, hash);

		for (int i = 0; !study_is_new(node, nodes, found); i++) {
			hash = hash_finish(hash + 1);
			node = i < TRIES ? descend(study, &levels, hash)
					 : (node + 1) % study->count;
		}
		nodes[found] = node;
	}
	return want;
}

static const struct study_ops study = {
	.words = words,
	.fill = fill,
	.pick = pick,
};

const struct select_ops select_groups = {
	.name = "groups",
	.summary = "rendezvous in a tree of groups: few hashes",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
