/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

/* Mismatches beyond these are only counted. */
#define SHOWN_MAX 20

void golden_stop(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

void golden_need(strew_status status, const char *what, const strew_error *error)
{
	if (status == STREW_OK)
		return;
	golden_stop("%s: %s: %s", what, strew_status_name(status),
		    error ? error->text : strew_status_text(status));
}

char *golden_path(const char *folder, const char *name, const char *ending)
{
	char *path;

	if (asprintf(&path, "%s/%s%s", folder, name, ending) < 0)
		golden_stop("out of memory");
	return path;
}

/** The length of a file's name without the ending, or 0. */
static size_t stem_len(const char *file, const char *ending)
{
	size_t len = strlen(file);
	size_t ending_len = strlen(ending);

	if (len <= ending_len || strcmp(file + len - ending_len, ending) != 0)
		return 0;
	return len - ending_len;
}

void golden_each_file(const char *folder, const char *ending,
		      void (*visit)(const char *folder, const char *name,
				    struct golden_tally *tally),
		      struct golden_tally *tally)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort);
	int visited = 0;

	if (count < 0)
		golden_stop("%s: can't be listed", folder);
	for (int i = 0; i < count; i++) {
		size_t len = stem_len(entries[i]->d_name, ending);

		if (len) {
			entries[i]->d_name[len] = '\0';
			visit(folder, entries[i]->d_name, tally);
			visited++;
		}
		free(entries[i]);
	}
	free(entries);
	if (visited == 0)
		golden_stop("%s: there is no file *%s", folder, ending);
}

static FILE *open_pipe(const char *path)
{
	char *command;
	FILE *file;

	if (asprintf(&command, "gzip -dc '%s'", path) < 0)
		golden_stop("out of memory");
	file = popen(command, "r");
	free(command);
	return file;
}

void golden_each_line(const char *path, void (*visit)(char *line, void *ctx), void *ctx)
{
	int packed = stem_len(path, ".gz") != 0;
	FILE *file = packed ? open_pipe(path) : fopen(path, "r");
	char *line = NULL;
	size_t room = 0;

	if (file == NULL)
		golden_stop("%s: can't be read", path);
	while (getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		visit(line, ctx);
	}
	free(line);
	if ((packed ? pclose(file) : fclose(file)) != 0)
		golden_stop("%s: reading failed", path);
}

strew_map *golden_read_map(const char *path, const char *joined)
{
	strew_builder *builder;
	strew_map *map;
	strew_error error = {0};

	golden_need(strew_builder_new(&builder, NULL), path, NULL);
	golden_need(strew_builder_read_file(builder, path, NULL, &error), path, &error);
	if (joined)
		golden_need(strew_builder_read_file(builder, joined, NULL, &error),
			    joined, &error);
	golden_need(strew_builder_build(&map, builder, &error), path, &error);
	strew_builder_free(builder);
	return map;
}

strew_placer *golden_placer(const strew_map *map)
{
	strew_placer *placer;
	strew_error error = {0};

	golden_need(strew_placer_new(&placer, map, NULL, &error), "placer", &error);
	return placer;
}

strew_scratch *golden_scratch(const strew_placer *placer)
{
	strew_scratch *scratch;
	strew_error error = {0};

	golden_need(strew_scratch_new(&scratch, placer, &error), "scratch", &error);
	return scratch;
}

int golden_parse_set(int32_t *out, int room, const char *text)
{
	char *end;
	int count = 0;

	while (*text && count < room) {
		out[count++] = (int32_t)strtol(text, &end, 10);
		if (end == text || (*end != ',' && *end != '\0'))
			golden_stop("\"%s\" is not a set of devices", text);
		text = *end ? end + 1 : end;
	}
	return count;
}

void golden_print_set(FILE *file, const int32_t *devices, int count)
{
	fputc('[', file);
	for (int i = 0; i < count; i++)
		fprintf(file, "%s%d", i ? "," : "", (int)devices[i]);
	fputc(']', file);
}

int golden_same_set(const int32_t *a, int a_count, const int32_t *b, int b_count)
{
	return a_count == b_count &&
	       (a_count == 0 || memcmp(a, b, (size_t)a_count * sizeof(*a)) == 0);
}

void golden_compare(struct golden_tally *tally, const char *what, const int32_t *expected,
		    int expected_count, const int32_t *got, int got_count)
{
	tally->compared++;
	if (golden_same_set(expected, expected_count, got, got_count))
		return;
	if (tally->mismatches++ >= SHOWN_MAX)
		return;
	printf("%s: expected ", what);
	golden_print_set(stdout, expected, expected_count);
	printf(", got ");
	golden_print_set(stdout, got, got_count);
	printf("\n");
}
