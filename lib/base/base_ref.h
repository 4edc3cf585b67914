/* SPDX-License-Identifier: MIT */
#ifndef BASE_REF_H
#define BASE_REF_H

#include <stdatomic.h>
#include <stdbool.h>

/** The reference count of an immutable object; starts at 1. */
struct base_ref {
	atomic_size_t count;
};

static inline void base_ref_init(struct base_ref *ref)
{
	atomic_init(&ref->count, 1);
}

static inline void base_ref_get(struct base_ref *ref)
{
	atomic_fetch_add_explicit(&ref->count, 1, memory_order_relaxed);
}

/** @return true when this was the last reference: the object is the caller's to free. */
static inline bool base_ref_put(struct base_ref *ref)
{
	/* Release, so that others' reads are over before we free;
	 * acquire, so that we see them. */
	return atomic_fetch_sub_explicit(&ref->count, 1, memory_order_acq_rel) == 1;
}

#endif
