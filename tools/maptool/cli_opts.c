/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* One word of the command line that starts with a dash, taken apart. */
struct given {
	const struct cli_option *option;
	void *target;
	char shown[64];       /* as it was written, without a value */
	const char *attached; /* the value in --x=VALUE or -oVALUE; NULL: none */
};

struct args {
	int argc;
	char **argv;
	int next;
};

int cli_parse_integer(int64_t *out, const char *text, int64_t min, int64_t max)
{
	char *end;
	long long value;

	if (!isdigit((unsigned char)text[*text == '-']))
		return -1;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno != 0 || *end != '\0' || value < min || value > max)
		return -1;
	*out = value;
	return 0;
}

int cli_parse_range(int64_t *first, int64_t *last, const char *text, int64_t max)
{
	size_t len = strcspn(text, "-");
	char head[24];

	if (text[len] != '-' || len >= sizeof(head))
		return -1;
	memcpy(head, text, len);
	head[len] = '\0';
	if (cli_parse_integer(first, head, 0, max) != 0)
		return -1;
	return cli_parse_integer(last, text + len + 1, *first, max);
}

int cli_parse_number(double *out, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end != '\0' || isspace((unsigned char)*text) ||
	    !isfinite(value))
		return -1;
	*out = value;
	return 0;
}

static int word_is_one_of(const char *word, const char *words)
{
	size_t len = strlen(word);

	while (len > 0) {
		size_t next = strcspn(words, "|");

		if (next == len && strncmp(word, words, len) == 0)
			return 1;
		if (words[next] == '\0')
			break;
		words += next + 1;
	}
	return 0;
}

static void add_to_list(struct cli_list *list, const char *value)
{
	list->items = cli_resize(list->items, list->count + 1, sizeof(list->items[0]));
	list->items[list->count++] = value;
}

/* @return NULL, or what the value should have been */
static const char *store(const struct given *given, const char *value)
{
	const struct cli_option *option = given->option;
	void *member = (char *)given->target + option->offset;
	struct cli_integer *integer = member;
	struct cli_number *number = member;

	switch (option->kind) {
	case CLI_FLAG:
		*(int *)member = 1;
		break;
	case CLI_LIST:
		add_to_list(member, value);
		break;
	case CLI_INTEGER:
		if (cli_parse_integer(&integer->value, value, option->min, option->max) !=
		    0)
			return "a whole number";
		integer->given = 1;
		break;
	case CLI_NUMBER:
		if (cli_parse_number(&number->value, value) != 0)
			return "a number";
		number->given = 1;
		break;
	case CLI_WORD:
		if (!word_is_one_of(value, option->value))
			return "one of";
		*(const char **)member = value;
		break;
	case CLI_TEXT:
		*(const char **)member = value;
		break;
	}
	return NULL;
}

static int store_value(const struct cli_syntax *syntax, const struct given *given,
		       const char *value)
{
	const struct cli_option *option = given->option;
	const char *wanted = store(given, value);

	if (wanted == NULL)
		return CLI_DONE;
	if (option->kind == CLI_WORD)
		return cli_usage_error(syntax->command, "%s takes %s, not '%s'",
				       given->shown, option->value, value);
	if (option->kind == CLI_INTEGER)
		return cli_usage_error(
			syntax->command,
			"%s takes %s from %" PRId64 " to %" PRId64 ", not '%s'",
			given->shown, wanted, option->min, option->max, value);
	return cli_usage_error(syntax->command, "%s takes %s, not '%s'", given->shown,
			       wanted, value);
}

static int count_values(const struct cli_option *option)
{
	if (option->value == NULL)
		return 0;
	return strchr(option->value, ' ') != NULL ? 2 : 1;
}

static int looks_like_option(const char *word)
{
	return strncmp(word, "--", 2) == 0;
}

static int take_values(const struct cli_syntax *syntax, const struct given *given,
		       struct args *args)
{
	int wanted = count_values(given->option);
	const char *value = given->attached;
	int i, code;

