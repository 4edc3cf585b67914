/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "map_priv.h"

#define HINT_WORD_MAX 64

/* So many always fit 32 bits. */
#define INDEX_DIGITS_MAX 9

void strew_builder_in_file(strew_builder *builder, const char *file)
{
	memset(&builder->here, 0, sizeof(builder->here));
	builder->here_is_new = true;
	if (file == NULL || builder->failed)
		return;
	builder->here.file = base_arena_strdup(&builder->scratch, file);
	if (builder->here.file == NULL)
		builder->failed = true;
}

void strew_builder_at_line(strew_builder *builder, int line, int column)
{
	builder->here.path = NULL;
	builder->here.line = line;
	builder->here.column = column;
	builder->here_is_new = true;
}

/* The length of a pointer without the index at its end. */
static size_t split_index(const char *pointer, uint32_t *index)
{
	size_t len = strlen(pointer), at = len;
	uint32_t number = 0, unit = 1;

	*index = MAP_NO_INDEX;
	for (; at > 0 && pointer[at - 1] >= '0' && pointer[at - 1] <= '9'; at--) {
		if (len - at == INDEX_DIGITS_MAX)
			return len;
		number += (uint32_t)(pointer[at - 1] - '0') * unit;
		unit *= 10;
	}
	if (at == len || at == 0 || pointer[at - 1] != '/' ||
	    (pointer[at] == '0' && at + 1 < len))
		return len;
	*index = number;
	return at - 1;
}

/* Most of what is read is an element of a list; all of its elements share its pointer. */
void strew_builder_at_path(strew_builder *builder, const char *pointer)
{
	struct map_place *here = &builder->here;
	uint32_t index;
	size_t len;
	char *path;

	if (builder->failed || pointer == NULL)
		return;
	len = split_index(pointer, &index);
	if (here->path && strncmp(here->path, pointer, len) == 0 &&
	    here->path[len] == '\0') {
		builder->here_is_new |= here->index != index;
		here->index = index;
		return;
	}
	here->line = here->column = 0;
	here->index = index;
	here->path = path = base_arena_alloc(&builder->scratch, len + 1, 1);
	builder->here_is_new = true;
	if (path)
		memcpy(path, pointer, len);
	else
		builder->failed = true;
}

uint32_t map_here(strew_builder *builder)
{
	struct map_place *place;

	if (!builder->here_is_new)
		return (uint32_t)builder->places.count;
	place = map_push(builder, &builder->places, sizeof(*place));
	if (place == NULL)
		return 0;
	*place = builder->here;
	builder->here_is_new = false;
	return (uint32_t)builder->places.count;
}

/* What concerns the whole map is told of its file, the first one. */
static struct map_place place_at(const strew_builder *builder, uint32_t number)
{
	const struct map_place *places = builder->places.items;
	struct map_place whole = {0};

	if (number > 0)
		return places[number - 1];
	if (builder->places.count > 0)
		whole.file = places[0].file;
	return whole;
}

/* "FILE: /path": as it is printed before the text. */
static struct map_text where(const struct map_place *place)
{
	struct map_text out;

	char index[16] = "";

	if (place->path && place->index != MAP_NO_INDEX)
		snprintf(index, sizeof(index), "/%u", place->index);
	snprintf(out.text, sizeof(out.text), "%s%s%s%s", place->file ? place->file : "",
		 place->file && place->path ? ": " : "", place->path ? place->path : "",
		 index);
	return out;
}

