/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

struct diff {
	struct cli_inputs inputs;
	struct cli_input input;
	struct cli_list joins_old;
	struct cli_list joins_new;
	struct cli_edits edits;
	struct cli_output output;
	struct cli_run run;
	struct cli_commands commands;
	const char *new_rule;
	struct cli_integer new_size;
	struct cli_list new_reweights;
	const char *level;
	const char *by;
	int list;
	int no_causes;
	const char *backfill_rate;
	double backfill_bytes; /* a second */
	struct cli_integer max_backfills;
	struct cli_number fail_above;
};

/* The two sides; OLD first. */
struct sides {
	strew_map *maps[2];
	strew_placer *placers[2];
};

static const struct cli_option options[] = {
	CLI_OPTION("new-rule", "NAME|ID", CLI_TEXT, struct diff, new_rule,
		   "place NEW by this rule; OLD and NEW may then be the same file"),
	CLI_INTEGER_OPTION("new-size", "N", struct diff, new_size, 1, STREW_WANT_MAX,
			   "place NEW with this many devices for each PG or input"),
	CLI_OPTION("new-reweight", "DEVICE W", CLI_LIST, struct diff, new_reweights,
		   "as --reweight, for NEW only; 0 takes a device out"),
	CLI_OPTION("by", "set|position", CLI_WORD, struct diff, by,
		   "a shard has moved when its device was not in the set, or not at its "
		   "position (default: set for replicated pools, position for erasure "
		   "pools)"),
	CLI_OPTION("level", "TYPE", CLI_TEXT, struct diff, level,
		   "between which buckets the table domains counts, such as rack "
		   "(default: the rule's failure domain)"),
	CLI_OPTION("list", NULL, CLI_FLAG, struct diff, list,
		   "also each PG that changes, with its old and new devices"),
	CLI_OPTION("no-causes", NULL, CLI_FLAG, struct diff, no_causes,
		   "don't look for why more moves than has to, which places all of NEW "
		   "once more for each cause"),
	CLI_OPTION("backfill-rate", "RATE", CLI_TEXT, struct diff, backfill_rate,
		   "tell how long moving takes at least, when a backfill moves so many "
		   "bytes a second, such as 50MB"),
	CLI_INTEGER_OPTION("max-backfills", "N", struct diff, max_backfills, 1, 1000000,
			   "and each device takes part in so many at a time, as "
			   "osd_max_backfills says (default: 1)"),
	CLI_OPTION("fail-above", "P", CLI_NUMBER, struct diff, fail_above,
		   "exit 1 when more than P percent of the shards move"),
	CLI_OPTION("join-old", "FILE", CLI_LIST, struct diff, joins_old,
		   "as --join, for OLD only"),
	CLI_OPTION("join-new", "FILE", CLI_LIST, struct diff, joins_new,
		   "as --join, for NEW only"),
};

static const char about[] =
	"Show what moves from one map to another: how much, between which devices and "
	"failure domains, and how much any placement would have to move at least. With "
	"operations, as 'maptool help edit' lists them, NEW is OLD after these.";

static const char examples[] =
	"  maptool diff cluster.json cluster+rack.json\n"
	"  maptool diff cluster.json cluster+rack.json --level datacenter --list\n"
	"  maptool diff cluster.json cluster.json --pool rbd --new-rule three-racks\n"
	"  maptool diff cluster.json -e 'move host:h3 to rack:r2'\n"
	"  maptool diff old.json new.json --backfill-rate 60MB --max-backfills 3\n"
	"  maptool diff old.json new.json --fail-above 12.5 --report json -o diff.json\n"
	"  maptool diff old.json new.json --ceph-commands go.sh --undo back.sh\n";

/* One file on both sides is read once, so it may be standard input. */
static int is_same_map(const struct diff *diff, const char *const *paths)
{
	return strcmp(paths[0], paths[1]) == 0 && diff->joins_old.count == 0 &&
	       diff->joins_new.count == 0;
}

