/* SPDX-License-Identifier: MIT */
#include "cli.h"

int cmd_version(int argc, char **argv)
{
	const struct cli_syntax syntax = {
		.command = "version",
		.args = "",
		.about = "Print the version of maptool and that of the library it runs "
			 "with.",
	};
	int code = cli_parse(&syntax, argc, argv, NULL);

	if (code != CLI_DONE)
		return code;
	printf("maptool %s (libstrew %s)\n", STREW_VERSION, strew_version());
	return cli_finish_stdout();
}
