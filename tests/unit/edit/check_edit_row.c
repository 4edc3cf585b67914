/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"
#include "support.h"

static const struct edit_change changes[] = {
	{"add weight-set compat", "r1", "-2 64: -4*32 -5*32 [-1 / 32 32]"},
	{"add weight-set compat", "r1~ssd", "-9 32: -7*16 -8*16 [-1 / 16 16]"},
	{"add weight-set p positions 2", "h1", "-4 32: 0*16 1*16 [1 / 16 16 / 16 16]"},
	{"add weight-set compat\nset weight-set compat osd.0 0.5", "h1",
	 "-4 32: 0*16 1*16 [-1 / 8 16]"},
	{"add weight-set compat\nset weight-set compat osd.0 0.5", "default",
	 "-1 96: -2*64 -3*32 [-1 / 56 32]"},
	{"add weight-set compat\nset weight-set compat osd.0 0.5", "default~ssd",
	 "-12 48: -9*32 -11*16 [-1 / 24 16]"},
	{"add weight-set p positions 2\nset weight-set p osd.0 2 3", "r1",
	 "-2 64: -4*32 -5*32 [1 / 48 32 / 64 32]"},
	{"add weight-set p positions 2\nset weight-set p osd.0 2 3", "r1~ssd",
	 "-9 32: -7*16 -8*16 [1 / 32 16 / 48 16]"},
	{"add weight-set p positions 2\nset weight-set p osd.0 2", "h1",
	 "-4 32: 0*16 1*16 [1 / 32 16 / 32 16]"},
	{"add weight-set compat\nset weight-set compat osd.0 0.5\nreweight osd.0 4",
	 "default", "-1 144: -2*112 -3*32 [-1 / 112 32]"},
	{"add weight-set compat\nset weight-set compat osd.0 0.5\nadd device 9 to h1 "
	 "weight 2",
	 "h1", "-4 64: 0*16 1*16 9*32 [-1 / 8 16 32]"},
	{"add weight-set compat\nset weight-set compat osd.0 0.5\nadd device 9 to h1 "
	 "weight 2",
	 "r1", "-2 96: -4*64 -5*32 [-1 / 56 32]"},
	{"add weight-set compat\nset weight-set compat osd.1 0.5\nremove osd.0", "r1",
	 "-2 48: -4*16 -5*32 [-1 / 8 32]"},
	{"add weight-set compat\nset weight-set compat osd.1 0.5\nmove h1 to r2", "r2",
	 "-3 64: -6*32 -4*32 [-1 / 32 24]"},
	{"add weight-set compat\nset weight-set compat osd.1 0.5\nmove h1 to r2", "h1",
	 "-4 32: 0*16 1*16 [-1 / 16 8]"},
	{"add weight-set compat\nset weight-set compat osd.1 0.5\nmove h1 to r2",
	 "r2~hdd", "-17 32: -16*16 -13*16 [-1 / 16 8]"},
	{"add weight-set compat\nset weight-set compat osd.1 0.5\nmove osd.1 to h3", "h3",
	 "-6 48: 4*16 5*16 1*16 [-1 / 16 16 16]"},
	{"add weight-set compat\nset weight-set compat osd.0 0.5\nswap h1 with h3", "r2",
	 "-3 32: -6*32 [-1 / 24]"},
	{"add weight-set compat\nadd rack:r9 to default\nadd host:h9 to r9\nadd device 9 "
	 "to h9 weight 2",
	 "default", "-1 128: -2*64 -3*32 -19*32 [-1 / 64 32 32]"},
	{"add weight-set compat\nset r1 alg list", "r1", "-2 64: -4*32 -5*32"},
	{"add weight-set compat\nset r1 alg list\nset r1 alg straw2", "r1",
	 "-2 64: -4*32 -5*32 [-1 / 32 32]"},
	{"add weight-set compat\nset weight-set compat osd.2 0.5\nset h2 alg "
	 "list\nreweight osd.2 3",
	 "default", "-1 128: -2*96 -3*32 [-1 / 96 32]"},
	{"add weight-set compat\nset weight-set compat h1 5", "default",
	 "-1 96: -2*64 -3*32 [-1 / 112 32]"},
	{"add weight-set compat\nremove weight-set compat", "h1", "-4 32: 0*16 1*16"},
};

START_TEST(buckets_are_as_the_monitor_leaves_them)
{
	changed(&changes[_i]);
}
END_TEST

