/* SPDX-License-Identifier: MIT */
/* Tables whose places nodes own. */
#include "study.h"

#include "base_alloc.h"

#define HAS_MORE UINT32_MAX

struct study_parts study_parts_of(const struct study *study, uint32_t count)
{
	struct study_parts parts = {.study = study, .count = count};

	for (uint32_t node = 0; node < study->count; node++)
		parts.whole += study->weights[node];
	return parts;
}

/* part × count / whole, rounded down; the product may be larger than 64 bits. */
static uint32_t proportion(uint64_t part, uint64_t whole, uint32_t count)
{
	while (whole > UINT32_MAX) {
		whole >>= 1;
		part >>= 1;
	}
	return whole ? (uint32_t)(part * count / whole) : 0;
}

uint32_t study_parts_next(struct study_parts *parts)
{
	uint32_t start = proportion(parts->before, parts->whole, parts->count);

	parts->before += parts->study->weights[parts->node++];
	return proportion(parts->before, parts->whole, parts->count) - start;
}

uint32_t study_fill_up(uint32_t *nodes, uint32_t found, uint32_t want)
{
	for (uint32_t node = 0; found < want; node++) {
		if (study_is_new(node, nodes, found))
			nodes[found++] = node;
	}
	return found;
}

uint32_t study_walk(const uint32_t *owners, uint32_t count, uint32_t first, uint32_t want,
		    uint32_t *nodes)
{
	uint32_t found = 0, at = first;

	for (uint32_t seen = 0; found < want && seen < count; seen++) {
		if (study_is_new(owners[at], nodes, found))
			nodes[found++] = owners[at];
		at = at + 1 == count ? 0 : at + 1;
	}
	return study_fill_up(nodes, found, want);
}

static uint32_t heir_at(const struct study_source *source, uint32_t place)
{
	return source->old ? source->heirs[source->old->table[place]] : STUDY_GONE;
}

/* What each node is to have: its part rounded down, and one more for as many as that
 * leaves over; first for those who have more already, so that these need not give it. */
static void find_rooms(const struct study *study, const struct study_source *source,
		       uint32_t *room, uint32_t *owned)
{
	struct study_parts whole = study_parts_of(study, study->settings->rows);
	uint32_t left = study->settings->rows;

	for (uint32_t i = 0; i < study->settings->rows; i++) {
		if (heir_at(source, i) != STUDY_GONE)
			owned[heir_at(source, i)]++;
	}
	for (uint32_t node = 0; node < study->count; node++) {
		room[node] = proportion(study->weights[node], whole.whole, whole.count);
		left -= room[node];
	}
	for (uint32_t node = 0; node < study->count && left > 0; node++) {
		if (owned[node] <= room[node])
			continue;
		owned[node] = HAS_MORE;
		room[node]++;
		left--;
	}
	for (uint32_t turn = 0; left > 0; turn++) {
		uint32_t node = turn % study->count;

		if (turn < study->count && owned[node] == HAS_MORE)
			continue;
		room[node]++;
		left--;
	}
}

/* Places stay with the heirs of their owners, as far as these may have so many. */
static void inherit(const struct study *study, const struct study_source *source,
		    uint32_t *room, uint32_t *owners)
{
	for (uint32_t i = 0; i < study->settings->rows; i++) {
		uint32_t heir = heir_at(source, i);

		owners[i] = STUDY_GONE;
		if (heir == STUDY_GONE || room[heir] == 0)
			continue;
		owners[i] = heir;
		room[heir]--;
	}
}

strew_status study_apportion(const struct study *study, const struct study_source *source,
			     uint32_t *owners, const strew_allocator *allocator)
{
	uint32_t *room = base_calloc(allocator, study->count, 2 * sizeof(*room)),
		 next = 0;

	if (room == NULL)
		return STREW_ENOMEM;
	find_rooms(study, source, room, room + study->count);
	inherit(study, source, room, owners);
	for (uint32_t i = 0; i < study->settings->rows; i++) {
		if (owners[i] != STUDY_GONE)
			continue;
		while (room[next] == 0)
			next++;
		owners[i] = next;
		room[next]--;
	}
	base_free(allocator, room, study->count * 2 * sizeof(*room));
	return STREW_OK;
}
