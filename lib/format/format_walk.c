/* SPDX-License-Identifier: MIT */
#include "format_walk.h"

#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "base_vec.h"

/* A pointer has to fit strew_error.where beside the file's name. Of a longer one the head
 * and the tail are told. */
#define POINTER_MAX  160
#define POINTER_HEAD 48
/* A member's name takes no more of it than this. */
#define NAME_MAX_SHOWN 64

/* More are of no use to anyone. */
#define HINTS_MAX 100

#define ELLIPSIS "\xe2\x80\xa6"

void format_walk_init(struct format_walk *walk, strew_builder *builder,
		      const strew_allocator *allocator)
{
	memset(walk, 0, sizeof(*walk));
	walk->builder = builder;
	walk->allocator = allocator;
	base_str_init(&walk->path, allocator);
}

strew_status format_walk_end(struct format_walk *walk, strew_error *error)
{
	bool failed = walk->failed || !base_str_ok(&walk->path);

	strew_builder_at_line(walk->builder, 0, 0);
	base_str_free(&walk->path);
	return failed ? base_error_nomem(error) : STREW_OK;
}

/* RFC 6901: "~" and "/" inside a name are written "~0" and "~1". */
static void add_escaped(struct base_str *path, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (name[i] == '~')
			base_str_add(path, "~0");
		else if (name[i] == '/')
			base_str_add(path, "~1");
		else
			base_str_add_bytes(path, &name[i], 1);
	}
}

static void add_member(struct base_str *path, const char *member)
{
	size_t len = strlen(member), shown = len;

	if (len > NAME_MAX_SHOWN) {
		shown = NAME_MAX_SHOWN;
		while (shown > 0 && ((unsigned char)member[shown] & 0xc0) == 0x80)
			shown--;
	}
	base_str_add(path, "/");
	add_escaped(path, member, shown);
	if (shown < len)
		base_str_add(path, ELLIPSIS);
}

/* Most members are left again without anyone asking where they are. */
static void complete_path(struct format_walk *walk)
{
	if (walk->member)
		add_member(&walk->path, walk->member);
	walk->member = NULL;
}

size_t format_enter(struct format_walk *walk, const char *member)
{
	size_t mark;

	complete_path(walk);
	mark = base_str_len(&walk->path);
	walk->member = member;
	walk->told = false;
	return mark;
}

size_t format_enter_at(struct format_walk *walk, size_t index)
{
	char digits[24], *at = digits + sizeof(digits);
	size_t mark;

	complete_path(walk);
	mark = base_str_len(&walk->path);
	do
		*--at = (char)('0' + index % 10);
	while (index /= 10);
	*--at = '/';
	base_str_add_bytes(&walk->path, at, (size_t)(digits + sizeof(digits) - at));
	walk->told = false;
	return mark;
}

void format_leave(struct format_walk *walk, size_t mark)
{
	struct base_vec *bytes = &walk->path.bytes;

	walk->member = NULL;
	if (mark < bytes->count) {
		bytes->count = mark;
		((char *)bytes->items)[mark] = '\0';
	}
	walk->told = false;
}

/* Both cuts fall on a "/", so no piece is shown in part. */
static void tell_shortened(strew_builder *builder, const char *path, size_t len)
{
	char pointer[POINTER_MAX + sizeof(ELLIPSIS) + 1];
	size_t head = POINTER_HEAD;
	const char *tail = path + len - (POINTER_MAX - POINTER_HEAD);

	while (head > 0 && path[head] != '/')
		head--;
	while (*tail != '/' && *tail != '\0')
		tail++;
	snprintf(pointer, sizeof(pointer), "%.*s/" ELLIPSIS "%s", (int)head, path, tail);
	strew_builder_at_path(builder, pointer);
}

