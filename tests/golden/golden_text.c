/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden.h"

static int append(void *ctx, const void *bytes, size_t count)
{
	return fwrite(bytes, 1, count, ctx) != count;
}

/** A map as CRUSH text, to be freed. What the text can't hold the reference loses too. */
static char *write_text(const strew_map *map, const char *name)
{
	strew_write_options options = STREW_WRITE_OPTIONS_INIT;
	strew_error error = {.text = ""};
	char *text = NULL;
	size_t count;
	FILE *file = open_memstream(&text, &count);
	const strew_sink sink = {append, file};

	if (file == NULL)
		golden_stop("out of memory");
	options.lossy = 1;
	golden_need(strew_map_write(map, "crush-text", &options, &sink, &error), name,
		    &error);
	fclose(file);
	return text;
}

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	size_t size = 0;

	if (file == NULL || getdelim(&text, &size, '\0', file) < 0)
		golden_stop("%s: can't be read", path);
	fclose(file);
	return text;
}

/** Prints the first line in which they differ. */
static void compare_texts(const char *name, const char *expected, const char *got,
			  struct golden_tally *tally)
{
	size_t line = 0;

	tally->compared++;
	if (strcmp(expected, got) == 0)
		return;
	tally->mismatches++;
	for (size_t i = 0; expected[i] && expected[i] == got[i]; i++)
		if (expected[i] == '\n')
			line = i + 1;
	printf("%s\n  expected: %.*s\n  got:      %.*s\n", name,
	       (int)strcspn(expected + line, "\n"), expected + line,
	       (int)strcspn(got + line, "\n"), got + line);
}

static void compare_written(const char *folder, const char *name, const char *ending,
			    struct golden_tally *tally)
{
	char *path = golden_path(folder, name, ending);
	char *expected_path = golden_path(folder, name, ".decompiled.txt");
	strew_map *map = golden_read_map(path, NULL);
	char *expected = read_text(expected_path), *got = write_text(map, path);

	compare_texts(path, expected, got, tally);
	strew_map_release(map);
	free(expected);
	free(got);
	free(expected_path);
	free(path);
}

static void compare_map(const char *folder, const char *name, struct golden_tally *tally)
{
	static const char *const forms[] = {".json", ".crush", ".txt"};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char *path = golden_path(folder, name, forms[i]);

		if (access(path, R_OK) == 0)
			compare_written(folder, name, forms[i], tally);
		free(path);
	}
}

/** What was printed is read as the same map again, but where the reference's own text
 * isn't: it refuses what it prints of a weight above 32768, and sums up what it has
 * rounded. */
static void compare_again(const char *folder, const char *name,
			  struct golden_tally *tally)
{
	char *path = golden_path(folder, name, ".decompiled.txt");
	strew_map *map;
	char *expected, *got;

	if (strcmp(name, "negative-weights") != 0 && strcmp(name, "wide") != 0) {
		map = golden_read_map(path, NULL);
		expected = read_text(path);
		got = write_text(map, path);
		compare_texts(path, expected, got, tally);
		strew_map_release(map);
		free(expected);
		free(got);
	}
	free(path);
}

void golden_decompiled(const char *folder, struct golden_tally *tally)
{
	golden_each_file(folder, ".decompiled.txt", compare_map, tally);
	golden_each_file(folder, ".decompiled.txt", compare_again, tally);
}

struct cases {
	const char *folder;
	struct golden_tally *tally;
};

static void compare_accepted(const struct cases *cases, const char *name,
			     const strew_map *map)
{
	char *path = golden_path(cases->folder, name, ".decompiled.txt");
	char *expected = read_text(path), *got = write_text(map, name);

	compare_texts(path, expected, got, cases->tally);
	free(expected);
	free(got);
	free(path);
}

static void report(const struct cases *cases, const char *name, const char *what,
		   const strew_error *error)
{
	cases->tally->mismatches++;
	printf("%s is %s: %s\n", name, what, error->text);
}

/** One line: a file, whether it is taken, and what the reference does. */
static void compare_case(char *line, void *ctx)
{
	const struct cases *cases = ctx;
	char *expect = strchr(line, '\t');
	strew_read_options options = STREW_READ_OPTIONS_INIT;
	strew_error error = {.text = ""};
	strew_map *map = NULL;
	char *path;

	if (line[0] == '#' || expect == NULL)
		return;
	*expect++ = '\0';
	line[strlen(line) - strlen(".txt")] = '\0';
	path = golden_path(cases->folder, line, ".txt");
	options.format = "crush-text";
	cases->tally->compared++;
	if (strew_map_read_file(&map, path, &options, &error) == STREW_OK) {
		if (strncmp(expect, "accept", 6) != 0)
			report(cases, line, "taken", &error);
		else
			compare_accepted(cases, line, map);
	} else if (strncmp(expect, "reject", 6) != 0) {
		report(cases, line, "refused", &error);
	} else if (error.line < 1 || error.column < 1) {
		report(cases, line, "refused nowhere", &error);
	}
	strew_map_release(map);
	free(path);
}

void golden_invalid(const char *folder, struct golden_tally *tally)
{
	struct cases cases = {folder, tally};
	char *path = golden_path(folder, "expected", ".tsv");

	golden_each_line(path, compare_case, &cases);
	free(path);
}
