/* SPDX-License-Identifier: MIT */
/* check_formats [--update] FOLDER: reads FOLDER/valid/CASE and FOLDER/invalid/CASE.
 *
 * A case has an input.json or input.txt, perhaps a join.json that is joined to it, and an
 * expected.txt: what the map holds and what was warned of, or every fault. A valid case
 * may have a same.json, which must give the same map as the others do. check_formats
 * --list FOLDER FILE prints what a file gives. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <strew/io.h>

#include "listing.h"

static void write_error(FILE *out, const char *word, const strew_error *error)
{
	fprintf(out, "%s %s %s", word, strew_status_name(error->status), error->where);
	if (error->line)
		fprintf(out, ":%d:%d", error->line, error->column);
	fprintf(out, ": %s\n", error->text);
}

static void write_faults(FILE *out, const strew_builder *builder)
{
	size_t count = strew_builder_fault_count(builder);
	const strew_error *error;

	for (size_t i = 0; (error = strew_builder_fault_at(builder, i)); i++)
		write_error(out, "fault", error);
	for (size_t i = 0; (error = strew_builder_warning_at(builder, i)); i++)
		write_error(out, "warning", error);
	fprintf(out, "faults %zu\n", count);
}

static void write_warnings(FILE *out, const strew_map *map)
{
	for (size_t i = 0; i < strew_map_warning_count(map); i++)
		write_error(out, "warning", strew_map_warning_at(map, i));
}

static bool read_part(strew_builder *builder, const char *file, FILE *out)
{
	strew_error error;

	if (strew_builder_read_file(builder, file, NULL, &error) == STREW_OK)
		return true;
	write_error(out, "failure", &error);
	return false;
}

/* What an input, with a file joined or none, gives, as text. @return whether it gave a
 * map. */
static bool list_case(const char *input, const char *joined, bool warnings, char **text)
{
	strew_builder *builder = NULL;
	strew_map *map = NULL;
	size_t size;
	FILE *out = open_memstream(text, &size);

	if (out == NULL || strew_builder_new(&builder, NULL) != STREW_OK)
		exit(EXIT_FAILURE);
	if (read_part(builder, input, out) &&
	    (!joined || read_part(builder, joined, out)) &&
	    strew_builder_build(&map, builder, NULL) != STREW_OK)
		write_faults(out, builder);
	if (map) {
		listing_write(out, map);
		if (warnings)
			write_warnings(out, map);
	}
	fclose(out);
	strew_builder_free(builder);
	strew_map_release(map);
	return map != NULL;
}

static const char *input_file(void)
{
	return access("input.txt", F_OK) == 0 ? "input.txt" : "input.json";
}

static const char *join_file(void)
{
	return access("join.json", F_OK) == 0 ? "join.json" : NULL;
}

static char *read_text(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	FILE *in = fopen(path, "rb");

	if (in == NULL)
		return strdup("");
	if (getdelim(&text, &size, '\0', in) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(in);
	return text;
}

static void write_text(const char *path, const char *text)
{
	FILE *out = fopen(path, "wb");

	if (out == NULL || fputs(text, out) < 0 || fclose(out) != 0) {
		perror(path);
		exit(EXIT_FAILURE);
	}
}

/* Shows the first line in which two texts differ. */
static bool compare(const char *name, const char *what, const char *expected,
		    const char *found)
{
	size_t same = 0, line = 1;

	if (strcmp(expected, found) == 0)
		return true;
	for (size_t i = 0; expected[i] && expected[i] == found[i]; i++)
		if (expected[i] == '\n') {
			same = i + 1;
			line++;
		}
	printf("%s: line %zu of %s\n  expected: %.*s\n  found:    %.*s\n", name, line,
	       what, (int)strcspn(expected + same, "\n"), expected + same,
	       (int)strcspn(found + same, "\n"), found + same);
	return false;
}

/* same.json gives the map that the input gives, whatever was warned of. */
static bool check_same(const char *name)
{
	char *one, *other;
	bool good;

	if (access("same.json", F_OK) != 0)
		return true;
	list_case(input_file(), join_file(), false, &one);
	list_case("same.json", NULL, false, &other);
	good = compare(name, "same.json's map", one, other);
	free(one);
	free(other);
	return good;
}

static bool check_case(const char *name, bool valid, bool update)
{
	char *found = NULL, *expected = NULL;
	bool good = list_case(input_file(), join_file(), true, &found) == valid;

	if (!good)
		printf("%s: %s\n%s", name, valid ? "gives no map" : "gives a map", found);
	if (update)
		write_text("expected.txt", found);
	expected = read_text("expected.txt");
	good = good && compare(name, "expected.txt", expected, found) && check_same(name);
	free(expected);
	free(found);
	return good;
}

static void enter(const char *folder)
{
	if (chdir(folder) != 0) {
		perror(folder);
		exit(EXIT_FAILURE);
	}
}

/* @return how many cases failed; none at all is a failure too. */
static int check_folder(const char *kind, bool update)
{
	struct dirent **entries = NULL;
	int count, cases = 0, failed = 0;

	enter(kind);
	count = scandir(".", &entries, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.') {
			enter(entries[i]->d_name);
			failed += !check_case(entries[i]->d_name,
					      strcmp(kind, "valid") == 0, update);
			enter("..");
			cases++;
		}
		free(entries[i]);
	}
	free(entries);
	enter("..");
	printf("%s: %d of %d cases failed\n", kind, failed, cases);
	return cases ? failed : 1;
}

int main(int argc, char **argv)
{
	bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
	int failed;

	if (argc != 2 + update) {
		fprintf(stderr, "usage: check_formats [--update] FOLDER\n");
		return EXIT_FAILURE;
	}
	enter(argv[argc - 1]);
	failed = check_folder("valid", update);
	failed += check_folder("invalid", update);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
