/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>

#include "base_alloc.h"
#include "hash.h"
#include "rule_fixture.h"

static const struct rule_case cases[] = {
	{"take and emit give the item", &fixture_threes, .want = 3,
	 .steps = {TAKE(-3), EMIT}, .count = 1, .expected = {-3}},
	{"a device can be taken", &fixture_threes, .want = 3, .steps = {TAKE(5), EMIT},
	 .count = 1, .expected = {5}},
	{"a device has nothing below it", &fixture_threes, .want = 3,
	 .steps = {TAKE(5), FIRSTN(1, 0), EMIT}, .count = 0},
	{"take of an item that isn't there is ignored", &fixture_threes, .want = 3,
	 .steps = {TAKE(-4), TAKE(77), TAKE(-77), EMIT}, .count = 1, .expected = {-4}},
	{"the second take replaces the first", &fixture_threes, .want = 3,
	 .steps = {TAKE(-4), TAKE(-2), EMIT}, .count = 1, .expected = {-2}},
	{"emit empties the working set", &fixture_threes, .want = 3,
	 .steps = {TAKE(-4), EMIT, EMIT}, .count = 1, .expected = {-4}},
	{"without emit nothing comes", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), FIRSTN(0, HOST)}, .count = 0},
	{"without take nothing is chosen", &fixture_threes, .want = 3,
	 .steps = {FIRSTN(0, HOST), INDEP(0, HOST), EMIT}, .count = 0},
	{"no steps", &fixture_threes, .want = 3, .count = 0},
	{"steps of no meaning are ignored", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1),
		   {5, 1, 1},
		   {0, 1, 1},
		   {17, 1, 1},
		   {-1, 1, 1},
		   {999, 1, 1},
		   EMIT},
	 .count = 1, .expected = {-1}},
	{"steps of MSR rules are ignored", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), SET_DESCENTS(1), SET_COLLISION_TRIES(1), MSR(1, HOST), EMIT},
	 .count = 1, .expected = {-1}},
	{"groups follow each other", &fixture_threes, .want = 4,
	 .steps = {TAKE(-2), FIRSTN(2, 0), EMIT, TAKE(-3), FIRSTN(2, 0), EMIT},
	 .count = 4, .expected = {0, 1, 3, 4}},
	{"the result is cut at its size", &fixture_threes, .want = 3,
	 .steps = {TAKE(-2), FIRSTN(2, 0), EMIT, TAKE(-3), FIRSTN(2, 0), EMIT},
	 .count = 3, .expected = {0, 1, 3}},
	{"groups may repeat devices", &fixture_threes, .want = 4,
	 .steps = {TAKE(-2), FIRSTN(2, 0), EMIT, TAKE(-2), FIRSTN(2, 0), EMIT},
	 .count = 4, .expected = {0, 1, 0, 1}},
	{"each bucket of the working set counts anew", &fixture_threes, .want = 4,
	 .steps = {TAKE(-1), FIRSTN(2, HOST), FIRSTN(2, 0), EMIT}, .count = 4,
	 .expected = {0, 1, 3, 4}},
	{"a firstn window is cut at the room left", &fixture_threes, .want = 4,
	 .steps = {TAKE(-1), FIRSTN(2, HOST), FIRSTN(3, 0), EMIT}, .count = 4,
	 .expected = {0, 1, 2, 3}},
	{"an indep window is cut at the room left", &fixture_threes, .want = 4,
	 .steps = {TAKE(-1), INDEP(2, HOST), INDEP(3, 0), EMIT}, .count = 4,
	 .expected = {0, 1, 2, 3}},
	{"holes have nothing below them", &fixture_stray, .want = 3,
	 .steps = {TAKE(-1), INDEP(3, HOST), INDEP(1, 0), EMIT}, .count = 2,
	 .expected = {0, 3}},
	{"a count below 0 is taken from the size", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), FIRSTN(-1, HOST), EMIT}, .count = 2, .expected = {-2, -3}},
	{"a count below the size chooses nothing", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), FIRSTN(-3, HOST), EMIT}, .count = 0},
	{"the lowest count chooses nothing", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), INDEP(INT32_MIN, HOST), EMIT}, .count = 0},
	{"the highest count ends at the size", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), FIRSTN(INT32_MAX, HOST), EMIT}, .count = 3,
	 .expected = {-2, -3, -4}},
	{"the highest count of indep ends at the size", &fixture_threes, .want = 3,
	 .steps = {TAKE(-1), INDEP(INT32_MAX, HOST), EMIT}, .count = 3,
	 .expected = {-2, -3, -4}},
	{"the most retries wrap: firstn tries once", &fixture_threes, .want = 4,
	 .steps = {TAKE(-1), FIRSTN(4, HOST), EMIT}, .count = 3, .expected = {-2, -3, -4},
	 .tunables = &(const struct flat_tunables){0, 0, UINT32_MAX, 1, 1, 1, 100, 100}},
	{"the most retries wrap: a leaf that needn't be the first is tried once",
	 &fixture_threes, .out = 1, .want = 2,
	 .steps = {TAKE(-1), LEAF_FIRSTN(1, HOST), EMIT}, .count = 0,
	 .tunables = &(const struct flat_tunables){0, 0, UINT32_MAX, 0, 0, 1, 100, 100}},
	{"the most retries wrap: indep never tries", &fixture_threes, .want = 2,
	 .steps = {TAKE(-1), INDEP(2, HOST), EMIT}, .count = 2, .expected = {NONE, NONE},
	 .tunables = &(const struct flat_tunables){0, 0, UINT32_MAX, 1, 1, 1, 100, 100}},
	{"the most fallback tries wrap", &fixture_threes, .want = 4,
	 .steps = {TAKE(-1), FIRSTN(4, HOST), EMIT}, .count = 3, .expected = {-2, -3, -4},
	 .tunables = &(const struct flat_tunables){0, UINT32_MAX, 5, 1, 1, 1, 100, 100}},
};

