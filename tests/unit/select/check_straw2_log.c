/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>

#include "select.h"
#include "support.h"

START_TEST(samples_equal_the_reference)
{
	FILE *file = fopen(support_path("tests/golden/vectors/crush_ln.tsv"), "r");
	char line[256];
	uint32_t u;
	uint64_t expected;
	size_t lines = 0;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNu32 "\t%" SCNu64, &u, &expected) != 2)
			continue;
		if (select_straw2_log(u) != expected)
			ck_abort_msg("%s", line);
		lines++;
	}
	fclose(file);
	ck_assert_uint_gt(lines, 500);
}
END_TEST

START_TEST(ends_are_exact)
{
	ck_assert_uint_eq(select_straw2_log(0), 0);
	ck_assert_uint_eq(select_straw2_log(1), 1ull << 44);
	ck_assert_uint_eq(select_straw2_log(65535), 0xfffff0000000);
}
END_TEST

TCase *check_straw2_log(void)
{
	TCase *tcase = tcase_create("straw2_log");

	tcase_add_test(tcase, samples_equal_the_reference);
	tcase_add_test(tcase, ends_are_exact);
	return tcase;
}
