/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "analyze_show_priv.h"
#include "analyze_support.h"
#include "base_str.h"

/* Rules in words. */

#define STEPS_MAX 8

struct telling {
	strew_kind kind;
	struct map_step steps[STEPS_MAX]; /* take: by id; ended by a no-op */
	int want;
	const char *words;
};

#define TAKE(item)                                                                       \
	{                                                                                \
		STREW_OP_TAKE, item, 0                                                   \
	}
#define EMIT                                                                             \
	{                                                                                \
		STREW_OP_EMIT, 0, 0                                                      \
	}
#define FIRSTN(count, of)                                                                \
	{                                                                                \
		STREW_OP_CHOOSE_FIRSTN, count, of                                        \
	}
#define LEAVES(count, of)                                                                \
	{                                                                                \
		STREW_OP_CHOOSELEAF_FIRSTN, count, of                                    \
	}
#define INDEP(count, of)                                                                 \
	{                                                                                \
		STREW_OP_CHOOSE_INDEP, count, of                                         \
	}
#define SHARDS(count, of)                                                                \
	{                                                                                \
		STREW_OP_CHOOSELEAF_INDEP, count, of                                     \
	}
#define MSR(count, of)                                                                   \
	{                                                                                \
		STREW_OP_CHOOSE_MSR, count, of                                           \
	}
#define DEFAULT    -1
#define SSD        -9 /* default~ssd */
#define REPLICATED STREW_KIND_REPLICATED
#define ERASURE    STREW_KIND_ERASURE

static const struct telling tellings[] = {
	{REPLICATED,
	 {TAKE(DEFAULT), LEAVES(0, RACK), EMIT},
	 0,
	 "all copies, each in another rack of default"},
	{REPLICATED,
	 {TAKE(DEFAULT), LEAVES(0, RACK), EMIT},
	 3,
	 "3 copies, each in another rack of default"},
	{REPLICATED,
	 {TAKE(DEFAULT), LEAVES(0, RACK), EMIT},
	 1,
	 "1 copy in a rack of default"},
	{REPLICATED,
	 {TAKE(SSD), LEAVES(0, HOST), EMIT},
	 3,
	 "3 copies, each in another host of default, ssd only"},
	{REPLICATED,
	 {TAKE(DEFAULT), FIRSTN(0, 0), EMIT},
	 0,
	 "all copies on different devices of default"},
	{REPLICATED,
	 {TAKE(DEFAULT), FIRSTN(2, 0), EMIT},
	 1,
	 "1 copy on a device of default"},
	{REPLICATED,
	 {TAKE(DEFAULT), LEAVES(-1, HOST), EMIT},
	 0,
	 "all but 1 copies, each in another host of default"},
	{REPLICATED,
	 {TAKE(DEFAULT), LEAVES(-1, HOST), EMIT},
	 3,
	 "2 copies, each in another host of default"},
	{REPLICATED,
	 {TAKE(DEFAULT), LEAVES(-1, HOST), EMIT},
	 1,
	 "no devices: its steps don't lead to any"},
	{ERASURE,
	 {TAKE(DEFAULT), SHARDS(0, HOST), EMIT},
	 6,
	 "6 shards, each in another host of default"},
	{ERASURE,
	 {TAKE(DEFAULT), INDEP(3, RACK), SHARDS(2, HOST), EMIT},
	 6,
	 "3 racks of default, in each 2 shards, each in another host"},
	{REPLICATED,
	 {TAKE(DEFAULT), FIRSTN(0, RACK), LEAVES(0, HOST), EMIT},
	 0,
	 "a rack for each copy of default, in each as many copies as fit, each in "
	 "another host"},
	{REPLICATED,
	 {TAKE(DEFAULT), FIRSTN(2, RACK), LEAVES(0, HOST), EMIT},
	 3,
	 "2 racks of default, in each up to 3 copies, each in another host"},
	{REPLICATED,
	 {TAKE(DEFAULT), FIRSTN(1, RACK), FIRSTN(2, HOST), FIRSTN(1, 0), EMIT},
	 2,
	 "1 rack of default, in each 2 hosts, in each 1 copy on a device"},
	{REPLICATED,
	 {TAKE(SSD), LEAVES(1, HOST), EMIT, TAKE(DEFAULT), LEAVES(-1, HOST), EMIT},
	 0,
	 "1 copy in a host of default, ssd only; then all but 1 copies, each in another "
	 "host of default"},
	{REPLICATED,
	 {TAKE(SSD), LEAVES(1, HOST), EMIT, TAKE(DEFAULT), LEAVES(-1, HOST), EMIT},
	 3,
	 "1 copy in a host of default, ssd only; then 2 copies, each in another host of "
	 "default"},
	{REPLICATED,
	 {TAKE(SSD), LEAVES(1, HOST), EMIT, TAKE(DEFAULT), LEAVES(0, HOST), EMIT},
	 3,
	 "1 copy in a host of default, ssd only; then 2 copies, each in another host of "
	 "default"},
	{REPLICATED,
	 {TAKE(SSD), LEAVES(1, HOST), EMIT, TAKE(DEFAULT), LEAVES(0, HOST), EMIT},
	 0,
	 "1 copy in a host of default, ssd only; then the last copies, each in another "
	 "host of default"},
	{REPLICATED,
	 {TAKE(SSD), LEAVES(1, HOST), EMIT, TAKE(DEFAULT), LEAVES(-1, HOST), EMIT},
	 1,
	 "1 copy in a host of default, ssd only"},
	{REPLICATED,
	 {TAKE(0), EMIT, TAKE(DEFAULT), LEAVES(0, HOST), EMIT},
	 2,
	 "1 copy on osd.0; then 1 copy in a host of default"},
	{STREW_KIND_MSR_INDEP,
	 {TAKE(DEFAULT), MSR(4, HOST), MSR(2, 0), EMIT},
	 8,
	 "4 hosts of default, in each 2 shards on different devices"},
	{REPLICATED,
	 {TAKE(DEFAULT), MSR(4, HOST), FIRSTN(2, 0), EMIT},
	 0,
	 "2 copies on different devices of default"},
	{REPLICATED,
	 {TAKE(DEFAULT), FIRSTN(0, HOST), EMIT},
	 3,
	 "no devices: its steps don't lead to any"},
	{REPLICATED,
	 {TAKE(DEFAULT), LEAVES(0, HOST), FIRSTN(1, 0), EMIT},
	 3,
	 "no devices: its steps don't lead to any"},
	{REPLICATED,
	 {TAKE(DEFAULT), LEAVES(0, HOST)},
	 3,
	 "no devices: its steps don't lead to any"},
};

