/* SPDX-License-Identifier: MIT */
/* Whatever the bytes, and wherever memory runs out: an answer, and nothing leaked. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strew/io.h>

#include "base_alloc.h"
#include "base_str.h"
#include "support.h"

static const char *const cases[] = {
	"json-whole/input.json",
	"crush-json-weight-sets/input.json",
	"osd-dump/join.json",
};

#define CASES ((int)(sizeof(cases) / sizeof(cases[0])))

static char *load(const char *name, size_t *size)
{
	char path[256], *text = NULL;
	size_t room = 0;
	ssize_t count;
	FILE *file;

	snprintf(path, sizeof(path), "tests/formats/valid/%s", name);
	file = fopen(support_path(path), "rb");
	ck_assert_ptr_nonnull(file);
	count = getdelim(&text, &room, '\0', file);
	ck_assert_int_gt(count, 100);
	fclose(file);
	*size = (size_t)count;
	return text;
}

/* Reads bytes into a builder and builds. @return the first status that isn't STREW_OK. */
static strew_status try(const char *bytes, size_t count, const strew_allocator *allocator)
{
	strew_read_options options = STREW_READ_OPTIONS_INIT;
	strew_builder *builder = NULL;
	strew_map *map = NULL;
	strew_error error;
	strew_status status;

	options.allocator = allocator;
	status = strew_builder_new(&builder, allocator);
	if (status == STREW_OK)
		status = strew_builder_read_memory(builder, bytes, count, &options,
						   &error);
	if (status == STREW_OK)
		status = strew_builder_build(&map, builder, &error);
	strew_builder_free(builder);
	strew_map_release(map);
	return status;
}

/* A copy that ends where its memory ends, so that a sanitizer sees a step too far. */
static strew_status try_copy(const char *bytes, size_t count,
			     const strew_allocator *allocator)
{
	char *copy = malloc(count ? count : 1);
	strew_status status;

	memcpy(copy, bytes, count);
	status = try(copy, count, allocator);
	free(copy);
	return status;
}

START_TEST(every_beginning_of_a_file_is_refused)
{
	struct support_heap heap;
	size_t size, accepted = 0;
	char *text = load(cases[_i], &size);

	support_heap_init(&heap);
	while (size > 0 && text[size - 1] != '}')
		size--;
	for (size_t count = 0; count < size; count++)
		accepted += try_copy(text, count, &heap.allocator) == STREW_OK;
	ck_assert_uint_eq(accepted, 0);
	ck_assert_uint_eq(heap.blocks, 0);
	free(text);
}
END_TEST

START_TEST(changed_bytes_do_no_harm)
{
	struct support_heap heap;
	uint64_t state = (uint64_t)_i + 1;
	size_t size;
	char *text = load(cases[_i], &size);

	support_heap_init(&heap);
	for (int i = 0; i < 4000; i++) {
		size_t at = support_below(&state, (uint32_t)size);
		static const char likely[] = "0123456789-.eE\"{}[],: ~/ax";
		char old = text[at];

		text[at] = i % 4 ? likely[support_below(&state, sizeof(likely) - 1)]
				 : (char)support_random(&state);
		try_copy(text, size, &heap.allocator);
		/* Half of the changes stay for a while. */
		if (i % 2 || i % 50 == 0)
			text[at] = old;
	}
	ck_assert_uint_eq(heap.blocks, 0);
	ck_assert_uint_eq(heap.bytes, 0);
	free(text);
}
END_TEST

START_TEST(each_failing_allocation_is_survived)
{
	struct support_heap heap;
	size_t size, failed = 0;
	char *text = load(cases[_i], &size);
	strew_status status = STREW_ENOMEM, wanted = try(text, size, NULL);

	for (size_t n = 1; status == STREW_ENOMEM; n++) {
		support_heap_init(&heap);
		heap.fail_at = n;
		status = try(text, size, &heap.allocator);
		failed += heap.blocks != 0 || heap.bytes != 0;
	}
	ck_assert_int_eq(status, wanted);
	ck_assert_uint_eq(failed, 0);
	free(text);
}
END_TEST

static void add_tree(struct base_str *text, int levels)
{
	base_str_add(text,
		     "{\"format\":\"strew-map/1\",\"types\":[\"d\",\"b\"],\"tree\":[");
	for (int i = 0; i < levels; i++)
		base_str_addf(text, "{\"type\":\"b\",\"name\":\"b%d\",\"children\":[", i);
	base_str_add(text, "{\"device\":0}");
	for (int i = 0; i < levels; i++)
		base_str_add(text, "]}");
	base_str_add(text, "]}");
}

START_TEST(a_thousand_levels_load)
{
	struct base_str text;
	strew_map *map;

	base_str_init(&text, &base_heap);
	add_tree(&text, 1000);
	ck_assert_int_eq(strew_map_read_memory(&map, base_str_text(&text),
					       base_str_len(&text), NULL, NULL),
			 STREW_OK);
	ck_assert_uint_eq(strew_map_bucket_count(map), 1000);
	strew_map_release(map);
	base_str_free(&text);
}
END_TEST

TCase *check_format_hostile(void)
{
	TCase *tcase = tcase_create("format_hostile");

	tcase_add_loop_test(tcase, every_beginning_of_a_file_is_refused, 0, CASES);
	tcase_add_loop_test(tcase, changed_bytes_do_no_harm, 0, CASES);
	tcase_add_loop_test(tcase, each_failing_allocation_is_survived, 0, CASES);
	tcase_add_test(tcase, a_thousand_levels_load);
	return tcase;
}
