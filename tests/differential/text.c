/* SPDX-License-Identifier: MIT */
/* differential_text CRUSHTOOL [--maps N] [--seed S] [--map M]: random maps as text. What
 * the reference compiles must be the bytes that we make of the text, and what it prints
 * of them what we print. Exit code 77: there is no crushtool. */
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <strew/strew.h>

#include "text_map.h"

#define EXIT_SKIPPED 77
#define SHOWN_MAX    5

struct run {
	const char *tool;
	char folder[64];
	uint64_t seed, map, maps, failed;
};

static void stop(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void path_of(const struct run *run, char *path, size_t room, const char *name)
{
	snprintf(path, room, "%s/%s", run->folder, name);
}

/** Run the tool with its output thrown away. @return whether it ended well */
static bool run_tool(const struct run *run, const char *option, const char *from,
		     const char *to)
{
	char in[96], out[96];
	int status = -1, nowhere;
	pid_t child;

	path_of(run, in, sizeof(in), from);
	path_of(run, out, sizeof(out), to);
	child = fork();
	if (child == 0) {
		nowhere = open("/dev/null", O_WRONLY);
		if (dup2(nowhere, STDOUT_FILENO) >= 0 &&
		    dup2(nowhere, STDERR_FILENO) >= 0)
			execl(run->tool, run->tool, option, in, "-o", out, (char *)NULL);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		stop(run->tool);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/** The bytes of a form of a map. */
struct form {
	char *bytes;
	size_t count;
};

static struct form read_form(const struct run *run, const char *name)
{
	char path[96], piece[4096];
	struct form form = {NULL, 0};
	FILE *out = open_memstream(&form.bytes, &form.count), *file;
	size_t count;

	path_of(run, path, sizeof(path), name);
	file = fopen(path, "rb");
	if (file == NULL || out == NULL)
		stop(path);
	while ((count = fread(piece, 1, sizeof(piece), file)) > 0)
		fwrite(piece, 1, count, out);
	fclose(file);
	fclose(out);
	return form;
}

static int append(void *ctx, const void *bytes, size_t count)
{
	return fwrite(bytes, 1, count, ctx) != count;
}

static struct form write_form(const strew_map *map, const char *format)
{
	strew_write_options options = STREW_WRITE_OPTIONS_INIT;
	strew_error error = {.text = ""};
	struct form form = {NULL, 0};
	FILE *file = open_memstream(&form.bytes, &form.count);
	const strew_sink sink = {append, file};

	if (file == NULL)
		stop(format);
	options.lossy = 1;
	if (strew_map_write(map, format, &options, &sink, &error) != STREW_OK)
		fprintf(file, "%s: %s\n", format, error.text);
	fclose(file);
	return form;
}

/** The file as we read it, as text and as bytes; or why we don't, twice. */
static void repeat(const struct run *run, const char *name, struct form *text,
		   struct form *binary)
{
	strew_read_options how = STREW_READ_OPTIONS_INIT;
	strew_error error = {.text = ""};
	strew_map *map = NULL;
	char path[96];

	path_of(run, path, sizeof(path), name);
	how.format = "crush-text";
	if (strew_map_read_file(&map, path, &how, &error) == STREW_OK) {
		*text = write_form(map, "crush-text");
		*binary = write_form(map, "crush-bin");
	} else {
		printf("%d:%d: %s\n", error.line, error.column, error.text);
		*text = *binary = (struct form){strdup(""), 0};
	}
	strew_map_release(map);
}

static void write_map(const struct run *run, const char *name)
{
	char path[96];
	FILE *file;

	path_of(run, path, sizeof(path), name);
	file = fopen(path, "w");
	if (file == NULL)
		stop(path);
	/* Any odd constant would do: neighbours get seeds that have nothing in common. */
	text_map_write(file, run->seed ^ (run->map + 1) * 0xd1342543de82ef95u);
	if (fclose(file) != 0)
		stop(path);
}

/** Shows the first line in which two texts differ. */
static void show(const struct run *run, const char *what, const char *expected,
		 const char *got)
{
	size_t line = 0;

	for (size_t i = 0; expected[i] && expected[i] == got[i]; i++)
		if (expected[i] == '\n')
			line = i + 1;
	printf("--seed %" PRIu64 " --map %" PRIu64 ": %s\n  expected: %.*s\n  got:      "
	       "%.*s\n",
	       run->seed, run->map, what, (int)strcspn(expected + line, "\n"),
	       expected + line, (int)strcspn(got + line, "\n"), got + line);
}

static void compare(struct run *run, const char *what, struct form expected,
		    struct form got)
{
	if ((expected.count != got.count ||
	     memcmp(expected.bytes, got.bytes, got.count) != 0) &&
	    run->failed++ < SHOWN_MAX)
		show(run, what, expected.bytes, got.bytes);
	free(expected.bytes);
	free(got.bytes);
}

/** A text is compiled and decompiled by the reference, and read and written by us. */
static void check_text(struct run *run)
{
	struct form text, binary;

	if (!run_tool(run, "-c", "map.txt", "map.bin") ||
	    !run_tool(run, "-d", "map.bin", "printed.txt")) {
		printf("--seed %" PRIu64 " --map %" PRIu64 " is not taken\n", run->seed,
		       run->map);
		run->failed++;
		return;
	}
	repeat(run, "map.txt", &text, &binary);
	compare(run, "the text", read_form(run, "printed.txt"), text);
	compare(run, "the bytes", read_form(run, "map.bin"), binary);
}

static void run_maps(struct run *run, uint64_t first, uint64_t end)
{
	for (run->map = first; run->map < end; run->map++) {
		write_map(run, "map.txt");
		check_text(run);
		run->maps++;
	}
}

static void remove_files(const struct run *run)
{
	static const char *const names[] = {"map.txt", "map.bin", "printed.txt"};
	char path[96];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		path_of(run, path, sizeof(path), names[i]);
		unlink(path);
	}
	rmdir(run->folder);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"maps", required_argument, NULL, 'n'},
		{"seed", required_argument, NULL, 's'},
		{"map", required_argument, NULL, 'm'},
		{0},
	};
	struct run run = {.seed = 1, .folder = "/tmp/strew-text-XXXXXX"};
	uint64_t first = 0, end = 100;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		uint64_t number = optarg ? strtoull(optarg, NULL, 10) : 0;

		if (option == 'n')
			end = number;
		else if (option == 's')
			run.seed = number;
		else if (option == 'm')
			end = (first = number) + 1;
		else
			return EXIT_FAILURE;
	}
	run.tool = optind < argc ? argv[optind] : "";
	if (access(run.tool, X_OK) != 0) {
		printf("skipped: there is no crushtool to compare with\n");
		return EXIT_SKIPPED;
	}
	if (mkdtemp(run.folder) == NULL)
		stop(run.folder);
	run_maps(&run, first, end);
	remove_files(&run);
	printf("%" PRIu64 " maps, %" PRIu64 " differ\n", run.maps, run.failed);
	return run.maps && run.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
