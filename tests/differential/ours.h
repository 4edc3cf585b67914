/* SPDX-License-Identifier: MIT */
#ifndef OURS_H
#define OURS_H

#include "plan.h"

/** A plan's map on our side. */
struct ours {
	strew_placer *placer;
	strew_scratch *scratch;
};

/** kernel: NULL for the best. Ends the program when the library doesn't take the plan. */
void ours_make(struct ours *out, const struct plan *plan, const char *kernel);
void ours_free(struct ours *ours);

#endif
