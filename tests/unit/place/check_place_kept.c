/* SPDX-License-Identifier: MIT */
/* Placements that are kept follow random changes of the differential test's random maps,
 * and always equal placing all. */
#include <check.h>
#include <string.h>

#include "fixture.h"
#include "ours.h"

#define INPUTS  1100 /* more than a unit */
#define MAPS    5
#define CHANGES 5
#define RULES   3

static void add_step(struct plan_rule *rule, int32_t op, int32_t arg1, int32_t arg2)
{
	rule->steps[rule->step_count++] = (struct plan_step){op, arg1, arg2};
}

/* A rule of the kind that is followed. */
static void make_rule(struct plan *plan, struct plan_rule *rule)
{
	static const int32_t ops[] = {
		STREW_OP_CHOOSELEAF_FIRSTN, STREW_OP_CHOOSELEAF_FIRSTN,
		STREW_OP_CHOOSELEAF_INDEP,  STREW_OP_CHOOSE_FIRSTN,
		STREW_OP_CHOOSE_INDEP,
	};
	int32_t op = PLAN_PICK(plan, ops), count = plan_below(plan, 4) - 1;

	memset(rule, 0, sizeof(*rule));
	rule->kind = 1;
	rule->want = 1 + plan_below(plan, 6);
	if (plan_once_in(plan, 3))
		add_step(rule, STREW_OP_SET_CHOOSELEAF_TRIES, 1 + plan_below(plan, 5), 0);
	if (plan_once_in(plan, 5))
		add_step(rule, STREW_OP_SET_CHOOSELEAF_VARY_R, plan_below(plan, 4), 0);
	add_step(rule, STREW_OP_TAKE,
		 plan->buckets[plan_below(plan, plan->root_count)].id, 0);
	add_step(rule, op, count, plan_below(plan, plan->levels));
	add_step(rule, STREW_OP_EMIT, 0, 0);
}

/* Mostly what is followed; now and then one of the maps as they come. */
static void make_plan(struct plan *plan, uint64_t seed)
{
	static const struct plan_tunables jewel = {0, 0, 50, 1, 1, 1, 1};

	plan_make(plan, seed);
	if (plan_once_in(plan, 8))
		return;
	plan->tunables = jewel;
	for (int i = 0; i < plan->bucket_count; i++) {
		plan->buckets[i].alg = PLAN_STRAW2;
		if (plan->buckets[i].positions > 1)
			plan->buckets[i].positions = 1;
	}
	if (plan_once_in(plan, 2))
		for (int32_t id = 0; id < plan->device_limit; id++)
			plan->reweights[id] = STREW_WEIGHT_ONE;
	plan->rule_count = RULES;
	for (int i = 0; i < RULES; i++)
		make_rule(plan, &plan->rules[i]);
}

static struct plan_bucket *some_bucket(struct plan *plan)
{
	return &plan->buckets[plan_below(plan, plan->bucket_count)];
}

static uint32_t change_weight(struct plan *plan, const uint32_t *weights, int count,
			      int index)
{
	uint64_t sum = 0;
	uint32_t weight = weights[index];

	for (int i = 0; i < count; i++)
		sum += weights[i];
	switch (plan_below(plan, 5)) {
	case 0:
		return 0;
	case 1:
		return weight ? weight - 1 : 0;
	case 2:
		return weight / 2;
	case 3:
		return sum + 1 < 0x7ffffffe ? weight + 1 : weight;
	default:
		return sum + weight + 0x8000 < 0x7ffffffe ? weight * 2 + 0x8000 : weight;
	}
}

static void reweigh_item(struct plan *plan)
{
	struct plan_bucket *bucket = some_bucket(plan);
	int index;

	if (bucket->count == 0 || bucket->alg == PLAN_UNIFORM)
		return;
	index = plan_below(plan, bucket->count);
	if (bucket->positions && plan_once_in(plan, 2))
		bucket->rows[0][index] =
			change_weight(plan, bucket->rows[0], bucket->count, index);
	else
		bucket->weights[index] =
			change_weight(plan, bucket->weights, bucket->count, index);
	if (bucket->alg == PLAN_TREE && bucket->weights[index] == 0)
		bucket->weights[index] = 1;
}

static void reweight_device(struct plan *plan)
{
	static const uint32_t reweights[] = {0, STREW_WEIGHT_ONE, 0x8000, 0xffff};

	if (plan->device_count == 0)
		return;
	plan->reweights[plan->device_ids[plan_below(plan, plan->device_count)]] =
		PLAN_PICK(plan, reweights);
}

static bool hangs(const struct plan *plan, int32_t item)
{
	for (int i = 0; i < plan->bucket_count; i++)
		for (int k = 0; k < plan->buckets[i].count; k++)
			if (plan->buckets[i].items[k] == item)
				return true;
	return false;
}

static void forget_device(struct plan *plan, int32_t id)
{
	int kept = 0;

	for (int i = 0; i < plan->device_count; i++)
		if (plan->device_ids[i] != id)
			plan->device_ids[kept++] = plan->device_ids[i];
	plan->device_count = kept;
}

#define CLOSE_GAP(array, index, count)                                                   \
	memmove((array) + (index), (array) + (index) + 1,                                \
		(size_t)((count) - (index)-1) * sizeof(*(array)))

