/* SPDX-License-Identifier: MIT */
#ifndef BENCH_MAPS_H
#define BENCH_MAPS_H

#include <stdio.h>

/** Clusters of any size: hosts of 20 devices, racks of 20 hosts, rooms of 20 racks. */

/** In our JSON: each device on its own, with a class. */
void write_strew_map(FILE *file, int devices);
/** As `ceph osd crush dump` prints it: with the shadow of each bucket for the class. */
void write_crush_json(FILE *file, int devices);
/** As `crushtool -d` prints it, but for the comments, with a rule that has the shadows of
 * the class made. */
void write_crush_text(FILE *file, int devices);

#endif
