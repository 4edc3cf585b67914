/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "map.h"

static const struct {
	const char *text;
	int64_t pool;
	uint32_t seed;
} pgs[] = {
	{"1.0", 1, 0},
	{"1.2f", 1, 0x2f},
	{"0.2F", 0, 0x2f},
	{"12.ffffffff", 12, 0xffffffff},
	{"9223372036854775807.00000000000a", INT64_MAX, 10},
};

START_TEST(pg_is_parsed)
{
	strew_pg pg;

	ck_assert_int_eq(strew_pg_parse(&pg, pgs[_i].text), STREW_OK);
	ck_assert_int_eq(pg.pool, pgs[_i].pool);
	ck_assert_uint_eq(pg.seed, pgs[_i].seed);
}
END_TEST

static const char *const bad_pgs[] = {
	"",
	"1",
	"1.",
	".1",
	"1.0x1",
	"a.1",
	"1.g",
	"-1.0",
	"1.-1",
	"1.0 ",
	" 1.0",
	"1.0.0",
	"+1.0",
	"1,0",
	"1..0",
	"1.100000000",
	"9223372036854775808.0",
	"1 .0",
	"1.fffffffff",
};

START_TEST(bad_pg_is_refused)
{
	strew_pg pg = {.pool = -7};

	ck_assert_int_eq(strew_pg_parse(&pg, bad_pgs[_i]), STREW_ESYNTAX);
	ck_assert_int_eq(pg.pool, -7);
}
END_TEST

TCase *check_map_pg(void)
{
	TCase *tcase = tcase_create("map_pg");

	tcase_add_loop_test(tcase, pg_is_parsed, 0, (int)(sizeof(pgs) / sizeof(pgs[0])));
	tcase_add_loop_test(tcase, bad_pg_is_refused, 0,
			    (int)(sizeof(bad_pgs) / sizeof(bad_pgs[0])));
	return tcase;
}
