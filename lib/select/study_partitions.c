/* SPDX-License-Identifier: MIT */
/* DeCandia et al.: Dynamo (2007), its third strategy: fixed partitions of one size on the
 * ring; a key's replicas are on the next owners. The first owners are dealt out one by
 * one, so that neighbours differ; a new node takes its part from all the others. */
#include "study.h"

#include <stdlib.h>

#include "base_alloc.h"
#include "base_error.h"

static uint64_t words(const struct study_source *source)
{
	return source->settings->rows;
}

/* One of a node's partitions, and when it is dealt out: all of a node's are as far apart
 * as they can be. */
struct card {
	uint64_t when;
	uint32_t node;
};

static int compare_cards(const void *left, const void *right)
{
	const struct card *a = left, *b = right;

	if (a->when != b->when)
		return a->when < b->when ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static strew_status deal(const struct study *study, uint32_t *owners,
			 const strew_allocator *allocator)
{
	uint32_t rows = study->settings->rows, used = 0;
	struct study_parts parts = study_parts_of(study, rows);
	struct card *cards = base_alloc(allocator, rows, sizeof(*cards));

	if (cards == NULL)
		return STREW_ENOMEM;
	for (uint32_t node = 0; node < study->count; node++) {
		uint32_t count = study_parts_next(&parts);

		for (uint32_t i = 0; i < count; i++)
			cards[used++] = (struct card){
				((2 * (uint64_t)i + 1) << 31) / count, node};
	}
	qsort(cards, rows, sizeof(*cards), compare_cards);
	for (uint32_t row = 0; row < rows; row++)
		owners[row] = cards[row].node;
	base_free(allocator, cards, rows * sizeof(*cards));
	return STREW_OK;
}

static strew_status fill(const struct study *study, const struct study_source *source,
			 uint32_t *table, const strew_allocator *allocator,
			 strew_error *error)
{
	strew_status status = source->old
				      ? study_apportion(study, source, table, allocator)
				      : deal(study, table, allocator);

	return status == STREW_OK ? STREW_OK : base_error_nomem(error);
}

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	uint32_t rows = study->settings->rows;

	return study_walk(study->table, rows, study_scale(study_mix(study, key), rows),
			  want, nodes);
}

static const struct study_ops study = {
	.rows = 1024,
	.words = words,
	.fill = fill,
	.pick = pick,
};

const struct select_ops select_partitions = {
	.name = "partitions",
	.summary = "fixed partitions with preference lists",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
