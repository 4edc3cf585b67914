/* SPDX-License-Identifier: MIT */
/* Units of kept placements, on the threads that were lent. */
#include <stdatomic.h>
#include <string.h>

#include "place_kept_priv.h"

#define WORKERS_MAX 16

/* Inputs that wait until there are enough of them to be placed together. */
#define ENOUGH PLACE_ROWS

/* What one task works with. */
struct worker {
	strew_scratch *scratch;
	struct rule_finder *finder;
	size_t waiting;
	uint32_t inputs[ENOUGH + RULE_TRACE_UNIT];
	/* Those that are placed. */
	uint32_t xs[PLACE_ROWS];
	int counts[PLACE_ROWS];
};

struct job {
	struct place_kept_rows *rows;
	const struct place_kept_plan *plan;
	const struct rule_change *change; /* NULL: place all */
	const strew_allocator *allocator;
	struct worker *workers[WORKERS_MAX];
	size_t worker_count;
	atomic_size_t placed;
};

static void take_row(const struct job *job, size_t index, int32_t *row, int count)
{
	size_t want = (size_t)job->plan->call.want;
	int32_t *kept = job->rows->rows + index * want;

	for (size_t i = (size_t)count; i < want; i++)
		row[i] = STREW_NONE;
	if (job->rows->counts[index] == count &&
	    memcmp(kept, row, want * sizeof(*row)) == 0)
		return;
	job->rows->moved[index] = 1;
	job->rows->counts[index] = (uint16_t)count;
	memcpy(kept, row, want * sizeof(*row));
}

static void place_some(const struct job *job, struct worker *worker,
		       const uint32_t *inputs, size_t count)
{
	const struct rule_call *call = &job->plan->call;
	const struct rule_trace *trace = &job->rows->trace;
	strew_scratch *scratch = worker->scratch;
	for (size_t i = 0; i < count; i++)
		worker->xs[i] = job->rows->xs[inputs[i]];
	rule_run_traced(call, worker->xs, count, scratch->rows, worker->counts,
			scratch->rule, trace->spots ? trace : NULL, inputs);
	for (size_t i = 0; i < count; i++)
		take_row(job, inputs[i], scratch->rows + i * (size_t)call->want,
			 worker->counts[i]);
}

static void place_waiting(struct job *job, struct worker *worker)
{
	size_t size;

	for (size_t done = 0; done < worker->waiting; done += size) {
		size = place_chunk_size(worker->waiting - done, job->plan->call.want);
		place_some(job, worker, worker->inputs + done, size);
	}
	atomic_fetch_add(&job->placed, worker->waiting);
	worker->waiting = 0;
}

static size_t find_inputs(const struct job *job, const struct worker *worker,
			  size_t first, uint32_t *inputs)
{
	uint64_t left = job->plan->count - first;
	uint32_t count = left < RULE_TRACE_UNIT ? (uint32_t)left : RULE_TRACE_UNIT;
	const struct place_kept_rows *rows = job->rows;
	size_t found = count;

	if (job->change) {
		found = rule_change_find(job->change, worker->finder, &rows->trace,
					 rows->xs, first, count, inputs);
		rule_change_move(job->change, &rows->trace, first, count);
		return found;
	}
	if (rows->trace.spots)
		rule_trace_measure(&rows->trace, &job->plan->call, rows->xs, first,
				   count);
	for (uint32_t i = 0; i < count; i++)
		inputs[i] = (uint32_t)first + i;
	return found;
}

static void run_units(void *arg, size_t index)
{
	struct job *job = arg;
	struct worker *worker = job->workers[index];

	for (size_t i = index; i < job->rows->units; i += job->worker_count) {
		worker->waiting += find_inputs(job, worker, i * RULE_TRACE_UNIT,
					       worker->inputs + worker->waiting);
		if (worker->waiting >= ENOUGH)
			place_waiting(job, worker);
	}
	place_waiting(job, worker);
}

static bool open_worker(struct job *job, size_t index)
{
	struct rule_needs needs = place_needs(job->plan->placer);
	struct worker *worker = base_alloc(job->allocator, 1, sizeof(*worker));

	job->workers[index] = worker;
	if (worker == NULL)
		return false;
	worker->waiting = 0;
	worker->finder = NULL;
	worker->scratch = place_scratch_new(&needs, job->allocator);
	if (job->change)
		worker->finder = rule_finder_new(job->allocator);
	return worker->scratch && (worker->finder || job->change == NULL);
}

static void close_workers(struct job *job)
{
	for (size_t i = 0; i < WORKERS_MAX && job->workers[i]; i++) {
		strew_scratch_free(job->workers[i]->scratch);
		rule_finder_free(job->workers[i]->finder);
		base_free(job->allocator, job->workers[i], sizeof(*job->workers[i]));
	}
}

static void run_job(struct job *job, const strew_executor *executor)
{
	memset(job->rows->moved, 0, (size_t)job->plan->count);
	if (executor)
		executor->run(executor->ctx, job->worker_count, run_units, job);
	else
		run_units(job, 0);
}

strew_status place_kept_run(struct place_kept_rows *rows,
			    const struct place_kept_plan *plan,
			    const struct rule_change *change, const strew_run *run,
			    size_t *placed)
{
	struct job job = {.rows = rows,
			  .plan = plan,
			  .change = change,
			  .allocator = base_allocator_or_heap(run->allocator)};
	bool fine = true;

	job.worker_count = run->executor ? WORKERS_MAX : 1;
	if (job.worker_count > rows->units)
		job.worker_count = rows->units;
	atomic_init(&job.placed, 0);
	for (size_t i = 0; i < job.worker_count && fine; i++)
		fine = open_worker(&job, i);
	if (fine)
		run_job(&job, run->executor);
	close_workers(&job);
	if (!fine)
		return STREW_ENOMEM;
	rows->trace.measured = true;
	*placed = atomic_load(&job.placed);
	return STREW_OK;
}
