/* SPDX-License-Identifier: MIT */
/* The text of a strew-map: jansson makes the strings, the layout is ours. */
#include <jansson.h>
#include <string.h>

#include "format_json_write.h"

#define PIECE_SIZE 65536

/* Deeper nodes are not indented further, for a deep tree would be mostly blanks. */
#define INDENT_MAX 40

void format_json_put(struct format_json_out *out, const char *text)
{
	base_str_add(&out->text, text);
}

void format_json_no_memory(struct format_json_out *out)
{
	out->text.failed = true;
}

bool format_json_stopped(const struct format_json_out *out)
{
	return out->failed || !base_str_ok(&out->text);
}

void format_json_pass(struct format_json_out *out)
{
	const strew_sink *sink = out->output->sink;
	size_t len = base_str_len(&out->text);

	if (len < PIECE_SIZE || format_json_stopped(out))
		return;
	if (sink->write(sink->ctx, base_str_text(&out->text), len) != 0)
		out->failed = true;
	base_str_clear(&out->text);
}

/* How many bytes follow the first one of a character, and the least number that takes so
 * many; -1 when no character starts so. */
static int count_following(unsigned char first, uint32_t *least)
{
	*least = 0;
	if (first < 0x80)
		return 0;
	*least = first < 0xe0 ? 0x80 : first < 0xf0 ? 0x800 : 0x10000;
	if (first < 0xc2 || first > 0xf4)
		return -1;
	return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

/* The bytes of the character at the start of a text, or 0 when that is none. */
static size_t character_len(const unsigned char *text)
{
	uint32_t least, number;
	int following = count_following(text[0], &least);

	if (following <= 0)
		return following == 0;
	number = text[0] & (0x3fu >> following);
	for (int i = 1; i <= following; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		number = number << 6 | (text[i] & 0x3fu);
	}
	if (number < least || number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff))
		return 0;
	return (size_t)following + 1;
}

bool format_json_holds(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at != '\0') {
		size_t len = character_len(at);

		if (len == 0)
			return false;
		at += len;
	}
	return true;
}

/* Needs no escapes and no look at its bytes' meaning. */
static bool is_plain(const char *text)
{
	for (; *text != '\0'; text++)
		if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
			return false;
	return true;
}

/* A copy in which every byte that is of no character is a question mark. */
static char *repair(struct format_json_out *out, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = base_alloc(out->output->allocator, size, 1);

	if (copy)
		memcpy(copy, text, size);
	for (char *at = copy; at && *at != '\0';) {
		size_t len = character_len((const unsigned char *)at);

		if (len == 0)
			*at = '?';
		at += len ? len : 1;
	}
	return copy;
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
	    json_dump_callback(string, append, &out->text, JSON_ENCODE_ANY) != 0)
		format_json_no_memory(out);
	json_decref(string);
}

void format_json_put_string(struct format_json_out *out, const char *text)
{
	char *repaired;

	if (is_plain(text)) {
		base_str_add(&out->text, "\"");
		base_str_add(&out->text, text);
		base_str_add(&out->text, "\"");
	} else if (format_json_holds(text)) {
		put_escaped(out, text);
	} else {
		repaired = repair(out, text);
		put_escaped(out, repaired ? repaired : "");
		if (repaired == NULL)
			format_json_no_memory(out);
		base_free(out->output->allocator, repaired, strlen(text) + 1);
	}
}

void format_json_put_integer(struct format_json_out *out, int64_t number)
{
	base_str_addf(&out->text, "%lld", (long long)number);
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
	format_add_weight(&out->text, weight);
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
	format_json_pass(out);
	format_json_put(out, is_first ? "\n" : ",\n");
	for (size_t i = 0; i < depth && i < INDENT_MAX; i++)
		format_json_put(out, "  ");
	format_json_put(out, "{ ");
	out->starts = true;
}
