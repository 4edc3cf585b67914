/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "analyze_check_priv.h"

static const struct {
	const char *a;
	const char *b;
	int alike;
} pairs[] = {
	{"plain", "plain", 1},
	{"plain", "plane", 0},
	{"caf\u00e9", "cafe\u0301", 1},
	{"caf\u00e9", "cafe", 0},
	{"\u1ec7", "e\u0323\u0302", 1}, /* two marks … */
	{"\u1ec7", "e\u0302\u0323", 1}, /* … in either order */
	{"\u1ec7", "\u1eb9\u0302", 1},  /* … or half put together */
	{"\u1ec7", "\u1eb9", 0},
	{"\u212b", "\u00c5", 1},       /* angstrom sign, A with ring */
	{"\u03ac", "\u03b1\u0301", 1}, /* Greek */
	{"\u1f71", "\u03ac", 1},
	{"\u0439", "\u0438\u0306", 1}, /* Cyrillic */
	{"\u0439", "\u0438", 0},
	{"a", "\u0430", 0},                  /* Cyrillic a is another letter */
	{"\ud55c", "\u1112\u1161\u11ab", 1}, /* Hangul */
	{"\ud558", "\u1112\u1161", 1},
	{"\u30ac", "\u30ab\u3099", 1}, /* Katakana */
	{"\uff52\uff11", "r1", 1},     /* full width */
	{"\ufb01sh", "fish", 1},       /* a ligature */
	{"a\u00a0b", "a b", 1},        /* no-break space */
	{"ra\u200bck", "rack", 1},     /* unseen */
	{"\u4e2d", "\u4e2d", 1},
	{"\U0001f600", "\U0001f601", 0},
	{"\xff", "\xfe", 0}, /* no UTF-8 */
	{"\xc3", "\xc3(", 0},
};

START_TEST(names_fold_alike)
{
	struct base_str a, b;
	const char *left, *right;

	base_str_init(&a, &base_heap);
	base_str_init(&b, &base_heap);
	left = analyze_check_fold(pairs[_i].a, &a);
	right = analyze_check_fold(pairs[_i].b, &b);
	ck_assert_int_eq(strcmp(left, right) == 0, pairs[_i].alike);
	base_str_free(&a);
	base_str_free(&b);
}
END_TEST

/* Each folded text must be a form of its own: folding it again changes nothing. */
START_TEST(folding_twice_is_folding_once)
{
	struct base_str once, twice;
	char name[8];
	int changed = 0;

	base_str_init(&once, &base_heap);
	base_str_init(&twice, &base_heap);
	for (uint32_t point = 0x80; point < 0x10000; point++) {
		const char *first, *second;

		name[0] = (char)(point < 0x800 ? 0xc0 | point >> 6 : 0xe0 | point >> 12);
		name[1] = (char)(0x80 | (point < 0x800 ? point & 63 : point >> 6 & 63));
		name[2] = (char)(point < 0x800 ? 0 : 0x80 | (point & 63));
		name[3] = '\0';
		first = analyze_check_fold(name, &once);
		second = analyze_check_fold(first, &twice);
		if (strcmp(first, second) != 0)
			ck_abort_msg("U+%04X", point);
		changed += strcmp(name, first) != 0;
	}
	/* 869 letters, 11172 syllables, and what is plain or unseen otherwise */
	ck_assert_int_gt(changed, 869 + 11172);
	base_str_free(&once);
	base_str_free(&twice);
}
END_TEST

START_TEST(many_marks_keep_their_letter)
{
	char name[200] = "\u00e9";
	struct base_str folded;

	for (int i = 0; i < 40; i++)
		strcat(name, "\u0308");
	base_str_init(&folded, &base_heap);
	ck_assert_uint_eq(strlen(analyze_check_fold(name, &folded)), 1 + 41 * 2);
	base_str_free(&folded);
}
END_TEST

TCase *check_analyze_check_fold(void)
{
	TCase *tcase = tcase_create("check_fold");

	tcase_add_loop_test(tcase, names_fold_alike, 0,
			    (int)(sizeof(pairs) / sizeof(pairs[0])));
	tcase_add_test(tcase, folding_twice_is_folding_once);
	tcase_add_test(tcase, many_marks_keep_their_letter);
	return tcase;
}
