/* SPDX-License-Identifier: MIT */
/* Placers that differ from another one in a detail. */
#include <inttypes.h>
#include <string.h>

#include <strew/builder.h>

#include "base_error.h"
#include "compile.h"
#include "place_priv.h"

/* Pools as another placer has them, but for a rule (NULL: theirs) and a size (0). */
static void vary_pools(strew_placer *placer, const strew_placer *from,
		       const struct flat_rule *rule, int size)
{
	for (size_t i = 0; i < placer->pool_count; i++) {
		struct place_pool *pool = &placer->pools[i];

		*pool = from->pools[i];
		if (rule)
			pool->rule = rule;
		if (size > 0)
			pool->size = size;
	}
	placer->max_set = from->max_set < size ? size : from->max_set;
}

strew_status place_vary(strew_placer **out, const strew_placer *from, int32_t rule,
			int size, const strew_allocator *allocator, strew_error *error)
{
	const strew_placer *owner = from->owner ? from->owner : from;
	const struct flat_rule *found = flat_find_rule(from->flat, rule);
	strew_placer *placer;
	strew_status status;

	*out = NULL;
	if (rule >= 0 && found == NULL)
		return base_error_set(error, STREW_ENOTFOUND, "there is no rule %" PRId32,
				      rule);
	placer = place_start(from->map, allocator);
	if (placer == NULL)
		return base_error_nomem(error);
	placer->owner = strew_placer_retain(owner);
	placer->flat = from->flat;
	placer->kernel = from->kernel;
	placer->weight_set = from->weight_set;
	placer->force_weight_set = from->force_weight_set;
	placer->raw_set = from->raw_set;
	status = place_add_pools(placer, error);
	if (status != STREW_OK) {
		strew_placer_release(placer);
		return status;
	}
	vary_pools(placer, from, found, size);
	*out = placer;
	return STREW_OK;
}

strew_status place_like(strew_placer **out, const strew_placer *from,
			const strew_map *map, const strew_allocator *allocator,
			strew_error *error)
{
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;

	options.weight_set = from->weight_set;
	options.force_weight_set = from->force_weight_set;
	options.allocator = allocator;
	options.kernel = strew_placer_kernel(from);
	return strew_placer_new(out, map, &options, error);
}

strew_status place_without_overrides(strew_placer **out, const strew_placer *from,
				     const strew_allocator *allocator, strew_error *error)
{
	strew_status status = place_vary(out, from, -1, 0, allocator, error);

	if (status != STREW_OK)
		return status;
	for (size_t i = 0; i < (*out)->pool_count; i++)
		(*out)->pools[i].override_count = 0;
	return STREW_OK;
}

strew_status place_raw_as_pool(strew_placer **out, const strew_placer *from, int64_t pool,
			       const strew_allocator *allocator, strew_error *error)
{
	const struct place_pool *found = place_find_pool(from, pool);
	strew_status status = place_vary(out, from, -1, 0, allocator, error);

	if (status == STREW_OK && found)
		(*out)->raw_set = found->set;
	return status;
}

/* The tunable counts retries. */
static void set_tries(struct flat *flat, uint32_t tries)
{
	flat->tunables.choose_total_tries = tries - 1;
	flat->tunables.msr_descents = tries;
	for (uint32_t i = 0; i < flat->rule_count; i++) {
		const struct flat_rule *rule = flat_rule_at(flat, i);
		struct flat_step *steps = (struct flat_step *)flat_steps(flat, rule);

		for (uint32_t j = 0; j < rule->step_count; j++) {
			if (steps[j].op == STREW_OP_SET_CHOOSE_TRIES ||
			    steps[j].op == STREW_OP_SET_MSR_DESCENTS)
				steps[j].arg1 = (int32_t)tries;
		}
	}
}

static const struct flat_set *same_set(const struct flat *flat,
				       const struct flat_set *set)
{
	return set ? flat_pick_set(flat, set->id) : NULL;
}

