/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "fixture.h"
#include "hash.h"

/* The PG that most tests are about. */
#define SEED 5

/** A device that is not in the set. */
static int32_t spare(const int32_t *set, int count, int skip)
{
	for (int32_t device = 0; device < FIXTURE_DEVICES; device++) {
		int found = 0;

		for (int i = 0; i < count; i++)
			found |= set[i] == device;
		if (!found && skip-- == 0)
			return device;
	}
	ck_abort_msg("all devices are in the set");
	return -1;
}

static int32_t spare_of_3(const int32_t *set, int skip)
{
	return spare(set, 3, skip);
}

START_TEST(plain_pg_is_the_same_in_all_stages)
{
	struct fixture_placed placed;
	int32_t *raw = placed.raw;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, NULL);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[0], raw[1], raw[2]);
	FIXTURE_ASSERT_SET(placed.stages.acting, raw[0], raw[1], raw[2]);
	ck_assert_int_eq(placed.stages.raw.primary, raw[0]);
	ck_assert_int_eq(placed.stages.up.primary, raw[0]);
	ck_assert_int_eq(placed.stages.acting.primary, raw[0]);
	ck_assert_uint_eq(placed.stages.x, hash_2(SEED, FIXTURE_REPLICATED));
}
END_TEST

static void lose_first(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	(void)pg;
	strew_builder_set_state(builder, raw[0], 0, 1);
	strew_builder_set_reweight(builder, raw[0], STREW_WEIGHT_ONE);
}

START_TEST(device_that_does_not_exist_is_not_in_the_raw_set)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, lose_first);
	FIXTURE_ASSERT_SET(placed.stages.raw, raw[1], raw[2]);
	ck_assert_int_eq(placed.stages.raw.primary, raw[1]);
	fixture_place(&placed, FIXTURE_ERASURE, SEED, lose_first);
	FIXTURE_ASSERT_SET(placed.stages.raw, STREW_NONE, raw[1], raw[2], raw[3]);
	ck_assert_int_eq(placed.stages.raw.primary, raw[1]);
}
END_TEST

static void first_down(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	(void)pg;
	strew_builder_set_state(builder, raw[0], 1, 0);
}

START_TEST(device_that_is_down_is_not_in_the_up_set)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, first_down);
	FIXTURE_ASSERT_SET(placed.stages.raw, raw[0], raw[1], raw[2]);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[1], raw[2]);
	fixture_place(&placed, FIXTURE_ERASURE, SEED, first_down);
	FIXTURE_ASSERT_SET(placed.stages.up, STREW_NONE, raw[1], raw[2], raw[3]);
	ck_assert_int_eq(placed.stages.acting.primary, raw[1]);
}
END_TEST

static void all_down(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	(void)pg;
	(void)raw;
	for (int32_t id = 0; id < FIXTURE_DEVICES; id++)
		strew_builder_set_state(builder, id, 1, 0);
}

START_TEST(nobody_up_has_no_primary)
{
	struct fixture_placed placed;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, all_down);
	ck_assert_int_eq(placed.stages.up.count, 0);
	ck_assert_int_eq(placed.stages.acting.primary, STREW_NONE);
	fixture_place(&placed, FIXTURE_ERASURE, SEED, all_down);
	FIXTURE_ASSERT_SET(placed.stages.up, STREW_NONE, STREW_NONE, STREW_NONE,
			   STREW_NONE);
	ck_assert_int_eq(placed.stages.up.primary, STREW_NONE);
}
END_TEST

static void upmap_spares(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	int32_t list[] = {spare_of_3(raw, 0), raw[0]};

	strew_builder_add_upmap(builder, pg, list, 2);
}

START_TEST(upmap_is_the_set)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, upmap_spares);
	FIXTURE_ASSERT_SET(placed.stages.raw, raw[0], raw[1], raw[2]);
	FIXTURE_ASSERT_SET(placed.stages.up, spare_of_3(raw, 0), raw[0]);
}
END_TEST

START_TEST(full_hash_finds_the_overrides_of_its_pg)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED + 1000 * FIXTURE_PG_NUM,
		      upmap_spares);
	FIXTURE_ASSERT_SET(placed.stages.raw, raw[0], raw[1], raw[2]);
	FIXTURE_ASSERT_SET(placed.stages.up, spare_of_3(raw, 0), raw[0]);
}
END_TEST