static void remove_item(struct plan *plan)
{
	struct plan_bucket *bucket = some_bucket(plan);
	int index;
	int32_t item;

	if (bucket->count < 2)
		return;
	index = plan_below(plan, bucket->count);
	item = bucket->items[index];
	CLOSE_GAP(bucket->items, index, bucket->count);
	CLOSE_GAP(bucket->weights, index, bucket->count);
	CLOSE_GAP(bucket->ids, index, bucket->count);
	for (int i = 0; i < PLAN_POSITIONS_MAX; i++)
		CLOSE_GAP(bucket->rows[i], index, bucket->count);
	bucket->count--;
	if (item >= 0 && !hangs(plan, item))
		forget_device(plan, item);
}

static void swap_items(struct plan *plan)
{
	struct plan_bucket *bucket = some_bucket(plan);
	int32_t item;

	if (bucket->count < 2)
		return;
	item = bucket->items[0];
	bucket->items[0] = bucket->items[bucket->count - 1];
	bucket->items[bucket->count - 1] = item;
}

static void change_plan(struct plan *plan)
{
	int changes = 1 + plan_below(plan, 4);

	if (plan_once_in(plan, 20))
		plan->tunables.total_tries = 3;
	while (changes-- > 0) {
		switch (plan_below(plan, 10)) {
		case 0:
			swap_items(plan);
			break;
		case 1:
		case 2:
			remove_item(plan);
			break;
		case 3:
		case 4:
		case 5:
			reweight_device(plan);
			break;
		default:
			reweigh_item(plan);
		}
	}
}

/* Lends no thread, but shows that tasks may come in any order. */
static void run_backwards(void *ctx, size_t tasks, void (*task)(void *arg, size_t index),
			  void *arg)
{
	(void)ctx;
	while (tasks-- > 0)
		task(arg, tasks);
}

static const strew_executor backwards = {run_backwards, NULL};

static int32_t before[INPUTS * PLAN_WANT_MAX], rows[INPUTS * PLAN_WANT_MAX];

static void compare(const strew_kept *kept, const struct ours *ours, int32_t rule,
		    bool moved_known)
{
	uint32_t xs[INPUTS];
	size_t want = (size_t)strew_kept_want(kept);

	for (uint32_t i = 0; i < INPUTS; i++)
		xs[i] = 7 + i;
	ck_assert_int_eq(strew_place_many(ours->placer, rule, xs, INPUTS, rows, (int)want,
					  ours->scratch),
			 STREW_OK);
	for (size_t i = 0; i < INPUTS; i++) {
		size_t size = want * sizeof(*rows);
		bool moved = memcmp(before + i * want, rows + i * want, size) != 0;

		if (memcmp(strew_kept_row(kept, i), rows + i * want, size) != 0)
			ck_abort_msg("rule %d, x %u", (int)rule, xs[i]);
		if (moved_known)
			ck_assert(moved == (strew_kept_moved(kept, i) == i));
	}
	memcpy(before, rows, sizeof(before));
}

/* @return how many rows were placed again, of CHANGES × INPUTS. */
static size_t follow_changes(const struct plan *first, const char *kernel, int32_t rule)
{
	static struct plan plan;
	strew_kept_options options = STREW_KEPT_OPTIONS_INIT;
	strew_run run = STREW_RUN_INIT;
	strew_kept *kept;
	struct ours ours;
	size_t placed = 0;

	plan = *first;
	options.rule = rule;
	options.want = plan.rules[rule].want;
	options.first = 7;
	options.last = 7 + INPUTS - 1;
	run.executor = &backwards;
	ours_make(&ours, &plan, kernel);
	ck_assert_int_eq(strew_kept_new(&kept, ours.placer, &options, &run, NULL),
			 STREW_OK);
	ck_assert_uint_eq(strew_kept_moved(kept, 0), INPUTS);
	compare(kept, &ours, rule, false);
	for (int i = 0; i < CHANGES; i++) {
		ours_free(&ours);
		/* Back to the first: what was taken away is added. */
		if (i % 3 == 2)
			plan = *first;
		else
			change_plan(&plan);
		plan.random += (uint64_t)i;
		ours_make(&ours, &plan, kernel);
		ck_assert_int_eq(
			strew_kept_update(kept, ours.placer, i % 2 ? &run : NULL, NULL),
			STREW_OK);
		placed += strew_kept_placed(kept);
		compare(kept, &ours, rule, true);
	}
	strew_kept_free(kept);
	ours_free(&ours);
	return placed;
}

START_TEST(kept_placements_follow_changes)
{
	static struct plan plan;
	const char *kernel = strew_kernel_name((size_t)_i);
	size_t placed = 0, rules = 0;

	if (kernel == NULL)
		return;
	for (int i = 0; i < MAPS; i++) {
		make_plan(&plan, (uint64_t)(_i * 1000 + i));
		for (int rule = 0; rule < plan.rule_count; rule++) {
			placed += follow_changes(&plan, kernel, rule);
			rules++;
		}
	}
	/* Or it would not be this that was tested. */
	if (strcmp(kernel, "plain") != 0)
		ck_assert_uint_lt(placed, rules * CHANGES * INPUTS * 2 / 3);
}
END_TEST

TCase *check_place_kept(void)
{
	TCase *tcase = tcase_create("place_kept");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, kept_placements_follow_changes, 0, 5);
	return tcase;
}
