/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strew/io.h>

#include "map.h"

/* What was written, and the facts that were lost, a line each. */
struct dump {
	char *text, *lost;
	FILE *text_stream, *lost_stream;
	strew_status status;
};

static int take(void *ctx, const void *bytes, size_t count)
{
	struct dump *dump = ctx;

	return fwrite(bytes, 1, count, dump->text_stream) != count;
}

static void note_loss(void *ctx, const char *fact)
{
	struct dump *dump = ctx;

	fprintf(dump->lost_stream, "%s\n", fact);
}

static struct dump write_as(const strew_map *map, const char *dialect, int lossy,
			    int pretty)
{
	struct dump dump = {.text = NULL};
	strew_write_options how = STREW_WRITE_OPTIONS_INIT;
	const strew_sink sink = {take, &dump};
	size_t len;

	dump.text_stream = open_memstream(&dump.text, &len);
	dump.lost_stream = open_memstream(&dump.lost, &len);
	ck_assert(dump.text_stream && dump.lost_stream);
	how.dialect = dialect;
	how.lossy = lossy;
	how.pretty = pretty;
	how.lost = note_loss;
	how.ctx = &dump;
	dump.status = strew_map_write(map, "crush-json", &how, &sink, NULL);
	fclose(dump.text_stream);
	fclose(dump.lost_stream);
	return dump;
}

static void free_dump(struct dump *dump)
{
	free(dump->text);
	free(dump->lost);
}

static void must_have(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		ck_abort_msg("%s\nhas no\n%s", text, part);
}

static void must_lack(const char *text, const char *part)
{
	if (strstr(text, part) != NULL)
		ck_abort_msg("%s\nhas\n%s", text, part);
}

static strew_builder *start(void)
{
	strew_builder *builder = NULL;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 0, "osd");
	strew_builder_add_type(builder, 1, "host");
	return builder;
}

static void add_host(strew_builder *builder, int32_t id, const char *name,
		     const char *alg, int32_t device)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.type = 1;
	desc.alg = alg;
	strew_builder_add_bucket(builder, &desc);
	strew_builder_add_item(builder, id, device, STREW_WEIGHT_ONE, 0);
}

static strew_map *build(strew_builder *builder)
{
	strew_map *map = NULL;
	strew_error error = {.text = ""};

	ck_assert_msg(strew_builder_build(&map, builder, &error) == STREW_OK, "%s",
		      error.text);
	strew_builder_free(builder);
	return map;
}

static strew_map *read_text(const char *text)
{
	strew_map *map = NULL;
	strew_error error = {.text = ""};

	ck_assert_msg(strew_map_read_memory(&map, text, strlen(text), NULL, &error) ==
			      STREW_OK,
		      "%s: %s", error.where, error.text);
	return map;
}

/* As crushtool 16.2.15 prints the same map. */
START_TEST(pretty_is_a_value_a_line)
{
	strew_builder *builder = start();
	struct dump dump;
	strew_map *map;

	strew_builder_add_device(builder, 0, NULL, NULL);
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_REPLICATED);
	strew_builder_set_rule_mask(builder, 0, 1, 10);
	strew_builder_add_weight_set(builder, -1, NULL);
	add_host(builder, -1, "h", "uniform", 0);
	map = build(builder);
	dump = write_as(map, NULL, 0, 1);
	ck_assert_int_eq(dump.status, STREW_OK);
	must_have(dump.text, "{\n"
			     "    \"devices\": [\n"
			     "        {\n"
			     "            \"id\": 0,\n"
			     "            \"name\": \"osd.0\"\n"
			     "        }\n"
			     "    ],\n"
			     "    \"types\": [\n");
	must_have(dump.text, "            \"items\": [\n"
			     "                {\n"
			     "                    \"id\": 0,\n"
			     "                    \"weight\": 65536,\n"
			     "                    \"pos\": 0\n"
			     "                }\n"
			     "            ]\n"
			     "        }\n"
			     "    ],\n"
			     "    \"rules\": [\n"
			     "        {\n"
			     "            \"rule_id\": 0,\n"
			     "            \"rule_name\": \"r\",\n"
			     "            \"ruleset\": 0,\n"
			     "            \"type\": 1,\n"
			     "            \"min_size\": 1,\n"
			     "            \"max_size\": 10,\n"
			     "            \"steps\": []\n"
			     "        }\n"
			     "    ],\n");
	must_have(dump.text, "        \"has_v5_rules\": 0\n"
			     "    },\n"
			     "    \"choose_args\": {\n"
			     "        \"-1\": []\n"
			     "    }\n"
			     "}\n\n");
	free_dump(&dump);
	strew_map_release(map);
}
END_TEST

