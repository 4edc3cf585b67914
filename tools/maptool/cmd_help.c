/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char about[] = "Where the data of a storage cluster lies, and what moves "
			    "when the cluster changes.";

static const char more[] =
	"'maptool help COMMAND' tells a command's options. A MAP is a file, or - for "
	"standard input; its format is recognised from its content.";

static int compare_commands(const void *a, const void *b)
{
	const struct cli_command *const *one = a;
	const struct cli_command *const *two = b;
	int order = strcmp((*one)->group, (*two)->group);

	return order != 0 ? order : strcmp((*one)->name, (*two)->name);
}

static const struct cli_command **sorted_commands(size_t *count)
{
	const struct cli_command **list = NULL;
	const struct cli_command *command;
	size_t i;

	*count = 0;
	for (i = 0; (command = cli_command_at(i)) != NULL; i++) {
		if (command->name[0] == '\0')
			continue;
		list = cli_resize(list, *count + 1, sizeof(*list));
		list[(*count)++] = command;
	}
	qsort(list, *count, sizeof(*list), compare_commands);
	return list;
}

static int list_commands(void)
{
	size_t count;
	const struct cli_command **list = sorted_commands(&count);
	const char *group = "";
	size_t i;

	puts("usage: maptool COMMAND [OPTIONS] MAP...\n");
	cli_print_wrapped(about, 0, 0);
	for (i = 0; i < count; i++) {
		if (strcmp(list[i]->group, group) != 0)
			printf("\n%s:\n", list[i]->group);
		group = list[i]->group;
		printf("  %-12s %s\n", list[i]->name, list[i]->summary);
	}
	putchar('\n');
	cli_print_wrapped(more, 0, 0);
	free(list);
	return cli_finish_stdout();
}

static int help_for(const char *name)
{
	const struct cli_command *command = cli_command_find(name);

	return command != NULL ? cli_print_help(command) : cli_command_refuse(name);
}

static int run(void *command, const char *const *args)
{
	(void)command;
	return args[0] != NULL ? help_for(args[0]) : list_commands();
}

const struct cli_usage cmd_help = {
	.args = "[COMMAND]",
	.max_args = 1,
	.about = "List the commands, or tell one command's options.",
	.run = run,
};