static void upmap_with_one_out(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	int32_t list[] = {spare_of_3(raw, 0), spare_of_3(raw, 1)};

	strew_builder_add_upmap(builder, pg, list, 2);
	strew_builder_add_upmap_item(builder, pg, raw[0], spare_of_3(raw, 0));
	strew_builder_set_upmap_primary(builder, pg, raw[1]);
	strew_builder_set_reweight(builder, list[1], 0);
}

START_TEST(upmap_to_a_device_that_is_out_switches_off_all_upmaps)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, upmap_with_one_out);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[0], raw[1], raw[2]);
}
END_TEST

static void upmap_outside(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	int32_t list[] = {raw[1], 100, STREW_NONE};

	strew_builder_add_upmap(builder, pg, list, 3);
}

START_TEST(upmap_outside_the_device_vector_is_not_checked)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, upmap_outside);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[1]);
	fixture_place(&placed, FIXTURE_ERASURE, SEED, upmap_outside);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[1], STREW_NONE, STREW_NONE);
}
END_TEST

/** Pairs that do and that don't apply; the last two are a chain. */
static void items_of_all_kinds(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	int32_t out = spare_of_3(raw, 0);
	int32_t absent = spare_of_3(raw, 1);
	int32_t first = spare_of_3(raw, 2);
	int32_t last = spare_of_3(raw, 3);

	strew_builder_set_reweight(builder, out, 0);
	strew_builder_add_upmap_item(builder, pg, raw[0], out);
	strew_builder_add_upmap_item(builder, pg, absent, last);
	strew_builder_add_upmap_item(builder, pg, raw[0], raw[1]);
	strew_builder_add_upmap_item(builder, pg, raw[2], raw[2]);
	strew_builder_add_upmap_item(builder, pg, raw[2], first);
	strew_builder_add_upmap_item(builder, pg, first, last);
}

START_TEST(upmap_items_apply_in_order)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, items_of_all_kinds);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[0], raw[1], spare_of_3(raw, 3));
}
END_TEST

static void items_after_upmap(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	int32_t list[] = {spare_of_3(raw, 0), spare_of_3(raw, 1)};

	strew_builder_add_upmap(builder, pg, list, 2);
	strew_builder_add_upmap_item(builder, pg, list[1], spare_of_3(raw, 2));
	strew_builder_set_upmap_primary(builder, pg, spare_of_3(raw, 2));
}

START_TEST(upmap_then_items_then_primary)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, items_after_upmap);
	FIXTURE_ASSERT_SET(placed.stages.up, spare_of_3(raw, 2), spare_of_3(raw, 0));
}
END_TEST

static void items_of_holes(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	strew_builder_add_upmap_item(builder, pg, raw[0], STREW_NONE);
	strew_builder_add_upmap_item(builder, pg, raw[1], STREW_NONE);
	strew_builder_add_upmap_item(builder, pg, STREW_NONE, spare(raw, 4, 0));
	strew_builder_add_upmap_item(builder, pg, raw[2], 1000);
}

START_TEST(upmap_items_take_holes_and_strangers_like_devices)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_ERASURE, SEED, items_of_holes);
	FIXTURE_ASSERT_SET(placed.stages.up, spare(raw, 4, 0), raw[1], STREW_NONE,
			   raw[3]);
}
END_TEST

static void empty_lists(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	strew_builder_add_upmap(builder, pg, raw, 0);
	strew_builder_add_pg_temp(builder, pg, raw, 0);
}

START_TEST(empty_upmap_is_a_set_and_empty_temp_is_none)
{
	struct fixture_placed placed;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, empty_lists);
	ck_assert_int_eq(placed.stages.raw.count, 3);
	ck_assert_int_eq(placed.stages.up.count, 0);
	ck_assert_int_eq(placed.stages.acting.count, 0);
	ck_assert_int_eq(placed.stages.acting.primary, STREW_NONE);
}
END_TEST

static void primary_last(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	strew_builder_set_upmap_primary(builder, pg, raw[2]);
}

static void primary_elsewhere(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	strew_builder_set_upmap_primary(builder, pg, spare_of_3(raw, 0));
}

