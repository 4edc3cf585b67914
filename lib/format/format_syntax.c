/* SPDX-License-Identifier: MIT */
/* JSON that doesn't parse: what is wrong, where, and what would be right. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "format_input.h"

/* What jansson says of an error begins like this, about text that begins like that; and
 * what we say, whose %s is the text. The first that fits is taken; "" fits all. */
struct diagnosis {
	const char *message;
	const char *near;
	const char *says;
};

static const struct diagnosis diagnoses[] = {
	{"string or '}' expected", "}", "there is a comma too many before this \"}\""},
	{"unexpected token", "]",
	 "there is a comma too many before this \"]\", or a value missing"},
	{"unexpected token", "}", "a value is missing before this \"}\""},
	{"unexpected token", ",", "a value is missing before this comma"},
	{"unexpected token", "", "expected a value, found %s"},
	{"", "/", "JSON has no comments; put a remark into a member named \"note\""},
	{"", "#", "JSON has no comments; put a remark into a member named \"note\""},
	{"", "'", "strings and names of members stand in double quotes"},
	{"string or '}' expected", "",
	 "expected the name of a member in double quotes, or \"}\", found %s"},
	{"':' expected", "", "expected \":\" after the name of a member, found %s"},
	{"'}' expected", "", "expected \",\" or \"}\" after a member, found %s"},
	{"']' expected", "", "expected \",\" or \"]\" after a value, found %s"},
	{"end of file expected", "", "expected the end after the JSON value, found %s"},
	{"duplicate object key", "", "the member %s stands in this object a second time"},
	{"too big integer", "", "the integer %s is too large"},
	{"real number overflow", "", "the number %s is too large"},
	{"maximum parsing depth", "", "lists and objects are nested more than 2048 deep"},
	{"unexpected newline", "",
	 "the string that begins here has no end on its line; a line break in it is "
	 "written \\n"},
	{"control character", "",
	 "a string can't hold a control character; write it as \\u00XX"},
	{"invalid escape", "",
	 "a backslash in a string begins one of "
	 "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"},
	{"invalid Unicode", "",
	 "\\u escapes in this string are no character; outside the basic plane they come "
	 "in pairs"},
	{"\\u0000", "", "a string can't hold the character \\u0000"},
	{"NUL byte in object key", "",
	 "the name of a member can't hold the character \\u0000"},
	{"unable to decode", "", "this byte is not part of a UTF-8 character"},
	{"invalid token", "",
	 "%s is no JSON value; those are numbers (0.5, not .5 or 05), strings in double "
	 "quotes, lists, objects, true, false and null"},
	{"", "", "this is not JSON: found %s"},
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static const char *diagnose(const char *message, const char *near)
{
	const struct diagnosis *diagnosis = diagnoses;

	while (!begins(message, diagnosis->message) || !begins(near, diagnosis->near))
		diagnosis++;
	return diagnosis->says;
}

/* Takes "near 'text'" out of jansson's message; "" when it has none. */
static void find_near(const char *message, char *near, size_t room)
{
	const char *start = strstr(message, " near '");
	size_t len;

	near[0] = '\0';
	if (start == NULL)
		return;
	start += strlen(" near '");
	len = strlen(start);
	if (len == 0 || len > room)
		return;
	memcpy(near, start, len - 1); /* without the closing quote */
	near[len - 1] = '\0';
}

/* Line and column, in bytes from 1, of a byte. */
static void locate(const struct format_input *input, size_t at, int *line, int *column)
{
	size_t start = 0;

	*line = 1;
	for (size_t i = 0; i < at && i < input->count; i++)
		if (input->bytes[i] == '\n') {
			++*line;
			start = i + 1;
		}
	*column = (int)(at - start) + 1;
}

/* To jansson a NUL is the end. */
static strew_status fault_nul(const struct format_input *input, size_t at,
			      strew_error *error)
{
	int line, column;

	locate(input, at, &line, &column);
	return base_error_at(error, STREW_ESYNTAX, input->name, line, column,
			     "there is a NUL byte here, which no text has; is the file "
			     "damaged?");
}

static strew_status fault_syntax(const struct format_input *input, size_t skipped,
				 const json_error_t *fault, strew_error *error)
{
	char near[JSON_ERROR_TEXT_LENGTH], found[JSON_ERROR_TEXT_LENGTH + 2];
	size_t at = skipped + (size_t)fault->position;
	int line, column;

	find_near(fault->text, near, sizeof(near));
	/* jansson's position is behind the text that it names. */
	if (at >= strlen(near) && json_error_code(fault) != json_error_invalid_utf8)
		at -= strlen(near);
	if (at > 0 && at <= input->count && input->bytes[at - 1] == '\0')
		return fault_nul(input, at - 1, error);
	locate(input, at, &line, &column);
	if (json_error_code(fault) == json_error_premature_end_of_input)
		return base_error_at(
			error, STREW_ESYNTAX, input->name, line, column,
			near[0] ? "the string that begins here has no end; was the "
				  "file cut short?"
				: "the JSON text ends here, but a list, an object or a "
				  "string is still open; was the file cut short?");
	snprintf(found, sizeof(found), near[0] == '"' ? "%s" : "\"%s\"", near);
	return base_error_at(error, STREW_ESYNTAX, input->name, line, column,
			     diagnose(fault->text, near), found);
}

/* jansson doesn't say so: it says nothing, or that a string, which it has read to its
 * end, is none. `at` is behind what it has read. */
static bool is_out_of_memory(const struct format_input *input, size_t at,
			     const json_error_t *fault)
{
	if (fault->text[0] == '\0')
		return true;
	return (begins(fault->text, "invalid token") ||
		begins(fault->text, "string or '}' expected")) &&
	       at > 0 && at <= input->count && input->bytes[at - 1] == '"';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

strew_status format_parse(struct format_input *input, strew_error *error)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	size_t start = 0, at;
	json_error_t fault;

	if (input->count >= 3 && memcmp(input->bytes, byte_order_mark, 3) == 0)
		start = 3;
	for (at = start; at < input->count && is_blank(input->bytes[at]); at++)
		;
	if (at == input->count || (input->bytes[at] != '{' && input->bytes[at] != '['))
		return STREW_OK;
	input->json = json_loadb(input->bytes + start, input->count - start,
				 JSON_REJECT_DUPLICATES, &fault);
	if (input->json)
		return STREW_OK;
	if (is_out_of_memory(input, start + (size_t)fault.position, &fault))
		return base_error_nomem(error);
	return fault_syntax(input, start, &fault, error);
}