/* What points into the other's block points into the placer's own now. */
static void follow_block(strew_placer *placer)
{
	placer->raw_set = same_set(placer->flat, placer->raw_set);
	for (size_t i = 0; i < placer->pool_count; i++) {
		struct place_pool *pool = &placer->pools[i];

		if (pool->rule)
			pool->rule = flat_find_rule(placer->flat, pool->rule->id);
		pool->set = same_set(placer->flat, pool->set);
	}
}

/* Let a placer have its block for itself. */
static strew_status own_block(strew_placer *placer, strew_error *error)
{
	size_t size = (size_t)placer->flat->size;
	struct flat *flat = base_alloc(&placer->allocator, 1, size);

	if (flat == NULL)
		return base_error_nomem(error);
	memcpy(flat, placer->flat, size);
	strew_placer_release(placer->owner);
	placer->owner = NULL;
	placer->flat = flat;
	follow_block(placer);
	return STREW_OK;
}

/* Which devices have failed; NULL: none has. */
static strew_status own_failures(strew_placer *placer, const bool *failed,
				 strew_error *error)
{
	size_t count = placer->map->device_count;

	placer->failed =
		base_calloc(&placer->allocator, count + 1, sizeof(*placer->failed));
	if (placer->failed == NULL)
		return base_error_nomem(error);
	if (failed)
		memcpy(placer->failed, failed, count * sizeof(*failed));
	return STREW_OK;
}

/* A placer like another with a block of its own. */
static strew_status copy_placer(strew_placer **out, const strew_placer *from,
				const strew_allocator *allocator, strew_error *error)
{
	strew_status status = place_vary(out, from, -1, 0, allocator, error);

	if (status == STREW_OK)
		status = own_block(*out, error);
	if (status == STREW_OK && from->failed)
		status = own_failures(*out, from->failed, error);
	if (status != STREW_OK) {
		strew_placer_release(*out);
		*out = NULL;
	}
	return status;
}

strew_status place_with_tries(strew_placer **out, const strew_placer *from,
			      uint32_t tries, const strew_allocator *allocator,
			      strew_error *error)
{
	strew_status status = copy_placer(out, from, allocator, error);

	if (status == STREW_OK)
		set_tries((*out)->flat, tries);
	return status;
}

strew_status place_private(strew_placer **out, const strew_placer *from,
			   const strew_allocator *allocator, strew_error *error)
{
	strew_status status = copy_placer(out, from, allocator, error);

	if (status != STREW_OK || (*out)->failed)
		return status;
	status = own_failures(*out, NULL, error);
	if (status != STREW_OK) {
		strew_placer_release(*out);
		*out = NULL;
	}
	return status;
}

void place_set_failed(strew_placer *placer, size_t device, bool failed)
{
	uint32_t *reweights = (uint32_t *)flat_device_reweights(placer->flat);

	placer->failed[device] = failed;
	reweights[device] = failed ? 0 : placer->map->devices[device].reweight;
	placer->flat->any_out |= failed;
}

static void make_whole(struct flat *flat)
{
	uint32_t *reweights = (uint32_t *)flat_device_reweights(flat);

	for (uint32_t i = 0; i < flat->device_count; i++)
		reweights[i] = STREW_WEIGHT_ONE;
	flat->any_out = 0;
}

strew_status place_vary_raw(strew_placer **out, const strew_placer *from,
			    const struct map_weight_set *set, bool is_whole,
			    const strew_allocator *allocator, strew_error *error)
{
	strew_status status = is_whole ? copy_placer(out, from, allocator, error)
				       : place_vary(out, from, -1, 0, allocator, error);

	if (status != STREW_OK)
		return status;
	if (is_whole)
		make_whole((*out)->flat);
	(*out)->raw_set = set ? flat_pick_set((*out)->flat, set->id) : NULL;
	return STREW_OK;
}
