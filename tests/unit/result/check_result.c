/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <check.h>

#include "result.h"
#include "support.h"

static const struct result_column columns[] = {
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"count", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"share", NULL, STREW_CELL_REAL, RESULT_SHARE},
	{"devices", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"primary", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

static void add_row(strew_table *table, const char *name, int64_t count)
{
	const int32_t set[] = {4, STREW_NONE, (int32_t)count};

	result_row(table);
	result_text(table, name);
	result_integer(table, count);
	result_real(table, (double)count / 4);
	result_set(table, set, 3);
	result_integer(table, 4);
}

/* A result with all that it can hold. */
static strew_result *make_result(const strew_allocator *allocator)
{
	strew_result *result = result_new("place", allocator);
	strew_table *table;

	if (result == NULL)
		return NULL;
	result_set_headline(result, "%d rows", 2);
	result_add_note(result, "first");
	table = result_add_table(result, "things", "Things", columns, COLUMN_COUNT, 0);
	for (int64_t i = 0; i < 40; i++)
		add_row(table, "a name", i);
	result_draw(result, "things",
		    &(struct result_picture){.shape = RESULT_BARS,
					     .title = "Counts",
					     .columns = {"name", "count"}});
	result_add_warning(result, "then %s", "second");
	return result;
}

START_TEST(pictures_are_of_what_is_there)
{
	struct result_picture picture = {.title = "", .columns = {"share"}};
	strew_result *result = make_result(NULL);
	const struct result_drawing *drawing;

	ck_assert_uint_eq(result_drawing_count(result), 1);
	result_draw(result, "nothing", &picture);
	picture.columns[0] = "nothing";
	result_draw(result, "things", &picture);
	ck_assert_uint_eq(result_drawing_count(result), 1);
	drawing = result_drawing_at(result, 0);
	ck_assert_ptr_eq(drawing->table, strew_result_table(result, "things"));
	ck_assert_str_eq(drawing->picture.title, "Counts");
	ck_assert_int_eq(drawing->picture.shape, RESULT_BARS);
	strew_result_free(result);
}
END_TEST

START_TEST(cells_come_back_as_given)
{
	strew_result *result = make_result(NULL);
	const strew_table *table = strew_result_table_at(result, 0);
	strew_cell cell;

	ck_assert_str_eq(strew_result_command(result), "place");
	ck_assert_uint_eq(strew_table_row_count(table), 40);
	ck_assert_uint_eq(strew_table_column_count(table), COLUMN_COUNT);
	ck_assert_int_eq(strew_table_find_column(table, "devices"), 3);
	ck_assert_int_eq(strew_table_find_column(table, "nothing"), STREW_ENOTFOUND);
	ck_assert_str_eq(strew_table_column_name(table, 1), "count");
	ck_assert_ptr_null(strew_table_column_name(table, COLUMN_COUNT));
	cell = strew_table_cell(table, 39, 0);
	ck_assert_int_eq(cell.kind, STREW_CELL_TEXT);
	ck_assert_str_eq(cell.text, "a name");
	cell = strew_table_cell(table, 39, 1);
	ck_assert_int_eq(cell.kind, STREW_CELL_INTEGER);
	ck_assert_int_eq(cell.integer, 39);
	cell = strew_table_cell(table, 39, 2);
	ck_assert_int_eq(cell.kind, STREW_CELL_REAL);
	ck_assert(cell.real == 9.75);
	cell = strew_table_cell(table, 39, 3);
	ck_assert_int_eq(cell.kind, STREW_CELL_SET);
	ck_assert_uint_eq(cell.set_count, 3);
	ck_assert_int_eq(cell.set[1], STREW_NONE);
	ck_assert_int_eq(cell.set[2], 39);
	strew_result_free(result);
}
END_TEST

START_TEST(tables_and_notes_are_found)
{
	strew_result *result = make_result(NULL);

	ck_assert_uint_eq(strew_result_table_count(result), 1);
	ck_assert_ptr_eq(strew_result_table(result, "things"),
			 strew_result_table_at(result, 0));
	ck_assert_ptr_null(strew_result_table(result, "other"));
	ck_assert_ptr_null(strew_result_table_at(result, 1));
	ck_assert_str_eq(result_table_title(strew_result_table_at(result, 0)), "Things");
	ck_assert_str_eq(result_headline(result), "2 rows");
	ck_assert_uint_eq(result_note_count(result), 2);
	ck_assert_str_eq(result_note_at(result, 0).text, "first");
	ck_assert_uint_eq(result_note_at(result, 0).after, 0);
	ck_assert(!result_note_at(result, 0).warning);
	ck_assert_str_eq(result_note_at(result, 1).text, "then second");
	ck_assert_uint_eq(result_note_at(result, 1).after, 1);
	ck_assert(result_note_at(result, 1).warning);
	strew_result_free(result);
}
END_TEST

static void expect_null(const strew_table *table, size_t row, size_t column)
{
	ck_assert_int_eq(strew_table_cell(table, row, column).kind, STREW_CELL_NULL);
}

START_TEST(what_is_not_given_is_null)
{
	strew_result *result = result_new("x", NULL);
	strew_table *table =
		result_add_table(result, "t", NULL, columns, COLUMN_COUNT, 0);

	result_row(table);
	for (size_t i = 0; i <= COLUMN_COUNT; i++)
		expect_null(table, 0, i);
	expect_null(table, 1, 0);
	result_row(table);
	result_text(table, NULL);
	result_null(table);
	result_real(table, NAN);
	result_integer(table, 3); /* not the column's kind */
	result_integer(table, STREW_NONE);
	result_integer(table, 1); /* one too many */
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		expect_null(table, 1, i);
	ck_assert_uint_eq(strew_table_row_count(table), 2);
	ck_assert_int_eq(result_status(result), STREW_OK);
	strew_result_free(result);
}
END_TEST

START_TEST(none_is_a_number_where_no_device_is_meant)
{
	strew_result *result = result_new("x", NULL);
	strew_table *table = result_add_table(result, "t", NULL, columns + 1, 1, 0);

	result_row(table);
	result_integer(table, STREW_NONE);
	ck_assert_int_eq(strew_table_cell(table, 0, 0).integer, STREW_NONE);
	strew_result_free(result);
}
END_TEST

START_TEST(empty_set_is_not_null)
{
	strew_result *result = result_new("x", NULL);
	strew_table *table = result_add_table(result, "t", NULL, columns + 3, 1, 0);
	strew_cell cell;

	result_row(table);
	result_set(table, NULL, 0);
	cell = strew_table_cell(table, 0, 0);
	ck_assert_int_eq(cell.kind, STREW_CELL_SET);
	ck_assert_uint_eq(cell.set_count, 0);
	strew_result_free(result);
}
END_TEST

START_TEST(each_lack_of_memory_sticks_and_leaks_nothing)
{
	size_t calls = SIZE_MAX;

	for (size_t fail_at = 1; fail_at <= calls; fail_at++) {
		struct support_heap heap;
		strew_result *result;
		bool complete;

		support_heap_init(&heap);
		heap.fail_at = fail_at;
		result = make_result(&heap.allocator);
		complete = heap.calls < fail_at;
		if (result && (result_status(result) == STREW_OK) != complete)
			ck_abort_msg("call %zu was not noticed", fail_at);
		strew_result_free(result);
		ck_assert_uint_eq(heap.blocks, 0);
		if (complete)
			calls = heap.calls;
	}
	ck_assert_uint_gt(calls, 5);
}
END_TEST

START_TEST(a_million_rows_take_little_memory)
{
	struct support_heap heap;
	strew_result *result;
	strew_table *table;

	support_heap_init(&heap);
	result = result_new("place", &heap.allocator);
	table = result_add_table(result, "t", NULL, columns, COLUMN_COUNT, 0);
	for (int64_t i = 0; i < 1000000; i++)
		add_row(table, NULL, i);
	ck_assert_int_eq(result_status(result), STREW_OK);
	ck_assert_int_eq(strew_table_cell(table, 999999, 3).set[2], 999999);
	/* 40 bytes of cells and 16 of a set, while vectors grow by doubling. */
	ck_assert_uint_lt(heap.bytes, 2 * 56 * 1000000);
	strew_result_free(result);
	ck_assert_uint_eq(heap.blocks, 0);
}
END_TEST

TCase *check_result(void)
{
	TCase *tcase = tcase_create("result");

	tcase_add_test(tcase, cells_come_back_as_given);
	tcase_add_test(tcase, pictures_are_of_what_is_there);
	tcase_add_test(tcase, tables_and_notes_are_found);
	tcase_add_test(tcase, what_is_not_given_is_null);
	tcase_add_test(tcase, none_is_a_number_where_no_device_is_meant);
	tcase_add_test(tcase, empty_set_is_not_null);
	tcase_add_test(tcase, each_lack_of_memory_sticks_and_leaks_nothing);
	tcase_add_test(tcase, a_million_rows_take_little_memory);
	return tcase;
}
