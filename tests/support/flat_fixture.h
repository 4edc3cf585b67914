/* SPDX-License-Identifier: MIT */
#ifndef FLAT_FIXTURE_H
#define FLAT_FIXTURE_H

#include "flat.h"

/** A map written down in a test, laid out flat without the map and compile modules. */

#define FIXTURE_COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

struct fixture_bucket {
	int32_t id;
	int32_t type;
	const char *alg; /* NULL: straw2 */
	uint32_t count;
	const int32_t *items;
	const uint32_t *weights; /* NULL: 1.0 each */
	uint8_t hash;
	uint8_t straw_calc_version;
};

struct fixture_rule {
	int32_t id;
	int32_t kind; /* 0: replicated */
	uint32_t step_count;
	const struct flat_step *steps; /* take's argument is an id here */
};

struct fixture_args {
	int32_t bucket;
	uint32_t positions;
	const uint32_t *weights; /* positions rows, or NULL */
	const int32_t *ids;      /* or NULL */
};

struct fixture_set {
	int64_t id;
	uint32_t count;
	const struct fixture_args *args;
};

struct fixture_map {
	uint32_t device_count;
	const int32_t *device_ids; /* rising; NULL: from 0 without gaps */
	const uint32_t *reweights; /* NULL: 1.0 each */
	uint32_t bucket_count;
	const struct fixture_bucket *buckets; /* from -1 downward */
	uint32_t rule_count;
	const struct fixture_rule *rules;
	uint32_t set_count;
	const struct fixture_set *sets;
	struct flat_tunables tunables;
};

/** The tunables of new clusters. */
#define FIXTURE_TUNABLES                                                                 \
	{                                                                                \
		0, 0, 50, 1, 1, 1, 100, 100                                              \
	}

/** Lay it out; free() it. Aborts when it can't. */
struct flat *fixture_flat(const struct fixture_map *map);

/** A block of one bucket, -1, with devices 0 and up in it. */
struct flat *fixture_one(const char *alg, uint32_t count, const uint32_t *weights);

#endif