/* Observed of crushtool 16.2.15, which keeps them in floats. */
static const struct {
	uint32_t weight;
	const char *text;
	int lossy;
} weights[] = {
	{0, "0", 0},
	{1, "1.52587890625e-05", 0},
	{2, "3.0517578125e-05", 0},
	{3, "4.57763671875e-05", 0},
	{5, "7.62939453125e-05", 0},
	{7, "0.0001068115234375", 0},
	{655, "0.0099945068359375", 0},
	{65535, "0.9999847412109375", 0},
	{65536, "1", 0},
	{65537, "1.0000152587890625", 0},
	{524287, "7.9999847412109375", 0},
	{6553700, "100.00152587890625", 0},
	{16777213, "255.99995422363281", 0},
	{16777217, "256", 1},
	{16777218, "256.00003051757812", 0},
	{123456789, "1883.8011474609375", 1},
	{655360000, "10000", 0},
	{655360001, "10000", 1},
	{0x80000001, "32768", 1},
	{3000000000, "45776.3671875", 0},
	{0xfffffffe, "65535.99609375", 1},
};

START_TEST(weights_of_sets_are_floats)
{
	strew_builder *builder = start();
	struct dump dump;
	strew_map *map;
	char wanted[64];

	strew_builder_add_device(builder, 0, NULL, NULL);
	add_host(builder, -1, "h", NULL, 0);
	strew_builder_add_weight_set(builder, 7, NULL);
	strew_builder_add_weight_row(builder, -1, &weights[_i].weight, 1);
	map = build(builder);
	dump = write_as(map, NULL, 1, 0);
	ck_assert_int_eq(dump.status, STREW_OK);
	snprintf(wanted, sizeof(wanted), "\"weight_set\":[[%s]]", weights[_i].text);
	must_have(dump.text, wanted);
	ck_assert_str_eq(dump.lost, weights[_i].lossy
					    ? "the last bits of weights in weight set 7, "
					      "for Ceph prints them as 32-bit floats\n"
					    : "");
	strew_map_release(map);
	map = read_text(dump.text);
	if (!weights[_i].lossy)
		ck_assert_uint_eq(map->weight_sets[0].buckets[0].rows[0],
				  weights[_i].weight);
	free_dump(&dump);
	strew_map_release(map);
}
END_TEST

START_TEST(names_have_the_escapes_of_ceph)
{
	strew_builder *builder = start();
	const char name[] = "h\"\\/\x01\x08\x0c\n\r\t\x1f\x7f<\xc3\xa9~";
	struct dump dump;
	strew_map *map;

	strew_builder_add_device(builder, 0, NULL, NULL);
	add_host(builder, -1, name, NULL, 0);
	map = build(builder);
	dump = write_as(map, NULL, 0, 0);
	must_have(dump.text,
		  "\"name\":\"h\\\"\\\\/\\u0001\\u0008\\u000c\\n\\u000d\\t\\u001f"
		  "\\u007f<\xc3\xa9~\"");
	strew_map_release(map);
	map = read_text(dump.text);
	ck_assert_str_eq(map->buckets[0].name, name);
	free_dump(&dump);
	strew_map_release(map);
}
END_TEST

START_TEST(what_has_no_name_is_named_as_ceph_does)
{
	strew_builder *builder = start();
	struct dump dump;
	strew_map *map;

	strew_builder_add_type(builder, 7, "type7");
	map_set_unnamed(builder, MAP_TYPES, 7);
	strew_builder_add_device(builder, 2, "device2", NULL);
	map_set_unnamed(builder, MAP_DEVICES, 2);
	add_host(builder, -1, "bucket0", NULL, 2);
	map_set_unnamed(builder, MAP_BUCKETS, -1);
	strew_builder_add_rule(builder, 3, "", STREW_KIND_REPLICATED);
	strew_builder_set_rule_mask(builder, 9, 1, 10);
	strew_builder_add_take(builder, -1);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 0, 7, NULL);
	map = build(builder);
	dump = write_as(map, NULL, 0, 0);
	ck_assert_int_eq(dump.status, STREW_OK);
	must_have(dump.text, "{\"devices\":[{\"id\":0,\"name\":\"device0\"},{\"id\":1,"
			     "\"name\":\"device1\"},{\"id\":2,\"name\":\"device2\"}],");
	must_have(dump.text, "[{\"type_id\":0,\"name\":\"osd\"},{\"type_id\":1,\"name\":"
			     "\"host\"}],\"buckets\":[{\"id\":-1,\"type_id\":1,");
	must_have(dump.text, "{\"rule_id\":3,\"ruleset\":9,");
	must_have(dump.text, "{\"op\":\"take\",\"item\":-1,\"item_name\":\"\"},"
			     "{\"opcode\":2,\"arg1\":0,\"arg2\":7}");
	free_dump(&dump);
	strew_map_release(map);
}
END_TEST

