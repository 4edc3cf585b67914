/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "rule_fixture.h"

/* descend_once 0, vary_r 0, stable 0 */
static const struct flat_tunables old = {0, 0, 50, 0, 0, 0, 100, 100};
static const struct flat_tunables local = {1, 0, 50, 1, 1, 1, 100, 100};
static const struct flat_tunables fallback = {0, 1, 50, 1, 1, 1, 100, 100};

static const struct rule_case cases[] = {
	{"ranks count r up", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {-2, -3, -4}},
	{"every level uses the same r", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), FIRSTN(0, 0), EMIT}, .count = 3, .expected = {0, 4, 8}},
	{"what can't be found makes the result shorter", &fixture_threes, .want = 5,
	 .steps = {TAKE(-1), FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {-2, -3, -4}},
	{"a device in place of a bucket ends the rank", &fixture_stray, .want = 3,
	 .steps = {TAKE(-1), FIRSTN(3, HOST), EMIT}, .count = 2, .expected = {-2, -3}},
	{"an empty bucket is tried again from the top", &fixture_hollow, .want = 1,
	 .steps = {TAKE(-1), FIRSTN(1, 0), EMIT}, .count = 1, .expected = {4}},
	{"devices that are out are passed over", &fixture_threes, .out = 1, .want = 1,
	 .steps = {TAKE(-1), FIRSTN(1, 0), EMIT}, .count = 1, .expected = {4}},
	{"one try leaves no second", &fixture_threes, .out = 1, .want = 1,
	 .steps = {SET_TRIES(1), TAKE(-1), FIRSTN(1, 0), EMIT}, .count = 0},
	{"two tries leave one", &fixture_threes, .out = 1, .want = 1,
	 .steps = {SET_TRIES(2), TAKE(-1), FIRSTN(1, 0), EMIT}, .count = 1,
	 .expected = {4}},
	{"tries of 0 and below don't count", &fixture_threes, .out = 1, .want = 1,
	 .steps = {SET_TRIES(0), SET_TRIES(-1), TAKE(-1), FIRSTN(1, 0), EMIT}, .count = 1,
	 .expected = {4}},
	{"settings last to the end of the rule", &fixture_threes, .out = 1, .want = 2,
	 .steps = {SET_TRIES(1), TAKE(-4), FIRSTN(1, 0), EMIT, TAKE(-1), FIRSTN(1, 0),
		   EMIT},
	 .count = 1, .expected = {6}},

	{"leaves take r of their host", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 4, 8}},
	{"vary_r 0 counts leaves from 0", &fixture_threes, .want = 3,
	 .steps = {SET_VARY_R(0), TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 3, 6}},
	{"vary_r 2 halves r", &fixture_threes, .want = 3,
	 .steps = {SET_VARY_R(2), TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 3, 7}},
	{"vary_r below 0 doesn't count", &fixture_threes, .want = 3,
	 .steps = {SET_VARY_R(-1), TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 4, 8}},
	{"a shift by 32 is none", &fixture_threes, .want = 3,
	 .steps = {SET_VARY_R(33), TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 4, 8}},
	{"stable 0 adds the leaf's place", &fixture_threes, .want = 3,
	 .steps = {SET_STABLE(0), TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 5, 7}},
	{"stable below 0 doesn't count", &fixture_threes, .want = 3,
	 .steps = {SET_STABLE(-1), TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 4, 8}},
	{"tunables set the start", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 4, 8}, .tunables = &old},
	{"descend_once gives a host up for its first leaf", &fixture_threes, .out = 1,
	 .want = 3, .steps = {TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 2,
	 .expected = {4, 8}},
	{"without it leaves have all tries", &fixture_threes, .out = 1, .want = 3,
	 .steps = {SET_STABLE(1), SET_VARY_R(1), TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT},
	 .count = 3, .expected = {1, 4, 8}, .tunables = &old},
	{"chooseleaf_tries 2 gives it a second", &fixture_threes, .out = 1, .want = 3,
	 .steps = {SET_LEAF_TRIES(2), TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 3,
	 .expected = {1, 4, 8}},
	{"chooseleaf_tries 0 doesn't count", &fixture_threes, .out = 1, .want = 3,
	 .steps = {SET_LEAF_TRIES(0), TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 2,
	 .expected = {4, 8}},
	{"chooseleaf of devices takes them as they are", &fixture_threes, .out = 1,
	 .want = 2, .steps = {TAKE(-2), LEAF_FIRSTN(0, 0), EMIT}, .count = 2,
	 .expected = {1, 2}},

	/* Rank 3 begins with device 0 again. */
	{"a collision goes back to the top", &fixture_threes, .want = 4,
	 .steps = {TAKE(-1), FIRSTN(0, 0), EMIT}, .count = 3, .expected = {0, 4, 8}},
	{"a local try stays in the host", &fixture_threes, .want = 4,
	 .steps = {SET_LOCAL_TRIES(1), TAKE(-1), FIRSTN(0, 0), EMIT}, .count = 4,
	 .expected = {0, 4, 8, 1}},
	{"so does the tunable", &fixture_threes, .want = 4,
	 .steps = {TAKE(-1), FIRSTN(0, 0), EMIT}, .count = 4, .expected = {0, 4, 8, 1},
	 .tunables = &local},
	{"local tries 0 count, below 0 they don't", &fixture_threes, .want = 4,
	 .steps = {SET_LOCAL_TRIES(0), SET_LOCAL_TRIES(-1), TAKE(-1), FIRSTN(0, 0), EMIT},
	 .count = 3, .expected = {0, 4, 8}, .tunables = &local},
	{"local tries are for collisions only", &fixture_threes, .out = 1, .want = 1,
	 .steps = {TAKE(-1), FIRSTN(1, 0), EMIT}, .count = 1, .expected = {4},
	 .tunables = &local},

	/* The straw2 bucket always gives its first item; a permutation, the next. */
	{"without the fallback one item is all", &fixture_straw2, .want = 2,
	 .steps = {TAKE(-1), FIRSTN(0, 0), EMIT}, .count = 1, .expected = {0}},
	{"the fallback takes items in turn", &fixture_straw2, .want = 2,
	 .steps = {SET_FALLBACK_TRIES(1), TAKE(-1), FIRSTN(0, 0), EMIT}, .count = 2,
	 .expected = {0, 3}},
	{"so does its tunable", &fixture_straw2, .want = 2,
	 .steps = {TAKE(-1), FIRSTN(0, 0), EMIT}, .count = 2, .expected = {0, 3},
	 .tunables = &fallback},
	{"the fallback waits for its number of failures", &fixture_straw2, .want = 2,
	 .steps = {SET_FALLBACK_TRIES(3), TAKE(-1), FIRSTN(0, 0), EMIT}, .count = 2,
	 .expected = {0, 1}},
	{"fallback tries 0 count, below 0 they don't", &fixture_straw2, .want = 2,
	 .steps = {SET_FALLBACK_TRIES(0), SET_FALLBACK_TRIES(-1), TAKE(-1), FIRSTN(0, 0),
		   EMIT},
	 .count = 1, .expected = {0}, .tunables = &fallback},

	{"a weight set has a row for each place", &fixture_straw2, .want = 3,
	 .steps = {TAKE(-1), FIRSTN(0, 0), EMIT}, .count = 2, .expected = {1, 2},
	 .with_set = 1},
	{"leaves use the row of their place", &fixture_rows, .want = 2,
	 .steps = {TAKE(-1), LEAF_FIRSTN(0, HOST), EMIT}, .count = 2, .expected = {1, 5},
	 .with_set = 1},
};

START_TEST(rules_give_what_was_worked_out)
{
	rule_check_case(&cases[_i]);
}
END_TEST

TCase *check_rule_firstn(void)
{
	TCase *tcase = tcase_create("rule_firstn");

	tcase_add_loop_test(tcase, rules_give_what_was_worked_out, 0,
			    (int)FIXTURE_COUNT(cases));
	return tcase;
}
