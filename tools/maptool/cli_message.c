/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* A name of a map or of the command line may hold what a terminal obeys. In UTF-8, the
 * second set of control characters is 0xc2 and 0x80 to 0x9f. */
static void make_printable(char *text)
{
	unsigned char *at = (unsigned char *)text;

	for (; *at != '\0'; at++) {
		if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f)
			*at++ = '?';
		else if (at[0] >= 0x20 && at[0] != 0x7f)
			continue;
		*at = '?';
	}
}

static void print_message(const char *prefix, const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	else
		make_printable(text);
	flockfile(stderr);
	fprintf(stderr, "%s%s\n", prefix, text != NULL ? text : "not enough memory");
	funlockfile(stderr);
	free(text);
}

void cli_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message("maptool: ", format, args);
	va_end(args);
}

int cli_usage_error(const char *format, ...)
{
	char text[1024];
	size_t len;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	len = strlen(text);
	cli_error("%s%s try 'maptool %s --help'", text, text[len - 1] == '?' ? "" : ";",
		  cli_command_name());
	return CLI_USAGE;
}

static void print_placed(const char *prefix, const strew_error *error)
{
	const char *text = error->text;

	if (text[0] == '\0')
		text = strew_status_text(error->status);
	if (error->where[0] == '\0')
		cli_error("%s%s", prefix, text);
	else if (error->line > 0 && error->column > 0)
		cli_error("%s%s:%d:%d: %s", prefix, error->where, error->line,
			  error->column, text);
	else if (error->line > 0)
		cli_error("%s%s:%d: %s", prefix, error->where, error->line, text);
	else
		cli_error("%s%s: %s", prefix, error->where, text);
}

static int exit_code(strew_status status)
{
	switch (status) {
	case STREW_OK:
		return CLI_DONE;
	case STREW_EINVAL:
	case STREW_ENOTFOUND:
	case STREW_ERANGE:
		return CLI_USAGE;
	case STREW_EIO:
	case STREW_EFORMAT:
	case STREW_ESYNTAX:
	case STREW_EMAP:
		return CLI_INPUT;
	case STREW_ECANCELED:
		return CLI_INTERRUPTED;
	default:
		return CLI_FAILED;
	}
}

int cli_report_error(const strew_error *error)
{
	print_placed("", error);
	return exit_code(error->status);
}

void cli_report_warning(const strew_error *warning)
{
	print_placed("warning: ", warning);
}

void cli_no_memory(void)
{
	cli_error("there is not enough memory");
	exit(CLI_FAILED);
}

void *cli_resize(void *old, size_t count, size_t size)
{
	void *memory = reallocarray(old, count > 0 ? count : 1, size);

	if (memory == NULL)
		cli_no_memory();
	return memory;
}

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

#define WORD_MAX 64

/* Levenshtein's distance, row by row. Both words are shorter than WORD_MAX. */
static size_t edit_distance(const char *from, const char *to)
{
	size_t row[WORD_MAX];
	size_t to_len = strlen(to);
	size_t i, j;

	for (j = 0; j <= to_len; j++)
		row[j] = j;
	for (i = 1; from[i - 1] != '\0'; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (j = 1; j <= to_len; j++) {
			size_t above = row[j];
			size_t change = from[i - 1] == to[j - 1] ? 0 : 1;

			row[j] = min3(above + 1, row[j - 1] + 1, diagonal + change);
			diagonal = above;
		}
	}
	return row[to_len];
}

void cli_nearest_offer(struct cli_nearest *nearest, const char *name)
{
	size_t word_len = strlen(nearest->word);
	size_t limit = word_len / 3 + 1;
	size_t distance;

	if (name[0] == '\0' || word_len >= WORD_MAX || strlen(name) >= WORD_MAX)
		return;
	if (word_len >= 3 && strncmp(name, nearest->word, word_len) == 0)
		distance = 1; /* a word that was not finished */
	else
		distance = edit_distance(nearest->word, name);
	if (distance > limit || (nearest->best != NULL && distance >= nearest->distance))
		return;
	nearest->best = name;
	nearest->distance = distance;
}
