/* SPDX-License-Identifier: MIT */
/* The random maps of the differential test, traced and placed. */
#include <check.h>
#include <string.h>

#include "analyze_support.h"
#include "ours.h"
#include "support.h"

#define INPUTS 4
#define MAPS   SUPPORT_TIMES(60)

static void compare_input(const struct ours *ours, int32_t rule, int want, uint32_t x)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_trace_options options = STREW_TRACE_OPTIONS_INIT;
	int32_t set[PLAN_WANT_MAX];
	int count = strew_place(ours->placer, rule, x, set, want, ours->scratch);
	strew_result *result = NULL;
	strew_error error = {.text = ""};
	strew_cell cell;

	options.candidates = 2;
	inputs.rule = rule;
	inputs.want = want;
	inputs.first = inputs.last = x;
	if (strew_trace(&result, ours->placer, &inputs, &options, NULL, &error))
		ck_abort_msg("rule %d, x %u: %s", (int)rule, x, error.text);
	cell = cell_at(result, "summary", 0, "devices");
	if (cell.set_count != (size_t)count ||
	    memcmp(cell.set, set, (size_t)count * sizeof(*set)))
		ck_abort_msg("rule %d, x %u: another set", (int)rule, x);
	strew_result_free(result);
}

START_TEST(traces_come_to_what_is_placed)
{
	static struct plan plan;
	struct ours ours;

	for (int i = 0; i < MAPS / 10; i++) {
		plan_make(&plan, (uint64_t)(_i * 1000 + i));
		ours_make(&ours, &plan, NULL);
		for (int rule = 0; rule < plan.rule_count; rule++)
			for (int k = 0; k < INPUTS; k++)
				compare_input(&ours, rule, plan.rules[rule].want,
					      (uint32_t)support_random(&plan.random));
		ours_free(&ours);
	}
}
END_TEST

TCase *check_analyze_trace_random(void)
{
	TCase *tcase = tcase_create("analyze_trace_random");

	tcase_add_loop_test(tcase, traces_come_to_what_is_placed, 0, 10);
	return tcase;
}
