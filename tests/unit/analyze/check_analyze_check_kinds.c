/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyze_check_support.h"
#include "analyze_support.h"
#include "map.h"
#include "support.h"

/* The smallest map with each finding: the good one, and what a case adds to it. */

#define UNIT STREW_WEIGHT_ONE

static void add_described(strew_builder *builder, int32_t id, const char *name,
			  uint32_t weight, const char *alg)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.type = HOST;
	desc.alg = alg;
	desc.weight = weight;
	strew_builder_add_bucket(builder, &desc);
}

/* A host -4 "h2" of its own stored weight, with osd.4 of weight 1, and its weight in the
 * root. */
static void add_weighed(strew_builder *builder, uint32_t stored, uint32_t in_root)
{
	add_described(builder, -4, "h2", stored, NULL);
	add_device(builder, 4, -4, 1);
	strew_builder_add_item(builder, -1, -4, in_root, 0);
}

static void add_device_of(strew_builder *builder, int32_t host, uint32_t weight)
{
	strew_builder_add_device(builder, 4, NULL, NULL);
	strew_builder_add_item(builder, host, 4, weight, 0);
}

static void make_unplaceable(strew_builder *builder)
{
	add_described(builder, -4, "h2", STREW_AUTO_WEIGHT, "dice");
	add_device(builder, 4, -4, 1);
	strew_builder_add_item(builder, -1, -4, STREW_AUTO_WEIGHT, 0);
}

static void make_warning(strew_builder *builder)
{
	strew_builder_in_file(builder, "map.json");
	strew_builder_at_path(builder, "/epohc");
	strew_builder_report(builder, STREW_WARNING, STREW_ESYNTAX, "a strange member");
}

static void make_device_twice(strew_builder *builder)
{
	strew_builder_add_item(builder, -3, 0, UNIT, STREW_ITEM_TWICE_OK);
}

static void make_lost(strew_builder *builder)
{
	add_described(builder, -4, "h2", UNIT, NULL);
	strew_builder_add_item(builder, -1, -4, UNIT, 0);
}

static void make_bucket_twice(strew_builder *builder)
{
	add_bucket(builder, -4, "r0", RACK, -1);
	strew_builder_add_item(builder, -4, -2, STREW_AUTO_WEIGHT, STREW_ITEM_LINK);
}

static void make_empty(strew_builder *builder)
{
	add_bucket(builder, -4, "r0", RACK, -1);
	add_bucket(builder, -5, "h2", HOST, -4);
}

static void make_weightless(strew_builder *builder)
{
	add_bucket(builder, -4, "r0", RACK, -1);
	add_bucket(builder, -5, "h2", HOST, -4);
	add_device(builder, 4, -5, 0);
}

static void make_link(strew_builder *builder)
{
	add_bucket(builder, -4, "other", ROOT, 0);
	strew_builder_add_item(builder, -4, -2, STREW_AUTO_WEIGHT, STREW_ITEM_LINK);
}

static void make_negative(strew_builder *builder)
{
	add_weighed(builder, 0x80000000, 0x80000000);
}

static void make_stale_parent(strew_builder *builder)
{
	add_weighed(builder, UNIT, 3 * UNIT);
}

static void make_stale_stored(strew_builder *builder)
{
	add_weighed(builder, 3 * UNIT, UNIT);
}

static void make_over_text(strew_builder *builder)
{
	add_device_of(builder, -2, 101 * UNIT);
}

static void make_large(strew_builder *builder)
{
	for (int32_t i = 0; i < 647; i++)
		add_device(builder, 10 + i, -2, 1);
	add_device(builder, 1000, -2, 1);
	add_device(builder, 1001, -2, 1);
}

static void make_ratio(strew_builder *builder)
{
	add_device_of(builder, -2, UNIT / 1001);
}

static void make_over_856(strew_builder *builder)
{
	add_device_of(builder, -3, 857 * UNIT);
	map_weigh_device(builder, 2, NULL, 100 * UNIT);
	map_weigh_device(builder, 3, NULL, 100 * UNIT);
}

