/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strew/io.h>

#include "format_ceph_commands.h"
#include "support.h"

/* Maps of two racks, put together from their tree, their rules and the rest. */
#define MAP(tree, rules, rest)                                                           \
	"{ \"format\": \"strew-map/1\","                                                 \
	"  \"types\": [\"osd\", \"host\", \"rack\", \"root\"],"                          \
	"  \"tree\": [ { \"type\": \"root\", \"name\": \"default\", \"id\": -1,"         \
	"    \"children\": [" tree "] } ],"                                              \
	"  \"rules\": [" rules "] " rest " }"
#define RACK(name, id, hosts)                                                            \
	"{ \"type\": \"rack\", \"name\": \"" name "\", \"id\": " id                      \
	", \"children\": [" hosts "] }"
#define HOST(name, id, devices)                                                          \
	"{ \"type\": \"host\", \"name\": \"" name "\", \"id\": " id                      \
	", \"children\": [" devices "] }"
#define DEVICE(id, weight) "{ \"devices\": \"" id "\", \"weight\": " weight " }"
#define CLASS(id, weight, name)                                                          \
	"{ \"devices\": \"" id "\", \"weight\": " weight ", \"class\": \"" name "\" }"
#define RULE(name, id, kind, steps)                                                      \
	"{ \"name\": \"" name "\", \"id\": " id ", \"type\": \"" kind                    \
	"\", \"steps\": [" steps "] }"
#define PLAIN                                                                            \
	RULE("plain", "0", "replicated",                                                 \
	     "\"take default\", \"chooseleaf firstn 0 type host\", \"emit\"")
#define TREE                                                                             \
	RACK("r1", "-2", HOST("h1", "-3", DEVICE("0-1", "1")))                           \
	"," RACK("r2", "-4", HOST("h2", "-5", DEVICE("2-3", "1")))
#define POOL(name, size, pgs, more)                                                      \
	", \"pools\": [ { \"name\": \"" name "\", \"id\": 1, \"size\": " size            \
	", \"pg_num\": " pgs ", \"rule\": \"plain\" }" more " ]"

struct written {
	char *text;
	size_t len;
	FILE *stream;
	size_t facts;
	char first[400];
};

static int take(void *ctx, const void *bytes, size_t count)
{
	struct written *written = ctx;

	return fwrite(bytes, 1, count, written->stream) != count;
}

static void note(void *ctx, const char *fact)
{
	struct written *written = ctx;

	if (written->facts++ == 0)
		snprintf(written->first, sizeof(written->first), "%s", fact);
}

static strew_map *read_text(const char *text)
{
	strew_map *map = NULL;
	strew_error error = {.text = ""};

	ck_assert_msg(strew_map_read_memory(&map, text, strlen(text), NULL, &error) ==
			      STREW_OK,
		      "%s: %s\n%s", error.where, error.text, text);
	return map;
}

static strew_status write_between(struct written *written, const strew_map *before,
				  const strew_map *after,
				  const strew_allocator *allocator)
{
	strew_commands_options how = STREW_COMMANDS_OPTIONS_INIT;
	const strew_sink sink = {take, written};
	strew_status status;

	how.lost = note;
	how.ctx = written;
	how.allocator = allocator;
	*written = (struct written){.len = 0};
	written->stream = open_memstream(&written->text, &written->len);
	ck_assert_ptr_nonnull(written->stream);
	status = strew_map_write_commands(before, after, &how, &sink, NULL);
	fclose(written->stream);
	return status;
}

/* The lines that are no comments. */
static void keep_commands(char *text)
{
	char *to = text;

	while (*text != '\0') {
		size_t len = strcspn(text, "\n") + 1;

		if (*text != '#' && *text != '\n') {
			memmove(to, text, len);
			to += len;
		}
		text += len;
	}
	*to = '\0';
}

struct between {
	const char *before;
	const char *after;
	const char *commands;
	const char *fact; /* the first; NULL: none */
};

