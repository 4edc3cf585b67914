/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyze_support.h"
#include "result.h"

static strew_result *show(strew_placer *placer, int shadow)
{
	strew_show_options options = STREW_SHOW_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error = {.text = ""};

	options.shadow = shadow;
	if (strew_show(&result, placer, &options, NULL, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	strew_placer_release(placer);
	return result;
}

static strew_result *show_map(strew_builder *builder)
{
	return show(finish_map(builder), 0);
}

static const char *text_at(const strew_result *result, const char *table, size_t row,
			   const char *column)
{
	strew_cell cell = cell_at(result, table, row, column);

	return cell.kind == STREW_CELL_TEXT ? cell.text : "null";
}

static double real_at(const strew_result *result, size_t row, const char *column)
{
	return cell_at(result, "tree", row, column).real;
}

/* The names of the tree, in order, split by spaces. */
static void list_names(char text[256], const strew_result *result)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t row = 0; row < row_count(result, "tree"); row++)
		len += (size_t)snprintf(text + len, 256 - len, "%s%s", row > 0 ? " " : "",
					text_at(result, "tree", row, "name"));
}

static void add_class_device(strew_builder *builder, int32_t id, const char *class_name,
			     int32_t bucket)
{
	strew_builder_add_device(builder, id, NULL, class_name);
	strew_builder_add_item(builder, bucket, id, STREW_WEIGHT_ONE, 0);
}

/* What osdmaptool --tree prints for such a map. */
START_TEST(siblings_stand_as_in_osd_tree)
{
	strew_builder *builder = start_map(NULL);
	strew_result *result;
	char names[256];

	add_class_device(builder, 2, NULL, -1);
	add_bucket(builder, -2, "zeta", HOST, -1);
	add_class_device(builder, 1, "Zed", -1);
	add_class_device(builder, 0, "ssd", -1);
	add_bucket(builder, -3, "alpha", HOST, -1);
	add_class_device(builder, 4, "hdd2", -1);
	add_class_device(builder, 10, "hdd", -1);
	add_class_device(builder, 9, "hdd", -1);
	add_bucket(builder, -4, "h10", HOST, -1);
	add_bucket(builder, -5, "h9", HOST, -1);
	add_class_device(builder, 3, "hdd", -2);
	add_bucket(builder, -9, "other", ROOT, 0);
	result = show_map(builder);
	list_names(names, result);
	ck_assert_str_eq(names, "other default osd.1 alpha h10 h9 osd.2 zeta osd.3 osd.4 "
				"osd.9 osd.10 osd.0");
	strew_result_free(result);
}
END_TEST

START_TEST(a_row_says_where_it_hangs)
{
	strew_builder *builder = start_three();
	strew_result *result;

	strew_builder_set_reweight(builder, 1, STREW_WEIGHT_ONE / 2);
	strew_builder_set_state(builder, 1, 1, 0);
	result = show_map(builder);
	ck_assert_int_eq((int)cell_at(result, "tree", 4, "id").integer, 1);
	ck_assert_str_eq(text_at(result, "tree", 4, "parent"), "h1");
	ck_assert_int_eq((int)cell_at(result, "tree", 4, "depth").integer, 2);
	ck_assert_str_eq(text_at(result, "tree", 4, "status"), "down");
	ck_assert_double_eq(real_at(result, 4, "reweight"), 0.5);
	ck_assert_str_eq(text_at(result, "tree", 3, "type"), "host");
	ck_assert_int_eq(cell_at(result, "tree", 3, "status").kind, STREW_CELL_NULL);
	ck_assert_str_eq(text_at(result, "tree", 0, "parent"), "null");
	ck_assert_str_eq(text_at(result, "tree_text", 3, "type_name"), "    host h1");
	ck_assert_str_eq(text_at(result, "tree_text", 4, "type_name"), "        osd.1");
	ck_assert_str_eq(text_at(result, "tree_text", 4, "reweight"), "0.50000");
	strew_result_free(result);
}
END_TEST

