/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cli.h"

struct where {
	struct cli_inputs inputs;
	struct cli_input input;
	struct cli_output output;
	struct cli_run run;
	struct cli_list names;
	struct cli_items items;
};

static const struct cli_option options[] = {
	CLI_OPTION("item", "NAME", CLI_LIST, struct where, names,
		   "a device or bucket: its name, a device's id or a range such as 0-11, "
		   "or a bucket as host:h3; may be repeated"),
};

static const char about[] = "Show what lies on some devices or below some buckets: each "
			    "shard with its PG and "
			    "position, counted from 0, and its bytes. Up sets are "
			    "counted: where shards belong, "
			    "though a pg_temp may serve them elsewhere for now.";

static const char examples[] =
	"  maptool where cluster.json --item host:h3\n"
	"  maptool where cluster.json --item osd.12 --item 40-47 --pool rbd\n"
	"  maptool where cluster.json --item rack:r2 --report csv -o r2.csv\n";

static int check(struct where *where, const char *map_path)
{
	const char *paths[] = {map_path, where->inputs.objects_from};
	int code = cli_inputs_check(&where->inputs, "where");

	if (code == CLI_DONE && where->names.count == 0)
		code = cli_usage_error("where",
				       "--item NAME says what to look at; it is missing");
	if (code == CLI_DONE)
		code = cli_common_check("where", &where->input, cli_count_stdin(paths, 2),
					&where->output, &where->run);
	return code;
}

static int list_shards(void *command, const strew_placer *placer)
{
	struct where *where = command;
	strew_where_options how = STREW_WHERE_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;

	how.items = where->items.ids;
	how.item_count = where->items.count;
	cli_run_start(&where->run, "placing");
	status = strew_where(&result, placer, &where->inputs.inputs, &how,
			     &where->run.run, &error);
	cli_run_end(&where->run);
	return cli_output_analysis(&where->output, status, result, &error);
}

static int run(struct where *where, const char *path)
{
	/* Each shard can have a row: six cells, or five and the PG's name. */
	const struct cli_row row = {.placement = 0, .shard = 48};
	const struct cli_job job = {
		.input = &where->input,
		.inputs = &where->inputs,
		.output = &where->output,
		.run = &where->run,
		.names = &where->names,
		.items = &where->items,
		.row = &row,
		.work = list_shards,
		.command = where,
	};
	int code = check(where, path);

	return code == CLI_DONE ? cli_job_run(&job, path) : code;
}

int cmd_where(int argc, char **argv)
{
	struct where where = {.items = {NULL, 0}};
	const struct cli_group groups[] = {
		{"What to look at", options, sizeof(options) / sizeof(options[0]),
		 &where},
		cli_inputs_group(&where.inputs),
		cli_input_group(&where.input),
		cli_output_group(&where.output),
		cli_run_group(&where.run),
	};
	const struct cli_syntax syntax = {
		.command = "where",
		.args = "MAP",
		.min_args = 1,
		.max_args = 1,
		.about = about,
		.examples = examples,
		.groups = groups,
		.group_count = sizeof(groups) / sizeof(groups[0]),
	};
	const char *path;
	int code = cli_parse(&syntax, argc, argv, &path);

	if (code == CLI_DONE)
		code = run(&where, path);
	cli_inputs_free(&where.inputs);
	cli_input_free(&where.input);
	free(where.names.items);
	free(where.items.ids);
	return code;
}
