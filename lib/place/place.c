/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "compile.h"
#include "hash.h"
#include "place_priv.h"
#include "select.h"

struct rule_needs place_needs(const strew_placer *placer)
{
	return (struct rule_needs){.want = STREW_WANT_MAX,
				   .msr_steps = placer->flat->max_msr_steps};
}

bool place_scratch_fits(const strew_placer *placer, const strew_scratch *scratch)
{
	struct rule_needs needs = place_needs(placer);

	return rule_scratch_fits(scratch->rule, &needs);
}

/* Options as the caller's version of the library knows them; the rest are defaults. */
static strew_placer_options complete_options(const strew_placer_options *given)
{
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;

	if (given)
		memcpy(&options, given,
		       given->size < sizeof(options) ? given->size : sizeof(options));
	return options;
}

/* The longest set that a stage of the pool's PGs can have. */
static size_t longest_set(const strew_map *map, const struct place_pool *pool)
{
	size_t longest = (size_t)pool->size;

	for (size_t i = 0; i < pool->override_count; i++) {
		const struct map_override *override =
			&map->overrides[pool->override_first + i];

		if (longest < override->upmap_count)
			longest = override->upmap_count;
		if (longest < override->temp_count)
			longest = override->temp_count;
	}
	return longest < STREW_WANT_MAX ? longest : STREW_WANT_MAX;
}

/* Overrides are in order of pool, as pools are: `next` is where this pool's begin. */
static void find_overrides(struct place_pool *pool, const strew_map *map, size_t next)
{
	pool->override_first = next;
	while (next < map->override_count &&
	       map->overrides[next].pg.pool == pool->pool->id)
		next++;
	pool->override_count = next - pool->override_first;
}

static void resolve_pools(strew_placer *placer, const strew_placer_options *options)
{
	const strew_map *map = placer->map;
	size_t next = 0;

	for (size_t i = 0; i < placer->pool_count; i++) {
		struct place_pool *pool = &placer->pools[i];
		size_t longest;

		pool->pool = &map->pools[i];
		pool->size = pool->pool->size;
		pool->rule = flat_find_rule(placer->flat, pool->pool->rule);
		pool->set = options->force_weight_set
				    ? placer->raw_set
				    : flat_pick_set(placer->flat, pool->pool->id);
		find_overrides(pool, map, next);
		next += pool->override_count;
		longest = longest_set(map, pool);
		if ((size_t)placer->max_set < longest)
			placer->max_set = (int)longest;
	}
}

strew_placer *place_start(const strew_map *map, const strew_allocator *allocator)
{
	strew_placer *placer = base_calloc(allocator, 1, sizeof(*placer));

	if (placer == NULL)
		return NULL;
	base_ref_init(&placer->refs);
	placer->allocator = *allocator;
	placer->map = strew_map_retain(map);
	return placer;
}

strew_status place_add_pools(strew_placer *placer, strew_error *error)
{
	size_t count = placer->map->pool_count;

	if (count == 0)
		return STREW_OK;
	placer->pools = base_calloc(&placer->allocator, count, sizeof(*placer->pools));
	if (placer->pools == NULL)
		return base_error_nomem(error);
	placer->pool_count = count;
	return STREW_OK;
}

static strew_status refuse_kernel(const char *name, strew_error *error)
{
	char known[128] = "";
	size_t used = 0;

	for (size_t i = 0; strew_kernel_name(i) && used < sizeof(known); i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s",
					 i ? ", " : "", strew_kernel_name(i));
	return base_error_set(
		error, STREW_ENOTFOUND,
		"there is no kernel \"%.64s\" for this processor; there are %s", name,
		known);
}

static strew_status fill_placer(strew_placer *placer, const strew_placer_options *options,
				strew_error *error)
{
	strew_status status;

	status = compile_map(&placer->flat, placer->map, &placer->allocator, error);
	if (status == STREW_OK)
		status = place_add_pools(placer, error);
	if (status != STREW_OK)
		return status;
	placer->kernel = select_kernel_find(options->kernel);
	if (placer->kernel == NULL)
		return refuse_kernel(options->kernel, error);
	placer->weight_set = options->weight_set;
	placer->force_weight_set = options->force_weight_set != 0;
	placer->raw_set = flat_pick_set(placer->flat, options->weight_set);
	resolve_pools(placer, options);
	return STREW_OK;
}

strew_status strew_placer_new(strew_placer **out, const strew_map *map,
			      const strew_placer_options *options, strew_error *error)
{
	strew_placer_options complete = complete_options(options);
	const strew_allocator *allocator = base_allocator_or_heap(complete.allocator);
	strew_placer *placer = place_start(map, allocator);
	strew_status status;

	*out = NULL;
	if (placer == NULL)
		return base_error_nomem(error);
	status = fill_placer(placer, &complete, error);
	if (status != STREW_OK)
		strew_placer_release(placer);
	else
		*out = placer;
	return status;
}