static strew_placer *map_with_class(void)
{
	strew_builder *builder = start_map(NULL);

	add_bucket(builder, -2, "h0", HOST, -1);
	strew_builder_add_device(builder, 0, NULL, "ssd");
	strew_builder_add_item(builder, -2, 0, STREW_WEIGHT_ONE, 0);
	strew_builder_set_shadow_id(builder, -1, "ssd", SSD);
	strew_builder_derive_shadows(builder);
	return finish_map(builder);
}

static size_t count_steps(const struct telling *telling)
{
	size_t count = 0;

	while (count < STEPS_MAX && telling->steps[count].op != STREW_OP_NOOP)
		count++;
	return count;
}

START_TEST(a_rule_is_said_in_words)
{
	const struct telling *telling = &tellings[_i];
	strew_placer *placer = map_with_class();
	struct map_step steps[STEPS_MAX];
	struct map_rule rule = {.kind = telling->kind,
				.steps = steps,
				.step_count = count_steps(telling)};
	struct base_str text;

	memcpy(steps, telling->steps, sizeof(steps));
	base_str_init(&text, &base_heap);
	analyze_show_rule(&text, strew_placer_map(placer), &rule, telling->want);
	ck_assert_str_eq(base_str_text(&text), telling->words);
	base_str_free(&text);
	strew_placer_release(placer);
}
END_TEST

/* A rule of hundreds of blocks is told in a few. */
START_TEST(many_blocks_are_cut_short)
{
	strew_placer *placer = map_with_class();
	struct map_step steps[300];
	struct map_rule rule = {.kind = REPLICATED, .steps = steps, .step_count = 300};
	struct base_str text;

	for (size_t i = 0; i < rule.step_count; i += 3) {
		steps[i] = (struct map_step)TAKE(DEFAULT);
		steps[i + 1] = (struct map_step)LEAVES(1, HOST);
		steps[i + 2] = (struct map_step)EMIT;
	}
	base_str_init(&text, &base_heap);
	analyze_show_rule(&text, strew_placer_map(placer), &rule, 0);
	ck_assert_uint_lt(base_str_len(&text), 300);
	ck_assert_ptr_nonnull(strstr(base_str_text(&text), "; and so on"));
	base_str_free(&text);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_show_rule(void)
{
	TCase *tcase = tcase_create("analyze_show_rule");

	tcase_add_loop_test(tcase, a_rule_is_said_in_words, 0,
			    sizeof(tellings) / sizeof(tellings[0]));
	tcase_add_test(tcase, many_blocks_are_cut_short);
	return tcase;
}
