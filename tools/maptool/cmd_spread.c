/* SPDX-License-Identifier: MIT */
#include "cli.h"

struct spread {
	struct cli_job job;
	const char *level;
	int acting;
	int devices;
	struct cli_ratios ratios;
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
	how.full_ratio = spread->ratios.full.value;
	how.backfillfull_ratio = spread->ratios.backfillfull.value;
	how.nearfull_ratio = spread->ratios.nearfull.value;
	cli_run_start(&spread->job.run, "placing");
	status = strew_spread(&result, placer, &spread->job.inputs.inputs, &how,
			      &spread->job.run.run, &error);
	cli_run_end(&spread->job.run);
	return cli_output_analysis(&spread->job.output, status, result, &error);
}

static int run(void *command, const char *const *args)
{
	struct spread *spread = command;
	int code = cli_ratios_check(&spread->ratios);

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
	.parts = {{&what, 0},
		  CLI_PART(cli_ratios_group, struct spread, ratios),
		  CLI_JOB_PARTS(struct spread)},
	.size = sizeof(struct spread),
	.run = run,
};
