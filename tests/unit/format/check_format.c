/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include <strew/io.h>

#include "support.h"

#define OURS                                                                             \
	"{\"format\": \"strew-map/1\", \"types\": [\"device\", \"root\"], "              \
	"\"tree\": [{\"type\": \"root\", \"name\": \"default\", \"children\": "          \
	"[{\"devices\": \"0-3\"}]}]}"
#define CRUSH                                                                            \
	"{\"devices\": [{\"id\": 0, \"name\": \"osd.0\"}], \"types\": [{\"type_id\": "   \
	"1, "                                                                            \
	"\"name\": \"root\"}], \"buckets\": [], \"rules\": [], \"tunables\": {}}"
#define OSD_DUMP "{\"max_osd\": 4, \"pools\": [], \"osds\": []}"

static strew_status read_text(strew_map **map, const char *text, const char *format,
			      strew_error *error)
{
	strew_read_options options = STREW_READ_OPTIONS_INIT;

	options.format = format;
	options.name = "test.json";
	return strew_map_read_memory(map, text, strlen(text), &options, error);
}

START_TEST(formats_are_listed_with_a_summary)
{
	const char *const names[] = {
		"json",          "crush-text",   "crush-bin",     "crush-json",
		"ceph-report",   "osdmap",       "ceph-osd-dump", "ceph-osd-df",
		"ceph-osd-tree", "ceph-pg-dump", "device-list",
	};
	const size_t count = sizeof(names) / sizeof(names[0]);

	ck_assert_uint_eq(strew_format_count(), count);
	for (size_t i = 0; i < count; i++) {
		ck_assert_str_eq(strew_format_name(i), names[i]);
		ck_assert_uint_gt(strlen(strew_format_summary(i)), 10);
	}
	ck_assert_ptr_null(strew_format_name(count));
	ck_assert_ptr_null(strew_format_summary(count));
}
END_TEST

START_TEST(a_map_is_recognised_by_its_content)
{
	strew_map *map;
	strew_error error;

	ck_assert_int_eq(read_text(&map, " \n" OURS, NULL, &error), STREW_OK);
	ck_assert_uint_eq(strew_map_device_count(map), 4);
	strew_map_release(map);
	ck_assert_int_eq(read_text(&map, CRUSH, NULL, &error), STREW_OK);
	ck_assert_uint_eq(strew_map_device_count(map), 1);
	strew_map_release(map);
}
END_TEST

START_TEST(a_format_that_is_asked_for_is_taken)
{
	strew_map *map;
	strew_error error;

	ck_assert_int_eq(read_text(&map, OURS, "json", &error), STREW_OK);
	strew_map_release(map);
	ck_assert_int_eq(read_text(&map, OURS, "crush-json", &error), STREW_ESYNTAX);
	ck_assert_ptr_null(map);
	ck_assert_str_eq(error.text,
			 "the member \"devices\" of this CRUSH map is missing");
	ck_assert_int_eq(read_text(&map, OURS, "yaml", &error), STREW_EINVAL);
	ck_assert_str_eq(error.where, "test.json");
	ck_assert_str_eq(error.text, "there is no format \"yaml\"");
}
END_TEST

START_TEST(another_kind_of_file_is_named)
{
	static const char text[] = "# begin crush map\ndevice 0 osd.0\n";
	static const char list[] = "osd.0\t1\n";
	strew_map *map = NULL;
	strew_error error;

	ck_assert_int_eq(read_text(&map, text, "json", &error), STREW_EFORMAT);
	ck_assert_str_eq(error.text, "this is crush-text by its content, and was to be "
				     "read as json; without a format named it is "
				     "recognised");
	ck_assert_int_eq(read_text(&map, list, "crush-bin", &error), STREW_EFORMAT);
	ck_assert_ptr_nonnull(strstr(error.text, "this is device-list by its content"));
	ck_assert_ptr_null(map);
}
END_TEST

START_TEST(a_first_line_alone_is_no_map)
{
	static const char cut[] = "# begin crush map\n";
	static const char whole[] = "# begin crush map\n\n# devices\n\n# end crush map\n";
	strew_map *map = NULL;
	strew_error error;

	ck_assert_int_eq(read_text(&map, cut, NULL, &error), STREW_EFORMAT);
	ck_assert_str_eq(error.text, "this begins as CRUSH text, and nothing follows; "
				     "was the file cut short?");
	ck_assert_int_eq(read_text(&map, cut, "crush-text", &error), STREW_OK);
	strew_map_release(map);
	ck_assert_int_eq(read_text(&map, whole, NULL, &error), STREW_OK);
	strew_map_release(map);
}
END_TEST

