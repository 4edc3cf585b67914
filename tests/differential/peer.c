/* SPDX-License-Identifier: MIT */
#include "peer.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where things are in the peer's map. */
#define LOCAL_TRIES_AT    28
#define FALLBACK_TRIES_AT 32
#define TOTAL_TRIES_AT    36
#define DESCEND_ONCE_AT   40
#define VARY_R_AT         44
#define STABLE_AT         45
#define WORKING_SIZE_AT   48
#define STRAW_CALC_AT     56
#define ALLOWED_ALGS_AT   60

/** One bucket's part of a weight set, as the peer has it. */
struct peer_position {
	uint32_t *weights;
	uint32_t count;
};

struct peer_args {
	int32_t *ids;
	uint32_t id_count;
	struct peer_position *positions;
	uint32_t position_count;
};

static void *load_first(const char *pattern)
{
	glob_t found;
	void *library = NULL;

	if (glob(pattern, 0, NULL, &found) != 0)
		return NULL;
	for (size_t i = 0; i < found.gl_pathc && library == NULL; i++)
		library = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
	globfree(&found);
	return library;
}

static void *load_library(void)
{
	const char *given = getenv("STREW_PEER_LIB");
	void *library;

	if (given)
		return dlopen(given, RTLD_NOW | RTLD_LOCAL);
	library = load_first("/usr/lib/*/ceph/libceph-common.so.2");
	return library ? library : dlopen("libceph-common.so.2", RTLD_NOW | RTLD_LOCAL);
}

static bool find_function(const struct peer *peer, const char *name, void *function)
{
	void *found = dlsym(peer->library, name);

	memcpy(function, &found, sizeof(found));
	return found != NULL;
}

static bool find_functions(struct peer *peer)
{
	return find_function(peer, "crush_create", &peer->create) &&
	       find_function(peer, "crush_make_bucket", &peer->make_bucket) &&
	       find_function(peer, "crush_add_bucket", &peer->add_bucket) &&
	       find_function(peer, "crush_make_rule", &peer->make_rule) &&
	       find_function(peer, "crush_rule_set_step", &peer->rule_set_step) &&
	       find_function(peer, "crush_add_rule", &peer->add_rule) &&
	       find_function(peer, "crush_finalize", &peer->finalize) &&
	       find_function(peer, "crush_init_workspace", &peer->init_workspace) &&
	       find_function(peer, "crush_do_rule", &peer->do_rule) &&
	       find_function(peer, "crush_destroy", &peer->destroy);
}

static uint32_t word_at(const void *map, size_t offset)
{
	uint32_t word;

	memcpy(&word, (const char *)map + offset, sizeof(word));
	return word;
}

static void set_word(void *map, size_t offset, uint32_t word)
{
	memcpy((char *)map + offset, &word, sizeof(word));
}

static void set_byte(void *map, size_t offset, uint32_t byte)
{
	*((unsigned char *)map + offset) = (unsigned char)byte;
}

/** Is a new map laid out as we know it, with the tunables that we know? */
static bool has_known_layout(const struct peer *peer)
{
	unsigned char *map = peer->create();
	bool known = word_at(map, TOTAL_TRIES_AT) == 50 &&
		     word_at(map, DESCEND_ONCE_AT) == 1 && map[VARY_R_AT] == 1 &&
		     map[STABLE_AT] == 1 && word_at(map, ALLOWED_ALGS_AT) == 54;

	peer->destroy(map);
	return known;
}

bool peer_open(struct peer *peer)
{
	peer->library = load_library();
	if (peer->library == NULL) {
		printf("the peer's library can't be loaded: %s\n", dlerror());
		return false;
	}
	if (!find_functions(peer) || !has_known_layout(peer)) {
		printf("the peer's library is not one that we know\n");
		return false;
	}
	return true;
}

static void need(bool fine, const char *what)
{
	if (fine)
		return;
	fprintf(stderr, "the peer doesn't take a %s\n", what);
	exit(EXIT_FAILURE);
}

