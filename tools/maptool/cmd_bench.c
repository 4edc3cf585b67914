/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define MAPS_MAX    64
#define THREADS_MAX 64
/* How many devices a rule chooses where no pool says. */
#define WANT_FIRSTN 3
#define WANT_INDEP  11

struct bench {
	struct cli_input input;
	struct cli_output output;
	struct cli_run run;
	int quick;

	const char *names[MAPS_MAX];
	strew_map *maps[MAPS_MAX]; /* what measurements name rules of */
	size_t map_count;
	size_t maps_done;
	struct peer peer;
	bool has_peer;
	strew_measurement *measurements;
	size_t count;
};

static const struct cli_option options[] = {
	CLI_OPTION("quick", NULL, CLI_FLAG, struct bench, quick,
		   "fewer and shorter turns: seconds in place of minutes, and less sure"),
	CLI_OPTION("kernel", "NAME", CLI_TEXT, struct bench, run.kernel,
		   "which code draws the straws: avx512, avx2, vec128, scalar or plain "
		   "(default: $STREW_KERNEL, else the fastest)"),
	CLI_INTEGER_OPTION("threads", "N", struct bench, run.thread_count, 1, THREADS_MAX,
			   "how many threads place at the same time (default: 1)"),
	CLI_OPTION("progress", "auto|always|never", CLI_WORD, struct bench, run.progress,
		   "say on standard error how many maps are done (auto: on a terminal)"),
};

static const char about[] =
	"Measure how fast rules place: nanoseconds for a mapping, in batches and one by "
	"one. "
	"Where Ceph's library is installed it places the same inputs in turns with ours, "
	"and the ratio of the two is told. A MAP is a file, or the name of a standard "
	"map; "
	"without one all of these are measured.";

static const char examples[] = "  maptool bench --quick\n"
			       "  maptool bench b d --kernel avx2\n"
			       "  maptool bench osdmap.bin --threads 4 --report csv\n";

static void list_maps(void)
{
	printf("\nStandard maps:\n ");
	for (size_t i = 0; bench_map_name(i) != NULL; i++)
		printf(" %s", bench_map_name(i));
	printf("\n");
}

static int check_usage(struct bench *bench)
{
	int stdin_uses = cli_count_stdin(bench->names, bench->map_count);
	int code =
		cli_common_check(&bench->input, stdin_uses, &bench->output, &bench->run);

	if (code == CLI_DONE && bench->input.joins.count > 0 && bench->map_count != 1)
		code = cli_usage_error("--join is for one MAP");
	return code;
}

static void name_maps(struct bench *bench, const char *const *args)
{
	while (bench->map_count < MAPS_MAX && args[bench->map_count] != NULL) {
		bench->names[bench->map_count] = args[bench->map_count];
		bench->map_count++;
	}
	for (size_t i = 0; args[0] == NULL && bench_map_name(i) != NULL; i++)
		bench->names[bench->map_count++] = bench_map_name(i);
}

static int make_placer(strew_placer **out, const strew_map *map, const char *kernel)
{
	strew_placer_options how = STREW_PLACER_OPTIONS_INIT;
	strew_error error;

	how.kernel = kernel;
	if (strew_placer_new(out, map, &how, &error) != STREW_OK)
		return cli_report_error(&error);
	return CLI_DONE;
}

/* @return the size of the first pool that uses a rule; 0: none does, though there are
 * pools */
static int want_of(const strew_map *map, int32_t rule)
{
	size_t count = strew_map_pool_count(map);

	for (size_t i = 0; i < count; i++) {
		const strew_pool *pool = strew_map_pool_at(map, i);

		if (strew_pool_rule(pool) == rule)
			return strew_pool_size(pool);
	}
	if (count > 0)
		return 0;
	for (size_t i = 0; i < strew_map_step_count(map, rule); i++) {
		int32_t op = strew_map_step_at(map, rule, i).op;

		if (op == STREW_OP_CHOOSE_INDEP || op == STREW_OP_CHOOSELEAF_INDEP)
			return WANT_INDEP;
	}
	return WANT_FIRSTN;
}

static int add_measurement(struct bench *bench, const struct bench_work *work)
{
	bench->measurements = cli_resize(bench->measurements, bench->count + 1,
					 sizeof(*bench->measurements));
	return bench_measure(&bench->measurements[bench->count++], work);
}

