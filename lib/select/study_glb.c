/* SPDX-License-Identifier: MIT */
/* GitHub's load balancer (2016): a table of rows, each with a primary and a secondary by
 * rendezvous order; a key's hash is its row. A node that drains changes its own rows
 * only, and its secondaries take over. */
#include "study.h"

#define KEPT 2

static uint64_t words(const struct study_source *source)
{
	return (uint64_t)KEPT * source->settings->rows;
}

static uint64_t row_key(uint32_t row)
{
	return hash_finish((uint64_t)row + 1);
}

static strew_status fill(const struct study *study, const struct study_source *source,
			 uint32_t *table, const strew_allocator *allocator,
			 strew_error *error)
{
	uint32_t kept = study->count < KEPT ? study->count : KEPT;

	(void)source;
	(void)allocator;
	(void)error;
	for (uint32_t row = 0; row < study->settings->rows; row++)
		study_rendezvous_log(study, row_key(row), 64, kept, table + KEPT * row);
	return STREW_OK;
}

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	uint32_t row = study_scale(study_mix(study, key), study->settings->rows);

	if (want > KEPT)
		return study_rendezvous_log(study, row_key(row), 64, want, nodes);
	for (uint32_t i = 0; i < want; i++)
		nodes[i] = study->table[KEPT * row + i];
	return want;
}

static const struct study_ops study = {
	.words = words,
	.fill = fill,
	.pick = pick,
};

const struct select_ops select_glb = {
	.name = "glb",
	.summary = "a table of rows with a primary and a secondary",
	.max_items = 512, /* or making the table would take minutes */
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
