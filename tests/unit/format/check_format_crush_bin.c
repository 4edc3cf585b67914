/* SPDX-License-Identifier: MIT */
/* Binary CRUSH maps: the same bytes again, by way of JSON too; and whatever the bytes
 * are, an answer. */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strew/strew.h>

#include "base_alloc.h"
#include "base_bytes.h"
#include "map.h"
#include "support.h"

struct bytes {
	char *at;
	size_t count;
};

static struct bytes load(const char *path)
{
	FILE *file = fopen(path, "rb"), *copy;
	struct bytes bytes = {NULL, 0};
	int c;

	ck_assert_msg(file != NULL, "%s can't be opened", path);
	copy = open_memstream(&bytes.at, &bytes.count);
	while ((c = getc(file)) != EOF)
		putc(c, copy);
	fclose(file);
	fclose(copy);
	return bytes;
}

static strew_status read_bytes(strew_map **map, struct bytes bytes, const char *format,
			       const strew_allocator *allocator, strew_error *error)
{
	strew_read_options options = STREW_READ_OPTIONS_INIT;

	options.format = format;
	options.name = "m";
	options.allocator = allocator;
	return strew_map_read_memory(map, bytes.at, bytes.count, &options, error);
}

static int append(void *ctx, const void *bytes, size_t count)
{
	return fwrite(bytes, 1, count, ctx) != count;
}

static strew_status write_as(struct bytes *out, const strew_map *map, const char *format,
			     const strew_write_options *options, strew_error *error)
{
	FILE *file = open_memstream(&out->at, &out->count);
	const strew_sink sink = {append, file};
	strew_status status = strew_map_write(map, format, options, &sink, error);

	fclose(file);
	return status;
}

static bool same(struct bytes a, struct bytes b)
{
	return a.count == b.count && memcmp(a.at, b.at, a.count) == 0;
}

/* The map is written as the bytes, also after it was JSON. */
static void check_again(const char *what, const strew_map *map, struct bytes bytes)
{
	struct bytes written = {NULL, 0}, json = {NULL, 0}, again = {NULL, 0};
	strew_map *copy = NULL;
	strew_error error = {STREW_OK, 0, 0, "", ""};

	ck_assert_msg(write_as(&written, map, "crush-bin", NULL, &error) == STREW_OK,
		      "%s can't be written: %s", what, error.text);
	ck_assert_msg(same(written, bytes), "%s is written in another way", what);
	if (write_as(&json, map, "json", NULL, &error) == STREW_OK) {
		ck_assert_msg(read_bytes(&copy, json, NULL, NULL, &error) == STREW_OK,
			      "%s can't be read as JSON: %s: %s\n%s", what, error.where,
			      error.text, json.at);
		ck_assert_int_eq(write_as(&again, copy, "crush-bin", NULL, &error),
				 STREW_OK);
		ck_assert_msg(same(again, bytes), "%s is other bytes after JSON\n%s",
			      what, json.at);
	}
	strew_map_release(copy);
	free(written.at);
	free(json.at);
	free(again.at);
}

static void check_folder(const char *pattern, size_t least)
{
	strew_error error = {STREW_OK, 0, 0, "", ""};
	glob_t found;

	ck_assert_int_eq(glob(support_path(pattern), 0, NULL, &found), 0);
	ck_assert_uint_ge(found.gl_pathc, least);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct bytes bytes = load(found.gl_pathv[i]);
		strew_map *map = NULL;

		ck_assert_msg(read_bytes(&map, bytes, NULL, NULL, &error) == STREW_OK,
			      "%s: %s: %s", found.gl_pathv[i], error.where, error.text);
		check_again(found.gl_pathv[i], map, bytes);
		strew_map_release(map);
		free(bytes.at);
	}
	globfree(&found);
}

START_TEST(maps_are_the_same_bytes_again)
{
	check_folder("tests/golden/crush/*.crush", 44);
	check_folder("tests/golden/msr/*.crush", 4);
	check_folder("tests/formats/bin/bin-ok-tail-*.crush", 8);
	check_folder("tests/formats/bin/bin-ok-msr-tail.crush", 1);
	check_folder("tests/formats/bin/bin-ok-trailing-bytes.crush", 1);
}
END_TEST

