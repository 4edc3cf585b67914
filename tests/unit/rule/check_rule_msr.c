/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "rule_fixture.h"

#define FIRST STREW_KIND_MSR_FIRSTN
#define HOLED STREW_KIND_MSR_INDEP

/*
 * r is (attempt × want + stride) × 65536 + collision try. Buckets of 3 give item
 * (attempt × want + stride + try) mod 3, as 65536 mod 3 is 1; those of 2 give item try
 * mod 2.
 */
static const struct rule_case cases[] = {
	{"one device from each host", &fixture_threes, .want = 3, .kind = HOLED,
	 .steps = {TAKE(-1), MSR(3, HOST), MSR(1, 0), EMIT}, .count = 3,
	 .expected = {0, 3, 6}},
	{"two from each of two", &fixture_threes, .want = 4, .kind = FIRST,
	 .steps = {TAKE(-1), MSR(2, HOST), MSR(2, 0), EMIT}, .count = 4,
	 .expected = {0, 1, 3, 4}},
	{"0 means the size of the result", &fixture_threes, .want = 3, .kind = FIRST,
	 .steps = {TAKE(-1), MSR(0, HOST), MSR(1, 0), EMIT}, .count = 3,
	 .expected = {0, 3, 6}},
	{"the last stride is cut at the size", &fixture_threes, .want = 3, .kind = HOLED,
	 .steps = {TAKE(-1), MSR(2, HOST), MSR(2, 0), EMIT}, .count = 3,
	 .expected = {0, 1, 3}},
	{"large counts don't overflow", &fixture_threes, .want = 3, .kind = HOLED,
	 .steps = {TAKE(-1), MSR(1, HOST), MSR(INT32_MAX, 0), EMIT}, .count = 3,
	 .expected = {0, 1, 2}},
	{"nor do products of them", &fixture_threes, .want = 3, .kind = HOLED,
	 .steps = {SET_DESCENTS(2), TAKE(-1), MSR(INT32_MAX, ROOT), MSR(INT32_MAX, HOST),
		   MSR(INT32_MAX, 0), EMIT},
	 .count = 3, .expected = {NONE, NONE, NONE}},
	{"places beyond the blocks are holes", &fixture_threes, .want = 5, .kind = HOLED,
	 .steps = {TAKE(-2), MSR(2, 0), EMIT}, .count = 5,
	 .expected = {0, 1, NONE, NONE, NONE}},
	{"but firstn leaves them off", &fixture_threes, .want = 5, .kind = FIRST,
	 .steps = {TAKE(-2), MSR(2, 0), EMIT}, .count = 2, .expected = {0, 1}},
	{"blocks follow each other", &fixture_threes, .want = 5, .kind = FIRST,
	 .steps = {TAKE(-2), MSR(2, 0), EMIT, TAKE(-3), MSR(2, 0), EMIT}, .count = 4,
	 .expected = {0, 1, 3, 4}},
	{"blocks are cut at the size", &fixture_threes, .want = 3, .kind = HOLED,
	 .steps = {TAKE(-2), MSR(2, 0), EMIT, TAKE(-3), MSR(2, 0), EMIT}, .count = 3,
	 .expected = {0, 1, 3}},

	/* Attempt 1 for place 1: the host by 4 + 1 + 1 or more, as those of places 0 and
	 * 2 collide; the device by 4 + 0. */
	{"a place is tried again from the top", &fixture_threes, .out = 1 << 3, .want = 4,
	 .kind = HOLED, .steps = {TAKE(-1), MSR(3, HOST), MSR(1, 0), EMIT}, .count = 4,
	 .expected = {0, 4, 6, NONE}},
	{"firstn puts it behind the others", &fixture_threes, .out = 1 << 3, .want = 4,
	 .kind = FIRST, .steps = {TAKE(-1), MSR(3, HOST), MSR(1, 0), EMIT}, .count = 3,
	 .expected = {0, 6, 4}},
	{"one descent leaves no second", &fixture_threes, .out = 1 << 3, .want = 4,
	 .kind = HOLED,
	 .steps = {SET_DESCENTS(1), TAKE(-1), MSR(3, HOST), MSR(1, 0), EMIT}, .count = 4,
	 .expected = {0, NONE, 6, NONE}},
	{"a host that gave nothing is free for others", &fixture_threes, .out = 7,
	 .want = 4, .kind = HOLED, .steps = {TAKE(-1), MSR(2, HOST), MSR(1, 0), EMIT},
	 .count = 4, .expected = {7, 3, NONE, NONE}},
	{"no descents, no devices", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {SET_DESCENTS(0), TAKE(-2), MSR(2, 0), EMIT}, .count = 2,
	 .expected = {NONE, NONE}},
	{"the last setting counts", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {SET_DESCENTS(0), SET_DESCENTS(1), TAKE(-2), MSR(2, 0), EMIT},
	 .count = 2, .expected = {0, 1}},
	{"collisions are tried again in the bucket", &fixture_twos, .want = 2,
	 .kind = HOLED, .steps = {TAKE(-2), MSR(2, 0), EMIT}, .count = 2,
	 .expected = {0, 1}},
	{"as often as is set", &fixture_twos, .want = 2, .kind = HOLED,
	 .steps = {SET_COLLISION_TRIES(1), TAKE(-2), MSR(2, 0), EMIT}, .count = 2,
	 .expected = {0, NONE}},
	{"a device for a bucket is no candidate", &fixture_stray, .want = 3,
	 .kind = HOLED, .steps = {TAKE(-1), MSR(3, HOST), MSR(1, 0), EMIT}, .count = 3,
	 .expected = {0, 3, NONE}},
	{"an empty bucket gives none", &fixture_hollow, .want = 2, .kind = FIRST,
	 .steps = {TAKE(-1), MSR(2, HOST), MSR(1, 0), EMIT}, .count = 1, .expected = {3}},
	{"the last step must reach devices", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-1), MSR(2, HOST), EMIT}, .count = 2, .expected = {NONE, NONE}},
	{"no other step may", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-1), MSR(2, 0), MSR(1, 0), EMIT}, .count = 2,
	 .expected = {NONE, NONE}},
	{"strides use the row of their number", &fixture_straw2, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-1), MSR(2, 0), EMIT}, .count = 2, .expected = {1, 2},
	 .with_set = 1},

	{"no blocks", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {SET_DESCENTS(1)}, .count = 2, .expected = {NONE, NONE}},
	{"bad: no emit", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-2), MSR(2, 0)}, .count = 0},
	{"bad: no take", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {MSR(2, 0), EMIT}, .count = 0},
	{"bad: no choosemsr", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-2), EMIT}, .count = 0},
	{"bad: a device taken", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(1), MSR(2, 0), EMIT}, .count = 0},
	{"bad: a device taken and emitted", &fixture_threes, .want = 2, .kind = FIRST,
	 .steps = {TAKE(1), EMIT}, .count = 0},
	{"bad: nothing taken", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-77), MSR(2, 0), EMIT}, .count = 0},
	{"bad: a step of other rules", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-1), FIRSTN(2, HOST), MSR(1, 0), EMIT}, .count = 0},
	{"bad: a noop", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-2), {0, 0, 0}, MSR(1, 0), EMIT}, .count = 0},
	{"bad: a late setting", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-2), MSR(1, 0), EMIT, SET_DESCENTS(1)}, .count = 0},
	{"bad: a count below 0", &fixture_threes, .want = 2, .kind = HOLED,
	 .steps = {TAKE(-2), MSR(-1, 0), EMIT}, .count = 0},
	{"bad: a bad block after a good one", &fixture_threes, .want = 2, .kind = FIRST,
	 .steps = {TAKE(-2), MSR(1, 0), EMIT, TAKE(-2), EMIT}, .count = 0},
	{"bad: a block begun", &fixture_threes, .want = 2, .kind = FIRST,
	 .steps = {TAKE(-2), MSR(1, 0), EMIT, TAKE(-2)}, .count = 0},
};

START_TEST(rules_give_what_was_worked_out)
{
	rule_check_case(&cases[_i]);
}
END_TEST

TCase *check_rule_msr(void)
{
	TCase *tcase = tcase_create("rule_msr");

	tcase_add_loop_test(tcase, rules_give_what_was_worked_out, 0,
			    (int)FIXTURE_COUNT(cases));
	return tcase;
}
