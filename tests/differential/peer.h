/* SPDX-License-Identifier: MIT */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>

#include "plan.h"

/** The reference's C functions, out of a library that is loaded when the test runs. */
struct peer {
	void *library;
	void *(*create)(void);
	void *(*make_bucket)(void *map, int alg, int hash, int type, int size, int *items,
			     int *weights);
	int (*add_bucket)(void *map, int id, void *bucket, int *id_out);
	void *(*make_rule)(int len, int ruleset, int type, int min_size, int max_size);
	void (*rule_set_step)(void *rule, int n, int op, int arg1, int arg2);
	int (*add_rule)(void *map, void *rule, int id);
	void (*finalize)(void *map);
	void (*init_workspace)(const void *map, void *workspace);
	int (*do_rule)(const void *map, int rule, int x, int *result, int result_max,
		       const unsigned *reweights, int reweight_count, void *workspace,
		       const void *choose_args);
	void (*destroy)(void *map);
};

/** A plan's map on the peer's side. */
struct peer_map {
	const struct peer *peer;
	void *map;
	void *workspace;
	void *args; /* NULL: no weight set */
	void *positions;
};

/** Load the library. @return false, with a message on standard output, when
 * there is none. */
bool peer_open(struct peer *peer);
/** Ends the program when the peer doesn't take the plan: the plan is wrong then. */
void peer_make(struct peer_map *out, const struct peer *peer, struct plan *plan);
void peer_free(struct peer_map *map);
/** @return the number of items in `out`, which has room for the rule's want. */
int peer_place(const struct peer_map *map, const struct plan *plan, int rule, uint32_t x,
	       int32_t *out);

#endif
