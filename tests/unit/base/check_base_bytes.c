/* SPDX-License-Identifier: MIT */
#include "base_bytes.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"

static const uint8_t numbers[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xf8,
				  0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};

START_TEST(numbers_are_little_endian)
{
	struct base_bytes bytes;

	base_bytes_init(&bytes, numbers, sizeof(numbers));
	ck_assert_uint_eq(base_bytes_get_u8(&bytes), 1);
	ck_assert_uint_eq(base_bytes_get_u16(&bytes), 0x0302);
	ck_assert_uint_eq(base_bytes_get_u32(&bytes), 0x07060504);
	ck_assert_uint_eq(base_bytes_get_u64(&bytes), UINT64_C(0xfffefdfcfbfaf9f8));
	ck_assert_uint_eq(bytes.lacks, 0);
	ck_assert_uint_eq(bytes.at, 15);
	ck_assert_uint_eq(base_bytes_left(&bytes), 0);
	base_bytes_init(&bytes, numbers + 3, 12);
	ck_assert_int_eq(base_bytes_get_i32(&bytes), 0x07060504);
	ck_assert_int_eq(base_bytes_get_i64(&bytes), INT64_C(-0x1020304050608));
	ck_assert_uint_eq(base_bytes_u32_at(numbers, 1), 0xf8070605);
}
END_TEST

START_TEST(what_is_missing_sticks)
{
	struct base_bytes bytes;

	base_bytes_init(&bytes, numbers, 6);
	ck_assert_uint_eq(base_bytes_get_u32(&bytes), 0x04030201);
	ck_assert_uint_eq(base_bytes_get_u32(&bytes), 0);
	ck_assert_uint_eq(bytes.lacks, 2);
	ck_assert_uint_eq(bytes.at, 4);
	ck_assert_uint_eq(base_bytes_get_u8(&bytes), 0);
	ck_assert_ptr_null(base_bytes_get(&bytes, 0, 1));
	ck_assert_uint_eq(bytes.lacks, 2);
	ck_assert_uint_eq(bytes.at, 4);
}
END_TEST

START_TEST(arrays_are_bounded)
{
	static const struct {
		uint64_t count;
		size_t size;
		uint64_t lacks;
	} cases[] = {
		{0, 0, 0},
		{0, 4, 0},
		{3, 5, 0},
		{15, 1, 0},
		{UINT64_MAX, 0, 0},
		{16, 1, 1},
		{4, 4, 1},
		{UINT32_MAX, 8, UINT32_MAX * UINT64_C(8) - 15},
		{UINT64_MAX / 4, 4, UINT64_MAX / 4 * 4 - 15},
		{UINT64_MAX / 4 + 1, 4, UINT64_MAX - 15},
		{UINT64_MAX, 8, UINT64_MAX - 15},
	};
	struct base_bytes bytes;

	base_bytes_init(&bytes, numbers, sizeof(numbers));
	if (cases[_i].lacks == 0)
		ck_assert_ptr_eq(base_bytes_get(&bytes, cases[_i].count, cases[_i].size),
				 numbers);
	else
		ck_assert_ptr_null(
			base_bytes_get(&bytes, cases[_i].count, cases[_i].size));
	ck_assert_uint_eq(bytes.lacks, cases[_i].lacks);
	ck_assert_uint_eq(bytes.at,
			  cases[_i].lacks ? 0 : cases[_i].count * cases[_i].size);
}
END_TEST

START_TEST(parts_end_where_they_are_told)
{
	struct base_bytes bytes, part;

	base_bytes_init(&bytes, numbers, sizeof(numbers));
	base_bytes_get_u32(&bytes);
	part = base_bytes_get_part(&bytes, 3);
	ck_assert_uint_eq(bytes.at, 7);
	ck_assert_uint_eq(base_bytes_get_u16(&part), 0x0605);
	ck_assert_uint_eq(part.at, 6);
	ck_assert_uint_eq(base_bytes_get_u16(&part), 0);
	ck_assert_uint_eq(part.lacks, 1);
	ck_assert_uint_eq(bytes.lacks, 0);
	part = base_bytes_get_part(&bytes, 9);
	ck_assert_uint_eq(bytes.lacks, 1);
	ck_assert_uint_eq(base_bytes_left(&part), 0);
	ck_assert_uint_eq(base_bytes_get_u8(&part), 0);
}
END_TEST

START_TEST(what_is_put_is_got_again)
{
	struct base_str out;
	struct base_bytes bytes;

	base_str_init(&out, &base_heap);
	base_bytes_put_u8(&out, 0xfe);
	base_bytes_put_u16(&out, 0xfedc);
	base_bytes_put_u32(&out, 0xfedcba98);
	base_bytes_put_i32(&out, -2);
	base_bytes_put_i64(&out, INT64_MIN + 1);
	ck_assert_uint_eq(base_str_len(&out), 19);
	base_bytes_init(&bytes, base_str_text(&out), base_str_len(&out));
	ck_assert_uint_eq(base_bytes_get_u8(&bytes), 0xfe);
	ck_assert_uint_eq(base_bytes_get_u16(&bytes), 0xfedc);
	ck_assert_uint_eq(base_bytes_get_u32(&bytes), 0xfedcba98);
	ck_assert_int_eq(base_bytes_get_i32(&bytes), -2);
	ck_assert_int_eq(base_bytes_get_i64(&bytes), INT64_MIN + 1);
	base_str_free(&out);
}
END_TEST

START_TEST(places_are_hexadecimal)
{
	char last[32];

	ck_assert_str_eq(base_bytes_place(0).text, "byte 0x0");
	ck_assert_str_eq(base_bytes_place(16).text, "byte 0x10");
	ck_assert_str_eq(base_bytes_place(420).text, "byte 0x1a4");
	snprintf(last, sizeof(last), "byte 0x%zx", SIZE_MAX);
	ck_assert_str_eq(base_bytes_place(SIZE_MAX).text, last);
}
END_TEST

TCase *check_base_bytes(void)
{
	TCase *tcase = tcase_create("base_bytes");

	tcase_add_test(tcase, numbers_are_little_endian);
	tcase_add_test(tcase, what_is_missing_sticks);
	tcase_add_loop_test(tcase, arrays_are_bounded, 0, 11);
	tcase_add_test(tcase, parts_end_where_they_are_told);
	tcase_add_test(tcase, what_is_put_is_got_again);
	tcase_add_test(tcase, places_are_hexadecimal);
	return tcase;
}
