/* SPDX-License-Identifier: MIT */
/*
 * bench_job MAPTOOL CRUSHTOOL [INPUTS [LIMIT]]: the same job as users run it. A million
 * (INPUTS) inputs of map d by `crushtool --test --show-mappings` and by
 * `maptool place --layout crushtool`, from the same file to lines of the same text: both
 * are compared. maptool uses all cores, as it does unless told otherwise; crushtool knows
 * of one. Exit code 1: the lines differ, or crushtool took less than LIMIT (100) times as
 * long by the clock; 77: there is no crushtool.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench_maps.h"

#define EXIT_SKIPPED 77

struct cost {
	double processor; /* seconds */
	double wall;
};

struct paths {
	char map[64];
	char ours[64];
	char theirs[64];
};

static void stop(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static int write_bytes(void *file, const void *bytes, size_t count)
{
	return fwrite(bytes, 1, count, file) != count;
}

static void write_map(const char *path)
{
	FILE *file = fopen(path, "w");
	strew_sink sink = {write_bytes, file};
	strew_map *map = NULL;

	if (file == NULL || bench_map_make(&map, "d") != STREW_OK ||
	    strew_map_write(map, "crush-bin", NULL, &sink, NULL) != STREW_OK ||
	    fclose(file) != 0)
		stop(path);
	strew_map_release(map);
}

static void make_path(char path[64], const char *what)
{
	int file;

	snprintf(path, 64, "/tmp/bench-job-%s-XXXXXX", what);
	file = mkstemp(path);
	if (file < 0)
		stop(path);
	close(file);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void become(char *const *command, const char *output)
{
	int out = open(output, O_WRONLY | O_TRUNC), nowhere = open("/dev/null", O_WRONLY);

	if (dup2(out, STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
		execv(command[0], command);
	_exit(1);
}

static struct cost run(char *const *command, const char *output)
{
	struct rusage usage;
	double start = now();
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		become(command, output);
	if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
		stop(command[0]);
	return (struct cost){
		(double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
			(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
		now() - start};
}

static struct cost run_ours(const char *tool, const struct paths *paths, long inputs)
{
	char range[32];
	const char *command[] = {tool,  "place",    paths->map,  "--rule",
				 "0",   "--size",   "3",         "--inputs",
				 range, "--layout", "crushtool", NULL};

	snprintf(range, sizeof(range), "0-%ld", inputs - 1);
	return run((char *const *)command, paths->ours);
}

static struct cost run_theirs(const char *tool, const struct paths *paths, long inputs)
{
	char last[32];
	const char *command[] = {tool,
				 "-i",
				 paths->map,
				 "--test",
				 "--rule",
				 "0",
				 "--num-rep",
				 "3",
				 "--min-x",
				 "0",
				 "--max-x",
				 last,
				 "--show-mappings",
				 NULL};

	snprintf(last, sizeof(last), "%ld", inputs - 1);
	return run((char *const *)command, paths->theirs);
}

/** Lines of mappings only: crushtool has a few more. */
static int next_mapping(char line[256], FILE *file)
{
	while (fgets(line, 256, file) != NULL)
		if (strncmp(line, "CRUSH rule", 10) == 0)
			return 1;
	return 0;
}

static long count_same(const struct paths *paths)
{
	FILE *ours = fopen(paths->ours, "r"), *theirs = fopen(paths->theirs, "r");
	char a[256], b[256];
	long same = 0;

	if (ours == NULL || theirs == NULL)
		stop(paths->ours);
	while (next_mapping(a, ours) && next_mapping(b, theirs) && strcmp(a, b) == 0)
		same++;
	fclose(ours);
	fclose(theirs);
	return same;
}

int main(int argc, char **argv)
{
	long inputs = argc > 3 ? atol(argv[3]) : 1000000, same;
	double limit = argc > 4 ? strtod(argv[4], NULL) : 100;
	struct paths paths;
	struct cost ours, theirs;

	if (argc < 3 || access(argv[2], X_OK) != 0) {
		printf("skipped: there is no crushtool to compare with\n");
		return EXIT_SKIPPED;
	}
	make_path(paths.map, "map");
	make_path(paths.ours, "ours");
	make_path(paths.theirs, "theirs");
	write_map(paths.map);
	ours = run_ours(argv[1], &paths, inputs);
	theirs = run_theirs(argv[2], &paths, inputs);
	same = count_same(&paths);
	unlink(paths.map);
	unlink(paths.ours);
	unlink(paths.theirs);
	printf("map d, %ld inputs, %ld lines alike: crushtool %.2f s, maptool %.3f s, "
	       "ratio "
	       "%.1f; of processors %.2f s and %.3f s, ratio %.1f\n",
	       inputs, same, theirs.wall, ours.wall, theirs.wall / ours.wall,
	       theirs.processor, ours.processor, theirs.processor / ours.processor);
	return same == inputs && theirs.wall >= limit * ours.wall ? EXIT_SUCCESS
								  : EXIT_FAILURE;
}