	if (wanted == 0 && value != NULL)
		return cli_usage_error(syntax->command, "%s takes no value",
				       given->shown);
	if (wanted == 0)
		return store_value(syntax, given, NULL);
	for (i = 0; i < wanted; i++) {
		if (value == NULL && args->next < args->argc &&
		    !looks_like_option(args->argv[args->next]))
			value = args->argv[args->next++];
		if (value == NULL)
			return cli_usage_error(syntax->command, "%s needs %s",
					       given->shown, given->option->value);
		code = store_value(syntax, given, value);
		if (code != CLI_DONE)
			return code;
		value = NULL;
	}
	return CLI_DONE;
}

static int is_long(const struct cli_option *option, const char *name, size_t len)
{
	return strlen(option->name) == len && strncmp(option->name, name, len) == 0;
}

/* word is what follows the dashes. */
static int find_option(const struct cli_syntax *syntax, const char *word, int is_letter,
		       struct given *given)
{
	size_t len = strcspn(word, "=");
	size_t g, i;

	for (g = 0; g < syntax->group_count; g++) {
		const struct cli_group *group = &syntax->groups[g];

		for (i = 0; i < group->count; i++) {
			const struct cli_option *option = &group->options[i];

			if (is_letter ? option->letter != word[0]
				      : !is_long(option, word, len))
				continue;
			given->option = option;
			given->target = group->target;
			return 1;
		}
	}
	return 0;
}

static int refuse_option(const struct cli_syntax *syntax, const char *word)
{
	int len = (int)strcspn(word, "=");
	char name[64];
	struct cli_nearest nearest = {.word = name};
	size_t g, i;

	if (!looks_like_option(word))
		return cli_usage_error(syntax->command, "no option '%s'", word);
	snprintf(name, sizeof(name), "%.*s", len - 2, word + 2);
	for (g = 0; g < syntax->group_count; g++)
		for (i = 0; i < syntax->groups[g].count; i++)
			cli_nearest_offer(&nearest, syntax->groups[g].options[i].name);
	if (nearest.best == NULL)
		return cli_usage_error(syntax->command, "no option '%.*s'", len, word);
	return cli_usage_error(syntax->command, "no option '%.*s'; did you mean '--%s'?",
			       len, word, nearest.best);
}

static int take_option(const struct cli_syntax *syntax, const char *word,
		       struct args *args)
{
	int is_letter = !looks_like_option(word);
	const char *equals = strchr(word, '=');
	struct given given = {.option = NULL};

	if (!find_option(syntax, word + (is_letter ? 1 : 2), is_letter, &given))
		return refuse_option(syntax, word);
	if (is_letter) {
		snprintf(given.shown, sizeof(given.shown), "-%c", word[1]);
		given.attached = word[2] != '\0' ? word + 2 : NULL;
	} else {
		snprintf(given.shown, sizeof(given.shown), "--%s", given.option->name);
		given.attached = equals != NULL ? equals + 1 : NULL;
	}
	return take_values(syntax, &given, args);
}

static int is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int take_argument(const struct cli_syntax *syntax, const char *word, int *count,
			 const char **rest)
{
	if (*count >= syntax->max_args)
		return cli_usage_error(syntax->command, "'%s' is one argument too many",
				       word);
	rest[(*count)++] = word;
	return CLI_DONE;
}

int cli_parse(const struct cli_syntax *syntax, int argc, char **argv, const char **rest)
{
	struct args args = {.argc = argc, .argv = argv, .next = 1};
	int only_arguments = 0;
	int count = 0;
	int code = CLI_DONE;

	while (args.next < argc && code == CLI_DONE) {
		const char *word = argv[args.next++];

		if (only_arguments || word[0] != '-' || word[1] == '\0')
			code = take_argument(syntax, word, &count, rest);
		else if (strcmp(word, "--") == 0)
			only_arguments = 1;
		else if (is_help(word))
			code = cli_print_help(syntax);
		else
			code = take_option(syntax, word, &args);
	}
	if (code != CLI_DONE)
		return code;
	if (count < syntax->min_args)
		return cli_usage_error(syntax->command, "%s needs %s", syntax->command,
				       syntax->args);
	while (count < syntax->max_args)
		rest[count++] = NULL;
	return CLI_DONE;
}