static const struct between cases[] = {
	{MAP(TREE, PLAIN, ""), MAP(TREE, PLAIN, ""), "", NULL},
	/* Weights: the fewest decimals. */
	{MAP(TREE, PLAIN, ""),
	 MAP(RACK("r1", "-2",
		  HOST("h1", "-3",
		       DEVICE("0", "7.28") "," DEVICE(
			       "1", "0.00002"))) "," RACK("r2", "-4",
							  HOST("h2", "-5",
							       DEVICE("2-3", "1"))),
	     PLAIN, ""),
	 "ceph osd crush reweight osd.0 7.28\n"
	 "ceph osd crush reweight osd.1 0.00002\n",
	 NULL},
	/* A move, one with another weight, a bucket that is emptied and goes. */
	{MAP(TREE, PLAIN, ""),
	 MAP(RACK("r1", "-2",
		  HOST("h1", "-3",
		       DEVICE("0-2", "1") "," DEVICE("3", "2"))) "," RACK("r2", "-4", ""),
	     PLAIN, ""),
	 "ceph osd crush move osd.2 host=h1\n"
	 "ceph osd crush set osd.3 2 host=h1\n"
	 "ceph osd crush rm h2\n",
	 NULL},
	/* Made in the order of their ids, hung from the top. */
	{MAP(RACK("r1", "-2", HOST("h1", "-3", DEVICE("0-1", "1"))), PLAIN, ""),
	 MAP(RACK("r1", "-2", HOST("h1", "-3", DEVICE("0-1", "1"))) "," RACK(
		     "r2", "-5", HOST("h2", "-4", DEVICE("2", "1.5"))),
	     PLAIN, ""),
	 "ceph osd crush add-bucket h2 host\n"
	 "ceph osd crush add-bucket r2 rack\n"
	 "ceph osd crush move r2 root=default\n"
	 "ceph osd crush move h2 rack=r2\n"
	 "ceph osd crush add osd.2 1.5 host=h2\n",
	 NULL},
	{MAP(RACK("r1", "-2", HOST("h1", "-3", DEVICE("0-1", "1"))), PLAIN, ""),
	 MAP(RACK("r1", "-2", HOST("h1", "-3", DEVICE("0-1", "1"))) "," RACK("r2", "-7",
									     ""),
	     PLAIN, ""),
	 "ceph osd crush add-bucket r2 rack\n"
	 "ceph osd crush move r2 root=default\n",
	 "the id of bucket r2"},
	/* The same id under another name; the same name under another id. */
	{MAP(RACK("r1", "-2", ""), PLAIN, ""), MAP(RACK("r9", "-2", ""), PLAIN, ""),
	 "ceph osd crush rename-bucket r1 r9\n", NULL},
	{MAP(RACK("r1", "-2", ""), PLAIN, ""), MAP(RACK("r1", "-9", ""), PLAIN, ""), "",
	 "the id of bucket r1"},
	/* Two racks change places with what holds them: no bucket comes into itself. */
	{MAP(RACK("r1", "-2", HOST("h1", "-3", "")), PLAIN, ""),
	 MAP(HOST("h1", "-3", RACK("r1", "-2", "")), PLAIN, ""),
	 "ceph osd crush move h1 root=default\n"
	 "ceph osd crush move r1 host=h1\n",
	 NULL},
	/* Classes, in groups; first for those that have none. */
	{MAP(RACK("r1", "-2", CLASS("0-1", "1", "hdd") "," DEVICE("2-3", "1")), PLAIN,
	     ""),
	 MAP(RACK("r1", "-2", CLASS("0-1", "1", "ssd") "," CLASS("2-3", "1", "hdd")),
	     PLAIN, ", \"classes\": [\"hdd\", \"ssd\"]"),
	 "ceph osd crush set-device-class hdd osd.2 osd.3\n"
	 "ceph osd crush rm-device-class osd.0 osd.1\n"
	 "ceph osd crush set-device-class ssd osd.0 osd.1\n",
	 NULL},
	/* Rules. */
	{MAP(TREE, PLAIN, ""),
	 MAP(TREE,
	     RULE("other", "0", "replicated",
		  "\"take default\", \"chooseleaf firstn 0 type host\", "
		  "\"emit\"") "," RULE("racks", "1", "replicated",
				       "\"take r1\", \"chooseleaf firstn 0 "
				       "type rack\", \"emit\"") "," RULE("code"
									 "d",
									 "2",
									 "erasu"
									 "re",
									 "\"set"
									 "_choo"
									 "selea"
									 "f_"
									 "tries"
									 " 5\","
									 " \"se"
									 "t_"
									 "choos"
									 "e_"
									 "tries"
									 " 100"
									 "\", "
									 "\"tak"
									 "e "
									 "defau"
									 "lt\","
									 "\"cho"
									 "ose "
									 "indep"
									 " 0 "
									 "type "
									 "osd\""
									 ", "
									 "\"emi"
									 "t\""),
	     ""),
	 "ceph osd crush rule rename plain other\n"
	 "ceph osd crush rule create-replicated racks r1 rack\n"
	 "ceph osd erasure-code-profile set rule-coded k=2 m=1 crush-root=default "
	 "crush-failure-domain=osd\n"
	 "ceph osd crush rule create-erasure coded rule-coded\n",
	 NULL},
	{MAP(TREE, PLAIN, ""),
	 MAP(TREE,
	     RULE("plain", "0", "replicated",
		  "\"take default\", \"chooseleaf firstn 2 type host\", \"emit\""),
	     ""),
	 "", "the other steps of rule plain"},
	/* Tunables: a profile or none. */
	{MAP(TREE, PLAIN, ""), MAP(TREE, PLAIN, ", \"tunables\": \"hammer\""),
	 "ceph osd crush tunables hammer\n", NULL},
	{MAP(TREE, PLAIN, ""),
	 MAP(TREE, PLAIN, ", \"tunables\": { \"choose_total_tries\": 51 }"), "",
	 "tunables that are no profile's"},
	/* Pools, and names for a shell. */
	{MAP(TREE, PLAIN, POOL("rbd", "3", "8", "")),
	 MAP(TREE, PLAIN,
	     POOL("it's", "2", "16",
		  ", { \"name\": \"b c\", \"id\": 2, \"size\": 3, \"pg_num\": 4, "
		  "\"rule\": \"plain\" }")),
	 "ceph osd pool rename rbd 'it'\\''s'\n"
	 "ceph osd pool set 'it'\\''s' size 2\n"
	 "ceph osd pool set 'it'\\''s' min_size 1\n"
	 "ceph osd pool set 'it'\\''s' pg_num 16\n"
	 "ceph osd pool set 'it'\\''s' pgp_num 16\n"
	 "ceph osd pool create 'b c' 4 4 replicated plain\n"
	 "ceph osd pool set 'b c' size 3\n"
	 "ceph osd pool set 'b c' min_size 2\n",
	 NULL},
	{MAP(TREE, PLAIN, POOL("rbd", "3", "8", "")), MAP(TREE, PLAIN, ""), "",
	 "pools, and what is known of devices, for one of the maps has none of it"},
	/* A name that no command takes. */
	{MAP(RACK("r1", "-2", ""), PLAIN, ""), MAP(RACK("r 1", "-2", ""), PLAIN, ""),
	 "maptool convert NEW --to crush-bin -o crush.bin\n"
	 "ceph osd setcrushmap -i crush.bin\n",
	 "the name \"r 1\", which commands don't take"},
};

