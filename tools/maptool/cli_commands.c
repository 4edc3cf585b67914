/* SPDX-License-Identifier: MIT */
/* The cluster's own commands for what changes, and the way back. */
#include <string.h>

#include "cli.h"

/* Facts that are told one by one. */
#define SHOWN_MAX 20

static const struct cli_option options[] = {
	CLI_OPTION("ceph-commands", "FILE", CLI_TEXT, struct cli_commands, forth,
		   "write the ceph commands that carry a cluster from the old map to the "
		   "new one"),
	CLI_OPTION("undo", "FILE", CLI_TEXT, struct cli_commands, back,
		   "write those that carry it back"),
};

const struct cli_group cli_commands_group = CLI_GROUP("The cluster's commands", options);

int cli_commands_check(const struct cli_commands *commands,
		       const struct cli_output *output)
{
	const char *const paths[] = {commands->forth, commands->back,
				     output->path ? output->path : "-"};
	static const char *const pairs[] = {"--ceph-commands and --undo",
					    "--undo and --output",
					    "--ceph-commands and --output"};
	int stdout_uses = cli_count_stdin(paths, 3);

	for (int i = 0; i < 2; i++)
		if (paths[i] && paths[i][0] == '\0')
			return cli_usage_error("--%s needs the name of a file",
					       i == 0 ? "ceph-commands" : "undo");
	if (stdout_uses > 1)
		return cli_usage_error("only one of --ceph-commands, --undo and --output "
				       "can be standard output");
	for (int i = 0; i < 3; i++)
		if (paths[i] && paths[(i + 1) % 3] &&
		    strcmp(paths[i], paths[(i + 1) % 3]) == 0)
			return cli_usage_error("%s need two files", pairs[i]);
	return CLI_DONE;
}

static void tell_lost(void *ctx, const char *fact)
{
	size_t *count = ctx;

	if ((*count)++ < SHOWN_MAX)
		cli_error("warning: no command says: %s", fact);
}

/* One that is NULL tells nobody: the way back lacks the same facts. */
static int write_file(const char *path, const struct cli_side *from,
		      const struct cli_side *to, size_t *lost)
{
	strew_commands_options how = STREW_COMMANDS_OPTIONS_INIT;
	struct cli_output output = {.path = path};
	strew_error error;
	strew_sink sink;
	strew_status status;
	int code = cli_output_open(&output);

	if (code != CLI_DONE)
		return cli_output_close(&output, code);
	how.before_name = from->name;
	how.after_name = to->name;
	how.lost = lost ? tell_lost : NULL;
	how.ctx = lost;
	sink = cli_output_sink(&output);
	status = strew_map_write_commands(from->map, to->map, &how, &sink, &error);
	if (status != STREW_OK && !cli_output_failed(&output))
		code = cli_report_error(&error);
	return cli_output_close(&output, code);
}

int cli_commands_write(const struct cli_commands *commands, const struct cli_side *before,
		       const struct cli_side *after)
{
	size_t lost = 0;
	int code = CLI_DONE;

	if (commands->forth)
		code = write_file(commands->forth, before, after, &lost);
	if (code == CLI_DONE && commands->back)
		code = write_file(commands->back, after, before,
				  commands->forth ? NULL : &lost);
	if (lost > SHOWN_MAX)
		cli_error("warning: and %zu more facts", lost - SHOWN_MAX);
	if (lost > 0)
		cli_error(
			"the file with the commands tells how to set the CRUSH map as a "
			"whole instead");
	return code;
}
