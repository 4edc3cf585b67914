/* SPDX-License-Identifier: MIT */
#ifndef STREW_PLACER_H
#define STREW_PLACER_H

#include <strew/map.h>
#include <strew/pool.h>

STREW_BEGIN_DECLS

/**
 * A map compiled for placing. Immutable; may be shared by any number of threads.
 * It keeps a reference to its map.
 */

typedef struct strew_placer_options {
	size_t size;
	/** The weight set for raw inputs and, with force_weight_set, for every pool: "as
	 * Ceph does for the pool of this id": the set with this id if there is one, else
	 * the compat set (-1), else none. crushtool --test asks for 0. */
	int64_t weight_set;
	int force_weight_set;
	const strew_allocator *allocator; /**< NULL: the heap */
	/** Which kernel places, by a name of strew_kernel_name(); NULL: the fastest. */
	const char *kernel;
} strew_placer_options;

#define STREW_PLACER_OPTIONS_INIT {sizeof(strew_placer_options), 0, 0, 0, 0}

/** The kernels that this processor can run: code for one set of instructions each, the
 * fastest first; "plain" is always there. All place alike, bit for bit.
 * @return NULL after the last. */
STREW_API const char *strew_kernel_name(size_t index);

/** Compile a map. @return also STREW_EMAP when a bucket's selector is not known or can't
 * take it, STREW_ERANGE when the map is too large to be compiled, and STREW_ENOTFOUND when
 * there is no such kernel. */
STREW_API STREW_MUST_USE strew_status
strew_placer_new(strew_placer **out, const strew_map *map,
		 const strew_placer_options *options, strew_error *error);
STREW_API strew_placer *strew_placer_retain(const strew_placer *placer);
STREW_API void strew_placer_release(strew_placer *placer);
/** The map that it was made from; borrowed. */
STREW_API const strew_map *strew_placer_map(const strew_placer *placer);
/** The name of its kernel. */
STREW_API const char *strew_placer_kernel(const strew_placer *placer);

/** Working memory for placing: one per thread, for any number of placements. It fits
 * the placer it was made for and every smaller one; one that is too small is
 * refused, not overrun. Some 550 KB, however large the map is. */
STREW_API STREW_MUST_USE strew_status strew_scratch_new(strew_scratch **out,
							const strew_placer *placer,
							strew_error *error);
STREW_API void strew_scratch_free(strew_scratch *scratch);

/**
 * Run a rule for one input: CRUSH, with the map's reweights.
 *
 * `out` needs room for `want` entries. Replicated rules may give fewer; erasure rules
 * keep holes (STREW_NONE). A rule may be given as strew_map_find_rule() returned it: a
 * negative status is handed back. No lock, no allocation, no floating point.
 *
 * How long it may take follows from the map. A rule that can't be satisfied gives up
 * after the attempts that the tunables and its own steps allow: in common maps about 50
 * for each replica. But a map may allow billions, and with choose_local_tries or
 * choose_local_fallback_tries Ceph may never give up. Then nor do we, as there is no
 * other right answer: a map from a stranger wants a thread that can be spared.
 *
 * @return the number of entries, or STREW_ENOTFOUND (rule), STREW_ERANGE (want not in 1 …
 * STREW_WANT_MAX), STREW_EINVAL (scratch too small).
 */
STREW_API int strew_place(const strew_placer *placer, int32_t rule, uint32_t x,
			  int32_t *out, int want, strew_scratch *scratch);

/** The same for many inputs: out[count × want], row by row; a short row ends in
 * STREW_NONE. Equals a loop of strew_place(). */
STREW_API strew_status strew_place_many(const strew_placer *placer, int32_t rule,
					const uint32_t *xs, size_t count, int32_t *out,
					int want, strew_scratch *scratch);

/** The input that stands for `x` in a pool: Ceph's hash of the two, as
 * `crushtool --pool-id`. */
STREW_API uint32_t strew_pool_input(uint32_t x, int64_t pool);

STREW_END_DECLS

#endif
