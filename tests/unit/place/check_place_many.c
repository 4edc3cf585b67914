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

TCase *check_place_many(void)
{
	TCase *tcase = tcase_create("place_many");

	tcase_add_loop_test(tcase, many_equal_one_by_one, 0, 2);
	tcase_add_test(tcase, none_at_all_is_allowed);
	return tcase;
}