strew_builder *format_builder(struct format_walk *walk)
{
	size_t len;

	if (walk->told)
		return walk->builder;
	complete_path(walk);
	len = base_str_len(&walk->path);
	if (len == 0)
		strew_builder_at_line(walk->builder, 0, 0);
	else if (len > POINTER_MAX)
		tell_shortened(walk->builder, base_str_text(&walk->path), len);
	else
		strew_builder_at_path(walk->builder, base_str_text(&walk->path));
	walk->told = true;
	return walk->builder;
}

static void report(struct format_walk *walk, strew_severity severity, strew_status status,
		   const char *text, va_list args)
{
	strew_error error;

	base_error_vat(&error, status, NULL, 0, 0, text, args);
	strew_builder_report(format_builder(walk), severity, status, "%s", error.text);
}

void format_fault(struct format_walk *walk, const char *text, ...)
{
	va_list args;

	va_start(args, text);
	report(walk, STREW_FAULT, STREW_ESYNTAX, text, args);
	va_end(args);
}

void format_fault_range(struct format_walk *walk, const char *text, ...)
{
	va_list args;

	va_start(args, text);
	report(walk, STREW_FAULT, STREW_EMAP, text, args);
	va_end(args);
}

void format_warn(struct format_walk *walk, const char *text, ...)
{
	va_list args;

	va_start(args, text);
	report(walk, STREW_WARNING, STREW_ESYNTAX, text, args);
	va_end(args);
}

const char *format_hint(struct format_walk *walk, const char *word,
			const char *const *names)
{
	return walk->hints++ < HINTS_MAX ? base_str_nearest(word, names) : NULL;
}

const char *format_kind_of(const json_t *value)
{
	static const char *const kinds[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",
		[JSON_STRING] = "a string",  [JSON_INTEGER] = "an integer",
		[JSON_REAL] = "a number",    [JSON_TRUE] = "true",
		[JSON_FALSE] = "false",      [JSON_NULL] = "null",
	};

	return value ? kinds[json_typeof(value)] : "nothing";
}

static bool read_word(struct format_walk *walk, const struct format_field *field,
		      const json_t *value, int64_t *out)
{
	static const char *const words[] = {
		[WORD_KIND] =
			"\"replicated\", \"erasure\", \"msr_firstn\" or \"msr_indep\"",
		[WORD_OBJECT_HASH] = "\"rjenkins\", \"linux\" or a number up to 255",
		[WORD_BUCKET_HASH] = "\"rjenkins1\" or a number up to 255",
	};
	const struct format_word *word = NULL;

	if (json_is_integer(value) && field->max > 0)
		return format_integer(walk, value, field->min, field->max, out);
	if (json_is_string(value))
		word = format_word_of(field->form, json_string_value(value));
	if (word) {
		*out = word->value;
		return true;
	}
	if (json_is_string(value))
		format_fault(walk, "expected %s, found \"%s\"", words[field->form],
			     json_string_value(value));
	else
		format_fault(walk, "expected %s, found %s", words[field->form],
			     format_kind_of(value));
	return false;
}

static bool read_boolean(struct format_walk *walk, const json_t *value, int64_t *out)
{
	if (!json_is_boolean(value)) {
		format_fault(walk, "expected true or false, found %s",
			     format_kind_of(value));
		return false;
	}
	*out = json_is_true(value);
	return true;
}

static bool read_nested(struct format_walk *walk, enum format_kind kind, json_t *value,
			json_t **out)
{
	if (kind == FORMAT_LIST && !json_is_array(value))
		format_fault(walk, "expected a list, found %s", format_kind_of(value));
	else if (kind == FORMAT_OBJECT && !json_is_object(value))
		format_fault(walk, "expected an object, found %s", format_kind_of(value));
	else
		*out = value;
	return *out == value;
}

