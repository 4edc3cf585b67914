/* SPDX-License-Identifier: MIT */
#include "rule_fixture.h"
#include "rule_watch.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"

#define OTHER_HASH  1
#define MAX_DEVICES 16

#define BUCKET(number, level, kind, members)                                             \
	{                                                                                \
		.id = number, .type = level, .alg = kind, .hash = OTHER_HASH,            \
		.count = FIXTURE_COUNT(members), .items = members,                       \
	}

static const int32_t three_hosts[] = {-2, -3, -4};
static const int32_t threes[3][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
static const int32_t twos[3][2] = {{0, 1}, {2, 3}, {4, 5}};

static const struct fixture_bucket threes_buckets[] = {
	BUCKET(-1, ROOT, "uniform", three_hosts), BUCKET(-2, HOST, "uniform", threes[0]),
	BUCKET(-3, HOST, "uniform", threes[1]), BUCKET(-4, HOST, "uniform", threes[2])};

static const struct fixture_bucket twos_buckets[] = {
	BUCKET(-1, ROOT, "uniform", three_hosts), BUCKET(-2, HOST, "uniform", twos[0]),
	BUCKET(-3, HOST, "uniform", twos[1]), BUCKET(-4, HOST, "uniform", twos[2])};

static const int32_t stray_items[] = {-2, 9, -3};
static const struct fixture_bucket stray_buckets[] = {
	BUCKET(-1, ROOT, "uniform", stray_items), BUCKET(-2, HOST, "uniform", threes[0]),
	BUCKET(-3, HOST, "uniform", threes[1])};

static const int32_t two_hosts[] = {-2, -3};
static const struct fixture_bucket hollow_buckets[] = {
	BUCKET(-1, ROOT, "uniform", two_hosts),
	{.id = -2, .type = HOST, .alg = "uniform", .hash = OTHER_HASH},
	BUCKET(-3, HOST, "uniform", threes[1])};

static const int32_t four_devices[] = {0, 1, 2, 3};
static const uint32_t four_rows[] = {1, 9, 1, 1, 1, 1, 9, 1};
static const struct fixture_args four_args[] = {{-1, 2, four_rows, NULL}};
static const struct fixture_set four_sets[] = {{0, 1, four_args}};
static const struct fixture_bucket straw2_buckets[] = {
	BUCKET(-1, ROOT, "straw2", four_devices)};

static const uint32_t host_rows[] = {1, 9, 1, 1, 1, 9};
static const struct fixture_args host_args[] = {{-2, 2, host_rows, NULL},
						{-3, 2, host_rows, NULL}};
static const struct fixture_set host_sets[] = {{0, 2, host_args}};
static const struct fixture_bucket rows_buckets[] = {
	BUCKET(-1, ROOT, "uniform", two_hosts), BUCKET(-2, HOST, "straw2", threes[0]),
	BUCKET(-3, HOST, "straw2", threes[1])};

#define MAP(name)                                                                        \
	.device_count = 10, .bucket_count = FIXTURE_COUNT(name), .buckets = name,        \
	.tunables = FIXTURE_TUNABLES

const struct fixture_map fixture_threes = {MAP(threes_buckets)};
const struct fixture_map fixture_twos = {MAP(twos_buckets)};
const struct fixture_map fixture_stray = {MAP(stray_buckets)};
const struct fixture_map fixture_hollow = {MAP(hollow_buckets)};
const struct fixture_map fixture_straw2 = {MAP(straw2_buckets), .set_count = 1,
					   .sets = four_sets};
const struct fixture_map fixture_rows = {MAP(rows_buckets), .set_count = 1,
					 .sets = host_sets};

static uint32_t count_steps(const struct flat_step *steps)
{
	uint32_t count = 8;

	while (count > 0 && steps[count - 1].op == STREW_OP_NOOP)
		count--;
	return count;
}

static struct flat *lay_out(const struct rule_case *rule)
{
	struct fixture_rule only = {0, rule->kind, count_steps(rule->steps), rule->steps};
	struct fixture_map map = *rule->map;
	uint32_t reweights[MAX_DEVICES];

	for (uint32_t i = 0; i < map.device_count; i++)
		reweights[i] = rule->out >> i & 1 ? 0 : 0x10000;
	map.reweights = reweights;
	map.rules = &only;
	map.rule_count = 1;
	if (rule->tunables)
		map.tunables = *rule->tunables;
	return fixture_flat(&map);
}

static void compare(const struct rule_case *rule, const int32_t *out, int count)
{
	size_t size = (size_t)rule->count * sizeof(*out);

	if (count == rule->count && memcmp(out, rule->expected, size) == 0)
		return;
	ck_abort_msg("%s: gave %d: %d %d %d %d %d", rule->says, count, out[0], out[1],
		     out[2], out[3], out[4]);
}

/* Attempts begin and end in turn, one inside the other, and draws are made in them. */
static void follow(void *ctx, const struct rule_event *event)
{
	int *open = ctx;

	if (event->kind == RULE_ATTEMPT)
		++*open;
	else if (event->kind == RULE_VERDICT)
		--*open;
	if (event->kind == RULE_DRAW) {
		ck_assert_int_gt(*open, 0);
		ck_assert_uint_gt(event->bucket->count, 0);
		ck_assert_ptr_nonnull(event->in);
	}
	ck_assert_int_ge(*open, 0);
}

/* Who is watched comes to the same. */
static void compare_watched(const struct rule_case *rule, struct rule_call call,
			    struct rule_scratch *scratch)
{
	int open = 0;
	struct rule_watch watch = {follow, &open};
	int32_t out[8] = {0};

	call.watch = &watch;
	compare(rule, out, rule_run(&call, out, scratch));
	ck_assert_int_eq(open, 0);
}

void rule_check_case(const struct rule_case *rule)
{
	struct flat *flat = lay_out(rule);
	struct rule_needs needs = {(uint32_t)rule->want, flat->max_msr_steps};
	struct rule_scratch *scratch = rule_scratch_new(&needs, &base_heap);
	struct rule_call call = {
		.flat = flat,
		.rule = flat_rule_at(flat, 0),
		.set = rule->with_set ? flat_pick_set(flat, 0) : NULL,
		.want = rule->want,
	};

	ck_assert_ptr_nonnull(scratch);
	for (call.x = 0; call.x < 3; call.x++) {
		int32_t out[8] = {-77, -77, -77, -77, -77, -77, -77, -77};
		int count = rule_run(&call, out, scratch);

		compare(rule, out, count);
		for (int i = rule->want; i < 8; i++)
			ck_assert_int_eq(out[i], -77);
		compare_watched(rule, call, scratch);
	}
	rule_scratch_free(scratch);
	free(flat);
}
