/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

struct place {
	struct cli_inputs inputs;
	struct cli_input input;
	struct cli_output output;
	struct cli_run run;
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

static int check_layout(struct place *place, const struct layout *layout)
{
	if (place->output.report != NULL && strcmp(place->output.report, "text") != 0)
		return cli_usage_error("place",
				       "--layout is text: no --report %s with it",
				       place->output.report);
	if (layout->raw != (place->inputs.rule != NULL))
		return cli_usage_error(
			"place", "--layout %s shows %s --rule", layout->name,
			layout->raw ? "raw inputs: it needs" : "PGs: it can't have");
	place->stages |= layout->stages;
	return CLI_DONE;
}

static int check(struct place *place, const char *map_path)
{
	const char *paths[] = {map_path, place->inputs.objects_from};
	const struct layout *layout = layout_find(place->layout);
	int code = cli_inputs_check(&place->inputs, "place");

	if (code == CLI_DONE)
		code = cli_common_check("place", &place->input, cli_count_stdin(paths, 2),
					&place->output, &place->run);
	if (code == CLI_DONE && layout != NULL)
		code = check_layout(place, layout);
	return code;
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
	cli_run_start(&place->run, "placing");
	status = strew_placements(&result, placer, &place->inputs.inputs, &how,
				  &place->run.run, &error);
	cli_run_end(&place->run);
	if (status != STREW_OK)
		code = cli_report_error(&error);
	else if (layout != NULL)
		layout->print(&place->output, strew_result_table(result, "placements"),
			      strew_placer_map(placer), &place->inputs.inputs);
	else
		code = cli_output_result(&place->output, result);
	strew_result_free(result);
	return code;
}

static int run(struct place *place, const char *path)
{
	int code = check(place, path);
	int sets = place->stages ? 4 : 1;
	/* What the table takes: its cells, and the devices of its sets. */
	const struct cli_row row = {.placement = 24 + 16 * sets, .shard = 4 * sets};
	const struct cli_job job = {
		.input = &place->input,
		.inputs = &place->inputs,
		.output = &place->output,
		.run = &place->run,
		.row = &row,
		.work = place_all,
		.command = place,
	};

	return code == CLI_DONE ? cli_job_run(&job, path) : code;
}

int cmd_place(int argc, char **argv)
{
	struct place place = {.stages = 0};
	const struct cli_group groups[] = {
		cli_inputs_group(&place.inputs),
		{"What to show", options, sizeof(options) / sizeof(options[0]), &place},
		cli_input_group(&place.input),
		cli_output_group(&place.output),
		cli_run_group(&place.run),
	};
	const struct cli_syntax syntax = {
		.command = "place",
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
		code = run(&place, path);
	cli_inputs_free(&place.inputs);
	cli_input_free(&place.input);
	return code;
}