/* The bytes of the character at the start of a text; 0 when it is broken. */
static size_t character_len(const char *text)
{
	unsigned char lead = (unsigned char)text[0];
	size_t len = lead < 0x80   ? 1
		     : lead < 0xc0 ? 0
		     : lead < 0xe0 ? 2
		     : lead < 0xf0 ? 3
				   : 4;

	for (size_t i = 1; i < len; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* Messages show the first bytes of a long name, which may end inside a character. */
static void drop_broken_characters(char *text)
{
	char *to = text;

	while (*text) {
		size_t len = character_len(text);

		memmove(to, text, len);
		to += len;
		text += len ? len : 1;
	}
	*to = '\0';
}

static struct map_report *report(strew_builder *builder, strew_severity severity,
				 strew_status status, uint32_t number, const char *format,
				 va_list args)
{
	struct base_vec *kept =
		severity == STREW_FAULT ? &builder->faults : &builder->warnings;
	struct map_place place = place_at(builder, number);
	struct map_report *added;

	if (severity == STREW_FAULT)
		builder->fault_count++;
	else
		builder->warning_count++;
	if (kept->count == MAP_REPORTS_MAX)
		return NULL;
	added = map_push(builder, kept, sizeof(*added));
	if (added == NULL)
		return NULL;
	base_error_vat(&added->error, status, where(&place).text, place.line,
		       place.column, format, args);
	drop_broken_characters(added->error.text);
	return added;
}

void map_fault(strew_builder *builder, uint32_t place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(builder, STREW_FAULT, STREW_EMAP, place, format, args);
	va_end(args);
}

void map_warn(strew_builder *builder, uint32_t place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(builder, STREW_WARNING, STREW_EMAP, place, format, args);
	va_end(args);
}

void map_warn_in_map(strew_builder *builder, uint32_t place, const char *format, ...)
{
	struct map_report *added;
	va_list args;

	va_start(args, format);
	added = report(builder, STREW_WARNING, STREW_EMAP, place, format, args);
	if (added)
		added->in_map = true;
	va_end(args);
}

void strew_builder_report(strew_builder *builder, strew_severity severity,
			  strew_status status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(builder, severity, status, map_here(builder), format, args);
	va_end(args);
}

void map_refuse_hanging(strew_builder *builder, size_t number, strew_status status,
			const char *format, ...)
{
	const struct map_item_draft *items = builder->items.vec.items;
	va_list args;

	if (builder->failed)
		return;
	va_start(args, format);
	report(builder, STREW_FAULT, status, items[number].head.place, format, args);
	va_end(args);
}

size_t strew_builder_fault_count(const strew_builder *builder)
{
	return builder->fault_count;
}

size_t strew_builder_warning_count(const strew_builder *builder)
{
	return builder->warning_count;
}

static const strew_error *kept_at(const struct base_vec *kept, size_t index)
{
	const struct map_report *reports = kept->items;

	return index < kept->count ? &reports[index].error : NULL;
}

const strew_error *strew_builder_fault_at(const strew_builder *builder, size_t index)
{
	return kept_at(&builder->faults, index);
}

const strew_error *strew_builder_warning_at(const strew_builder *builder, size_t index)
{
	return kept_at(&builder->warnings, index);
}

struct map_text map_bucket_label(const strew_builder *builder,
				 const struct map_bucket_draft *draft)
{
	const struct map_type_draft *type =
		map_list_find(&builder->types, draft->bucket.type, 0);
	const char *word = type ? type->type.name : "bucket", *name = draft->bucket.name;
	struct map_text out;

	snprintf(out.text, sizeof(out.text), "%.96s %.96s (id %d)", word, name,
		 (int)draft->bucket.id);
	return out;
}

struct map_text map_label(const strew_builder *builder, int32_t item)
{
	const struct map_bucket_draft *bucket = map_bucket_draft(builder, item);
	const struct map_device_draft *device = map_device_draft(builder, item);
	struct map_text out;

	if (bucket)
		return map_bucket_label(builder, bucket);
	if (device)
		snprintf(out.text, sizeof(out.text), "device %.96s (id %d)",
			 device->device.name, (int)item);
	else
		snprintf(out.text, sizeof(out.text), "%s %d",
			 item < 0 ? "bucket" : "device", (int)item);
	return out;
}

struct map_text map_at(const strew_builder *builder, uint32_t number, uint32_t from)
{
	struct map_place place = place_at(builder, number);
	struct map_text text, out = {""};
	int fits = (int)sizeof(out.text) - 64;

	if (place.file == place_at(builder, from).file)
		place.file = NULL;
	text = where(&place);
	if (place.line > 0)
		snprintf(out.text, sizeof(out.text), " (%.*s%sline %d)", fits, text.text,
			 text.text[0] ? ", " : "", place.line);
	else if (text.text[0])
		snprintf(out.text, sizeof(out.text), " (%.*s)", fits, text.text);
	return out;
}

struct map_text map_hint(strew_builder *builder, const char *word,
			 const struct base_vec *names)
{
	const struct map_name *entries = names->items;
	const char *list[MAP_HINT_NAMES_MAX + 1], *nearest;
	struct map_text out = {""};

	if (strlen(word) > HINT_WORD_MAX || names->count > MAP_HINT_NAMES_MAX ||
	    builder->faults.count == MAP_REPORTS_MAX)
		return out;
	for (size_t i = 0; i < names->count; i++)
		list[i] = entries[i].name;
	list[names->count] = NULL;
	nearest = base_str_nearest(word, list);
	if (nearest)
		snprintf(out.text, sizeof(out.text), "; did you mean \"%.96s\"?",
			 nearest);
	return out;
}
