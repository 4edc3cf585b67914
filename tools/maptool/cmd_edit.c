/* SPDX-License-Identifier: MIT */
#include "cli.h"

struct edit {
	struct cli_edits edits;
	struct cli_input input;
	struct cli_output output;
	struct cli_write write;
	struct cli_commands commands;
};

static const char about[] =
	"Change a map by operations in words, in order, and write the result in the "
	"format that the map has. Each operation does what Ceph's command of the same "
	"purpose does: weights follow up the tree, weight sets follow weights, and the "
	"shadow trees of device classes follow the tree and keep their ids. The first "
	"operation that can't be done ends it, and nothing is written.";

static const char examples[] =
	"  maptool edit cluster.json -o new.json -e 'move host:h3 to rack:r2'\n"
	"  maptool edit cluster.json -o new.json -e 'add host:h9 to rack:r2' \\\n"
	"      -e 'add device 88-99 to host:h9 weight 9.1 class hdd'\n"
	"  maptool edit crush.json --to json -o new.json -f changes.txt\n"
	"  maptool edit crush.json -o new.json -e 'reweight osd.3 7.2' \\\n"
	"      --ceph-commands go.sh --undo back.sh\n";

static int check(const struct edit *edit, const char *const *paths)
{
	int stdin_uses =
		cli_count_stdin(paths, 1) +
		cli_count_stdin(edit->edits.scripts.items, edit->edits.scripts.count);
	int code = cli_input_check(&edit->input, stdin_uses);

	if (code == CLI_DONE)
		code = cli_output_check(&edit->output);
	if (code == CLI_DONE)
		code = cli_commands_check(&edit->commands, &edit->output);
	if (code == CLI_DONE && edit->edits.operations.count == 0 &&
	    edit->edits.scripts.count == 0)
		code = cli_usage_error(
			"nothing to do: give operations with --edit or --file");
	if (code == CLI_DONE && edit->write.to != NULL)
		code = cli_write_check(edit->write.to);
	return code;
}

/* In comments the new map is the file that it is written to. */
static int write_commands(const struct edit *edit, const strew_map *old_map,
			  const strew_map *new_map, const char *path)
{
	const char *target = edit->output.path;
	const struct cli_side before = {old_map, path};
	const struct cli_side after = {new_map, target ? target : "NEW"};

	return cli_commands_write(&edit->commands, &before, &after);
}

static int run(void *command, const char *const *paths)
{
	struct edit *edit = command;
	strew_map *before = NULL, *after = NULL;
	const char *format = NULL;
	int code = check(edit, paths);

	edit->input.format = &format;
	if (code == CLI_DONE)
		code = cli_input_read(&before, &edit->input, paths[0], NULL);
	if (edit->write.to != NULL)
		format = edit->write.to;
	if (code == CLI_DONE)
		code = cli_write_check(format);
	if (code == CLI_DONE)
		code = cli_edits_apply(&after, &edit->edits, before);
	if (code == CLI_DONE)
		code = write_commands(edit, before, after, paths[0]);
	if (code == CLI_DONE)
		code = cli_output_open(&edit->output);
	if (code == CLI_DONE)
		code = cli_write_map(&edit->write, after, format, &edit->output);
	code = cli_output_close(&edit->output, code);
	strew_map_release(before);
	strew_map_release(after);
	return code;
}

const struct cli_usage cmd_edit = {
	.args = "MAP",
	.min_args = 1,
	.max_args = 1,
	.about = about,
	.list = cli_edits_list,
	.examples = examples,
	.parts = {CLI_PART(cli_edits_group, struct edit, edits),
		  CLI_PART(cli_write_group, struct edit, write),
		  CLI_PART(cli_input_group, struct edit, input),
		  CLI_PART(cli_commands_group, struct edit, commands),
		  CLI_PART(cli_output_file_group, struct edit, output)},
	.size = sizeof(struct edit),
	.run = run,
};
