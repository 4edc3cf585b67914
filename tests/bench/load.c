/* SPDX-License-Identifier: MIT */
/*
 * bench_load [DEVICES [LIMIT]]: what loading a map takes beside what jansson alone takes
 * to parse the same file, for clusters of 1,000, 10,000, … devices up to DEVICES (a
 * million). Each is measured in a process of its own: processor time, the best of three,
 * and peak memory above that of a process that does nothing. Exit code 1: from 10,000
 * devices on something took more than LIMIT (2) times what jansson did.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include <strew/strew.h>

#include "maps.h"

#define RUNS 3
/* Below this, what a process takes to start drowns the rest. */
#define DEVICES_JUDGED 10000

struct cost {
	double seconds;
	double bytes;
};

struct format {
	const char *name;
	void (*write)(FILE *file, int devices);
};

static const struct format formats[] = {
	{"json", write_strew_map},
	{"crush-json", write_crush_json},
};

static int do_nothing(const char *path)
{
	return access(path, R_OK);
}

static int parse(const char *path)
{
	json_t *json = json_load_file(path, 0, NULL);

	json_decref(json);
	return json == NULL;
}

static int load(const char *path)
{
	strew_map *map;
	strew_error error;

	if (strew_map_read_file(&map, path, NULL, &error) != STREW_OK) {
		fprintf(stderr, "%s: %s\n", path, error.text);
		return 1;
	}
	strew_map_release(map);
	return 0;
}

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

static struct cost measure_once(int (*work)(const char *), const char *path)
{
	struct rusage usage;
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(work(path));
	if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
		fprintf(stderr, "%s: can't be measured\n", path);
		exit(EXIT_FAILURE);
	}
	return (struct cost){seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime),
			     (double)usage.ru_maxrss * 1024};
}

static struct cost measure(int (*work)(const char *), const char *path)
{
	struct cost best = measure_once(work, path);

	for (int i = 1; i < RUNS; i++) {
		struct cost cost = measure_once(work, path);

		if (cost.seconds < best.seconds)
			best.seconds = cost.seconds;
		if (cost.bytes < best.bytes)
			best.bytes = cost.bytes;
	}
	return best;
}

/* @return the file's size */
static double write_map(const struct format *format, const char *path, int devices)
{
	FILE *file = fopen(path, "w");
	long size;

	if (file == NULL) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	format->write(file, devices);
	size = ftell(file);
	if (fclose(file) != 0) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	return (double)size;
}

/* @return is it within the limit? */
static int compare(const struct format *format, const char *path, int devices,
		   double limit)
{
	double size = write_map(format, path, devices);
	struct cost idle = measure(do_nothing, path);
	struct cost theirs = measure(parse, path);
	struct cost ours = measure(load, path);
	double time = ours.seconds / theirs.seconds, memory;

	theirs.bytes -= idle.bytes;
	ours.bytes -= idle.bytes;
	memory = ours.bytes / theirs.bytes;
	printf("%-10s %8d %7.1f %9.1f %9.1f %5.2f %9.1f %9.1f %5.2f %8.2f %8.0f\n",
	       format->name, devices, size / 1e6, theirs.seconds * 1e3,
	       ours.seconds * 1e3, time, theirs.bytes / 1e6, ours.bytes / 1e6, memory,
	       ours.seconds * 1e6 / devices, ours.bytes / devices);
	fflush(stdout);
	return devices < DEVICES_JUDGED || (time <= limit && memory <= limit);
}

int main(int argc, char **argv)
{
	int devices_max = argc > 1 ? atoi(argv[1]) : 1000000;
	double limit = argc > 2 ? strtod(argv[2], NULL) : 2;
	char path[] = "/tmp/bench-load-XXXXXX";
	int file = mkstemp(path), good = 1;

	if (file < 0 || devices_max < 1000 || !(limit > 0)) {
		fprintf(stderr, "usage: bench_load [DEVICES [LIMIT]]\n");
		return EXIT_FAILURE;
	}
	close(file);
	printf("                                time, ms                 memory, MB  "
	       "       for each device\n"
	       "format      devices file,MB   jansson     strew ratio   jansson     "
	       "strew ratio       us    bytes\n");
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		for (int devices = 1000; devices <= devices_max; devices *= 10)
			good &= compare(&formats[i], path, devices, limit);
	unlink(path);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
