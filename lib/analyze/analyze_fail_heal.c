/* SPDX-License-Identifier: MIT */
/* Why what a device lost can't be placed again. */
#include "analyze_fail_priv.h"

#include <string.h>

/* Tries are the reason when so many of them help. */
#define PATIENCE 1000

/* The choose steps of one take, and how many items each is to find below what the step
 * before it found. */
#define STEPS_MAX 8

struct block {
	uint32_t root; /* a bucket's index */
	size_t count;
	struct {
		int32_t type;
		int wanted;
	} steps[STEPS_MAX];
};

/* Which devices and buckets will do for a step, and what is below each bucket. */
struct survey {
	const struct fail_worker *worker;
	const struct analyze_tree *tree;
	bool *device_fits;
	bool *bucket_fits;
	int *below; /* by bucket: how many items of the step's type fit */
};

static bool is_live(const struct fail_worker *worker, size_t device)
{
	const strew_device *found = &worker->fail->map->devices[device];

	return !worker->failed[device] && found->reweight > 0;
}

static int add_up(int sum, int more)
{
	return sum > STREW_WANT_MAX ? sum : sum + more;
}

static int count_item(const struct survey *survey, int32_t item, int32_t type)
{
	const strew_bucket *buckets = survey->tree->map->buckets;

	if (item >= 0)
		return type == 0 && survey->device_fits[item];
	if (buckets[-1 - item].type == type)
		return survey->bucket_fits[-1 - item];
	return survey->below[-1 - item];
}

/* From the bottom up: how many items of a type fit below each bucket. */
static void count_below(struct survey *survey, int32_t type)
{
	const struct analyze_tree *tree = survey->tree;

	for (size_t i = tree->map->bucket_count; i-- > 0;) {
		uint32_t bucket = tree->order[i];
		const struct map_item *items = tree->map->buckets[bucket].items;
		size_t first = tree->first[bucket];
		int sum = 0;

		for (size_t at = first; at < tree->first[bucket + 1]; at++) {
			if (items[at - first].weight > 0)
				sum = add_up(sum,
					     count_item(survey, tree->items[at], type));
		}
		survey->below[bucket] = sum;
	}
}

static void fit_buckets(struct survey *survey, int wanted)
{
	for (size_t i = 0; i < survey->tree->map->bucket_count; i++)
		survey->bucket_fits[i] = survey->below[i] >= wanted;
}

/* How many items of its first step there are that the others can be done below. */
static int count_fits(struct survey *survey, const struct block *block)
{
	for (size_t i = 0; i < survey->tree->map->device_count; i++)
		survey->device_fits[i] = is_live(survey->worker, i);
	/* A leaf below each bucket of the last step. */
	count_below(survey, 0);
	fit_buckets(survey, 1);
	for (size_t i = block->count; i-- > 0;) {
		count_below(survey, block->steps[i].type);
		if (i > 0)
			fit_buckets(survey, block->steps[i].wanted);
	}
	return survey->below[block->root];
}

/* A step that asks for more than is wanted is done before all of it is found. */
static void trim_first(struct block *block, int want)
{
	int64_t product = 1;

	for (size_t i = 1; i < block->count; i++)
		product *= block->steps[i].wanted;
	if (block->count == 0 || product < 1)
		return;
	if (block->steps[0].wanted * product > want)
		block->steps[0].wanted = (int)((want + product - 1) / product);
}

static int count_ranks(int32_t argument, int want)
{
	int64_t ranks = argument > 0 ? argument : (int64_t)argument + want;

	return ranks < 0 ? 0 : ranks > STREW_WANT_MAX ? STREW_WANT_MAX : (int)ranks;
}

/* @return false when the rule has no more blocks */
static bool read_block(struct block *block, const struct fail *fail,
		       const struct fail_group *group, size_t *at)
{
	struct analyze_block steps;
	const struct map_step *step;
	size_t next = 0;

	if (!analyze_next_block(&steps, group->rule, at))
		return false;
	block->count = 0;
	block->root = steps.take->arg1 < 0
			      ? (uint32_t)map_bucket_index(fail->map, steps.take->arg1)
			      : ANALYZE_NOWHERE;
	while (block->count < STEPS_MAX &&
	       (step = analyze_next_choice(&steps, &next)) != NULL) {
		block->steps[block->count].type = step->arg2;
		block->steps[block->count++].wanted =
			count_ranks(step->arg1, group->want);
	}
	return true;
}

static void note_domain(struct fail_reason *reason, const struct block *block, int left)
{
	bool inner = block->count > 1;

	reason->cause = FAIL_NO_DOMAIN;
	reason->root = block->root;
	reason->type = block->steps[0].type;
	reason->wanted = block->steps[0].wanted;
	reason->left = left;
	reason->inner_type = inner ? block->steps[1].type : -1;
	reason->inner = inner ? block->steps[1].wanted : 0;
}

