/* SPDX-License-Identifier: MIT */
#include "cli.h"

/* All that can be seen to be wrong before anything is placed. */
static int prepare(const struct cli_job *job, const strew_map *map)
{
	int code = CLI_DONE;

	if (job->names != NULL)
		code = cli_find_items(job->items, map, job->names);
	if (code == CLI_DONE)
		code = cli_inputs_resolve(job->inputs, map, NULL);
	if (code == CLI_DONE && job->row != NULL)
		code = cli_memory_check(job->inputs, map, job->row);
	return code;
}

int cli_job_run(const struct cli_job *job, const char *path)
{
	strew_map *map = NULL;
	strew_placer *placer = NULL;
	int code = cli_input_read(&map, job->input, path, NULL);

	if (code == CLI_DONE)
		code = prepare(job, map);
	if (code == CLI_DONE)
		code = cli_inputs_placer(&placer, job->inputs, NULL, map, NULL,
					 cli_run_kernel(job->run));
	if (code == CLI_DONE)
		code = cli_output_open(job->output);
	if (code == CLI_DONE)
		code = job->work(job->command, placer);
	code = cli_output_close(job->output, code);
	strew_placer_release(placer);
	strew_map_release(map);
	return code;
}
