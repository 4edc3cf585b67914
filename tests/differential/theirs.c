/* SPDX-License-Identifier: MIT */
#include "theirs.h"

#include <stdio.h>
#include <stdlib.h>

/** One bucket's part of a weight set, as the peer has it. */
struct theirs_position {
	uint32_t *weights;
	uint32_t count;
};

struct theirs_args {
	int32_t *ids;
	uint32_t id_count;
	struct theirs_position *positions;
	uint32_t position_count;
};

static void need(bool fine, const char *what)
{
	if (fine)
		return;
	fprintf(stderr, "the peer doesn't take a %s\n", what);
	exit(EXIT_FAILURE);
}

static void set_tunables(void *map, const struct plan_tunables *tunables)
{
	peer_set_word(map, PEER_LOCAL_TRIES_AT, tunables->local_tries);
	peer_set_word(map, PEER_FALLBACK_TRIES_AT, tunables->fallback_tries);
	peer_set_word(map, PEER_TOTAL_TRIES_AT, tunables->total_tries);
	peer_set_word(map, PEER_DESCEND_ONCE_AT, tunables->descend_once);
	peer_set_byte(map, PEER_VARY_R_BYTE_AT, tunables->vary_r);
	peer_set_byte(map, PEER_STABLE_BYTE_AT, tunables->stable);
	peer_set_byte(map, PEER_STRAW_CALC_BYTE_AT, tunables->straw_calc_version);
}

static void add_bucket(const struct theirs *map, struct plan_bucket *bucket)
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

static void add_rule(const struct theirs *map, const struct plan_rule *rule, int id)
{
	const struct peer *peer = map->peer;
	void *made = peer->make_rule(rule->step_count, id, rule->kind, 1, PLAN_WANT_MAX);

	need(made != NULL, "rule");
	for (int i = 0; i < rule->step_count; i++)
		peer->rule_set_step(made, i, rule->steps[i].op, rule->steps[i].arg1,
				    rule->steps[i].arg2);
	need(peer->add_rule(map->map, made, id) == id, "rule's id");
}

static void fill_args(struct theirs_args *args, struct theirs_position *positions,
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
static void add_weight_set(struct theirs *map, struct plan *plan)
{
	size_t places = (size_t)plan->bucket_count * (size_t)plan->bucket_stride;
	struct theirs_args *args = calloc(places, sizeof(*args));
	struct theirs_position *positions = calloc(
		(size_t)plan->bucket_count * PLAN_POSITIONS_MAX, sizeof(*positions));

	need(args && positions, "weight set");
	for (int i = 0; i < plan->bucket_count; i++)
		fill_args(&args[-1 - plan->buckets[i].id],
			  positions + (size_t)i * PLAN_POSITIONS_MAX, &plan->buckets[i]);
	map->args = args;
	map->positions = positions;
}

void theirs_make(struct theirs *out, const struct peer *peer, struct plan *plan)
{
	*out = (struct theirs){.peer = peer, .map = peer->create()};
	set_tunables(out->map, &plan->tunables);
	for (int i = 0; i < plan->bucket_count; i++)
		add_bucket(out, &plan->buckets[i]);
	for (int i = 0; i < plan->rule_count; i++)
		add_rule(out, &plan->rules[i], i);
	peer->finalize(out->map);
	if (plan->has_weight_set)
		add_weight_set(out, plan);
	out->workspace = peer_workspace(peer, out->map, PLAN_WANT_MAX);
	need(out->workspace != NULL, "workspace");
}

void theirs_free(struct theirs *map)
{
	map->peer->destroy(map->map);
	free(map->workspace);
	free(map->args);
	free(map->positions);
}

int theirs_place(const struct theirs *map, const struct plan *plan, int rule, uint32_t x,
		 int32_t *out)
{
	return map->peer->do_rule(map->map, rule, (int)x, out, plan->rules[rule].want,
				  plan->reweights, plan->device_limit, map->workspace,
				  map->args);
}
