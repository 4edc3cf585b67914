/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <string.h>

#include <strew/io.h>

/* The text begins like this. */
static const struct {
	const char *json;
	int line, column;
	const char *text;
} broken[] = {
	{"{\"a\":1,}", 1, 8, "there is a comma too many before this \"}\""},
	{"[1,\n ]", 2, 2, "there is a comma too many before this \"]\""},
	{"{\"a\":}", 1, 6, "a value is missing before this \"}\""},
	{"[,]", 1, 2, "a value is missing before this comma"},
	{"[1,}", 1, 4, "a value is missing before this \"}\""},
	{"{\"a\": :}", 1, 7, "expected a value, found \":\""},
	{"// x\n{}", 0, 0, "this is in no format that is known"},
	{"{\n// x\n}", 2, 1, "JSON has no comments"},
	{"[1, # x\n2]", 1, 5, "JSON has no comments"},
	{"['a']", 1, 2, "strings and names of members stand in double quotes"},
	{"{a:1}", 1, 2,
	 "expected the name of a member in double quotes, or \"}\", found \"a\""},
	{"{\"a\" 1}", 1, 6, "expected \":\" after the name of a member, found \"1\""},
	{"{\"a\":1 \"b\":2}", 1, 8,
	 "expected \",\" or \"}\" after a member, found \"b\""},
	{"[1 2]", 1, 4, "expected \",\" or \"]\" after a value, found \"2\""},
	{"{} x", 1, 4, "expected the end after the JSON value, found \"x\""},
	{"{\"a\":1,\n\"a\":2}", 2, 1,
	 "the member \"a\" stands in this object a second time"},
	{"[99999999999999999999]", 1, 2,
	 "the integer \"99999999999999999999\" is too large"},
	{"[1e999]", 1, 2, "the number \"1e999\" is too large"},
	{"[\"a\nb\"]", 1, 2, "the string that begins here has no end on its line"},
	{"[\"\t\"]", 1, 2, "a string can't hold a control character"},
	{"[\"\\x\"]", 1, 2, "a backslash in a string begins one of"},
	{"[\"\\ud800\"]", 1, 2, "\\u escapes in this string are no character"},
	{"[\"\\u0000\"]", 1, 2, "a string can't hold the character \\u0000"},
	{"{\"\\u0000\":1}", 1, 2,
	 "the name of a member can't hold the character \\u0000"},
	{"[\"\xff\"]", 1, 3, "this byte is not part of a UTF-8 character"},
	{"[01]", 1, 2, "\"0\" is no JSON value"},
	{"[.5]", 1, 2, "\".\" is no JSON value"},
	{"[True]", 1, 2, "\"True\" is no JSON value"},
	{"[1, 2", 1, 6,
	 "the JSON text ends here, but a list, an object or a string is still open"},
	{"{\"a\": \"x", 1, 7, "the string that begins here has no end"},
	{"\xef\xbb\xbf{\"a\":1,}", 1, 11, "there is a comma too many"},
};

START_TEST(broken_json_is_told_with_its_place)
{
	strew_status wanted = broken[_i].line ? STREW_ESYNTAX : STREW_EFORMAT;
	strew_map *map;
	strew_error error;

	ck_assert_int_eq(strew_map_read_memory(&map, broken[_i].json,
					       strlen(broken[_i].json), NULL, &error),
			 wanted);
	ck_assert_msg(strncmp(error.text, broken[_i].text, strlen(broken[_i].text)) == 0,
		      "%s: %s", broken[_i].json, error.text);
	ck_assert_msg(error.line == broken[_i].line && error.column == broken[_i].column,
		      "%s: %d:%d", broken[_i].json, error.line, error.column);
	ck_assert_str_eq(error.where, "-");
}
END_TEST

START_TEST(a_nul_byte_is_no_end)
{
	static const char json[] = "[1,\n\0 2]";
	strew_map *map;
	strew_error error;

	ck_assert_int_eq(
		strew_map_read_memory(&map, json, sizeof(json) - 1, NULL, &error),
		STREW_ESYNTAX);
	ck_assert_str_eq(
		error.text,
		"there is a NUL byte here, which no text has; is the file damaged?");
	ck_assert_int_eq(error.line, 2);
	ck_assert_int_eq(error.column, 1);
}
END_TEST

TCase *check_format_syntax(void)
{
	TCase *tcase = tcase_create("format_syntax");

	tcase_add_loop_test(tcase, broken_json_is_told_with_its_place, 0,
			    (int)(sizeof(broken) / sizeof(broken[0])));
	tcase_add_test(tcase, a_nul_byte_is_no_end);
	return tcase;
}
