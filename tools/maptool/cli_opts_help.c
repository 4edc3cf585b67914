/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

#define PAGE_WIDTH  80
#define HELP_COLUMN 28

void cli_print_wrapped(const char *text, int at, int indent)
{
	int column = at;
	int len;

	for (; *text != '\0'; text += len + (text[len] != '\0')) {
		len = (int)strcspn(text, " ");
		if (column > at && column + 1 + len > PAGE_WIDTH) {
			printf("\n%*s", indent, "");
			column = at = indent;
		}
		column += printf("%s%.*s", column > at ? " " : "", len, text);
	}
	putchar('\n');
}

static void print_option(const struct cli_option *option)
{
	char head[80];
	int len;

	if (option->letter != '\0')
		len = snprintf(head, sizeof(head), "  -%c, --%s", option->letter,
			       option->name);
	else
		len = snprintf(head, sizeof(head), "      --%s", option->name);
	if (option->value != NULL)
		len += snprintf(head + len, sizeof(head) - (size_t)len, " %s",
				option->value);
	fputs(head, stdout);
	if (len > HELP_COLUMN - 2)
		printf("\n%*s", HELP_COLUMN, "");
	else
		printf("%*s", HELP_COLUMN - len, "");
	cli_print_wrapped(option->help, HELP_COLUMN, HELP_COLUMN);
}

static void print_group(const struct cli_group *group)
{
	size_t i;

	printf("\n%s:\n", group->title);
	for (i = 0; i < group->count; i++)
		print_option(&group->options[i]);
}

int cli_print_help(const struct cli_command *command)
{
	const struct cli_usage *usage = command->usage;
	const struct cli_part *part;

	printf("usage: maptool %s%s%s%s\n\n", command->name,
	       usage->parts[0].group != NULL ? " [OPTIONS]" : "",
	       usage->args[0] != '\0' ? " " : "", usage->args);
	cli_print_wrapped(usage->about, 0, 0);
	for (part = usage->parts; part->group != NULL; part++)
		print_group(part->group);
	if (usage->list != NULL)
		usage->list();
	if (usage->examples != NULL)
		printf("\nExamples:\n%s", usage->examples);
	return cli_finish_stdout() == CLI_DONE ? CLI_SERVED : CLI_FAILED;
}
