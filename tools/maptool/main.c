/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "commands.gperf.h"
#pragma GCC diagnostic pop

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

/* `maptool`, `maptool --help` and `maptool --version` are commands in other clothes. */
static const char *command_name(const char *word)
{
	if (word == NULL || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return "help";
	if (strcmp(word, "--version") == 0)
		return "version";
	return word;
}

/* A standard stream that the caller closed must not become a file that is opened later:
 * messages would go into it. Its stand-in refuses what the stream would be used for. */
static void fill_standard_streams(void)
{
	int file;

	for (file = STDIN_FILENO; file <= STDERR_FILENO; file++)
		if (fcntl(file, F_GETFD) < 0 &&
		    open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			break;
}

int main(int argc, char **argv)
{
	char *none[] = {NULL, NULL};
	const char *name = command_name(argc > 1 ? argv[1] : NULL);
	const struct cli_command *command = cli_command_find(name);
	int code;

	fill_standard_streams();
	cli_signal_install();
	if (command == NULL)
		return cli_command_refuse(name);
	if (argc > 1)
		code = command->run(argc - 1, argv + 1);
	else
		code = command->run(1, none);
	return code == CLI_SERVED ? CLI_DONE : code;
}
