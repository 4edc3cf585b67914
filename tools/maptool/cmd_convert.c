/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

#define SHOWN_MAX 20

struct convert {
	struct cli_input input;
	struct cli_output output;
	const char *to, *dialect;
	int lossy, pretty;
	size_t lost;
};

static const struct cli_option options[] = {
	CLI_OPTION("to", "FORMAT", CLI_TEXT, struct convert, to,
		   "the format to write (default: json)"),
	CLI_OPTION("dialect", "RELEASE", CLI_TEXT, struct convert, dialect,
		   "write as this release of Ceph does, such as reef (default: pacific)"),
	CLI_OPTION("pretty", NULL, CLI_FLAG, struct convert, pretty,
		   "write crush-json with a value a line"),
	CLI_OPTION("lossy", NULL, CLI_FLAG, struct convert, lossy,
		   "write also when the format can't hold every fact of the map; what is "
		   "lost is told"),
};

static const char about[] =
	"Write a map in another format, or in the same one as this program would write "
	"it. "
	"Nothing is lost without a word: a map that the format can't hold is refused.";

static const char examples[] =
	"  maptool convert crush.json --join osd.json -o cluster.json\n"
	"  ceph osd crush dump | maptool convert - --to json\n"
	"  maptool convert cluster.json --to crush-json --lossy\n";

static const char *format_name(const struct convert *convert)
{
	return convert->to != NULL ? convert->to : "json";
}

/* Is there such a format, and can it be written? */
static int check_format(const char *name)
{
	char names[256] = "";
	size_t len = 0;
	size_t i;

	for (i = 0; i < strew_format_count() && len < sizeof(names); i++) {
		if (!strew_format_writes(i))
			continue;
		if (strcmp(strew_format_name(i), name) == 0)
			return CLI_DONE;
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
					len > 0 ? ", " : "", strew_format_name(i));
	}
	return cli_usage_error("convert", "maps can't be written as '%s'; they can as %s",
			       name, names);
}

static int check(const struct convert *convert, const char *const *paths)
{
	int code = check_format(format_name(convert));

	if (code == CLI_DONE)
		code = cli_input_check(&convert->input, "convert",
				       cli_count_stdin(paths, 1));
	if (code == CLI_DONE)
		code = cli_output_check(&convert->output, "convert");
	return code;
}

static void tell_lost(void *ctx, const char *fact)
{
	struct convert *convert = ctx;

	if (convert->lost++ < SHOWN_MAX)
		cli_error(convert->lossy ? "warning: lost: %s" : "would be lost: %s",
			  fact);
}

static int write_map(struct convert *convert, const strew_map *map)
{
	strew_write_options how = STREW_WRITE_OPTIONS_INIT;
	strew_sink sink = cli_output_sink(&convert->output);
	strew_error error;
	strew_status status;

	how.lossy = convert->lossy;
	how.dialect = convert->dialect;
	how.pretty = convert->pretty;
	how.lost = tell_lost;
	how.ctx = convert;
	status = strew_map_write(map, format_name(convert), &how, &sink, &error);
	if (convert->lost > SHOWN_MAX)
		cli_error("and %zu more facts", convert->lost - SHOWN_MAX);
	/* What could not be written is for cli_output_close() to tell. */
	if (status == STREW_OK || cli_output_failed(&convert->output))
		return CLI_DONE;
	if (status != STREW_ENOTSUP || convert->lost == 0)
		return cli_report_error(&error);
	cli_error("nothing is written, because %s can't hold all of the map; --lossy "
		  "writes the rest",
		  format_name(convert));
	return CLI_FAILED;
}

static int run(struct convert *convert, const char *const *paths)
{
	strew_map *map = NULL;
	int code = check(convert, paths);

	if (code == CLI_DONE)
		code = cli_input_read(&map, &convert->input, paths[0], NULL);
	if (code == CLI_DONE)
		code = cli_output_open(&convert->output);
	if (code == CLI_DONE)
		code = write_map(convert, map);
	code = cli_output_close(&convert->output, code);
	strew_map_release(map);
	return code;
}

int cmd_convert(int argc, char **argv)
{
	struct convert convert = {.lossy = 0};
	const struct cli_group groups[] = {
		{"What to write", options, sizeof(options) / sizeof(options[0]),
		 &convert},
		cli_input_group(&convert.input),
		cli_output_file_group(&convert.output),
	};
	const struct cli_syntax syntax = {
		.command = "convert",
		.args = "MAP",
		.min_args = 1,
		.max_args = 1,
		.about = about,
		.examples = examples,
		.groups = groups,
		.group_count = sizeof(groups) / sizeof(groups[0]),
	};
	const char *paths[1];
	int code = cli_parse(&syntax, argc, argv, paths);

	if (code == CLI_DONE)
		code = run(&convert, paths);
	cli_input_free(&convert.input);
	return code;
}
