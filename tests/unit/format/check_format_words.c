/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include <strew/builder.h>

#include "format_keys.h"
#include "format_words.h"

START_TEST(every_key_has_a_name_that_finds_it)
{
	for (int key = 0; key < KEY_COUNT; key++) {
		const char *name = format_key_name((enum format_key)key);

		ck_assert_msg(name[0] != '\0', "key %d is not in format_keys.gperf", key);
		ck_assert_int_eq(format_key(name), key);
	}
}
END_TEST

START_TEST(other_names_find_no_key)
{
	const char *const others[] = {
		"", "x", "idx", "i", "ID", "choose_local_triesx", "weight ", "\xff"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		ck_assert_int_eq(format_key(others[i]), -1);
}
END_TEST

START_TEST(words_need_not_end)
{
	const struct format_word *word = format_word("take default", 4);

	ck_assert_ptr_nonnull(word);
	ck_assert_int_eq(word->form, WORD_TAKE);
	ck_assert_ptr_null(format_word("take default", 5));
	ck_assert_ptr_null(format_word("take default", 3));
	ck_assert_ptr_null(format_word("", 0));
}
END_TEST

START_TEST(words_of_another_form_are_not_taken)
{
	ck_assert_int_eq(format_word_of(WORD_KIND, "msr_indep")->value,
			 STREW_KIND_MSR_INDEP);
	ck_assert_ptr_null(format_word_of(WORD_UNIT, "msr_indep"));
	ck_assert_int_eq(format_word_of(WORD_UNIT, "EiB")->value, INT64_C(1) << 60);
	ck_assert_ptr_null(format_word_of(WORD_UNIT, "eib"));
}
END_TEST

TCase *check_format_words(void)
{
	TCase *tcase = tcase_create("format_words");

	tcase_add_test(tcase, every_key_has_a_name_that_finds_it);
	tcase_add_test(tcase, other_names_find_no_key);
	tcase_add_test(tcase, words_need_not_end);
	tcase_add_test(tcase, words_of_another_form_are_not_taken);
	return tcase;
}