/* Devices in no bucket stand at the end, if they exist. */
START_TEST(strays_come_last)
{
	strew_builder *builder = start_three();
	strew_result *result;

	strew_builder_add_device(builder, 7, NULL, NULL);
	strew_builder_add_device(builder, 8, NULL, NULL);
	strew_builder_set_state(builder, 8, 0, 0);
	result = show_map(builder);
	ck_assert_uint_eq(row_count(result, "tree"), 8);
	ck_assert_str_eq(text_at(result, "tree", 7, "name"), "osd.7");
	ck_assert_int_eq((int)cell_at(result, "tree", 7, "depth").integer, 0);
	ck_assert_double_eq(real_at(result, 7, "weight"), 0);
	ck_assert_str_eq(text_at(result, "tree_text", 7, "weight"), "0");
	ck_assert_int_eq((int)summary_integer(result, "devices"), 4);
	strew_result_free(result);
}
END_TEST

START_TEST(what_is_not_there_is_dne)
{
	strew_builder *builder = start_three();
	strew_result *result;

	strew_builder_set_state(builder, 0, 0, 0);
	result = show_map(builder);
	ck_assert_str_eq(text_at(result, "tree_text", 2, "status"), "DNE");
	ck_assert_str_eq(text_at(result, "tree_text", 2, "reweight"), "0");
	ck_assert_str_eq(text_at(result, "tree_text", 2, "primary_affinity"), "");
	strew_result_free(result);
}
END_TEST

/* Seen in osdmaptool's tree: these pass through a 32-bit float. */
static const struct {
	uint32_t weight;
	const char *text;
} weights[] = {
	{0, "0"},
	{STREW_WEIGHT_ONE, "1.00000"},
	{85196, "1.29999"},
	{80908640, "1234.56787"},
	{81387052, "1241.86792"},
};

START_TEST(weights_are_those_of_ceph)
{
	strew_builder *builder = start_map(NULL);
	strew_result *result;

	strew_builder_add_device(builder, 0, NULL, NULL);
	strew_builder_add_item(builder, -1, 0, weights[_i].weight, 0);
	result = show_map(builder);
	ck_assert_str_eq(text_at(result, "tree_text", 1, "weight"), weights[_i].text);
	ck_assert_double_eq(real_at(result, 1, "weight"), weights[_i].weight / 65536.0);
	strew_result_free(result);
}
END_TEST

START_TEST(shadows_are_shown_when_asked_for)
{
	for (int shadow = 0; shadow < 2; shadow++) {
		strew_builder *builder = start_map(NULL);
		strew_result *result;
		char names[256];

		add_bucket(builder, -2, "h0", HOST, -1);
		add_class_device(builder, 0, "ssd", -2);
		strew_builder_set_shadow_id(builder, -1, "ssd", -7);
		strew_builder_derive_shadows(builder);
		result = show(finish_map(builder), shadow);
		list_names(names, result);
		ck_assert_str_eq(names,
				 shadow ? "default~ssd h0~ssd osd.0 default h0 osd.0"
					: "default h0 osd.0");
		if (shadow)
			ck_assert_str_eq(text_at(result, "tree", 0, "class"), "ssd");
		ck_assert_int_eq((int)summary_integer(result, "buckets"), 2);
		ck_assert_int_eq((int)summary_integer(result, "classes"), 1);
		strew_result_free(result);
	}
}
END_TEST

/* Pool 2 puts a copy of its 24 PGs on h0's devices only, pool 1 one on each host. */
START_TEST(shares_are_of_all_pools)
{
	strew_builder *builder = start_three();
	strew_result *result;

	strew_builder_add_rule(builder, 1, "one", STREW_KIND_REPLICATED);
	strew_builder_add_take(builder, 0);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	add_pool(builder, 2, "one", 1, 3 * PGS, 1);
	result = show_map(builder);
	ck_assert_double_eq_tol(real_at(result, 0, "share_percent"), 100, 1e-9);
	ck_assert_double_eq_tol(real_at(result, 1, "share_percent"), 100 * 4.0 / 6, 1e-9);
	ck_assert_double_eq_tol(real_at(result, 2, "share_percent"), 100 * 4.0 / 6, 1e-9);
	ck_assert_double_eq_tol(real_at(result, 6, "share_percent"), 100 / 6.0, 1e-9);
	strew_result_free(result);
}
END_TEST

