/* SPDX-License-Identifier: MIT */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

#include "bench_maps.h"
#include "cli.h"
#include "peer.h"

/** What `bench` is made of: the standard maps, a map on the peer's side, and the clock.
 */

/** A map on the peer's side. */
struct bench_peer {
	const struct peer *peer;
	void *map;
	uint32_t *reweights; /* by id */
	int devices;
};

/** Make the peer's of a map, without weight sets. @return false when there is something
 * in the map that the peer can't take, or that ends it. */
bool bench_peer_make(struct bench_peer *out, const struct peer *peer,
		     const strew_map *map);
void bench_peer_free(struct bench_peer *made);

/** One thing to measure: a rule of a map. */
struct bench_work {
	const strew_placer *placer;
	const strew_placer *plain;     /* what is right */
	const struct bench_peer *peer; /* NULL: none */
	const char *map;
	int32_t rule;
	int want;
	bool single; /* one strew_place() after the other, not strew_place_many() */
	size_t threads;
	int turns;
	double nanos; /* what a turn should take */
};

/** The most that `turns` may be. */
#define BENCH_TURNS_MAX 99

/** Measure; members that tell what was measured are filled in, too. @return CLI_DONE;
 * CLI_NO when the peer places otherwise, and nothing is said of its speed; CLI_FAILED */
int bench_measure(strew_measurement *out, const struct bench_work *work);

#endif