START_TEST(rules_give_what_was_worked_out)
{
	rule_check_case(&cases[_i]);
}
END_TEST

/* What is hashed for the reweight is the device's id, not its place. */
START_TEST(reweight_keeps_its_share_in)
{
	static const int32_t ids[] = {40, 70};
	static const uint32_t reweights[] = {0x4000, 0x10000};
	static const struct fixture_bucket bucket = {
		.id = -1, .type = 1, .alg = "uniform", .count = 1, .items = ids};
	static const struct flat_step steps[] = {TAKE(-1), FIRSTN(1, 0), EMIT};
	static const struct fixture_rule rule = {0, 0, 3, steps};
	struct fixture_map map = {.device_count = 2,
				  .device_ids = ids,
				  .reweights = reweights,
				  .bucket_count = 1,
				  .buckets = &bucket,
				  .rule_count = 1,
				  .rules = &rule,
				  .tunables = FIXTURE_TUNABLES};
	struct flat *flat = fixture_flat(&map);
	struct rule_scratch *scratch =
		rule_scratch_new(&(struct rule_needs){1, 0}, &base_heap);
	struct rule_call call = {.flat = flat, .rule = flat_rule_at(flat, 0), .want = 1};
	uint32_t in = 0;

	for (call.x = 0; call.x < 4000; call.x++) {
		int32_t out = 0;
		int expected = (hash_2(call.x, 40) & 0xffff) < 0x4000;

		if (rule_run(&call, &out, scratch) != expected || (expected && out != 40))
			ck_abort_msg("x %u", call.x);
		in += (uint32_t)expected;
	}
	ck_assert_uint_gt(in, 900);
	ck_assert_uint_lt(in, 1100);
	rule_scratch_free(scratch);
	free(flat);
}
END_TEST

TCase *check_rule(void)
{
	TCase *tcase = tcase_create("rule");

	tcase_add_loop_test(tcase, rules_give_what_was_worked_out, 0,
			    (int)FIXTURE_COUNT(cases));
	tcase_add_test(tcase, reweight_keeps_its_share_in);
	return tcase;
}
