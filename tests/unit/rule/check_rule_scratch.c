/* SPDX-License-Identifier: MIT */
#include <check.h>

#include "rule.h"
#include "support.h"

START_TEST(fits_what_is_no_larger)
{
	struct support_heap heap;
	struct rule_scratch *scratch;

	support_heap_init(&heap);
	scratch = rule_scratch_new(&(struct rule_needs){8, 2}, &heap.allocator);
	ck_assert_ptr_nonnull(scratch);
	ck_assert(rule_scratch_fits(scratch, &(struct rule_needs){8, 2}));
	ck_assert(rule_scratch_fits(scratch, &(struct rule_needs){1, 0}));
	ck_assert(!rule_scratch_fits(scratch, &(struct rule_needs){9, 2}));
	ck_assert(!rule_scratch_fits(scratch, &(struct rule_needs){8, 3}));
	rule_scratch_free(scratch);
	rule_scratch_free(NULL);
	ck_assert_uint_eq(heap.blocks, 0);
	ck_assert_uint_eq(heap.bytes, 0);
}
END_TEST

/* Large enough for several allocations; each fails in turn. */
START_TEST(failed_allocations_leave_nothing)
{
	static const struct rule_needs needs = {1024, 40};
	struct support_heap heap;
	size_t calls;

	support_heap_init(&heap);
	rule_scratch_free(rule_scratch_new(&needs, &heap.allocator));
	calls = heap.calls;
	ck_assert_uint_gt(calls, 1);
	for (size_t fail_at = 1; fail_at <= calls; fail_at++) {
		support_heap_init(&heap);
		heap.fail_at = fail_at;
		ck_assert_ptr_null(rule_scratch_new(&needs, &heap.allocator));
		ck_assert_uint_eq(heap.blocks, 0);
	}
}
END_TEST

START_TEST(needs_are_put_together_by_the_larger_of_each)
{
	struct rule_needs needs = {8, 2}, others = {3, 5};

	ck_assert(!rule_needs_cover(&needs, &others));
	ck_assert(!rule_needs_cover(&others, &needs));
	rule_needs_add(&needs, &others);
	ck_assert(rule_needs_cover(&needs, &others));
	ck_assert_uint_eq(needs.want, 8);
	ck_assert_uint_eq(needs.msr_steps, 5);
	rule_needs_add(&others, &needs);
	ck_assert(rule_needs_cover(&others, &needs));
	ck_assert_uint_eq(others.want, 8);
}
END_TEST

TCase *check_rule_scratch(void)
{
	TCase *tcase = tcase_create("rule_scratch");

	tcase_add_test(tcase, fits_what_is_no_larger);
	tcase_add_test(tcase, needs_are_put_together_by_the_larger_of_each);
	tcase_add_test(tcase, failed_allocations_leave_nothing);
	return tcase;
}
