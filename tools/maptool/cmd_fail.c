/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

struct fail {
	struct cli_job job;
	const char *each;
	const char *pairs;
	const char *level;
	struct cli_integer min_size;
	struct cli_integer data_shards;
	struct cli_ratios ratios;
	struct cli_integer odds;
	int list;
	struct cli_list limits;
};

static const struct cli_option what_options[] = {
	CLI_OPTION("item", "NAME", CLI_LIST, struct fail, job.names,
		   "a device or bucket: its name, a device's id or a range such as 0-11, "
		   "or a bucket as host:h3; may be repeated: all fail at once"),
	CLI_OPTION("each", "TYPE", CLI_TEXT, struct fail, each,
		   "each bucket of a type, such as host, one at a time; 'device' for "
		   "each device"),
	CLI_OPTION("pairs", "TYPE", CLI_TEXT, struct fail, pairs,
		   "each two buckets of a type, or 'device', at once"),
};

static const struct cli_option how_options[] = {
	CLI_OPTION("fail-if", "WHAT", CLI_LIST, struct fail, limits,
		   "exit 1 when any case has it: lost, below-min-size, unhealable or "
		   "fill-above:P, a device over P percent then; may be repeated"),
	CLI_OPTION("level", "TYPE", CLI_TEXT, struct fail, level,
		   "where data goes, in which buckets, such as rack, or 'device' "
		   "(default: the rule's failure domain)"),
	CLI_OPTION("list", NULL, CLI_FLAG, struct fail, list,
		   "text: a line for each case, however many there are"),
	CLI_INTEGER_OPTION(
		"min-size", "N", struct fail, min_size, 1, STREW_WANT_MAX,
		"how many shards must be left for a PG to serve (default: what "
		"the pool says; with --rule, more than half of the copies)"),
	CLI_INTEGER_OPTION(
		"k", "N", struct fail, data_shards, 1, STREW_WANT_MAX,
		"how many shards data can be read from (default: 1 for copies, "
		"the pool's k for erasure codes)"),
	CLI_INTEGER_OPTION("odds", "N", struct fail, odds, 0, 32,
			   "the chance of loss when up to N devices fail at random, at "
			   "once (default: 10; 0: leave it out)"),
};

static const char about[] =
	"Show what happens when devices or buckets fail: what is lost, which PGs stop, "
	"where "
	"the data is placed again and how full that makes devices, and up to which fill "
	"every such failure heals. What fails is down and out (reweight 0), as Ceph has "
	"it when it waited long enough; its weight stays.";

static const char examples[] =
	"  maptool fail cluster.json --each rack\n"
	"  maptool fail cluster.json --item host:h3 --item osd.77\n"
	"  maptool fail crush.json --join osd-dump.json --join osd-df.json --join "
	"pg-dump.json \\\n"
	"      --pairs host --fail-if lost --fail-if fill-above:90\n"
	"  maptool fail crush.json --rule ec42 --size 6 --k 4 --min-size 5 --each "
	"chassis\n";

/* The word's number, when it is fill-above:P; what is lost may fill a device beyond 100
 * %.
 * @return 0 when it is something else */
static int read_fill(double *out, const char *word)
{
	static const char start[] = "fill-above:";
	size_t len = strlen(start);

	return strncmp(word, start, len) == 0 && cli_parse_number(out, word + len) == 0 &&
	       *out >= 0;
}

/* The limits that are columns of the summary. */
static const char *column_of(const char *word)
{
	if (strcmp(word, "lost") == 0)
		return "pgs_lost_max";
	if (strcmp(word, "below-min-size") == 0)
		return "pgs_below_min_size_max";
	if (strcmp(word, "unhealable") == 0)
		return "pgs_unhealable_max";
	return NULL;
}

static int check_limits(const struct fail *fail)
{
	double percent;
	size_t i;

	for (i = 0; i < fail->limits.count; i++) {
		const char *word = fail->limits.items[i];

		if (!column_of(word) && !read_fill(&percent, word))
			return cli_usage_error("--fail-if takes lost, below-min-size, "
					       "unhealable or fill-above:P, not '%s'",
					       word);
	}
	return CLI_DONE;
}

