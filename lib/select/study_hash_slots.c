/* SPDX-License-Identifier: MIT */
/* Redis Cluster: 16384 slots by a CRC of the key, or of what stands in braces in it;
 * nodes own slots, and slots are moved one by one. Replicas are on the owners that
 * follow. */
#include "study.h"

#include "base_error.h"

static uint64_t words(const struct study_source *source)
{
	return source->settings->rows;
}

static strew_status fill(const struct study *study, const struct study_source *source,
			 uint32_t *table, const strew_allocator *allocator,
			 strew_error *error)
{
	strew_status status = study_apportion(study, source, table, allocator);

	return status == STREW_OK ? STREW_OK : base_error_nomem(error);
}

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	uint32_t slots = study->settings->rows;

	return study_walk(study->table, slots, (uint32_t)(study_mix(study, key) % slots),
			  want, nodes);
}

static const struct study_ops study = {
	.hash = "crc16",
	.raw = true,
	.rows = 16384,
	.words = words,
	.fill = fill,
	.pick = pick,
};

const struct select_ops select_hash_slots = {
	.name = "hash-slots",
	.summary = "slots owned by nodes, moved one by one",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
