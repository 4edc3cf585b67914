/* SPDX-License-Identifier: MIT */
#include "cli.h"

struct convert {
	struct cli_input input;
	struct cli_output output;
	struct cli_write write;
	int anonymise;
};

static const struct cli_option options[] = {
	CLI_OPTION("anonymise", NULL, CLI_FLAG, struct convert, anonymise,
		   "replace them by neutral ones, such as rack-2, and leave remarks out; "
		   "every placement stays as it is"),
};

static const char about[] =
	"Write a map in another format, or in the same one as this program would write "
	"it. "
	"Nothing is lost without a word: a map that the format can't hold is refused.";

static const char examples[] =
	"  maptool convert crush.json --join osd.json -o cluster.json\n"
	"  ceph osd crush dump | maptool convert - --to json\n"
	"  maptool convert cluster.json --to crush-json --lossy\n"
	"  maptool convert cluster.json --anonymise -o for-the-ticket.json\n";

static const char *format_name(const struct convert *convert)
{
	return convert->write.to != NULL ? convert->write.to : "json";
}

static int check(const struct convert *convert, const char *const *paths)
{
	int code = cli_write_check(format_name(convert));

	if (code == CLI_DONE)
		code = cli_input_check(&convert->input, cli_count_stdin(paths, 1));
	if (code == CLI_DONE)
		code = cli_output_check(&convert->output);
	return code;
}

/* The map becomes one with neutral names. */
static int anonymise(strew_map **map)
{
	strew_map *named = *map;
	strew_error error;
	strew_status status = strew_map_anonymise(map, named, &error);

	strew_map_release(named);
	return status == STREW_OK ? CLI_DONE : cli_report_error(&error);
}

static int run(void *command, const char *const *paths)
{
	struct convert *convert = command;
	strew_map *map = NULL;
	int code = check(convert, paths);

	if (code == CLI_DONE)
		code = cli_input_read(&map, &convert->input, paths[0], NULL);
	if (code == CLI_DONE && convert->anonymise)
		code = anonymise(&map);
	if (code == CLI_DONE)
		code = cli_output_open(&convert->output);
	if (code == CLI_DONE)
		code = cli_write_map(&convert->write, map, format_name(convert),
				     &convert->output);
	code = cli_output_close(&convert->output, code);
	strew_map_release(map);
	return code;
}

static const struct cli_group names = CLI_GROUP("Names", options);

const struct cli_usage cmd_convert = {
	.args = "MAP",
	.min_args = 1,
	.max_args = 1,
	.about = about,
	.examples = examples,
	.parts = {CLI_PART(cli_write_group, struct convert, write),
		  {&names, 0},
		  CLI_PART(cli_input_group, struct convert, input),
		  CLI_PART(cli_output_file_group, struct convert, output)},
	.size = sizeof(struct convert),
	.run = run,
};