/* What each file that is refused is told to be, and where. */
static const struct {
	const char *name, *where, *text;
} refused[] = {
	{"empty", "m: byte 0x0",
	 "the header: 4 bytes are missing at the end of the file, byte 0x0; is it cut "
	 "short, or a length before this wrong?"},
	{"magic-only", "m: byte 0x4", "the header: 4 bytes are missing"},
	{"bad-magic", "m: byte 0x0",
	 "a binary CRUSH map begins with the number 0x00010000; this begins with "},
	{"header-only", "m: byte 0x4",
	 "the array of buckets: there are said to be 8 here, of at least 4 bytes each, "
	 "but "
	 "only 0 bytes follow"},
	{"mid-bucket", "m: byte 0x3c", "bucket -2: 4 bytes are missing"},
	{"mid-rules", "m: byte 0x20c", "rule 4: there are said to be 3 here"},
	{"mid-names", "m: byte 0x3e9", "the names of rules: 3 bytes are missing"},
	{"mid-tunables", "m: byte 0x3f4", "the tunables: 3 bytes are missing"},
	{"mid-choose-args", "m: byte 0x4b7", "the weight sets: there are said to be 3"},
	{"mid-classes", "m: byte 0xd37",
	 "the shadows of buckets: there are said to be 3"},
	{"bucket-alg-9", "m: byte 0x1a",
	 "bucket -1 has the algorithm 5, but 9 before its id; both must be the same"},
	{"bucket-alg-differs", "m: byte 0x1a",
	 "bucket -1 has the algorithm 2, but 5 before"},
	{"bucket-size-huge", "m: byte 0x20",
	 "bucket -1: there are said to be 4294967295"},
	{"bucket-id-positive", "m: byte 0x14",
	 "bucket -1 has the id 5; the slot is for -1"},
	{"bucket-id-other-slot", "m: byte 0x14",
	 "bucket -1 has the id -3; the slot is for -1"},
	{"item-no-such-bucket", "m: byte 0x24", "host host0 (id -1) holds bucket -500"},
	{"item-itself", "m: byte 0x24", "host host0 (id -1) holds itself"},
	{"max-buckets-negative", "m: byte 0x4",
	 "the array of buckets: there are said to be 4294967295"},
	{"max-buckets-huge", "m: byte 0x4",
	 "the array of buckets: there are said to be 2147483647"},
	{"max-rules-huge", "m: byte 0x8",
	 "the array of rules: there are said to be 4294967295"},
	{"tree-nodes-zero", "m: byte 0x58",
	 "bucket -1 has a tree of 0 nodes, which doesn't fit its 13 items"},
};

#define REFUSED (sizeof(refused) / sizeof(refused[0]))

/* … with no more memory than the file justifies. */
START_TEST(what_is_wrong_is_told_with_its_offset)
{
	char path[128];
	struct support_heap heap;
	struct bytes bytes;
	strew_error error = {STREW_OK, 0, 0, "", ""};
	strew_map *map = NULL;

	snprintf(path, sizeof(path), "tests/formats/bin/bin-%s.crush", refused[_i].name);
	bytes = load(support_path(path));
	support_heap_init(&heap);
	ck_assert_int_ne(read_bytes(&map, bytes, "crush-bin", &heap.allocator, &error),
			 STREW_OK);
	ck_assert_ptr_null(map);
	ck_assert_uint_le(heap.most, 1 << 20);
	ck_assert_uint_eq(heap.blocks, 0);
	ck_assert_str_eq(error.where, refused[_i].where);
	if (strncmp(error.text, refused[_i].text, strlen(refused[_i].text)) != 0)
		ck_abort_msg("%s: %s", refused[_i].name, error.text);
	free(bytes.at);
}
END_TEST

/* Every file of the folder is one of those above, or taken. */
START_TEST(other_files_are_taken)
{
	glob_t found;

	ck_assert_int_eq(glob(support_path("tests/formats/bin/*.crush"), 0, NULL, &found),
			 0);
	ck_assert_uint_eq(found.gl_pathc, REFUSED + 11);
	globfree(&found);
	ck_assert_int_eq(
		glob(support_path("tests/formats/bin/bin-ok-*.crush"), 0, NULL, &found),
		0);
	ck_assert_uint_eq(found.gl_pathc, 11);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct bytes bytes = load(found.gl_pathv[i]);
		strew_error error = {STREW_OK, 0, 0, "", ""};
		strew_map *map = NULL;

		ck_assert_msg(read_bytes(&map, bytes, NULL, NULL, &error) == STREW_OK,
			      "%s: %s", found.gl_pathv[i], error.text);
		strew_map_release(map);
		free(bytes.at);
	}
	globfree(&found);
}
END_TEST

