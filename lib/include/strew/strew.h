/* SPDX-License-Identifier: MIT */
#ifndef STREW_STREW_H
#define STREW_STREW_H

/**
 * strew: a placement engine for storage clusters.
 *
 * A map (map.h) is read from a file (io.h) or made with a builder (builder.h). A placer
 * (placer.h) is a map compiled for placing; it answers for raw inputs, PGs and objects
 * (pool.h), also in threads under which maps are swapped (live.h). Analyses (analyze.h)
 * return a result (result.h), and a report (report.h) writes one out.
 *
 * - Functions that can fail return strew_status, 0 for success. On failure `*out` is NULL
 *   and nothing leaks. Functions that count or find return a number of at least 0, or a
 *   negative status.
 * - `_new`, `_read`, `_build` and `_retain` give something to `_free` or `_release`;
 *   every other pointer is borrowed from the object it came from. Freeing NULL is
 *   allowed.
 * - Maps, placers and results are immutable and may be shared by threads, and so may a
 *   strew_live. A builder, a reader or a scratch belongs to one thread at a time.
 * - Option and description structs start with their own size; set it with their _INIT
 *   macro.
 *
 * doc/api.md shows each by task.
 */

#include <strew/alloc.h>
#include <strew/analyze.h>
#include <strew/builder.h>
#include <strew/edit.h>
#include <strew/common.h>
#include <strew/error.h>
#include <strew/io.h>
#include <strew/kept.h>
#include <strew/study.h>
#include <strew/live.h>
#include <strew/map.h>
#include <strew/placer.h>
#include <strew/pool.h>
#include <strew/report.h>
#include <strew/result.h>
#include <strew/run.h>
#include <strew/sink.h>

#endif
