/* SPDX-License-Identifier: MIT */
/* Who wins by the highest product of hash and factor: strew/study.h. */
#include <check.h>

#include <strew/study.h>

#include "support.h"

static const uint32_t mixed[] = {1, 1, 1, 1, 2, 2, 4, 4};

START_TEST(factors_and_shares_undo_each_other)
{
	double factors[8], shares[8];

	ck_assert_int_eq(strew_study_factors(mixed, 8, factors, NULL), STREW_OK);
	ck_assert_double_eq_tol(factors[0], 0.917004, 1e-6);
	ck_assert_double_eq_tol(factors[4], 1.014832, 1e-6);
	ck_assert_double_eq_tol(factors[7], 1.171827, 1e-6);
	ck_assert_int_eq(strew_study_naive_shares(factors, 8, shares, NULL), STREW_OK);
	for (int i = 0; i < 8; i++)
		ck_assert_double_eq_tol(shares[i], mixed[i] / 16.0, 1e-12);
}
END_TEST

START_TEST(naive_shares_are_exact)
{
	double weights[8], shares[8];

	for (int i = 0; i < 8; i++)
		weights[i] = mixed[i];
	ck_assert_int_eq(strew_study_naive_shares(weights, 8, shares, NULL), STREW_OK);
	ck_assert_double_eq_tol(shares[0], 1 / 512.0, 1e-12);
	ck_assert_double_eq_tol(shares[5], 31 / 512.0, 1e-12);
	ck_assert_double_eq_tol(shares[6], 223 / 512.0, 1e-12);
}
END_TEST

START_TEST(hundred_thousand_naive_shares_add_up)
{
	static double weights[100000], shares[100000];
	uint64_t state = 1;
	double sum = 0;

	for (int i = 0; i < 100000; i++)
		weights[i] = 1 + support_below(&state, 1000) / 100.0;
	ck_assert_int_eq(strew_study_naive_shares(weights, 100000, shares, NULL),
			 STREW_OK);
	for (int i = 0; i < 100000; i++)
		sum += shares[i];
	ck_assert_double_eq_tol(sum, 1, 1e-9);
}
END_TEST

START_TEST(none_have_no_shares)
{
	double none;

	ck_assert_int_eq(strew_study_factors(NULL, 0, &none, NULL), STREW_OK);
	ck_assert_int_eq(strew_study_naive_shares(NULL, 0, &none, NULL), STREW_OK);
}
END_TEST

TCase *check_place_shares(void)
{
	TCase *tcase = tcase_create("place_shares");

	tcase_add_test(tcase, factors_and_shares_undo_each_other);
	tcase_add_test(tcase, naive_shares_are_exact);
	tcase_add_test(tcase, hundred_thousand_naive_shares_add_up);
	tcase_add_test(tcase, none_have_no_shares);
	return tcase;
}
