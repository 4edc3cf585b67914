/* SPDX-License-Identifier: MIT */
/* Placements that are kept follow random changes of the differential test's random maps,
 * and always equal placing all. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "ours.h"
#include "support.h"

#define INPUTS  1100 /* more than a unit */
#define MAPS    SUPPORT_TIMES(5)
#define CHANGES 5
#define RULES   3
#define LARGE   120 /* a bucket, in items */

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
	/* What a rule can't find in many items would take most of the time. */
	if (plan->buckets[0].count > LARGE)
		plan->tunables.total_tries = 5;
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

/* By less than what answers of a root are mostly sure by. */
static void nudge_root(struct plan *plan)
{
	struct plan_bucket *bucket = &plan->buckets[plan_below(plan, plan->root_count)];
	uint32_t *weights = bucket->positions ? bucket->rows[0] : bucket->weights;

	if (bucket->alg == PLAN_UNIFORM || bucket->alg == PLAN_TREE)
		return;
	for (int i = 0; i < bucket->count; i++) {
		if (plan_once_in(plan, 3))
			weights[i] -= weights[i] / (16u << plan_below(plan, 8));
	}
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
		switch (plan_below(plan, 12)) {
		case 10:
		case 11:
			nudge_root(plan);
			break;
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
		/* A row that ends with holes may change by how many of them count. */
		if (moved_known && (moved || rows[(i + 1) * want - 1] != STREW_NONE))
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
		ck_assert_uint_lt(placed, rules * CHANGES * INPUTS * 9 / 10);
}
END_TEST

#define HOSTS 12

/* Hosts of four devices; the weight and reweight of device 5. */
static strew_placer *make_cluster(uint32_t weight, uint32_t reweight)
{
	strew_builder *builder;
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	char name[16];

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 1, "host");
	strew_builder_add_type(builder, 2, "root");
	for (int32_t i = 0; i < 4 * HOSTS; i++)
		strew_builder_add_device(builder, i, NULL, NULL);
	strew_builder_set_reweight(builder, 5, reweight);
	for (int32_t i = 0; i <= HOSTS; i++) {
		snprintf(name, sizeof(name), "bucket%d", (int)i);
		desc.id = -1 - i;
		desc.name = name;
		desc.type = i ? 1 : 2;
		strew_builder_add_bucket(builder, &desc);
		for (int32_t k = 0; i > 0 && k < 4; k++)
			strew_builder_add_item(
				builder, desc.id, 4 * (i - 1) + k,
				4 * (i - 1) + k == 5 ? weight : STREW_WEIGHT_ONE, 0);
		if (i > 0)
			strew_builder_add_item(builder, -1, desc.id, STREW_AUTO_WEIGHT,
					       0);
	}
	strew_builder_add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED);
	strew_builder_add_take(builder, -1);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 0, 1, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	return fixture_placer(builder);
}

static size_t count_holding(const strew_kept *kept, int32_t device)
{
	size_t count = 0;

	for (size_t i = 0; i < strew_kept_count(kept); i++)
		for (int k = 0; k < strew_kept_want(kept); k++)
			count += strew_kept_row(kept, i)[k] == device;
	return count;
}

static void update(strew_kept *kept, uint32_t weight, uint32_t reweight)
{
	strew_placer *placer = make_cluster(weight, reweight);

	ck_assert_int_eq(strew_kept_update(kept, placer, NULL, NULL), STREW_OK);
	strew_placer_release(placer);
}

START_TEST(only_what_may_change_is_placed_again)
{
	strew_placer *placer = make_cluster(STREW_WEIGHT_ONE, STREW_WEIGHT_ONE);
	strew_kept_options options = STREW_KEPT_OPTIONS_INIT;
	strew_kept *kept;
	size_t holding;

	options.rule = 0;
	options.want = 3;
	options.last = 9999;
	ck_assert_int_eq(strew_kept_new(&kept, placer, &options, NULL, NULL), STREW_OK);
	strew_placer_release(placer);
	ck_assert_uint_eq(strew_kept_placed(kept), 10000);
	holding = count_holding(kept, 5);
	ck_assert_uint_gt(holding, 0);
	update(kept, STREW_WEIGHT_ONE, STREW_WEIGHT_ONE);
	ck_assert_uint_eq(strew_kept_placed(kept), 0);
	/* Besides those that hold it there are some that tried it in vain. */
	update(kept, STREW_WEIGHT_ONE, 0);
	ck_assert_uint_ge(strew_kept_placed(kept), holding);
	ck_assert_uint_lt(strew_kept_placed(kept), holding + holding / 4);
	ck_assert_uint_eq(count_holding(kept, 5), 0);
	update(kept, STREW_WEIGHT_ONE, STREW_WEIGHT_ONE);
	ck_assert_uint_lt(strew_kept_placed(kept), holding + holding / 4);
	ck_assert_uint_eq(count_holding(kept, 5), holding);
	update(kept, STREW_WEIGHT_ONE * 9 / 10, STREW_WEIGHT_ONE);
	if (strcmp(strew_kernel_name(0), "plain") != 0)
		ck_assert_uint_lt(strew_kept_placed(kept), 200);
	ck_assert_uint_gt(strew_kept_placed(kept), 0);
	strew_kept_free(kept);
}
END_TEST

