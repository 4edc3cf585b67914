/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "rule_fixture.h"

static const struct rule_case cases[] = {
	{"places count r up", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), INDEP(0, 0), EMIT}, .count = 3, .expected = {0, 4, 8}},
	{"what can't be found leaves a hole", &fixture_threes, .want = 5,
	 .steps = {TAKE(-1), INDEP(0, 0), EMIT}, .count = 5,
	 .expected = {0, 4, 8, NONE, NONE}},
	{"a device in place of a bucket leaves a hole", &fixture_stray, .want = 3,
	 .steps = {TAKE(-1), INDEP(3, HOST), EMIT}, .count = 3,
	 .expected = {-2, NONE, -3}},
	{"and one in the leaves", &fixture_stray, .want = 3,
	 .steps = {TAKE(-1), LEAF_INDEP(3, HOST), EMIT}, .count = 3,
	 .expected = {0, NONE, 4}},
	/* The root's r of a place steps by 3, the host's by 4. Odd rounds lead place 0 to
	 * host -3, and there to items 1 and 0, which are taken, and in round 5 to 2.
	 * Place 2 gets there in round 1. */
	{"an empty bucket is tried again in later rounds", &fixture_hollow, .want = 3,
	 .steps = {TAKE(-1), INDEP(0, 0), EMIT}, .count = 3, .expected = {5, 4, 3}},
	/* Place 2: r = 2 is device 4, out. The root has as many items as ranks: r = 2 + 4
	 * gives host -2; a host has 2: r = 2 + 3 gives device 1. */
	{"rounds step by ranks, or one more in even uniform buckets", &fixture_twos,
	 .out = 1 << 4, .want = 3, .steps = {TAKE(-1), INDEP(0, 0), EMIT}, .count = 3,
	 .expected = {0, 3, 1}},
	{"one try leaves no second round", &fixture_twos, .out = 1 << 4, .want = 3,
	 .steps = {SET_TRIES(1), TAKE(-1), INDEP(0, 0), EMIT}, .count = 3,
	 .expected = {0, 3, NONE}},

	/* A leaf's r is its place + r of its host. */
	{"leaves count from place and host", &fixture_twos, .want = 3,
	 .steps = {TAKE(-1), LEAF_INDEP(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 2, 4}},
	{"a leaf has one try", &fixture_twos, .out = 1 << 2, .want = 3,
	 .steps = {TAKE(-1), LEAF_INDEP(0, HOST), EMIT}, .count = 3,
	 .expected = {0, NONE, 4}},
	{"chooseleaf_tries 2 gives it a second", &fixture_twos, .out = 1 << 2, .want = 3,
	 .steps = {SET_LEAF_TRIES(2), TAKE(-1), LEAF_INDEP(0, HOST), EMIT}, .count = 3,
	 .expected = {0, 3, 4}},
	{"settings of firstn are not heeded", &fixture_twos, .want = 3,
	 .steps = {SET_LOCAL_TRIES(5), SET_FALLBACK_TRIES(1), SET_VARY_R(0),
		   SET_STABLE(0), TAKE(-1), LEAF_INDEP(0, HOST), EMIT},
	 .count = 3, .expected = {0, 2, 4}},
	{"chooseleaf of devices takes them as they are", &fixture_threes, .want = 3,
	 .steps = {TAKE(-2), LEAF_INDEP(0, 0), EMIT}, .count = 3, .expected = {0, 1, 2}},
	{"a device that is out is another's place", &fixture_threes, .out = 1, .want = 2,
	 .steps = {TAKE(-2), LEAF_INDEP(0, 0), EMIT}, .count = 2, .expected = {2, 1}},
	/* The reference notes the leaf before it tests the reweight. */
	{"the last leaf that was out stays", &fixture_twos, .out = 3, .want = 1,
	 .steps = {SET_TRIES(1), TAKE(-2), LEAF_INDEP(1, 0), EMIT}, .count = 1,
	 .expected = {0}},

	{"all places use the first row of a weight set", &fixture_straw2, .want = 2,
	 .steps = {TAKE(-1), INDEP(0, 0), EMIT}, .count = 2, .expected = {1, NONE},
	 .with_set = 1},
	{"leaves use the row of their place", &fixture_rows, .want = 2,
	 .steps = {TAKE(-1), LEAF_INDEP(0, HOST), EMIT}, .count = 2, .expected = {1, 5},
	 .with_set = 1},
};

START_TEST(rules_give_what_was_worked_out)
{
	rule_check_case(&cases[_i]);
}
END_TEST

TCase *check_rule_indep(void)
{
	TCase *tcase = tcase_create("rule_indep");

	tcase_add_loop_test(tcase, rules_give_what_was_worked_out, 0,
			    (int)FIXTURE_COUNT(cases));
	return tcase;
}
