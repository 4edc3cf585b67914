/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdatomic.h>

#include "fixture.h"
#include "place_priv.h"
#include "support.h"

/* MSR steps make its scratch larger. */
static strew_placer *placer_of(int msr_steps)
{
	strew_builder *builder = fixture_builder(NULL);

	if (msr_steps) {
		strew_builder_add_rule(builder, 2, "msr", STREW_KIND_MSR_INDEP);
		strew_builder_add_take(builder, -1);
		for (int i = 1; i < msr_steps; i++)
			strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 1, 0,
						 "root");
		strew_builder_add_choose(builder, STREW_OP_CHOOSE_MSR, 4, 0, NULL);
		strew_builder_add_step(builder, STREW_OP_EMIT, 0);
	}
	return fixture_placer(builder);
}

/* References to a placer, the test's own included. */
static size_t refs_of(strew_placer *placer)
{
	return atomic_load(&placer->refs.count);
}

static void publish(strew_live *live, strew_placer *placer)
{
	ck_assert_int_eq(strew_live_publish(live, placer), STREW_OK);
}

static strew_reader *reader_of(strew_live *live)
{
	strew_reader *reader;

	ck_assert_int_eq(strew_reader_new(&reader, live), STREW_OK);
	return reader;
}

/* Two placers, the first in force. */
struct rig {
	strew_placer *first;
	strew_placer *second;
	strew_live *live;
};

static void rig_up(struct rig *rig, int msr_steps)
{
	rig->first = placer_of(0);
	rig->second = placer_of(msr_steps);
	ck_assert_int_eq(strew_live_new(&rig->live, rig->first), STREW_OK);
}

/* Nobody but the test holds the placers. */
static void rig_down(struct rig *rig)
{
	strew_live_free(rig->live);
	ck_assert_uint_eq(refs_of(rig->first), 1);
	ck_assert_uint_eq(refs_of(rig->second), 1);
	strew_placer_release(rig->first);
	strew_placer_release(rig->second);
}

START_TEST(reader_gives_what_was_published_last)
{
	struct rig rig;
	strew_reader *early, *late;

	rig_up(&rig, 0);
	early = reader_of(rig.live);
	ck_assert_ptr_eq(strew_reader_get(early), rig.first);
	ck_assert_ptr_eq(strew_reader_get(early), rig.first);
	publish(rig.live, rig.second);
	late = reader_of(rig.live);
	ck_assert_ptr_eq(strew_reader_get(late), rig.second);
	ck_assert_ptr_eq(strew_reader_get(early), rig.second);
	publish(rig.live, rig.first);
	publish(rig.live, rig.second);
	publish(rig.live, rig.first);
	ck_assert_ptr_eq(strew_reader_get(early), rig.first);
	strew_reader_free(late);
	strew_reader_free(early);
	rig_down(&rig);
}
END_TEST

START_TEST(placer_lives_until_the_last_reader_has_moved_on)
{
	struct rig rig;
	strew_reader *one, *other;

	rig_up(&rig, 0);
	one = reader_of(rig.live);
	other = reader_of(rig.live);
	/* The test's, the live's, and each reader's once it has got it. */
	ck_assert_uint_eq(refs_of(rig.first), 2);
	strew_reader_get(one);
	strew_reader_get(other);
	strew_reader_get(other);
	ck_assert_uint_eq(refs_of(rig.first), 4);
	publish(rig.live, rig.second);
	ck_assert_uint_eq(refs_of(rig.first), 3);
	strew_reader_get(one);
	ck_assert_uint_eq(refs_of(rig.first), 2);
	strew_reader_free(other);
	ck_assert_uint_eq(refs_of(rig.first), 1);
	ck_assert_uint_eq(refs_of(rig.second), 3);
	strew_reader_free(one);
	rig_down(&rig);
}
END_TEST

