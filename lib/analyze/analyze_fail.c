/* SPDX-License-Identifier: MIT */
#include "analyze_fail_priv.h"

#include "base_error.h"

#define WORKERS_MAX 32

/* What each group's units need. */

static void set_raw_needs(struct fail_group *group, const struct fail *fail)
{
	const strew_inputs *inputs = &fail->plan.inputs;
	bool copies;

	group->rule = map_rule_by_id(fail->map, inputs->rule);
	group->want = inputs->want;
	copies = group->rule->kind == STREW_KIND_REPLICATED ||
		 group->rule->kind == STREW_KIND_MSR_FIRSTN;
	group->by_position = !copies;
	/* As Ceph has them unless it is told otherwise. */
	group->needed = copies ? 1 : 0;
	group->min_size = copies ? inputs->want - inputs->want / 2 : 0;
	if (!copies && fail->how.data_shards > 0)
		group->min_size = fail->how.data_shards < inputs->want
					  ? fail->how.data_shards + 1
					  : inputs->want;
}

static void set_pool_needs(struct fail_group *group, const struct fail *fail,
			   const strew_pool *pool)
{
	group->rule = map_rule_by_id(fail->map, pool->rule);
	group->want = pool->size;
	group->by_position = pool->kind == STREW_KIND_ERASURE;
	group->needed = analyze_data_shards(pool);
	group->min_size = pool->min_size;
}

static void set_needs(struct fail *fail)
{
	for (size_t i = 0; i < fail->plan.group_count; i++) {
		const strew_pool *pool = fail->plan.groups[i].pools[0];
		struct fail_group *group = &fail->groups[i];

		if (pool)
			set_pool_needs(group, fail, pool);
		else
			set_raw_needs(group, fail);
		if (fail->how.data_shards > 0)
			group->needed = fail->how.data_shards;
		if (fail->how.min_size > 0)
			group->min_size = fail->how.min_size;
	}
}

/* More shards than there are would make every unit look lost. */
static strew_status check_needs(const struct fail *fail)
{
	for (size_t i = 0; i < fail->plan.group_count; i++) {
		const strew_pool *pool = fail->plan.groups[i].pools[0];
		const struct fail_group *group = &fail->groups[i];

		if (group->needed <= group->want && group->min_size <= group->want)
			continue;
		return base_error_set(
			fail->error, STREW_ERANGE,
			"%d shards are to be left of a placement%s%s, "
			"which has %d",
			group->needed > group->want ? group->needed : group->min_size,
			pool ? " of pool " : "", pool ? pool->name : "", group->want);
	}
	return STREW_OK;
}

/* Running cases. */

struct job {
	struct fail *fail;
	struct fail_worker *workers;
	size_t worker_count;
	atomic_size_t next, done;
	atomic_bool canceled;
};

static void tell_progress(struct job *job)
{
	const strew_progress *progress = job->fail->run.progress;
	uint64_t done = atomic_fetch_add(&job->done, 1) + 1;

	if (progress && progress->tick(progress->ctx, done, job->fail->case_count) != 0)
		atomic_store(&job->canceled, true);
}

static void run_cases(void *arg, size_t index)
{
	struct job *job = arg;
	struct fail_worker *worker = &job->workers[index];
	size_t at;

	while ((at = atomic_fetch_add(&job->next, 1)) < job->fail->case_count) {
		if (atomic_load(&job->canceled))
			return;
		if (analyze_fail_run_case(worker, at, &job->canceled))
			tell_progress(job);
		analyze_fail_end_case(worker);
	}
}

static strew_status open_workers(struct job *job)
{
	const struct fail *fail = job->fail;
	size_t count = fail->run.executor ? WORKERS_MAX : 1;
	strew_status status = STREW_OK;

	if (count > fail->case_count)
		count = fail->case_count;
	job->workers = base_calloc(fail->allocator, WORKERS_MAX, sizeof(*job->workers));
	if (job->workers == NULL)
		return base_error_nomem(fail->error);
	while (job->worker_count < count && !status)
		status = analyze_fail_open_worker(&job->workers[job->worker_count++],
						  job->fail);
	return status;
}

static void run_job(struct job *job)
{
	const strew_executor *executor = job->fail->run.executor;

	if (executor)
		executor->run(executor->ctx, job->worker_count, run_cases, job);
	else
		run_cases(job, 0);
}

/* The worst one once more, for what isn't kept of all. */
static strew_status tell_all(struct job *job)
{
	struct fail *fail = job->fail;

	fail->shown = &job->workers[0];
	analyze_fail_sort(fail);
	analyze_fail_run_case(fail->shown, fail->order[0], &job->canceled);
	return analyze_fail_tell(fail);
}

static strew_status run_all(struct fail *fail)
{
	struct job job = {.fail = fail};
	strew_status status;

	atomic_init(&job.next, 0);
	atomic_init(&job.done, 0);
	atomic_init(&job.canceled, false);
	status = open_workers(&job);
	if (status == STREW_OK)
		run_job(&job);
	if (status == STREW_OK && atomic_load(&job.canceled))
		status = base_error_set(fail->error, STREW_ECANCELED, "%s",
					strew_status_text(STREW_ECANCELED));
	if (status == STREW_OK)
		status = tell_all(&job);
	for (size_t i = 0; i < job.worker_count; i++) {
		fail->out_of_memory |= job.workers[i].out_of_memory;
		analyze_fail_close_worker(&job.workers[i]);
	}
	base_free(fail->allocator, job.workers, WORKERS_MAX * sizeof(*job.workers));
	return status;
}

