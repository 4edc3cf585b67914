/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"

static const struct edit_change changes[] = {
	{"reweight osd.0 3", "h1", "-4 64: 0*48 1*16"},
	{"reweight osd.0 3", "default", "-1 128: -2*96 -3*32"},
	{"reweight osd.0 3", "default~ssd", "-12 80: -9*64 -11*16"},
	{"reweight osd.0 3", "default~hdd", "-18 48: -15*32 -17*16"},
	{"reweight h1 10", "r1", "-2 192: -4*160 -5*32"},
	{"reweight h1 10", "h1", "-4 32: 0*16 1*16"},
	{"reweight h1 10\nreweight osd.2 2", "r1", "-2 208: -4*160 -5*48"},
	{"reweight h1 10\nreweight osd.0 2", "r1", "-2 80: -4*48 -5*32"},
	{"reweight below r1 2", "r1", "-2 128: -4*64 -5*64"},
	{"reweight below r1 2", "h3", "-6 32: 4*16 5*16"},
	{"reweight h1 10\nreweight all", "default", "-1 96: -2*64 -3*32"},
};

START_TEST(buckets_are_as_the_monitor_leaves_them)
{
	changed(&changes[_i]);
}
END_TEST

static const struct edit_refusal refusals[] = {
	{"reweight osd.0 32768", 16,
	 "device osd.0 can't weigh 32768; a device's weight must be below 32768"},
	{"reweight default 5", 10,
	 "root default hangs in no bucket, so that it has no weight"},
	{"set tunables jewl", 14,
	 "there is no profile \"jewl\"; there are argonaut (legacy), bobtail, firefly, "
	 "hammer, jewel (optimal, default)"},
	{"set tunable choose_tries 5", 13,
	 "there is no tunable \"choose_tries\"; the nearest one is choose_total_tries"},
	{"set tunable chooseleaf_stable 256", 31,
	 "the tunable chooseleaf_stable must be at most 255"},
};

START_TEST(what_cannot_be_done_is_refused_with_what_would_be_right)
{
	refused(&refusals[_i]);
}
END_TEST

/* As crushtool 16.2 leaves such a map: weights follow by what they change. */
START_TEST(a_weight_that_is_no_sum_stays_as_far_from_it)
{
	strew_map *map = edited("reweight h1 10\nreweight h2 1.5\nreweight r1 20\n"
				"reweight osd.0 4");

	ck_assert_str_eq(draw(map, "r1"), "-2 104: -4*80 -5*24");
	drawn(map, "default", "-1 136: -2*104 -3*32");
}
END_TEST

START_TEST(tunables_are_set)
{
	strew_map *map = edited("set tunables firefly\nset tunable msr_descents 7");

	ck_assert_uint_eq(map->tunables.chooseleaf_stable, 0);
	ck_assert_uint_eq(map->tunables.chooseleaf_vary_r, 1);
	ck_assert_uint_eq(map->tunables.msr_descents, 7);
	strew_map_release(map);
}
END_TEST

TCase *check_edit_weight(void)
{
	TCase *tcase = tcase_create("edit_weight");

	tcase_add_loop_test(tcase, buckets_are_as_the_monitor_leaves_them, 0,
			    (int)(sizeof(changes) / sizeof(changes[0])));
	tcase_add_loop_test(tcase,
			    what_cannot_be_done_is_refused_with_what_would_be_right, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	tcase_add_test(tcase, a_weight_that_is_no_sum_stays_as_far_from_it);
	tcase_add_test(tcase, tunables_are_set);
	return tcase;
}
