/* SPDX-License-Identifier: MIT */
#include "cli.h"

static int run(void *command, const char *const *args)
{
	(void)command;
	(void)args;
	printf("maptool %s (libstrew %s)\n", STREW_VERSION, strew_version());
	return cli_finish_stdout();
}

const struct cli_usage cmd_version = {
	.args = "",
	.about = "Print the version of maptool and that of the library it runs with.",
	.run = run,
};
