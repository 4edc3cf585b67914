/* SPDX-License-Identifier: MIT */
#include "fixture.h"

/* Invariant 9. */

struct step {
	int op;
	int32_t arg1;
	int32_t arg2;
};

static strew_builder *with_rule(strew_kind kind, const struct step *steps, size_t count)
{
	strew_builder *builder = start(NULL);

	add_tree(builder);
	strew_builder_at_path(builder, "/rules/0");
	strew_builder_add_rule(builder, 0, "r", kind);
	for (size_t i = 0; i < count; i++) {
		char path[48];

		snprintf(path, sizeof(path), "/rules/0/steps/%zu", i);
		strew_builder_at_path(builder, path);
		if (map_op_chooses(steps[i].op))
			strew_builder_add_choose(builder, (strew_op)steps[i].op,
						 steps[i].arg1, steps[i].arg2, NULL);
		else
			strew_builder_add_step(builder, (strew_op)steps[i].op,
					       steps[i].arg1);
	}
	return builder;
}

#define STEPS(...)                                                                       \
	((const struct step[]){__VA_ARGS__}),                                            \
		sizeof((const struct step[]){__VA_ARGS__}) / sizeof(struct step)

START_TEST(steps_are_known)
{
	refuse(with_rule(STREW_KIND_REPLICATED, STEPS({1, -1, 0}, {5, 0, 0})),
	       "map.json: /rules/0/steps/1",
	       "rule r (id 0) has a step of an unknown kind, 5");
	refuse(with_rule(STREW_KIND_REPLICATED, STEPS({1, -9, 0}, {4, 0, 0})),
	       "map.json: /rules/0/steps/0",
	       "rule r (id 0) takes the item -9, which does not exist");
	refuse(with_rule(STREW_KIND_REPLICATED, STEPS({1, -1, 0}, {2, 0, 8})),
	       "map.json: /rules/0/steps/1",
	       "rule r (id 0) chooses the type 8, which does not exist");
}
END_TEST

START_TEST(kinds_are_known)
{
	refuse(with_rule((strew_kind)2, NULL, 0), "map.json: /rules/0",
	       "rule r (id 0) is of kind 2; it must be replicated (1), erasure (3), "
	       "msr_firstn (4) or msr_indep (5)");
}
END_TEST

/* A type 4 of that name leaves devices without one, so no file could name them. */
START_TEST(the_type_of_devices_has_a_name)
{
	strew_builder *builder = NULL;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 4, "device");
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_REPLICATED);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 0, 0, NULL);
	refuse(builder, "", "rule r (id 0) chooses the type 0, which does not exist");
}
END_TEST

START_TEST(names_are_known)
{
	strew_builder *builder = with_rule(STREW_KIND_REPLICATED, NULL, 0);

	strew_builder_add_take_name(builder, "defualt", NULL);
	refuse(builder, "map.json: /rules/0",
	       "rule r (id 0) takes \"defualt\", but nothing has that name; did you mean "
	       "\"default\"?");
	builder = with_rule(STREW_KIND_REPLICATED, NULL, 0);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_INDEP, 0, 0, "hosts");
	refuse(builder, "map.json: /rules/0",
	       "rule r (id 0) chooses the type \"hosts\", which does not exist; did you "
	       "mean \"host\"?");
	builder = with_rule(STREW_KIND_REPLICATED, NULL, 0);
	strew_builder_add_choose(builder, STREW_OP_EMIT, 0, 0, "host");
	refuse(builder, "map.json: /rules/0",
	       "rule r (id 0) names a type in the step emit, which chooses nothing");
}
END_TEST

START_TEST(classes_and_their_shadows_are_known)
{
	strew_builder *builder = with_rule(STREW_KIND_REPLICATED, NULL, 0);

	strew_builder_add_device(builder, 9, NULL, "ssd");
	strew_builder_add_take_name(builder, "default", "sdd");
	refuse(builder, "map.json: /rules/0",
	       "rule r (id 0) takes the device class \"sdd\", which does not exist; did "
	       "you mean \"ssd\"?");
	builder = with_rule(STREW_KIND_REPLICATED, NULL, 0);
	strew_builder_add_device(builder, 9, NULL, "ssd");
	strew_builder_add_take_name(builder, "default", "ssd");
	refuse(builder, "map.json: /rules/0",
	       "rule r (id 0) takes root default (id -1) for the device class ssd, but "
	       "there is no such shadow bucket; add it or have the shadows derived");
}
END_TEST

START_TEST(steps_belong_to_a_rule)
{
	strew_builder *builder = start(NULL);

	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	refuse(builder, "map.json",
	       "a part of a rule comes before any rule; start the rule first");
}
END_TEST

START_TEST(rules_are_not_endless)
{
	strew_builder *builder = with_rule(STREW_KIND_REPLICATED, NULL, 0);

	for (int i = 0; i < MAP_STEPS_MAX + 1; i++)
		strew_builder_add_step(builder, STREW_OP_NOOP, 0);
	refuse(builder, "map.json: /rules/0",
	       "rule r (id 0) has 1001 steps; at most 1000 are allowed");
}
END_TEST

