/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyze_support.h"
#include "result.h"

/* A map with two racks, and one change to it. */

enum edit {
	NOTHING,
	RENAME_HOST,
	MOVE_HOST,
	OTHER_ID,
	OTHER_WEIGHT,
	OTHER_REWEIGHT,
	OTHER_CLASS,
	DOWN,
	OTHER_AFFINITY,
	OTHER_TUNABLE,
	OTHER_STEPS,
	UPMAP,
	UPMAP_PRIMARY,
	WEIGHT_SET,
	WRITTEN_WEIGHT,
	SELECTOR,
	LINKED
};

static void add_named_host(strew_builder *builder, enum edit edit)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = edit == OTHER_ID ? -40 : -4;
	desc.name = edit == RENAME_HOST ? "h9" : "h0";
	desc.type = HOST;
	desc.alg = edit == SELECTOR ? "list" : "straw2";
	strew_builder_add_bucket(builder, &desc);
	strew_builder_add_item(
		builder, edit == MOVE_HOST ? -3 : -2, desc.id,
		edit == WRITTEN_WEIGHT ? 5 * STREW_WEIGHT_ONE : STREW_AUTO_WEIGHT, 0);
	add_device(builder, 0, desc.id, edit == OTHER_WEIGHT ? 2 : 1);
	strew_builder_add_device(builder, 1, NULL, edit == OTHER_CLASS ? "ssd" : NULL);
	strew_builder_add_item(builder, desc.id, 1, STREW_WEIGHT_ONE, 0);
}

static void edit_devices(strew_builder *builder, enum edit edit)
{
	if (edit == OTHER_REWEIGHT)
		strew_builder_set_reweight(builder, 2, STREW_WEIGHT_ONE * 3 / 4);
	if (edit == DOWN)
		strew_builder_set_state(builder, 2, 1, 0);
	if (edit == OTHER_AFFINITY)
		strew_builder_set_primary_affinity(builder, 2, 0);
	if (edit == OTHER_TUNABLE)
		strew_builder_set_tunable(builder, "choose_total_tries", 19);
}

static void edit_pools(strew_builder *builder, enum edit edit)
{
	const uint32_t row[] = {STREW_WEIGHT_ONE};

	if (edit == UPMAP)
		strew_builder_add_upmap_item(builder, (strew_pg){1, 10}, 0, 2);
	if (edit == UPMAP_PRIMARY)
		strew_builder_set_upmap_primary(builder, (strew_pg){1, 2}, 1);
	if (edit == WEIGHT_SET) {
		strew_builder_add_weight_set(builder, 1, NULL);
		strew_builder_add_weight_row(builder, -5, row, 1);
	}
}

static strew_placer *edited(enum edit edit)
{
	strew_builder *builder = start_map(NULL);

	add_bucket(builder, -2, "r0", RACK, -1);
	add_bucket(builder, -3, "r1", RACK, -1);
	add_named_host(builder, edit);
	add_bucket(builder, -5, "h1", HOST, -3);
	add_device(builder, 2, -5, 1);
	add_rule(builder, 0, "racks", STREW_KIND_REPLICATED,
		 edit == OTHER_STEPS ? STREW_OP_CHOOSE_FIRSTN
				     : STREW_OP_CHOOSELEAF_FIRSTN,
		 edit == OTHER_STEPS ? 0 : RACK);
	add_pool(builder, 1, "data", 2, 16, 0);
	if (edit == LINKED)
		strew_builder_add_item(builder, -3, 0, STREW_WEIGHT_ONE, STREW_ITEM_LINK);
	edit_devices(builder, edit);
	edit_pools(builder, edit);
	return finish_map(builder);
}