static int has_edits(const struct diff *diff)
{
	return diff->edits.operations.count > 0 || diff->edits.scripts.count > 0;
}

/* What --join names is read for each side. */
static int count_stdin(const struct diff *diff, const char *const *paths)
{
	int uses = cli_count_stdin(paths, 1) +
		   cli_count_stdin(&diff->inputs.objects_from, 1) +
		   cli_count_stdin(diff->joins_old.items, diff->joins_old.count) +
		   cli_count_stdin(diff->joins_new.items, diff->joins_new.count);

	uses += cli_count_stdin(diff->edits.scripts.items, diff->edits.scripts.count);
	if (paths[1] != NULL && !is_same_map(diff, paths))
		uses += cli_count_stdin(paths + 1, 1) +
			cli_count_stdin(diff->input.joins.items, diff->input.joins.count);
	return uses;
}

static int check_maps(const struct diff *diff, const char *const *paths)
{
	if (paths[1] == NULL && !has_edits(diff))
		return cli_usage_error("diff needs OLD NEW, or OLD and --edit");
	if (paths[1] != NULL && has_edits(diff))
		return cli_usage_error(
			"with --edit, NEW is OLD after the operations; '%s' is "
			"one map too many",
			paths[1]);
	if (has_edits(diff) && diff->joins_new.count > 0)
		return cli_usage_error("--join-new goes with NEW, not with --edit");
	return CLI_DONE;
}

static int check_rate(struct diff *diff)
{
	if (diff->backfill_rate == NULL && diff->max_backfills.given)
		return cli_usage_error("--max-backfills needs --backfill-rate");
	if (diff->backfill_rate != NULL &&
	    (cli_parse_bytes(&diff->backfill_bytes, diff->backfill_rate) != 0 ||
	     diff->backfill_bytes <= 0))
		return cli_usage_error("--backfill-rate takes bytes a second, such as "
				       "50MB or 48MiB, not '%s'",
				       diff->backfill_rate);
	return CLI_DONE;
}

static int check(struct diff *diff, const char *const *paths)
{
	int code = check_maps(diff, paths);

	if (code == CLI_DONE)
		code = check_rate(diff);
	if (code == CLI_DONE)
		code = cli_inputs_check(&diff->inputs);
	if (code == CLI_DONE)
		code = cli_common_check(&diff->input, count_stdin(diff, paths),
					&diff->output, &diff->run);
	if (code == CLI_DONE)
		code = cli_commands_check(&diff->commands, &diff->output);
	if (code == CLI_DONE)
		code = cli_reweights_check(&diff->new_reweights, "new-reweight");
	if (code == CLI_DONE && diff->fail_above.given && diff->fail_above.value < 0)
		code = cli_usage_error("--fail-above takes a percentage of at least 0");
	return code;
}

static int read_maps(struct sides *sides, const struct diff *diff,
		     const char *const *paths)
{
	int code =
		cli_input_read(&sides->maps[0], &diff->input, paths[0], &diff->joins_old);

	if (code == CLI_DONE && has_edits(diff))
		code = cli_edits_apply(&sides->maps[1], &diff->edits, sides->maps[0]);
	else if (code == CLI_DONE && is_same_map(diff, paths))
		sides->maps[1] = strew_map_retain(sides->maps[0]);
	else if (code == CLI_DONE)
		code = cli_input_read(&sides->maps[1], &diff->input, paths[1],
				      &diff->joins_new);
	return code;
}

static int write_commands(const struct sides *sides, const struct diff *diff,
			  const char *const *paths)
{
	const struct cli_side before = {sides->maps[0], paths[0]};
	const struct cli_side after = {sides->maps[1],
				       paths[1] != NULL ? paths[1] : "NEW"};

	return cli_commands_write(&diff->commands, &before, &after);
}