/* Are there too few domains for a take of the rule? *steps: the most that a take has. */
static bool lacks_domain(struct survey *survey, struct fail_reason *reason, size_t *steps)
{
	const struct fail *fail = survey->worker->fail;
	const struct fail_group *group = &fail->groups[reason->group];
	struct block block;
	size_t at = 0;

	*steps = 0;
	while (read_block(&block, fail, group, &at)) {
		int left;

		if (block.root == ANALYZE_NOWHERE || block.count == 0)
			continue;
		if (block.count > *steps)
			*steps = block.count;
		trim_first(&block, group->want);
		left = count_fits(survey, &block);
		if (left < block.steps[0].wanted) {
			note_domain(reason, &block, left);
			return true;
		}
	}
	return false;
}

/* How many devices a unit still lacks, of those that it had. */
static int count_missing(const struct fail *fail, uint64_t unit, const strew_set *up)
{
	const int32_t *before = fail->sets + unit * fail->room;
	int missing = 0;

	for (size_t i = 0; i < fail->room; i++)
		missing += before[i] >= 0;
	return missing - analyze_count_devices(up);
}

/* Does one of the units on the short list heal with this placer? */
static bool heals_any(struct fail_worker *worker, const strew_placer *placer)
{
	const struct fail *fail = worker->fail;
	struct analyze_units units = {.plan = &fail->plan,
				      .placer = placer,
				      .rule = fail->plan.inputs.rule,
				      .want = fail->plan.inputs.want,
				      .list = worker->short_list,
				      .count = worker->short_count};
	strew_stages stages[ANALYZE_CHUNK] = {0};
	strew_pg pgs[ANALYZE_CHUNK];

	for (size_t i = 0; i < worker->short_count; i++) {
		stages[i].up.devices = worker->words + i * fail->room;
		stages[i].up.room = (int)fail->room;
	}
	analyze_place_units(stages, pgs, &units, worker->scratch);
	for (size_t i = 0; i < worker->short_count; i++) {
		if (count_missing(fail, worker->short_list[i], &stages[i].up) <= 0)
			return true;
	}
	return false;
}

/* Would a unit heal with many tries? */
static bool tries_help(struct fail_worker *worker)
{
	strew_placer *patient;
	bool help;

	if (place_with_tries(&patient, worker->placer, PATIENCE, worker->fail->allocator,
			     NULL)) {
		worker->out_of_memory = true;
		return false;
	}
	help = heals_any(worker, patient);
	strew_placer_release(patient);
	return help;
}

void analyze_fail_explain(struct fail_worker *worker)
{
	const struct fail *fail = worker->fail;
	struct fail_reason *reason = &worker->now->reason;
	struct survey survey = {.worker = worker,
				.tree = &fail->tree,
				.device_fits = worker->device_fits,
				.bucket_fits = worker->bucket_fits,
				.below = worker->below};
	const struct analyze_group *group =
		analyze_find_group(&fail->plan, worker->short_list[0]);
	size_t steps;

	memset(reason, 0, sizeof(*reason));
	reason->group = (uint32_t)(group - fail->plan.groups);
	if (lacks_domain(&survey, reason, &steps))
		return;
	/* With one step only each domain can be chosen at any time. */
	reason->cause = steps < 2 || tries_help(worker) ? FAIL_TRIES : FAIL_STUCK;
}

static void add_type(struct base_str *text, const struct fail *fail, int32_t type,
		     int count)
{
	const char *name =
		type == 0 ? ANALYZE_DEVICE_TYPE : strew_map_type_name(fail->map, type);

	analyze_add_count(text, (size_t)count, name ? name : "?");
}

static void add_no_domain(struct base_str *text, const struct fail *fail,
			  const struct fail_reason *reason)
{
	add_type(text, fail, reason->type, reason->wanted);
	if (reason->inner_type >= 0) {
		base_str_add(text, " with ");
		add_type(text, fail, reason->inner_type, reason->inner);
		base_str_add(text, reason->wanted == 1 ? "" : " each");
	}
	base_str_addf(text, " below %s needed, %d left",
		      fail->map->buckets[reason->root].name, reason->left);
}

void analyze_fail_add_reason(struct base_str *text, const struct fail *fail,
			     const struct fail_reason *reason)
{
	const strew_pool *pool = fail->plan.groups[reason->group].pools[0];

	if (reason->cause == FAIL_HEALS)
		return;
	if (fail->plan.group_count > 1)
		base_str_addf(text, "pool %s: ", pool->name);
	if (reason->cause == FAIL_NO_DOMAIN)
		add_no_domain(text, fail, reason);
	else if (reason->cause == FAIL_STUCK)
		base_str_add(text, "the rule's first step keeps choosing what failed, as "
				   "its weight stays; only taking it out of the tree "
				   "helps");
	else if (reason->cause == FAIL_TRIES)
		base_str_add(text, "the rule's tries run out before it finds a device "
				   "that is left");
	else
		base_str_add(text, "devices that the rule chooses are down");
}
