/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <string.h>

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

/* A unit's words. Behind its devices are those before upmaps, if they are others. */
enum { WORD_COUNT, WORD_PRIMARY, WORD_RAW, WORD_DEVICES };

#define SAME (-1) /* in WORD_RAW */

static strew_set *set_of(const struct spread *spread, strew_stages *stages)
{
	bool acting = spread->how.acting && spread->plan.kind != ANALYZE_RAW;

	return acting ? &stages->acting : &stages->up;
}

static size_t count_words(const struct spread *spread)
{
	return WORD_DEVICES + 2 * spread->room;
}

static void give_room(strew_stages *stages, const struct spread *spread, int32_t *words)
{
	strew_set *set = set_of(spread, stages);

	set->devices = words + WORD_DEVICES;
	set->room = (int)spread->room;
	if (spread->plan.kind == ANALYZE_RAW)
		return;
	stages->raw.devices = words + WORD_DEVICES + spread->room;
	stages->raw.room = (int)spread->room;
}

static void close_unit(int32_t *words, const strew_set *set, const strew_set *raw)
{
	size_t bytes = (size_t)set->count * sizeof(*set->devices);

	words[WORD_COUNT] = set->count;
	words[WORD_PRIMARY] = set->primary;
	words[WORD_RAW] = raw->count;
	if (raw->devices == NULL ||
	    (raw->count == set->count && memcmp(raw->devices, set->devices, bytes) == 0))
		words[WORD_RAW] = SAME;
}

static void place_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
			strew_scratch *const scratch[2])
{
	const struct spread *spread = ctx;
	struct analyze_units units = {.plan = &spread->plan,
				      .placer = spread->placer,
				      .rule = spread->plan.inputs.rule,
				      .want = spread->plan.inputs.want,
				      .first = first,
				      .count = count};
	strew_stages stages[ANALYZE_CHUNK] = {0};
	strew_pg pgs[ANALYZE_CHUNK];
	size_t stride = count_words(spread);

	for (size_t i = 0; i < count; i++)
		give_room(&stages[i], spread, words + i * stride);
	analyze_place_units(stages, pgs, &units, scratch[0]);
	for (size_t i = 0; i < count; i++)
		close_unit(words + i * stride, set_of(spread, &stages[i]),
			   &stages[i].raw);
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	const struct spread *spread = ctx;
	int32_t *devices = (int32_t *)words + WORD_DEVICES;
	strew_set set = {.devices = devices,
			 .count = words[WORD_COUNT],
			 .primary = words[WORD_PRIMARY]};
	strew_set raw = {.devices = devices + spread->room, .count = words[WORD_RAW]};

	return analyze_spread_count(ctx, unit, &set, raw.count == SAME ? NULL : &raw);
}

static strew_status count_all(struct spread *spread)
{
	struct analyze_walk walk = {.units = spread->plan.units,
				    .placers = {spread->placer, NULL},
				    .place = place_units,
				    .take = take_unit,
				    .ctx = spread};
	strew_status status;

	spread->room = spread->plan.kind == ANALYZE_RAW
			       ? (size_t)spread->plan.inputs.want
			       : (size_t)strew_placer_max_set(spread->placer);
	walk.words = count_words(spread);
	status = analyze_walk(&walk, spread->run, spread->error);
	analyze_spread_end_group(spread);
	return status;
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
	analyze_spread_forget(spread);
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
	analyze_spread_imbalance(spread);
	analyze_spread_pools(spread);
	analyze_spread_notes(spread, base_str_text(&why));
	analyze_spread_draw(spread);
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
	if (status == STREW_OK)
		status = analyze_spread_capacity(spread);
	if (status)
		return status;
	analyze_spread_find_fill(spread);
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
	spread.ratios = (struct analyze_ratios){spread.how.full_ratio,
						spread.how.backfillfull_ratio,
						spread.how.nearfull_ratio};
	status = analyze_choose_ratios(&spread.ratios, spread.map, error);
	if (status)
		return status;
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