static int make_placers(struct sides *sides, struct diff *diff)
{
	int code = cli_inputs_resolve(&diff->inputs, sides->maps[0], sides->maps[1]);

	if (code == CLI_DONE)
		code = cli_inputs_placer(&sides->placers[0], &diff->inputs, NULL,
					 sides->maps[0], sides->maps[1],
					 cli_run_kernel(&diff->run));
	if (code == CLI_DONE)
		code = cli_inputs_placer(&sides->placers[1], &diff->inputs,
					 &diff->new_reweights, sides->maps[1],
					 sides->maps[0], cli_run_kernel(&diff->run));
	return code;
}

/* Without --new-rule, a rule that was named is the one of that name on either side. */
static int fill_options(strew_diff_options *how, const struct diff *diff,
			const strew_map *after)
{
	const char *rule = diff->new_rule != NULL ? diff->new_rule : diff->inputs.rule;

	if (diff->by != NULL)
		how->by = strcmp(diff->by, "set") == 0 ? STREW_BY_SET : STREW_BY_POSITION;
	how->level = diff->level;
	how->list = diff->list;
	how->without_causes = diff->no_causes;
	how->backfill_rate = diff->backfill_bytes;
	how->max_backfills = (int)diff->max_backfills.value;
	if (diff->new_size.given)
		how->new_want = (int)diff->new_size.value;
	return rule != NULL ? cli_find_rule(&how->new_rule, after, rule) : CLI_DONE;
}

static int moves_too_much(const strew_result *result, const struct diff *diff)
{
	strew_cell moved = cli_summary_cell(result, "shards_moved_percent");

	return diff->fail_above.given && moved.kind == STREW_CELL_REAL &&
	       moved.real > diff->fail_above.value;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static int compare(struct diff *diff, const struct sides *sides, const char *const *paths)
{
	strew_diff_options how = STREW_DIFF_OPTIONS_INIT;
	strew_result *result = NULL;
	strew_error error;
	strew_status status;
	int code = fill_options(&how, diff, sides->maps[1]);

	if (code == CLI_DONE)
		code = cli_output_open(&diff->output);
	if (code != CLI_DONE)
		return code;
	how.old_name = file_name(paths[0]);
	how.new_name = has_edits(diff) ? "edited" : file_name(paths[1]);
	cli_run_start(&diff->run, "comparing");
	status = strew_diff(&result, sides->placers[0], sides->placers[1],
			    &diff->inputs.inputs, &how, &diff->run.run, &error);
	cli_run_end(&diff->run);
	if (status != STREW_OK)
		return cli_report_error(&error);
	code = cli_output_result(&diff->output, result);
	if (code == CLI_DONE && moves_too_much(result, diff))
		code = CLI_NO;
	strew_result_free(result);
	return code;
}

static int run(void *command, const char *const *paths)
{
	struct diff *diff = command;
	struct sides sides = {{NULL, NULL}, {NULL, NULL}};
	int code = check(diff, paths);
	int i;

	if (code == CLI_DONE)
		code = read_maps(&sides, diff, paths);
	if (code == CLI_DONE)
		code = write_commands(&sides, diff, paths);
	if (code == CLI_DONE)
		code = make_placers(&sides, diff);
	if (code == CLI_DONE)
		code = compare(diff, &sides, paths);
	code = cli_output_close(&diff->output, code);
	for (i = 0; i < 2; i++) {
		strew_placer_release(sides.placers[i]);
		strew_map_release(sides.maps[i]);
	}
	cli_inputs_free(&diff->inputs);
	return code;
}

static const struct cli_group what = CLI_GROUP("What to compare and show", options);

const struct cli_usage cmd_diff = {
	.args = "OLD [NEW]",
	.min_args = 1,
	.max_args = 2,
	.about = about,
	.examples = examples,
	.parts = {{&what, 0},
		  CLI_PART(cli_edits_group, struct diff, edits),
		  CLI_PART(cli_inputs_group, struct diff, inputs),
		  CLI_PART(cli_input_group, struct diff, input),
		  CLI_PART(cli_commands_group, struct diff, commands),
		  CLI_PART(cli_output_group, struct diff, output),
		  CLI_PART(cli_run_group, struct diff, run)},
	.size = sizeof(struct diff),
	.run = run,
};