static const struct {
	enum edit edit;
	const char *what, *item, *from, *to;
	const char *headline;
} edits[] = {
	{RENAME_HOST, "renamed", "h9", "h0", "h9", "1 name changed"},
	{MOVE_HOST, "moved", "h0", "r0", "r1", "1 item moved"},
	{OTHER_ID, "id", "h0", "-4", "-40", "1 bucket id changed"},
	{OTHER_WEIGHT, "weight", "osd.0", "1", "2", "1 weight changed"},
	{OTHER_REWEIGHT, "reweight", "osd.2", "1", "0.75", "1 reweight changed"},
	{OTHER_CLASS, "class", "osd.1", NULL, "ssd", "1 device class changed"},
	{DOWN, "state", "osd.2", "up", "down", "1 device state changed"},
	{OTHER_AFFINITY, "affinity", "osd.2", "1", "0", "1 primary affinity changed"},
	{OTHER_TUNABLE, "tunable", "choose_total_tries", "50", "19", "1 tunable changed"},
	{OTHER_STEPS, "rule", "racks",
	 "id 0, replicated: take default, chooseleaf firstn 0 type rack, emit",
	 "id 0, replicated: take default, choose firstn 0 type osd, emit",
	 "1 rule changed"},
	{UPMAP, "upmap", "1.a", NULL, "0 → 2", "1 upmap changed"},
	{UPMAP_PRIMARY, "upmap", "1.2", NULL, "primary 1", "1 upmap changed"},
	{WEIGHT_SET, "weight_set", "1", NULL, "present", "1 weight set changed"},
	{WRITTEN_WEIGHT, "weight", "h0", "2", "5", "1 weight changed"},
	{LINKED, "places", "osd.0", "1", "2", "1 item linked or unlinked"},
	{SELECTOR, "alg", "h0", "straw2", "list", "1 selector changed"},
};

static void expect_one_change(enum edit before, enum edit after, size_t index)
{
	strew_placer *old = edited(before), *new = edited(after);
	strew_result *result = diff_maps(old, new, NULL, NULL, NULL);
	char headline[128];

	ck_assert_uint_eq(row_count(result, "changes"), 1);
	if (before == NOTHING)
		ck_assert(has_change(result, edits[index].what, edits[index].item,
				     edits[index].from, edits[index].to));
	snprintf(headline, sizeof(headline), "OLD → NEW    %s", edits[index].headline);
	ck_assert_str_eq(result_headline(result), headline);
	strew_result_free(result);
	strew_placer_release(old);
	strew_placer_release(new);
}

START_TEST(each_change_is_told_and_nothing_else)
{
	expect_one_change(NOTHING, edits[_i].edit, (size_t)_i);
	expect_one_change(edits[_i].edit, NOTHING, (size_t)_i);
}
END_TEST

/* A rack of two hosts more. */
START_TEST(what_is_added_is_told_with_where)
{
	strew_builder *builder = start_three();
	strew_placer *old = finish_map(start_three()), *new;
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_result *result;

	add_bucket(builder, -10, "r9", RACK, -1);
	add_bucket(builder, -11, "h8", HOST, -10);
	add_bucket(builder, -12, "h9", HOST, -10);
	add_device(builder, 20, -11, 1);
	new = finish_map(builder);
	options.old_name = "a.json";
	options.new_name = "b.json";
	result = diff_maps(old, new, NULL, &options, NULL);
	ck_assert_uint_eq(row_count(result, "changes"), 4);
	ck_assert(has_change(result, "added", "r9", NULL, "default"));
	ck_assert(has_change(result, "added", "h8", NULL, "r9"));
	ck_assert(has_change(result, "added", "osd.20", NULL, "h8"));
	ck_assert_str_eq(result_headline(result),
			 "a.json → b.json    1 rack, 2 hosts, 1 device added to default");
	strew_result_free(result);
	strew_placer_release(old);
	strew_placer_release(new);
}
END_TEST

static strew_placer *listed(int32_t first, int32_t second, const char *alg)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	strew_builder *builder = start_map(NULL);

	desc.id = -2;
	desc.name = "h0";
	desc.type = HOST;
	desc.alg = alg;
	strew_builder_add_bucket(builder, &desc);
	strew_builder_add_item(builder, -1, -2, STREW_AUTO_WEIGHT, 0);
	add_device(builder, first, -2, 1);
	add_device(builder, second, -2, 1);
	add_rule(builder, 0, "devices", STREW_KIND_REPLICATED, STREW_OP_CHOOSE_FIRSTN, 0);
	add_pool(builder, 1, "data", 1, 16, 0);
	return finish_map(builder);
}

static const struct {
	const char *alg;
	size_t rows;
} orders[] = {{"list", 1}, {"straw2", 0}};

START_TEST(order_counts_where_it_decides)
{
	strew_placer *old = listed(3, 4, orders[_i].alg),
		     *new = listed(4, 3, orders[_i].alg);
	strew_result *result = diff_maps(old, new, NULL, NULL, NULL);

	ck_assert_uint_eq(row_count(result, "changes"), orders[_i].rows);
	ck_assert_int_eq(has_change(result, "order", "h0", NULL, NULL),
			 (int)orders[_i].rows);
	strew_result_free(result);
	strew_placer_release(old);
	strew_placer_release(new);
}
END_TEST

