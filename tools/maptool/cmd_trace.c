/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

struct trace {
	const char *candidates;
	struct cli_job job;
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
		return cli_usage_error("--candidates takes a whole number or all, not "
				       "'%s'",
				       trace->candidates);
	trace->how.candidates = (size_t)count;
	return CLI_DONE;
}

static int tell(void *command, const strew_placer *placer)
{
	struct trace *trace = command;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;

	cli_run_start(&trace->job.run, "placing");
	status = strew_trace(&result, placer, &trace->job.inputs.inputs, &trace->how,
			     &trace->job.run.run, &error);
	cli_run_end(&trace->job.run);
	return cli_output_analysis(&trace->job.output, status, result, &error);
}

static int run(void *command, const char *const *args)
{
	struct trace *trace = command;
	int code = parse_candidates(trace);

	if (code != CLI_DONE)
		return code;
	return cli_job_run(&trace->job, args[0], NULL, tell, trace);
}

static const struct cli_group what = CLI_GROUP("What to tell", options);

const struct cli_usage cmd_trace = {
	.args = "MAP",
	.min_args = 1,
	.max_args = 1,
	.about = about,
	.examples = examples,
	.parts = {{&what, 0}, CLI_JOB_PARTS(struct trace)},
	.size = sizeof(struct trace),
	.run = run,
};
