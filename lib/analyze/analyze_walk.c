/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <stdatomic.h>
#include <string.h>

#include "base_error.h"

/*
 * Waves: up to SLOTS_MAX tasks place a chunk of units each, while one more takes those of
 * the wave before, in order. Memory is that of two waves, but for the scratch.
 */

#define SLOTS_MAX   64
#define CHUNK_WORDS 65536

struct slot {
	strew_scratch *scratch[2];
	int32_t *words[2]; /* by the wave's bank */
};

struct wave {
	uint64_t first; /* unit */
	size_t chunks;
	int bank;
};

struct walker {
	const struct analyze_walk *walk;
	const struct strew_executor *executor;
	const struct strew_progress *progress;
	const strew_allocator *allocator;
	struct slot slots[SLOTS_MAX];
	size_t slot_count;
	size_t chunk; /* units */
	struct wave placing;
	struct wave taking;
	strew_status status; /* of taking */
	atomic_uint_fast64_t done;
	atomic_bool canceled;
};

static size_t chunk_units(const struct analyze_walk *walk)
{
	size_t units = CHUNK_WORDS / walk->words;

	if (units > ANALYZE_CHUNK)
		units = ANALYZE_CHUNK;
	return units > 0 ? units : 1;
}

/* How many there are from a unit on. */
static uint64_t chunk_count(const struct walker *walker, uint64_t first)
{
	uint64_t left = walker->walk->units - first;

	return left / walker->chunk + (left % walker->chunk != 0);
}

static strew_status open_slot(struct slot *slot, const struct walker *walker,
			      strew_error *error)
{
	strew_status status = STREW_OK;

	for (int i = 0; i < 2; i++) {
		slot->words[i] =
			base_alloc(walker->allocator, walker->chunk * walker->walk->words,
				   sizeof(*slot->words[i]));
		if (slot->words[i] == NULL)
			return base_error_nomem(error);
	}
	for (int i = 0; i < 2 && !status; i++) {
		if (walker->walk->placers[i])
			status = strew_scratch_new(&slot->scratch[i],
						   walker->walk->placers[i], error);
	}
	return status;
}

static void close_slots(struct walker *walker)
{
	for (size_t i = 0; i < walker->slot_count; i++) {
		struct slot *slot = &walker->slots[i];

		strew_scratch_free(slot->scratch[0]);
		strew_scratch_free(slot->scratch[1]);
		for (int k = 0; k < 2; k++)
			base_free(walker->allocator, slot->words[k],
				  walker->chunk * walker->walk->words *
					  sizeof(*slot->words[k]));
	}
}

static strew_status open_slots(struct walker *walker, strew_error *error)
{
	size_t wanted = walker->executor ? SLOTS_MAX : 1;
	strew_status status = STREW_OK;

	if (wanted > chunk_count(walker, 0))
		wanted = (size_t)chunk_count(walker, 0);
	while (walker->slot_count < wanted && !status)
		status = open_slot(&walker->slots[walker->slot_count++], walker, error);
	return status;
}

static uint64_t first_of(const struct walker *walker, const struct wave *wave,
			 size_t chunk)
{
	return wave->first + (uint64_t)chunk * walker->chunk;
}

static size_t units_of(const struct walker *walker, const struct wave *wave, size_t chunk)
{
	uint64_t left = walker->walk->units - first_of(walker, wave, chunk);

	return left < walker->chunk ? (size_t)left : walker->chunk;
}

static void tell_progress(struct walker *walker, size_t units)
{
	const struct strew_progress *progress = walker->progress;
	uint64_t done = atomic_fetch_add(&walker->done, units) + units;

	if (progress && progress->tick(progress->ctx, done, walker->walk->units) != 0)
		atomic_store(&walker->canceled, true);
}

static void place_chunk(struct walker *walker, size_t index)
{
	const struct analyze_walk *walk = walker->walk;
	const struct wave *wave = &walker->placing;
	struct slot *slot = &walker->slots[index];
	size_t units = units_of(walker, wave, index);

	if (atomic_load(&walker->canceled))
		return;
	walk->place(walk->ctx, first_of(walker, wave, index), units,
		    slot->words[wave->bank], slot->scratch);
	tell_progress(walker, units);
}

static void take_chunk(struct walker *walker, size_t index)
{
	const struct analyze_walk *walk = walker->walk;
	const struct wave *wave = &walker->taking;
	const int32_t *words = walker->slots[index].words[wave->bank];
	uint64_t first = first_of(walker, wave, index);
	size_t units = units_of(walker, wave, index);

	for (size_t i = 0; i < units && !walker->status; i++)
		walker->status =
			walk->take(walk->ctx, first + i, words + i * walk->words);
}

/* The first is to take the wave before, which takes longest. */
static void run_task(void *arg, size_t index)
{
	struct walker *walker = arg;

	if (index > 0) {
		place_chunk(walker, index - 1);
		return;
	}
	for (size_t i = 0; i < walker->taking.chunks; i++)
		take_chunk(walker, i);
}

static strew_status run_wave(struct walker *walker)
{
	size_t tasks = walker->placing.chunks + 1;

	if (walker->executor)
		walker->executor->run(walker->executor->ctx, tasks, run_task, walker);
	else
		for (size_t i = 0; i < tasks; i++)
			run_task(walker, i);
	return atomic_load(&walker->canceled) ? STREW_ECANCELED : walker->status;
}

/* What was placed is taken next, and that may be the last. */
static void start_wave(struct walker *walker, uint64_t first)
{
	uint64_t chunks = chunk_count(walker, first);

	walker->taking = walker->placing;
	walker->placing.first = first;
	walker->placing.chunks =
		chunks < walker->slot_count ? (size_t)chunks : walker->slot_count;
	walker->placing.bank = !walker->taking.bank;
}

static strew_status run_waves(struct walker *walker, strew_error *error)
{
	uint64_t first = 0, units = walker->walk->units;
	strew_status status;

	do {
		start_wave(walker, first);
		status = run_wave(walker);
		first += (uint64_t)walker->placing.chunks * walker->chunk;
		first = first < units ? first : units;
	} while (walker->placing.chunks > 0 && !status);
	if (status)
		return base_error_set(error, status, "%s", strew_status_text(status));
	return STREW_OK;
}

strew_status analyze_walk(const struct analyze_walk *walk, const strew_run *run,
			  strew_error *error)
{
	struct walker walker = {.walk = walk,
				.executor = run->executor,
				.progress = run->progress,
				.allocator = base_allocator_or_heap(run->allocator),
				.chunk = chunk_units(walk)};
	strew_status status;

	atomic_init(&walker.done, 0);
	atomic_init(&walker.canceled, false);
	status = open_slots(&walker, error);
	if (status == STREW_OK)
		status = run_waves(&walker, error);
	close_slots(&walker);
	return status;
}
