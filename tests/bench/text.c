/* SPDX-License-Identifier: MIT */
/*
 * bench_text CRUSHTOOL [TIMES [GROWTH]]: what reading CRUSH text of 50,000 devices takes
 * beside `crushtool -c`, and beside reading a tenth of it. Processor time of a process of
 * its own, ours the best of five. Exit code 1: crushtool took less than TIMES (50) times
 * what we did, or ten times the devices more than GROWTH (15) times the time; 77: there
 * is no crushtool.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <strew/strew.h>

#include "maps.h"

#define EXIT_SKIPPED 77
#define DEVICES      50000
#define RUNS         5

static void stop(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void load(const char *path)
{
	strew_map *map;
	strew_error error;

	if (strew_map_read_file(&map, path, NULL, &error) != STREW_OK) {
		fprintf(stderr, "%s: %s\n", path, error.text);
		_exit(1);
	}
	strew_map_release(map);
	_exit(0);
}

static void compile(const char *tool, const char *path)
{
	int nowhere = open("/dev/null", O_WRONLY);

	if (dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
		execl(tool, tool, "-c", path, "-o", "/dev/null", (char *)NULL);
	_exit(1);
}

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/** @param tool NULL: our own reader */
static double measure(const char *tool, const char *path)
{
	struct rusage usage;
	int status = -1;
	pid_t child = fork();

	if (child == 0 && tool)
		compile(tool, path);
	else if (child == 0)
		load(path);
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		stop(path);
	if (status != 0) {
		fprintf(stderr, "%s: can't be measured\n", tool ? tool : path);
		exit(EXIT_FAILURE);
	}
	return seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
}

static double measure_ours(const char *path)
{
	double best = measure(NULL, path);

	for (int i = 1; i < RUNS; i++) {
		double seconds = measure(NULL, path);

		if (seconds < best)
			best = seconds;
	}
	return best;
}

static void write_map(const char *path, int devices)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		stop(path);
	write_crush_text(file, devices);
	if (fclose(file) != 0)
		stop(path);
}

int main(int argc, char **argv)
{
	double times = argc > 2 ? strtod(argv[2], NULL) : 50;
	double growth = argc > 3 ? strtod(argv[3], NULL) : 15;
	char path[] = "/tmp/bench-text-XXXXXX";
	double small, ours, theirs;
	int file;

	if (argc < 2 || access(argv[1], X_OK) != 0) {
		printf("skipped: there is no crushtool to compare with\n");
		return EXIT_SKIPPED;
	}
	file = mkstemp(path);
	if (file < 0)
		stop(path);
	close(file);
	write_map(path, DEVICES / 10);
	small = measure_ours(path);
	write_map(path, DEVICES);
	ours = measure_ours(path);
	theirs = measure(argv[1], path);
	unlink(path);
	printf("%d devices: crushtool %.0f ms, strew %.1f ms, 1/%.0f; %d devices: %.1f "
	       "ms, 1/%.1f\n",
	       DEVICES, theirs * 1e3, ours * 1e3, theirs / ours, DEVICES / 10,
	       small * 1e3, ours / small);
	return theirs >= times * ours && ours <= growth * small ? EXIT_SUCCESS
								: EXIT_FAILURE;
}