static int check(const struct fail *fail)
{
	int what = (fail->job.names.count > 0) + (fail->each != NULL) +
		   (fail->pairs != NULL);
	int code;

	if (what != 1)
		return cli_usage_error("say what fails: --item NAME, --each TYPE or "
				       "--pairs TYPE, one of them");
	code = cli_ratios_check(&fail->ratios);
	return code == CLI_DONE ? check_limits(fail) : code;
}

static void fill_options(strew_fail_options *how, const struct fail *fail)
{
	how->items = fail->job.items.ids;
	how->item_count = fail->job.items.count;
	if (fail->each != NULL)
		how->what = STREW_FAIL_EACH;
	else if (fail->pairs != NULL)
		how->what = STREW_FAIL_PAIRS;
	how->type = fail->each != NULL ? fail->each : fail->pairs;
	how->level = fail->level;
	how->list = fail->list;
	how->min_size = (int)fail->min_size.value;
	how->data_shards = (int)fail->data_shards.value;
	how->full_ratio = fail->ratios.full.value;
	how->backfillfull_ratio = fail->ratios.backfillfull.value;
	how->nearfull_ratio = fail->ratios.nearfull.value;
	if (fail->odds.given)
		how->most_failed = (int)fail->odds.value;
}

/* What isn't known can't be kept to either. */
static int is_exceeded(int *out, const strew_result *result, const char *word)
{
	const char *column = column_of(word);
	double limit = 0;
	strew_cell cell;

	if (column == NULL) {
		read_fill(&limit, word);
		column = "fullest_percent";
	}
	cell = cli_summary_cell(result, column);
	if (cell.kind == STREW_CELL_NULL) {
		cli_error("--fail-if %s can't be answered: %s", word,
			  limit > 0 ? "how full devices are isn't known; --join the "
				      "output of 'ceph osd df -f json'"
				    : "what data needs isn't known; --k and --min-size "
				      "say it");
		return CLI_USAGE;
	}
	*out |= cell.kind == STREW_CELL_REAL ? cell.real > limit : cell.integer > 0;
	return CLI_DONE;
}

static int judge(const struct fail *fail, const strew_result *result)
{
	int exceeded = 0, code = CLI_DONE;
	size_t i;

	for (i = 0; i < fail->limits.count && code == CLI_DONE; i++)
		code = is_exceeded(&exceeded, result, fail->limits.items[i]);
	return code == CLI_DONE && exceeded ? CLI_NO : code;
}

static int let_fail(void *command, const strew_placer *placer)
{
	struct fail *fail = command;
	strew_fail_options how = STREW_FAIL_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;
	int verdict, code;

	fill_options(&how, fail);
	cli_run_start(&fail->job.run, "placing");
	status = strew_fail(&result, placer, &fail->job.inputs.inputs, &how,
			    &fail->job.run.run, &error);
	cli_run_end(&fail->job.run);
	verdict = status == STREW_OK ? judge(fail, result) : CLI_DONE;
	code = cli_output_analysis(&fail->job.output, status, result, &error);
	return code == CLI_DONE ? verdict : code;
}

static int run(void *command, const char *const *args)
{
	/* Two sets, lists of units by device, and the distinct sets. */
	static const struct cli_row row = {.placement = 64, .shard = 40};
	struct fail *fail = command;
	int code = check(fail);

	if (code != CLI_DONE)
		return code;
	return cli_job_run(&fail->job, args[0], &row, let_fail, fail);
}

static const struct cli_group what_group = CLI_GROUP("What fails", what_options);
static const struct cli_group how_group = CLI_GROUP("What to show", how_options);

const struct cli_usage cmd_fail = {
	.args = "MAP",
	.min_args = 1,
	.max_args = 1,
	.about = about,
	.examples = examples,
	.parts = {{&what_group, 0},
		  {&how_group, 0},
		  CLI_PART(cli_ratios_group, struct fail, ratios),
		  CLI_JOB_PARTS(struct fail)},
	.size = sizeof(struct fail),
	.run = run,
};