/* The worst of two exit codes. */
static int worse(int a, int b)
{
	return a > b ? a : b;
}

static int measure_rules(struct bench *bench, struct bench_work *work)
{
	const strew_map *map = strew_placer_map(work->placer);
	int code = CLI_DONE;

	for (size_t i = 0; i < strew_map_rule_count(map); i++) {
		work->rule = strew_map_rule_at(map, i);
		work->want = want_of(map, work->rule);
		for (int single = 0; single < 2 && work->want > 0; single++) {
			work->single = single;
			code = worse(code, add_measurement(bench, work));
			if (code > CLI_NO)
				return code;
		}
	}
	return code;
}

static int measure_map(struct bench *bench, const strew_map *map, const char *name)
{
	struct cli_run *run = &bench->run;
	strew_placer *placer = NULL, *plain = NULL;
	struct bench_peer peer = {.map = NULL};
	struct bench_work work = {
		.map = name,
		.turns = bench->quick ? 7 : 25,
		.nanos = bench->quick ? 2e6 : 20e6,
		.threads = run->thread_count.given ? (size_t)run->thread_count.value : 1};
	int code = make_placer(&placer, map, cli_run_kernel(run));

	if (code == CLI_DONE)
		code = make_placer(&plain, map, "plain");
	if (code == CLI_DONE) {
		work.placer = placer;
		work.plain = plain;
		if (bench->has_peer && bench_peer_make(&peer, &bench->peer, map))
			work.peer = &peer;
		code = measure_rules(bench, &work);
	}
	bench_peer_free(&peer);
	strew_placer_release(plain);
	strew_placer_release(placer);
	return code;
}

static int measure_named(struct bench *bench, const char *name)
{
	strew_map *map = NULL;
	strew_status status = bench_map_make(&map, name);
	int code = CLI_DONE;

	if (status == STREW_ENOMEM)
		cli_no_memory();
	if (status == STREW_ENOTFOUND)
		code = cli_input_read(&map, &bench->input, name, NULL);
	bench->maps[bench->maps_done++] = map;
	return code == CLI_DONE ? measure_map(bench, map, name) : code;
}

static int measure_all(struct bench *bench)
{
	const strew_progress *progress;
	int code = CLI_DONE;

	cli_run_start(&bench->run, "measured");
	progress = bench->run.run.progress;
	while (bench->maps_done < bench->map_count && code <= CLI_NO) {
		code = worse(code, measure_named(bench, bench->names[bench->maps_done]));
		if (progress != NULL)
			progress->tick(progress->ctx, bench->maps_done, bench->map_count);
	}
	cli_run_end(&bench->run);
	return code;
}

static int show(struct bench *bench)
{
	strew_result *result = NULL;
	strew_error error;
	strew_status status =
		strew_bench(&result, bench->measurements, bench->count, NULL, &error);

	return cli_output_analysis(&bench->output, status, result, &error);
}

static int measure(struct bench *bench)
{
	const char *missing = peer_open(&bench->peer);
	int code = check_usage(bench), verdict;

	bench->has_peer = missing == NULL;
	if (code == CLI_DONE)
		code = cli_output_open(&bench->output);
	if (code != CLI_DONE)
		return code;
	if (missing != NULL)
		fprintf(stderr, "maptool: no peer to compare with: %s\n", missing);
	verdict = measure_all(bench);
	code = verdict > CLI_NO ? verdict : worse(verdict, show(bench));
	return cli_output_close(&bench->output, code);
}

static int run(void *command, const char *const *args)
{
	struct bench *bench = command;
	int code;

	name_maps(bench, args);
	code = measure(bench);
	for (size_t i = 0; i < bench->maps_done; i++)
		strew_map_release(bench->maps[i]);
	free(bench->measurements);
	return code;
}

static const struct cli_group how_group = CLI_GROUP("How to measure", options);

const struct cli_usage cmd_bench = {
	.args = "[MAP...]",
	.max_args = MAPS_MAX,
	.about = about,
	.list = list_maps,
	.examples = examples,
	.parts = {{&how_group, 0},
		  CLI_PART(cli_input_group, struct bench, input),
		  CLI_PART(cli_output_group, struct bench, output)},
	.size = sizeof(struct bench),
	.run = run,
};
