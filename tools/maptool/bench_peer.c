/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* The peer has arrays by id; larger ones would tell more of memory than of placing. */
#define IDS_MAX   (1 << 22)
#define RULES_MAX 256
/* Steps of later releases are ignored by the peer. */
#define OP_MAX STREW_OP_SET_CHOOSELEAF_STABLE

static const struct setting {
	const char *name;
	size_t offset;
	bool byte;
} settings[] = {
	{"choose_local_tries", PEER_LOCAL_TRIES_AT, false},
	{"choose_local_fallback_tries", PEER_FALLBACK_TRIES_AT, false},
	{"choose_total_tries", PEER_TOTAL_TRIES_AT, false},
	{"chooseleaf_descend_once", PEER_DESCEND_ONCE_AT, false},
	{"chooseleaf_vary_r", PEER_VARY_R_BYTE_AT, true},
	{"chooseleaf_stable", PEER_STABLE_BYTE_AT, true},
	{"straw_calc_version", PEER_STRAW_CALC_BYTE_AT, true},
};

static void set_tunables(const struct bench_peer *made, const strew_map *map)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		uint32_t value = 0;

		if (strew_map_tunable(&value, map, settings[i].name) != STREW_OK)
			continue;
		if (settings[i].byte)
			peer_set_byte(made->map, settings[i].offset, value);
		else
			peer_set_word(made->map, settings[i].offset, value);
	}
}

/** The peer's number of a selector, 0 where it has none. */
static int alg_number(const char *alg)
{
	static const char *const names[] = {"uniform", "list", "tree", "straw", "straw2"};

	for (int i = 0; i < 5; i++)
		if (strcmp(alg, names[i]) == 0)
			return i + 1;
	return 0;
}

/** The peer divides by the weight of uniform buckets, and leaves trees that weigh
 * nothing. */
static bool is_fit(const strew_bucket *bucket, int alg)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < strew_bucket_item_count(bucket); i++)
		sum += strew_bucket_item_weight(bucket, i);
	return alg != 0 && strew_bucket_id(bucket) > -IDS_MAX &&
	       (sum > 0 || strcmp(strew_bucket_alg(bucket), "straw2") == 0);
}

static bool add_bucket(const struct bench_peer *made, const strew_bucket *bucket)
{
	size_t count = strew_bucket_item_count(bucket);
	int alg = alg_number(strew_bucket_alg(bucket)), id = strew_bucket_id(bucket);
	int *words = cli_resize(NULL, 2 * count + 1, sizeof(*words));
	void *copy;

	for (size_t i = 0; i < count; i++) {
		words[i] = strew_bucket_item(bucket, i);
		words[count + i] = (int)strew_bucket_item_weight(bucket, i);
	}
	copy = !is_fit(bucket, alg)
		       ? NULL
		       : made->peer->make_bucket(made->map, alg, 0,
						 strew_bucket_type(bucket), (int)count,
						 words, words + count);
	free(words);
	return copy != NULL && made->peer->add_bucket(made->map, id, copy, &id) == 0;
}

static bool add_rule(const struct bench_peer *made, const strew_map *map, int32_t id)
{
	size_t count = strew_map_step_count(map, id);
	void *copy =
		id < RULES_MAX ? made->peer->make_rule((int)count, id, 1, 1, 100) : NULL;

	if (copy == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		strew_step step = strew_map_step_at(map, id, i);

		if (step.op > OP_MAX)
			step.op = STREW_OP_NOOP;
		made->peer->rule_set_step(copy, (int)i, step.op, step.arg1, step.arg2);
	}
	return made->peer->add_rule(made->map, copy, id) == id;
}

static bool add_devices(struct bench_peer *made, const strew_map *map)
{
	size_t count = strew_map_device_count(map);

	if (count > 0)
		made->devices = 1 + strew_device_id(strew_map_device_at(map, count - 1));
	if (made->devices > IDS_MAX)
		return false;
	made->reweights = cli_resize(NULL, (size_t)made->devices + 1, sizeof(uint32_t));
	memset(made->reweights, 0, (size_t)made->devices * sizeof(uint32_t));
	for (size_t i = 0; i < count; i++) {
		const strew_device *device = strew_map_device_at(map, i);

		made->reweights[strew_device_id(device)] = strew_device_reweight(device);
	}
	return true;
}

static bool fill(struct bench_peer *made, const strew_map *map)
{
	bool fine = add_devices(made, map);

	set_tunables(made, map);
	for (size_t i = 0; fine && i < strew_map_bucket_count(map); i++)
		fine = add_bucket(made, strew_map_bucket_at(map, i));
	for (size_t i = 0; fine && i < strew_map_rule_count(map); i++)
		fine = add_rule(made, map, strew_map_rule_at(map, i));
	return fine;
}

bool bench_peer_make(struct bench_peer *out, const struct peer *peer,
		     const strew_map *map)
{
	*out = (struct bench_peer){.peer = peer, .map = peer->create()};
	if (out->map != NULL && fill(out, map)) {
		peer->finalize(out->map);
		return true;
	}
	bench_peer_free(out);
	return false;
}

void bench_peer_free(struct bench_peer *made)
{
	if (made->map != NULL)
		made->peer->destroy(made->map);
	free(made->reweights);
	*made = (struct bench_peer){.map = NULL};
}
