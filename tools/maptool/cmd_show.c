/* SPDX-License-Identifier: MIT */
#include "cli.h"

struct show {
	struct cli_input input;
	struct cli_output output;
	struct cli_run run;
	int shadow;
};

static const struct cli_option options[] = {
	CLI_OPTION("shadow", NULL, CLI_FLAG, struct show, shadow,
		   "also the trees that stand for the device classes, such as "
		   "default~ssd"),
};

static const char about[] =
	"Show what a map holds: the tree, as ceph osd tree prints it, with the share of "
	"the "
	"data that is expected on each device and bucket; rules and pools in words.";

static const char examples[] = "  maptool show cluster.json\n"
			       "  maptool show crush.json --join osd-dump.json --shadow\n"
			       "  maptool show cluster.json --report csv --table pools\n";

static int show_map(struct show *show, const strew_placer *placer)
{
	strew_show_options how = STREW_SHOW_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;

	how.shadow = show->shadow;
	cli_run_start(&show->run, "listing");
	status = strew_show(&result, placer, &how, &show->run.run, &error);
	cli_run_end(&show->run);
	return cli_output_analysis(&show->output, status, result, &error);
}

static int run(void *command, const char *const *args)
{
	struct show *show = command;
	strew_map *map = NULL;
	strew_placer *placer = NULL;
	strew_error error;
	int code = cli_common_check(&show->input, cli_count_stdin(args, 1), &show->output,
				    &show->run);

	if (code == CLI_DONE)
		code = cli_input_read(&map, &show->input, args[0], NULL);
	if (code == CLI_DONE && strew_placer_new(&placer, map, NULL, &error) != STREW_OK)
		code = cli_report_error(&error);
	if (code == CLI_DONE)
		code = cli_output_open(&show->output);
	if (code == CLI_DONE)
		code = show_map(show, placer);
	code = cli_output_close(&show->output, code);
	strew_placer_release(placer);
	strew_map_release(map);
	return code;
}

static const struct cli_group what = CLI_GROUP("What to show", options);

const struct cli_usage cmd_show = {
	.args = "MAP",
	.min_args = 1,
	.max_args = 1,
	.about = about,
	.examples = examples,
	.parts = {{&what, 0},
		  CLI_PART(cli_input_group, struct show, input),
		  CLI_PART(cli_output_group, struct show, output),
		  CLI_PART(cli_run_group, struct show, run)},
	.size = sizeof(struct show),
	.run = run,
};
