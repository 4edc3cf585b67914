/* SPDX-License-Identifier: MIT */
#include "edit_fixture.h"

static const struct edit_refusal refusals[] = {
	{"add pool p replicated size 3 pg_num 8 rule r", 10,
	 "there is a pool \"p\" already; names of pools must be unique"},
	{"add pool q msr_indep size 3 pg_num 8 rule r", 12,
	 "a pool is replicated or erasure"},
	{"add pool q replicated size 0 pg_num 8 rule r", 28,
	 "the size must be from 1 to 255"},
	{"add pool q replicated size 3 pg_num 0 rule r", 37,
	 "pg_num must be from 1 to 4294967295"},
	{"add pool q replicated size 3 pg_num 8 rule s", 44, "there is no rule \"s\""},
	{"add pool q erasure size 3 pg_num 8 rule r k 4", 45,
	 "the number of data shards must be from 1 to 3"},
	{"set pool p size 256", 17, "the size must be from 1 to 255"},
	{"set pool ec size 4", 18,
	 "an erasure pool's size can't change; add another pool"},
	{"set pool p min_size 4", 21, "min_size must be from 1 to 3"},
	{"set pool ec min_size 1", 22, "min_size must be from 2 to 3"},
	{"set pool p pg_num 0", 19, "pg_num must be from 1 to 4294967295"},
	{"set pool p pgp_num 9", 20, "pgp_num must be from 1 to 8"},
	{"set pool x size 2", 10, "there is no pool \"x\""},
	{"rename pool p ec", 15,
	 "there is a pool \"ec\" already; names of pools must be unique"},
};

START_TEST(what_cannot_be_done_is_refused_with_what_would_be_right)
{
	refused(&refusals[_i]);
}
END_TEST

START_TEST(pools_are_added_whole)
{
	strew_map *map = edited("add pool q erasure size 6 pg_num 32 rule fast k 4\n"
				"add pool s replicated size 4 pg_num 16 rule r");
	const strew_pool *q = strew_map_pool_by_name(map, "q");
	const strew_pool *s = strew_map_pool_by_name(map, "s");

	ck_assert_int_eq(q->id, 3);
	ck_assert_int_eq(q->kind, STREW_KIND_ERASURE);
	ck_assert_int_eq(q->k, 4);
	ck_assert_int_eq(q->min_size, 5);
	ck_assert_uint_eq(q->pgp_num, 32);
	ck_assert_int_eq(q->rule, 1);
	ck_assert(q->hashpspool);
	ck_assert_str_eq(q->profile, "");
	ck_assert_int_eq(s->id, 4);
	ck_assert_int_eq(s->min_size, 2);
	strew_map_release(map);
}
END_TEST

START_TEST(a_pools_numbers_are_set)
{
	strew_map *map = edited("set pool p size 5\nset pool p pg_num 16\n"
				"set pool ec pgp_num 4\nset pool ec pg_num 32\n"
				"set pool ec min_size 2\nset pool p rule fast");

	ck_assert_int_eq(map->pools[0].size, 5);
	ck_assert_int_eq(map->pools[0].min_size, 3);
	ck_assert_uint_eq(map->pools[0].pg_num, 16);
	ck_assert_uint_eq(map->pools[0].pgp_num, 16);
	ck_assert_int_eq(map->pools[0].rule, 1);
	ck_assert_uint_eq(map->pools[1].pg_num, 32);
	ck_assert_uint_eq(map->pools[1].pgp_num, 4);
	ck_assert_int_eq(map->pools[1].min_size, 2);
	strew_map_release(map);
}
END_TEST

START_TEST(overrides_of_pgs_that_go_go_too)
{
	strew_map *map = edited("add upmap 1.1 0 to 4\nadd upmap 1.7 0 to 4\n"
				"add upmap 2.1 0 to 4\nset pool p pg_num 4\n"
				"remove pool ec");

	ck_assert_uint_eq(map->override_count, 1);
	ck_assert_uint_eq(map->overrides[0].pg.seed, 1);
	ck_assert_uint_eq(strew_map_warning_count(map), 0);
	strew_map_release(map);
}
END_TEST

START_TEST(what_pgs_store_is_not_known_of_other_pgs)
{
	strew_map *map = edit_map(NULL);
	strew_builder *builder;
	strew_error error;

	ck_assert_int_eq(strew_builder_from_map(&builder, map), STREW_OK);
	strew_map_release(map);
	for (uint32_t seed = 0; seed < 8; seed++)
		strew_builder_set_pg_use(builder, (strew_pg){1, seed}, 100, 2);
	ck_assert_int_eq(strew_builder_build(&map, builder, &error), STREW_OK);
	strew_builder_free(builder);
	ck_assert_uint_eq(map->pools[0].use_count, 8);
	map = edited_map(map, "set pool p pg_num 16\nset pool p size 2");
	ck_assert_uint_eq(map->pools[0].use_count, 0);
	ck_assert_uint_eq(map->pools[0].bytes, 800);
	map = edited_map(map, "remove pool p");
	ck_assert_uint_eq(strew_map_warning_count(map), 0);
	strew_map_release(map);
}
END_TEST

TCase *check_edit_pool(void)
{
	TCase *tcase = tcase_create("edit_pool");

	tcase_add_loop_test(tcase,
			    what_cannot_be_done_is_refused_with_what_would_be_right, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	tcase_add_test(tcase, pools_are_added_whole);
	tcase_add_test(tcase, a_pools_numbers_are_set);
	tcase_add_test(tcase, overrides_of_pgs_that_go_go_too);
	tcase_add_test(tcase, what_pgs_store_is_not_known_of_other_pgs);
	return tcase;
}
