/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cli.h"

static int check(struct cli_job *job, const char *path)
{
	const char *const paths[] = {path, job->inputs.objects_from};
	int code = cli_inputs_check(&job->inputs);

	if (code != CLI_DONE)
		return code;
	return cli_common_check(&job->input, cli_count_stdin(paths, 2), &job->output,
				&job->run);
}

/* All that can be seen to be wrong before anything is placed. */
static int prepare(struct cli_job *job, const strew_map *map, const struct cli_row *row)
{
	int code = cli_find_items(&job->items, map, &job->names);

	if (code == CLI_DONE)
		code = cli_inputs_resolve(&job->inputs, map, NULL);
	if (code == CLI_DONE && row != NULL)
		code = cli_memory_check(&job->inputs, map, row);
	return code;
}

int cli_job_run(struct cli_job *job, const char *path, const struct cli_row *row,
		int (*work)(void *command, const strew_placer *placer), void *command)
{
	strew_map *map = NULL;
	strew_placer *placer = NULL;
	int code = check(job, path);

	if (code == CLI_DONE)
		code = cli_input_read(&map, &job->input, path, NULL);
	if (code == CLI_DONE)
		code = prepare(job, map, row);
	if (code == CLI_DONE)
		code = cli_inputs_placer(&placer, &job->inputs, NULL, map, NULL,
					 cli_run_kernel(&job->run));
	if (code == CLI_DONE)
		code = cli_output_open(&job->output);
	if (code == CLI_DONE)
		code = work(command, placer);
	code = cli_output_close(&job->output, code);
	strew_placer_release(placer);
	strew_map_release(map);
	cli_inputs_free(&job->inputs);
	free(job->items.ids);
	return code;
}
