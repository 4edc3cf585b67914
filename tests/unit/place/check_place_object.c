/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "hash.h"
#include "place_priv.h"
#include "support.h"

/** @return how many vectors were compared. */
static int compare_stable_mod(FILE *file)
{
	uint32_t x, n, mask, expected;
	char line[256];
	int compared = 0;

	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNu32 "%" SCNu32 "%" SCNu32 "%" SCNu32, &x, &n,
			   &mask, &expected) != 4)
			continue;
		if (map_stable_mod(x, n) != expected)
			ck_abort_msg("%u mod %u isn't %u", x, n, expected);
		compared++;
	}
	return compared;
}

START_TEST(stable_mod_equals_its_vectors)
{
	FILE *file = fopen(support_path("tests/golden/vectors/stable_mod.tsv"), "r");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_gt(compare_stable_mod(file), 100);
	fclose(file);
}
END_TEST

START_TEST(stable_mod_of_the_largest_number)
{
	ck_assert_uint_eq(map_stable_mod(0xffffffff, 0xffffffff), 0x7fffffff);
	ck_assert_uint_eq(map_stable_mod(0xfffffffe, 0xffffffff), 0xfffffffe);
	ck_assert_uint_eq(map_stable_mod(0xffffffff, 0x80000000), 0x7fffffff);
	ck_assert_uint_eq(map_stable_mod(5, 1), 0);
}
END_TEST

START_TEST(pg_input_mixes_the_pool_in)
{
	strew_pool pool = {.id = 7, .pg_num = 12, .pgp_num = 12, .hashpspool = true};

	ck_assert_uint_eq(place_pg_input(&pool, 13), hash_2(5, 7));
	pool.pgp_num = 4;
	ck_assert_uint_eq(place_pg_input(&pool, 13), hash_2(1, 7));
	pool.hashpspool = false;
	ck_assert_uint_eq(place_pg_input(&pool, 13), 1 + 7);
	ck_assert_uint_eq(strew_pool_input(13, 7), hash_2(13, 7));
}
END_TEST

/** With so many PGs that no two names share one by chance. */
#define LARGE_POOL        3
#define LARGE_POOL_PG_NUM 65536

static strew_placer *object_placer(void)
{
	strew_builder *builder = fixture_builder(NULL);
	strew_pool_desc pool = STREW_POOL_DESC_INIT;

	pool.id = LARGE_POOL;
	pool.name = "large";
	pool.pg_num = LARGE_POOL_PG_NUM;
	strew_builder_add_pool(builder, &pool);
	return fixture_placer(builder);
}

static const struct {
	strew_object object;
	const char *hashed;
} objects[] = {
	{{"foo", 3, NULL, 0, NULL, 0}, "foo"},
	{{"", 0, NULL, 0, NULL, 0}, ""},
	{{"foo", 3, "key", 3, NULL, 0}, "key"},
	{{"foo", 3, "key", 0, NULL, 0}, "foo"},
	{{"foo", 3, NULL, 0, "space", 5},
	 "space\x1f"
	 "foo"},
	{{"foo", 3, "key", 3, "space", 5},
	 "space\x1f"
	 "key"},
	{{"foo", 3, NULL, 0, "space", 0}, "foo"},
	{{"", 0, NULL, 0, "space", 5}, "space\x1f"},
};

START_TEST(object_hashes_name_space_and_key)
{
	strew_placer *placer = object_placer();
	const char *hashed = objects[_i].hashed;
	uint32_t hash = hash_name_rjenkins(hashed, strlen(hashed));
	strew_pg pg = {0};

	ck_assert_int_eq(strew_object_pg(&pg, placer, LARGE_POOL, &objects[_i].object),
			 STREW_OK);
	ck_assert_int_eq(pg.pool, LARGE_POOL);
	ck_assert_uint_eq(pg.seed, hash % LARGE_POOL_PG_NUM);
	strew_placer_release(placer);
}
END_TEST

START_TEST(object_of_no_pool_is_not_found)
{
	strew_placer *placer = object_placer();
	strew_pg pg = {0};

	ck_assert_int_eq(strew_object_pg(&pg, placer, 4, &objects[0].object),
			 STREW_ENOTFOUND);
	ck_assert_int_eq(strew_object_pg(&pg, placer, 0, &objects[0].object),
			 STREW_ENOTFOUND);
	strew_placer_release(placer);
}
END_TEST

START_TEST(name_spaces_have_a_limit_and_names_have_none)
{
	strew_placer *placer = object_placer();
	char *bytes = calloc(1, 100000);
	strew_object object = {.name = bytes, .name_len = 100000};
	strew_pg pg = {0};

	ck_assert_int_eq(strew_object_pg(&pg, placer, LARGE_POOL, &object), STREW_OK);
	object.name_space = bytes;
	object.name_space_len = 95;
	object.name_len = 4000;
	ck_assert_int_eq(strew_object_pg(&pg, placer, LARGE_POOL, &object), STREW_OK);
	object.name_len = 4001;
	ck_assert_int_eq(strew_object_pg(&pg, placer, LARGE_POOL, &object), STREW_ERANGE);
	object.name_space_len = SIZE_MAX;
	ck_assert_int_eq(strew_object_pg(&pg, placer, LARGE_POOL, &object), STREW_ERANGE);
	free(bytes);
	strew_placer_release(placer);
}
END_TEST

TCase *check_place_object(void)
{
	TCase *tcase = tcase_create("place_object");

	tcase_add_test(tcase, stable_mod_equals_its_vectors);
	tcase_add_test(tcase, stable_mod_of_the_largest_number);
	tcase_add_test(tcase, pg_input_mixes_the_pool_in);
	tcase_add_loop_test(tcase, object_hashes_name_space_and_key, 0,
			    (int)(sizeof(objects) / sizeof(objects[0])));
	tcase_add_test(tcase, object_of_no_pool_is_not_found);
	tcase_add_test(tcase, name_spaces_have_a_limit_and_names_have_none);
	return tcase;
}
