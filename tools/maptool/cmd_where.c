/* SPDX-License-Identifier: MIT */
#include "cli.h"

struct where {
	struct cli_job job;
};

static const struct cli_option options[] = {
	CLI_OPTION("item", "NAME", CLI_LIST, struct where, job.names,
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

static int list_shards(void *command, const strew_placer *placer)
{
	struct where *where = command;
	strew_where_options how = STREW_WHERE_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;

	how.items = where->job.items.ids;
	how.item_count = where->job.items.count;
	cli_run_start(&where->job.run, "placing");
	status = strew_where(&result, placer, &where->job.inputs.inputs, &how,
			     &where->job.run.run, &error);
	cli_run_end(&where->job.run);
	return cli_output_analysis(&where->job.output, status, result, &error);
}

static int run(void *command, const char *const *args)
{
	/* Each shard can have a row: six cells, or five and the PG's name. */
	static const struct cli_row row = {.placement = 0, .shard = 48};
	struct where *where = command;

	if (where->job.names.count == 0)
		return cli_usage_error("--item NAME says what to look at; it is missing");
	return cli_job_run(&where->job, args[0], &row, list_shards, where);
}

static const struct cli_group what = CLI_GROUP("What to look at", options);

const struct cli_usage cmd_where = {
	.args = "MAP",
	.min_args = 1,
	.max_args = 1,
	.about = about,
	.examples = examples,
	.parts = {{&what, 0}, CLI_JOB_PARTS(struct where)},
	.size = sizeof(struct where),
	.run = run,
};
