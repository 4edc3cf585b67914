/* SPDX-License-Identifier: MIT */
#include "analyze_check_rules_priv.h"

#include <string.h>

#include "place.h"

/** Bad mappings: the tries that would cure them, and the PGs that have them now. */

#define TRIES_ROUND 50 /* 50, 100, 200, … are tried */
#define INPUTS_MIN  16
#define RARE        1e-6   /* so seldom bad is good enough */
#define WORK_MAX    200000 /* PGs of pools that are placed for one use */

/* The weight set of its pools is that of its raw inputs. */
static strew_status open_placer(strew_placer **out, const struct check_uses *uses,
				const struct check_use *use, uint32_t tries)
{
	const struct check *check = uses->check;
	strew_placer *more = NULL;
	strew_status status =
		place_with_tries(&more, check->placer, tries, check->allocator, NULL);

	*out = more;
	if (status != STREW_OK || use->pool == NULL)
		return status;
	status = place_raw_as_pool(out, more, use->pool->id, check->allocator, NULL);
	strew_placer_release(more);
	return status;
}

static bool is_short(const int32_t *devices, int count, int want)
{
	int found = 0;

	for (int i = 0; i < count; i++)
		found += devices[i] >= 0 && devices[i] != STREW_NONE;
	return found < want;
}

/* Keeps those that are bad still, in front. */
static size_t keep_left(const strew_placer *placer, const struct check_use *use,
			uint32_t *inputs, size_t count, strew_scratch *scratch)
{
	int32_t devices[STREW_WANT_MAX];
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		int found = strew_place(placer, use->rule->id, inputs[i], devices,
					use->want, scratch);

		if (is_short(devices, found, use->want))
			inputs[left++] = inputs[i];
	}
	return left;
}

static strew_status try_tries(struct check_uses *uses, const struct check_use *use,
			      uint32_t tries, uint32_t *inputs, size_t *count)
{
	strew_placer *placer = NULL;
	strew_scratch *scratch = NULL;
	strew_status status = open_placer(&placer, uses, use, tries);

	if (status == STREW_OK)
		status = strew_scratch_new(&scratch, placer, NULL);
	if (status == STREW_OK)
		*count = keep_left(placer, use, inputs, *count, scratch);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
	return status;
}

/* Draws of one input that finds nothing. */
static double draws_of(const struct check_uses *uses, const struct check_use *use,
		       uint32_t tries)
{
	return (double)tries * use->want * (double)(uses->items + 1);
}

/* Twice as many tries have brought nothing. */
static bool is_hopeless(const struct check_cure *cure)
{
	return cure->count > 1 && cure->left[cure->count - 1] > 0 &&
	       cure->left[cure->count - 1] == cure->left[cure->count - 2];
}

static strew_status try_more(struct check_uses *uses, const struct check_use *use,
			     struct check_cure *cure, uint32_t *inputs)
{
	uint32_t tries = TRIES_ROUND;
	size_t count = cure->tried;
	strew_status status = STREW_OK;

	while (tries <= use->tries && tries < INT32_MAX / 2)
		tries *= 2;
	while (cure->count < CHECK_CURES && !cure->cured && !is_hopeless(cure) &&
	       !status) {
		double odds;

		if (cure->count > 0 &&
		    (double)count * draws_of(uses, use, tries) > CHECK_DRAWS)
			break;
		if (count > 0)
			status = try_tries(uses, use, tries, inputs, &count);
		odds = use->odds < 0 ? -1 : analyze_check_odds(uses, use, tries);
		cure->tries[cure->count] = tries;
		cure->left[cure->count] = count;
		cure->cured = count == 0 && odds < RARE;
		cure->count++;
		tries = tries < INT32_MAX / 2 ? 2 * tries : tries;
	}
	return status;
}

strew_status analyze_check_cure(struct check_uses *uses, const struct check_use *use,
				struct check_cure *cure)
{
	const strew_allocator *allocator = uses->check->allocator;
	size_t size = use->bad_inputs.count * sizeof(uint32_t);
	double most = CHECK_DRAWS / draws_of(uses, use, 2 * use->tries);
	uint32_t *inputs;
	strew_status status;

	*cure = (struct check_cure){.tried = use->bad_inputs.count};
	if ((double)cure->tried > most)
		cure->tried = most > INPUTS_MIN ? (size_t)most : INPUTS_MIN;
	if (cure->tried > use->bad_inputs.count)
		cure->tried = use->bad_inputs.count;
	inputs = base_alloc(allocator, 1, size + 1);
	if (inputs == NULL)
		return STREW_ENOMEM;
	if (size > 0)
		memcpy(inputs, use->bad_inputs.items, size);
	status = try_more(uses, use, cure, inputs);
	base_free(allocator, inputs, size + 1);
	return status;
}

struct pgs {
	const struct check_uses *uses;
	const struct check_use *use;
	const strew_pool *pool;
	uint64_t count;
};

/* A unit's word says whether it is short. */
static void place_pgs(const void *ctx, uint64_t first, size_t count, int32_t *words,
		      strew_scratch *const scratch[2])
{
	const struct pgs *pgs = ctx;
	int32_t devices[STREW_WANT_MAX];

	for (size_t i = 0; i < count; i++) {
		strew_stages stages = {
			.raw = {.devices = devices, .room = STREW_WANT_MAX}};
		strew_pg pg = {pgs->pool->id, (uint32_t)(first + i)};
		strew_status status =
			strew_place_pg(pgs->uses->check->placer, pg, &stages, scratch[0]);

		words[i] = status == STREW_OK &&
			   is_short(devices, stages.raw.count, pgs->use->want);
	}
}

static strew_status take_pg(void *ctx, uint64_t unit, const int32_t *words)
{
	struct pgs *pgs = ctx;

	(void)unit;
	pgs->count += words[0] != 0;
	return STREW_OK;
}

static bool has_use(const struct check_use *use, const strew_pool *pool)
{
	return pool->rule == use->rule->id && pool->size == use->want &&
	       pool->min_size == use->min_size;
}

strew_status analyze_check_pgs(struct check_uses *uses, const struct check_use *use,
			       uint64_t *pgs, uint64_t *short_pgs)
{
	const struct check *check = uses->check;
	strew_status status = STREW_OK;

	*pgs = *short_pgs = 0;
	for (size_t i = 0; i < check->map->pool_count && !status; i++) {
		struct pgs work = {uses, use, &check->map->pools[i], 0};
		struct analyze_walk walk = {.units = work.pool->pg_num,
					    .words = 1,
					    .placers = {check->placer, NULL},
					    .place = place_pgs,
					    .take = take_pg,
					    .ctx = &work};

		if (!has_use(use, work.pool) || *pgs + walk.units > WORK_MAX)
			continue;
		status = analyze_walk(&walk, check->run, NULL);
		*pgs += walk.units;
		*short_pgs += work.count;
	}
	return status;
}
