/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "fixture.h"
#include "place.h"
#include "support.h"

static const int64_t pools[] = {FIXTURE_REPLICATED, FIXTURE_ERASURE};

static strew_builder *with_upmaps(void)
{
	strew_builder *builder = fixture_builder(NULL);

	/* The second pair goes on from the first, and is void without it. */
	for (uint32_t seed = 0; seed < FIXTURE_PG_NUM; seed++) {
		int32_t device = (int32_t)seed % FIXTURE_DEVICES;

		strew_builder_add_upmap_item(builder,
					     (strew_pg){FIXTURE_REPLICATED, seed}, device,
					     (device + 1) % FIXTURE_DEVICES);
		strew_builder_add_upmap_item(
			builder, (strew_pg){FIXTURE_REPLICATED, seed},
			(device + 1) % FIXTURE_DEVICES, (device + 2) % FIXTURE_DEVICES);
	}
	return builder;
}

static strew_placer *without(int32_t device)
{
	strew_builder *builder = with_upmaps();

	if (device >= 0) {
		strew_builder_set_reweight(builder, device, 0);
		strew_builder_set_state(builder, device, 1, 0);
	}
	return fixture_placer(builder);
}

static int same_set(const strew_set *a, const strew_set *b)
{
	return a->count == b->count && a->primary == b->primary &&
	       memcmp(a->devices, b->devices, (size_t)a->count * sizeof(int32_t)) == 0;
}

static void expect_same(const strew_placer *a, const strew_placer *b)
{
	strew_scratch *scratch;

	ck_assert_int_eq(strew_scratch_new(&scratch, a, NULL), STREW_OK);
	for (uint32_t i = 0; i < 2 * FIXTURE_PG_NUM; i++) {
		int32_t sets[4][FIXTURE_ROOM];
		strew_pg pg = {pools[i % 2], i / 2};
		strew_stages x = {.raw = {sets[0], FIXTURE_ROOM, 0, 0},
				  .up = {sets[1], FIXTURE_ROOM, 0, 0}};
		strew_stages y = {.raw = {sets[2], FIXTURE_ROOM, 0, 0},
				  .up = {sets[3], FIXTURE_ROOM, 0, 0}};

		ck_assert_int_eq(strew_place_pg(a, pg, &x, scratch), STREW_OK);
		ck_assert_int_eq(strew_place_pg(b, pg, &y, scratch), STREW_OK);
		ck_assert(same_set(&x.raw, &y.raw));
		ck_assert(same_set(&x.up, &y.up));
	}
	strew_scratch_free(scratch);
}

START_TEST(what_failed_is_down_and_out_until_it_is_back)
{
	strew_placer *whole = without(-1), *less = without(_i), *placer;

	ck_assert_int_eq(place_private(&placer, whole, &base_heap, NULL), STREW_OK);
	expect_same(placer, whole);
	place_set_failed(placer, (size_t)_i, true);
	expect_same(placer, less);
	place_set_failed(placer, (size_t)_i, false);
	expect_same(placer, whole);
	strew_placer_release(placer);
	strew_placer_release(less);
	strew_placer_release(whole);
}
END_TEST

/* Three hosts of two devices each, one of which (-1: none) is out. */
static strew_placer *hosts_without(int32_t device)
{
	strew_builder *builder;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 1, "host");
	strew_builder_add_type(builder, 2, "root");
	for (int32_t id = -1; id >= -4; id--) {
		static const char *const names[] = {"root", "a", "b", "c"};
		strew_bucket_desc bucket = STREW_BUCKET_DESC_INIT;

		bucket.id = id;
		bucket.name = names[-1 - id];
		bucket.type = id == -1 ? 2 : 1;
		strew_builder_add_bucket(builder, &bucket);
	}
	for (int32_t id = 0; id < 6; id++) {
		strew_builder_add_device(builder, id, NULL, NULL);
		strew_builder_add_item(builder, -2 - id / 2, id, STREW_WEIGHT_ONE, 0);
	}
	for (int32_t host = -2; host >= -4; host--)
		strew_builder_add_item(builder, -1, host, STREW_AUTO_WEIGHT, 0);
	strew_builder_add_rule(builder, 0, "rule", STREW_KIND_REPLICATED);
	strew_builder_add_take(builder, -1);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 0, 1, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	if (device >= 0)
		strew_builder_set_reweight(builder, device, 0);
	return fixture_placer(builder);
}

static void expect_same_batch(const strew_placer *a, const strew_placer *b)
{
	enum { INPUTS = 100, WANT = 3 };
	int32_t rows[INPUTS * WANT], others[INPUTS * WANT];
	uint32_t xs[INPUTS];
	strew_scratch *scratch;

	for (uint32_t i = 0; i < INPUTS; i++)
		xs[i] = i;
	ck_assert_int_eq(strew_scratch_new(&scratch, a, NULL), STREW_OK);
	ck_assert_int_eq(strew_place_many(a, 0, xs, INPUTS, rows, WANT, scratch),
			 STREW_OK);
	ck_assert_int_eq(strew_place_many(b, 0, xs, INPUTS, others, WANT, scratch),
			 STREW_OK);
	ck_assert_mem_eq(rows, others, sizeof(rows));
	strew_scratch_free(scratch);
}

START_TEST(what_failed_is_out_below_hosts)
{
	strew_placer *whole = hosts_without(-1), *less = hosts_without(3), *placer;

	ck_assert_int_eq(place_private(&placer, whole, &base_heap, NULL), STREW_OK);
	expect_same_batch(placer, whole);
	place_set_failed(placer, 3, true);
	expect_same_batch(placer, less);
	strew_placer_release(placer);
	strew_placer_release(less);
	strew_placer_release(whole);
}
END_TEST

START_TEST(failures_are_the_placers_own)
{
	strew_placer *whole = without(-1), *same = without(-1), *less = without(2);
	strew_placer *placer, *patient;

	ck_assert_int_eq(place_private(&placer, whole, &base_heap, NULL), STREW_OK);
	place_set_failed(placer, 2, true);
	expect_same(whole, same);
	strew_placer_release(whole);
	expect_same(placer, less);
	/* One that is made from it has them, too. */
	ck_assert_int_eq(place_with_tries(&patient, placer, 51, &base_heap, NULL),
			 STREW_OK);
	strew_placer_release(placer);
	expect_same(patient, less);
	strew_placer_release(patient);
	strew_placer_release(same);
	strew_placer_release(less);
}
END_TEST

START_TEST(no_lack_of_memory_leaks)
{
	strew_placer *whole = without(-1), *placer;
	strew_status status = STREW_ENOMEM;
	int allocations = 0;

	for (; status != STREW_OK; allocations++) {
		struct support_heap heap;

		support_heap_init(&heap);
		heap.fail_at = (size_t)allocations + 1;
		status = place_private(&placer, whole, &heap.allocator, NULL);
		ck_assert(status == STREW_OK || placer == NULL);
		if (status == STREW_OK)
			strew_placer_release(placer);
		ck_assert_uint_eq(heap.blocks, 0);
	}
	ck_assert_int_gt(allocations, 3);
	strew_placer_release(whole);
}
END_TEST

TCase *check_place_private(void)
{
	TCase *tcase = tcase_create("place_private");

	tcase_add_loop_test(tcase, what_failed_is_down_and_out_until_it_is_back, 0,
			    FIXTURE_DEVICES);
	tcase_add_test(tcase, what_failed_is_out_below_hosts);
	tcase_add_test(tcase, failures_are_the_placers_own);
	tcase_add_test(tcase, no_lack_of_memory_leaks);
	return tcase;
}
