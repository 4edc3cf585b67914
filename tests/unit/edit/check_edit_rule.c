/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"

static const struct edit_refusal refusals[] = {
	{"add rule r replicated take default over host", 10,
	 "there is a rule \"r\" already; names of rules must be unique"},
	{"add rule x erasur take default over host", 12,
	 "\"erasur\" must be replicated or erasure, for rules also msr_firstn or "
	 "msr_indep"},
	{"add rule x msr_indep take default over host", 12,
	 "such a rule is replicated or erasure; write MSR rules with their steps"},
	{"add rule x replicated take defaul over host", 28,
	 "there is no device or bucket \"defaul\"; did you mean \"default\"?"},
	{"add rule x replicated take default over hst", 41,
	 "there is no type \"hst\" of buckets; did you mean \"host\"?"},
	{"add rule x replicated take default over host class nvme", 52,
	 "root default has no devices of class \"nvme\" that a rule could take; set the "
	 "class of some first"},
	{"add rule x replicated steps", 28,
	 "expected STEPS; the operation is \"add rule NAME KIND steps STEPS\""},
	{"add rule x replicated steps take", 33, "expected what to take"},
	{"add rule x replicated steps take default clas ssd", 42,
	 "expected \"class\" and a device class in place of \"clas\""},
	{"add rule x replicated steps take default; emt", 43,
	 "expected a step, such as \"take default\", \"chooseleaf firstn 0 type host\", "
	 "\"emit\" or \"set_choose_tries 100\" in place of \"emt\""},
	{"add rule x replicated steps choose firstn; emit", 42,
	 "expected a whole number before the end of the step"},
	{"add rule x replicated steps choose firstn 0 host", 45,
	 "expected \"type\" and a type of buckets in place of \"host\""},
	{"add rule x replicated steps emit now", 34,
	 "expected \";\" in place of \"now\""},
	{"remove rule r", 13, "the pool \"p\" uses the rule; give it another one first"},
	{"remove rule fat", 13, "there is no rule \"fat\"; did you mean \"fast\"?"},
	{"rename rule r fast", 15,
	 "there is a rule \"fast\" already; names of rules must be unique"},
};

START_TEST(what_cannot_be_done_is_refused_with_what_would_be_right)
{
	refused(&refusals[_i]);
}
END_TEST

/* The steps of rule 2, as numbers. */
static void steps_are(const char *operation, const char *steps)
{
	strew_map *map = edited(operation);
	const struct map_rule *rule = map_rule_by_id(map, 2);
	char text[256] = "";
	size_t at = 0;

	ck_assert_ptr_nonnull(rule);
	for (size_t i = 0; i < rule->step_count; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%d:%d,%d",
				       i > 0 ? " " : "", (int)rule->steps[i].op,
				       (int)rule->steps[i].arg1,
				       (int)rule->steps[i].arg2);
	ck_assert_str_eq(text, steps);
	strew_map_release(map);
}

/* As `ceph osd crush rule create-…` of 16.2 makes them. */
START_TEST(rules_are_made_as_the_monitor_makes_them)
{
	steps_are("add rule x replicated take default over host", "1:-1,0 6:0,1 4:0,0");
	steps_are("add rule x replicated take default over osd", "1:-1,0 2:0,0 4:0,0");
	steps_are("add rule x erasure take default over host",
		  "9:5,0 8:100,0 1:-1,0 7:0,1 4:0,0");
	steps_are("add rule x erasure take r1 over osd class hdd",
		  "9:5,0 8:100,0 1:-15,0 3:0,0 4:0,0");
}
END_TEST

START_TEST(steps_are_as_they_are_written)
{
	steps_are("add rule x replicated steps take default class ssd; choose firstn -1 "
		  "type rack;chooseleaf indep 2 type host; emit; noop ; "
		  "set_chooseleaf_vary_r 1; take osd.3; emit",
		  "1:-12,0 2:-1,2 7:2,1 4:0,0 0:0,0 12:1,0 1:3,0 4:0,0");
	steps_are("add rule x msr_indep steps set_msr_descents 5; take default; "
		  "choosemsr 2 type rack; choosemsr 2 type host; emit",
		  "14:5,0 1:-1,0 16:2,2 16:2,1 4:0,0");
}
END_TEST

START_TEST(the_lowest_free_id_is_taken)
{
	strew_map *map = edited("set pool p rule fast\nset pool ec rule fast\n"
				"remove rule r\n"
				"add rule x replicated take default over host");

	ck_assert_int_eq(strew_map_find_rule(map, "x"), 0);
	ck_assert(!map->rules[0].has_mask);
	strew_map_release(map);
}
END_TEST

TCase *check_edit_rule(void)
{
	TCase *tcase = tcase_create("edit_rule");

	tcase_add_loop_test(tcase,
			    what_cannot_be_done_is_refused_with_what_would_be_right, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	tcase_add_test(tcase, rules_are_made_as_the_monitor_makes_them);
	tcase_add_test(tcase, steps_are_as_they_are_written);
	tcase_add_test(tcase, the_lowest_free_id_is_taken);
	return tcase;
}
