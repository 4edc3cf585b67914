/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "support.h"

#include <strew/builder.h>

static int digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Hexadecimal digits up to a tab, two a byte. @return what follows the tab. */
static const char *read_bytes(const char *text, unsigned char *bytes, size_t *count)
{
	for (*count = 0; *text != '\t'; text += 2)
		bytes[(*count)++] = (unsigned char)(digit(text[0]) << 4 | digit(text[1]));
	return text + 1;
}

START_TEST(names_hash_as_the_reference_hashes)
{
	FILE *file = fopen(support_path("tests/golden/vectors/strhash.tsv"), "r");
	static char line[16384];
	static unsigned char bytes[4096];
	uint32_t rjenkins, linux_hash;
	size_t count, lines = 0;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		if (sscanf(read_bytes(line, bytes, &count), "%u\t%u", &rjenkins,
			   &linux_hash) != 2)
			ck_abort_msg("%s", line);
		if (hash_name_rjenkins(bytes, count) != rjenkins ||
		    hash_name_linux(bytes, count) != linux_hash)
			ck_abort_msg("%s", line);
		lines++;
	}
	fclose(file);
	ck_assert_uint_gt(lines, 100);
}
END_TEST

START_TEST(kinds_are_told_by_number)
{
	ck_assert_uint_eq(hash_name(STREW_HASH_LINUX, "foo", 3), 2415402);
	ck_assert_uint_eq(hash_name(STREW_HASH_RJENKINS, "foo", 3), 2143417350);
	ck_assert_uint_eq(hash_name(0, "foo", 3), 0xffffffff);
	ck_assert_uint_eq(hash_name(3, "foo", 3), 0xffffffff);
}
END_TEST

/* With clang's undefined-behaviour sanitizer this fails when NULL is counted from. */
START_TEST(no_bytes_need_no_address)
{
	ck_assert_uint_eq(hash_name_rjenkins(NULL, 0), hash_name_rjenkins("", 0));
	ck_assert_uint_eq(hash_name_linux(NULL, 0), hash_name_linux("", 0));
}
END_TEST

TCase *check_hash_name(void)
{
	TCase *tcase = tcase_create("hash_name");

	tcase_add_test(tcase, names_hash_as_the_reference_hashes);
	tcase_add_test(tcase, kinds_are_told_by_number);
	tcase_add_test(tcase, no_bytes_need_no_address);
	return tcase;
}
