/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <jansson.h>
#include <string.h>

#include "base_alloc.h"
#include "format_number.h"
#include "format_walk.h"
#include "support.h"

static strew_builder *builder;
static struct format_walk walk;
static struct base_str text;

static void set_up(void)
{
	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	format_walk_init(&walk, builder, &base_heap);
	base_str_init(&text, &base_heap);
}

static void tear_down(void)
{
	base_str_free(&text);
	ck_assert_int_eq(format_walk_end(&walk, NULL), STREW_OK);
	strew_builder_free(builder);
}

static const char *weight_text(uint32_t weight)
{
	base_str_clear(&text);
	format_add_weight(&text, weight);
	return base_str_text(&text);
}

/* As a parser and the reader take it. */
static bool reads_back(const char *number, uint32_t weight, bool is_share)
{
	json_t *value = json_loads(number, JSON_DECODE_ANY, NULL);
	uint32_t got = 0;
	bool good = is_share ? format_share(&walk, value, &got)
			     : format_weight(&walk, value, &got);

	json_decref(value);
	return good && got == weight;
}

static size_t count_digits(const char *number)
{
	size_t count = strlen(number);

	return strchr(number, '.') ? count - 1 : count;
}

START_TEST(weights_are_short)
{
	static const struct {
		uint32_t weight;
		const char *text;
	} cases[] = {
		{0, "0"},
		{0x10000, "1"},
		{0x8000, "0.5"},
		{595722, "9.09"}, /* what 9.09 is rounded to */
		{228720, "3.49"},
		{1, "0.00002"},
		{6553, "0.1"},
		{0x640000, "100"},
		{0x1000001, "256.00001525878906"}, /* no 32-bit float is so near */
		{0x7fffffff, "32767.99998474121"},
		{0xfffffffe, "65535.99996948242"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_str_eq(weight_text(cases[i].weight), cases[i].text);
}
END_TEST

/* Cuts the last decimal, and makes it one more: what is shorter must not do. */
static bool could_be_shorter(const char *number, uint32_t weight)
{
	char shorter[64];
	size_t len = strlen(number);

	if (strchr(number, '.') == NULL || len >= sizeof(shorter))
		return false;
	memcpy(shorter, number, len + 1);
	shorter[len - 1] = '\0';
	if (shorter[len - 2] == '.')
		shorter[len - 2] = '\0';
	if (reads_back(shorter, weight, false))
		return true;
	if (len < 3 || shorter[len - 2] < '0' || shorter[len - 2] > '8')
		return false;
	shorter[len - 2]++;
	return reads_back(shorter, weight, false);
}

START_TEST(weights_read_back_and_could_not_be_shorter)
{
	uint64_t state = 7;
	size_t wrong = 0, longer = 0, digits = 0;

	for (int i = 0; i < 300000; i++) {
		uint32_t weight =
			(uint32_t)support_random(&state) >> support_below(&state, 32);
		const char *number;

		if (weight == STREW_AUTO_WEIGHT)
			continue;
		number = weight_text(weight);
		wrong += !reads_back(number, weight, false);
		longer += could_be_shorter(number, weight);
		if (count_digits(number) > digits)
			digits = count_digits(number);
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(longer, 0);
	ck_assert_uint_le(digits, 17);
}
END_TEST

START_TEST(every_share_reads_back)
{
	size_t wrong = 0, longest = 0;

	for (uint32_t share = 0; share <= STREW_WEIGHT_ONE; share++) {
		base_str_clear(&text);
		format_add_share(&text, share);
		wrong += !reads_back(base_str_text(&text), share, true);
		if (base_str_len(&text) > longest)
			longest = base_str_len(&text);
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_le(longest, strlen("0.12345"));
	base_str_clear(&text);
	format_add_share(&text, 62259);
	ck_assert_str_eq(base_str_text(&text), "0.95");
}
END_TEST

START_TEST(sizes_have_a_unit_where_one_is_exact)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{0, "0"},
		{999, "999"},
		{1000, "\"1kB\""},
		{1024, "\"1KiB\""},
		{10000000000000, "\"10TB\""},
		{3840000000000, "\"3.84TB\""},
		{9994560696484, "\"9.09TiB\""}, /* rounded to the byte when it is read */
		{340848604610560, "\"310TiB\""},
		{UINT64_C(1) << 60, "\"1EiB\""},
		{960197124096, "960197124096"},
		{INT64_MAX, "9223372036854775807"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *value;
		uint64_t bytes = 1;

		base_str_clear(&text);
		format_add_bytes(&text, cases[i].bytes);
		ck_assert_str_eq(base_str_text(&text), cases[i].text);
		value = json_loads(cases[i].text, JSON_DECODE_ANY, NULL);
		ck_assert(format_bytes(&walk, value, &bytes));
		ck_assert_uint_eq(bytes, cases[i].bytes);
		json_decref(value);
	}
}
END_TEST

START_TEST(sizes_read_back)
{
	uint64_t state = 3;
	size_t wrong = 0;

	for (int i = 0; i < 100000; i++) {
		uint64_t bytes =
			support_random(&state) >> (1 + support_below(&state, 60));
		uint64_t got = 0;
		json_t *value;

		/* Every other one has a unit, with some decimals. */
		if (i % 2)
			bytes = (bytes % 99999 + 1) * 1000000;
		base_str_clear(&text);
		format_add_bytes(&text, bytes);
		value = json_loads(base_str_text(&text), JSON_DECODE_ANY, NULL);
		wrong += !format_bytes(&walk, value, &got) || got != bytes;
		json_decref(value);
	}
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

TCase *check_format_number(void)
{
	TCase *tcase = tcase_create("format_number");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, weights_are_short);
	tcase_add_test(tcase, weights_read_back_and_could_not_be_shorter);
	tcase_add_test(tcase, every_share_reads_back);
	tcase_add_test(tcase, sizes_have_a_unit_where_one_is_exact);
	tcase_add_test(tcase, sizes_read_back);
	return tcase;
}