static bool read_value(struct format_walk *walk, const struct format_field *field,
		       json_t *value, void *slot)
{
	switch (field->kind) {
	case FORMAT_INTEGER:
		return format_integer(walk, value, field->min, field->max, slot);
	case FORMAT_TEXT:
		return format_text(walk, value, slot);
	case FORMAT_WORD:
		return read_word(walk, field, value, slot);
	case FORMAT_BOOLEAN:
		return read_boolean(walk, value, slot);
	case FORMAT_WEIGHT:
		return format_weight(walk, value, slot);
	case FORMAT_SHARE:
		return format_share(walk, value, slot);
	case FORMAT_BYTES:
		return format_bytes(walk, value, slot);
	case FORMAT_LIST:
	case FORMAT_OBJECT:
	case FORMAT_ANY:
		return read_nested(walk, field->kind, value, slot);
	}
	return false;
}

static const struct format_field *find_field(const struct format_shape *shape,
					     const char *name)
{
	int key = format_key(name);

	for (size_t i = 0; key >= 0 && i < shape->count; i++)
		if (shape->fields[i].key == (enum format_key)key)
			return &shape->fields[i];
	return NULL;
}

bool format_is_remark(const char *name)
{
	return name[0] == '_' || (name[0] == 'n' && strncmp(name, "note", 4) == 0);
}

static void warn_unknown(struct format_walk *walk, const struct format_shape *shape,
			 const char *name)
{
	const char *names[65] = {NULL};
	const char *nearest;

	if (shape->open || format_is_remark(name))
		return;
	for (size_t i = 0; i < shape->count && walk->hints < HINTS_MAX; i++)
		names[i] = format_key_name(shape->fields[i].key);
	nearest = format_hint(walk, name, names);
	if (nearest)
		format_warn(walk,
			    "the member \"%s\" is not known here, so it is ignored; did "
			    "you mean \"%s\"?",
			    name, nearest);
	else
		format_warn(walk,
			    "the member \"%s\" is not known here, so it is ignored; "
			    "begin its name with \"_\" or \"note\" if it is a remark",
			    name);
}

static bool require_members(struct format_walk *walk, const struct format_shape *shape,
			    uint64_t seen)
{
	bool all = true;

	for (size_t i = 0; i < shape->count; i++) {
		if (!shape->fields[i].required || (seen & (UINT64_C(1) << i)))
			continue;
		format_fault(walk, "the member \"%s\" of this %s is missing",
			     format_key_name(shape->fields[i].key), shape->what);
		all = false;
	}
	return all;
}

bool format_object(struct format_walk *walk, json_t *value,
		   const struct format_shape *shape, void *record)
{
	uint64_t seen = 0;
	bool good = true;
	const char *name;
	json_t *member;

	if (!json_is_object(value)) {
		format_fault(walk, "expected an object, found %s", format_kind_of(value));
		return false;
	}
	json_object_foreach(value, name, member)
	{
		const struct format_field *field = find_field(shape, name);
		size_t mark = format_enter(walk, name);

		if (field) {
			seen |= UINT64_C(1) << (field - shape->fields);
			good &= read_value(walk, field, member,
					   (char *)record + field->offset);
		} else {
			warn_unknown(walk, shape, name);
		}
		format_leave(walk, mark);
	}
	return require_members(walk, shape, seen) && good;
}

void format_elements(struct format_walk *walk, json_t *list,
		     void (*visit)(struct format_walk *walk, json_t *element, void *ctx),
		     void *ctx)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		size_t mark = format_enter_at(walk, i);

		visit(walk, json_array_get(list, i), ctx);
		format_leave(walk, mark);
	}
}

void format_list(struct format_walk *walk, const char *member, json_t *list,
		 void (*visit)(struct format_walk *walk, json_t *element, void *ctx),
		 void *ctx)
{
	size_t mark = format_enter(walk, member);

	format_elements(walk, list, visit, ctx);
	format_leave(walk, mark);
}

void format_need_list(struct format_walk *walk, const json_t *list, enum map_part part)
{
	if (list == NULL)
		map_refuse_all(walk->builder, part);
}

void format_refuse_pool(struct format_walk *walk, int64_t id, const char *name)
{
	if (id >= 0)
		map_refuse_pool(format_builder(walk), id, name);
	else
		map_refuse_all(format_builder(walk), MAP_POOLS);
}
