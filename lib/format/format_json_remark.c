/* SPDX-License-Identifier: MIT */
/* Remarks of our JSON: a person's own members, which are kept as they stand. */
#include "format_json_priv.h"

/* The digits that a person writes, and those that every double needs. */
#define SHORT_DIGITS 15
#define ALL_DIGITS   17

static int append(const char *bytes, size_t count, void *text)
{
	base_str_add_bytes(text, bytes, count);
	return 0;
}

static bool print(struct base_str *text, const json_t *value, size_t digits)
{
	base_str_clear(text);
	return json_dump_callback(value, append, text,
				  JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits)) == 0 &&
	       base_str_ok(text);
}

/* jansson keeps no text of a number, and prints 9.09 as 9.0899999999999999 if it may. */
static bool print_exactly(struct base_str *text, const json_t *value)
{
	json_t *again;
	bool same;

	if (!print(text, value, SHORT_DIGITS))
		return false;
	again = json_loads(base_str_text(text), JSON_DECODE_ANY, NULL);
	same = json_equal(value, again);
	json_decref(again);
	return same || print(text, value, ALL_DIGITS);
}

static bool keep(struct format_walk *walk, const char *name, const json_t *value,
		 struct map_remark remark)
{
	struct base_str text;
	bool good;

	base_str_init(&text, walk->allocator);
	good = print_exactly(&text, value);
	remark.name = name;
	remark.text = base_str_text(&text);
	if (good)
		map_add_remark(walk->builder, &remark);
	base_str_free(&text);
	return good;
}

void format_json_remarks(struct format_walk *walk, json_t *object,
			 struct map_remark remark)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
	{
		if (format_is_remark(name) && !keep(walk, name, value, remark))
			walk->failed = true;
	}
}
