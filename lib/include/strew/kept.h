/* SPDX-License-Identifier: MIT */
#ifndef STREW_KEPT_H
#define STREW_KEPT_H

#include <strew/placer.h>
#include <strew/run.h>

STREW_BEGIN_DECLS

/**
 * Placements that are kept: all PGs of a pool, or a range of a rule's inputs. When the
 * map has changed, only those are placed again that can be different, often a few in a
 * thousand; what they come to always equals placing them all.
 *
 * That holds for rules of one take and one choose step, with jewel's tunables, and for
 * changes of straw2 buckets: items that weigh more or less, are new or gone, in any
 * number of buckets; reweights; and all overrides, which are not kept at all. After other
 * changes, all are placed again. The fastest case is a change of reweights; then one of
 * weights that leaves what hangs in the root near its weight.
 *
 * Memory of an input: 10 × want + 8 bytes and, for what came of it beyond the first
 * attempts, 5 × (want / 2 + 4) + 1 more: 64 bytes for three replicas. Rules that aren't
 * followed take 4 × want + 7.
 *
 * One thread may update it, or any number may read.
 */
typedef struct strew_kept strew_kept;

typedef struct strew_kept_options {
	size_t size;
	int64_t pool; /**< whose PGs to place … */
	int32_t rule; /**< … or, when it isn't negative, inputs of this rule: */
	int want;
	uint32_t first;
	uint32_t last;
} strew_kept_options;

#define STREW_KEPT_OPTIONS_INIT                                                          \
	{                                                                                \
		sizeof(strew_kept_options), 0, -1, 0, 0, 1023                            \
	}

/**
 * Place them all. Progress isn't told.
 *
 * @param run its allocator is kept for later, too. NULL: defaults
 * @return also STREW_ENOTFOUND (pool, rule), STREW_ERANGE (want not in 1 …
 * STREW_WANT_MAX, or first above last).
 */
STREW_API STREW_MUST_USE strew_status strew_kept_new(strew_kept **out,
						     const strew_placer *placer,
						     const strew_kept_options *options,
						     const strew_run *run,
						     strew_error *error);
STREW_API void strew_kept_free(strew_kept *kept);

/**
 * Let them be as another placer places them, of any map that has the pool or rule. It is
 * kept a reference to, as the first was. On failure nothing is different.
 *
 * @param run only its executor is used
 * @return as strew_kept_new().
 */
STREW_API STREW_MUST_USE strew_status strew_kept_update(strew_kept *kept,
							const strew_placer *placer,
							const strew_run *run,
							strew_error *error);

/** How many there are: a pool's PGs by their seeds, or inputs from the first. */
STREW_API size_t strew_kept_count(const strew_kept *kept);
/** How many entries a row has. */
STREW_API int strew_kept_want(const strew_kept *kept);
/** What the rule gives: as strew_place_many() has it. Borrowed until the next update.
 * NULL beyond the last. */
STREW_API const int32_t *strew_kept_row(const strew_kept *kept, size_t index);
/** The first row from `index` on that the last update changed; strew_kept_count() after
 * the last. Where the number of rows changed, all have. A hole at a row's end may become
 * an entry that the rule gave, or be none any more: that is a change, too. */
STREW_API size_t strew_kept_moved(const strew_kept *kept, size_t index);
/** How many rows the last update (or strew_kept_new()) placed again. */
STREW_API size_t strew_kept_placed(const strew_kept *kept);

/** strew_place_pg() for a PG of the kept pool, from what is kept. @return also
 * STREW_EINVAL when no pool is kept, STREW_ERANGE when the seed isn't below its pg_num.
 */
STREW_API STREW_MUST_USE strew_status strew_kept_pg(const strew_kept *kept, uint32_t seed,
						    strew_stages *stages,
						    strew_scratch *scratch);

STREW_END_DECLS

#endif