/* As when classes come to a cluster of one kind of devices: shares stay, ids don't. */
START_TEST(a_rule_of_the_only_class_need_move_nothing)
{
	strew_diff_options options = STREW_DIFF_OPTIONS_INIT;
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_builder *builder = start_map(NULL);
	strew_placer *placer;
	strew_result *result;

	for (int32_t host = 0; host < 10; host++) {
		char name[16];

		snprintf(name, sizeof(name), "h%d", (int)host);
		add_bucket(builder, -2 - host, name, HOST, -1);
		strew_builder_add_device(builder, host, NULL, "hdd");
		strew_builder_add_item(builder, -2 - host, host, STREW_WEIGHT_ONE, 0);
	}
	strew_builder_derive_shadows(builder);
	add_rule(builder, 0, "plain", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	strew_builder_add_rule(builder, 1, "classed", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "default", "hdd");
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 0, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	placer = finish_map(builder);
	inputs.rule = 0;
	inputs.want = 2;
	options.new_rule = 1;
	result = diff_maps(placer, placer, &inputs, &options, NULL);
	ck_assert_int_gt(summary_integer(result, "shards_moved"), 1024);
	ck_assert(summary_real(result, "minimum_shards") < 1e-9);
	ck_assert_int_eq(summary_integer(result, "forced_shards"), 0);
	ck_assert_uint_eq(row_count(result, "changes"), 1);
	ck_assert(has_change(result, "choice", "rule", "plain", "classed"));
	ck_assert_str_eq(result_note_at(result, 0).text,
			 "No device's expected share grows, so nothing would have to "
			 "move.");
	ck_assert_uint_eq(row_count(result, "causes"), 1);
	ck_assert_str_eq(cell_at(result, "causes", 0, "cause").text, "ids");
	ck_assert_str_eq(cell_at(result, "causes", 0, "text").text,
			 "The rule takes default~hdd (id -22) in place of default (id "
			 "-1). Bucket ids are hashed, so that the same devices are drawn "
			 "anew below other ids.");
	ck_assert_uint_eq(row_count(result, "cures"), 1);
	ck_assert_str_eq(cell_at(result, "cures", 0, "cure").text, "remap-ids");
	ck_assert_int_eq(cell_at(result, "cures", 0, "shards_moved").integer, 0);
	strew_result_free(result);
	strew_placer_release(placer);
}
END_TEST

/* Ids of hosts that the pool's rule comes to, or doesn't, as one more bucket comes. */
static strew_placer *with_side_root(int32_t first, int32_t other, int hosts)
{
	strew_builder *builder = start_map(NULL);

	add_hosts(builder, hosts, 2);
	add_bucket(builder, -30, "side", ROOT, 0);
	add_bucket(builder, other, "s0", HOST, -30);
	add_device(builder, 40, other, 1);
	add_bucket(builder, first, "x0", HOST, -1);
	add_device(builder, 41, first, 1);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 2, 512, 0);
	return finish_map(builder);
}

START_TEST(ids_are_blamed_where_they_decide)
{
	strew_placer *old = with_side_root(-20, -21, 3);
	strew_placer *new = with_side_root(_i ? -25 : -20, _i ? -21 : -26, 4);
	strew_result *result = diff_maps(old, new, NULL, NULL, NULL);
	int blamed = 0;

	ck_assert_int_gt(summary_integer(result, "shards_moved"), 0);
	ck_assert(has_change(result, "id", _i ? "x0" : "s0", _i ? "-20" : "-21",
			     _i ? "-25" : "-26"));
	for (size_t i = 0; i < row_count(result, "causes"); i++)
		blamed += strcmp(cell_at(result, "causes", i, "cause").text, "ids") == 0;
	ck_assert_int_eq(blamed, _i);
	strew_result_free(result);
	strew_placer_release(old);
	strew_placer_release(new);
}
END_TEST

TCase *check_analyze_diff_change(void)
{
	TCase *tcase = tcase_create("analyze_diff_change");

	tcase_add_loop_test(tcase, each_change_is_told_and_nothing_else, 0,
			    (int)(sizeof(edits) / sizeof(edits[0])));
	tcase_add_test(tcase, what_is_added_is_told_with_where);
	tcase_add_loop_test(tcase, order_counts_where_it_decides, 0, 2);
	tcase_add_test(tcase, a_rule_of_the_only_class_need_move_nothing);
	tcase_add_loop_test(tcase, ids_are_blamed_where_they_decide, 0, 2);
	return tcase;
}