static strew_map *map_of_steps(void)
{
	strew_builder *builder = start();

	strew_builder_set_tunable(builder, "choose_total_tries", 0xffffffff);
	strew_builder_set_tunable(builder, "allowed_bucket_algs", 0xffffffff);
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_ERASURE);
	strew_builder_add_step(builder, STREW_OP_SET_CHOOSE_TRIES, 5);
	strew_builder_add_step(builder, STREW_OP_SET_CHOOSE_LOCAL_TRIES, 6);
	strew_builder_add_step(builder, STREW_OP_SET_MSR_DESCENTS, 7);
	map_add_raw_step(builder, 99, -1, 2);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 2, 1, NULL);
	strew_builder_add_rule(builder, 1, "m", STREW_KIND_MSR_INDEP);
	return build(builder);
}

START_TEST(steps_without_a_word_are_numbers)
{
	strew_map *map = map_of_steps();
	struct dump old = write_as(map, NULL, 0, 0), new = write_as(map, "19", 0, 0);

	ck_assert_int_eq(old.status, STREW_OK);
	must_have(old.text,
		  "\"ruleset\":0,\"type\":3,\"min_size\":1,\"max_size\":100,\"steps"
		  "\":[{\"op\":\"set_choose_tries\",\"num\":5},{\"opcode\":10,"
		  "\"arg1\":6,\"arg2\":0},{\"opcode\":14,\"arg1\":7,\"arg2\":0},"
		  "{\"opcode\":99,\"arg1\":-1,\"arg2\":2},{\"opcode\":16,"
		  "\"arg1\":2,\"arg2\":1}]}");
	must_have(new.text,
		  "{\"rule_id\":0,\"rule_name\":\"r\",\"type\":3,\"steps\":[{\"op\":"
		  "\"set_choose_tries\",\"num\":5},{\"opcode\":10,\"arg1\":6,"
		  "\"arg2\":0},{\"op\":\"set_msr_descents\",\"num\":7},"
		  "{\"opcode\":99,\"arg1\":-1,\"arg2\":2},{\"op\":\"choosemsr\","
		  "\"num\":2,\"type\":\"host\"}]}");
	free_dump(&old);
	free_dump(&new);
	strew_map_release(map);
}
END_TEST

START_TEST(tunables_are_signed_and_tell_what_they_need)
{
	strew_map *map = map_of_steps();
	struct dump old = write_as(map, NULL, 0, 0), new = write_as(map, "squid", 0, 0);

	must_have(old.text, "\"choose_total_tries\":-1,");
	must_have(old.text, "\"allowed_bucket_algs\":4294967295,\"profile\":\"unknown\","
			    "\"optimal_tunables\":0,\"legacy_tunables\":0,"
			    "\"minimum_required_version\":\"jewel\",");
	must_have(old.text, "\"has_v2_rules\":1,");
	must_have(old.text, "\"has_v5_rules\":0}");
	must_lack(old.text, "msr");
	must_have(new.text, "\"chooseleaf_stable\":1,\"msr_descents\":100,"
			    "\"msr_collision_tries\":100,\"straw_calc_version\":1,");
	must_have(new.text, "\"minimum_required_version\":\"squid\",");
	must_have(new.text, "\"has_v5_rules\":0,\"has_msr_rules\":1}");
	strew_map_release(map);
	map = read_text(old.text);
	ck_assert_uint_eq(map->tunables.choose_total_tries, 0xffffffff);
	ck_assert_uint_eq(map->tunables.allowed_bucket_algs, 0xffffffff);
	strew_map_release(map);
	free_dump(&old);
	free_dump(&new);
}
END_TEST

static void add_what_is_lost(strew_builder *builder)
{
	const uint32_t lengths[] = {5};
	strew_pool_desc pool = STREW_POOL_DESC_INIT;

	strew_builder_set_name(builder, "c");
	strew_builder_set_epoch(builder, 4);
	strew_builder_set_tunable(builder, "msr_descents", 5);
	strew_builder_set_reweight(builder, 0, 1);
	strew_builder_set_primary_affinity(builder, 0, 1);
	strew_builder_set_state(builder, 0, 1, 0);
	strew_builder_set_capacity(builder, 0, 1, 0);
	map_set_table(builder, -1, lengths, 1);
	pool.name = "p";
	pool.pg_num = 1;
	strew_builder_add_pool(builder, &pool);
	strew_builder_add_upmap_item(builder, (strew_pg){0, 0}, 0, 1);
	map_add_remark(builder, &(struct map_remark){
					.owner = MAP_OF_MAP, .name = "_", .text = "1"});
	map_add_stray(builder, &(struct map_stray){
				       .kind = MAP_STRAY_RULE, .id = 9, .name = "gone"});
	map_set_layout(builder, &(struct map_layout){.rule_slots = 20});
	strew_builder_add_weight_set(builder, -1, "mine");
}

