/* SPDX-License-Identifier: MIT */
/* The random maps of the differential test, placed by each kernel and by none. */
#include <check.h>
#include <string.h>
#include <time.h>

#include "ours.h"
#include "support.h"

#define INPUTS 70
#define MAPS   SUPPORT_TIMES(100)

/* Does the row have the set, and then holes? */
static bool row_equals(const int32_t *row, int want, const int32_t *set, int count)
{
	for (int i = 0; i < want; i++)
		if (row[i] != (i < count ? set[i] : STREW_NONE))
			return false;
	return true;
}

static void compare_rule(const struct ours *plain, const struct ours *ours, int32_t rule,
			 int want, const uint32_t *xs)
{
	static int32_t rows[INPUTS * PLAN_WANT_MAX];
	int32_t set[PLAN_WANT_MAX], alone[PLAN_WANT_MAX];

	ck_assert_int_eq(strew_place_many(ours->placer, rule, xs, INPUTS, rows, want,
					  ours->scratch),
			 STREW_OK);
	for (int i = 0; i < INPUTS; i++) {
		int count = strew_place(plain->placer, rule, xs[i], set, want,
					plain->scratch);

		if (!row_equals(rows + i * want, want, set, count))
			ck_abort_msg("%s: rule %d, x %u, among many",
				     strew_placer_kernel(ours->placer), (int)rule, xs[i]);
		if (strew_place(ours->placer, rule, xs[i], alone, want, ours->scratch) !=
			    count ||
		    !row_equals(alone, count, set, count))
			ck_abort_msg("%s: rule %d, x %u, alone",
				     strew_placer_kernel(ours->placer), (int)rule, xs[i]);
	}
}

static void compare_kernel(struct plan *plan, const struct ours *plain,
			   const char *kernel)
{
	uint32_t xs[INPUTS];
	struct ours ours;

	ours_make(&ours, plan, kernel);
	ck_assert_str_eq(strew_placer_kernel(ours.placer), kernel);
	for (int i = 0; i < INPUTS; i++)
		xs[i] = (uint32_t)support_random(&plan->random);
	for (int i = 0; i < plan->rule_count; i++)
		compare_rule(plain, &ours, i, plan->rules[i].want, xs);
	ours_free(&ours);
}

START_TEST(kernels_place_alike)
{
	static struct plan plan;
	struct ours plain;

	for (int i = 0; i < MAPS / 10; i++) {
		plan_make(&plan, (uint64_t)(_i * 1000 + i));
		ours_make(&plain, &plan, "plain");
		for (size_t k = 0; strew_kernel_name(k); k++)
			compare_kernel(&plan, &plain, strew_kernel_name(k));
		ours_free(&plain);
	}
}
END_TEST

/* A root of hosts that weigh alike, of which the first only has devices. */
static void make_empty_hosts(struct plan *plan, int32_t op)
{
	static const struct plan_tunables jewel = {0, 0, 50, 1, 1, 1, 1};
	static const struct plan_step take = {STREW_OP_TAKE, -1, 0};
	static const struct plan_step emit = {STREW_OP_EMIT, 0, 0};
	enum { HOSTS = 10, DEVICES = 4 };

	memset(plan, 0, sizeof(*plan));
	plan->tunables = jewel;
	plan->levels = 2;
	plan->bucket_stride = 1;
	plan->bucket_count = 1 + HOSTS;
	for (int i = 0; i <= HOSTS; i++) {
		struct plan_bucket *bucket = &plan->buckets[i];

		*bucket = (struct plan_bucket){
			.id = -1 - i, .type = i ? 1 : 2, .alg = PLAN_STRAW2};
		bucket->count = i == 0 ? HOSTS : i == 1 ? DEVICES : 0;
		for (int j = 0; j < bucket->count; j++) {
			bucket->items[j] = i ? j : -2 - j;
			bucket->weights[j] = STREW_WEIGHT_ONE;
		}
	}
	plan->device_count = plan->device_limit = DEVICES;
	for (int i = 0; i < DEVICES; i++) {
		plan->device_ids[i] = i;
		plan->reweights[i] = STREW_WEIGHT_ONE;
	}
	plan->rule_count = 1;
	plan->rules[0] = (struct plan_rule){
		.kind = STREW_KIND_REPLICATED,
		.step_count = 3,
		.steps = {take, {op, 0, 0}, emit},
		.want = 30,
	};
}

/* The least of some times: what else the machine does only adds. */
static clock_t time_rule(const struct plan *plan, const char *kernel)
{
	int32_t set[PLAN_WANT_MAX];
	clock_t least = 0;
	struct ours ours;

	ours_make(&ours, plan, kernel);
	for (int i = 0; i < 5; i++) {
		clock_t start = clock();

		for (uint32_t x = 0; x < 40; x++)
			strew_place(ours.placer, 0, x, set, plan->rules[0].want,
				    ours.scratch);
		start = clock() - start;
		if (i == 0 || start < least)
			least = start;
	}
	ours_free(&ours);
	return least;
}

/* What is asked ahead of need is little where it comes to nothing: a kernel is never
 * many times slower than none. A sanitizer slows each of them differently. */
START_TEST(dead_ends_cost_no_more)
{
	static const int32_t ops[] = {STREW_OP_CHOOSE_FIRSTN, STREW_OP_CHOOSE_INDEP};
	static struct plan plan;

	make_empty_hosts(&plan, ops[_i]);
	for (size_t k = 0; strew_kernel_name(k); k++) {
		clock_t time = time_rule(&plan, strew_kernel_name(k));

		ck_assert(SUPPORT_SANITIZED || time < 3 * time_rule(&plan, "plain"));
	}
}
END_TEST

START_TEST(unknown_kernel_is_refused)
{
	static struct plan plan;
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_placer *placer;
	strew_error error = {0};
	struct ours ours;

	plan_make(&plan, 1);
	ours_make(&ours, &plan, NULL);
	ck_assert_str_eq(strew_placer_kernel(ours.placer), strew_kernel_name(0));
	options.kernel = "abacus";
	ck_assert_int_eq(strew_placer_new(&placer, strew_placer_map(ours.placer),
					  &options, &error),
			 STREW_ENOTFOUND);
	ck_assert_ptr_null(placer);
	ck_assert_ptr_nonnull(strstr(error.text, "\"abacus\""));
	ck_assert_ptr_nonnull(strstr(error.text, "plain"));
	ours_free(&ours);
}
END_TEST

TCase *check_place_kernels(void)
{
	TCase *tcase = tcase_create("place_kernels");

	tcase_add_loop_test(tcase, kernels_place_alike, 0, 10);
	tcase_add_loop_test(tcase, dead_ends_cost_no_more, 0, 2);
	tcase_add_test(tcase, unknown_kernel_is_refused);
	return tcase;
}
