/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "fixture.h"
#include "place_priv.h"
#include "support.h"

struct rig {
	strew_placer *placer;
	strew_scratch *scratch;
};

static void rig_up(struct rig *rig, strew_builder *builder)
{
	rig->placer = fixture_placer(builder);
	ck_assert_int_eq(strew_scratch_new(&rig->scratch, rig->placer, NULL), STREW_OK);
}

static void rig_down(struct rig *rig)
{
	strew_scratch_free(rig->scratch);
	strew_placer_release(rig->placer);
}

START_TEST(rule_places_as_many_as_wanted)
{
	struct rig rig;
	int32_t out[4] = {0, 0, 0, -1};

	rig_up(&rig, fixture_builder(NULL));
	ck_assert_int_eq(strew_place(rig.placer, 0, 42, out, 3, rig.scratch), 3);
	ck_assert(out[0] != out[1] && out[1] != out[2] && out[0] != out[2]);
	ck_assert(out[0] >= 0 && out[0] < FIXTURE_DEVICES);
	ck_assert_int_eq(out[3], -1);
	rig_down(&rig);
}
END_TEST

static const struct {
	int32_t rule;
	int want;
	int result;
} refused[] = {
	{STREW_ENOTFOUND, 3, STREW_ENOTFOUND},
	{STREW_ENOMEM, 3, STREW_ENOMEM},
	{2, 3, STREW_ENOTFOUND},
	{0, 0, STREW_ERANGE},
	{0, -1, STREW_ERANGE},
	{0, STREW_WANT_MAX + 1, STREW_ERANGE},
};

START_TEST(wrong_arguments_are_refused)
{
	struct rig rig;
	uint32_t x = 1;
	int32_t out[STREW_WANT_MAX + 1];

	rig_up(&rig, fixture_builder(NULL));
	ck_assert_int_eq(strew_place(rig.placer, refused[_i].rule, x, out,
				     refused[_i].want, rig.scratch),
			 refused[_i].result);
	ck_assert_int_eq(strew_place_many(rig.placer, refused[_i].rule, &x, 1, out,
					  refused[_i].want, rig.scratch),
			 refused[_i].result);
	rig_down(&rig);
}
END_TEST

START_TEST(most_that_may_be_wanted_is_placed)
{
	struct rig rig;
	int32_t out[STREW_WANT_MAX];
	int count;

	rig_up(&rig, fixture_builder(NULL));
	count = strew_place(rig.placer, 1, 1, out, STREW_WANT_MAX, rig.scratch);
	ck_assert_int_eq(count, STREW_WANT_MAX);
	count = strew_place(rig.placer, 0, 1, out, STREW_WANT_MAX, rig.scratch);
	ck_assert_int_eq(count, FIXTURE_DEVICES);
	rig_down(&rig);
}
END_TEST

/** An MSR rule, which needs more of a scratch than the plain ones. */
static strew_builder *msr_builder(void)
{
	strew_builder *builder = fixture_builder(NULL);

	strew_builder_add_rule(builder, 2, "msr", STREW_KIND_MSR_INDEP);
	strew_builder_add_take(builder, -1);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 4, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	return builder;
}

START_TEST(scratch_of_a_smaller_placer_is_refused)
{
	struct rig small;
	struct rig large;
	strew_pg pg = {.pool = FIXTURE_REPLICATED};
	strew_stages stages = {0};
	uint32_t x = 1;
	int32_t out[4];

	rig_up(&small, fixture_builder(NULL));
	rig_up(&large, msr_builder());
	ck_assert_int_eq(strew_place(large.placer, 0, x, out, 3, small.scratch),
			 STREW_EINVAL);
	ck_assert_int_eq(strew_place_many(large.placer, 0, &x, 1, out, 3, small.scratch),
			 STREW_EINVAL);
	ck_assert_int_eq(strew_place_pg(large.placer, pg, &stages, small.scratch),
			 STREW_EINVAL);
	ck_assert_int_eq(strew_place(small.placer, 0, x, out, 3, large.scratch), 3);
	ck_assert_int_eq(strew_place(large.placer, 2, x, out, 4, large.scratch), 4);
	rig_down(&small);
	rig_down(&large);
}
END_TEST

