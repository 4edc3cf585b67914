/* SPDX-License-Identifier: MIT */
#ifndef THEIRS_H
#define THEIRS_H

#include "peer.h"
#include "plan.h"

/** A plan's map on the peer's side. */
struct theirs {
	const struct peer *peer;
	void *map;
	void *workspace;
	void *args; /* NULL: no weight set */
	void *positions;
};

/** Ends the program when the peer doesn't take the plan: the plan is wrong then. */
void theirs_make(struct theirs *out, const struct peer *peer, struct plan *plan);
void theirs_free(struct theirs *map);
/** @return the number of items in `out`, which has room for the rule's want. */
int theirs_place(const struct theirs *map, const struct plan *plan, int rule, uint32_t x,
		 int32_t *out);

#endif
