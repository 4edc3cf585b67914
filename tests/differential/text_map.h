/* SPDX-License-Identifier: MIT */
#ifndef TEXT_MAP_H
#define TEXT_MAP_H

#include <stdint.h>
#include <stdio.h>

/** Write a random CRUSH map as text that the reference's compiler takes, with all that
 * its grammar allows: things left out, in any layout, in another order. */
void text_map_write(FILE *file, uint64_t seed);

#endif