static void make_rounded(strew_builder *builder)
{
	add_weighed(builder, UNIT, UNIT + 1);
}

static void make_stale_shadow(strew_builder *builder)
{
	add_shadow(builder, 1, UNIT);
}

static void make_wrong_shadow(strew_builder *builder)
{
	add_shadow(builder, 4, 2 * UNIT);
}

static void make_alike(strew_builder *builder)
{
	add_bucket(builder, -4, "caf\xc3\xa9", HOST, -1);
	add_device(builder, 4, -4, 1);
	add_bucket(builder, -5, "cafe\xcc\x81", HOST, -1);
	add_device(builder, 5, -5, 1);
}

static void make_unpinned(strew_builder *builder)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	int32_t id;

	desc.name = "h2";
	desc.type = HOST;
	id = strew_builder_add_bucket(builder, &desc);
	strew_builder_add_item(builder, -1, id, STREW_AUTO_WEIGHT, 0);
	add_device(builder, 4, id, 1);
}

static void make_odd_pg_num(strew_builder *builder)
{
	add_pool(builder, 2, "odd", 2, 12, 0);
}

static void make_missing_device(strew_builder *builder)
{
	static const int32_t devices[] = {0, 77};

	strew_builder_add_pg_temp(builder, (strew_pg){1, 3}, devices, 2);
}

static void make_useless_upmap(strew_builder *builder)
{
	strew_builder_add_upmap_item(builder, (strew_pg){1, 3}, 1, 1);
}

static void make_short_upmap(strew_builder *builder)
{
	static const int32_t device = 0;

	strew_builder_add_upmap(builder, (strew_pg){1, 3}, &device, 1);
}

/* osd.0 has nothing of the PG, osd.1 has. */
static void make_spare_pair(strew_builder *builder)
{
	strew_builder_add_upmap_item(builder, (strew_pg){1, 3}, 0, 1);
	strew_builder_add_upmap_item(builder, (strew_pg){1, 3}, 1, 0);
}

