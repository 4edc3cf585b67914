/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "edit_fixture.h"
#include "support.h"

START_TEST(an_edit_without_operations_makes_the_same_map)
{
	strew_map *map = edit_map(NULL), *same = edited("# nothing\n\n   \n");
	char *before = written(map), *after = written(same);

	alike(after, before);
	free(before);
	free(after);
	strew_map_release(map);
	strew_map_release(same);
}
END_TEST

static const struct inverse {
	const char *start; /* before both */
	const char *there;
	const char *back;
} inverses[] = {
	{"", "move h1 to r2", "move h1 to r1\nmove h2 to r2\nmove h2 to r1"},
	{"", "add host:h9 to r1 \nadd device 9 to h9 weight 2 class ssd",
	 "remove h9 with contents"},
	{"", "add device 6-9 to h3 weight 2.5",
	 "remove osd.6\nremove 7\nremove osd.8\n"
	 "remove osd.9"},
	{"", "reweight osd.1 7", "reweight osd.1 1"},
	{"", "rename h1 other", "rename other h1"},
	{"", "swap h1 with h3", "swap h3 with h1"},
	{"", "link h1 to r2", "unlink h1 from r2"},
	{"", "set class 3,5 ssd", "set class 3,5 hdd"},
	{"", "rename class ssd fast", "rename class fast ssd"},
	{"", "set r1 alg list", "set r1 alg straw2"},
	{"", "set all alg tree", "set all alg straw2"},
	{"", "set reweight 0-3 0.5", "in 0-3"},
	{"", "out osd.1\ndown osd.1", "in osd.1\nup osd.1"},
	{"", "set affinity osd.2 0.25", "set affinity osd.2 1"},
	{"", "set tunable choose_total_tries 19", "set tunable choose_total_tries 50"},
	{"", "set tunables firefly", "set tunables default"},
	{"", "add weight-set compat", "remove weight-set compat"},
	{"add weight-set compat", "set weight-set compat osd.0 3",
	 "set weight-set compat osd.0 1"},
	{"add weight-set compat", "reweight osd.0 3", "reweight osd.0 1"},
	{"add weight-set compat", "add device 9 to h1 weight 3 class hdd",
	 "remove osd.9"},
	{"add weight-set compat", "add root:other", "remove other"},
	{"add weight-set compat\nset weight-set compat osd.0 3", "swap h1 with h3",
	 "swap h3 with h1"},
	{"", "add rule x replicated take r1 over host", "remove rule x"},
	{"", "rename rule r other", "rename rule other r"},
	{"", "add pool q replicated size 2 pg_num 16 rule r", "remove pool q"},
	{"", "set pool p size 2", "set pool p size 3"},
	{"", "set pool p pg_num 32", "set pool p pg_num 8"},
	{"", "set pool p pgp_num 4", "set pool p pgp_num 8"},
	{"", "set pool p rule fast", "set pool p rule r"},
	{"", "rename pool p q", "rename pool q p"},
	{"", "add upmap 1.3 0 to 4", "remove upmap 1.3"},
	{"", "set upmap 1.3 0,2,4", "remove upmap 1.3"},
	{"", "set primary 1.3 4", "remove primary 1.3"},
};

START_TEST(an_operation_and_its_inverse_make_the_same_map)
{
	const struct inverse *inverse = &inverses[_i];
	strew_map *start = edited(inverse->start);
	char *before = written(start), *there, *back;
	strew_map *map = edited_map(start, inverse->there);

	there = written(map);
	ck_assert_str_ne(there, before);
	map = edited_map(map, inverse->back);
	back = written(map);
	alike(back, before);
	free(before);
	free(there);
	free(back);
	strew_map_release(map);
}
END_TEST

START_TEST(every_operation_is_tried_with_its_inverse)
{
	for (size_t i = 0; strew_edit_operation_syntax(i); i++) {
		char verb[16];
		bool found = false;

		ck_assert_str_ne(strew_edit_operation_summary(i), "");
		sscanf(strew_edit_operation_syntax(i), "%15s", verb);
		for (size_t j = 0; j < sizeof(inverses) / sizeof(inverses[0]); j++)
			found = found || strstr(inverses[j].there, verb) ||
				strstr(inverses[j].back, verb);
		ck_assert_msg(found, "%s", strew_edit_operation_syntax(i));
	}
	ck_assert_uint_gt(strew_edit_operation_count(), 30);
	ck_assert_ptr_null(strew_edit_operation_syntax(strew_edit_operation_count()));
	ck_assert_ptr_null(strew_edit_operation_summary(strew_edit_operation_count()));
}
END_TEST

START_TEST(a_script_stops_at_its_first_fault)
{
	static const char script[] = "reweight osd.0 2 # heavier\n"
				     "\n"
				     "\t move h9 to r2\n"
				     "reweight osd.1 9\n";
	strew_map *map = edit_map(NULL), *after;
	strew_edit *edit;
	strew_error error;

	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	strew_map_release(map);
	ck_assert_int_eq(strew_edit_apply_script(edit, script, sizeof(script) - 1,
						 "changes", &error),
			 STREW_ENOTFOUND);
	ck_assert_str_eq(error.where, "changes");
	ck_assert_int_eq(error.line, 3);
	ck_assert_int_eq(error.column, 8);
	ck_assert_int_eq(strew_edit_build(&after, edit, &error), STREW_OK);
	ck_assert_str_eq(draw(after, "h1"), "-4 48: 0*32 1*16");
	strew_map_release(after);
	strew_edit_free(edit);
}
END_TEST