START_TEST(commands_are_as_expected)
{
	const struct between *one = &cases[_i];
	strew_map *before = read_text(one->before), *after = read_text(one->after);
	struct written written;

	ck_assert_int_eq(write_between(&written, before, after, NULL), STREW_OK);
	keep_commands(written.text);
	ck_assert_str_eq(written.text, one->commands);
	ck_assert_str_eq(written.first, one->fact ? one->fact : "");
	free(written.text);
	strew_map_release(before);
	strew_map_release(after);
}
END_TEST

START_TEST(every_weight_below_256_is_read_as_it_is)
{
	for (uint32_t weight = 0; weight < 1u << 24; weight += 97) {
		float read = strtof(format_fixed(weight).text, NULL);

		ck_assert_uint_eq((uint32_t)(read * 65536.0f), weight);
		ck_assert(format_fixed_is_exact(weight));
	}
	ck_assert(format_fixed_is_exact(1000u << 16));
	ck_assert(!format_fixed_is_exact((1000u << 16) + 1));
}
END_TEST

START_TEST(each_failed_allocation_is_an_error)
{
	const struct between *one = &cases[3];
	strew_map *before = read_text(one->before), *after = read_text(one->after);
	strew_status status = STREW_ENOMEM;
	size_t failed = 0;

	for (size_t i = 1; status != STREW_OK; i++) {
		struct support_heap heap;
		struct written written;

		support_heap_init(&heap);
		heap.fail_at = i;
		status = write_between(&written, before, after, &heap.allocator);
		ck_assert_uint_eq(heap.blocks, 0);
		ck_assert_uint_eq(heap.bytes, 0);
		if (status != STREW_OK) {
			ck_assert_int_eq(status, STREW_ENOMEM);
			ck_assert_uint_eq(written.len, 0);
			failed++;
		}
		free(written.text);
	}
	ck_assert_uint_gt(failed, 10);
	strew_map_release(before);
	strew_map_release(after);
}
END_TEST

TCase *check_format_ceph_commands(void)
{
	TCase *tcase = tcase_create("format_ceph_commands");

	tcase_add_loop_test(tcase, commands_are_as_expected, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tcase, every_weight_below_256_is_read_as_it_is);
	tcase_add_test(tcase, each_failed_allocation_is_an_error);
	return tcase;
}
