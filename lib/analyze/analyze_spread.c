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

static void place_raw(const struct spread *spread, uint64_t unit, strew_set *set,
		      strew_scratch *scratch)
{
	int count = strew_place(spread->placer, spread->plan.inputs.rule,
				analyze_hashed_input(&spread->plan, unit), set->devices,
				set->room, scratch);

	set->count = count > 0 ? count : 0;
	for (int i = set->count; i-- > 0;) {
		if (set->devices[i] != STREW_NONE)
			set->primary = set->devices[i];
	}
}

static void place_pg(const struct spread *spread, uint64_t unit, strew_set *set,
		     strew_scratch *scratch)
{
	strew_pg pg = analyze_unit_pg(&spread->plan, unit, spread->placer);
	strew_stages stages = {0};
	strew_set *stage = spread->how.acting ? &stages.acting : &stages.up;

	*stage = *set;
	if (strew_place_pg(spread->placer, pg, &stages, scratch) == STREW_OK)
		*set = *stage;
}

static void place_unit(const void *ctx, uint64_t unit, int32_t *words,
		       strew_scratch *const scratch[2])
{
	const struct spread *spread = ctx;
	strew_set set = {.devices = words + WORD_DEVICES,
			 .room = (int)spread->room,
			 .primary = STREW_NONE};

	if (spread->plan.kind == ANALYZE_RAW)
		place_raw(spread, unit, &set, scratch[0]);
	else
		place_pg(spread, unit, &set, scratch[0]);
	words[WORD_COUNT] = set.count;
	words[WORD_PRIMARY] = set.primary;
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	strew_set set = {.devices = (int32_t *)words + WORD_DEVICES,
			 .count = words[WORD_COUNT],
			 .primary = words[WORD_PRIMARY]};

	return analyze_spread_count(ctx, unit, &set);
}

static strew_status count_all(struct spread *spread, const strew_run *run)
{
	struct analyze_walk walk = {.units = spread->plan.units,
				    .placers = {spread->placer, NULL},
				    .place = place_unit,
				    .take = take_unit,
				    .ctx = spread};

	spread->room = spread->plan.kind == ANALYZE_RAW
			       ? (size_t)spread->plan.inputs.want
			       : (size_t)strew_placer_max_set(spread->placer);
	walk.words = WORD_DEVICES + spread->room;
	return analyze_walk(&walk, run, spread->error);
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

static strew_status run_spread(struct spread *spread, const strew_run *run)
{
	strew_status status = open_spread(spread);

	if (status == STREW_OK)
		status = count_all(spread, run);
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
	spread.allocator = base_allocator_or_heap(with.allocator);
	status = analyze_plan_new(&spread.plan, maps, inputs, spread.allocator, error);
	if (status)
		return status;
	status = run_spread(&spread, &with);
	if (status)
		strew_result_free(spread.result);
	else
		*out = spread.result;
	close_spread(&spread);
	return status;
}
