/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>

#include "base_fixed.h"

static const struct {
	double value;
	uint32_t weight;
} good[] = {
	{0.0, 0},         {1.0, 0x10000},   {0.3, 19660},        {9.09, 595722},
	{1e-9, 0},        {1.0 / 65536, 1}, {32768.0, 1u << 31}, {65535.0, 0xffff0000u},
	{1.9999, 131065}, {0.00001, 0},
};

START_TEST(weights_round_as_crushtool_rounds)
{
	uint32_t weight;

	ck_assert(base_fixed_from_double(&weight, good[_i].value));
	ck_assert_uint_eq(weight, good[_i].weight);
}
END_TEST

static const double bad[] = {-1.0, -0.001, 65536.0, 1e30, NAN, INFINITY, 65535.9999999};

START_TEST(impossible_weights_are_refused)
{
	uint32_t weight;

	ck_assert(!base_fixed_from_double(&weight, bad[_i]));
}
END_TEST

START_TEST(printed_reweights_come_back)
{
	for (uint32_t w = 0; w <= 0x10000; w++) {
		uint32_t back;

		ck_assert(base_fixed_nearest(&back, base_fixed_to_double(w)));
		ck_assert_uint_eq(back, w);
	}
}
END_TEST

TCase *check_base_fixed(void)
{
	TCase *tcase = tcase_create("base_fixed");

	tcase_add_loop_test(tcase, weights_round_as_crushtool_rounds, 0,
			    (int)(sizeof(good) / sizeof(good[0])));
	tcase_add_loop_test(tcase, impossible_weights_are_refused, 0,
			    (int)(sizeof(bad) / sizeof(bad[0])));
	tcase_add_test(tcase, printed_reweights_come_back);
	return tcase;
}
