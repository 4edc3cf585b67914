/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze_check_support.h"
#include "analyze_support.h"

/* The chance that a mapping is short, as computed, against as many inputs as show it. */

#define INPUTS    40000
#define HOSTS_MAX 6

static const struct {
	const char *name;
	strew_op op;
	int want;
	int tries;
	uint32_t weights[HOSTS_MAX]; /* of hosts */
} cases[] = {
	{"all of three", STREW_OP_CHOOSELEAF_FIRSTN, 3, 4, {1, 1, 1}},
	{"three of four", STREW_OP_CHOOSELEAF_FIRSTN, 3, 2, {1, 1, 1, 1}},
	{"one heavy host", STREW_OP_CHOOSELEAF_FIRSTN, 2, 5, {8, 1, 1}},
	{"four weights", STREW_OP_CHOOSELEAF_FIRSTN, 4, 9, {1, 2, 3, 4, 4}},
	{"all of three, in places", STREW_OP_CHOOSELEAF_INDEP, 3, 4, {1, 1, 1}},
	{"four of six, in places", STREW_OP_CHOOSELEAF_INDEP, 4, 2, {1, 1, 1, 1, 1, 1}},
	{"one heavy host, in places", STREW_OP_CHOOSELEAF_INDEP, 2, 5, {8, 1, 1}},
	{"four weights, in places", STREW_OP_CHOOSELEAF_INDEP, 4, 7, {1, 2, 3, 4, 4}},
};

static strew_builder *start_case(int index)
{
	strew_builder *builder = start_map(NULL);
	bool indep = cases[index].op == STREW_OP_CHOOSELEAF_INDEP;

	for (int32_t i = 0; i < HOSTS_MAX && cases[index].weights[i] > 0; i++) {
		char name[16];

		snprintf(name, sizeof(name), "h%d", (int)i);
		add_bucket(builder, -2 - i, name, HOST, -1);
		add_device(builder, i, -2 - i, cases[index].weights[i]);
	}
	strew_builder_add_rule(builder, 0, "hasty",
			       indep ? STREW_KIND_ERASURE : STREW_KIND_REPLICATED);
	strew_builder_add_step(builder, STREW_OP_SET_CHOOSE_TRIES, cases[index].tries);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, cases[index].op, 0, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	return builder;
}

/* "… short for 25 % of PGs (exact; 10021 of 40000 inputs that were counted)…" */
static void compare(const strew_result *result, const char *name)
{
	int row = find_finding(result, "rule-tries");
	const char *message, *at;
	double percent, part, sigma;
	unsigned bad, inputs;

	ck_assert_int_ge(row, 0);
	message = finding_at(result, (size_t)row, "message");
	at = strstr(message, "short for ");
	ck_assert_msg(at && sscanf(at, "short for %lf %% of PGs (exact; %u of %u",
				   &percent, &bad, &inputs) == 3,
		      "%s: %s", name, message);
	ck_assert_uint_eq(inputs, INPUTS);
	part = percent / 100;
	sigma = sqrt(part * (1 - part) / INPUTS);
	/* The message has three digits. */
	ck_assert_msg(fabs(bad / (double)INPUTS - part) < 4 * sigma + 0.006 * part,
		      "%s: %s", name, message);
}

static void check_case(strew_builder *builder, int want, const char *name)
{
	strew_check_options options = STREW_CHECK_OPTIONS_INIT;
	strew_result *result;

	options.want = want;
	options.count = INPUTS;
	result = check_builder(builder, &options);
	compare(result, name);
	strew_result_free(result);
}

START_TEST(chance_is_what_is_counted)
{
	check_case(start_case(_i), cases[_i].want, cases[_i].name);
}
END_TEST

/* Three racks of three hosts, two hosts in each of two. */
START_TEST(chance_of_two_steps_is_what_is_counted)
{
	strew_builder *builder = start_map(NULL);

	for (int32_t i = 0; i < 9; i++) {
		char name[16];

		snprintf(name, sizeof(name), "r%d", (int)i / 3);
		if (i % 3 == 0)
			add_bucket(builder, -20 - i / 3, name, RACK, -1);
		snprintf(name, sizeof(name), "h%d", (int)i);
		add_bucket(builder, -2 - i, name, HOST, -20 - i / 3);
		add_device(builder, i, -2 - i, 1);
	}
	strew_builder_add_rule(builder, 0, "hasty", STREW_KIND_ERASURE);
	strew_builder_add_step(builder, STREW_OP_SET_CHOOSE_TRIES, 3);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_INDEP, 2, RACK, NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_INDEP, 2, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	check_case(builder, 4, "two steps");
}
END_TEST

/* What is turned down is so in all tries of an input: that is counted only. */
START_TEST(devices_that_are_partly_out_are_counted)
{
	strew_builder *builder = start_case(0);
	strew_check_options options = STREW_CHECK_OPTIONS_INIT;
	strew_result *result;
	int row;

	strew_builder_set_reweight(builder, 0, STREW_WEIGHT_ONE / 2);
	options.count = 1000;
	result = check_builder(builder, &options);
	row = find_finding(result, "rule-tries");
	ck_assert_int_ge(row, 0);
	ck_assert_ptr_null(strstr(finding_at(result, (size_t)row, "message"), "exact"));
	strew_result_free(result);
}
END_TEST

TCase *check_analyze_check_odds(void)
{
	TCase *tcase = tcase_create("check_odds");

	tcase_add_loop_test(tcase, chance_is_what_is_counted, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tcase, chance_of_two_steps_is_what_is_counted);
	tcase_add_test(tcase, devices_that_are_partly_out_are_counted);
	return tcase;
}
