/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

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
		code = cli_command_run(command, argc - 1, argv + 1);
	else
		code = cli_command_run(command, 1, none);
	return code == CLI_SERVED ? CLI_DONE : code;
}