START_TEST(readers_behind_are_counted)
{
	struct rig rig;
	strew_reader *one, *other, *idle;

	rig_up(&rig, 0);
	one = reader_of(rig.live);
	other = reader_of(rig.live);
	idle = reader_of(rig.live);
	strew_reader_get(one);
	strew_reader_get(other);
	ck_assert_uint_eq(strew_live_behind(rig.live), 0);
	publish(rig.live, rig.second);
	ck_assert_uint_eq(strew_live_behind(rig.live), 2);
	strew_reader_get(one);
	ck_assert_uint_eq(strew_live_behind(rig.live), 1);
	strew_reader_free(other);
	ck_assert_uint_eq(strew_live_behind(rig.live), 0);
	strew_reader_free(one);
	strew_reader_free(idle);
	rig_down(&rig);
}
END_TEST

START_TEST(reader_at_rest_holds_no_placer)
{
	struct rig rig;
	strew_reader *reader;

	rig_up(&rig, 0);
	reader = reader_of(rig.live);
	strew_reader_get(reader);
	strew_reader_rest(reader);
	strew_reader_rest(reader);
	publish(rig.live, rig.second);
	ck_assert_uint_eq(refs_of(rig.first), 1);
	ck_assert_uint_eq(strew_live_behind(rig.live), 0);
	ck_assert_ptr_eq(strew_reader_get(reader), rig.second);
	strew_reader_rest(reader);
	ck_assert_ptr_eq(strew_reader_get(reader), rig.second);
	strew_reader_free(reader);
	rig_down(&rig);
}
END_TEST

START_TEST(readers_may_outlive_their_live)
{
	struct rig rig;
	strew_reader *reader;

	rig_up(&rig, 0);
	reader = reader_of(rig.live);
	publish(rig.live, rig.second);
	strew_live_free(rig.live);
	ck_assert_ptr_eq(strew_reader_get(reader), rig.second);
	strew_reader_free(reader);
	strew_reader_free(NULL);
	rig.live = NULL;
	rig_down(&rig);
}
END_TEST

static void assert_places(strew_reader *reader, int32_t rule, int count)
{
	const strew_placer *placer = strew_reader_get(reader);
	int32_t out[4];

	ck_assert_int_eq(
		strew_place(placer, rule, 1, out, 4, strew_reader_scratch(reader)),
		count);
}

START_TEST(scratch_fits_the_placer_that_the_reader_holds)
{
	static const int steps[] = {0, 2, 1, 3, 3, 5, 0, 4, 6};
	size_t count = sizeof(steps) / sizeof(steps[0]);
	strew_reader *keen, *slow, *late = NULL;
	int32_t out[4];
	struct rig rig;

	rig_up(&rig, 0);
	keen = reader_of(rig.live);
	slow = reader_of(rig.live);
	strew_reader_get(slow);
	for (size_t i = 0; i < count; i++) {
		strew_placer *placer = placer_of(steps[i]);

		publish(rig.live, placer);
		strew_placer_release(placer);
		assert_places(keen, steps[i] ? 2 : 0, 4);
		/* One that hasn't moved goes on with what it holds. */
		ck_assert_int_eq(
			strew_place(rig.first, 0, 1, out, 4, strew_reader_scratch(slow)),
			4);
		strew_reader_free(late);
		late = reader_of(rig.live);
		assert_places(late, steps[i] ? 2 : 0, 4);
	}
	assert_places(slow, 2, 4);
	strew_reader_free(keen);
	strew_reader_free(slow);
	strew_reader_free(late);
	rig_down(&rig);
}
END_TEST

START_TEST(scratch_that_is_large_enough_is_kept)
{
	struct rig rig;
	strew_reader *reader;
	strew_scratch *small, *large;

	rig_up(&rig, 1);
	reader = reader_of(rig.live);
	strew_reader_get(reader);
	small = strew_reader_scratch(reader);
	publish(rig.live, rig.second);
	ck_assert_ptr_eq(strew_reader_scratch(reader), small);
	strew_reader_get(reader);
	large = strew_reader_scratch(reader);
	ck_assert_ptr_ne(large, small);
	publish(rig.live, rig.first);
	strew_reader_get(reader);
	publish(rig.live, rig.second);
	strew_reader_get(reader);
	ck_assert_ptr_eq(strew_reader_scratch(reader), large);
	strew_reader_free(reader);
	rig_down(&rig);
}
END_TEST

