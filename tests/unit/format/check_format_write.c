/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strew/io.h>

#include "format_dialect.h"
#include "map.h"
#include "support.h"

/* What a writer wrote, and how often it was told of a loss. */
struct written {
	char *text;
	size_t len;
	FILE *stream;
	size_t pieces; /* 0: no end of them */
	size_t losses;
	char loss[400];
};

static int take(void *ctx, const void *bytes, size_t count)
{
	struct written *written = ctx;

	if (written->pieces > 0 && --written->pieces == 0)
		return 1;
	return fwrite(bytes, 1, count, written->stream) != count;
}

static void note_loss(void *ctx, const char *fact)
{
	struct written *written = ctx;

	written->losses++;
	snprintf(written->loss, sizeof(written->loss), "%s", fact);
}

static strew_status write_to(struct written *written, const strew_map *map,
			     const char *format, int lossy, strew_error *error)
{
	strew_write_options how = STREW_WRITE_OPTIONS_INIT;
	const strew_sink sink = {take, written};
	strew_status status;

	how.lossy = lossy;
	how.lost = note_loss;
	how.ctx = written;
	written->stream = open_memstream(&written->text, &written->len);
	ck_assert_ptr_nonnull(written->stream);
	status = strew_map_write(map, format, &how, &sink, error);
	fclose(written->stream);
	return status;
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

static strew_map *build(strew_builder *builder)
{
	strew_map *map = NULL;
	strew_error error = {.text = ""};

	ck_assert_msg(strew_builder_build(&map, builder, &error) == STREW_OK, "%s",
		      error.text);
	strew_builder_free(builder);
	return map;
}

/* A host with a device, and what a test adds. */
static strew_builder *start(const char *host)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
	strew_builder *builder = NULL;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 0, "device");
	strew_builder_add_type(builder, 1, "host");
	desc.id = -1;
	desc.name = host;
	desc.type = 1;
	strew_builder_add_bucket(builder, &desc);
	strew_builder_add_device(builder, 0, NULL, NULL);
	strew_builder_add_item(builder, -1, 0, STREW_WEIGHT_ONE, 0);
	return builder;
}

START_TEST(only_what_has_a_writer_is_written)
{
	strew_map *map = build(start("h"));
	struct written written = {0};
	strew_error error;

	ck_assert_int_eq(write_to(&written, map, "ceph-osd-dump", 0, &error),
			 STREW_ENOTSUP);
	ck_assert_str_eq(error.text, "maps can't be written as ceph-osd-dump");
	free(written.text);
	ck_assert_int_eq(write_to(&written, map, "xml", 0, &error), STREW_EINVAL);
	ck_assert_uint_eq(written.len, 0);
	free(written.text);
	ck_assert_int_eq(strew_format_writes(0), 1);
	ck_assert_int_eq(strew_format_writes(1), 1);
	for (size_t i = 0; i < strew_format_count(); i++)
		if (strcmp(strew_format_name(i), "ceph-osd-dump") == 0)
			ck_assert_int_eq(strew_format_writes(i), 0);
	ck_assert_int_eq(strew_format_writes(strew_format_count()), 0);
	strew_map_release(map);
}
END_TEST

START_TEST(dialects_are_found_by_name_and_number)
{
	ck_assert_str_eq(format_dialect_find(NULL)->name, "pacific");
	ck_assert_str_eq(format_dialect_find("16.2.15")->name, "pacific");
	for (size_t i = 0; i < strew_dialect_count(); i++) {
		const struct format_dialect *dialect =
			format_dialect_find(strew_dialect_name(i));
		char number[16];

		snprintf(number, sizeof(number), "%d", dialect->version);
		ck_assert_ptr_eq(format_dialect_find(number), dialect);
		ck_assert_int_eq(dialect->has_masks, dialect->version < 17);
		ck_assert_int_eq(dialect->has_msr, dialect->version >= 19);
	}
	ck_assert_ptr_null(strew_dialect_name(strew_dialect_count()));
	ck_assert_ptr_null(format_dialect_find(""));
	ck_assert_ptr_null(format_dialect_find("16x"));
	ck_assert_ptr_null(format_dialect_find("99999999999"));
}
END_TEST

