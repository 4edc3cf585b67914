/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "base_alloc.h"
#include "base_str.h"
#include "support.h"

START_TEST(pieces_become_one_text)
{
	struct base_str str;

	base_str_init(&str, &base_heap);
	ck_assert_str_eq(base_str_text(&str), "");
	base_str_add(&str, "osd.");
	base_str_addf(&str, "%d", 12);
	base_str_add_bytes(&str, "/xyz", 2);
	ck_assert_str_eq(base_str_text(&str), "osd.12/x");
	ck_assert_uint_eq(base_str_len(&str), 8);
	base_str_clear(&str);
	base_str_add(&str, "");
	ck_assert_str_eq(base_str_text(&str), "");
	base_str_free(&str);
}
END_TEST

START_TEST(lack_of_memory_sticks)
{
	struct support_heap heap;
	struct base_str str;

	support_heap_init(&heap);
	heap.fail_at = 1;
	base_str_init(&str, &heap.allocator);
	base_str_add(&str, "lost");
	base_str_add(&str, "kept");
	ck_assert(!base_str_ok(&str));
	base_str_free(&str);
	ck_assert_uint_eq(heap.blocks, 0);
}
END_TEST

static const char *const words[] = {"devices", "types", "tunables", "id", NULL};

static const struct {
	const char *word;
	const char *nearest;
} near[] = {
	{"device", "devices"},
	{"tunabels", "tunables"},
	{"typ", "types"},
	{"weight", NULL},
	{"ide", "id"},
	{"x", NULL},
	{"", NULL},
	{"a word of more than sixty-four bytes, which is like none of the names at all, "
	 "not "
	 "at all, so that nothing should be offered in its place, whatever a third of it "
	 "is",
	 NULL},
};

START_TEST(nearest_word_is_found_or_none)
{
	const char *found = base_str_nearest(near[_i].word, words);

	if (near[_i].nearest == NULL)
		ck_assert_ptr_null(found);
	else
		ck_assert_str_eq(found, near[_i].nearest);
}
END_TEST

TCase *check_base_str(void)
{
	TCase *tcase = tcase_create("base_str");

	tcase_add_test(tcase, pieces_become_one_text);
	tcase_add_test(tcase, lack_of_memory_sticks);
	tcase_add_loop_test(tcase, nearest_word_is_found_or_none, 0,
			    (int)(sizeof(near) / sizeof(near[0])));
	return tcase;
}
