/* SPDX-License-Identifier: MIT */
#ifndef COMPILE_H
#define COMPILE_H

#include <strew/map.h>

#include "flat.h"

struct map_tunables;

/** Lay a map out flat. Free with compile_free() and the same allocator.
 * @return also STREW_EMAP: a selector that isn't known, or can't take a bucket's items;
 * STREW_ERANGE: a block over 4 GiB. */
strew_status compile_map(struct flat **out, const strew_map *map,
			 const strew_allocator *allocator, strew_error *error);
/** The tunables as the flat form has them. */
struct flat_tunables compile_tunables(const struct map_tunables *tunables);
void compile_free(struct flat *flat, const strew_allocator *allocator);

#endif