/* … of its root by weight, where there are no pools; in each place what comes there. */
START_TEST(without_pools_shares_are_of_the_root)
{
	strew_builder *builder = start_map(NULL);
	strew_result *result;

	add_bucket(builder, -2, "h0", HOST, -1);
	add_bucket(builder, -9, "other", ROOT, 0);
	add_device(builder, 0, -2, 1);
	add_device(builder, 1, -2, 3);
	add_device(builder, 2, -1, 4);
	strew_builder_add_item(builder, -9, 0, STREW_WEIGHT_ONE, STREW_ITEM_LINK);
	result = show_map(builder);
	/* other osd.0 default h0 osd.0 osd.1 osd.2 */
	ck_assert_double_eq_tol(real_at(result, 0, "share_percent"), 100, 1e-9);
	ck_assert_double_eq_tol(real_at(result, 1, "share_percent"), 100, 1e-9);
	ck_assert_double_eq_tol(real_at(result, 3, "share_percent"), 50, 1e-9);
	ck_assert_double_eq_tol(real_at(result, 4, "share_percent"), 12.5, 1e-9);
	ck_assert_double_eq_tol(real_at(result, 5, "share_percent"), 37.5, 1e-9);
	strew_result_free(result);
}
END_TEST

/* Each level holds the next one twice: 2^40 rows if all were opened. */
START_TEST(links_upon_links_are_opened_no_further)
{
	strew_builder *builder = start_map(NULL);
	strew_result *result;
	size_t last;

	for (int level = 0; level < 40; level++) {
		char name[16];
		int32_t id = -10 - 3 * level, parent = level ? id + 3 : -1;

		for (int side = 0; side < 2; side++) {
			snprintf(name, sizeof(name), "s%d-%d", level, side);
			add_bucket(builder, id - 1 - side, name, RACK, 0);
			strew_builder_add_item(builder, parent, id - 1 - side,
					       STREW_AUTO_WEIGHT, 0);
		}
		snprintf(name, sizeof(name), "l%d", level);
		add_bucket(builder, id, name, RACK, 0);
		for (int side = 0; side < 2; side++)
			strew_builder_add_item(builder, id - 1 - side, id,
					       STREW_WEIGHT_ONE, STREW_ITEM_LINK);
	}
	result = show_map(builder);
	ck_assert_uint_gt(row_count(result, "tree"), 200);
	ck_assert_uint_lt(row_count(result, "tree"), 1200);
	last = result_note_count(result) - 1;
	ck_assert_ptr_nonnull(
		strstr(result_note_at(result, last).text, "is not opened again"));
	strew_result_free(result);
}
END_TEST

#define CHAIN 3000

START_TEST(a_long_chain_is_set_in_only_so_far)
{
	strew_builder *builder = start_map(NULL);
	strew_result *result;

	for (int32_t i = 0; i < CHAIN; i++) {
		char name[16];

		snprintf(name, sizeof(name), "c%d", (int)i);
		add_bucket(builder, -2 - i, name, RACK, -1 - i);
	}
	result = show_map(builder);
	ck_assert_int_eq((int)cell_at(result, "tree", CHAIN, "depth").integer, CHAIN);
	ck_assert_uint_eq(strlen(text_at(result, "tree_text", CHAIN, "type_name")),
			  160 + strlen("rack c2999"));
	strew_result_free(result);
}
END_TEST