START_TEST(placer_keeps_its_map)
{
	strew_map *map = fixture_build(fixture_builder(NULL));
	strew_placer *placer;

	ck_assert_int_eq(strew_placer_new(&placer, map, NULL, NULL), STREW_OK);
	strew_map_release(map);
	ck_assert_ptr_eq(strew_placer_map(placer), map);
	ck_assert_ptr_eq(strew_placer_retain(placer), placer);
	strew_placer_release(placer);
	ck_assert_uint_eq(strew_map_pool_count(strew_placer_map(placer)), 2);
	strew_placer_release(placer);
	strew_placer_release(NULL);
	strew_scratch_free(NULL);
}
END_TEST

START_TEST(unknown_selector_is_refused)
{
	strew_builder *builder = fixture_builder(NULL);
	strew_bucket_desc bucket = STREW_BUCKET_DESC_INIT;
	strew_error error = {0};
	strew_placer *placer = (strew_placer *)&bucket;
	strew_map *map;

	bucket.name = "odd";
	bucket.type = 1;
	bucket.alg = "straw9";
	strew_builder_add_bucket(builder, &bucket);
	map = fixture_build(builder);
	ck_assert_int_eq(strew_placer_new(&placer, map, NULL, &error), STREW_EMAP);
	ck_assert_ptr_null(placer);
	ck_assert_int_eq(error.status, STREW_EMAP);
	strew_map_release(map);
}
END_TEST

static const struct {
	int upmap;
	int temp;
	int longest;
} lengths[] = {
	{0, 0, 4}, {3, 3, 4}, {40, 0, 40}, {0, 30, 30}, {7, 2000, STREW_WANT_MAX},
};

static void long_overrides(strew_builder *builder, int upmap, int temp)
{
	static int32_t list[2000];
	strew_pg pg = {.pool = FIXTURE_ERASURE, .seed = 3};

	for (int i = 0; i < 2000; i++)
		list[i] = i % FIXTURE_DEVICES;
	if (upmap)
		strew_builder_add_upmap(builder, pg, list, (size_t)upmap);
	if (temp)
		strew_builder_add_pg_temp(builder, pg, list, (size_t)temp);
}

START_TEST(longest_set_is_known)
{
	strew_builder *builder = fixture_builder(NULL);
	strew_pg pg = {.pool = FIXTURE_ERASURE, .seed = 3};
	int32_t acting[STREW_WANT_MAX];
	strew_stages stages = {.acting = {.devices = acting, .room = STREW_WANT_MAX}};
	struct rig rig;

	long_overrides(builder, lengths[_i].upmap, lengths[_i].temp);
	rig_up(&rig, builder);
	ck_assert_int_eq(strew_placer_max_set(rig.placer), lengths[_i].longest);
	ck_assert_int_eq(strew_place_pg(rig.placer, pg, &stages, rig.scratch), STREW_OK);
	ck_assert_int_le(stages.acting.count, lengths[_i].longest);
	rig_down(&rig);
}
END_TEST

START_TEST(map_without_pools_is_fine)
{
	strew_builder *builder;
	strew_pg pg = {0};
	strew_stages stages = {0};
	struct rig rig;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	rig_up(&rig, builder);
	ck_assert_int_eq(strew_placer_max_set(rig.placer), 0);
	ck_assert_ptr_null(place_raw_weight_set(rig.placer));
	ck_assert_ptr_null(place_pool_weight_set(rig.placer, 0));
	ck_assert_int_eq(strew_place_pg(rig.placer, pg, &stages, rig.scratch),
			 STREW_ENOTFOUND);
	rig_down(&rig);
}
END_TEST

/** A set for a pool makes all weight go to one device each: 100 to device 0, the
 * compat set to 1. */
static strew_builder *weight_set_builder(void)
{
	strew_builder *builder = fixture_builder(NULL);
	uint32_t weights[FIXTURE_DEVICES] = {0};

	strew_builder_add_weight_set(builder, -1, NULL);
	weights[1] = STREW_WEIGHT_ONE;
	strew_builder_add_weight_row(builder, -1, weights, FIXTURE_DEVICES);
	strew_builder_add_weight_set(builder, FIXTURE_REPLICATED, NULL);
	weights[1] = 0;
	weights[0] = STREW_WEIGHT_ONE;
	strew_builder_add_weight_row(builder, -1, weights, FIXTURE_DEVICES);
	return builder;
}

static void assert_first(const strew_placer *placer, int64_t pool, int32_t expected)
{
	strew_scratch *scratch;
	strew_stages stages = {0};
	strew_pg pg = {.pool = pool, .seed = 1};

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_place_pg(placer, pg, &stages, scratch), STREW_OK);
	ck_assert_int_eq(stages.raw.primary, expected);
	strew_scratch_free(scratch);
}