strew_placer *strew_placer_retain(const strew_placer *placer)
{
	strew_placer *shared = (strew_placer *)placer;

	base_ref_get(&shared->refs);
	return shared;
}

void strew_placer_release(strew_placer *placer)
{
	strew_allocator allocator;

	if (placer == NULL || !base_ref_put(&placer->refs))
		return;
	allocator = placer->allocator;
	base_free(&allocator, placer->pools, placer->pool_count * sizeof(*placer->pools));
	base_free(&allocator, placer->failed,
		  (placer->map->device_count + 1) * sizeof(*placer->failed));
	if (placer->owner)
		strew_placer_release(placer->owner);
	else
		compile_free(placer->flat, &allocator);
	strew_map_release(placer->map);
	base_free(&allocator, placer, sizeof(*placer));
}

const strew_map *strew_placer_map(const strew_placer *placer)
{
	return placer->map;
}

/* A set of the flat block as the map has it. */
static const struct map_weight_set *model_set(const strew_placer *placer,
					      const struct flat_set *set)
{
	return set ? map_weight_set_by_id(placer->map, set->id) : NULL;
}

const struct map_weight_set *place_raw_weight_set(const strew_placer *placer)
{
	return model_set(placer, placer->raw_set);
}

const struct map_weight_set *place_pool_weight_set(const strew_placer *placer,
						   int64_t pool)
{
	const struct place_pool *found = place_find_pool(placer, pool);

	return model_set(placer, found ? found->set : NULL);
}

const char *strew_placer_kernel(const strew_placer *placer)
{
	return select_kernel_name(placer->kernel);
}

const char *strew_kernel_name(size_t index)
{
	const struct select_kernel *kernel = select_kernel_at(index);

	return kernel ? select_kernel_name(kernel) : NULL;
}

int strew_placer_max_set(const strew_placer *placer)
{
	return placer->max_set;
}

strew_scratch *place_scratch_new(const struct rule_needs *needs,
				 const strew_allocator *allocator)
{
	strew_scratch *scratch = base_calloc(allocator, 1, sizeof(*scratch));

	if (scratch == NULL)
		return NULL;
	scratch->allocator = *allocator;
	scratch->set = base_alloc(allocator, STREW_WANT_MAX, sizeof(*scratch->set));
	scratch->rows = base_alloc(allocator, PLACE_ROWS_WORDS, sizeof(*scratch->rows));
	scratch->rule = rule_scratch_new(needs, allocator);
	if (scratch->set && scratch->rows && scratch->rule)
		return scratch;
	strew_scratch_free(scratch);
	return NULL;
}

strew_status strew_scratch_new(strew_scratch **out, const strew_placer *placer,
			       strew_error *error)
{
	struct rule_needs needs = place_needs(placer);

	*out = place_scratch_new(&needs, &placer->allocator);
	return *out ? STREW_OK : base_error_nomem(error);
}

void strew_scratch_free(strew_scratch *scratch)
{
	strew_allocator allocator;

	if (scratch == NULL)
		return;
	allocator = scratch->allocator;
	rule_scratch_free(scratch->rule);
	base_free(&allocator, scratch->set, STREW_WANT_MAX * sizeof(*scratch->set));
	base_free(&allocator, scratch->rows, PLACE_ROWS_WORDS * sizeof(*scratch->rows));
	base_free(&allocator, scratch, sizeof(*scratch));
}

strew_status place_check(const struct flat_rule **out, const strew_placer *placer,
			 int32_t rule, int want, const strew_scratch *scratch)
{
	/* The caller may pass on what strew_map_find_rule() returned. */
	if (rule < 0)
		return (strew_status)rule;
	if (want < 1 || want > STREW_WANT_MAX)
		return STREW_ERANGE;
	if (!place_scratch_fits(placer, scratch))
		return STREW_EINVAL;
	*out = flat_find_rule(placer->flat, rule);
	return *out ? STREW_OK : STREW_ENOTFOUND;
}

int strew_place(const strew_placer *placer, int32_t rule, uint32_t x, int32_t *out,
		int want, strew_scratch *scratch)
{
	struct rule_call call = {.flat = placer->flat,
				 .set = placer->raw_set,
				 .kernel = placer->kernel,
				 .x = x,
				 .want = want};
	strew_status status = place_check(&call.rule, placer, rule, want, scratch);

	if (status != STREW_OK)
		return (int)status;
	return rule_run(&call, out, scratch->rule);
}

uint32_t strew_pool_input(uint32_t x, int64_t pool)
{
	return hash_2(x, (uint32_t)pool);
}
