/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyze_support.h"
#include "support.h"

/* Failures in random clusters, counted a second time in the plainest way: a map in which
 * the devices are down and out, and all of it placed. */

#define RACKS    4
#define HOSTS    12
#define DEVICES  36
#define POOL_PGS 256

enum steps { LEAF, RACK_LEAF, RACK_HOST_LEAF, FLAT, MSR };

struct shape {
	const char *profile;
	strew_kind kind;
	enum steps steps;
	int upmaps;
};

static const struct shape shapes[] = {
	{"jewel", STREW_KIND_REPLICATED, LEAF, 40},
	{"jewel", STREW_KIND_ERASURE, LEAF, 40},
	{"jewel", STREW_KIND_REPLICATED, RACK_LEAF, 0},
	{"jewel", STREW_KIND_ERASURE, RACK_HOST_LEAF, 10},
	{"argonaut", STREW_KIND_REPLICATED, LEAF, 10},
	{"argonaut", STREW_KIND_ERASURE, RACK_HOST_LEAF, 0},
	{"bobtail", STREW_KIND_REPLICATED, FLAT, 10},
	{"firefly", STREW_KIND_REPLICATED, RACK_LEAF, 10},
	{"jewel", STREW_KIND_MSR_FIRSTN, MSR, 10},
	{"jewel", STREW_KIND_MSR_INDEP, MSR, 10},
};

#define SHAPES (int)(sizeof(shapes) / sizeof(shapes[0]))

static void add_tree(strew_builder *builder, uint64_t *state)
{
	char name[16];

	for (int rack = 0; rack < RACKS; rack++) {
		snprintf(name, sizeof(name), "r%d", rack);
		add_bucket(builder, -2 - rack, name, RACK, -1);
	}
	for (int host = 0; host < HOSTS; host++) {
		snprintf(name, sizeof(name), "h%d", host);
		add_bucket(builder, -10 - host, name, HOST, -2 - host % RACKS);
		for (int i = 0; i < DEVICES / HOSTS; i++) {
			int32_t device = host * (DEVICES / HOSTS) + i;

			add_device(builder, device, -10 - host,
				   1 + support_below(state, 3));
			strew_builder_set_capacity(builder, device,
						   (20 + support_below(state, 20)) * GIB,
						   0);
			if (support_below(state, 6) == 0)
				strew_builder_set_reweight(builder, device,
							   STREW_WEIGHT_ONE / 2);
		}
	}
}

static bool is_erasure(const struct shape *shape)
{
	return shape->kind == STREW_KIND_ERASURE || shape->kind == STREW_KIND_MSR_INDEP;
}

static void add_steps(strew_builder *builder, const struct shape *shape)
{
	bool erasure = is_erasure(shape);
	strew_op leaf = erasure ? STREW_OP_CHOOSELEAF_INDEP : STREW_OP_CHOOSELEAF_FIRSTN;
	strew_op choose = erasure ? STREW_OP_CHOOSE_INDEP : STREW_OP_CHOOSE_FIRSTN;

	strew_builder_add_rule(builder, 0, "rule", shape->kind);
	strew_builder_add_take_name(builder, "default", NULL);
	if (shape->steps == FLAT)
		strew_builder_add_choose(builder, choose, 0, 0, NULL);
	else if (shape->steps == RACK_LEAF || shape->steps == RACK_HOST_LEAF)
		strew_builder_add_choose(builder, choose, 3, RACK, NULL);
	if (shape->steps == LEAF)
		strew_builder_add_choose(builder, leaf, 0, HOST, NULL);
	else if (shape->steps == RACK_LEAF)
		strew_builder_add_choose(builder, leaf, 1, HOST, NULL);
	else if (shape->steps == RACK_HOST_LEAF)
		strew_builder_add_choose(builder, leaf, 2, HOST, NULL);
	if (shape->steps == MSR) {
		strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 3, RACK, NULL);
		strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 2, HOST, NULL);
		strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 1, 0, NULL);
	}
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

static void add_upmaps(strew_builder *builder, int count, uint64_t *state)
{
	for (int i = 0; i < count; i++) {
		strew_pg pg = {1, support_below(state, POOL_PGS)};
		int32_t a = (int32_t)support_below(state, DEVICES);
		int32_t b = (int32_t)support_below(state, DEVICES);

		strew_builder_add_upmap_item(builder, pg, a, b);
		/* What it brought in goes on: a failure of b undoes both. */
		if (i % 2)
			strew_builder_add_upmap_item(
				builder, pg, b, (int32_t)support_below(state, DEVICES));
	}
}