/* Memory that does something whenever it is asked for, or given back, while it is armed:
 * what another thread might do at that moment. */
struct trap {
	strew_allocator allocator;
	void (*spring)(struct trap *trap, bool is_free);
	strew_live *live;
	strew_reader *reader;
	strew_placer *next;
	const strew_placer *got;
	size_t behind;
};

static void *take_memory(void *ctx, void *old, size_t old_size, size_t new_size)
{
	struct trap *trap = ctx;

	if (trap->spring)
		trap->spring(trap, new_size == 0);
	return base_heap.resize(NULL, old, old_size, new_size);
}

/* Set for a live whose first placer, and all memory of its own, are the trap's. */
static void set_trap(struct trap *trap)
{
	strew_map *map = fixture_build(fixture_builder(NULL));
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_placer *first;

	*trap = (struct trap){.allocator = {take_memory, trap}, .next = placer_of(3)};
	options.allocator = &trap->allocator;
	ck_assert_int_eq(strew_placer_new(&first, map, &options, NULL), STREW_OK);
	strew_map_release(map);
	ck_assert_int_eq(strew_live_new(&trap->live, first), STREW_OK);
	strew_placer_release(first);
	trap->reader = reader_of(trap->live);
	strew_reader_get(trap->reader);
}

static void clear_trap(struct trap *trap)
{
	trap->spring = NULL;
	strew_reader_free(trap->reader);
	strew_live_free(trap->live);
	ck_assert_uint_eq(refs_of(trap->next), 1);
	strew_placer_release(trap->next);
}

static void count_when_freed(struct trap *trap, bool is_free)
{
	ck_assert(is_free);
	trap->behind += strew_live_behind(trap->live);
	trap->spring = NULL;
}

static void publish_when_freed(struct trap *trap, bool is_free)
{
	count_when_freed(trap, is_free);
	publish(trap->live, trap->next);
}

START_TEST(publisher_does_not_wait_for_a_reader_that_frees)
{
	struct trap trap;

	set_trap(&trap);
	publish(trap.live, trap.next);
	trap.spring = publish_when_freed;
	ck_assert_ptr_eq(strew_reader_get(trap.reader), trap.next);
	ck_assert_ptr_null(trap.spring);
	/* What is being freed is still the reader's. */
	ck_assert_uint_eq(trap.behind, 1);
	/* The publication in between was not overlooked. */
	ck_assert_uint_eq(strew_live_behind(trap.live), 1);
	strew_reader_get(trap.reader);
	ck_assert_uint_eq(strew_live_behind(trap.live), 0);
	clear_trap(&trap);
}
END_TEST

START_TEST(reader_that_lets_go_counts_until_it_has)
{
	struct trap trap;

	set_trap(&trap);
	publish(trap.live, trap.next);
	trap.spring = count_when_freed;
	if (_i) {
		strew_reader_free(trap.reader);
		trap.reader = NULL;
	} else {
		strew_reader_rest(trap.reader);
	}
	ck_assert_uint_eq(trap.behind, 1);
	ck_assert_uint_eq(strew_live_behind(trap.live), 0);
	clear_trap(&trap);
}
END_TEST

static void get_when_taken(struct trap *trap, bool is_free)
{
	if (!is_free)
		trap->got = strew_reader_get(trap->reader);
}

START_TEST(reader_does_not_wait_for_a_publisher_that_makes_scratch)
{
	const strew_placer *before;
	struct trap trap;

	set_trap(&trap);
	before = strew_reader_get(trap.reader);
	trap.spring = get_when_taken;
	publish(trap.live, trap.next);
	ck_assert_ptr_eq(trap.got, before);
	trap.spring = NULL;
	assert_places(trap.reader, 2, 4);
	clear_trap(&trap);
}
END_TEST

/* A placer whose live takes its memory from the heap. */
static strew_placer *placer_on(struct support_heap *heap)
{
	strew_map *map = fixture_build(fixture_builder(NULL));
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_placer *placer;

	support_heap_init(heap);
	options.allocator = &heap->allocator;
	ck_assert_int_eq(strew_placer_new(&placer, map, &options, NULL), STREW_OK);
	strew_map_release(map);
	return placer;
}

