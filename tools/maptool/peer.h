/* SPDX-License-Identifier: MIT */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The peer: the C functions of Ceph's own library, which is loaded when the program runs.
 * It is what `bench` compares with; the tests that compare placements use this file, too.
 */

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

/** Where the map's settings are, words but for those that say byte; all written before
 * finalize(). */
#define PEER_LOCAL_TRIES_AT     28
#define PEER_FALLBACK_TRIES_AT  32
#define PEER_TOTAL_TRIES_AT     36
#define PEER_DESCEND_ONCE_AT    40
#define PEER_VARY_R_BYTE_AT     44
#define PEER_STABLE_BYTE_AT     45
#define PEER_STRAW_CALC_BYTE_AT 56

/** Load the library, or what the environment's STREW_PEER_LIB names.
 * @return NULL, or a sentence's end that says why there is none */
const char *peer_open(struct peer *peer);
/** Settings of a map that is not finalized yet. */
void peer_set_word(void *map, size_t offset, uint32_t word);
void peer_set_byte(void *map, size_t offset, uint32_t byte);
/** What do_rule() works in, for up to `want` devices, to be freed; one for each thread.
 * The map is finalized. @return NULL: no memory */
void *peer_workspace(const struct peer *peer, const void *map, int want);

#endif