START_TEST(pools_use_their_own_weight_set_else_the_compat_one)
{
	strew_map *map = fixture_build(weight_set_builder());
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_placer *placer;

	ck_assert_int_eq(strew_placer_new(&placer, map, NULL, NULL), STREW_OK);
	assert_first(placer, FIXTURE_REPLICATED, 0);
	assert_first(placer, FIXTURE_ERASURE, 1);
	ck_assert_int_eq(place_pool_weight_set(placer, FIXTURE_REPLICATED)->id,
			 FIXTURE_REPLICATED);
	ck_assert_int_eq(place_pool_weight_set(placer, FIXTURE_ERASURE)->id, -1);
	ck_assert_int_eq(place_raw_weight_set(placer)->id, -1);
	strew_placer_release(placer);
	options.weight_set = FIXTURE_REPLICATED;
	options.force_weight_set = 1;
	ck_assert_int_eq(strew_placer_new(&placer, map, &options, NULL), STREW_OK);
	assert_first(placer, FIXTURE_REPLICATED, 0);
	assert_first(placer, FIXTURE_ERASURE, 0);
	strew_placer_release(placer);
	strew_map_release(map);
}
END_TEST

START_TEST(raw_inputs_use_the_weight_set_of_the_options)
{
	strew_map *map = fixture_build(weight_set_builder());
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_scratch *scratch;
	strew_placer *placer;
	int32_t out = -1;

	options.weight_set = _i ? FIXTURE_REPLICATED : 0;
	ck_assert_int_eq(strew_placer_new(&placer, map, &options, NULL), STREW_OK);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_place(placer, 0, 7, &out, 1, scratch), 1);
	ck_assert_int_eq(out, _i ? 0 : 1);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
	strew_map_release(map);
}
END_TEST

/** Like the fixture's pools, but as a variant has them. */
static strew_placer *varied(int32_t rule, int size, const strew_allocator *allocator)
{
	strew_placer *from = fixture_placer(fixture_builder(NULL)), *placer, *again;

	ck_assert_int_eq(place_vary(&placer, from, rule, size, allocator, NULL),
			 STREW_OK);
	/* A variant of a variant, and neither needs what it was made from. */
	ck_assert_int_eq(place_vary(&again, placer, -1, 0, allocator, NULL), STREW_OK);
	strew_placer_release(from);
	strew_placer_release(placer);
	return again;
}

static const struct {
	int32_t rule;
	int size;
	int counts[2]; /* in the replicated pool, in the erasure pool */
	int max_set;
} variants[] = {
	{-1, 0, {3, 4}, 4},
	{-1, 2, {2, 2}, 4},
	{0, 10, {FIXTURE_DEVICES, FIXTURE_DEVICES}, 10},
	{1, 0, {3, 4}, 4},
};

