/* SPDX-License-Identifier: MIT */
#include <check.h>

#include <strew/builder.h>

#include "base_alloc.h"
#include "compile.h"

#define HOSTS     3
#define DEVICES   3
#define POSITIONS 2

static void add_host(strew_builder *builder, int host)
{
	static const char *const names[HOSTS] = {"a", "b", "c"};
	strew_bucket_desc bucket = STREW_BUCKET_DESC_INIT;

	bucket.id = -1 - host;
	bucket.name = names[host];
	bucket.type = 1;
	strew_builder_add_bucket(builder, &bucket);
	for (int32_t device = host * DEVICES; device < (host + 1) * DEVICES; device++) {
		strew_builder_add_device(builder, device, NULL, NULL);
		strew_builder_add_item(builder, bucket.id, device, STREW_WEIGHT_ONE, 0);
	}
}

/** Set -1 has rows for the second host and ids for the third; set 4 has nothing. */
static void add_sets(strew_builder *builder)
{
	static const uint32_t rows[POSITIONS][DEVICES] = {{1, 2, 3}, {4, 5, 6}};
	static const int32_t ids[DEVICES] = {70, -80, 90};

	strew_builder_add_weight_set(builder, 4, NULL);
	strew_builder_add_weight_set(builder, -1, NULL);
	for (int i = 0; i < POSITIONS; i++)
		strew_builder_add_weight_row(builder, -2, rows[i], DEVICES);
	strew_builder_set_weight_ids(builder, -3, ids, DEVICES);
}

static struct flat *compiled(void)
{
	strew_error error = {0};
	strew_builder *builder;
	strew_map *map;
	struct flat *flat;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_add_type(builder, 0, "device");
	strew_builder_add_type(builder, 1, "host");
	for (int host = 0; host < HOSTS; host++)
		add_host(builder, host);
	add_sets(builder);
	ck_assert_msg(strew_builder_build(&map, builder, &error) == STREW_OK, "%s",
		      error.text);
	strew_builder_free(builder);
	ck_assert_int_eq(compile_map(&flat, map, &base_heap, &error), STREW_OK);
	strew_map_release(map);
	return flat;
}

START_TEST(sets_are_picked_by_id)
{
	struct flat *flat = compiled();

	ck_assert_uint_eq(flat->set_count, 2);
	ck_assert_int_eq(flat_pick_set(flat, 4)->id, 4);
	ck_assert_int_eq(flat_pick_set(flat, 5)->id, -1);
	compile_free(flat, &base_heap);
}
END_TEST

START_TEST(bucket_without_a_part_has_no_args)
{
	struct flat *flat = compiled();
	const struct flat_set *compat = flat_pick_set(flat, -1);

	ck_assert_ptr_null(flat_args_of(flat, compat, 0));
	ck_assert_ptr_nonnull(flat_args_of(flat, compat, 1));
	ck_assert_ptr_null(flat_args_of(flat, flat_pick_set(flat, 4), 1));
	ck_assert_ptr_null(flat_args_of(flat, NULL, 1));
	compile_free(flat, &base_heap);
}
END_TEST

START_TEST(rows_have_a_stride)
{
	struct flat *flat = compiled();
	const struct flat_args *args = flat_args_of(flat, flat_pick_set(flat, -1), 1);
	const uint32_t *rows = (const uint32_t *)((const char *)args + args->weights);
	size_t at = (size_t)((const char *)rows - (const char *)flat);

	ck_assert_uint_eq(args->positions, POSITIONS);
	ck_assert_uint_eq(args->ids, 0);
	ck_assert_uint_ge(args->stride, DEVICES);
	ck_assert_uint_le(at + args->stride * POSITIONS * sizeof(*rows), flat->size);
	for (uint32_t i = 0; i < DEVICES; i++) {
		ck_assert_uint_eq(rows[i], 1 + i);
		ck_assert_uint_eq(rows[args->stride + i], 4 + i);
	}
	compile_free(flat, &base_heap);
}
END_TEST

START_TEST(ids_stand_for_the_items)
{
	struct flat *flat = compiled();
	const struct flat_args *args = flat_args_of(flat, flat_pick_set(flat, -1), 2);
	const int32_t *ids = (const int32_t *)((const char *)args + args->ids);
	size_t at = (size_t)((const char *)ids - (const char *)flat);

	ck_assert_uint_eq(args->positions, 0);
	ck_assert_uint_eq(args->weights, 0);
	ck_assert_uint_le(at + (DEVICES + FLAT_PAD) * sizeof(*ids), flat->size);
	ck_assert_int_eq(ids[0], 70);
	ck_assert_int_eq(ids[1], -80);
	ck_assert_int_eq(ids[2], 90);
	compile_free(flat, &base_heap);
}
END_TEST

TCase *check_compile_weights(void)
{
	TCase *tcase = tcase_create("compile_weights");

	tcase_add_test(tcase, sets_are_picked_by_id);
	tcase_add_test(tcase, bucket_without_a_part_has_no_args);
	tcase_add_test(tcase, rows_have_a_stride);
	tcase_add_test(tcase, ids_stand_for_the_items);
	return tcase;
}
