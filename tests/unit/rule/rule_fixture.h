/* SPDX-License-Identifier: MIT */
#ifndef RULE_FIXTURE_H
#define RULE_FIXTURE_H

#include <strew/builder.h>

#include "flat_fixture.h"
#include "rule.h"

/**
 * Buckets that can be followed by hand: uniform, with a hash that isn't known. Such a
 * bucket gives item r mod count, for every input.
 */

#define HOST 1
#define ROOT 2
#define NONE FLAT_NONE

/** Root -1 holds hosts -2, -3 and -4 with three devices each: 0 … 2, 3 … 5, 6 … 8. */
extern const struct fixture_map fixture_threes;
/** The same with two devices each: 0 and 1, 2 and 3, 4 and 5. */
extern const struct fixture_map fixture_twos;
/** Root -1 holds host -2, device 9 and host -3; hosts as in threes. */
extern const struct fixture_map fixture_stray;
/** Root -1 holds host -2, which is empty, and host -3 as in threes. */
extern const struct fixture_map fixture_hollow;
/** Root -1 holds devices 0 … 3 and is straw2: always the first, but for weight sets:
 * position 0 prefers item 1, the others item 2. */
extern const struct fixture_map fixture_straw2;
/** Root -1 gives hosts -2 and -3 in turn, of devices 0 … 2 and 3 … 5, with weight
 * sets as above. */
extern const struct fixture_map fixture_rows;

/** A rule, and what comes of it. */
struct rule_case {
	const char *says;
	const struct fixture_map *map;
	uint32_t out; /* one bit for each device whose reweight is 0 */
	int want;
	struct flat_step steps[8]; /* noops at the end are left off */
	int count;
	int32_t expected[8];
	const struct flat_tunables *tunables; /* NULL: the map's */
	int kind;                             /* 0: replicated */
	int with_set;                         /* use the map's weight set */
};

#define TAKE(item)                                                                       \
	{                                                                                \
		STREW_OP_TAKE, item, 0                                                   \
	}
#define EMIT                                                                             \
	{                                                                                \
		STREW_OP_EMIT, 0, 0                                                      \
	}
#define FIRSTN(count, type)                                                              \
	{                                                                                \
		STREW_OP_CHOOSE_FIRSTN, count, type                                      \
	}
#define INDEP(count, type)                                                               \
	{                                                                                \
		STREW_OP_CHOOSE_INDEP, count, type                                       \
	}
#define LEAF_FIRSTN(count, type)                                                         \
	{                                                                                \
		STREW_OP_CHOOSELEAF_FIRSTN, count, type                                  \
	}
#define LEAF_INDEP(count, type)                                                          \
	{                                                                                \
		STREW_OP_CHOOSELEAF_INDEP, count, type                                   \
	}
#define MSR(count, type)                                                                 \
	{                                                                                \
		STREW_OP_CHOOSE_MSR, count, type                                         \
	}
#define SET_TRIES(value)                                                                 \
	{                                                                                \
		STREW_OP_SET_CHOOSE_TRIES, value, 0                                      \
	}
#define SET_LEAF_TRIES(value)                                                            \
	{                                                                                \
		STREW_OP_SET_CHOOSELEAF_TRIES, value, 0                                  \
	}
#define SET_LOCAL_TRIES(value)                                                           \
	{                                                                                \
		STREW_OP_SET_CHOOSE_LOCAL_TRIES, value, 0                                \
	}
#define SET_FALLBACK_TRIES(value)                                                        \
	{                                                                                \
		STREW_OP_SET_CHOOSE_LOCAL_FALLBACK_TRIES, value, 0                       \
	}
#define SET_VARY_R(value)                                                                \
	{                                                                                \
		STREW_OP_SET_CHOOSELEAF_VARY_R, value, 0                                 \
	}
#define SET_STABLE(value)                                                                \
	{                                                                                \
		STREW_OP_SET_CHOOSELEAF_STABLE, value, 0                                 \
	}
#define SET_DESCENTS(value)                                                              \
	{                                                                                \
		STREW_OP_SET_MSR_DESCENTS, value, 0                                      \
	}
#define SET_COLLISION_TRIES(value)                                                       \
	{                                                                                \
		STREW_OP_SET_MSR_COLLISION_TRIES, value, 0                               \
	}

/** Run it for a few inputs; fails the test when anything else comes out. */
void rule_check_case(const struct rule_case *rule);

#endif
