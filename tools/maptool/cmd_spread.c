/* SPDX-License-Identifier: MIT */
#include "cli.h"

struct spread {
	struct cli_job job;
	const char *level;
	int acting;
	int devices;
	struct cli_number full, backfillfull, nearfull;
};

static const struct cli_option options[] = {
	CLI_OPTION("level", "TYPE", CLI_TEXT, struct spread, level,
		   "which buckets to sum up, such as rack (default: the rule's failure "
		   "domain)"),
	CLI_OPTION("devices", NULL, CLI_FLAG, struct spread, devices,
		   "text: a line for each device, however many there are"),
	CLI_OPTION("acting", NULL, CLI_FLAG, struct spread, acting,
		   "count acting sets, as osdmaptool --test-map-pgs does (default: up "
		   "sets, where data belongs)"),
	CLI_OPTION("full-ratio", "R", CLI_NUMBER, struct spread, full,
		   "how full a device may be before writing stops, above 0 up to 1 "
		   "(default: the map's, else 0.95); 1 tells of all the space"),
	CLI_OPTION("backfillfull-ratio", "R", CLI_NUMBER, struct spread, backfillfull,
		   "before nothing is moved to it (default: the map's, else 0.90)"),
	CLI_OPTION("nearfull-ratio", "R", CLI_NUMBER, struct spread, nearfull,
		   "before it is warned of (default: the map's, else 0.85)"),
};

static const char about[] =
	"Show how evenly shards lie: what each device and failure domain has, beside "
	"what its weight says and what the rule is expected to give it; what makes the "
	"difference; primaries; how full devices are, and what pools can hold now, as "
	"expected, and at best.";

static const char examples[] =
	"  maptool spread cluster.json\n"
	"  maptool spread cluster.json --pool rbd --level rack\n"
	"  maptool spread crush.json --join osd-dump.json --report csv -o devices.csv\n"
	"  maptool spread crush.json --rule 0 --size 3 --inputs 0-99999\n"
	"  maptool spread cluster.json --nearfull-ratio 0.8 --report csv --table pools\n";

static int check_ratio(const struct cli_number *ratio, const char *name)
{
	if (!ratio->given || (ratio->value > 0 && ratio->value <= 1))
		return CLI_DONE;
	return cli_usage_error("--%s takes a number above 0, at most 1", name);
}

static int check_ratios(const struct spread *spread)
{
	int code = check_ratio(&spread->full, "full-ratio");

	if (code == CLI_DONE)
		code = check_ratio(&spread->backfillfull, "backfillfull-ratio");
	if (code == CLI_DONE)
		code = check_ratio(&spread->nearfull, "nearfull-ratio");
	return code;
}

static int count(void *command, const strew_placer *placer)
{
	struct spread *spread = command;
	strew_spread_options how = STREW_SPREAD_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;

	how.level = spread->level;
	how.acting = spread->acting;
	how.all_devices = spread->devices;
	how.full_ratio = spread->full.value;
	how.backfillfull_ratio = spread->backfillfull.value;
	how.nearfull_ratio = spread->nearfull.value;
	cli_run_start(&spread->job.run, "placing");
	status = strew_spread(&result, placer, &spread->job.inputs.inputs, &how,
			      &spread->job.run.run, &error);
	cli_run_end(&spread->job.run);
	return cli_output_analysis(&spread->job.output, status, result, &error);
}

static int run(void *command, const char *const *args)
{
	struct spread *spread = command;
	int code = check_ratios(spread);

	if (code != CLI_DONE)
		return code;
	return cli_job_run(&spread->job, args[0], NULL, count, spread);
}

static const struct cli_group what = CLI_GROUP("What to show", options);

const struct cli_usage cmd_spread = {
	.args = "MAP",
	.min_args = 1,
	.max_args = 1,
	.about = about,
	.examples = examples,
	.parts = {{&what, 0}, CLI_JOB_PARTS(struct spread)},
	.size = sizeof(struct spread),
	.run = run,
};
