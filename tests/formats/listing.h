/* SPDX-License-Identifier: MIT */
#ifndef LISTING_H
#define LISTING_H

#include <stdio.h>

#include <strew/map.h>

/** All that a map holds, a fact a line. Warnings are left out. */
void listing_write(FILE *out, const strew_map *map);

#endif