START_TEST(facts_alone_are_no_map)
{
	strew_map *map;
	strew_error error;

	ck_assert_int_eq(read_text(&map, OSD_DUMP, NULL, &error), STREW_EFORMAT);
	ck_assert_ptr_null(map);
	ck_assert_ptr_nonnull(strstr(error.text, "give the CRUSH map first"));
}
END_TEST

START_TEST(facts_join_a_map)
{
	strew_builder *builder;
	strew_map *map;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	ck_assert_int_eq(
		strew_builder_read_memory(builder, OURS, strlen(OURS), NULL, NULL),
		STREW_OK);
	ck_assert_int_eq(strew_builder_read_memory(builder, OSD_DUMP, strlen(OSD_DUMP),
						   NULL, NULL),
			 STREW_OK);
	ck_assert_int_eq(strew_builder_build(&map, builder, NULL), STREW_OK);
	ck_assert_uint_eq(strew_device_reweight(strew_map_device_at(map, 0)), 0);
	strew_map_release(map);
	strew_builder_free(builder);
}
END_TEST

START_TEST(files_come_in_order)
{
	strew_builder *builder;
	strew_error error;

	ck_assert_int_eq(strew_builder_new(&builder, NULL), STREW_OK);
	ck_assert_int_eq(strew_builder_read_memory(builder, OSD_DUMP, strlen(OSD_DUMP),
						   NULL, &error),
			 STREW_EFORMAT);
	ck_assert_ptr_nonnull(strstr(error.text, "give the CRUSH map first"));
	ck_assert_int_eq(
		strew_builder_read_memory(builder, OURS, strlen(OURS), NULL, &error),
		STREW_OK);
	ck_assert_int_eq(
		strew_builder_read_memory(builder, CRUSH, strlen(CRUSH), NULL, &error),
		STREW_EFORMAT);
	ck_assert_ptr_nonnull(strstr(error.text, "there is one already"));
	strew_builder_free(builder);
}
END_TEST

START_TEST(a_file_is_read_as_memory_is)
{
	const char *path = support_path("tests/formats/valid/crush-json/input.json");
	strew_map *map;
	strew_error error;

	ck_assert_int_eq(strew_map_read_file(&map, path, NULL, &error), STREW_OK);
	ck_assert_uint_eq(strew_map_bucket_count(map), 3);
	strew_map_release(map);
}
END_TEST

static const struct {
	const char *path;
	const char *text;
} unreadable[] = {
	{"/nowhere/at/all", "can't be opened: No such file or directory"},
	{"/", "can't be read: Is a directory"},
};

START_TEST(a_file_that_cannot_be_read_is_told)
{
	strew_map *map;
	strew_error error;

	ck_assert_int_eq(strew_map_read_file(&map, unreadable[_i].path, NULL, &error),
			 STREW_EIO);
	ck_assert_ptr_null(map);
	ck_assert_str_eq(error.where, unreadable[_i].path);
	ck_assert_str_eq(error.text, unreadable[_i].text);
}
END_TEST

START_TEST(an_error_may_be_null)
{
	strew_map *map;

	ck_assert_int_eq(read_text(&map, "x", NULL, NULL), STREW_EFORMAT);
	ck_assert_int_eq(read_text(&map, "{", NULL, NULL), STREW_ESYNTAX);
	ck_assert_int_eq(read_text(&map, "{\"tree\": []}", NULL, NULL), STREW_ESYNTAX);
	ck_assert_int_eq(strew_map_read_memory(&map, NULL, 0, NULL, NULL), STREW_EFORMAT);
}
END_TEST

TCase *check_format(void)
{
	TCase *tcase = tcase_create("format");

	tcase_add_test(tcase, formats_are_listed_with_a_summary);
	tcase_add_test(tcase, a_map_is_recognised_by_its_content);
	tcase_add_test(tcase, a_format_that_is_asked_for_is_taken);
	tcase_add_test(tcase, another_kind_of_file_is_named);
	tcase_add_test(tcase, a_first_line_alone_is_no_map);
	tcase_add_test(tcase, facts_alone_are_no_map);
	tcase_add_test(tcase, facts_join_a_map);
	tcase_add_test(tcase, files_come_in_order);
	tcase_add_test(tcase, a_file_is_read_as_memory_is);
	tcase_add_loop_test(tcase, a_file_that_cannot_be_read_is_told, 0,
			    (int)(sizeof(unreadable) / sizeof(unreadable[0])));
	tcase_add_test(tcase, an_error_may_be_null);
	return tcase;
}
