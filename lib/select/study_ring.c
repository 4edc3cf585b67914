/* SPDX-License-Identifier: MIT */
/*
 * Karger et al.: Consistent hashing and random trees (1997). Each node has labels at
 * pseudo-random places of a ring; a key belongs to the first one at or after its own
 * place, replicas to the nodes that follow. With V labels each, a node's share has a
 * relative deviation of about 1 / sqrt(V).
 */
#include "study_ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"
#include "base_error.h"

#define GOLDEN 0x9e3779b97f4a7c15u
/* Digits of a label's number, and the end of the text. */
#define NUMBER_ROOM 11

/* Of a node: by its weight, and one at least. */
static uint32_t label_count(const struct study_settings *settings, uint32_t weight)
{
	uint64_t count = ((uint64_t)settings->labels * weight + 0x8000) >> 16;

	return count == 0 ? 1 : count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

uint64_t study_ring_words(const struct study_source *source)
{
	uint64_t labels = 0;

	if (source->settings->by_mean)
		return 1 + 3 * (uint64_t)source->count * source->settings->labels;
	for (uint32_t i = 0; i < source->count; i++) {
		if (source->weights[i])
			labels += label_count(source->settings, source->weights[i]);
	}
	return 1 + 3 * labels;
}

/* Room for the text of any label; 0: nodes have no names. */
static size_t text_room(const struct study *study, const struct study_source *source)
{
	size_t longest = 0;

	if (source->texts == NULL)
		return 0;
	for (uint32_t node = 0; node < study->count; node++) {
		size_t length = strlen(source->texts[study->names[node]]);

		longest = length > longest ? length : longest;
	}
	return longest + strlen(study->settings->label_join) + NUMBER_ROOM;
}

/* Node and label together, by name as people write labels, else by hash. */
static uint64_t label_position(const struct study *study,
			       const struct study_source *source, uint32_t node,
			       uint32_t label, char *text, size_t room)
{
	const struct study_settings *settings = study->settings;
	uint32_t number = settings->first_label + label;
	int length;

	if (room == 0)
		return hash_finish(study_hash_at(study, node) + GOLDEN * (number + 1));
	length = snprintf(text, room, "%s%s%u", source->texts[study->names[node]],
			  settings->label_join, number);
	return study_mix(study, settings->hash(text, (size_t)length));
}

static uint64_t position_of(const struct study_label *label)
{
	return label->low | (uint64_t)label->high << 32;
}

static int compare_labels(const void *left, const void *right)
{
	const struct study_label *a = left, *b = right;
	uint64_t at = position_of(a), other = position_of(b);

	if (at != other)
		return at < other ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/* @return how many labels there are */
static uint32_t set_labels(const struct study *study, const struct study_source *source,
			   struct study_label *labels, char *text, size_t room)
{
	const struct study_settings *settings = study->settings;
	struct study_parts parts = study_parts_of(study, study->count * settings->labels);
	uint32_t used = 0;

	for (uint32_t node = 0; node < study->count; node++) {
		uint32_t count = settings->by_mean
					 ? study_parts_next(&parts)
					 : label_count(settings, study->weights[node]);

		for (uint32_t i = 0; i < count; i++) {
			uint64_t at = label_position(study, source, node, i, text, room);

			labels[used++] = (struct study_label){(uint32_t)at,
							      (uint32_t)(at >> 32), node};
		}
	}
	return used;
}

strew_status study_ring_fill(const struct study *study, const struct study_source *source,
			     uint32_t *table, const strew_allocator *allocator,
			     strew_error *error)
{
	struct study_label *labels = (struct study_label *)(table + 1);
	size_t room = text_room(study, source);
	char *text = base_alloc(allocator, room, 1);

	if (room && text == NULL)
		return base_error_nomem(error);
	table[0] = set_labels(study, source, labels, text, room);
	qsort(labels, table[0], sizeof(*labels), compare_labels);
	base_free(allocator, text, room);
	return STREW_OK;
}

struct study_ring study_ring_of(const struct study *study)
{
	return (struct study_ring){study->table[0],
				   (const struct study_label *)(study->table + 1)};
}

uint32_t study_ring_find(const struct study *study, const struct study_ring *ring,
			 uint64_t key)
{
	uint64_t position = study_mix(study, key);
	uint32_t low = 0, high = ring->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (position_of(&ring->labels[middle]) < position)
			low = middle + 1;
		else
			high = middle;
	}
	return low == ring->count ? 0 : low;
}

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	struct study_ring ring = study_ring_of(study);
	uint32_t at = study_ring_find(study, &ring, key), found = 0;

	for (uint32_t seen = 0; found < want && seen < ring.count; seen++) {
		uint32_t node = ring.labels[at].node;

		if (study_is_new(node, nodes, found))
			nodes[found++] = node;
		at = at + 1 == ring.count ? 0 : at + 1;
	}
	return study_fill_up(nodes, found, want);
}

static const struct study_ops study = {
	.words = study_ring_words,
	.fill = study_ring_fill,
	.pick = pick,
};

const struct select_ops select_ring = {
	.name = "ring",
	.summary = "the first label of a node on a ring after the key",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