START_TEST(variant_places_all_pools_its_own_way)
{
	static const int64_t pools[] = {FIXTURE_REPLICATED, FIXTURE_ERASURE};
	strew_placer *placer = varied(variants[_i].rule, variants[_i].size,
				      base_allocator_or_heap(NULL));
	int32_t raw[16], direct[16];
	strew_scratch *scratch;

	ck_assert_int_eq(strew_placer_max_set(placer), variants[_i].max_set);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (int i = 0; i < 2; i++) {
		strew_stages stages = {.raw = {.devices = raw, .room = 16}};
		strew_pg pg = {.pool = pools[i], .seed = 5};
		int32_t rule = variants[_i].rule < 0 ? i : variants[_i].rule;
		int want = variants[_i].size ? variants[_i].size : i + 3, count;

		ck_assert_int_eq(strew_place_pg(placer, pg, &stages, scratch), STREW_OK);
		count = strew_place(placer, rule, stages.x, direct, want, scratch);
		ck_assert_int_eq(count, variants[_i].counts[i]);
		fixture_assert_set(&stages.raw, direct, count);
	}
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

START_TEST(variant_without_overrides_places_as_if_there_were_none)
{
	strew_pg pg = {.pool = FIXTURE_REPLICATED, .seed = 5};
	strew_builder *builder = fixture_builder(NULL);
	strew_placer *from, *placer;
	int32_t up[16], acting[16];
	strew_stages stages = {.up = {.devices = up, .room = 16},
			       .acting = {.devices = acting, .room = 16}};
	struct fixture_placed plain;
	strew_scratch *scratch;

	fixture_place(&plain, pg.pool, pg.seed, NULL);
	strew_builder_add_upmap(builder, pg, (int32_t[]){0, 1, 2}, 3);
	strew_builder_add_pg_temp(builder, pg, (int32_t[]){3, 4, 5}, 3);
	from = fixture_placer(builder);
	ck_assert_int_eq(place_without_overrides(&placer, from,
						 base_allocator_or_heap(NULL), NULL),
			 STREW_OK);
	strew_placer_release(from);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_place_pg(placer, pg, &stages, scratch), STREW_OK);
	fixture_assert_set(&stages.up, plain.raw, 3);
	fixture_assert_set(&stages.acting, plain.raw, 3);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

START_TEST(variant_by_a_rule_that_is_not_there_is_refused)
{
	strew_placer *from = fixture_placer(fixture_builder(NULL)), *placer = from;

	ck_assert_int_eq(
		place_vary(&placer, from, 7, 0, base_allocator_or_heap(NULL), NULL),
		STREW_ENOTFOUND);
	ck_assert_ptr_null(placer);
	strew_placer_release(from);
}
END_TEST

START_TEST(failed_allocations_of_a_variant_leave_nothing)
{
	strew_placer *from = fixture_placer(fixture_builder(NULL)), *placer;
	strew_status status = STREW_ENOMEM;
	struct support_heap heap;
	size_t fail_at;

	for (fail_at = 1; status == STREW_ENOMEM; fail_at++) {
		support_heap_init(&heap);
		heap.fail_at = fail_at;
		status = place_vary(&placer, from, 1, 2, &heap.allocator, NULL);
		strew_placer_release(placer);
		ck_assert_uint_eq(heap.blocks, 0);
	}
	ck_assert_int_eq(status, STREW_OK);
	ck_assert_uint_gt(fail_at, 3);
	strew_placer_release(from);
}
END_TEST

START_TEST(failed_allocations_leave_nothing)
{
	strew_map *map = fixture_build(fixture_builder(NULL));
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	struct support_heap heap;
	strew_placer *placer = NULL;
	strew_scratch *scratch = NULL;
	strew_status status = STREW_ENOMEM;
	size_t fail_at;

	for (fail_at = 1; status == STREW_ENOMEM; fail_at++) {
		support_heap_init(&heap);
		heap.fail_at = fail_at;
		options.allocator = &heap.allocator;
		status = strew_placer_new(&placer, map, &options, NULL);
		if (status == STREW_OK)
			status = strew_scratch_new(&scratch, placer, NULL);
		strew_scratch_free(scratch);
		strew_placer_release(placer);
		if (heap.blocks || heap.bytes)
			ck_abort_msg("%zu blocks are left", heap.blocks);
		scratch = NULL;
		placer = NULL;
	}
	ck_assert_int_eq(status, STREW_OK);
	/* A placer, its block and its pools; a scratch and its two parts: at
	 * least so many. */
	ck_assert_uint_gt(fail_at, 6);
	strew_map_release(map);
}
END_TEST

TCase *check_place(void)
{
	TCase *tcase = tcase_create("place");

	tcase_add_test(tcase, rule_places_as_many_as_wanted);
	tcase_add_loop_test(tcase, wrong_arguments_are_refused, 0,
			    (int)(sizeof(refused) / sizeof(refused[0])));
	tcase_add_test(tcase, most_that_may_be_wanted_is_placed);
	tcase_add_test(tcase, scratch_of_a_smaller_placer_is_refused);
	tcase_add_test(tcase, placer_keeps_its_map);
	tcase_add_test(tcase, unknown_selector_is_refused);
	tcase_add_loop_test(tcase, longest_set_is_known, 0,
			    (int)(sizeof(lengths) / sizeof(lengths[0])));
	tcase_add_test(tcase, map_without_pools_is_fine);
	tcase_add_test(tcase, pools_use_their_own_weight_set_else_the_compat_one);
	tcase_add_loop_test(tcase, raw_inputs_use_the_weight_set_of_the_options, 0, 2);
	tcase_add_loop_test(tcase, variant_places_all_pools_its_own_way, 0,
			    (int)(sizeof(variants) / sizeof(variants[0])));
	tcase_add_test(tcase, variant_without_overrides_places_as_if_there_were_none);
	tcase_add_test(tcase, variant_by_a_rule_that_is_not_there_is_refused);
	tcase_add_test(tcase, failed_allocations_of_a_variant_leave_nothing);
	tcase_add_test(tcase, failed_allocations_leave_nothing);
	return tcase;
}