static strew_placer *random_cluster(const struct shape *shape)
{
	strew_builder *builder = start_map(NULL);
	strew_pool_desc pool = STREW_POOL_DESC_INIT;
	uint64_t state = 17;

	strew_builder_set_profile(builder, shape->profile);
	add_tree(builder, &state);
	add_steps(builder, shape);
	pool.id = 1;
	pool.name = "data";
	pool.kind = is_erasure(shape) ? STREW_KIND_ERASURE : STREW_KIND_REPLICATED;
	pool.size = is_erasure(shape) ? 6 : 3;
	pool.min_size = is_erasure(shape) ? 5 : 2;
	pool.k = is_erasure(shape) ? 4 : 0;
	pool.pg_num = POOL_PGS;
	pool.has_bytes = 1;
	pool.bytes = POOL_PGS * GIB;
	strew_builder_add_pool(builder, &pool);
	add_upmaps(builder, shape->upmaps, &state);
	return finish_map(builder);
}

/* The same cluster without some devices. */
static strew_placer *fail_devices(const strew_placer *from, const bool *failed)
{
	strew_builder *builder = NULL;

	if (strew_builder_from_map(&builder, strew_placer_map(from)) != STREW_OK)
		ck_abort_msg("no builder");
	for (int32_t i = 0; i < DEVICES; i++) {
		if (!failed[i])
			continue;
		strew_builder_set_reweight(builder, i, 0);
		strew_builder_set_state(builder, i, 1, 0);
	}
	return finish_map(builder);
}

struct counts {
	int64_t shards, degraded, below, lost, unhealable, moved;
	double load[DEVICES];
};

static bool holds(const int32_t *set, int32_t device)
{
	for (int i = 0; i < SET_ROOM; i++) {
		if (set[i] == device)
			return true;
	}
	return false;
}

static int count_held(const int32_t *set)
{
	int count = 0;

	for (int i = 0; i < SET_ROOM; i++)
		count += set[i] != STREW_NONE;
	return count;
}

/* Loads are shards. */
static void count_pg(struct counts *counts, const int32_t *old, const int32_t *new,
		     const bool *failed, bool erasure)
{
	int lost = 0, held = count_held(old);

	for (int i = 0; i < SET_ROOM; i++)
		lost += old[i] != STREW_NONE && failed[old[i]];
	counts->shards += lost;
	counts->degraded += lost > 0;
	counts->below += lost > 0 && held - lost < (erasure ? 5 : 2);
	if (lost > 0 && held - lost < (erasure ? 4 : 1)) {
		counts->lost++;
		return;
	}
	counts->unhealable += lost > 0 && count_held(new) < held;
	for (int i = 0; i < SET_ROOM; i++) {
		bool was = erasure ? old[i] == new[i] : holds(old, new[i]);
		bool stays = erasure ? old[i] == new[i] : holds(new, old[i]);

		if (new[i] != STREW_NONE && !was) {
			counts->moved++;
			counts->load[new[i]]++;
		}
		if (old[i] != STREW_NONE && !stays)
			counts->load[old[i]]--;
	}
}

static void count_case(struct counts *counts, int32_t old[POOL_PGS][SET_ROOM],
		       const strew_placer *placer, const bool *failed, bool erasure)
{
	static int32_t new[POOL_PGS][SET_ROOM];
	strew_placer *after = fail_devices(placer, failed);

	memset(counts, 0, sizeof(*counts));
	place_pool(new, after, POOL_PGS);
	for (int seed = 0; seed < POOL_PGS; seed++) {
		for (int i = 0; i < SET_ROOM; i++) {
			if (old[seed][i] != STREW_NONE)
				counts->load[old[seed][i]]++;
		}
	}
	for (int seed = 0; seed < POOL_PGS; seed++)
		count_pg(counts, old[seed], new[seed], failed, erasure);
	strew_placer_release(after);
}

