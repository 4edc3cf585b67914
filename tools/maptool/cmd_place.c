/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

struct place {
	struct cli_job job;
	const char *layout;
	int stages;
};

static const struct cli_option options[] = {
	CLI_OPTION("stages", NULL, CLI_FLAG, struct place, stages,
		   "also the raw and the up set of each PG, with their primaries"),
	CLI_OPTION("layout", "crushtool|crushtool-bad|osdmaptool", CLI_WORD, struct place,
		   layout,
		   "print as crushtool --test --show-mappings or --show-bad-mappings do, "
		   "or as osdmaptool --test-map-pgs-dump-all (with --object: "
		   "--test-map-object)"),
};

static const char about[] =
	"Show where the PGs of a map's pools lie; or objects, by name; or the raw inputs "
	"of a rule. Devices are the acting set; x is the value that CRUSH hashes.";

static const char examples[] =
	"  maptool place cluster.json\n"
	"  maptool place cluster.json --pool rbd --object vm-17/disk0\n"
	"  maptool place crush.json --join osd-dump.json --report csv -o placements.csv\n"
	"  maptool place crush.json --rule 0 --size 3 --layout crushtool\n";

static int check_layout(struct place *place)
{
	const struct layout *layout = layout_find(place->layout);

	if (layout == NULL)
		return CLI_DONE;
	if (place->job.output.report != NULL &&
	    strcmp(place->job.output.report, "text") != 0)
		return cli_usage_error("--layout is text: no --report %s with it",
				       place->job.output.report);
	if (layout->raw != (place->job.inputs.rule != NULL))
		return cli_usage_error("--layout %s shows %s --rule", layout->name,
				       layout->raw ? "raw inputs: it needs"
						   : "PGs: it can't have");
	place->stages |= layout->stages;
	return CLI_DONE;
}

static int place_all(void *command, const strew_placer *placer)
{
	struct place *place = command;
	const struct layout *layout = layout_find(place->layout);
	strew_placements_options how = STREW_PLACEMENTS_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;
	int code = CLI_DONE;

	how.stages = place->stages;
	cli_run_start(&place->job.run, "placing");
	status = strew_placements(&result, placer, &place->job.inputs.inputs, &how,
				  &place->job.run.run, &error);
	cli_run_end(&place->job.run);
	if (status != STREW_OK)
		code = cli_report_error(&error);
	else if (layout != NULL)
		layout->print(&place->job.output,
			      strew_result_table(result, "placements"),
			      strew_placer_map(placer), &place->job.inputs.inputs);
	else
		code = cli_output_result(&place->job.output, result);
	strew_result_free(result);
	return code;
}

static int run(void *command, const char *const *args)
{
	struct place *place = command;
	int code = check_layout(place);
	int sets = place->stages ? 4 : 1;
	/* What the table takes: its cells, and the devices of its sets. */
	const struct cli_row row = {.placement = 24 + 16 * sets, .shard = 4 * sets};

	if (code != CLI_DONE)
		return code;
	return cli_job_run(&place->job, args[0], &row, place_all, place);
}

static const struct cli_group what = CLI_GROUP("What to show", options);

const struct cli_usage cmd_place = {
	.args = "MAP",
	.min_args = 1,
	.max_args = 1,
	.about = about,
	.examples = examples,
	.parts = {{&what, 0}, CLI_JOB_PARTS(struct place)},
	.size = sizeof(struct place),
	.run = run,
};
