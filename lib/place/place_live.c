/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include <strew/live.h>

#include "place_priv.h"

/* What a reader has seen, if not a version: it holds no placer, or it is between two. */
#define NOTHING     0
#define CATCHING_UP 2

/* Two locks, so that no reader waits while a publisher makes scratch. `changing` is held
 * for whole calls, by publishers and while readers come and go. `swapping` is taken
 * inside it, and by readers alone, for a few assignments. */
struct strew_live {
	/* What strew_reader_get() looks at. Each publication adds 2: it stays odd, and is
	 * none of the above. Changes under both locks. */
	atomic_size_t version;
	pthread_mutex_t swapping;
	strew_placer *placer; /* changes under both locks, so either is enough to read */
	pthread_mutex_t changing;
	struct rule_needs needs; /* of all placers so far */
	strew_reader *readers;
	struct base_ref refs; /* the owner's, and one for each reader */
	strew_allocator allocator;
};

struct strew_reader {
	strew_live *live;
	atomic_size_t seen; /* the version that it holds */
	strew_placer *placer;
	strew_scratch *scratch; /* fits the placer */
	/* `scratch` or this fits live->needs. Under `swapping`. */
	strew_scratch *spare;
	strew_scratch *fresh; /* NULL but while a publisher works. Under `changing`. */
	strew_reader *next;
	strew_reader **link; /* what points at this one */
};

/* A low-priority publisher must not be kept from letting go of a lock that urgent readers
 * wait for: it inherits their priority, on systems that can. */
static bool make_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;
	bool made;

	if (pthread_mutexattr_init(&attributes) != 0)
		return false;
	made = pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0 &&
	       pthread_mutex_init(lock, &attributes) == 0;
	pthread_mutexattr_destroy(&attributes);
	return made || pthread_mutex_init(lock, NULL) == 0;
}

static bool make_locks(strew_live *live)
{
	if (!make_lock(&live->swapping))
		return false;
	if (make_lock(&live->changing))
		return true;
	pthread_mutex_destroy(&live->swapping);
	return false;
}

strew_status strew_live_new(strew_live **out, const strew_placer *first)
{
	strew_live *live = base_calloc(&first->allocator, 1, sizeof(*live));

	*out = NULL;
	if (live == NULL)
		return STREW_ENOMEM;
	if (!make_locks(live)) {
		base_free(&first->allocator, live, sizeof(*live));
		return STREW_ENOMEM;
	}
	base_ref_init(&live->refs);
	atomic_init(&live->version, 1);
	live->allocator = first->allocator;
	live->placer = strew_placer_retain(first);
	live->needs = place_needs(first);
	*out = live;
	return STREW_OK;
}

void strew_live_free(strew_live *live)
{
	strew_allocator allocator;

	if (live == NULL || !base_ref_put(&live->refs))
		return;
	allocator = live->allocator;
	strew_placer_release(live->placer);
	pthread_mutex_destroy(&live->changing);
	pthread_mutex_destroy(&live->swapping);
	base_free(&allocator, live, sizeof(*live));
}

static void swap_scratch(strew_scratch **one, strew_scratch **other)
{
	strew_scratch *kept = *one;

	*one = *other;
	*other = kept;
}

static void drop_fresh(strew_live *live)
{
	for (strew_reader *reader = live->readers; reader; reader = reader->next) {
		strew_scratch_free(reader->fresh);
		reader->fresh = NULL;
	}
}

/* A scratch for each reader; where there is no memory, for some. */
static bool make_fresh(strew_live *live, const struct rule_needs *needs)
{
	for (strew_reader *reader = live->readers; reader; reader = reader->next) {
		reader->fresh = place_scratch_new(needs, &live->allocator);
		if (reader->fresh == NULL)
			return false;
	}
	return true;
}

/* Reader by reader, so that the lock is short however many they are. What they return is
 * left as fresh. */
static void hand_out_fresh(strew_live *live)
{
	for (strew_reader *reader = live->readers; reader; reader = reader->next) {
		pthread_mutex_lock(&live->swapping);
		swap_scratch(&reader->fresh, &reader->spare);
		pthread_mutex_unlock(&live->swapping);
	}
}

/* All readers get a scratch that fits, if they have none; or none does. */
static bool meet_needs(strew_live *live, const strew_placer *placer)
{
	struct rule_needs needs = place_needs(placer);
	bool made;

	if (rule_needs_cover(&live->needs, &needs))
		return true;
	rule_needs_add(&needs, &live->needs);
	made = make_fresh(live, &needs);
	if (made) {
		live->needs = needs;
		hand_out_fresh(live);
	}
	drop_fresh(live);
	return made;
}

