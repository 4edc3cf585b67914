/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include "base_alloc.h"
#include "base_vec.h"
#include "support.h"

START_TEST(arena_frees_everything)
{
	struct support_heap heap;
	struct base_arena arena;

	support_heap_init(&heap);
	base_arena_init(&arena, &heap.allocator);
	for (size_t i = 1; i < 3000; i++) {
		unsigned char *block = base_arena_alloc(&arena, i, 3);
		unsigned any = 0;

		ck_assert_ptr_nonnull(block);
		ck_assert_uint_eq((uintptr_t)block % sizeof(void *), 0);
		for (size_t j = 0; j < i * 3; j++)
			any |= block[j];
		ck_assert_uint_eq(any, 0);
		memset(block, 0xff, i * 3);
	}
	base_arena_free(&arena);
	base_arena_free(&arena);
	ck_assert_uint_eq(heap.blocks, 0);
	ck_assert_uint_eq(heap.bytes, 0);
}
END_TEST

START_TEST(overflowing_sizes_are_refused)
{
	struct base_arena arena;
	struct base_vec vec = {0};

	base_arena_init(&arena, NULL);
	ck_assert_ptr_null(base_arena_alloc(&arena, SIZE_MAX / 2, 3));
	ck_assert_ptr_null(base_arena_alloc(&arena, SIZE_MAX - 8, 1));
	ck_assert_ptr_null(base_alloc(&base_heap, SIZE_MAX / 4, 8));
	ck_assert_ptr_null(base_vec_extend(&vec, &base_heap, 8, SIZE_MAX / 4));
	base_arena_free(&arena);
}
END_TEST

START_TEST(vec_keeps_its_items_and_clears_new_ones)
{
	struct support_heap heap;
	struct base_vec vec = {0};

	support_heap_init(&heap);
	for (int i = 0; i < 1000; i++) {
		int *item = base_vec_push(&vec, &heap.allocator, sizeof(int));

		ck_assert_int_eq(*item, 0);
		*item = i;
	}
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(((int *)vec.items)[i], i);
	base_vec_free(&vec, &heap.allocator);
	ck_assert_uint_eq(heap.bytes, 0);
}
END_TEST

START_TEST(vec_survives_a_failed_growth)
{
	struct support_heap heap;
	struct base_vec vec = {0};
	size_t pushed = 0;

	support_heap_init(&heap);
	heap.fail_at = 3;
	while (base_vec_push(&vec, &heap.allocator, 16))
		pushed++;
	ck_assert_uint_eq(vec.count, pushed);
	ck_assert_ptr_nonnull(base_vec_push(&vec, &heap.allocator, 16));
	base_vec_free(&vec, &heap.allocator);
	ck_assert_uint_eq(heap.blocks, 0);
}
END_TEST

TCase *check_base_alloc(void)
{
	TCase *tcase = tcase_create("base_alloc");

	tcase_add_test(tcase, arena_frees_everything);
	tcase_add_test(tcase, overflowing_sizes_are_refused);
	tcase_add_test(tcase, vec_keeps_its_items_and_clears_new_ones);
	tcase_add_test(tcase, vec_survives_a_failed_growth);
	return tcase;
}
