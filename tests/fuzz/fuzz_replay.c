/* SPDX-License-Identifier: MIT */
/* fuzz_replay FOLDER: gives each target what FOLDER/TARGET.seeds lists, paths with commas
 * between them, as a fuzzer would. Needs no fuzzer, and no particular compiler. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* A whole file, in memory that ends where it ends. */
static uint8_t *load(const char *path, size_t *count)
{
	FILE *in = fopen(path, "rb");
	uint8_t *bytes;
	long size;

	if (in == NULL || fseek(in, 0, SEEK_END) != 0 || (size = ftell(in)) < 0)
		fuzz_fail("%s: %s", path, strerror(errno));
	rewind(in);
	*count = (size_t)size;
	bytes = malloc(*count ? *count : 1);
	if (bytes == NULL || fread(bytes, 1, *count, in) != *count)
		fuzz_fail("%s: can't be read", path);
	fclose(in);
	return bytes;
}

static bool replay_file(const char *target, const char *path)
{
	size_t count;
	uint8_t *bytes = load(path, &count);
	bool gave_map;

	printf("%s: %s\n", target, path);
	fflush(stdout);
	gave_map = fuzz_run(target, bytes, count);
	free(bytes);
	return gave_map;
}

/* Seeds that never come to a map show that the target reads nothing. */
static void replay_target(const char *folder, const char *target)
{
	char path[4096], *list, *rest, *seed;
	size_t count, seeds = 0, maps = 0;

	snprintf(path, sizeof(path), "%s/%s.seeds", folder, target);
	rest = list = (char *)load(path, &count);
	list[count - 1] = '\0'; /* the line's end */
	while ((seed = strsep(&rest, ","))) {
		maps += replay_file(target, seed);
		seeds++;
	}
	printf("%s: %zu of %zu seeds give a map\n", target, maps, seeds);
	if (maps == 0)
		fuzz_fail("%s: no seed gives a map", target);
	free(list);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: fuzz_replay FOLDER\n");
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < strew_format_count(); i++)
		replay_target(argv[1], strew_format_name(i));
	replay_target(argv[1], FUZZ_EDIT);
	return EXIT_SUCCESS;
}
