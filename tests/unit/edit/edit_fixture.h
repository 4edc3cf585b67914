/* SPDX-License-Identifier: MIT */
#ifndef EDIT_FIXTURE_H
#define EDIT_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <string.h>

#include <strew/edit.h>

#include "map.h"

#define ONE STREW_WEIGHT_ONE

/**
 * default (-1) over the racks r1 (-2; hosts h1, -4, and h2, -5) and r2 (-3; host h3, -6);
 * two devices a host, the first of class ssd, the second hdd, all of weight 1. The
 * shadows of ssd are -7 (h1) to -12 (default), of hdd -13 to -18. Rule 0, "r", takes
 * default, rule 1, "fast", its shadow for ssd. Pools 1, "p", of 3 replicas, and 2, "ec",
 * of 2 + 1 shards, with 8 PGs each, go by rule 0.
 */
strew_map *edit_map(const strew_allocator *allocator);
/** The same map without classes, with straw buckets in r2. */
strew_map *edit_plain_map(void);

/** That map after operations, one a line, which must succeed. */
strew_map *edited(const char *operations);
/** The same of another map, which is released. */
strew_map *edited_map(strew_map *map, const char *operations);
/** One operation on edit_map() must fail so, at this column. */
struct edit_refusal {
	const char *operation;
	int column;
	const char *text;
};

void refused(const struct edit_refusal *refusal);

/** "id weight: item*weight …" of a bucket, weights in 1/16; then, for each weight set,
 * "[id" and its rows, each after a "/". */
const char *draw(const strew_map *map, const char *name);
/** draw() of an edited map, which is released. */
void drawn(strew_map *map, const char *name, const char *picture);
/** A bucket's picture after operations. */
struct edit_change {
	const char *operations;
	const char *bucket;
	const char *picture;
};

void changed(const struct edit_change *change);
/** All of a map, as strew-map text. To be freed. */
char *written(const strew_map *map);
/** Two of these are the same. */
void alike(const char *is, const char *wanted);

#endif