static strew_status start(strew_live **live, strew_reader **reader,
			  const strew_placer *placer)
{
	strew_status status = strew_live_new(live, placer);

	*reader = NULL;
	return status == STREW_OK ? strew_reader_new(reader, *live) : status;
}

START_TEST(failed_allocations_leave_nothing)
{
	struct support_heap heap;
	strew_placer *placer = placer_on(&heap);
	size_t calls = heap.calls, blocks = heap.blocks, fail_at = 0;
	strew_status status = STREW_ENOMEM;
	strew_reader *reader;
	strew_live *live;

	while (status == STREW_ENOMEM) {
		heap.calls = calls;
		heap.fail_at = calls + ++fail_at;
		status = start(&live, &reader, placer);
		ck_assert(status == STREW_OK || reader == NULL);
		strew_reader_free(reader);
		strew_live_free(live);
		if (heap.blocks != blocks)
			ck_abort_msg("%zu blocks are left", heap.blocks - blocks);
	}
	ck_assert_int_eq(status, STREW_OK);
	/* A live, a reader, a scratch and its two parts: at least so many. */
	ck_assert_uint_gt(fail_at, 5);
	strew_placer_release(placer);
	ck_assert_uint_eq(heap.blocks, 0);
}
END_TEST

START_TEST(publication_without_memory_changes_nothing)
{
	struct support_heap heap;
	strew_placer *small = placer_on(&heap), *large = placer_of(7);
	strew_status status = STREW_ENOMEM;
	strew_reader *readers[3];
	size_t fail_at = 0, blocks;
	strew_live *live;

	ck_assert_int_eq(strew_live_new(&live, small), STREW_OK);
	for (int i = 0; i < 3; i++) {
		readers[i] = reader_of(live);
		strew_reader_get(readers[i]);
	}
	blocks = heap.blocks;
	while (heap.fail_at = heap.calls + ++fail_at,
	       (status = strew_live_publish(live, large)) == STREW_ENOMEM) {
		ck_assert_uint_eq(heap.blocks, blocks);
		ck_assert_uint_eq(refs_of(large), 1);
		for (int i = 0; i < 3; i++)
			ck_assert_ptr_eq(strew_reader_get(readers[i]), small);
		assert_places(readers[2], 0, 4);
	}
	ck_assert_int_eq(status, STREW_OK);
	/* Each reader's scratch failed in each of its parts. */
	ck_assert_uint_gt(fail_at, 9);
	/* From here on no memory is needed. */
	heap.fail_at = heap.calls + 1;
	for (int i = 0; i < 3; i++) {
		assert_places(readers[i], 2, 4);
		publish(live, large);
		strew_reader_free(readers[i]);
	}
	strew_live_free(live);
	ck_assert_uint_eq(refs_of(large), 1);
	strew_placer_release(large);
	strew_placer_release(small);
	ck_assert_uint_eq(heap.blocks, 0);
}
END_TEST

TCase *check_place_live(void)
{
	TCase *tcase = tcase_create("place_live");

	tcase_add_test(tcase, reader_gives_what_was_published_last);
	tcase_add_test(tcase, placer_lives_until_the_last_reader_has_moved_on);
	tcase_add_test(tcase, readers_behind_are_counted);
	tcase_add_test(tcase, reader_at_rest_holds_no_placer);
	tcase_add_test(tcase, readers_may_outlive_their_live);
	tcase_add_test(tcase, scratch_fits_the_placer_that_the_reader_holds);
	tcase_add_test(tcase, scratch_that_is_large_enough_is_kept);
	tcase_add_test(tcase, publisher_does_not_wait_for_a_reader_that_frees);
	tcase_add_loop_test(tcase, reader_that_lets_go_counts_until_it_has, 0, 2);
	tcase_add_test(tcase, reader_does_not_wait_for_a_publisher_that_makes_scratch);
	tcase_add_test(tcase, failed_allocations_leave_nothing);
	tcase_add_test(tcase, publication_without_memory_changes_nothing);
	return tcase;
}