START_TEST(an_unknown_dialect_is_refused)
{
	strew_write_options how = STREW_WRITE_OPTIONS_INIT;
	const strew_sink sink = {NULL, NULL};
	strew_map *map = build(start("h"));
	strew_error error;

	how.dialect = "pacifik";
	ck_assert_int_eq(strew_map_write(map, "json", &how, &sink, &error), STREW_EINVAL);
	ck_assert_str_eq(error.text,
			 "there is no dialect \"pacifik\"; there are those of Ceph's "
			 "releases from \"luminous\" to \"tentacle\"");
	strew_map_release(map);
}
END_TEST

START_TEST(a_small_map_is_a_few_lines)
{
	strew_map *map = build(start("h \"1\""));
	struct written written = {0};

	ck_assert_int_eq(write_to(&written, map, "json", 0, NULL), STREW_OK);
	ck_assert_str_eq(
		written.text,
		"{\n"
		"  \"format\": \"strew-map/1\",\n"
		"  \"types\": [\"device\", \"host\"],\n"
		"  \"tunables\": \"jewel\",\n"
		"  \"tree\": [\n"
		"    { \"type\": \"host\", \"name\": \"h \\\"1\\\"\", \"id\": -1, "
		"\"children\": [\n"
		"      { \"device\": 0 } ] }\n"
		"  ]\n"
		"}\n");
	free(written.text);
	strew_map_release(map);
}
END_TEST

START_TEST(an_empty_map_can_be_read_again)
{
	strew_builder *builder = NULL;
	struct written written = {0};
	strew_map *map;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	map = build(builder);
	ck_assert_int_eq(write_to(&written, map, "json", 0, NULL), STREW_OK);
	strew_map_release(map);
	map = read_text(written.text);
	ck_assert_uint_eq(map->bucket_count, 0);
	free(written.text);
	strew_map_release(map);
}
END_TEST

START_TEST(profiles_are_found_again)
{
	static const char *const names[] = {"argonaut", "legacy", "bobtail",
					    "firefly",  "hammer", "jewel"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		strew_builder *builder = start("h");
		struct written written = {0};
		char wanted[64];
		strew_map *map;

		strew_builder_set_profile(builder, names[i]);
		map = build(builder);
		ck_assert_int_eq(write_to(&written, map, "json", 0, NULL), STREW_OK);
		snprintf(wanted, sizeof(wanted), "\"tunables\": \"%s\"", names[i]);
		ck_assert_ptr_nonnull(strstr(written.text, wanted));
		free(written.text);
		strew_map_release(map);
	}
}
END_TEST

/* Each of these is no character, or none that JSON may hold. */
static const char *const not_utf8[] = {
	"h\xff",
	"h\x80",
	"h\xc3",
	"h\xc0\xaf",
	"h\xe0\x9f",
	"h\xed\xa0\x80",
	"h\xf4\x90\x80\x80",
	"h\xe2\x28\xa1",
};

START_TEST(text_that_is_not_utf8_is_told_and_refused)
{
	const char *name = not_utf8[_i];
	strew_map *map = build(start(name));
	struct written written = {0};
	strew_error error;

	ck_assert_int_eq(write_to(&written, map, "json", 0, &error), STREW_ENOTSUP);
	ck_assert_uint_eq(written.losses, 1);
	ck_assert_ptr_nonnull(strstr(written.loss, "the name of bucket -1 is not UTF-8"));
	ck_assert_ptr_nonnull(strstr(error.text, written.loss));
	ck_assert_uint_eq(written.len, 0);
	free(written.text);
	ck_assert_int_eq(write_to(&written, map, "json", 1, &error), STREW_OK);
	ck_assert_uint_eq(written.losses, 2);
	strew_map_release(map);
	map = read_text(written.text);
	ck_assert_int_eq(map->buckets[0].name[0], 'h');
	ck_assert_int_eq(map->buckets[0].name[1], '%');
	free(written.text);
	strew_map_release(map);
}
END_TEST

/* Any two of these could become one. */
static const char *const alike[] = {
	"h\xff", "h\xfe", "h%FF", "h%FF%", "a%FF\xfe", "a\xff%FE", "a%25FF%FE",
};
#define ALIKE (sizeof(alike) / sizeof(alike[0]))