static double fullest_percent(const struct counts *counts, const strew_placer *placer,
			      const bool *failed, double shard)
{
	double most = 0;

	for (int32_t i = 0; i < DEVICES; i++) {
		const strew_device *device =
			strew_map_device_by_id(strew_placer_map(placer), i);
		double use = counts->load[i] * shard / (double)strew_device_size(device);

		if (!failed[i] && use > most)
			most = use;
	}
	return 100 * most;
}

static void mark_bucket(bool *failed, const strew_map *map, const char *name)
{
	const strew_bucket *bucket = strew_map_bucket_by_name(map, name);

	ck_assert_ptr_nonnull(bucket);
	for (size_t i = 0; i < strew_bucket_item_count(bucket); i++) {
		int32_t item = strew_bucket_item(bucket, i);

		if (item >= 0)
			failed[item] = true;
		else
			mark_bucket(failed, map,
				    strew_bucket_name(strew_map_bucket_by_id(map, item)));
	}
}

/* "h1", "osd.3", "r1 + r2" */
static void mark_names(bool *failed, const strew_map *map, const char *names)
{
	char name[32];
	int used = 0;

	while (sscanf(names, "%31s%n", name, &used) == 1) {
		const strew_device *device = strew_map_device_by_name(map, name);

		names += used;
		if (strcmp(name, "+") == 0)
			continue;
		if (device)
			failed[strew_device_id(device)] = true;
		else
			mark_bucket(failed, map, name);
	}
}

static void expect_case(const strew_result *result, size_t row,
			int32_t old[POOL_PGS][SET_ROOM], const strew_placer *placer,
			bool erasure)
{
	double shard = erasure ? (double)GIB / 4 : (double)GIB;
	bool failed[DEVICES] = {false};
	struct counts counts;

	mark_names(failed, strew_placer_map(placer),
		   cell_at(result, "failures", row, "failed").text);
	count_case(&counts, old, placer, failed, erasure);
	ck_assert_int_eq(cell_at(result, "failures", row, "shards_lost").integer,
			 counts.shards);
	ck_assert_int_eq(cell_at(result, "failures", row, "pgs_degraded").integer,
			 counts.degraded);
	ck_assert_int_eq(cell_at(result, "failures", row, "pgs_below_min_size").integer,
			 counts.below);
	ck_assert_int_eq(cell_at(result, "failures", row, "pgs_lost").integer,
			 counts.lost);
	ck_assert_int_eq(cell_at(result, "failures", row, "pgs_unhealable").integer,
			 counts.unhealable);
	ck_assert_int_eq(cell_at(result, "failures", row, "moved_shards").integer,
			 counts.moved);
	ck_assert_int_eq(cell_at(result, "failures", row, "moved_bytes").integer,
			 llround((double)counts.moved * shard));
	ck_assert_double_eq_tol(cell_at(result, "failures", row, "fullest_percent").real,
				fullest_percent(&counts, placer, failed, shard), 1e-9);
}

START_TEST(each_case_equals_placing_all)
{
	static int32_t old[POOL_PGS][SET_ROOM];
	const struct shape *shape = &shapes[_i];
	const struct {
		strew_fail_what what;
		const char *type;
		size_t cases;
	} asked[] = {{STREW_FAIL_EACH, "device", DEVICES},
		     {STREW_FAIL_EACH, "host", HOSTS},
		     {STREW_FAIL_PAIRS, "rack", RACKS * (RACKS - 1) / 2}};
	strew_placer *placer = random_cluster(shape);
	strew_run run = STREW_RUN_INIT;

	run.executor = &four_threads;
	place_pool(old, placer, POOL_PGS);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		strew_fail_options options = STREW_FAIL_OPTIONS_INIT;
		strew_result *result;

		options.what = asked[i].what;
		options.type = asked[i].type;
		options.most_failed = 0;
		ck_assert_int_eq(strew_fail(&result, placer, NULL, &options, &run, NULL),
				 STREW_OK);
		ck_assert_uint_eq(row_count(result, "failures"), asked[i].cases);
		for (size_t row = 0; row < asked[i].cases; row++)
			expect_case(result, row, old, placer, is_erasure(shape));
		strew_result_free(result);
	}
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_fail_random(void)
{
	TCase *tcase = tcase_create("analyze_fail_random");

	tcase_add_loop_test(tcase, each_case_equals_placing_all, 0, SHAPES);
	return tcase;
}
