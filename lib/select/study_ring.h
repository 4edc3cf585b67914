/* SPDX-License-Identifier: MIT */
#ifndef STUDY_RING_H
#define STUDY_RING_H

#include "study.h"

/** A ring: labels in order of position, and of node where positions are equal. */
struct study_ring {
	uint32_t count;
	const struct study_label *labels;
};

struct study_label {
	uint32_t low; /**< the position's halves: a table has words */
	uint32_t high;
	uint32_t node;
};

uint64_t study_ring_words(const struct study_source *source);
strew_status study_ring_fill(const struct study *study, const struct study_source *source,
			     uint32_t *table, const strew_allocator *allocator,
			     strew_error *error);
struct study_ring study_ring_of(const struct study *study);
/** The first label at or after a key's position; the first of all after the last. */
uint32_t study_ring_find(const struct study *study, const struct study_ring *ring,
			 uint64_t key);

#endif
