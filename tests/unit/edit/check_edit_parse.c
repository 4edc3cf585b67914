/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"

static const struct edit_refusal refusals[] = {
	{"mvoe h1 to r2", 1, "no operation starts with \"mvoe\"; did you mean \"move\"?"},
	{"  frobnicate", 3, "no operation starts with \"frobnicate\""},
	{"move", 5, "expected ITEM; the operation is \"move ITEM to BUCKET\""},
	{"move h1", 8, "expected to; the operation is \"move ITEM to BUCKET\""},
	{"move h1 # to r2", 9, "expected to; the operation is \"move ITEM to BUCKET\""},
	{"move h1 into r2", 9,
	 "expected to in place of \"into\"; the operation is \"move ITEM to BUCKET\""},
	{"move h1 to r2 now", 15,
	 "\"now\" is too much; the operation is \"move ITEM to BUCKET\""},
	{"add device 9 to h1 class ssd", 20,
	 "expected weight in place of \"class\"; the operation is \"add device IDS to "
	 "BUCKET weight W [class CLASS] [name NAME]\""},
	{"add device 9 to h1 weight 1 class", 34,
	 "expected CLASS; the operation is \"add device IDS to BUCKET weight W [class "
	 "CLASS] [name NAME]\""},
	{"move \"h1 to r2", 6, "the quotes that start here don't end"},
	{"move h9 to r2", 6, "there is no device or bucket \"h9\"; did you mean \"h1\"?"},
	{"move osd.99 to r2", 6,
	 "there is no device or bucket \"osd.99\"; did you mean \"osd.0\"?"},
	{"move rack:h1 to r2", 6,
	 "there is no device or bucket \"rack:h1\"; did you mean \"h1\"?"},
	{"move h1 to osd.0", 12, "device osd.0 is a device; a bucket is needed here"},
	{"move h1~ssd to r2", 6,
	 "h1~ssd is the shadow of host h1 for a device class, which it follows; edit "
	 "that one"},
	{"add upmap 1.0 h1 to osd.1", 15, "host h1 is a bucket; a device is needed here"},
	{"out 20-30", 5, "there is no device with an id in 20-30"},
	{"out 0,h1", 7, "host h1 is a bucket; a device is needed here"},
	{"set reweight osd.0 1.5", 20, "\"1.5\" must be a number from 0 to 1"},
	{"reweight osd.0 -1", 16,
	 "\"-1\" is no weight; it must be a number from 0 to below 65536, such as 9.1"},
	{"reweight osd.0 1e3", 16,
	 "\"1e3\" is no weight; it must be a number from 0 to below 65536, such as 9.1"},
	{"set tunable choose_total_tries 5x", 32,
	 "\"5x\" must be a whole number from 0 to 4294967295"},
};

START_TEST(what_cannot_be_done_is_refused_with_what_would_be_right)
{
	refused(&refusals[_i]);
}
END_TEST

START_TEST(items_are_named_in_every_way)
{
	static const char *const names[] = {"h3", "host:h3", "-6", "\"h3\""};
	static const char *const devices[] = {"osd.4", "4", "\"osd.4\""};
	char text[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(text, sizeof(text), "move  %s\tto r1", names[i]);
		drawn(edited(text), "r1", "-2 96: -4*32 -5*32 -6*32");
	}
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		snprintf(text, sizeof(text), "reweight %s 2 ", devices[i]);
		drawn(edited(text), "h3", "-6 48: 4*32 5*16");
	}
}
END_TEST

START_TEST(quoted_names_may_hold_spaces)
{
	strew_map *map = edited("rename h1 \"a b\"\nreweight \"a b\" 5");

	drawn(map, "r1", "-2 112: -4*80 -5*32");
}
END_TEST

START_TEST(options_come_in_any_order)
{
	drawn(edited("add host:h9 alg list id -40 to r2\n"
		     "add device 9 to h9 weight 1 name disk class ssd"),
	      "h9", "-40 16: 9*16");
}
END_TEST

START_TEST(a_line_with_too_many_words_is_refused)
{
	char text[4096];
	strew_map *map = edit_map(NULL);
	strew_edit *edit;
	strew_error error;

	for (size_t i = 0; i + 3 < sizeof(text); i += 2)
		memcpy(text + i, "a ", 3);
	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	strew_map_release(map);
	ck_assert_int_eq(strew_edit_apply(edit, text, &error), STREW_ESYNTAX);
	ck_assert_str_eq(error.text, "an operation has at most 1024 words");
	ck_assert_int_eq(error.column, 2049);
	strew_edit_free(edit);
}
END_TEST

TCase *check_edit_parse(void)
{
	TCase *tcase = tcase_create("edit_parse");

	tcase_add_loop_test(tcase,
			    what_cannot_be_done_is_refused_with_what_would_be_right, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	tcase_add_test(tcase, items_are_named_in_every_way);
	tcase_add_test(tcase, quoted_names_may_hold_spaces);
	tcase_add_test(tcase, options_come_in_any_order);
	tcase_add_test(tcase, a_line_with_too_many_words_is_refused);
	return tcase;
}