/* Rule 1: take default, chooseleaf firstn `ranks` type host, emit. */
static void add_second_rule(strew_builder *builder, int ranks, int tries)
{
	strew_builder_add_rule(builder, 1, "second", STREW_KIND_REPLICATED);
	if (tries > 0)
		strew_builder_add_step(builder, STREW_OP_SET_CHOOSE_TRIES, tries);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, ranks, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

static void make_pool_steps(strew_builder *builder)
{
	add_second_rule(builder, 1, 0);
	add_pool(builder, 2, "two", 2, PGS, 1);
}

static void make_rule_steps(strew_builder *builder)
{
	add_second_rule(builder, -2, 0);
}

static void make_pool_domains(strew_builder *builder)
{
	add_pool(builder, 2, "three", 3, PGS, 0);
}

static void make_rule_domains(strew_builder *builder)
{
	add_second_rule(builder, 0, 0);
}

static void make_pool_tries(strew_builder *builder)
{
	add_second_rule(builder, 0, 2);
	add_pool(builder, 2, "two", 2, 64, 1);
}

static void make_rule_tries(strew_builder *builder)
{
	add_second_rule(builder, 2, 2);
}

static void make_uncounted(strew_builder *builder)
{
	add_second_rule(builder, 2, 2000000);
}

static void make_two_takes(strew_builder *builder)
{
	add_second_rule(builder, 1, 0);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 1, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

static void make_racks(strew_builder *builder)
{
	for (int32_t i = 0; i < 4; i++) {
		char name[16];

		if (i % 2 == 0) {
			snprintf(name, sizeof(name), "r%d", i / 2);
			add_bucket(builder, -10 - i, name, RACK, -1);
		}
		snprintf(name, sizeof(name), "h%d", 2 + i);
		add_bucket(builder, -20 - i, name, HOST, -10 - i / 2 * 2);
		add_device(builder, 4 + i, -20 - i, 1);
	}
}

static void make_two_roots(strew_builder *builder)
{
	strew_builder_add_rule(builder, 1, "one-host", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "h0", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 0, 0, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	add_pool(builder, 2, "near", 2, PGS, 1);
}

static void make_nothing(strew_builder *builder)
{
	(void)builder;
}

static void make_legacy(strew_builder *builder)
{
	strew_builder_set_profile(builder, "bobtail");
	strew_builder_set_tunable(builder, "chooseleaf_stable", 1);
}

static void make_few_tries(strew_builder *builder)
{
	strew_builder_set_tunable(builder, "choose_total_tries", 19);
}

static void make_straw(strew_builder *builder)
{
	add_described(builder, -4, "h2", STREW_AUTO_WEIGHT, "straw");
	add_device(builder, 4, -4, 1);
	strew_builder_add_item(builder, -1, -4, STREW_AUTO_WEIGHT, 0);
}

static void make_older(strew_builder *builder)
{
	strew_builder_set_profile(builder, "hammer");
}

/* In the order of the kinds. */
static const struct {
	const char *code;
	void (*make)(strew_builder *builder); /* NULL: it is no finding of a map */
	const char *path;
	const char *message; /* a part of it */
	int count;           /* of all findings: a host too heavy for the other is one */
} cases[] = {
	{"fault", NULL, "", "", 0},
	{"not-placeable", make_unplaceable, "", "dice", 1},
	{"reading", make_warning, "map.json: /epohc", "a strange member", 1},
	{"device-in-two-places", make_device_twice, "device osd.0",
	 "osd.0 hangs in host h0 and in host h1", 2},
	{"bucket-lost-draws", make_lost, "bucket h2",
	 "weighs 1 in root default, but has no device", 2},
	{"bucket-in-two-places", make_bucket_twice, "bucket h0",
	 "host h0 hangs in root default and in rack r0", 1},
	{"bucket-empty", make_empty, "bucket r0", "rack r0 has no device", 1},
	{"bucket-weightless", make_weightless, "bucket r0", "all its devices do", 1},
	{"bucket-linked", make_link, "bucket h0",
	 "host h0 hangs in root default and in root other", 1},
	{"weight-negative", make_negative, "bucket h2", "weighs 32768 in root default",
	 5},
	{"weight-in-parent", make_stale_parent, "bucket h2",
	 "weighs 3 in root default; its own weight is 1, and what it holds weighs 1", 1},
	{"weight-stored", make_stale_stored, "bucket h2",
	 "has the weight 3, but what it holds weighs 1; in root default it weighs 1", 1},
	{"weight-over-text", make_over_text, "device osd.4", "weighs 101 in host h0", 2},
	{"bucket-large", make_large, "bucket h0", "has 651 items", 2},
	{"weight-ratio", make_ratio, "bucket h0", "0.00099 and of weight 1, 1:1008", 1},
	{"weight-over-856", make_over_856, "bucket default", "1 item of weight over 856",
	 4},
	{"weight-rounded", make_rounded, "bucket h2", "weighs 1.00002 in root default",
	 1},
	{"shadow-items", make_stale_shadow, "bucket h0~ssd",
	 "h0~ssd lacks osd.4, and should not have osd.1", 1},
	{"shadow-weights", make_wrong_shadow, "bucket h0~ssd", "osd.4 weighs 2 and not 1",
	 1},
	{"pg-num", make_odd_pg_num, "pool odd", "12 PGs, which is no power of two: 4", 1},
	{"override-device", make_missing_device, "PG 1.3", "names device 77", 1},
	{"upmap-useless", make_useless_upmap, "PG 1.3", "changes nothing", 1},
	{"upmap-dropped", make_short_upmap, "PG 1.3",
	 "it has not as many devices as the pool's size", 1},
	{"upmap-partly", make_spare_pair, "PG 1.3",
	 "of the 2 pairs in the upmap of PG 1.3 the monitor keeps 1: osd.0, which it "
	 "replaces, has nothing of it",
	 1},
	{"rule-steps", make_pool_steps, "rule second",
	 "with 2 copies (pool two), every mapping is short: the steps place 1 of them",
	 1},
	{"rule-steps", make_rule_steps, "rule second",
	 "with 3 copies (a guess: no pool uses it), every mapping is short: the steps "
	 "place 1 of them",
	 1},
	{"rule-domains", make_pool_domains, "rule hosts",
	 "with 3 copies (pool three), every mapping is short by at least 1: it asks for "
	 "3 hosts in default, and 2 there can hold data",
	 1},
	{"rule-domains", make_rule_domains, "rule second",
	 "with 3 copies (a guess: no pool uses it), every mapping is short by at least "
	 "1: "
	 "it asks for 3 hosts",
	 1},
	{"rule-tries", make_pool_tries, "rule second",
	 "with 2 copies (pool two), 2 tries leave a mapping short for 25 % of PGs "
	 "(exact; ",
	 1},
	{"rule-tries", make_rule_tries, "rule second",
	 "with 2 copies, 2 tries leave a mapping short for 25 % of PGs (exact; ", 1},
	{"rule-uncounted", make_uncounted, "rule second", "up to 2000000 tries", 1},
	{"rule-domain", make_two_takes, "rule second",
	 "its 2 takes lead to the same hosts", 2},
	{"rule-level", make_racks, "rule hosts",
	 "with 2 copies (pool data), of which 1 can be spared, the loss of a rack takes "
	 "2 from ",
	 1},
	{"rule-survives", make_nothing, "rule hosts",
	 "with 2 copies (pool data): any 1 host can be lost (1 of 2 is left", 1},
	{"rule-overlap", make_two_takes, "rule second",
	 "its 2 takes have 4 devices in common, such as osd.0; with 2 copies a device is "
	 "there twice for ",
	 2},
	{"roots-overlap", make_two_roots, "pool near",
	 "pool data takes default and pool near takes h0, which have 2 devices in "
	 "common, such as osd.0",
	 1},
	{"name-unicode", make_alike, "bucket caf\xc3\xa9", "caf\\u00e9 and cafe\\u0301",
	 1},
	{"id-unpinned", make_unpinned, "bucket h2", "was given -4", 1},
	{"tunables-legacy", make_legacy, "tunables", "chooseleaf_vary_r is 0", 1},
	{"tunables-tries", make_few_tries, "tunables", "choose_total_tries is 19", 1},
	{"straw-bucket", make_straw, "bucket h2", "chooses by straw", 1},
	{"tunables-older", make_older, "tunables", "chooseleaf_stable is 0", 1},
	{"client-release", make_nothing, "map",
	 "clients need Ceph jewel (10.2), kernel clients Linux 4.5 for "
	 "chooseleaf_stable; without that Ceph hammer (0.94), kernel clients Linux 4.1 "
	 "for straw2",
	 1},
};

#define CASE_COUNT ((int)(sizeof(cases) / sizeof(cases[0])))

static const struct check_kind *kind_at(int index)
{
	for (size_t i = 0; i < analyze_check_subject_count; i++) {
		const struct check_subject *subject = analyze_check_subjects[i];

		if ((size_t)index < subject->count)
			return &subject->kinds[index];
		index -= (int)subject->count;
	}
	return NULL;
}

START_TEST(kind_has_a_case)
{
	ck_assert_ptr_nonnull(kind_at(_i));
	ck_assert_str_eq(kind_at(_i)->code, cases[_i].code);
	ck_assert_ptr_null(kind_at(CASE_COUNT));
}
END_TEST

/* What is told of any map is looked for where it is the case. */
static strew_check_options options_for(int index)
{
	static const char *const always[] = {"rule-survives", "client-release",
					     "rule-survives"};
	strew_check_options options = STREW_CHECK_OPTIONS_INIT;
	bool survives = strcmp(cases[index].code, always[0]) == 0;
	bool release = strcmp(cases[index].code, always[1]) == 0;

	options.ignored = survives ? &always[1] : always;
	options.ignored_count = survives || release ? 1 : 2;
	return options;
}

static const char *severity_of(int index)
{
	static const char *const words[] = {"error", "warning", "info"};

	return words[kind_at(index)->severity];
}

/* A kind may have a row for pools, and one for rules that none uses. */
static int count_code(const char *code, int from, int end)
{
	int count = 0;

	for (int i = from; i < end; i++)
		count += strcmp(cases[i].code, code) == 0;
	return count;
}

START_TEST(finding_is_found)
{
	strew_check_options options = options_for(_i);
	strew_builder *builder = start_good();
	strew_result *result;
	int row;

	if (cases[_i].make)
		cases[_i].make(builder);
	result = check_builder(builder, &options);
	ck_assert_int_eq((int)row_count(result, "findings"), cases[_i].count);
	row = find_finding(result, cases[_i].code);
	ck_assert_int_eq(row >= 0, cases[_i].make != NULL);
	if (row >= 0) {
		ck_assert_str_eq(finding_at(result, (size_t)row, "path"), cases[_i].path);
		ck_assert_msg(strstr(finding_at(result, (size_t)row, "message"),
				     cases[_i].message) != NULL,
			      "%s", finding_at(result, (size_t)row, "message"));
		ck_assert_str_eq(finding_at(result, (size_t)row, "severity"),
				 severity_of(_i));
		ck_assert_str_ne(finding_at(result, (size_t)row, "advice"), "");
	}
	strew_result_free(result);
}
END_TEST

START_TEST(ignored_finding_is_not_looked_for)
{
	strew_check_options options = STREW_CHECK_OPTIONS_INIT;
	strew_builder *builder = start_good();
	strew_result *result;

	options.ignored = &cases[_i].code;
	options.ignored_count = 1;
	if (cases[_i].make)
		cases[_i].make(builder);
	result = check_builder(builder, &options);
	ck_assert_int_eq(find_finding(result, cases[_i].code), -1);
	ck_assert_int_eq((int)summary_integer(result, "checks"),
			 CASE_COUNT - count_code(cases[_i].code, 0, CASE_COUNT));
	strew_result_free(result);
}
END_TEST

/* Headings of the page are "### `code` (severity)". */
START_TEST(page_explains_all_kinds_in_order)
{
	FILE *page = fopen(support_path("doc/analyses/check.md"), "r");
	char line[512], wanted[128];
	int next = 0;

	ck_assert_ptr_nonnull(page);
	while (fgets(line, sizeof(line), page)) {
		if (strncmp(line, "### `", 5) != 0)
			continue;
		ck_assert_int_lt(next, CASE_COUNT);
		snprintf(wanted, sizeof(wanted), "### `%s` (%s%s)\n", kind_at(next)->code,
			 severity_of(next),
			 count_code(kind_at(next)->code, next, CASE_COUNT) > 1
				 ? ", or warning"
				 : "");
		ck_assert_str_eq(line, wanted);
		while (++next < CASE_COUNT &&
		       count_code(kind_at(next)->code, 0, next) > 0)
			;
	}
	fclose(page);
	ck_assert_int_eq(next, CASE_COUNT);
}
END_TEST

TCase *check_analyze_check_kinds(void)
{
	TCase *tcase = tcase_create("check_kinds");

	tcase_add_loop_test(tcase, kind_has_a_case, 0, CASE_COUNT);
	tcase_add_loop_test(tcase, finding_is_found, 0, CASE_COUNT);
	tcase_add_loop_test(tcase, ignored_finding_is_not_looked_for, 0, CASE_COUNT);
	tcase_add_test(tcase, page_explains_all_kinds_in_order);
	return tcase;
}