/* Maps that have a bit of everything between them. */
static const char *const samples[] = {
	"tests/golden/crush/choose-args-pos.crush",
	"tests/golden/crush/racks-mixed.crush",
	"tests/golden/crush/classes-ids.crush",
	"tests/golden/msr/malformed.crush",
	"tests/golden/crush/flat-uniform.crush",
};

#define SAMPLES ((int)(sizeof(samples) / sizeof(samples[0])))

/* A copy that ends where its memory ends, so that a sanitizer sees a step too far. What
 * is taken is written so that it is read as the same map again. */
static bool try_bytes(struct bytes from, size_t count)
{
	struct bytes bytes = {malloc(count ? count : 1), count}, once = {NULL, 0};
	strew_map *map = NULL, *again = NULL;
	strew_error error = {STREW_OK, 0, 0, "", ""};
	bool good;

	memcpy(bytes.at, from.at, count);
	good = read_bytes(&map, bytes, "crush-bin", NULL, &error) == STREW_OK;
	if (!good)
		ck_assert_msg(strncmp(error.where, "m: byte 0x", 10) == 0 ||
				      strcmp(error.where, "m") == 0,
			      "no offset: %s: %s", error.where, error.text);
	if (good && write_as(&once, map, "crush-bin", NULL, &error) == STREW_OK) {
		ck_assert_msg(read_bytes(&again, once, "crush-bin", NULL, &error) ==
				      STREW_OK,
			      "%s: %s", error.where, error.text);
		check_again("a changed map", again, once);
	}
	strew_map_release(again);
	strew_map_release(map);
	free(once.at);
	free(bytes.at);
	return good;
}

START_TEST(maps_may_end_anywhere)
{
	struct bytes bytes = load(support_path(samples[_i]));
	size_t taken = 0;

	for (size_t count = 0; count < bytes.count; count++)
		taken += try_bytes(bytes, count);
	/* At the ends of parts that old releases don't have, and of the last but one. */
	ck_assert_uint_ge(taken, 6);
	ck_assert_uint_le(taken, 20);
	free(bytes.at);
}
END_TEST

START_TEST(maps_may_be_wrong_anywhere)
{
	static const unsigned char changes[] = {0x80, 0x01, 0xff};
	struct bytes bytes = load(support_path(samples[_i]));
	size_t taken = 0;

	/* Each byte in one way; neighbours in others. */
	for (size_t i = 0; i < bytes.count; i++) {
		char was = bytes.at[i];

		bytes.at[i] = (char)(was ^ (char)changes[i % sizeof(changes)]);
		taken += try_bytes(bytes, bytes.count);
		bytes.at[i] = was;
	}
	ck_assert_uint_ge(taken, bytes.count / 8);
	free(bytes.at);
}
END_TEST

static strew_status read_and_write(struct bytes bytes, const strew_allocator *allocator)
{
	strew_write_options options = STREW_WRITE_OPTIONS_INIT;
	struct bytes written = {NULL, 0};
	strew_error error;
	strew_map *map = NULL;
	strew_status status = read_bytes(&map, bytes, "crush-bin", allocator, &error);

	options.allocator = allocator;
	if (status == STREW_OK)
		status = write_as(&written, map, "crush-bin", &options, &error);
	if (status == STREW_OK)
		ck_assert(same(written, bytes));
	strew_map_release(map);
	free(written.at);
	return status;
}

START_TEST(each_failed_allocation_is_survived)
{
	struct bytes bytes = load(support_path(samples[_i]));
	strew_status status = STREW_ENOMEM;
	size_t failures = 0;

	for (size_t i = 1; status == STREW_ENOMEM; i++) {
		struct support_heap heap;

		support_heap_init(&heap);
		heap.fail_at = i;
		status = read_and_write(bytes, &heap.allocator);
		failures += status == STREW_ENOMEM;
		ck_assert_uint_eq(heap.blocks, 0);
	}
	ck_assert_int_eq(status, STREW_OK);
	ck_assert_uint_gt(failures, 30);
	free(bytes.at);
}
END_TEST

TCase *check_format_crush_bin(void)
{
	TCase *tcase = tcase_create("format_crush_bin");

	tcase_add_test(tcase, maps_are_the_same_bytes_again);
	tcase_add_loop_test(tcase, what_is_wrong_is_told_with_its_offset, 0, REFUSED);
	tcase_add_test(tcase, other_files_are_taken);
	tcase_add_loop_test(tcase, maps_may_end_anywhere, 0, SAMPLES);
	tcase_add_loop_test(tcase, maps_may_be_wrong_anywhere, 0, SAMPLES);
	tcase_add_loop_test(tcase, each_failed_allocation_is_survived, 0, SAMPLES);
	return tcase;
}
