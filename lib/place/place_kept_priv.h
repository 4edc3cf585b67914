/* SPDX-License-Identifier: MIT */
#ifndef PLACE_KEPT_PRIV_H
#define PLACE_KEPT_PRIV_H

#include <strew/kept.h>

#include "place_priv.h"
#include "rule_trace.h"

/** What there is to place. */
struct place_kept_plan {
	strew_placer *placer;
	const struct place_pool *pool; /* NULL: inputs from `first` on */
	struct rule_call call;
	uint32_t first;
	uint64_t count;
};

/** What came of it: arrays with room for units × RULE_TRACE_UNIT inputs. */
struct place_kept_rows {
	size_t units;
	uint32_t *xs;
	int32_t *rows;
	uint16_t *counts;
	uint8_t *moved;
	struct rule_trace trace; /* without spots: none is kept */
};

struct strew_kept {
	strew_allocator allocator;
	strew_kept_options options;
	struct place_kept_plan plan;
	struct place_kept_rows rows;
	size_t placed;
};

/** Place all, or where the change isn't NULL, what it may change. @return STREW_OK or
 * STREW_ENOMEM, and then nothing was done. */
strew_status place_kept_run(struct place_kept_rows *rows,
			    const struct place_kept_plan *plan,
			    const struct rule_change *change, const strew_run *run,
			    size_t *placed);

#endif
