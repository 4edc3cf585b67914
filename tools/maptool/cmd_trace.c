/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

struct trace {
	const char *candidates;
	struct cli_inputs inputs;
	struct cli_input input;
	struct cli_output output;
	struct cli_run run;
	strew_trace_options how;
};

static const struct cli_option options[] = {
	CLI_OPTION("candidates", "N|all", CLI_TEXT, struct trace, candidates,
		   "how many candidates of each choice to show, the best first "
		   "(default: 3)"),
};

static const char about[] =
	"Tell why one object, PG or raw input lies where it does: each step of the rule, "
	"each bucket that was asked, the straws of its best items, who won by how much, "
	"what was rejected and why; then what upmaps, devices that are down, primary "
	"affinity and pg_temp made of it.";

static const char examples[] =
	"  maptool trace cluster.json --pool rbd --object vm-17/disk0\n"
	"  maptool trace cluster.json --pg 1.2f --candidates all\n"
	"  maptool trace map.bin --rule replicated_rule --size 3 --x 42\n";

static int parse_candidates(struct trace *trace)
{
	int64_t count;

	trace->how = (strew_trace_options)STREW_TRACE_OPTIONS_INIT;
	if (trace->candidates == NULL)
		return CLI_DONE;
	if (strcmp(trace->candidates, "all") == 0) {
		trace->how.candidates = SIZE_MAX;
		return CLI_DONE;
	}
	if (cli_parse_integer(&count, trace->candidates, 0, INT32_MAX) != 0)
		return cli_usage_error("trace",
				       "--candidates takes a whole number or all, not "
				       "'%s'",
				       trace->candidates);
	trace->how.candidates = (size_t)count;
	return CLI_DONE;
}

static int check(struct trace *trace, const char *map_path)
{
	const char *paths[] = {map_path, trace->inputs.objects_from};
	int code = cli_inputs_check(&trace->inputs, "trace");

	if (code == CLI_DONE)
		code = parse_candidates(trace);
	if (code == CLI_DONE)
		code = cli_common_check("trace", &trace->input, cli_count_stdin(paths, 2),
					&trace->output, &trace->run);
	return code;
}

static int tell(void *command, const strew_placer *placer)
{
	struct trace *trace = command;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;

	cli_run_start(&trace->run, "placing");
	status = strew_trace(&result, placer, &trace->inputs.inputs, &trace->how,
			     &trace->run.run, &error);
	cli_run_end(&trace->run);
	return cli_output_analysis(&trace->output, status, result, &error);
}

static int run(struct trace *trace, const char *path)
{
	const struct cli_job job = {
		.input = &trace->input,
		.inputs = &trace->inputs,
		.output = &trace->output,
		.run = &trace->run,
		.work = tell,
		.command = trace,
	};
	int code = check(trace, path);

	return code == CLI_DONE ? cli_job_run(&job, path) : code;
}

int cmd_trace(int argc, char **argv)
{
	struct trace trace = {.candidates = NULL};
	const struct cli_group groups[] = {
		{"What to tell", options, sizeof(options) / sizeof(options[0]), &trace},
		cli_inputs_group(&trace.inputs),
		cli_input_group(&trace.input),
		cli_output_group(&trace.output),
		cli_run_group(&trace.run),
	};
	const struct cli_syntax syntax = {
		.command = "trace",
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
		code = run(&trace, path);
	cli_inputs_free(&trace.inputs);
	cli_input_free(&trace.input);
	return code;
}
