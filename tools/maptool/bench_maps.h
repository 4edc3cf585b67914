/* SPDX-License-Identifier: MIT */
#ifndef BENCH_MAPS_H
#define BENCH_MAPS_H

#include <strew/strew.h>

/** The standard maps of `bench`, which are also what the programs of tests/bench measure.
 * doc/commands/bench.md says what each is. */

/** In order. @return NULL beyond the last. */
const char *bench_map_name(size_t index);
/** @return STREW_ENOTFOUND when there is none of this name, or STREW_ENOMEM */
strew_status bench_map_make(strew_map **out, const char *name);

#endif