START_TEST(kept_pgs_are_finished_when_read)
{
	strew_placer *placer = fixture_placer(fixture_builder(NULL));
	strew_kept_options options = STREW_KEPT_OPTIONS_INIT;
	int32_t devices[2][FIXTURE_ROOM];
	strew_stages stages[2] = {
		{.acting = {.devices = devices[0], .room = FIXTURE_ROOM}},
		{.acting = {.devices = devices[1], .room = FIXTURE_ROOM}},
	};
	strew_scratch *scratch;
	strew_builder *builder;
	strew_kept *kept;

	options.pool = FIXTURE_REPLICATED;
	ck_assert_int_eq(strew_kept_new(&kept, placer, &options, NULL, NULL), STREW_OK);
	strew_placer_release(placer);
	ck_assert_uint_eq(strew_kept_count(kept), FIXTURE_PG_NUM);
	builder = fixture_builder(NULL);
	for (int32_t i = 0; i < FIXTURE_DEVICES; i++)
		strew_builder_add_upmap_item(builder, (strew_pg){FIXTURE_REPLICATED, 3},
					     i, (i + 1) % FIXTURE_DEVICES);
	placer = fixture_placer(builder);
	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	ck_assert_int_eq(strew_kept_update(kept, placer, NULL, NULL), STREW_OK);
	ck_assert_uint_eq(strew_kept_placed(kept), 0);
	for (uint32_t seed = 0; seed < FIXTURE_PG_NUM; seed++) {
		strew_pg pg = {FIXTURE_REPLICATED, seed};

		ck_assert_int_eq(strew_kept_pg(kept, seed, &stages[0], scratch),
				 STREW_OK);
		ck_assert_int_eq(strew_place_pg(placer, pg, &stages[1], scratch),
				 STREW_OK);
		ck_assert_uint_eq(stages[0].x, stages[1].x);
		fixture_assert_set(&stages[0].acting, devices[1], stages[1].acting.count);
	}
	ck_assert_int_eq(strew_kept_pg(kept, FIXTURE_PG_NUM, &stages[0], scratch),
			 STREW_ERANGE);
	strew_scratch_free(scratch);
	strew_placer_release(placer);
	strew_kept_free(kept);
}
END_TEST

START_TEST(refusals_leave_all_as_it_was)
{
	struct support_heap heap;
	strew_placer *placer = make_cluster(STREW_WEIGHT_ONE, STREW_WEIGHT_ONE);
	strew_placer *other = make_cluster(STREW_WEIGHT_ONE / 2, STREW_WEIGHT_ONE);
	strew_kept_options options = STREW_KEPT_OPTIONS_INIT;
	strew_run run = STREW_RUN_INIT;
	strew_error error = {0};
	strew_kept *kept = NULL;
	strew_status status = STREW_ENOMEM;

	options.pool = 77;
	ck_assert_int_eq(strew_kept_new(&kept, placer, &options, NULL, &error),
			 STREW_ENOTFOUND);
	ck_assert_ptr_null(kept);
	options.rule = 1;
	options.want = 3;
	ck_assert_int_eq(strew_kept_new(&kept, placer, &options, NULL, &error),
			 STREW_ENOTFOUND);
	options.rule = 0;
	options.want = STREW_WANT_MAX + 1;
	ck_assert_int_eq(strew_kept_new(&kept, placer, &options, NULL, &error),
			 STREW_ERANGE);
	options.want = 3;
	support_heap_init(&heap);
	run.allocator = &heap.allocator;
	for (heap.fail_at = 1; status == STREW_ENOMEM; heap.fail_at++) {
		heap.calls = 0;
		status = strew_kept_new(&kept, placer, &options, &run, &error);
		if (status)
			ck_assert_uint_eq(heap.blocks, 0);
	}
	ck_assert_int_eq(status, STREW_OK);
	status = STREW_ENOMEM;
	for (heap.fail_at = 1; status == STREW_ENOMEM; heap.fail_at++) {
		heap.calls = 0;
		status = strew_kept_update(kept, other, &run, &error);
		if (status)
			ck_assert_uint_eq(strew_kept_placed(kept), 1024);
	}
	ck_assert_int_eq(status, STREW_OK);
	ck_assert_uint_lt(strew_kept_placed(kept), 1024);
	strew_kept_free(kept);
	ck_assert_uint_eq(heap.blocks, 0);
	strew_placer_release(placer);
	strew_placer_release(other);
}
END_TEST

TCase *check_place_kept(void)
{
	TCase *tcase = tcase_create("place_kept");

	tcase_add_loop_test(tcase, kept_placements_follow_changes, 0, 5);
	tcase_add_test(tcase, only_what_may_change_is_placed_again);
	tcase_add_test(tcase, kept_pgs_are_finished_when_read);
	tcase_add_test(tcase, refusals_leave_all_as_it_was);
	return tcase;
}
