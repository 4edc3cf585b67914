/* SPDX-License-Identifier: MIT */
#ifndef STREW_RUN_H
#define STREW_RUN_H

#include <strew/alloc.h>

STREW_BEGIN_DECLS

/** Lends threads to the library, which starts none. `run` calls task(arg, i) once for
 * every i below `tasks`, in any order, on any threads, and returns when all are done. */
typedef struct strew_executor {
	void (*run)(void *ctx, size_t tasks, void (*task)(void *arg, size_t index),
		    void *arg);
	void *ctx;
} strew_executor;

/** Hears how far a long run is; called from any of the executor's threads, also at the
 * same time. A result other than 0 stops the run with STREW_ECANCELED. */
typedef struct strew_progress {
	int (*tick)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
} strew_progress;

/** What long work takes. NULL members: the calling thread, no progress, the heap. */
typedef struct strew_run {
	size_t size;
	const strew_executor *executor;
	const strew_progress *progress;
	const strew_allocator *allocator;
} strew_run;

#define STREW_RUN_INIT                                                                   \
	{                                                                                \
		sizeof(strew_run), 0, 0, 0                                               \
	}

STREW_END_DECLS

#endif
