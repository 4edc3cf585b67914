/* SPDX-License-Identifier: MIT */
/* Binary OSD maps: damaged ones are refused, and nothing is read beyond its end. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strew/io.h>

#include "base_crc.h"
#include "support.h"

static const char *const files[] = {
	"tests/golden/osdmap/all-2.osdmap",
	"tests/golden/osdmap/temp.osdmap",
};

#define FILES ((int)(sizeof(files) / sizeof(files[0])))

static uint8_t *load(int index, size_t *size)
{
	FILE *file = fopen(support_path(files[index]), "rb");
	uint8_t *bytes = malloc(1 << 16);

	ck_assert_ptr_nonnull(file);
	*size = fread(bytes, 1, 1 << 16, file);
	ck_assert_uint_gt(*size, 2000);
	fclose(file);
	return bytes;
}

static strew_status try(const uint8_t *bytes, size_t count,
			const strew_allocator *allocator, strew_error *error)
{
	strew_read_options options = STREW_READ_OPTIONS_INIT;
	uint8_t *copy = malloc(count ? count : 1);
	strew_map *map = NULL;
	strew_status status;

	options.allocator = allocator;
	options.format = "osdmap";
	memcpy(copy, bytes, count);
	status = strew_map_read_memory(&map, copy, count, &options, error);
	ck_assert(status != STREW_OK || map != NULL);
	strew_map_release(map);
	free(copy);
	return status;
}

/* The checksum that the bytes should have goes where it belongs: at the end. */
static void seal(uint8_t *bytes, size_t size)
{
	uint32_t crc = base_crc32c(BASE_CRC_START, bytes, size - 4);

	for (int i = 0; i < 4; i++)
		bytes[size - 4 + (size_t)i] = (uint8_t)(crc >> 8 * i);
}

START_TEST(every_beginning_is_refused_with_an_offset)
{
	strew_error error;
	size_t size;
	uint8_t *bytes = load(_i, &size);

	for (size_t count = 0; count < size; count++) {
		ck_assert_int_ne(try(bytes, count, NULL, &error), STREW_OK);
		ck_assert_ptr_nonnull(strstr(error.where, "byte 0x"));
	}
	ck_assert_int_eq(try(bytes, size, NULL, &error), STREW_OK);
	free(bytes);
}
END_TEST

START_TEST(every_flipped_byte_is_refused)
{
	strew_error error;
	size_t size;
	uint8_t *bytes = load(_i, &size);

	for (size_t i = 0; i < size; i++) {
		bytes[i] ^= 0x10;
		ck_assert_int_ne(try(bytes, size, NULL, &error), STREW_OK);
		bytes[i] ^= 0x10;
	}
	free(bytes);
}
END_TEST

START_TEST(flipped_bytes_with_a_good_checksum_are_answered)
{
	static const uint8_t flips[] = {0x01, 0x80, 0xff};
	struct support_heap heap;
	strew_error error;
	size_t size, refused = 0;
	uint8_t *bytes = load(_i, &size);

	support_heap_init(&heap);
	for (size_t i = 0; i < (size - 4) * 3; i++) {
		bytes[i / 3] ^= flips[i % 3];
		seal(bytes, size);
		refused += try(bytes, size, &heap.allocator, &error) != STREW_OK;
		bytes[i / 3] ^= flips[i % 3];
	}
	ck_assert_uint_gt(refused, 100);
	ck_assert_uint_lt(refused, size * 3);
	ck_assert_uint_eq(heap.blocks, 0);
	free(bytes);
}
END_TEST

START_TEST(failed_allocations_leak_nothing)
{
	struct support_heap heap;
	strew_error error;
	strew_status status;
	size_t size, calls = 0;
	uint8_t *bytes = load(_i, &size);

	do {
		support_heap_init(&heap);
		heap.fail_at = ++calls;
		status = try(bytes, size, &heap.allocator, &error);
		ck_assert(status == STREW_OK || status == STREW_ENOMEM);
		ck_assert_uint_eq(heap.blocks, 0);
	} while (status != STREW_OK);
	ck_assert_uint_gt(calls, 20);
	free(bytes);
}
END_TEST

/* Where the part for clients has its version. */
#define CLIENT_VERSION_AT 6

START_TEST(newer_versions_are_refused_with_advice)
{
	static const size_t places[] = {0, CLIENT_VERSION_AT};
	strew_error error;
	size_t size;
	uint8_t *bytes = load(0, &size);

	for (size_t i = 0; i < 2; i++) {
		bytes[places[i]] += 3;
		seal(bytes, size);
		ck_assert_int_eq(try(bytes, size, NULL, &error), STREW_EFORMAT);
		ck_assert_ptr_nonnull(strstr(error.text, "ceph osd dump -f json"));
		bytes[places[i]] -= 3;
	}
	free(bytes);
}
END_TEST

TCase *check_format_osdmap(void)
{
	TCase *tcase = tcase_create("format_osdmap");

	tcase_add_loop_test(tcase, every_beginning_is_refused_with_an_offset, 0, FILES);
	tcase_add_loop_test(tcase, every_flipped_byte_is_refused, 0, FILES);
	tcase_add_loop_test(tcase, flipped_bytes_with_a_good_checksum_are_answered, 0,
			    FILES);
	tcase_add_loop_test(tcase, failed_allocations_leak_nothing, 0, FILES);
	tcase_add_test(tcase, newer_versions_are_refused_with_advice);
	return tcase;
}
