/* SPDX-License-Identifier: MIT */
#include "base_crc.h"

#include <check.h>
#include <string.h>

/* The check value of CRC-32C in its catalogue, which is inverted at the end. */
START_TEST(check_value_is_that_of_crc32c)
{
	ck_assert_uint_eq(~base_crc32c(BASE_CRC_START, "123456789", 9), 0xe3069283);
	ck_assert_uint_eq(base_crc32c(BASE_CRC_START, NULL, 0), BASE_CRC_START);
}
END_TEST

START_TEST(pieces_give_what_the_whole_gives)
{
	const char *text = "all that is the case";

	for (size_t i = 0; i <= strlen(text); i++) {
		uint32_t crc = base_crc32c(BASE_CRC_START, text, i);

		crc = base_crc32c(crc, text + i, strlen(text) - i);
		ck_assert_uint_eq(crc, base_crc32c(BASE_CRC_START, text, strlen(text)));
	}
}
END_TEST

TCase *check_base_crc(void)
{
	TCase *tcase = tcase_create("base_crc");

	tcase_add_test(tcase, check_value_is_that_of_crc32c);
	tcase_add_test(tcase, pieces_give_what_the_whole_gives);
	return tcase;
}
