/* SPDX-License-Identifier: MIT */
/*
 * Valloppillil, Ross: Cache array routing protocol (1998): the highest product of a hash
 * and a load factor, with factors such that each node wins by its weight. They are made
 * by floating point, once, and rounded to 32 bits.
 */
#include <strew/study.h>

#include <math.h>

#include "base_alloc.h"
#include "base_error.h"
#include "study.h"

static uint64_t words(const struct study_source *source)
{
	return source->count;
}

static strew_status fill(const struct study *study, const struct study_source *source,
			 uint32_t *table, const strew_allocator *allocator,
			 strew_error *error)
{
	double *factors = base_alloc(allocator, study->count, sizeof(*factors)), most = 0;
	strew_status status;

	(void)source;
	if (factors == NULL)
		return base_error_nomem(error);
	status = strew_study_factors(study->weights, study->count, factors, allocator);
	for (uint32_t i = 0; status == STREW_OK && i < study->count; i++)
		most = fmax(most, factors[i]);
	for (uint32_t i = 0; status == STREW_OK && i < study->count; i++)
		table[i] = (uint32_t)llround(factors[i] / most * UINT32_MAX);
	base_free(allocator, factors, study->count * sizeof(*factors));
	return status == STREW_OK ? STREW_OK : base_error_nomem(error);
}

static uint32_t pick(const struct study *study, uint64_t key, uint32_t want,
		     uint32_t *nodes)
{
	return study_pick_product(study, study->table, key, want, nodes);
}

static const struct study_ops study = {
	.words = words,
	.fill = fill,
	.pick = pick,
};

const struct select_ops select_carp = {
	.name = "carp",
	.summary = "the highest hash times load factor, made so that weights hold",
	.flags = SELECT_STUDY | SELECT_WEIGHTED | SELECT_PERMUTES,
	.choose = study_choose,
	.explain = study_explain,
	.study = &study,
};