START_TEST(all_that_is_lost_is_told)
{
	strew_builder *builder = start();
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	struct dump dump;
	strew_map *map;

	strew_builder_add_device(builder, 0, NULL, NULL);
	strew_builder_add_device(builder, 1, "device1", NULL);
	strew_builder_add_device(builder, 3, "device3", NULL);
	add_host(builder, -1, "h", "straw", 0);
	add_host(builder, -2, "i", NULL, 1);
	map_add_class_id(builder, 2, "ssd");
	desc.id = -3;
	desc.name = "h~x";
	desc.type = 1;
	desc.hash = 3;
	strew_builder_add_bucket(builder, &desc);
	strew_builder_add_rule(builder, 0, "r", STREW_KIND_REPLICATED);
	map_add_raw_step(builder, STREW_OP_EMIT, 0, 3);
	add_what_is_lost(builder);
	map = build(builder);
	dump = write_as(map, NULL, 0, 0);
	ck_assert_int_eq(dump.status, STREW_ENOTSUP);
	ck_assert_str_eq(dump.text, "");
	ck_assert_str_eq(
		dump.lost,
		"the map's name, \"c\"\n"
		"the map's epoch, 4\n"
		"the reweight of osd.0\n"
		"the state (down, or no device of the cluster) of osd.0\n"
		"the primary affinity of osd.0\n"
		"the size and use of osd.0\n"
		"the pool p (id 0)\n"
		"the overrides (upmaps, temps) of 1 PG\n"
		"1 remark that people noted beside things\n"
		"the id of the device class ssd, 2\n"
		"arguments of step 0 of rule 0 that decide nothing\n"
		"the tunables msr_descents and msr_collision_tries, which the dialect "
		"pacific does not have\n"
		"the name of weight set -1, \"mine\"\n"
		"the name of a rule that isn't there, 9\n"
		"empty slots of the arrays of buckets and rules\n"
		"that device 1 is called \"device1\", like one without a name\n"
		"device 3, which is in no bucket and has no name but \"device3\"\n"
		"the straw lengths of bucket h, as they were stored\n"
		"the hash of bucket h~x, 3\n"
		"that bucket -3 (h~x) is no shadow, whatever its name says\n");
	free_dump(&dump);
	dump = write_as(map, NULL, 1, 0);
	ck_assert_int_eq(dump.status, STREW_OK);
	strew_map_release(map);
	strew_map_release(read_text(dump.text));
	free_dump(&dump);
}
END_TEST

START_TEST(gaps_beyond_reason_are_left_out)
{
	strew_builder *builder = start();
	struct dump dump;
	strew_map *map;

	strew_builder_add_device(builder, STREW_DEVICE_ID_MAX, NULL, NULL);
	map = build(builder);
	dump = write_as(map, NULL, 0, 0);
	ck_assert_int_eq(dump.status, STREW_OK);
	must_have(dump.text,
		  "{\"devices\":[{\"id\":1073741823,\"name\":\"osd.1073741823\"}],");
	free_dump(&dump);
	strew_map_release(map);
}
END_TEST

START_TEST(algorithms_of_others_are_refused)
{
	strew_builder *builder = start();
	struct dump dump;
	strew_map *map;

	strew_builder_add_device(builder, 0, NULL, NULL);
	add_host(builder, -1, "h", "ring", 0);
	map = build(builder);
	dump = write_as(map, NULL, 1, 0);
	ck_assert_int_eq(dump.status, STREW_ENOTSUP);
	ck_assert_str_eq(dump.text, "");
	free_dump(&dump);
	strew_map_release(map);
}
END_TEST

TCase *check_format_ceph_write(void)
{
	TCase *tcase = tcase_create("format_ceph_write");

	tcase_add_test(tcase, pretty_is_a_value_a_line);
	tcase_add_loop_test(tcase, weights_of_sets_are_floats, 0,
			    (int)(sizeof(weights) / sizeof(weights[0])));
	tcase_add_test(tcase, names_have_the_escapes_of_ceph);
	tcase_add_test(tcase, what_has_no_name_is_named_as_ceph_does);
	tcase_add_test(tcase, steps_without_a_word_are_numbers);
	tcase_add_test(tcase, tunables_are_signed_and_tell_what_they_need);
	tcase_add_test(tcase, all_that_is_lost_is_told);
	tcase_add_test(tcase, gaps_beyond_reason_are_left_out);
	tcase_add_test(tcase, algorithms_of_others_are_refused);
	return tcase;
}
