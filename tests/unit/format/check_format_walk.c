/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base_alloc.h"
#include "format_names.h"
#include "format_walk.h"
#include "support.h"

/* Each test walks with a builder of its own, and looks at what the builder heard. */
static strew_builder *builder;
static struct format_walk walk;

static void set_up(void)
{
	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	strew_builder_in_file(builder, "f");
	format_walk_init(&walk, builder, &base_heap);
}

static void tear_down(void)
{
	ck_assert_int_eq(format_walk_end(&walk, NULL), STREW_OK);
	strew_builder_free(builder);
}

static const char *where_of_last(void)
{
	return strew_builder_fault_at(builder, strew_builder_fault_count(builder) - 1)
		->where;
}

START_TEST(pointers_follow_the_walk)
{
	size_t top, list;

	format_fault(&walk, "x");
	ck_assert_str_eq(where_of_last(), "f");
	top = format_enter(&walk, "a/b~c");
	list = format_enter_at(&walk, 12);
	format_fault(&walk, "x");
	ck_assert_str_eq(where_of_last(), "f: /a~1b~0c/12");
	format_leave(&walk, list);
	format_fault(&walk, "x");
	ck_assert_str_eq(where_of_last(), "f: /a~1b~0c");
	format_leave(&walk, top);
	format_enter(&walk, "");
	format_fault(&walk, "x");
	ck_assert_str_eq(where_of_last(), "f: /");
}
END_TEST

START_TEST(long_names_are_cut_at_a_character)
{
	char name[400] = "";
	const char *where;

	for (int i = 0; i < 100; i++)
		strcat(name, "\xe6\x9d\xb1");
	format_enter(&walk, name);
	format_fault(&walk, "x");
	where = where_of_last();
	/* 21 characters of three bytes fit 64, and an ellipsis of three follows. */
	ck_assert_uint_eq(strlen(where), 4 + 63 + 3);
	ck_assert_int_eq(strncmp(where + 4, name, 63), 0);
	ck_assert_str_eq(where + 4 + 63, "\xe2\x80\xa6");
}
END_TEST

START_TEST(long_pointers_keep_head_and_tail)
{
	const char *where;

	format_enter(&walk, "tree");
	for (int i = 0; i < 3000; i++)
		format_enter_at(&walk, (size_t)i);
	format_enter(&walk, "weight");
	format_fault(&walk, "x");
	where = where_of_last();
	ck_assert_int_eq(strncmp(where, "f: /tree/0/1/", 13), 0);
	ck_assert_ptr_nonnull(strstr(where, "/\xe2\x80\xa6/"));
	ck_assert_ptr_nonnull(strstr(where, "/2998/2999/weight"));
	ck_assert_uint_lt(strlen(where), 180);
}
END_TEST

struct record {
	int64_t integer, flag, word;
	const char *text;
	uint32_t weight, share;
	uint64_t bytes;
	json_t *list, *object, *any;
};

static const struct format_field fields[] = {
	FORMAT_REQUIRED_RANGE(KEY_ID, record, integer, -5, 5),
	FORMAT_OPTIONAL(KEY_UP, FORMAT_BOOLEAN, record, flag),
	FORMAT_OPTIONAL_WORD(KEY_HASH, record, word, WORD_OBJECT_HASH, 9),
	FORMAT_REQUIRED(KEY_NAME, FORMAT_TEXT, record, text),
	FORMAT_OPTIONAL(KEY_WEIGHT, FORMAT_WEIGHT, record, weight),
	FORMAT_OPTIONAL(KEY_REWEIGHT, FORMAT_SHARE, record, share),
	FORMAT_OPTIONAL(KEY_SIZE, FORMAT_BYTES, record, bytes),
	FORMAT_OPTIONAL(KEY_ITEMS, FORMAT_LIST, record, list),
	FORMAT_OPTIONAL(KEY_POOL, FORMAT_OBJECT, record, object),
	FORMAT_OPTIONAL(KEY_RULE, FORMAT_ANY, record, any),
};
static const struct format_shape shape = FORMAT_SHAPE("thing", fields, false);
static const struct format_shape open_shape = FORMAT_SHAPE("thing", fields, true);