START_TEST(upmap_primary_changes_places_with_the_first)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, primary_last);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[2], raw[1], raw[0]);
	fixture_place(&placed, FIXTURE_REPLICATED, SEED, primary_elsewhere);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[0], raw[1], raw[2]);
}
END_TEST

static void first_never_primary(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	(void)pg;
	strew_builder_set_primary_affinity(builder, raw[0], 0);
}

START_TEST(no_affinity_gives_the_primary_role_away)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, first_never_primary);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[1], raw[0], raw[2]);
	ck_assert_int_eq(placed.stages.up.primary, raw[1]);
	fixture_place(&placed, FIXTURE_ERASURE, SEED, first_never_primary);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[0], raw[1], raw[2], raw[3]);
	ck_assert_int_eq(placed.stages.up.primary, raw[1]);
	ck_assert_int_eq(placed.stages.acting.primary, raw[1]);
}
END_TEST

static void nobody_primary(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	(void)pg;
	(void)raw;
	for (int32_t id = 0; id < FIXTURE_DEVICES; id++)
		strew_builder_set_primary_affinity(builder, id, 0);
}

START_TEST(first_is_primary_when_nobody_wants)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, nobody_primary);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[0], raw[1], raw[2]);
	ck_assert_int_eq(placed.stages.up.primary, raw[0]);
}
END_TEST

static void half_primary(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	(void)pg;
	strew_builder_set_primary_affinity(builder, raw[0], STREW_WEIGHT_ONE / 2);
}

START_TEST(affinity_is_held_against_the_hash)
{
	struct fixture_placed placed;
	uint32_t draw;

	fixture_place(&placed, FIXTURE_REPLICATED, (uint32_t)_i, half_primary);
	draw = hash_2(placed.stages.x, (uint32_t)placed.before[0]) >> 16;
	ck_assert_int_eq(placed.stages.up.primary,
			 placed.before[draw < STREW_WEIGHT_ONE / 2 ? 0 : 1]);
}
END_TEST

static void temp_with_one_down(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	int32_t list[] = {spare_of_3(raw, 0), raw[2], raw[0]};

	strew_builder_add_pg_temp(builder, pg, list, 3);
	strew_builder_set_state(builder, list[0], 1, 0);
}

START_TEST(temp_acts_without_devices_that_are_down)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, temp_with_one_down);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[0], raw[1], raw[2]);
	FIXTURE_ASSERT_SET(placed.stages.acting, raw[2], raw[0]);
	ck_assert_int_eq(placed.stages.acting.primary, raw[2]);
}
END_TEST

static void temp_all_down(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	int32_t list[] = {spare(raw, 4, 0), spare(raw, 4, 1)};

	strew_builder_add_pg_temp(builder, pg, list, 2);
	strew_builder_set_state(builder, list[0], 1, 0);
	strew_builder_set_state(builder, list[1], 0, 0);
}

START_TEST(temp_of_nobody_acts_in_erasure_pools_only)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, temp_all_down);
	FIXTURE_ASSERT_SET(placed.stages.acting, placed.up[0], placed.up[1],
			   placed.up[2]);
	fixture_place(&placed, FIXTURE_ERASURE, SEED, temp_all_down);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[0], raw[1], raw[2], raw[3]);
	FIXTURE_ASSERT_SET(placed.stages.acting, STREW_NONE, STREW_NONE);
	ck_assert_int_eq(placed.stages.acting.primary, STREW_NONE);
}
END_TEST

static void primary_temp_down(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	strew_builder_set_primary_temp(builder, pg, raw[2]);
	strew_builder_set_state(builder, raw[2], 1, 0);
}

START_TEST(primary_temp_is_taken_unseen)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, primary_temp_down);
	FIXTURE_ASSERT_SET(placed.stages.acting, raw[0], raw[1]);
	ck_assert_int_eq(placed.stages.up.primary, raw[0]);
	ck_assert_int_eq(placed.stages.acting.primary, raw[2]);
}
END_TEST

static void everything(strew_builder *builder, strew_pg pg, const int32_t *raw)
{
	int32_t list[] = {raw[2], raw[1]};
	strew_pg other = {.pool = pg.pool};

	for (; other.seed < pg.seed; other.seed++)
		strew_builder_set_primary_temp(builder, other, raw[2]);
	strew_builder_add_upmap_item(builder, pg, raw[0], spare_of_3(raw, 0));
	strew_builder_set_primary_affinity(builder, spare_of_3(raw, 0), 0);
	strew_builder_add_pg_temp(builder, pg, list, 2);
	strew_builder_set_primary_temp(builder, pg, raw[1]);
}