/* The whole. */

static strew_status find_type(int32_t *out, const struct fail *fail, const char *name)
{
	*out = analyze_find_type(fail->map, name);
	return *out < 0 ? analyze_refuse_type(fail->map, name, fail->allocator,
					      fail->error)
			: STREW_OK;
}

static strew_status find_types(struct fail *fail)
{
	const char *level = fail->how.level;
	strew_status status = STREW_OK;

	if (level == NULL)
		level = analyze_failure_domain(fail->map, fail->groups[0].rule->id);
	fail->level_name = level;
	status = find_type(&fail->level, fail, level);
	if (status == STREW_OK && fail->how.what != STREW_FAIL_ITEMS)
		status = find_type(&fail->type, fail, fail->how.type);
	return status;
}

static strew_status open_fail(struct fail *fail)
{
	strew_status status =
		analyze_tree_new(&fail->tree, fail->map, fail->allocator, fail->error);

	if (status)
		return status;
	fail->devices = base_calloc(fail->allocator, fail->map->device_count + 1,
				    sizeof(*fail->devices));
	fail->groups = base_calloc(fail->allocator, fail->plan.group_count,
				   sizeof(*fail->groups));
	fail->result = result_new("fail", fail->allocator);
	if (!fail->devices || !fail->groups || !fail->result)
		return base_error_nomem(fail->error);
	fail->room = fail->plan.kind == ANALYZE_RAW
			     ? (size_t)fail->plan.inputs.want
			     : (size_t)strew_placer_max_set(fail->placer);
	set_needs(fail);
	status = check_needs(fail);
	return status ? status : find_types(fail);
}

static void close_fail(struct fail *fail)
{
	const strew_allocator *allocator = fail->allocator;
	size_t devices = fail->map->device_count, units = (size_t)fail->plan.units;

	analyze_fail_free_sets(fail);
	base_free(allocator, fail->order, fail->case_count * sizeof(*fail->order));
	base_free(allocator, fail->cases, fail->case_count * sizeof(*fail->cases));
	base_free(allocator, fail->items, fail->item_room * sizeof(*fail->items));
	base_free(allocator, fail->by_use, (devices + 1) * sizeof(*fail->by_use));
	base_free(allocator, (void *)fail->hurt, units * sizeof(*fail->hurt));
	base_free(allocator, fail->units,
		  (fail->touches.count + 1) * sizeof(*fail->units));
	base_free(allocator, fail->first, (devices + 2) * sizeof(*fail->first));
	base_vec_free(&fail->touches, allocator);
	base_free(allocator, fail->sets, units * fail->room * sizeof(*fail->sets));
	base_free(allocator, fail->groups,
		  fail->plan.group_count * sizeof(*fail->groups));
	base_free(allocator, fail->devices, (devices + 1) * sizeof(*fail->devices));
	analyze_tree_free(&fail->tree, allocator);
	analyze_plan_free(&fail->plan);
}

static strew_status run_fail(struct fail *fail)
{
	strew_status status = open_fail(fail);

	if (status == STREW_OK)
		status = analyze_fail_place(fail);
	if (status == STREW_OK)
		status = analyze_fail_measure(fail);
	if (status == STREW_OK)
		status = analyze_fail_list(fail);
	if (status == STREW_OK)
		status = analyze_fail_find_sets(fail);
	if (status == STREW_OK)
		status = run_all(fail);
	if (status == STREW_OK && (result_status(fail->result) || fail->out_of_memory))
		status = base_error_nomem(fail->error);
	return status;
}

static strew_status check_options(struct fail *fail)
{
	const strew_fail_options *how = &fail->how;
	strew_status status;

	fail->ratios = (struct analyze_ratios){how->full_ratio, how->backfillfull_ratio,
					       how->nearfull_ratio};
	status = analyze_choose_ratios(&fail->ratios, fail->map, fail->error);
	if (status)
		return status;
	if (how->most_failed < 0 || how->most_failed > FAIL_ODDS_MAX)
		return base_error_set(fail->error, STREW_ERANGE,
				      "the odds are told of 0 to %d devices",
				      FAIL_ODDS_MAX);
	if (how->min_size < 0 || how->data_shards < 0)
		return base_error_set(fail->error, STREW_ERANGE,
				      "numbers of shards are at least 0");
	if (how->what == STREW_FAIL_ITEMS ? how->item_count == 0 : how->type == NULL)
		return base_error_set(fail->error, STREW_EINVAL,
				      "say what fails: items or a type");
	return STREW_OK;
}

strew_status strew_fail(strew_result **out, const strew_placer *placer,
			const strew_inputs *inputs, const strew_fail_options *options,
			const strew_run *run, strew_error *error)
{
	struct fail fail = {.how = STREW_FAIL_OPTIONS_INIT,
			    .run = STREW_RUN_INIT,
			    .error = error,
			    .placer = placer,
			    .map = strew_placer_map(placer)};
	const strew_map *maps[2] = {fail.map, NULL};
	strew_status status;

	*out = NULL;
	analyze_read_options(&fail.how, options);
	analyze_read_options(&fail.run, run);
	fail.allocator = base_allocator_or_heap(fail.run.allocator);
	status = check_options(&fail);
	if (status == STREW_OK)
		status =
			analyze_plan_new(&fail.plan, maps, inputs, fail.allocator, error);
	if (status)
		return status;
	status = run_fail(&fail);
	if (status)
		strew_result_free(fail.result);
	else
		*out = fail.result;
	close_fail(&fail);
	return status;
}
