/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"

static uint64_t hash_of(const char *name, const char *text)
{
	return hash_named_find(name)->hash(text, strlen(text));
}

/* As Java's % has it for what it takes to be an int. */
static int modulo(uint64_t hash, int divisor)
{
	return abs((int32_t)(uint32_t)hash) % divisor;
}

static const struct {
	const char *text;
	int additive, rotating;
	int32_t bernstein;
	uint64_t md5;
} words[] = {
	{"hello", 10, 19, 127086708, 0x5d41402abc4b2a76},
	{"consistent", 23, 19, 671999690, 0},
	{"marmot", 11, 11, 90044176, 0},
};

START_TEST(printed_functions_give_the_printed_numbers)
{
	ck_assert_int_eq(modulo(hash_of("additive", words[_i].text), 31),
			 words[_i].additive);
	ck_assert_int_eq(modulo(hash_of("rotating", words[_i].text), 31),
			 words[_i].rotating);
	ck_assert_int_eq((int32_t)(uint32_t)hash_of("bernstein", words[_i].text),
			 words[_i].bernstein);
	if (words[_i].md5)
		ck_assert_uint_eq(hash_of("md5", words[_i].text), words[_i].md5);
}
END_TEST

/* (first 8 bytes of the MD5) xor (last 8 bytes) modulo n. */
START_TEST(folded_md5_gives_the_printed_slots)
{
	static const unsigned slots[][2] = {{4, 23}, {14, 18}, {5, 31}};

	ck_assert_uint_eq(hash_of("md5-folded", words[_i].text) % 32, slots[_i][0]);
	ck_assert_uint_eq(hash_of("md5-folded", words[_i].text) % 33, slots[_i][1]);
}
END_TEST

START_TEST(fnv1a_and_the_last_mix_have_their_vectors)
{
	ck_assert_uint_eq(hash_of("fnv1a", "hello"), 0xa430d84680aabd0b);
	ck_assert_uint_eq(hash_finish(0xa430d84680aabd0b), 0x16fe05a1c75bcd0f);
	ck_assert_uint_eq(hash_of("fnv1a", ""), 0xcbf29ce484222325);
}
END_TEST

static const struct {
	const char *key;
	unsigned slot;
} slots[] = {
	{"123456789", 0x31c3},
	{"foo", 12182},
	{"{user1000}.following", 3443},
	{"{user1000}.followers", 3443},
	{"foo{}{bar}", 8363},
	{"foo{{bar}}zap", 4015},
	{"foo{bar}{zap}", 5061},
	{"bar", 5061},
	{"", 0},
};

START_TEST(crc16_heeds_tags)
{
	ck_assert_uint_eq(hash_of("crc16", slots[_i].key) % 16384, slots[_i].slot);
}
END_TEST

START_TEST(unknown_hash_is_none)
{
	size_t count = 0;

	while (hash_named_at(count)) {
		ck_assert_ptr_eq(hash_named_find(hash_named_at(count)->name),
				 hash_named_at(count));
		count++;
	}
	ck_assert_uint_ge(count, 7);
	ck_assert_ptr_null(hash_named_find("crc32"));
}
END_TEST

TCase *check_hash_named(void)
{
	TCase *tcase = tcase_create("hash_named");

	tcase_add_loop_test(tcase, printed_functions_give_the_printed_numbers, 0, 3);
	tcase_add_loop_test(tcase, folded_md5_gives_the_printed_slots, 0, 3);
	tcase_add_test(tcase, fnv1a_and_the_last_mix_have_their_vectors);
	tcase_add_loop_test(tcase, crc16_heeds_tags, 0, sizeof(slots) / sizeof(slots[0]));
	tcase_add_test(tcase, unknown_hash_is_none);
	return tcase;
}
