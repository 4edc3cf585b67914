/* SPDX-License-Identifier: MIT */
/* What PGs hold: told of each, or an even part of the rest; and of PGs that are split. */
#include <check.h>

#include "map.h"

static strew_map *make(uint32_t pg_num, bool has_bytes, const uint64_t *bytes,
		       size_t count)
{
	strew_pool_desc desc = STREW_POOL_DESC_INIT;
	strew_bucket_desc root = STREW_BUCKET_DESC_INIT;
	strew_builder *builder = NULL;
	strew_map *map = NULL;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 0, "osd");
	strew_builder_add_type(builder, 1, "root");
	root.name = "default";
	root.type = 1;
	root.id = -1;
	strew_builder_add_bucket(builder, &root);
	strew_builder_add_rule(builder, 0, "all", STREW_KIND_REPLICATED);
	strew_builder_add_take(builder, -1);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	desc.id = 1;
	desc.name = "pool";
	desc.pg_num = pg_num;
	desc.has_bytes = has_bytes;
	desc.bytes = 1000;
	desc.objects = 10;
	strew_builder_add_pool(builder, &desc);
	for (size_t i = 0; i < count; i++)
		strew_builder_set_pg_use(builder, (strew_pg){1, (uint32_t)i}, bytes[i],
					 bytes[i] / 100);
	ck_assert_int_eq(strew_builder_build(&map, builder, NULL), STREW_OK);
	strew_builder_free(builder);
	return map;
}

static double bytes_of(const strew_map *map, uint32_t seed, uint32_t pg_num)
{
	struct map_amount amount;

	return map_pg_use(&amount, &map->pools[0], seed, pg_num) ? amount.bytes : -1;
}

START_TEST(nothing_told_is_not_known)
{
	strew_map *map = make(4, false, NULL, 0);

	ck_assert_double_eq(bytes_of(map, 0, 4), -1);
	strew_map_release(map);
}
END_TEST

START_TEST(pools_are_spread_evenly)
{
	strew_map *map = make(4, true, NULL, 0);

	ck_assert_double_eq(bytes_of(map, 3, 4), 250);
	ck_assert_double_eq(bytes_of(map, 7, 8), 125);
	strew_map_release(map);
}
END_TEST

/* Of 6 PGs those from 2 to 3 have two of eight parts of the hashes: 2 and 6, 3 and 7. */
START_TEST(pgs_have_their_part_of_the_hashes)
{
	static const uint64_t bytes[] = {500, 0, 100};
	strew_map *map = make(6, true, NULL, 0);

	ck_assert_double_eq(bytes_of(map, 1, 6), 125);
	ck_assert_double_eq(bytes_of(map, 2, 6), 250);
	ck_assert_double_eq(bytes_of(map, 3, 6), 250);
	ck_assert_double_eq(bytes_of(map, 5, 6), 125);
	strew_map_release(map);
	/* The first ones told, what is left is shared alike. */
	map = make(6, true, bytes, 3);
	ck_assert_double_eq(bytes_of(map, 0, 6), 500);
	ck_assert_double_eq(bytes_of(map, 3, 6), 200);
	ck_assert_double_eq(bytes_of(map, 4, 6), 100);
	strew_map_release(map);
}
END_TEST

START_TEST(others_share_the_rest)
{
	static const uint64_t bytes[] = {100, 500};
	strew_map *map = make(4, true, bytes, 2);
	struct map_amount amount;

	ck_assert_double_eq(bytes_of(map, 0, 4), 100);
	ck_assert_double_eq(bytes_of(map, 1, 4), 500);
	ck_assert_double_eq(bytes_of(map, 2, 4), 200);
	ck_assert(map_pg_use(&amount, &map->pools[0], 3, 4));
	ck_assert_double_eq(amount.objects, 2);
	strew_map_release(map);
	map = make(4, false, bytes, 2);
	ck_assert_double_eq(bytes_of(map, 1, 4), 500);
	ck_assert_double_eq(bytes_of(map, 2, 4), -1);
	strew_map_release(map);
}
END_TEST

START_TEST(pools_hold_what_all_their_pgs_hold)
{
	static const uint64_t bytes[] = {100, 500, 0};
	strew_map *map = make(3, false, bytes, 3);

	ck_assert(map->pools[0].has_bytes);
	ck_assert_uint_eq(map->pools[0].bytes, 600);
	ck_assert_uint_eq(map->pools[0].objects, 6);
	strew_map_release(map);
}
END_TEST

/* Of 3 PGs the second has two of four parts of the hashes: 1 and 3. */
START_TEST(split_pgs_have_their_part_of_the_hashes)
{
	static const uint64_t bytes[] = {100, 500, 80};
	strew_map *map = make(3, false, bytes, 3);

	ck_assert_double_eq(bytes_of(map, 1, 4), 250);
	ck_assert_double_eq(bytes_of(map, 3, 4), 250);
	ck_assert_double_eq(bytes_of(map, 0, 4), 100);
	for (uint32_t pg_num = 3; pg_num < 40; pg_num++) {
		double sum = 0;

		for (uint32_t seed = 0; seed < pg_num; seed++)
			sum += bytes_of(map, seed, pg_num);
		ck_assert_double_eq_tol(sum, 680, 1e-9);
	}
	strew_map_release(map);
}
END_TEST

TCase *check_map_use(void)
{
	TCase *tcase = tcase_create("map_use");

	tcase_add_test(tcase, nothing_told_is_not_known);
	tcase_add_test(tcase, pools_are_spread_evenly);
	tcase_add_test(tcase, pgs_have_their_part_of_the_hashes);
	tcase_add_test(tcase, others_share_the_rest);
	tcase_add_test(tcase, pools_hold_what_all_their_pgs_hold);
	tcase_add_test(tcase, split_pgs_have_their_part_of_the_hashes);
	return tcase;
}