START_TEST(upmap_then_affinity_then_temp)
{
	struct fixture_placed placed;
	int32_t *raw = placed.before;

	fixture_place(&placed, FIXTURE_REPLICATED, SEED, everything);
	FIXTURE_ASSERT_SET(placed.stages.raw, raw[0], raw[1], raw[2]);
	FIXTURE_ASSERT_SET(placed.stages.up, raw[1], spare_of_3(raw, 0), raw[2]);
	FIXTURE_ASSERT_SET(placed.stages.acting, raw[2], raw[1]);
	ck_assert_int_eq(placed.stages.acting.primary, raw[1]);
}
END_TEST

START_TEST(other_pgs_keep_their_place)
{
	struct fixture_placed before;
	struct fixture_placed after;

	fixture_place(&before, FIXTURE_REPLICATED, SEED + 1, NULL);
	fixture_place(&after, FIXTURE_ERASURE, SEED + 1, everything);
	fixture_place(&after, FIXTURE_REPLICATED, SEED + 1, first_down);
	FIXTURE_ASSERT_SET(after.stages.raw, before.raw[0], before.raw[1], before.raw[2]);
}
END_TEST

START_TEST(stages_are_cut_to_the_room_given)
{
	strew_placer *placer = fixture_placer(fixture_builder(NULL));
	int32_t devices[2] = {-1, -1};
	strew_stages stages = {.up = {.devices = devices, .room = 1}};
	strew_pg pg = {.pool = FIXTURE_REPLICATED, .seed = SEED};
	strew_scratch *scratch;

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_place_pg(placer, pg, &stages, scratch), STREW_OK);
	ck_assert_int_eq(stages.up.count, 1);
	ck_assert_int_eq(devices[1], -1);
	ck_assert_int_eq(stages.raw.count, 0);
	ck_assert_int_eq(stages.raw.primary, devices[0]);
	pg.pool = 77;
	ck_assert_int_eq(strew_place_pg(placer, pg, &stages, scratch), STREW_ENOTFOUND);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

TCase *check_place_override(void)
{
	TCase *tcase = tcase_create("place_override");

	tcase_add_test(tcase, plain_pg_is_the_same_in_all_stages);
	tcase_add_test(tcase, device_that_does_not_exist_is_not_in_the_raw_set);
	tcase_add_test(tcase, device_that_is_down_is_not_in_the_up_set);
	tcase_add_test(tcase, nobody_up_has_no_primary);
	tcase_add_test(tcase, upmap_is_the_set);
	tcase_add_test(tcase, full_hash_finds_the_overrides_of_its_pg);
	tcase_add_test(tcase, upmap_to_a_device_that_is_out_switches_off_all_upmaps);
	tcase_add_test(tcase, upmap_outside_the_device_vector_is_not_checked);
	tcase_add_test(tcase, upmap_items_apply_in_order);
	tcase_add_test(tcase, upmap_items_take_holes_and_strangers_like_devices);
	tcase_add_test(tcase, empty_upmap_is_a_set_and_empty_temp_is_none);
	tcase_add_test(tcase, upmap_then_items_then_primary);
	tcase_add_test(tcase, upmap_primary_changes_places_with_the_first);
	tcase_add_test(tcase, no_affinity_gives_the_primary_role_away);
	tcase_add_test(tcase, first_is_primary_when_nobody_wants);
	tcase_add_loop_test(tcase, affinity_is_held_against_the_hash, 0, FIXTURE_PG_NUM);
	tcase_add_test(tcase, temp_acts_without_devices_that_are_down);
	tcase_add_test(tcase, temp_of_nobody_acts_in_erasure_pools_only);
	tcase_add_test(tcase, primary_temp_is_taken_unseen);
	tcase_add_test(tcase, upmap_then_affinity_then_temp);
	tcase_add_test(tcase, other_pgs_keep_their_place);
	tcase_add_test(tcase, stages_are_cut_to_the_room_given);
	return tcase;
}
