/* SPDX-License-Identifier: MIT */
/* A list of devices and their weights, a pair a line, joined to a map;
 * doc/formats/device-list.md. */
#include <string.h>

#include "base_error.h"
#include "format.h"
#include "format_walk.h"

struct line {
	const char *text;
	size_t len;
	int number;
};

/* The next line that says something; the fields of such a one are separated by a TAB. */
static bool next_line(const struct format_input *input, size_t *at, struct line *line)
{
	while (*at < input->count) {
		const char *text = input->bytes + *at;
		const char *end = memchr(text, '\n', input->count - *at);
		size_t len = end ? (size_t)(end - text) : input->count - *at;

		*at += len + 1;
		line->number++;
		while (len > 0 && (text[len - 1] == '\r' || text[len - 1] == ' '))
			len--;
		line->text = text;
		line->len = len;
		if (len > 0 && text[0] != '#')
			return true;
	}
	return false;
}

#define NAME_MAX_LEN 255

/* Where the weight begins; 0 when the line is no pair. */
static size_t split(const struct line *line)
{
	const char *tab = memchr(line->text, '\t', line->len);
	size_t name = tab ? (size_t)(tab - line->text) : 0;

	return name > 0 && name <= NAME_MAX_LEN && name + 1 < line->len &&
			       memchr(line->text, '\0', line->len) == NULL
		       ? name + 1
		       : 0;
}

/* A weight is written as in JSON, and rounded alike. */
static bool read_weight(struct format_walk *walk, const struct line *line, size_t at,
			uint32_t *weight)
{
	json_t *number =
		json_loadb(line->text + at, line->len - at, JSON_DECODE_ANY, NULL);
	bool good = json_is_number(number) && format_weight(walk, number, weight);

	if (!json_is_number(number))
		format_fault(walk, "expected a weight, found \"%.*s\"",
			     (int)(line->len - at < 64 ? line->len - at : 64),
			     line->text + at);
	json_decref(number);
	return good;
}

static void read_line(struct format_walk *walk, const struct line *line)
{
	char name[NAME_MAX_LEN + 1];
	size_t at = split(line);
	uint32_t weight = 0;

	strew_builder_at_line(format_builder(walk), line->number, (int)at + 1);
	if (at == 0) {
		format_fault(walk,
			     "expected a device, a TAB and its weight, found "
			     "\"%.*s\"",
			     (int)(line->len < 64 ? line->len : 64), line->text);
		return;
	}
	if (!read_weight(walk, line, at, &weight))
		return;
	memcpy(name, line->text, at - 1);
	name[at - 1] = '\0';
	strew_builder_at_line(format_builder(walk), line->number, 1);
	map_weigh_device(format_builder(walk), -1, name, weight);
}

static strew_status read_device_list(const struct format_input *input,
				     strew_builder *builder, strew_error *error)
{
	struct format_walk walk;
	struct line line = {.number = 0};
	size_t at = 0;

	format_walk_init(&walk, builder, input->allocator);
	while (next_line(input, &at, &line) && !walk.failed)
		read_line(&walk, &line);
	return format_walk_end(&walk, error);
}

/* Nothing ends the text of an input but its count. */
static bool is_like_number(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!memchr("0123456789.eE+-", text[i], 15))
			return false;
	return true;
}

/* The first line decides. */
static int probe_device_list(const struct format_input *input)
{
	struct line line = {.number = 0};
	size_t at = 0, weight;

	if (input->json || !next_line(input, &at, &line))
		return 0;
	weight = split(&line);
	if (weight == 0 || memchr(line.text, ' ', line.len))
		return 0;
	return is_like_number(line.text + weight, line.len - weight) ? 40 : 0;
}

const struct format_ops format_device_list = {
	.name = "device-list",
	.summary = "weights of devices, a line `device TAB weight` each, joined to a map",
	.flags = FORMAT_JOIN | FORMAT_RAW,
	.probe = probe_device_list,
	.read = read_device_list,
};
