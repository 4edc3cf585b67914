/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const struct cli_option options[] = {
	CLI_INTEGER_OPTION("threads", "N", struct cli_run, thread_count, 1, 1024,
			   "how many threads to use (default: all cores)"),
	CLI_OPTION("progress", "auto|always|never", CLI_WORD, struct cli_run, progress,
		   "say on standard error how far a long run is (auto: on a terminal)"),
	CLI_OPTION("kernel", "NAME", CLI_TEXT, struct cli_run, kernel,
		   "which code draws the straws: avx512, avx2, vec128, scalar, plain or "
		   "auto; all give the same answers (default: $STREW_KERNEL, else auto)"),
};

const struct cli_group cli_run_group = CLI_GROUP("Running", options);

static int kernel_is_known(const char *name)
{
	size_t i;

	for (i = 0; strew_kernel_name(i) != NULL; i++)
		if (strcmp(name, strew_kernel_name(i)) == 0)
			return 1;
	return strcmp(name, "auto") == 0;
}

const char *cli_run_kernel(const struct cli_run *run)
{
	const char *name = run->kernel != NULL ? run->kernel : getenv("STREW_KERNEL");

	if (name == NULL || *name == '\0' || strcmp(name, "auto") == 0)
		return NULL;
	return name;
}

int cli_run_check(const struct cli_run *run)
{
	const char *wish = getenv("STREW_KERNEL");

	if (run->kernel != NULL && !kernel_is_known(run->kernel))
		return cli_usage_error(
			"no kernel '%s' on this processor; plain and auto always are",
			run->kernel);
	if (run->kernel == NULL && wish != NULL && *wish != '\0' &&
	    !kernel_is_known(wish))
		return cli_usage_error(
			"STREW_KERNEL: no kernel '%s' on this processor; plain and auto "
			"always are",
			wish);
	return CLI_DONE;
}

void cli_run_start(struct cli_run *run, const char *what)
{
	run->threads = run->thread_count.given ? (size_t)run->thread_count.value
					       : cli_threads_default();
	run->executor = cli_threads_executor(&run->threads);
	cli_progress_start(&run->meter, run->progress, what);
	run->tick = cli_progress_hook(&run->meter);
	run->run = (strew_run)STREW_RUN_INIT;
	run->run.executor = &run->executor;
	if (run->meter.on)
		run->run.progress = &run->tick;
}

void cli_run_end(struct cli_run *run)
{
	cli_progress_end(&run->meter);
}

int cli_common_check(const struct cli_input *input, int stdin_uses,
		     const struct cli_output *output, const struct cli_run *run)
{
	int code = cli_input_check(input, stdin_uses);

	if (code == CLI_DONE)
		code = cli_output_check(output);
	return code == CLI_DONE ? cli_run_check(run) : code;
}
