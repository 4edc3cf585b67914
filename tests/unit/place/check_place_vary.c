/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "fixture.h"
#include "place.h"
#include "support.h"

/* Variants by rule and size are in check_place.c. */

#define INPUTS 200

/* How many inputs get all eight devices by rule 0. */
static int count_full(const strew_placer *placer)
{
	int32_t out[FIXTURE_DEVICES];
	strew_scratch *scratch;
	int full = 0;

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (uint32_t x = 0; x < INPUTS; x++)
		full += strew_place(placer, 0, x, out, FIXTURE_DEVICES, scratch) ==
			FIXTURE_DEVICES;
	strew_scratch_free(scratch);
	return full;
}

static strew_placer *with_tries(const strew_placer *from, uint32_t tries)
{
	strew_placer *placer;

	ck_assert_int_eq(place_with_tries(&placer, from, tries,
					  base_allocator_or_heap(NULL), NULL),
			 STREW_OK);
	return placer;
}

START_TEST(more_tries_find_what_few_miss)
{
	strew_placer *from = fixture_placer(fixture_builder(NULL));
	strew_placer *few = with_tries(from, 2), *many = with_tries(few, 500);

	ck_assert_int_lt(count_full(few), INPUTS);
	ck_assert_int_eq(count_full(many), INPUTS);
	strew_placer_release(few);
	ck_assert_int_gt(count_full(from), INPUTS / 2);
	strew_placer_release(from);
	ck_assert_int_eq(count_full(many), INPUTS);
	strew_placer_release(many);
}
END_TEST

START_TEST(tries_of_steps_are_replaced)
{
	strew_builder *builder = fixture_builder(NULL);
	strew_placer *from, *many;
	int32_t out[FIXTURE_DEVICES];
	strew_scratch *scratch;
	int counts[2] = {0, 0};

	strew_builder_add_rule(builder, 9, "impatient", STREW_KIND_REPLICATED);
	strew_builder_add_step(builder, STREW_OP_SET_CHOOSE_TRIES, 1);
	strew_builder_add_take(builder, -1);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 0, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	from = fixture_placer(builder);
	many = with_tries(from, 500);
	ck_assert_int_eq(strew_scratch_new(&scratch, many, NULL), STREW_OK);
	for (uint32_t x = 0; x < INPUTS; x++) {
		counts[0] += strew_place(from, 9, x, out, FIXTURE_DEVICES, scratch);
		counts[1] += strew_place(many, 9, x, out, FIXTURE_DEVICES, scratch);
	}
	ck_assert_int_lt(counts[0], INPUTS * FIXTURE_DEVICES);
	ck_assert_int_eq(counts[1], INPUTS * FIXTURE_DEVICES);
	strew_scratch_free(scratch);
	strew_placer_release(from);
	strew_placer_release(many);
}
END_TEST

/* Only the first device weighs anything in the pool's set. */
START_TEST(raw_inputs_are_placed_as_the_pool)
{
	static const uint32_t weights[FIXTURE_DEVICES] = {STREW_WEIGHT_ONE};
	strew_builder *builder = fixture_builder(NULL);
	strew_placer *from, *placer;
	strew_scratch *scratch;
	int others = 0;

	strew_builder_add_weight_set(builder, FIXTURE_ERASURE, NULL);
	strew_builder_add_weight_row(builder, -1, weights, FIXTURE_DEVICES);
	from = fixture_placer(builder);
	ck_assert_int_eq(place_raw_as_pool(&placer, from, FIXTURE_ERASURE,
					   base_allocator_or_heap(NULL), NULL),
			 STREW_OK);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (uint32_t x = 0; x < INPUTS; x++) {
		int32_t device = -1;

		ck_assert_int_eq(strew_place(from, 0, x, &device, 1, scratch), 1);
		others += device != 0;
		ck_assert_int_eq(strew_place(placer, 0, x, &device, 1, scratch), 1);
		ck_assert_int_eq(device, 0);
	}
	ck_assert_int_gt(others, 0);
	strew_scratch_free(scratch);
	strew_placer_release(from);
	strew_placer_release(placer);
}
END_TEST

static void move_first(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	int32_t free = 0;

	while (free == raw[0] || free == raw[1] || free == raw[2])
		free++;
	strew_builder_add_upmap_item(builder, pg, raw[0], free);
}

START_TEST(upmaps_are_applied_as_in_a_placement)
{
	strew_pg pg = {.pool = FIXTURE_REPLICATED, .seed = 5};
	strew_builder *builder = fixture_builder(NULL);
	int32_t devices[STREW_WANT_MAX];
	struct fixture_placed placed;
	const strew_map *map;
	strew_placer *placer;

	fixture_place(&placed, pg.pool, pg.seed, move_first);
	move_first(builder, pg, placed.before);
	placer = fixture_placer(builder);
	map = strew_placer_map(placer);
	ck_assert_uint_eq(map->override_count, 1);
	memcpy(devices, placed.before, 3 * sizeof(*devices));
	ck_assert_int_eq(place_apply_upmaps(placer, &map->overrides[0], devices, 3), 3);
	fixture_assert_set(&placed.stages.up, devices, 3);
	ck_assert_int_ne(devices[0], placed.before[0]);
	strew_placer_release(placer);
}
END_TEST

START_TEST(failed_allocations_leave_nothing)
{
	strew_placer *from = fixture_placer(fixture_builder(NULL)), *placer;
	strew_status status = STREW_ENOMEM;
	struct support_heap heap;
	size_t fail_at;

	for (fail_at = 1; status == STREW_ENOMEM; fail_at++) {
		support_heap_init(&heap);
		heap.fail_at = fail_at;
		status = place_with_tries(&placer, from, 3, &heap.allocator, NULL);
		strew_placer_release(placer);
		ck_assert_uint_eq(heap.blocks, 0);
	}
	ck_assert_int_eq(status, STREW_OK);
	ck_assert_uint_gt(fail_at, 3);
	strew_placer_release(from);
}
END_TEST

TCase *check_place_vary(void)
{
	TCase *tcase = tcase_create("vary");

	tcase_add_test(tcase, more_tries_find_what_few_miss);
	tcase_add_test(tcase, tries_of_steps_are_replaced);
	tcase_add_test(tcase, raw_inputs_are_placed_as_the_pool);
	tcase_add_test(tcase, upmaps_are_applied_as_in_a_placement);
	tcase_add_test(tcase, failed_allocations_leave_nothing);
	return tcase;
}