static bool fill(const char *text, const struct format_shape *with, struct record *record)
{
	json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
	bool good;

	ck_assert_ptr_nonnull(value);
	good = format_object(&walk, value, with, record);
	/* What the record points to dies with the value: tests look at numbers only. */
	json_decref(value);
	return good;
}

START_TEST(records_are_filled_and_the_rest_stays)
{
	struct record record = {.bytes = 77, .share = 5};

	ck_assert(fill("{\"id\": -5, \"name\": \"n\", \"up\": true, \"hash\": \"linux\", "
		       "\"weight\": 0.5, \"items\": [], \"pool\": {}, \"rule\": null}",
		       &shape, &record));
	ck_assert_int_eq(record.integer, -5);
	ck_assert_int_eq(record.flag, 1);
	ck_assert_int_eq(record.word, STREW_HASH_LINUX);
	ck_assert_uint_eq(record.weight, 32768);
	ck_assert_uint_eq(record.share, 5);
	ck_assert_uint_eq(record.bytes, 77);
	ck_assert_ptr_nonnull(record.list);
	ck_assert_ptr_nonnull(record.object);
	ck_assert_ptr_nonnull(record.any);
	ck_assert_uint_eq(strew_builder_fault_count(builder), 0);
}
END_TEST

START_TEST(unknown_members_are_warned_of_unless_the_shape_is_open)
{
	struct record record = {0};

	ck_assert(fill(
		"{\"id\": 1, \"name\": \"n\", \"_x\": 1, \"notes\": 2, \"weigth\": 3, "
		"\"osds\": 4}",
		&shape, &record));
	ck_assert_uint_eq(strew_builder_warning_count(builder), 2);
	ck_assert_str_eq(strew_builder_warning_at(builder, 0)->where, "f: /weigth");
	ck_assert_ptr_nonnull(
		strstr(strew_builder_warning_at(builder, 0)->text, "\"weight\"?"));
	ck_assert(fill("{\"id\": 1, \"name\": \"n\", \"zzz\": 1}", &open_shape, &record));
	ck_assert_uint_eq(strew_builder_warning_count(builder), 2);
}
END_TEST

START_TEST(every_fault_of_an_object_is_reported)
{
	struct record record = {0};

	ck_assert(!fill(
		"{\"id\": 6, \"up\": 1, \"hash\": 10, \"weight\": -1, \"reweight\": 2, "
		"\"size\": \"x\", \"items\": {}, \"pool\": []}",
		&shape, &record));
	ck_assert_uint_eq(strew_builder_fault_count(builder), 9);
	ck_assert_str_eq(strew_builder_fault_at(builder, 8)->text,
			 "the member \"name\" of this thing is missing");
	ck_assert(!fill("[]", &shape, &record));
	ck_assert_str_eq(strew_builder_fault_at(builder, 9)->text,
			 "expected an object, found a list");
}
END_TEST

static const struct {
	const char *json;
	bool good;
	int64_t value;
} integers[] = {
	{"7", true, 7},
	{"7.0", true, 7},
	{"-9007199254740992.0", true, -9007199254740992},
	{"7.5", false, 0},
	{"1e300", false, 0},
	{"\"7\"", false, 0},
	{"null", false, 0},
	{"9223372036854775807", true, INT64_MAX},
};

START_TEST(integers_may_be_whole_reals)
{
	json_t *value = json_loads(integers[_i].json, JSON_DECODE_ANY, NULL);
	int64_t number = 0;

	ck_assert(format_integer(&walk, value, INT64_MIN, INT64_MAX, &number) ==
		  integers[_i].good);
	ck_assert_int_eq(number, integers[_i].value);
	json_decref(value);
}
END_TEST

