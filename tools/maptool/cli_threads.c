/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "cli.h"

#define THREADS_MAX 1024

struct work {
	atomic_size_t next;
	size_t tasks;
	void (*task)(void *arg, size_t index);
	void *arg;
};

static void *do_tasks(void *shared)
{
	struct work *work = shared;
	size_t index;

	while ((index = atomic_fetch_add(&work->next, 1)) < work->tasks)
		work->task(work->arg, index);
	return NULL;
}

/* The calling thread works too: where there are no more threads, it does all. */
static void run_tasks(void *ctx, size_t tasks, void (*task)(void *arg, size_t index),
		      void *arg)
{
	const size_t *threads = ctx;
	struct work work = {.tasks = tasks, .task = task, .arg = arg};
	pthread_t helpers[THREADS_MAX];
	size_t started = 0;

	while (started + 1 < *threads && started + 1 < tasks && started < THREADS_MAX) {
		if (pthread_create(&helpers[started], NULL, do_tasks, &work) != 0)
			break;
		started++;
	}
	do_tasks(&work);
	while (started > 0)
		pthread_join(helpers[--started], NULL);
}

strew_executor cli_threads_executor(size_t *threads)
{
	return (strew_executor){.run = run_tasks, .ctx = threads};
}

size_t cli_threads_default(void)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (cores < 1)
		return 1;
	return cores < THREADS_MAX ? (size_t)cores : THREADS_MAX;
}