static void add_alike(strew_builder *builder)
{
	for (size_t i = 1; i < ALIKE; i++) {
		strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

		desc.id = -1 - (int32_t)i;
		desc.name = alike[i];
		desc.type = 1;
		strew_builder_add_bucket(builder, &desc);
	}
	strew_builder_add_device(builder, 1, NULL, "x\xff");
	strew_builder_add_item(builder, -1, 1, STREW_WEIGHT_ONE, 0);
	strew_builder_derive_shadows(builder);
}

START_TEST(names_that_are_mended_stay_different)
{
	strew_builder *builder = start(alike[0]);
	struct written written = {0};
	strew_map *map;

	add_alike(builder);
	map = build(builder);
	ck_assert_int_eq(write_to(&written, map, _i ? "crush-json" : "json", 1, NULL),
			 STREW_OK);
	strew_map_release(map);
	map = read_text(written.text);
	ck_assert_uint_eq(map->bucket_count, 2 * ALIKE);
	ck_assert_str_eq(map->buckets[0].name, "h%FF%%");
	ck_assert_str_eq(map->buckets[1].name, "h%FE");
	ck_assert_str_eq(map->buckets[2].name, "h%FF");
	ck_assert_str_eq(map->buckets[3].name, "h%FF%");
	ck_assert_str_eq(map->buckets[4].name, "a%25FF%FE%");
	ck_assert_str_eq(map->buckets[5].name, "a%FF%25FE");
	ck_assert_str_eq(map->devices[1].class_name, "x%FF");
	for (size_t i = 0; i < ALIKE; i++)
		ck_assert_int_ne(map->buckets[ALIKE + i].shadow_of, 0);
	free(written.text);
	strew_map_release(map);
}
END_TEST

START_TEST(numbers_beyond_what_is_read_are_told)
{
	strew_builder *builder = start("h");
	const uint32_t row = STREW_AUTO_WEIGHT;
	struct written written = {0};
	strew_map *map;

	strew_builder_set_epoch(builder, -4);
	strew_builder_set_capacity(builder, 0, UINT64_C(1) << 63, 0);
	strew_builder_add_weight_set(builder, -1, NULL);
	strew_builder_add_weight_row(builder, -1, &row, 1);
	map = build(builder);
	ck_assert_int_eq(write_to(&written, map, "json", 0, NULL), STREW_ENOTSUP);
	ck_assert_uint_eq(written.losses, 3);
	free(written.text);
	ck_assert_int_eq(write_to(&written, map, "json", 1, NULL), STREW_OK);
	strew_map_release(map);
	map = read_text(written.text);
	ck_assert_int_eq(map->epoch, 0);
	ck_assert_uint_eq(map->devices[0].size_bytes, 0);
	ck_assert_uint_eq(map->weight_sets[0].buckets[0].rows[0], STREW_AUTO_WEIGHT - 1);
	free(written.text);
	strew_map_release(map);
}
END_TEST

START_TEST(a_sink_that_stops_stops_the_writer)
{
	strew_builder *builder = start("h");
	struct written written = {.pieces = 2};
	strew_error error;
	strew_map *map;

	for (int32_t id = 1; id < 20000; id++) {
		strew_builder_add_device(builder, id, NULL, NULL);
		strew_builder_add_item(builder, -1, id, 1 + (uint32_t)id, 0);
	}
	map = build(builder);
	ck_assert_int_eq(write_to(&written, map, "json", 0, &error), STREW_EIO);
	ck_assert_str_eq(error.text, "the map could not be written");
	ck_assert_uint_lt(written.len, 100000);
	free(written.text);
	strew_map_release(map);
}
END_TEST

#define LEVELS 2500

