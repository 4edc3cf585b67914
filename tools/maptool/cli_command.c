/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "commands.gperf.h"
#pragma GCC diagnostic pop

static const struct cli_command *running;

const struct cli_command *cli_command_find(const char *name)
{
	return find_word(name, strlen(name));
}

const struct cli_command *cli_command_at(size_t index)
{
	const size_t count = sizeof(command_table) / sizeof(command_table[0]);

	return index < count ? &command_table[index] : NULL;
}

int cli_command_refuse(const char *name)
{
	struct cli_nearest nearest = {.word = name};
	const struct cli_command *command;
	size_t i;

	for (i = 0; (command = cli_command_at(i)) != NULL; i++)
		cli_nearest_offer(&nearest, command->name);
	if (nearest.best != NULL)
		cli_error("no command '%s'; did you mean '%s'? try 'maptool help'", name,
			  nearest.best);
	else
		cli_error("no command '%s'; try 'maptool help'", name);
	return CLI_USAGE;
}

const char *cli_command_name(void)
{
	return running->name;
}

int cli_command_run(const struct cli_command *command, int argc, char **argv)
{
	const struct cli_usage *usage = command->usage;
	const char **args = cli_resize(NULL, (size_t)usage->max_args, sizeof(args[0]));
	void *target = cli_resize(NULL, 1, usage->size + 1);
	int code;

	memset(target, 0, usage->size);
	running = command;
	code = cli_parse(command, argc, argv, target, args);
	if (code == CLI_DONE)
		code = usage->run(target, args);
	cli_free_lists(usage, target);
	free(target);
	free(args);
	return code;
}
