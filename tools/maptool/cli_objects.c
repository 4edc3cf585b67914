/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* What messages call things. */
struct words {
	const char *thing;
	const char *things;
	const char *number;
};

static const struct words object_words = {"an object", "objects", "the object's bytes"};
static const struct words key_words = {"a key", "keys", "how often the key is asked for"};

struct lines {
	const char *file; /* as messages call it */
	const struct words *words;
	char *bytes;
	size_t len;
};

static int read_stream(struct lines *lines, FILE *stream)
{
	size_t room = 0;

	do {
		if (lines->len == room) {
			room = room < 65536 ? 65536 : 2 * room;
			lines->bytes = cli_resize(lines->bytes, room, 1);
		}
		lines->len +=
			fread(lines->bytes + lines->len, 1, room - lines->len, stream);
	} while (!feof(stream) && !ferror(stream));
	return ferror(stream) ? -1 : 0;
}

static int read_whole(struct lines *lines, const char *path)
{
	int is_stdin = strcmp(path, "-") == 0;
	FILE *stream = is_stdin ? stdin : fopen(path, "r");
	int failed = stream == NULL || read_stream(lines, stream) != 0;

	lines->file = path;
	if (failed)
		cli_error("%s: can't be read: %s", path, strerror(errno));
	if (stream != NULL && !is_stdin)
		fclose(stream);
	return failed ? CLI_INPUT : CLI_DONE;
}

/* Without its end, which the last line may lack. */
static size_t line_len(const struct lines *lines, size_t at)
{
	const char *line = lines->bytes + at;
	const char *end = memchr(line, '\n', lines->len - at);

	return end != NULL ? (size_t)(end - line) : lines->len - at;
}

static size_t count_lines(const struct lines *lines)
{
	size_t count = 0;
	size_t at = 0;

	while (at < lines->len) {
		at += line_len(lines, at) + 1;
		count++;
	}
	return count;
}

static int parse_bytes(uint64_t *out, const char *text, size_t len)
{
	char digits[24];
	int64_t value;

	if (len == 0 || len >= sizeof(digits))
		return -1;
	memcpy(digits, text, len);
	digits[len] = '\0';
	if (cli_parse_integer(&value, digits, 0, INT64_MAX) != 0)
		return -1;
	*out = (uint64_t)value;
	return 0;
}

/* NAME or NAME<TAB>BYTES */
static int parse_line(strew_named_object *object, const struct lines *lines,
		      size_t number, const char *line, size_t len)
{
	const char *tab = memchr(line, '\t', len);
	size_t name_len = tab != NULL ? (size_t)(tab - line) : len;

	if (memchr(line, '\0', len) != NULL) {
		cli_error("%s:%zu: a zero byte; this would be text", lines->file, number);
		return CLI_INPUT;
	}
	if (name_len == 0) {
		cli_error("%s:%zu:1: %s without a name; there would be one name a line, "
			  "optionally followed by a tab and %s",
			  lines->file, number, lines->words->thing, lines->words->number);
		return CLI_INPUT;
	}
	object->name = line;
	object->name_len = name_len;
	object->has_bytes = tab != NULL;
	if (tab != NULL &&
	    parse_bytes(&object->bytes, tab + 1, len - name_len - 1) != 0) {
		cli_error("%s:%zu:%zu: after the tab there would be %s, a whole number",
			  lines->file, number, name_len + 2, lines->words->number);
		return CLI_INPUT;
	}
	return CLI_DONE;
}

static int parse_lines(struct cli_inputs *inputs, const struct lines *lines)
{
	size_t number = 1;
	size_t at = 0;
	int code = CLI_DONE;

	for (; at < lines->len && code == CLI_DONE; number++) {
		size_t len = line_len(lines, at);

		code = parse_line(&inputs->named[inputs->inputs.object_count++], lines,
				  number, lines->bytes + at, len);
		at += len + 1;
	}
	return code;
}

static int add_named(struct cli_inputs *inputs, const char *name)
{
	strew_named_object *object = &inputs->named[inputs->inputs.object_count++];

	object->name = name;
	object->name_len = strlen(name);
	if (object->name_len > 0)
		return CLI_DONE;
	cli_error("--object: an object without a name");
	return CLI_USAGE;
}

int cli_objects_read(struct cli_inputs *inputs)
{
	struct lines lines = {.words = inputs->are_keys ? &key_words : &object_words};
	size_t count = inputs->objects.count;
	size_t i;
	int code = CLI_DONE;

	if (inputs->objects_from != NULL)
		code = read_whole(&lines, inputs->objects_from);
	inputs->names = lines.bytes;
	if (code != CLI_DONE)
		return code;
	count += count_lines(&lines);
	if (count == 0) {
		cli_error("%s: no %s in it", lines.file, lines.words->things);
		return CLI_INPUT;
	}
	inputs->named = cli_resize(NULL, count, sizeof(inputs->named[0]));
	memset(inputs->named, 0, count * sizeof(inputs->named[0]));
	for (i = 0; i < inputs->objects.count && code == CLI_DONE; i++)
		code = add_named(inputs, inputs->objects.items[i]);
	if (code == CLI_DONE)
		code = parse_lines(inputs, &lines);
	inputs->inputs.objects = inputs->named;
	return code;
}
