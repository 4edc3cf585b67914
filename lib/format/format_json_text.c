/* SPDX-License-Identifier: MIT */
/* The text of a strew-map: jansson makes the strings, the layout is ours. */
#include <jansson.h>
#include <string.h>

#include "format_json_write.h"

/* Deeper nodes are not indented further, for a deep tree would be mostly blanks. */
#define INDENT_MAX 40

void format_json_put(struct format_json_out *out, const char *text)
{
	base_str_add(&out->to.text, text);
}

/* Needs no escapes and no look at its bytes' meaning. */
static bool is_plain(const char *text)
{
	for (; *text != '\0'; text++)
		if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
			return false;
	return true;
}

static int append(const char *bytes, size_t count, void *text)
{
	base_str_add_bytes(text, bytes, count);
	return 0;
}

static void put_escaped(struct format_json_out *out, const char *text)
{
	json_t *string = json_string(text);

	if (string == NULL ||
	    json_dump_callback(string, append, &out->to.text, JSON_ENCODE_ANY) != 0)
		format_out_no_memory(&out->to);
	json_decref(string);
}

void format_json_put_string(struct format_json_out *out, const char *text)
{
	if (is_plain(text)) {
		base_str_add(&out->to.text, "\"");
		base_str_add(&out->to.text, text);
		base_str_add(&out->to.text, "\"");
	} else {
		put_escaped(out, text);
	}
}

void format_json_put_integer(struct format_json_out *out, int64_t number)
{
	base_str_addf(&out->to.text, "%lld", (long long)number);
}

void format_json_member(struct format_json_out *out, const char *name)
{
	if (!out->starts)
		format_json_put(out, ", ");
	out->starts = false;
	format_json_put_string(out, name);
	format_json_put(out, ": ");
}

void format_json_string_member(struct format_json_out *out, const char *name,
			       const char *text)
{
	format_json_member(out, name);
	format_json_put_string(out, text);
}

void format_json_integer_member(struct format_json_out *out, const char *name,
				int64_t number)
{
	format_json_member(out, name);
	format_json_put_integer(out, number);
}

void format_json_weight_member(struct format_json_out *out, const char *name,
			       uint32_t weight)
{
	format_json_member(out, name);
	format_add_weight(&out->to.text, weight);
}

void format_json_integers(struct format_json_out *out, const int32_t *numbers,
			  size_t count)
{
	format_json_put(out, "[");
	for (size_t i = 0; i < count; i++) {
		format_json_put(out, i ? ", " : "");
		format_json_put_integer(out, numbers[i]);
	}
	format_json_put(out, "]");
}

void format_json_words(struct format_json_out *out, const uint32_t *words, size_t count)
{
	format_json_put(out, "[");
	for (size_t i = 0; i < count; i++) {
		format_json_put(out, i ? ", " : "");
		format_json_put_integer(out, words[i]);
	}
	format_json_put(out, "]");
}

void format_json_remark_members(struct format_json_out *out, enum map_owner owner,
				int64_t id, int64_t other)
{
	size_t count = 0;
	const struct map_remark *remarks =
		map_remarks(out->map, owner, id, other, &count);

	for (size_t i = 0; i < count; i++) {
		format_json_member(out, remarks[i].name);
		format_json_put(out, remarks[i].text);
	}
}

void format_json_top_member(struct format_json_out *out, const char *name)
{
	format_json_put(out, out->starts ? "\n  " : ",\n  ");
	out->starts = true;
	format_json_member(out, name);
}

void format_json_start_line(struct format_json_out *out, size_t depth, bool is_first)
{
	format_out_pass(&out->to);
	format_json_put(out, is_first ? "\n" : ",\n");
	for (size_t i = 0; i < depth && i < INDENT_MAX; i++)
		format_json_put(out, "  ");
	format_json_put(out, "{ ");
	out->starts = true;
}