static void set_tunables(void *map, const struct plan_tunables *tunables)
{
	set_word(map, LOCAL_TRIES_AT, tunables->local_tries);
	set_word(map, FALLBACK_TRIES_AT, tunables->fallback_tries);
	set_word(map, TOTAL_TRIES_AT, tunables->total_tries);
	set_word(map, DESCEND_ONCE_AT, tunables->descend_once);
	set_byte(map, VARY_R_AT, tunables->vary_r);
	set_byte(map, STABLE_AT, tunables->stable);
	set_byte(map, STRAW_CALC_AT, tunables->straw_calc_version);
}

static void add_bucket(const struct peer_map *map, struct plan_bucket *bucket)
{
	const struct peer *peer = map->peer;
	int id = 0;
	void *made =
		peer->make_bucket(map->map, (int)bucket->alg, bucket->hash, bucket->type,
				  bucket->count, bucket->items, (int *)bucket->weights);

	need(made != NULL, "bucket");
	need(peer->add_bucket(map->map, bucket->id, made, &id) == 0 && id == bucket->id,
	     "bucket's id");
}

static void add_rule(const struct peer_map *map, const struct plan_rule *rule, int id)
{
	const struct peer *peer = map->peer;
	void *made = peer->make_rule(rule->step_count, id, rule->kind, 1, PLAN_WANT_MAX);

	need(made != NULL, "rule");
	for (int i = 0; i < rule->step_count; i++)
		peer->rule_set_step(made, i, rule->steps[i].op, rule->steps[i].arg1,
				    rule->steps[i].arg2);
	need(peer->add_rule(map->map, made, id) == id, "rule's id");
}

static void fill_args(struct peer_args *args, struct peer_position *positions,
		      struct plan_bucket *bucket)
{
	if (bucket->has_ids) {
		args->ids = bucket->ids;
		args->id_count = (uint32_t)bucket->count;
	}
	for (int i = 0; i < bucket->positions; i++) {
		positions[i].weights = bucket->rows[i];
		positions[i].count = (uint32_t)bucket->count;
	}
	if (bucket->positions) {
		args->positions = positions;
		args->position_count = (uint32_t)bucket->positions;
	}
}

/** The peer finds a bucket's part at the place -1 - id. */
static void add_weight_set(struct peer_map *map, struct plan *plan)
{
	size_t places = (size_t)plan->bucket_count * (size_t)plan->bucket_stride;
	struct peer_args *args = calloc(places, sizeof(*args));
	struct peer_position *positions = calloc(
		(size_t)plan->bucket_count * PLAN_POSITIONS_MAX, sizeof(*positions));

	need(args && positions, "weight set");
	for (int i = 0; i < plan->bucket_count; i++)
		fill_args(&args[-1 - plan->buckets[i].id],
			  positions + (size_t)i * PLAN_POSITIONS_MAX, &plan->buckets[i]);
	map->args = args;
	map->positions = positions;
}

static void add_workspace(struct peer_map *map)
{
	size_t size;

	memcpy(&size, (char *)map->map + WORKING_SIZE_AT, sizeof(size));
	map->workspace = calloc(1, size + 3 * sizeof(int) * (PLAN_WANT_MAX + 1));
	need(map->workspace != NULL, "workspace");
	map->peer->init_workspace(map->map, map->workspace);
}

void peer_make(struct peer_map *out, const struct peer *peer, struct plan *plan)
{
	*out = (struct peer_map){.peer = peer, .map = peer->create()};
	set_tunables(out->map, &plan->tunables);
	for (int i = 0; i < plan->bucket_count; i++)
		add_bucket(out, &plan->buckets[i]);
	for (int i = 0; i < plan->rule_count; i++)
		add_rule(out, &plan->rules[i], i);
	peer->finalize(out->map);
	if (plan->has_weight_set)
		add_weight_set(out, plan);
	add_workspace(out);
}

void peer_free(struct peer_map *map)
{
	map->peer->destroy(map->map);
	free(map->workspace);
	free(map->args);
	free(map->positions);
}

int peer_place(const struct peer_map *map, const struct plan *plan, int rule, uint32_t x,
	       int32_t *out)
{
	return map->peer->do_rule(map->map, rule, (int)x, out, plan->rules[rule].want,
				  plan->reweights, plan->device_limit, map->workspace,
				  map->args);
}
