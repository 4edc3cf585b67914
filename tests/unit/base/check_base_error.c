/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "base_error.h"

#define EXPECT(name, value, text) {STREW_##name, value, "STREW_" #name, text},
static const struct {
	strew_status status;
	int value;
	const char *name;
	const char *text;
} statuses[] = {STREW_STATUS_LIST(EXPECT)};

START_TEST(every_status_has_its_name_and_text)
{
	ck_assert_int_eq(statuses[_i].status, statuses[_i].value);
	ck_assert_str_eq(strew_status_name(statuses[_i].status), statuses[_i].name);
	ck_assert_str_eq(strew_status_text(statuses[_i].status), statuses[_i].text);
}
END_TEST

START_TEST(null_error_is_allowed)
{
	ck_assert_int_eq(base_error_set(NULL, STREW_EIO, "x %d", 1), STREW_EIO);
}
END_TEST

START_TEST(long_text_is_cut_between_characters)
{
	char text[2000] = "";
	strew_error error;
	size_t len;

	for (int i = 0; i < 400; i++)
		strcat(text, "\xe6\x9d\xb1"); /* three bytes a character */
	base_error_at(&error, STREW_EMAP, "a.json", 1, 2, "%s", text);
	len = strlen(error.text);
	ck_assert_uint_lt(len, sizeof(error.text));
	ck_assert_uint_eq(len % 3, 0);
	ck_assert_uint_gt(len, sizeof(error.text) - 5);
	ck_assert_str_eq(error.where, "a.json");
}
END_TEST

START_TEST(control_characters_are_harmless)
{
	strew_error error;

	base_error_at(&error, STREW_EMAP, "a\x1b.json", 0, 0,
		      "host \x1b[2J\n\xc2\x9bh\xc3\xb4te \x7f");
	ck_assert_str_eq(error.where, "a?.json");
	ck_assert_str_eq(error.text, "host ?[2J???h\xc3\xb4te ?");
}
END_TEST

TCase *check_base_error(void)
{
	TCase *tcase = tcase_create("base_error");

	tcase_add_loop_test(tcase, every_status_has_its_name_and_text, 0,
			    (int)(sizeof(statuses) / sizeof(statuses[0])));
	tcase_add_test(tcase, null_error_is_allowed);
	tcase_add_test(tcase, long_text_is_cut_between_characters);
	tcase_add_test(tcase, control_characters_are_harmless);
	return tcase;
}