static const struct edit_refusal refusals[] = {
	{"set weight-set compat osd.0 1", 16,
	 "there is no weight set compat; add it first"},
	{"remove weight-set p", 19, "there is no weight set p; add it first"},
	{"add weight-set q", 16, "there is no pool \"q\""},
	{"add weight-set p positions 0", 28,
	 "a weight set has from 1 to 255 positions, the compat set 1"},
	{"add weight-set compat positions 2", 33,
	 "a weight set has from 1 to 255 positions, the compat set 1"},
};

START_TEST(what_cannot_be_done_is_refused_with_what_would_be_right)
{
	refused(&refusals[_i]);
}
END_TEST

START_TEST(weights_that_do_not_fit_the_set_are_refused)
{
	strew_map *map = edited("add weight-set p positions 2");
	strew_edit *edit;
	strew_error error;

	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	strew_map_release(map);
	ck_assert_int_eq(strew_edit_apply(edit, "set weight-set p osd.0 1 2 3", &error),
			 STREW_EMAP);
	ck_assert_str_eq(error.text, "3 weights are given; the set has 2 positions for "
				     "h1: give 1 or as many");
	ck_assert_int_eq(strew_edit_apply(edit, "set weight-set p osd.0 1 x", &error),
			 STREW_ERANGE);
	ck_assert_int_eq(error.column, 26);
	ck_assert_int_eq(strew_edit_apply(edit, "set weight-set p default 1", &error),
			 STREW_EMAP);
	ck_assert_str_eq(error.text, "root default has no weights in the weight set");
	ck_assert_int_eq(strew_edit_apply(edit, "add weight-set p", &error), STREW_EMAP);
	ck_assert_str_eq(error.text, "there is a weight set p already");
	strew_edit_free(edit);
}
END_TEST

START_TEST(hashed_ids_of_other_items_stay)
{
	static const uint32_t weights[2] = {ONE, ONE};
	static const int32_t ids[2] = {70, 71};
	strew_map *map = edit_map(NULL);
	strew_builder *builder;
	strew_error error;

	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	strew_map_release(map);
	strew_builder_add_weight_set(builder, -1, NULL);
	strew_builder_add_weight_row(builder, -4, weights, 2);
	strew_builder_set_weight_ids(builder, -4, ids, 2);
	ck_assert_int_eq(strew_builder_build(&map, builder, &error), STREW_OK);
	strew_builder_free(builder);
	map = edited_map(map, "add device 9 to h1 weight 2\nremove osd.0");
	drawn(map, "h1", "-4 48: 1*16 9*32 [-1 / 16 32 #71 #9]");
}
END_TEST

static size_t memory_of(const char *first, int count, const char *last)
{
	struct support_heap heap;
	strew_map *map;
	strew_edit *edit;
	strew_error error;

	support_heap_init(&heap);
	map = edit_map(&heap.allocator);
	ck_assert_int_eq(strew_edit_new(&edit, map), STREW_OK);
	for (int i = 0; i < count; i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s%d to r1", first, i);
		ck_assert_int_eq(strew_edit_apply(edit, text, &error), STREW_OK);
	}
	ck_assert_int_eq(strew_edit_apply_script(edit, last, strlen(last), NULL, &error),
			 STREW_OK);
	strew_edit_free(edit);
	strew_map_release(map);
	return heap.most;
}

START_TEST(memory_follows_what_sets_hold)
{
	ck_assert_uint_lt(memory_of("", 0,
				    "add weight-set p positions 2\n"
				    "add device 100-2099 to h1 weight 1"),
			  2 << 20);
	ck_assert_uint_lt(memory_of("add host:x", 1500, "add weight-set compat"),
			  12 << 20);
}
END_TEST

TCase *check_edit_row(void)
{
	TCase *tcase = tcase_create("edit_row");

	tcase_add_test(tcase, memory_follows_what_sets_hold);
	tcase_add_loop_test(tcase, buckets_are_as_the_monitor_leaves_them, 0,
			    (int)(sizeof(changes) / sizeof(changes[0])));
	tcase_add_loop_test(tcase,
			    what_cannot_be_done_is_refused_with_what_would_be_right, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	tcase_add_test(tcase, weights_that_do_not_fit_the_set_are_refused);
	tcase_add_test(tcase, hashed_ids_of_other_items_stay);
	return tcase;
}
