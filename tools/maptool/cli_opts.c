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
	void *member;         /* of the command's struct */
	char shown[64];       /* as it was written, without a value */
	const char *attached; /* the value in --x=VALUE or -oVALUE; NULL: none */
};

struct args {
	const struct cli_command *command;
	void *target; /* the command's struct */
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

static void *member_of(void *target, const struct cli_part *part,
		       const struct cli_option *option)
{
	return (char *)target + part->offset + option->offset;
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
	void *member = given->member;
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

static int store_value(const struct given *given, const char *value)
{
	const struct cli_option *option = given->option;
	const char *wanted = store(given, value);

	if (wanted == NULL)
		return CLI_DONE;
	if (option->kind == CLI_WORD)
		return cli_usage_error("%s takes %s, not '%s'", given->shown,
				       option->value, value);
	if (option->kind == CLI_INTEGER)
		return cli_usage_error(
			"%s takes %s from %" PRId64 " to %" PRId64 ", not '%s'",
			given->shown, wanted, option->min, option->max, value);
	return cli_usage_error("%s takes %s, not '%s'", given->shown, wanted, value);
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

static int take_values(const struct given *given, struct args *args)
{
	int wanted = count_values(given->option);
	const char *value = given->attached;
	int i, code;

	if (wanted == 0 && value != NULL)
		return cli_usage_error("%s takes no value", given->shown);
	if (wanted == 0)
		return store_value(given, NULL);
	for (i = 0; i < wanted; i++) {
		if (value == NULL && args->next < args->argc &&
		    !looks_like_option(args->argv[args->next]))
			value = args->argv[args->next++];
		if (value == NULL)
			return cli_usage_error("%s needs %s", given->shown,
					       given->option->value);
		code = store_value(given, value);
		if (code != CLI_DONE)
			return code;
		value = NULL;
	}
	return CLI_DONE;
}

static int is_named(const struct cli_option *option, const char *word, int is_letter)
{
	size_t len = strcspn(word, "=");

	if (is_letter)
		return option->letter == word[0];
	return strlen(option->name) == len && strncmp(option->name, word, len) == 0;
}

/* word is what follows the dashes. */
static int find_option(const struct args *args, const char *word, int is_letter,
		       struct given *given)
{
	const struct cli_part *part;
	size_t i;

	for (part = args->command->usage->parts; part->group != NULL; part++)
		for (i = 0; i < part->group->count; i++) {
			const struct cli_option *option = &part->group->options[i];

			if (!is_named(option, word, is_letter))
				continue;
			given->option = option;
			given->member = member_of(args->target, part, option);
			return 1;
		}
	return 0;
}

static int refuse_option(const struct args *args, const char *word)
{
	int len = (int)strcspn(word, "=");
	char name[64];
	struct cli_nearest nearest = {.word = name};
	const struct cli_part *part;
	size_t i;

	if (!looks_like_option(word))
		return cli_usage_error("no option '%s'", word);
	snprintf(name, sizeof(name), "%.*s", len - 2, word + 2);
	for (part = args->command->usage->parts; part->group != NULL; part++)
		for (i = 0; i < part->group->count; i++)
			cli_nearest_offer(&nearest, part->group->options[i].name);
	if (nearest.best == NULL)
		return cli_usage_error("no option '%.*s'", len, word);
	return cli_usage_error("no option '%.*s'; did you mean '--%s'?", len, word,
			       nearest.best);
}

static int take_option(const char *word, struct args *args)
{
	int is_letter = !looks_like_option(word);
	const char *equals = strchr(word, '=');
	struct given given = {.option = NULL};

	if (!find_option(args, word + (is_letter ? 1 : 2), is_letter, &given))
		return refuse_option(args, word);
	if (is_letter) {
		snprintf(given.shown, sizeof(given.shown), "-%c", word[1]);
		given.attached = word[2] != '\0' ? word + 2 : NULL;
	} else {
		snprintf(given.shown, sizeof(given.shown), "--%s", given.option->name);
		given.attached = equals != NULL ? equals + 1 : NULL;
	}
	return take_values(&given, args);
}

static int is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int take_argument(const struct args *args, const char *word, int *count,
			 const char **rest)
{
	if (*count >= args->command->usage->max_args)
		return cli_usage_error("'%s' is one argument too many", word);
	rest[(*count)++] = word;
	return CLI_DONE;
}

int cli_parse(const struct cli_command *command, int argc, char **argv, void *target,
	      const char **rest)
{
	const struct cli_usage *usage = command->usage;
	struct args args = {command, target, argc, argv, 1};
	int only_arguments = 0;
	int count = 0;
	int code = CLI_DONE;

	while (args.next < argc && code == CLI_DONE) {
		const char *word = argv[args.next++];

		if (only_arguments || word[0] != '-' || word[1] == '\0')
			code = take_argument(&args, word, &count, rest);
		else if (strcmp(word, "--") == 0)
			only_arguments = 1;
		else if (is_help(word))
			code = cli_print_help(command);
		else
			code = take_option(word, &args);
	}
	if (code != CLI_DONE)
		return code;
	if (count < usage->min_args)
		return cli_usage_error("%s needs %s", command->name, usage->args);
	while (count < usage->max_args)
		rest[count++] = NULL;
	return CLI_DONE;
}

static void free_list(const struct cli_list *list)
{
	free(list->items);
}

void cli_free_lists(const struct cli_usage *usage, void *target)
{
	const struct cli_part *part;
	size_t i;

	for (part = usage->parts; part->group != NULL; part++)
		for (i = 0; i < part->group->count; i++)
			if (part->group->options[i].kind == CLI_LIST)
				free_list(member_of(target, part,
						    &part->group->options[i]));
}