/* @return the placer that was in force. */
static strew_placer *swap_placer(strew_live *live, strew_placer *next)
{
	size_t version = atomic_load_explicit(&live->version, memory_order_relaxed);
	strew_placer *old = live->placer;

	pthread_mutex_lock(&live->swapping);
	live->placer = next;
	/* Relaxed: a reader that sees it reads the rest under the lock. */
	atomic_store_explicit(&live->version, version + 2, memory_order_relaxed);
	pthread_mutex_unlock(&live->swapping);
	return old;
}

strew_status strew_live_publish(strew_live *live, const strew_placer *next)
{
	strew_placer *old = NULL;
	bool met;

	pthread_mutex_lock(&live->changing);
	met = meet_needs(live, next);
	if (met)
		old = swap_placer(live, strew_placer_retain(next));
	pthread_mutex_unlock(&live->changing);
	strew_placer_release(old);
	return met ? STREW_OK : STREW_ENOMEM;
}

size_t strew_live_behind(strew_live *live)
{
	size_t version, seen, behind = 0;

	pthread_mutex_lock(&live->changing);
	version = atomic_load_explicit(&live->version, memory_order_relaxed);
	for (strew_reader *reader = live->readers; reader; reader = reader->next) {
		/* Acquire: what the reader dropped, it has dropped by now. */
		seen = atomic_load_explicit(&reader->seen, memory_order_acquire);
		behind += seen != NOTHING && seen != version;
	}
	pthread_mutex_unlock(&live->changing);
	return behind;
}

static void link_reader(strew_reader *reader, strew_live *live)
{
	base_ref_get(&live->refs);
	reader->live = live;
	reader->next = live->readers;
	reader->link = &live->readers;
	if (reader->next)
		reader->next->link = &reader->next;
	live->readers = reader;
}

static void unlink_reader(strew_reader *reader)
{
	*reader->link = reader->next;
	if (reader->next)
		reader->next->link = reader->link;
}

strew_status strew_reader_new(strew_reader **out, strew_live *live)
{
	strew_reader *reader = base_calloc(&live->allocator, 1, sizeof(*reader));

	*out = NULL;
	if (reader == NULL)
		return STREW_ENOMEM;
	atomic_init(&reader->seen, NOTHING);
	pthread_mutex_lock(&live->changing);
	reader->scratch = place_scratch_new(&live->needs, &live->allocator);
	if (reader->scratch)
		link_reader(reader, live);
	pthread_mutex_unlock(&live->changing);
	if (reader->scratch == NULL) {
		base_free(&live->allocator, reader, sizeof(*reader));
		return STREW_ENOMEM;
	}
	*out = reader;
	return STREW_OK;
}

void strew_reader_free(strew_reader *reader)
{
	strew_live *live;

	if (reader == NULL)
		return;
	live = reader->live;
	/* First, so that it is counted as behind for as long as it holds a placer. */
	strew_reader_rest(reader);
	pthread_mutex_lock(&live->changing);
	unlink_reader(reader);
	pthread_mutex_unlock(&live->changing);
	strew_scratch_free(reader->scratch);
	strew_scratch_free(reader->spare);
	base_free(&live->allocator, reader, sizeof(*reader));
	strew_live_free(live);
}

static void catch_up(strew_reader *reader)
{
	strew_live *live = reader->live;
	strew_placer *old = reader->placer;
	size_t version;

	pthread_mutex_lock(&live->swapping);
	version = atomic_load_explicit(&live->version, memory_order_relaxed);
	reader->placer = strew_placer_retain(live->placer);
	atomic_store_explicit(&reader->seen, CATCHING_UP, memory_order_relaxed);
	if (!place_scratch_fits(reader->placer, reader->scratch))
		swap_scratch(&reader->scratch, &reader->spare);
	pthread_mutex_unlock(&live->swapping);
	/* Only now, so that a reader that frees is still counted as behind. */
	strew_placer_release(old);
	atomic_store_explicit(&reader->seen, version, memory_order_release);
}

const strew_placer *strew_reader_get(strew_reader *reader)
{
	size_t version =
		atomic_load_explicit(&reader->live->version, memory_order_relaxed);

	if (version != atomic_load_explicit(&reader->seen, memory_order_relaxed))
		catch_up(reader);
	return reader->placer;
}

strew_scratch *strew_reader_scratch(strew_reader *reader)
{
	return reader->scratch;
}

void strew_reader_rest(strew_reader *reader)
{
	strew_placer_release(reader->placer);
	reader->placer = NULL;
	atomic_store_explicit(&reader->seen, NOTHING, memory_order_release);
}
