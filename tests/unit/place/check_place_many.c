/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "fixture.h"

#define COUNT 500
/* More than there are devices, so that replicated rows are short. */
#define WANT (FIXTURE_DEVICES + 2)

static int row_equals(const int32_t *row, const int32_t *one, int count)
{
	for (int i = 0; i < WANT; i++)
		if (row[i] != (i < count ? one[i] : STREW_NONE))
			return 0;
	return 1;
}

START_TEST(many_equal_one_by_one)
{
	strew_placer *placer = fixture_placer(fixture_builder(NULL));
	strew_scratch *scratch;
	static int32_t rows[COUNT * WANT];
	uint32_t xs[COUNT];
	int32_t one[WANT];

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (uint32_t i = 0; i < COUNT; i++)
		xs[i] = i * 2654435761u;
	ck_assert_int_eq(strew_place_many(placer, _i, xs, COUNT, rows, WANT, scratch),
			 STREW_OK);
	for (size_t i = 0; i < COUNT; i++) {
		int count = strew_place(placer, _i, xs[i], one, WANT, scratch);

		if (!row_equals(rows + i * WANT, one, count))
			ck_abort_msg("x %u differs", xs[i]);
	}
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

START_TEST(none_at_all_is_allowed)
{
	strew_placer *placer = fixture_placer(fixture_builder(NULL));
	strew_scratch *scratch;

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_place_many(placer, 0, NULL, 0, NULL, 3, scratch),
			 STREW_OK);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

#define PGS 600

/* PGs of both pools in turns of some, seeds beyond pg_num among them. */
static void name_pgs(strew_pg *pgs)
{
	for (uint32_t i = 0; i < PGS; i++)
		pgs[i] = (strew_pg){i / 7 % 2 ? FIXTURE_ERASURE : FIXTURE_REPLICATED,
				    i * 2654435761u};
	pgs[0].seed = 3;
}

static void assert_same_set(const strew_set *many, const strew_set *one)
{
	ck_assert_int_eq(many->count, one->count);
	ck_assert_int_eq(many->primary, one->primary);
	for (int i = 0; i < one->count; i++)
		ck_assert_int_eq(many->devices[i], one->devices[i]);
}

static void give_room(strew_stages *stages, int32_t *devices)
{
	*stages = (strew_stages){
		.raw = {.devices = devices, .room = WANT},
		.up = {.devices = devices + WANT, .room = WANT},
		.acting = {.devices = devices + 2 * WANT, .room = WANT},
	};
}

START_TEST(many_pgs_equal_one_by_one)
{
	static int32_t devices[PGS][3 * WANT], alone[3 * WANT];
	static strew_stages stages[PGS];
	strew_builder *builder = fixture_builder(NULL);
	strew_placer *placer;
	strew_scratch *scratch;
	strew_pg pgs[PGS];
	strew_stages one;

	strew_builder_set_state(builder, 3, 1, 0);
	name_pgs(pgs);
	strew_builder_add_upmap_item(builder, pgs[0], 1, 2);
	placer = fixture_placer(builder);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (size_t i = 0; i < PGS; i++)
		give_room(&stages[i], devices[i]);
	ck_assert_int_eq(strew_place_pgs(placer, pgs, PGS, stages, scratch), STREW_OK);
	for (size_t i = 0; i < PGS; i++) {
		give_room(&one, alone);
		ck_assert_int_eq(strew_place_pg(placer, pgs[i], &one, scratch), STREW_OK);
		ck_assert_uint_eq(stages[i].x, one.x);
		assert_same_set(&stages[i].raw, &one.raw);
		assert_same_set(&stages[i].up, &one.up);
		assert_same_set(&stages[i].acting, &one.acting);
	}
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

START_TEST(many_pgs_end_where_there_is_no_pool)
{
	strew_placer *placer = fixture_placer(fixture_builder(NULL));
	strew_pg pgs[] = {{FIXTURE_REPLICATED, 1}, {99, 1}, {FIXTURE_REPLICATED, 2}};
	strew_stages stages[3] = {0};
	strew_scratch *scratch;

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_place_pgs(placer, pgs, 3, stages, scratch),
			 STREW_ENOTFOUND);
	ck_assert_int_eq(strew_place_pgs(placer, pgs, 1, stages, scratch), STREW_OK);
	ck_assert_int_eq(strew_place_pgs(placer, pgs, 0, NULL, scratch), STREW_OK);
	ck_assert_uint_ne(stages[0].x, 0);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
}
END_TEST

TCase *check_place_many(void)
{
	TCase *tcase = tcase_create("place_many");

	tcase_add_loop_test(tcase, many_equal_one_by_one, 0, 2);
	tcase_add_test(tcase, none_at_all_is_allowed);
	tcase_add_test(tcase, many_pgs_equal_one_by_one);
	tcase_add_test(tcase, many_pgs_end_where_there_is_no_pool);
	return tcase;
}
