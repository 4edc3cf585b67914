/* SPDX-License-Identifier: MIT */
#include "analyze.h"

#include <stdatomic.h>
#include <string.h>

#include "base_error.h"

/*
 * Waves: up to SLOTS_MAX tasks place a chunk of units each, then the calling thread takes
 * them all in order. Memory is that of one wave.
 */

#define SLOTS_MAX   64
#define CHUNK_WORDS 65536

struct slot {
	strew_scratch *scratch[2];
	int32_t *words;
};

struct walker {
	const struct analyze_walk *walk;
	const struct strew_executor *executor;
	const struct strew_progress *progress;
	const strew_allocator *allocator;
	struct slot slots[SLOTS_MAX];
	size_t slot_count;
	size_t chunk;   /* units */
	uint64_t first; /* unit of the wave */
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

static uint64_t chunk_count(const struct walker *walker)
{
	uint64_t left = walker->walk->units - walker->first;

	return left / walker->chunk + (left % walker->chunk != 0);
}

static strew_status open_slot(struct slot *slot, const struct walker *walker,
			      strew_error *error)
{
	strew_status status = STREW_OK;

	slot->words = base_alloc(walker->allocator, walker->chunk * walker->walk->words,
				 sizeof(*slot->words));
	if (slot->words == NULL)
		return base_error_nomem(error);
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
		base_free(walker->allocator, slot->words,
			  walker->chunk * walker->walk->words * sizeof(*slot->words));
	}
}

static strew_status open_slots(struct walker *walker, strew_error *error)
{
	size_t wanted = walker->executor ? SLOTS_MAX : 1;
	strew_status status = STREW_OK;

	if (wanted > chunk_count(walker))
		wanted = (size_t)chunk_count(walker);
	while (walker->slot_count < wanted && !status)
		status = open_slot(&walker->slots[walker->slot_count++], walker, error);
	return status;
}

static size_t units_of(const struct walker *walker, size_t slot)
{
	uint64_t first = walker->first + (uint64_t)slot * walker->chunk;
	uint64_t left = walker->walk->units - first;

	return left < walker->chunk ? (size_t)left : walker->chunk;
}

static void tell_progress(struct walker *walker, size_t units)
{
	const struct strew_progress *progress = walker->progress;
	uint64_t done = atomic_fetch_add(&walker->done, units) + units;

	if (progress && progress->tick(progress->ctx, done, walker->walk->units) != 0)
		atomic_store(&walker->canceled, true);
}

static void place_chunk(void *arg, size_t index)
{
	struct walker *walker = arg;
	const struct analyze_walk *walk = walker->walk;
	struct slot *slot = &walker->slots[index];
	uint64_t first = walker->first + (uint64_t)index * walker->chunk;
	size_t units = units_of(walker, index);

	if (atomic_load(&walker->canceled))
		return;
	walk->place(walk->ctx, first, units, slot->words, slot->scratch);
	tell_progress(walker, units);
}

static strew_status take_chunk(struct walker *walker, size_t index)
{
	const struct analyze_walk *walk = walker->walk;
	uint64_t first = walker->first + (uint64_t)index * walker->chunk;
	size_t units = units_of(walker, index);
	strew_status status = STREW_OK;

	for (size_t i = 0; i < units && !status; i++)
		status = walk->take(walk->ctx, first + i,
				    walker->slots[index].words + i * walk->words);
	return status;
}

static strew_status run_wave(struct walker *walker)
{
	uint64_t chunks = chunk_count(walker);
	size_t tasks = chunks < walker->slot_count ? (size_t)chunks : walker->slot_count;
	strew_status status = STREW_OK;

	if (walker->executor)
		walker->executor->run(walker->executor->ctx, tasks, place_chunk, walker);
	else
		place_chunk(walker, 0);
	if (atomic_load(&walker->canceled))
		return STREW_ECANCELED;
	for (size_t i = 0; i < tasks && !status; i++)
		status = take_chunk(walker, i);
	return status;
}

static strew_status run_waves(struct walker *walker, strew_error *error)
{
	strew_status status = STREW_OK;

	while (walker->first < walker->walk->units && !status) {
		status = run_wave(walker);
		walker->first += (uint64_t)walker->slot_count * walker->chunk;
	}
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