START_TEST(the_first_line_says_what_there_is)
{
	strew_builder *builder = start_three();
	strew_result *result;

	strew_builder_set_name(builder, "three");
	strew_builder_set_state(builder, 1, 1, 0);
	strew_builder_set_reweight(builder, 2, 0);
	for (int32_t i = 0; i < 3; i++)
		strew_builder_set_capacity(builder, i, 1024 * GIB, 256 * GIB);
	result = show_map(builder);
	ck_assert_str_eq(result_headline(result),
			 "three: 1 root, 3 hosts, 3 devices; 1 down; 1 out; 3.0 TiB, "
			 "25.0 % used; 1 pool, 8 PGs");
	ck_assert_int_eq((int)summary_integer(result, "devices_up"), 2);
	ck_assert_int_eq((int)summary_integer(result, "devices_in"), 2);
	ck_assert_double_eq(summary_real(result, "weight"), 3);
	ck_assert_double_eq(summary_real(result, "used_bytes"), 768.0 * GIB);
	strew_result_free(result);
	result = show_map(start_map(NULL));
	ck_assert_str_eq(result_headline(result), "1 root");
	ck_assert(is_null(result, "size_bytes"));
	strew_result_free(result);
}
END_TEST

START_TEST(a_pool_is_said_in_words)
{
	strew_builder *builder = start_three();
	strew_pool_desc desc = STREW_POOL_DESC_INIT;
	strew_result *result;

	add_rule(builder, 1, "ec", STREW_KIND_ERASURE, STREW_OP_CHOOSELEAF_INDEP, HOST);
	desc.id = 2;
	desc.name = "cold";
	desc.kind = STREW_KIND_ERASURE;
	desc.size = desc.min_size = 3;
	desc.k = 2;
	desc.pg_num = 4;
	desc.rule = 1;
	strew_builder_add_pool(builder, &desc);
	result = show_map(builder);
	ck_assert_str_eq(text_at(result, "pools", 0, "text"),
			 "3 copies, each in another host of default; serves with 2 or "
			 "more");
	ck_assert_str_eq(text_at(result, "pools", 0, "rule_name"), "hosts");
	ck_assert_int_eq(cell_at(result, "pools", 0, "bytes").integer, PGS * GIB);
	ck_assert_str_eq(
		text_at(result, "pools", 1, "text"),
		"3 shards, each in another host of default; any 2 hold the data; "
		"serves only with all");
	ck_assert_int_eq(cell_at(result, "pools", 1, "bytes").kind, STREW_CELL_NULL);
	strew_result_free(result);
}
END_TEST

static strew_status show_all(strew_result **out, const strew_run *run, void *ctx)
{
	return strew_show(out, ctx, NULL, run, NULL);
}

START_TEST(no_lack_of_memory_leaks)
{
	strew_placer *placer = three();

	ck_assert_uint_gt(fail_each(show_all, placer), 30);
	strew_placer_release(placer);
}
END_TEST

TCase *check_analyze_show(void)
{
	TCase *tcase = tcase_create("analyze_show");

	tcase_add_test(tcase, siblings_stand_as_in_osd_tree);
	tcase_add_test(tcase, a_row_says_where_it_hangs);
	tcase_add_test(tcase, strays_come_last);
	tcase_add_test(tcase, what_is_not_there_is_dne);
	tcase_add_loop_test(tcase, weights_are_those_of_ceph, 0,
			    sizeof(weights) / sizeof(weights[0]));
	tcase_add_test(tcase, shadows_are_shown_when_asked_for);
	tcase_add_test(tcase, shares_are_of_all_pools);
	tcase_add_test(tcase, without_pools_shares_are_of_the_root);
	tcase_add_test(tcase, links_upon_links_are_opened_no_further);
	tcase_add_test(tcase, a_long_chain_is_set_in_only_so_far);
	tcase_add_test(tcase, the_first_line_says_what_there_is);
	tcase_add_test(tcase, a_pool_is_said_in_words);
	tcase_add_test(tcase, no_lack_of_memory_leaks);
	return tcase;
}
