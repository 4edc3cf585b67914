/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analyze_support.h"
#include "support.h"

/* Random clusters, counted a second time in the plainest way. */

#define DEVICES  48
#define SET_ROOM 6

struct shape {
	uint64_t seed;
	int hosts_out; /* the first so many hosts are out */
	uint32_t pgs;
	int added; /* one host more */
	strew_kind kind;
};

static strew_placer *random_cluster(const struct shape *shape)
{
	strew_builder *builder = start_map(NULL);
	strew_pool_desc pool = STREW_POOL_DESC_INIT;
	bool erasure = shape->kind == STREW_KIND_ERASURE;
	uint64_t state = shape->seed;

	add_hosts(builder, 11 + shape->added, 4);
	for (int32_t i = 0; i < 4 * shape->hosts_out; i++)
		strew_builder_set_reweight(builder, i, 0);
	add_rule(builder, 0, "hosts", shape->kind,
		 erasure ? STREW_OP_CHOOSELEAF_INDEP : STREW_OP_CHOOSELEAF_FIRSTN, HOST);
	pool.id = 3;
	pool.name = "data";
	pool.kind = shape->kind;
	pool.size = erasure ? 6 : 3;
	pool.k = erasure ? 4 : 0;
	pool.pg_num = shape->pgs;
	pool.has_bytes = 1;
	pool.bytes = 512 * GIB;
	strew_builder_add_pool(builder, &pool);
	for (uint32_t i = 0; i < 20; i++)
		strew_builder_add_upmap_item(
			builder, (strew_pg){3, support_below(&state, shape->pgs)},
			(int32_t)support_below(&state, 44),
			(int32_t)support_below(&state, 44));
	return finish_map(builder);
}

/* PGs are powers of two here, and so a PG's parent is its seed without high bits. */
static int place_up(int32_t *set, const strew_placer *placer, uint32_t seed, uint32_t pgs,
		    strew_scratch *scratch)
{
	strew_stages stages = {.up = {set, SET_ROOM, 0, 0}};

	if (strew_place_pg(placer, (strew_pg){3, seed & (pgs - 1)}, &stages, scratch) !=
	    STREW_OK)
		ck_abort_msg("no PG");
	for (int i = stages.up.count; i < SET_ROOM; i++)
		set[i] = STREW_NONE;
	return stages.up.count;
}

struct counts {
	int64_t changed, moved, unplaced, positions;
	int64_t in[DEVICES], out[DEVICES];
};

static bool holds(const int32_t *set, int32_t device)
{
	for (int i = 0; i < SET_ROOM; i++) {
		if (set[i] == device)
			return true;
	}
	return false;
}

static void count_pg(struct counts *counts, const int32_t *old, const int32_t *new,
		     bool by_set, int size)
{
	int64_t gained = 0, lost = 0, holes = size, emptied = 0;

	for (int i = 0; i < SET_ROOM; i++) {
		bool stays_new = by_set ? holds(old, new[i]) : old[i] == new[i];
		bool stays_old = by_set ? holds(new, old[i]) : old[i] == new[i];

		counts->positions += old[i] != new[i];
		holes -= new[i] != STREW_NONE;
		emptied += i < size && old[i] != STREW_NONE && new[i] == STREW_NONE;
		if (new[i] != STREW_NONE && !stays_new) {
			gained++;
			counts->in[new[i]]++;
		}
		if (old[i] != STREW_NONE && !stays_old) {
			lost++;
			counts->out[old[i]]++;
		}
	}
	counts->changed += gained + lost > 0;
	counts->moved += gained;
	if (!by_set)
		counts->unplaced += emptied;
	else if (lost > gained)
		counts->unplaced += lost - gained < holes ? lost - gained : holes;
}

static void count_all(struct counts *counts, const strew_placer *before,
		      const strew_placer *after, const uint32_t pgs[2], bool by_set,
		      int size)
{
	uint32_t more = pgs[0] > pgs[1] ? pgs[0] : pgs[1];
	strew_scratch *scratch;

	memset(counts, 0, sizeof(*counts));
	ck_assert_int_eq(strew_scratch_new(&scratch, before, NULL), STREW_OK);
	for (uint32_t seed = 0; seed < more; seed++) {
		int32_t old[SET_ROOM], new[SET_ROOM];

		place_up(old, before, seed, pgs[0], scratch);
		place_up(new, after, seed, pgs[1], scratch);
		count_pg(counts, old, new, by_set, size);
	}
	strew_scratch_free(scratch);
}

static void expect_devices(const strew_result *result, const struct counts *counts)
{
	struct counts found = {0};
	size_t rows = row_count(result, "devices");
	int64_t moved = 0;

	for (size_t row = 0; row < rows; row++) {
		int64_t device = cell_at(result, "devices", row, "device").integer;

		found.in[device] = cell_at(result, "devices", row, "shards_in").integer;
		found.out[device] = cell_at(result, "devices", row, "shards_out").integer;
	}
	ck_assert_mem_eq(found.in, counts->in, sizeof(found.in));
	ck_assert_mem_eq(found.out, counts->out, sizeof(found.out));
	for (size_t row = 0; row < row_count(result, "domains"); row++)
		moved += cell_at(result, "domains", row, "shards").integer;
	ck_assert_int_eq(moved, counts->moved);
}