START_TEST(what_no_map_can_be_is_refused_by_the_build)
{
	strew_map *map = edited("reweight h1 60000"), *after;
	strew_edit *edit;
	strew_error error;

	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	strew_map_release(map);
	ck_assert_int_eq(strew_edit_apply(edit, "reweight h2 60000", &error), STREW_OK);
	ck_assert_int_eq(strew_edit_build(&after, edit, &error), STREW_EMAP);
	ck_assert_str_eq(error.text,
			 "the items of rack r1 (id -2) weigh 120000 together; "
			 "the sum must be below 65536");
	ck_assert_int_eq(strew_edit_apply(edit, "reweight h2 1", &error), STREW_OK);
	ck_assert_int_eq(strew_edit_build(&after, edit, &error), STREW_OK);
	strew_map_release(after);
	strew_edit_free(edit);
}
END_TEST

START_TEST(many_operations_take_no_more_memory_than_a_few)
{
	struct support_heap heap;
	strew_map *map;
	strew_edit *edit;
	strew_error error;
	size_t least;

	support_heap_init(&heap);
	map = edit_map(&heap.allocator);
	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	ck_assert_int_eq(
		strew_edit_apply(edit, "add device 100-4000 to h1 weight 1", &error),
		STREW_OK);
	ck_assert_int_eq(strew_edit_apply(edit, "add weight-set compat", &error),
			 STREW_OK);
	least = heap.bytes;
	for (int i = 0; i < 400; i++) {
		ck_assert_int_eq(strew_edit_apply(edit,
						  "add device 50 to h1 weight 1 class x",
						  &error),
				 STREW_OK);
		ck_assert_int_eq(strew_edit_apply(edit, "remove osd.50", &error),
				 STREW_OK);
	}
	ck_assert_uint_lt(heap.bytes, least + (24u << 20));
	strew_edit_free(edit);
	strew_map_release(map);
	ck_assert_uint_eq(heap.bytes, 0);
}
END_TEST

static const char everything[] =
	"add weight-set compat\n"
	"add weight-set p positions 2\n"
	"add host:h9 to r1\n"
	"add device 9 to h9 weight 2 class nvme\n"
	"move h1 to r2\n"
	"set upmap 1.0 1,2,3\n"
	"add upmap 1.1 1 to 2\n"
	"add pool q replicated size 3 pg_num 8 rule r\n"
	"add rule x replicated steps take default class hdd; choose firstn 0 type osd; "
	"emit\n"
	"remove h2 with contents\n"
	"rename class hdd slow\n"
	"set all alg list\n"
	"swap h1 with h9\n";

static strew_status edit_all(struct support_heap *heap)
{
	strew_map *map = edit_map(&heap->allocator), *after = NULL;
	strew_edit *edit = NULL;
	strew_error error;
	strew_status status = map ? strew_edit_new(&edit, map) : STREW_ENOMEM;

	if (status == STREW_OK)
		status = strew_edit_apply_script(edit, everything, strlen(everything),
						 NULL, &error);
	if (status == STREW_OK)
		status = strew_edit_build(&after, edit, &error);
	strew_edit_free(edit);
	strew_map_release(after);
	strew_map_release(map);
	return status;
}

START_TEST(each_failed_allocation_is_survived)
{
	strew_status status = STREW_ENOMEM;
	size_t failures = 0;

	for (size_t i = 1; status != STREW_OK; i++) {
		struct support_heap heap;

		support_heap_init(&heap);
		heap.fail_at = i;
		heap.fail_on = 1;
		status = edit_all(&heap);
		ck_assert(status == STREW_OK || status == STREW_ENOMEM);
		ck_assert(status == STREW_ENOMEM || heap.calls < i);
		ck_assert_uint_eq(heap.blocks, 0);
		ck_assert_uint_eq(heap.bytes, 0);
		failures += status != STREW_OK;
	}
	ck_assert_uint_gt(failures, 200);
}
END_TEST

TCase *check_edit(void)
{
	TCase *tcase = tcase_create("edit");

	tcase_add_test(tcase, an_edit_without_operations_makes_the_same_map);
	tcase_add_loop_test(tcase, an_operation_and_its_inverse_make_the_same_map, 0,
			    (int)(sizeof(inverses) / sizeof(inverses[0])));
	tcase_add_test(tcase, every_operation_is_tried_with_its_inverse);
	tcase_add_test(tcase, a_script_stops_at_its_first_fault);
	tcase_add_test(tcase, what_no_map_can_be_is_refused_by_the_build);
	tcase_add_test(tcase, many_operations_take_no_more_memory_than_a_few);
	tcase_add_test(tcase, each_failed_allocation_is_survived);
	return tcase;
}
