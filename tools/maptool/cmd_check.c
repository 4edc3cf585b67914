/* SPDX-License-Identifier: MIT */
#include "cli.h"

struct check {
	struct cli_input input;
	struct cli_output output;
	struct cli_run run;
	struct cli_list ignored;
	int strict;
	struct cli_integer size, count;
};

static const struct cli_option options[] = {
	CLI_OPTION("strict", NULL, CLI_FLAG, struct check, strict,
		   "exit with 1 for a warning too, not for errors only"),
	CLI_INTEGER_OPTION(
		"size", "N", struct check, size, 1, STREW_WANT_MAX,
		"how many devices to ask rules for that no pool uses (default: what "
		"their steps say, for erasure rules what other ones do, else 3)"),
	CLI_INTEGER_OPTION(
		"count", "N", struct check, count, 1, UINT32_MAX,
		"how many inputs to place for each rule and size, to count what "
		"comes of them (default: 200000, fewer where that takes long)"),
	CLI_OPTION("ignore", "CODE", CLI_LIST, struct check, ignored,
		   "don't look for findings of this code; may be repeated"),
};

static const char about[] =
	"Look for what is wrong, doubtful or odd in a map: items in two places, weights "
	"that contradict each other, stale class shadows, empty buckets, names that look "
	"alike, upmaps that don't hold, rules that miss shards or put too many in one "
	"bucket, settings of old. The faults of a map that can't be loaded are findings "
	"too.";

static const char examples[] = "  maptool check cluster.json\n"
			       "  maptool check crush.json --join osd-dump.json\n"
			       "  maptool check crush.txt --size 6\n"
			       "  maptool check cluster.json --strict --ignore pg-num\n";

/* @return CLI_NO when there is something that must not be */
static int judge(const struct check *check, const strew_result *result)
{
	int64_t found = cli_summary_cell(result, "errors").integer;

	if (check->strict)
		found += cli_summary_cell(result, "warnings").integer;
	return found > 0 ? CLI_NO : CLI_DONE;
}

/* The report is wanted whatever the verdict is. */
static int show(struct check *check, const strew_result *result, int verdict)
{
	int code = cli_output_open(&check->output);

	if (code == CLI_DONE)
		code = cli_output_result(&check->output, result);
	code = cli_output_close(&check->output, code);
	return code == CLI_DONE ? verdict : code;
}

static int check_map(struct check *check, const strew_map *map)
{
	strew_check_options how = STREW_CHECK_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;
	int code;

	how.ignored = check->ignored.items;
	how.ignored_count = check->ignored.count;
	how.want = (int)check->size.value;
	how.count = (uint32_t)check->count.value;
	cli_run_start(&check->run, "checking");
	status = strew_check(&result, map, &how, &check->run.run, &error);
	cli_run_end(&check->run);
	code = status == STREW_OK ? show(check, result, judge(check, result))
				  : cli_report_error(&error);
	strew_result_free(result);
	return code;
}

/* A file that is not there is no finding; what is wrong in one is. */
static int show_faults(struct check *check, const strew_builder *builder,
		       const strew_error *failure)
{
	strew_result *result = NULL;
	strew_error error;
	strew_status status;
	int code;

	if (failure && (failure->status == STREW_EIO || failure->status == STREW_ENOMEM))
		return cli_report_error(failure);
	status = strew_check_faults(&result, builder, failure, NULL, &error);
	code = status == STREW_OK ? show(check, result, CLI_INPUT)
				  : cli_report_error(&error);
	strew_result_free(result);
	return code;
}

static int check_file(struct check *check, const char *path)
{
	strew_builder *builder = cli_input_builder();
	strew_map *map = NULL;
	strew_error error;
	int code;

	if (cli_input_fill(builder, &check->input, path, &error) != STREW_OK)
		code = show_faults(check, builder, &error);
	else if (strew_builder_build(&map, builder, &error) == STREW_OK)
		code = check_map(check, map);
	else if (strew_builder_fault_count(builder) > 0)
		code = show_faults(check, builder, NULL);
	else
		code = cli_report_error(&error);
	strew_map_release(map);
	strew_builder_free(builder);
	return code;
}

static int run(void *command, const char *const *args)
{
	struct check *check = command;
	int code = cli_common_check(&check->input, cli_count_stdin(args, 1),
				    &check->output, &check->run);

	return code == CLI_DONE ? check_file(check, args[0]) : code;
}

static const struct cli_group what = CLI_GROUP("What to look for", options);

const struct cli_usage cmd_check = {
	.args = "MAP",
	.min_args = 1,
	.max_args = 1,
	.about = about,
	.examples = examples,
	.parts = {{&what, 0},
		  CLI_PART(cli_input_group, struct check, input),
		  CLI_PART(cli_output_group, struct check, output),
		  CLI_PART(cli_run_group, struct check, run)},
	.size = sizeof(struct check),
	.run = run,
};