static const struct {
	const char *text;
	bool good;
	uint64_t bytes;
} sizes[] = {
	{"10TB", true, 10000000000000},
	{"9.09TiB", true, 9994560696484},
	{"0B", true, 0},
	{"1 kB", true, 1000},
	{"0.5B", true, 1},
	{"0.49B", true, 0},
	{"7.99EiB", true, UINT64_C(9211842821808707338)},
	{"8EiB", false, 0},
	{"999999999999999999EB", false, 0},
	{"9999999999999999999B", false, 0},
	{"", false, 0},
	{"10", false, 0},
	{"TB", false, 0},
	{"-1TB", false, 0},
	{".5TB", false, 0},
	{"1.TB", false, 0},
	{"1,5TB", false, 0},
	{"10tb", false, 0},
	{"10TB ", false, 0},
	{"10TBs", false, 0},
	{"1e3B", false, 0},
};

START_TEST(sizes_have_units)
{
	json_t *value = json_string(sizes[_i].text);
	uint64_t bytes = 0;

	ck_assert(format_bytes(&walk, value, &bytes) == sizes[_i].good);
	if (sizes[_i].good)
		ck_assert_uint_eq(bytes, sizes[_i].bytes);
	json_decref(value);
}
END_TEST

START_TEST(weights_that_are_exact_stay_exact)
{
	uint64_t state = 1;
	bool same = true;

	for (int i = 0; i < 100000; i++) {
		uint32_t weight = (uint32_t)(support_random(&state) >>
					     support_below(&state, 33)),
			 back;
		json_t *value = json_real(weight / 65536.0);

		same = same && format_weight(&walk, value, &back) && back == weight;
		json_decref(value);
	}
	ck_assert(same);
}
END_TEST

START_TEST(the_largest_weight_is_not_taken_for_a_sum)
{
	json_t *value = json_real((double)STREW_AUTO_WEIGHT / STREW_WEIGHT_ONE);
	uint32_t weight;

	ck_assert(!format_weight(&walk, value, &weight));
	json_decref(value);
	value = json_real((double)(STREW_AUTO_WEIGHT - 1) / STREW_WEIGHT_ONE);
	ck_assert(format_weight(&walk, value, &weight));
	ck_assert_uint_eq(weight, STREW_AUTO_WEIGHT - 1);
	json_decref(value);
}
END_TEST

START_TEST(names_find_what_was_added_first)
{
	struct format_names names = {{0}};
	int32_t id = 0;

	ck_assert(!format_names_find(&names, "a", &id));
	ck_assert(format_names_add(&names, &base_heap, "b", 1));
	ck_assert(format_names_add(&names, &base_heap, "a", 2));
	ck_assert(format_names_add(&names, &base_heap, "b", 3));
	format_names_sort(&names);
	ck_assert(format_names_find(&names, "b", &id));
	ck_assert_int_eq(id, 1);
	ck_assert(!format_names_find(&names, "c", &id));
	ck_assert(!format_names_find(&names, "", &id));
	format_names_free(&names, &base_heap);
}
END_TEST

TCase *check_format_walk(void)
{
	TCase *tcase = tcase_create("format_walk");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, pointers_follow_the_walk);
	tcase_add_test(tcase, long_names_are_cut_at_a_character);
	tcase_add_test(tcase, long_pointers_keep_head_and_tail);
	tcase_add_test(tcase, records_are_filled_and_the_rest_stays);
	tcase_add_test(tcase, unknown_members_are_warned_of_unless_the_shape_is_open);
	tcase_add_test(tcase, every_fault_of_an_object_is_reported);
	tcase_add_loop_test(tcase, integers_may_be_whole_reals, 0,
			    (int)(sizeof(integers) / sizeof(integers[0])));
	tcase_add_loop_test(tcase, sizes_have_units, 0,
			    (int)(sizeof(sizes) / sizeof(sizes[0])));
	tcase_add_test(tcase, weights_that_are_exact_stay_exact);
	tcase_add_test(tcase, the_largest_weight_is_not_taken_for_a_sum);
	tcase_add_test(tcase, names_find_what_was_added_first);
	return tcase;
}