START_TEST(odd_rules_are_taken)
{
	strew_map *map;

	map = finish(with_rule(STREW_KIND_REPLICATED,
			       STEPS({4, 0, 0}, {1, 3, 0}, {1, -2, 0}, {2, -7, 0},
				     {16, 2, 1}, {14, 3, 0}, {4, 0, 0}, {4, 0, 0})));
	ck_assert_uint_eq(map->rules[0].step_count, 8);
	ck_assert_int_eq(map->rules[0].steps[3].arg1, -7);
	ck_assert_int_eq(map->rules[0].steps[3].op, STREW_OP_CHOOSE_FIRSTN);
	warned(map, NULL);
	warned(finish(with_rule(STREW_KIND_REPLICATED, NULL, 0)), NULL);
}
END_TEST

/* Ones like those of the golden map msr/malformed, and what upstream can't survive. */
START_TEST(msr_rules_have_a_shape)
{
	const strew_kind firstn = STREW_KIND_MSR_FIRSTN, indep = STREW_KIND_MSR_INDEP;
	const char *empty = "rule r (id 0) gives nothing, because an MSR rule must be "
			    "set_msr_… steps, then blocks of: take a bucket, choosemsr "
			    "steps, emit";

	warned(finish(with_rule(indep, STEPS({14, 5, 0}, {15, 2, 0}, {1, -1, 0},
					     {16, 2, 1}, {16, 1, 0}, {4, 0, 0},
					     {1, -2, 0}, {16, 0, 0}, {4, 0, 0}))),
	       NULL);
	warned(finish(with_rule(firstn,
				STEPS({1, -1, 0}, {16, 2, 0}, {16, 1, 1}, {4, 0, 0}))),
	       NULL);
	warned(finish(with_rule(indep, STEPS({1, -1, 0}, {2, 2, 1}, {4, 0, 0}))), empty);
	warned(finish(with_rule(indep, STEPS({1, -1, 0}, {16, 2, 1}, {16, 1, 0}))),
	       empty);
	warned(finish(with_rule(firstn, STEPS({1, -1, 0}, {16, 1, 1}, {16, 1, 0},
					      {4, 0, 0}, {4, 0, 0}))),
	       empty);
	warned(finish(with_rule(indep, STEPS({1, 2, 0}, {16, 1, 0}, {4, 0, 0}))), empty);
	warned(finish(with_rule(indep, NULL, 0)), empty);
	refuse(with_rule(indep, STEPS({1, 2, 0}, {4, 0, 0})),
	       "map.json: /rules/0/steps/0",
	       "rule r (id 0) emits what it takes; an MSR rule needs choosemsr steps "
	       "between take and emit");
	refuse(with_rule(firstn,
			 STEPS({1, -1, 0}, {16, 1, 0}, {4, 0, 0}, {1, -1, 0}, {4, 0, 0})),
	       "map.json: /rules/0/steps/3",
	       "rule r (id 0) emits what it takes; an MSR rule needs choosemsr steps "
	       "between take and emit");
	refuse(with_rule(firstn, STEPS({1, -1, 0}, {16, -1, 0}, {4, 0, 0})),
	       "map.json: /rules/0/steps/1",
	       "rule r (id 0) has a choosemsr step for -1 items; the number must be 0 or "
	       "more");
}
END_TEST

START_TEST(masks_are_kept)
{
	strew_builder *builder = start(NULL);
	strew_map *map;

	strew_builder_add_rule(builder, 3, "r", STREW_KIND_ERASURE);
	strew_builder_set_rule_mask(builder, 4, 1, 10);
	map = finish(builder);
	ck_assert(map->rules[0].has_mask);
	ck_assert_uint_eq(map->rules[0].ruleset, 4);
	ck_assert_uint_eq(map->rules[0].max_size, 10);
	strew_map_release(map);
}
END_TEST

START_TEST(ops_have_names)
{
	ck_assert_str_eq(map_op_name(STREW_OP_CHOOSELEAF_INDEP), "chooseleaf indep");
	ck_assert_str_eq(map_op_name(STREW_OP_CHOOSE_MSR), "choosemsr");
	ck_assert_ptr_null(map_op_name(5));
	ck_assert_ptr_null(map_op_name(17));
	ck_assert_ptr_null(map_op_name(-1));
	ck_assert(map_op_chooses(STREW_OP_CHOOSE_MSR) &&
		  !map_op_leaf(STREW_OP_CHOOSE_MSR));
	ck_assert(!map_op_chooses(STREW_OP_TAKE));
}
END_TEST

TCase *check_map_rule(void)
{
	TCase *tcase = tcase_create("map_rule");

	tcase_add_test(tcase, steps_are_known);
	tcase_add_test(tcase, kinds_are_known);
	tcase_add_test(tcase, the_type_of_devices_has_a_name);
	tcase_add_test(tcase, names_are_known);
	tcase_add_test(tcase, classes_and_their_shadows_are_known);
	tcase_add_test(tcase, steps_belong_to_a_rule);
	tcase_add_test(tcase, rules_are_not_endless);
	tcase_add_test(tcase, odd_rules_are_taken);
	tcase_add_test(tcase, msr_rules_have_a_shape);
	tcase_add_test(tcase, masks_are_kept);
	tcase_add_test(tcase, ops_have_names);
	return tcase;
}