static const struct {
	struct shape old, new;
	strew_diff_by by;
	bool by_set;
} cases[] = {
	{{1, 0, 256, 0, STREW_KIND_REPLICATED},
	 {1, 1, 256, 0, STREW_KIND_REPLICATED},
	 STREW_BY_POOL,
	 true},
	{{1, 0, 256, 0, STREW_KIND_REPLICATED},
	 {2, 0, 256, 1, STREW_KIND_REPLICATED},
	 STREW_BY_POSITION,
	 false},
	{{3, 0, 64, 0, STREW_KIND_REPLICATED},
	 {3, 0, 512, 1, STREW_KIND_REPLICATED},
	 STREW_BY_SET,
	 true},
	{{4, 0, 512, 0, STREW_KIND_REPLICATED},
	 {4, 2, 128, 1, STREW_KIND_REPLICATED},
	 STREW_BY_POOL,
	 true},
	{{5, 0, 256, 0, STREW_KIND_ERASURE},
	 {5, 1, 256, 0, STREW_KIND_ERASURE},
	 STREW_BY_POOL,
	 false},
	{{6, 0, 256, 0, STREW_KIND_ERASURE},
	 {6, 6, 256, 0, STREW_KIND_ERASURE},
	 STREW_BY_POOL,
	 false},
	{{7, 7, 256, 0, STREW_KIND_ERASURE},
	 {8, 2, 256, 1, STREW_KIND_ERASURE},
	 STREW_BY_SET,
	 true},
};

START_TEST(a_diff_counts_as_a_plain_loop_does)
{
	strew_placer *before = random_cluster(&cases[_i].old);
	strew_placer *after = random_cluster(&cases[_i].new);
	const uint32_t pgs[2] = {cases[_i].old.pgs, cases[_i].new.pgs};
	bool erasure = cases[_i].new.kind == STREW_KIND_ERASURE;
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	struct counts counts;
	strew_result *result;
	double shard;

	count_all(&counts, before, after, pgs, cases[_i].by_set, erasure ? 6 : 3);
	options.by = cases[_i].by;
	result = diff_maps(before, after, NULL, &options, NULL);
	ck_assert_int_gt(counts.moved, 0);
	ck_assert_int_eq(summary_integer(result, "pgs_changed"), counts.changed);
	ck_assert_int_eq(summary_integer(result, "shards_moved"), counts.moved);
	ck_assert_int_eq(summary_integer(result, "shards_unplaced"), counts.unplaced);
	if (erasure)
		ck_assert_int_eq(summary_integer(result, "positions_changed"),
				 counts.positions);
	shard = 512. * (double)GIB / (pgs[0] > pgs[1] ? pgs[0] : pgs[1]) /
		(erasure ? 4 : 1);
	ck_assert_int_eq(summary_integer(result, "bytes_moved"),
			 llround(shard * (double)counts.moved));
	expect_devices(result, &counts);
	strew_result_free(result);
	strew_placer_release(before);
	strew_placer_release(after);
}
END_TEST

START_TEST(threads_give_the_same_answer)
{
	struct shape old = {9, 0, 16384, 0, STREW_KIND_REPLICATED};
	struct shape new = {9, 1, 32768, 1, STREW_KIND_REPLICATED};
	strew_placer *before = random_cluster(&old), *after = random_cluster(&new);
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_run run = STREW_RUN_INIT;
	strew_result *alone, *together;

	options.list = 1;
	alone = diff_maps(before, after, NULL, &options, NULL);
	run.executor = &four_threads;
	together = diff_maps(before, after, NULL, &options, &run);
	ck_assert(same_results(alone, together));
	strew_result_free(alone);
	strew_result_free(together);
	strew_placer_release(before);
	strew_placer_release(after);
}
END_TEST

/* One copy of straw2: what moves goes to the item that grew, and to no other. */
START_TEST(between_items_that_keep_their_weight_nothing_moves)
{
	static const uint32_t weights[2][7] = {{1, 2, 2, 3, 3, 4, 4},
					       {1, 2, 2, 3, 4, 4, 4}};
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placer *placers[2];
	strew_result *result;

	for (int side = 0; side < 2; side++) {
		strew_builder *builder = start_map(NULL);

		for (int32_t i = 0; i < 7; i++)
			add_device(builder, i, -1, weights[side][i]);
		add_rule(builder, 0, "r", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN,
			 0);
		placers[side] = finish_map(builder);
	}
	inputs.rule = 0;
	inputs.want = 1;
	inputs.last = 49999;
	result = diff_maps(placers[0], placers[1], &inputs, NULL, NULL);
	ck_assert_int_gt(summary_integer(result, "shards_moved"), 0);
	ck_assert_uint_eq(row_count(result, "domains"), 6);
	for (size_t row = 0; row < 6; row++)
		ck_assert_str_eq(cell_at(result, "domains", row, "to").text, "osd.4");
	/* 3/19 before, 4/20 after. */
	ck_assert(fabs(summary_real(result, "minimum_shards") -
		       50000 * (4. / 20 - 3. / 19)) < 1e-6);
	ck_assert(fabs((double)summary_integer(result, "shards_moved") -
		       summary_real(result, "minimum_shards")) <
		  4 * summary_real(result, "minimum_stderr_shards"));
	strew_result_free(result);
	strew_placer_release(placers[0]);
	strew_placer_release(placers[1]);
}
END_TEST

TCase *check_analyze_diff_random(void)
{
	TCase *tcase = tcase_create("analyze_diff_random");

	tcase_add_loop_test(tcase, a_diff_counts_as_a_plain_loop_does, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tcase, threads_give_the_same_answer);
	tcase_add_test(tcase, between_items_that_keep_their_weight_nothing_moves);
	return tcase;
}