/* Deeper than what a parser takes, which a list of buckets may well be. */
START_TEST(deep_trees_are_cut_and_read_again)
{
	strew_builder *builder = start("h");
	struct written written = {0};
	strew_map *map;

	for (int32_t i = 2; i <= LEVELS; i++) {
		strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;
		char name[32];

		snprintf(name, sizeof(name), "h%d", (int)i);
		desc.id = -i;
		desc.name = name;
		desc.type = 1;
		strew_builder_add_bucket(builder, &desc);
		strew_builder_add_item(builder, -i, 1 - i, STREW_AUTO_WEIGHT, 0);
	}
	map = build(builder);
	ck_assert_int_eq(write_to(&written, map, "json", 0, NULL), STREW_OK);
	strew_map_release(map);
	map = read_text(written.text);
	ck_assert_uint_eq(map->bucket_count, LEVELS);
	for (size_t i = 1; i < LEVELS; i++)
		if (map->buckets[i].item_count != 1 ||
		    map->buckets[i].items[0].id != -(int32_t)i ||
		    map->buckets[i].items[0].weight != STREW_WEIGHT_ONE)
			ck_abort_msg("bucket %zu holds something else", i + 1);
	free(written.text);
	strew_map_release(map);
}
END_TEST

/* The reader takes no more devices than that from runs. */
START_TEST(runs_end_where_the_reader_ends_them)
{
	strew_builder *builder = start("h");
	struct written written = {0};
	strew_map *map;

	for (int32_t id = 1; id < 1000003; id++) {
		strew_builder_add_device(builder, id, NULL, NULL);
		strew_builder_add_item(builder, -1, id, STREW_WEIGHT_ONE / 16, 0);
	}
	map = build(builder);
	ck_assert_int_eq(write_to(&written, map, "json", 0, NULL), STREW_OK);
	ck_assert_ptr_nonnull(strstr(written.text, "{ \"devices\": \"1-1000000\""));
	strew_map_release(map);
	map = read_text(written.text);
	ck_assert_uint_eq(map->device_count, 1000003);
	free(written.text);
	strew_map_release(map);
}
END_TEST

static strew_status write_with(const strew_map *map, struct support_heap *heap)
{
	strew_write_options how = STREW_WRITE_OPTIONS_INIT;
	struct written written = {0};
	const strew_sink sink = {take, &written};
	strew_status status;

	how.allocator = &heap->allocator;
	written.stream = open_memstream(&written.text, &written.len);
	status = strew_map_write(map, "json", &how, &sink, NULL);
	fclose(written.stream);
	free(written.text);
	return status;
}

START_TEST(each_failed_allocation_is_an_error)
{
	const char *path = support_path("tests/formats/valid/json-everything/input.json");
	struct support_heap heap;
	strew_map *map = NULL;
	size_t calls;

	ck_assert_int_eq(strew_map_read_file(&map, path, NULL, NULL), STREW_OK);
	support_heap_init(&heap);
	ck_assert_int_eq(write_with(map, &heap), STREW_OK);
	ck_assert_uint_eq(heap.blocks, 0);
	calls = heap.calls;
	ck_assert_uint_gt(calls, 10);
	for (size_t i = 1; i <= calls; i++) {
		support_heap_init(&heap);
		heap.fail_at = i;
		ck_assert_int_eq(write_with(map, &heap), STREW_ENOMEM);
		ck_assert_uint_eq(heap.blocks, 0);
	}
	strew_map_release(map);
}
END_TEST

TCase *check_format_write(void)
{
	TCase *tcase = tcase_create("format_write");

	tcase_add_test(tcase, only_what_has_a_writer_is_written);
	tcase_add_test(tcase, dialects_are_found_by_name_and_number);
	tcase_add_test(tcase, an_unknown_dialect_is_refused);
	tcase_add_test(tcase, a_small_map_is_a_few_lines);
	tcase_add_test(tcase, an_empty_map_can_be_read_again);
	tcase_add_test(tcase, profiles_are_found_again);
	tcase_add_loop_test(tcase, text_that_is_not_utf8_is_told_and_refused, 0,
			    (int)(sizeof(not_utf8) / sizeof(not_utf8[0])));
	tcase_add_loop_test(tcase, names_that_are_mended_stay_different, 0, 2);
	tcase_add_test(tcase, numbers_beyond_what_is_read_are_told);
	tcase_add_test(tcase, a_sink_that_stops_stops_the_writer);
	tcase_add_test(tcase, deep_trees_are_cut_and_read_again);
	tcase_add_test(tcase, runs_end_where_the_reader_ends_them);
	tcase_add_test(tcase, each_failed_allocation_is_an_error);
	return tcase;
}
