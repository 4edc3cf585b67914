/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include "base_error.h"

int32_t analyze_spread_rule(const struct spread *spread,
			    const struct analyze_group *group)
{
	return group->pools[0] ? group->pools[0]->rule : spread->plan.inputs.rule;
}

int analyze_spread_want(const struct spread *spread, const struct analyze_group *group)
{
	return group->pools[0] ? group->pools[0]->size : spread->plan.inputs.want;
}

const struct map_weight_set *analyze_spread_set(const struct spread *spread,
						const struct analyze_group *group)
{
	return group->pools[0]
		       ? place_pool_weight_set(spread->placer, group->pools[0]->id)
		       : place_raw_weight_set(spread->placer);
}

bool analyze_spread_lists(const struct spread_device *device)
{
	return device->reached || device->load.expected > 0 || device->load.shards > 0 ||
	       device->load.primaries > 0;
}

/* A unit's words. */
enum { WORD_COUNT, WORD_PRIMARY, WORD_DEVICES };

static void place_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
			strew_scratch *const scratch[2])
{
	const struct spread *spread = ctx;
	bool acting = spread->how.acting && spread->plan.kind != ANALYZE_RAW;
	struct analyze_units units = {.plan = &spread->plan,
				      .placer = spread->placer,
				      .rule = spread->plan.inputs.rule,
				      .want = spread->plan.inputs.want,
				      .first = first,
				      .count = count};
	strew_stages stages[ANALYZE_CHUNK] = {0};
	strew_pg pgs[ANALYZE_CHUNK];
	size_t stride = WORD_DEVICES + spread->room;

	for (size_t i = 0; i < count; i++) {
		strew_set *set = acting ? &stages[i].acting : &stages[i].up;

		set->devices = words + i * stride + WORD_DEVICES;
		set->room = (int)spread->room;
	}
	analyze_place_units(stages, pgs, &units, scratch[0]);
	for (size_t i = 0; i < count; i++) {
		const strew_set *set = acting ? &stages[i].acting : &stages[i].up;

		words[i * stride + WORD_COUNT] = set->count;
		words[i * stride + WORD_PRIMARY] = set->primary;
	}
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	strew_set set = {.devices = (int32_t *)words + WORD_DEVICES,
			 .count = words[WORD_COUNT],
			 .primary = words[WORD_PRIMARY]};

	return analyze_spread_count(ctx, unit, &set);
}

static strew_status count_all(struct spread *spread)
{
	struct analyze_walk walk = {.units = spread->plan.units,
				    .placers = {spread->placer, NULL},
				    .place = place_units,
				    .take = take_unit,
				    .ctx = spread};

	spread->room = spread->plan.kind == ANALYZE_RAW
			       ? (size_t)spread->plan.inputs.want
			       : (size_t)strew_placer_max_set(spread->placer);
	walk.words = WORD_DEVICES + spread->room;
	return analyze_walk(&walk, spread->run, spread->error);
}

static strew_status open_spread(struct spread *spread)
{
	strew_status status = analyze_tree_new(&spread->tree, spread->map,
					       spread->allocator, spread->error);

	if (status)
		return status;
	spread->devices = base_calloc(spread->allocator, spread->map->device_count + 1,
				      sizeof(*spread->devices));
	spread->groups = base_calloc(spread->allocator, spread->plan.group_count,
				     sizeof(*spread->groups));
	spread->result = result_new("spread", spread->allocator);
	if (!spread->devices || !spread->groups || !spread->result)
		return base_error_nomem(spread->error);
	return analyze_spread_domains(spread);
}

static void close_spread(struct spread *spread)
{
	const strew_allocator *allocator = spread->allocator;

	base_free(allocator, spread->domains,
		  (spread->map->bucket_count + 1) * sizeof(*spread->domains));
	base_free(allocator, spread->groups,
		  spread->plan.group_count * sizeof(*spread->groups));
	base_free(allocator, spread->devices,
		  (spread->map->device_count + 1) * sizeof(*spread->devices));
	base_vec_free(&spread->touched, allocator);
	analyze_tree_free(&spread->tree, allocator);
	analyze_plan_free(&spread->plan);
}

static strew_status tell(struct spread *spread)
{
	struct base_str why;

	base_str_init(&why, spread->allocator);
	analyze_spread_why(spread, &why);
	analyze_spread_headline(spread);
	analyze_spread_tables(spread, base_str_text(&why));
	analyze_spread_draw(spread);
	analyze_spread_tree(spread);
	analyze_spread_last_line(spread);
	analyze_spread_pools(spread);
	analyze_spread_notes(spread, base_str_text(&why));
	if (!base_str_ok(&why))
		spread->out_of_memory = true;
	base_str_free(&why);
	if (result_status(spread->result) || spread->out_of_memory)
		return base_error_nomem(spread->error);
	return STREW_OK;
}

static strew_status run_spread(struct spread *spread)
{
	strew_status status = open_spread(spread);

	if (status == STREW_OK)
		status = count_all(spread);
	if (status == STREW_OK)
		status = analyze_spread_expect(spread);
	if (status)
		return status;
	analyze_spread_capacity(spread);
	analyze_spread_compare(spread);
	analyze_spread_sum_domains(spread);
	return tell(spread);
}

strew_status strew_spread(strew_result **out, const strew_placer *placer,
			  const strew_inputs *inputs, const strew_spread_options *options,
			  const strew_run *run, strew_error *error)
{
	struct spread spread = {.how = STREW_SPREAD_OPTIONS_INIT,
				.error = error,
				.placer = placer,
				.map = strew_placer_map(placer)};
	const strew_map *maps[2] = {spread.map, NULL};
	strew_run with = STREW_RUN_INIT;
	strew_status status;

	*out = NULL;
	analyze_read_options(&spread.how, options);
	analyze_read_options(&with, run);
	spread.run = &with;
	spread.allocator = base_allocator_or_heap(with.allocator);
	status = analyze_plan_new(&spread.plan, maps, inputs, spread.allocator, error);
	if (status)
		return status;
	status = run_spread(&spread);
	if (status)
		strew_result_free(spread.result);
	else
		*out = spread.result;
	close_spread(&spread);
	return status;
}
