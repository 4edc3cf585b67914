/* SPDX-License-Identifier: MIT */
#ifndef STREW_SINK_H
#define STREW_SINK_H

#include <strew/common.h>

STREW_BEGIN_DECLS

/** Where a report or a map is written to, piece by piece. `write` returns 0, or anything
 * else to stop with STREW_EIO. */
typedef struct strew_sink {
	int (*write)(void *ctx, const void *bytes, size_t count);
	void *ctx;
} strew_sink;

STREW_END_DECLS

#endif
