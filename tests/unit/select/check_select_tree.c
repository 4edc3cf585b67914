/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>

#include "flat_fixture.h"
#include "hash.h"
#include "select.h"

static const struct {
	uint32_t count;
	uint32_t nodes;
} sizes[] = {{1, 2}, {2, 4}, {3, 8}, {4, 8}, {5, 16}, {8, 16}, {33, 128}, {64, 128}};

START_TEST(number_of_nodes_is_a_power_of_two)
{
	const struct select_ops *ops = select_find("tree");

	ck_assert_uint_eq(ops->table_words(sizes[_i].count), sizes[_i].nodes);
	ck_assert_uint_eq(ops->max_items, 64);
}
END_TEST

START_TEST(inner_nodes_hold_sums)
{
	static const uint32_t weights[] = {1, 2, 4, 8, 16};
	static const uint32_t expected[16] = {0, 1,  3,  2,  15, 4, 12,
					      8, 31, 16, 16, 0,  16};
	struct flat *flat = fixture_one("tree", 5, weights);
	const uint32_t *nodes = flat_table(flat_bucket_at(flat, 0));

	for (uint32_t i = 0; i < 16; i++)
		ck_assert_uint_eq(nodes[i], expected[i]);
	free(flat);
}
END_TEST

/* Three items hang in a tree of four leaves: 4 at the root, 2 and 6 below. */
static uint32_t walk(uint32_t x)
{
	static const uint32_t weights[8] = {0, 10, 30, 20, 35, 5, 5};
	uint32_t node = 4;

	while (node != 1 && node != 3 && node != 5) {
		uint64_t draw =
			(uint64_t)hash_4(x, node, 2, (uint32_t)-1) * weights[node] >> 32;

		if (node == 4)
			node = draw < weights[2] ? 2 : 6;
		else
			node = draw < weights[node - 1] ? node - 1 : node + 1;
	}
	return node / 2;
}

START_TEST(walk_goes_from_the_root_to_a_leaf)
{
	static const uint32_t weights[] = {10, 20, 5};
	struct flat *flat = fixture_one("tree", 3, weights);

	for (uint32_t x = 0; x < 3000; x++) {
		struct select_in in = {.x = x, .r = 2};

		if (select_choose(flat_bucket_at(flat, 0), &in) != walk(x))
			ck_abort_msg("x %u", x);
	}
	free(flat);
}
END_TEST

TCase *check_select_tree(void)
{
	TCase *tcase = tcase_create("select_tree");

	tcase_add_loop_test(tcase, number_of_nodes_is_a_power_of_two, 0,
			    (int)FIXTURE_COUNT(sizes));
	tcase_add_test(tcase, inner_nodes_hold_sums);
	tcase_add_test(tcase, walk_goes_from_the_root_to_a_leaf);
	return tcase;
}
