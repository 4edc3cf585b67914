/* SPDX-License-Identifier: MIT */
/*
 * bench_count KERNEL MODE INPUTS: place INPUTS inputs of map b, three replicas on hosts,
 * in a batch or one by one (MODE batch or single), and nothing else: for count.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_maps.h"

#define WANT 3

static void need(int fine, const char *what)
{
	if (fine)
		return;
	fprintf(stderr, "can't make %s\n", what);
	exit(EXIT_FAILURE);
}

static void place(const strew_placer *placer, int single, size_t count)
{
	uint32_t *inputs = calloc(count, sizeof(*inputs));
	int32_t *rows = calloc(count * WANT, sizeof(*rows));
	strew_scratch *scratch;

	need(inputs && rows, "inputs");
	need(strew_scratch_new(&scratch, placer, NULL) == STREW_OK, "a scratch");
	for (size_t i = 0; i < count; i++)
		inputs[i] = (uint32_t)i * 2654435761u;
	if (!single)
		need(strew_place_many(placer, 0, inputs, count, rows, WANT, scratch) ==
			     STREW_OK,
		     "placements");
	for (size_t i = 0; i < count && single; i++)
		strew_place(placer, 0, inputs[i], rows + i * WANT, WANT, scratch);
	strew_scratch_free(scratch);
	free(inputs);
	free(rows);
}

int main(int argc, char **argv)
{
	strew_placer_options how = STREW_PLACER_OPTIONS_INIT;
	strew_placer *placer;
	strew_map *map;

	need(argc == 4, "sense of that: bench_count KERNEL MODE INPUTS");
	how.kernel = argv[1];
	need(bench_map_make(&map, "b") == STREW_OK, "map b");
	need(strew_placer_new(&placer, map, &how, NULL) == STREW_OK, "a placer");
	place(placer, strcmp(argv[2], "single") == 0, strtoul(argv[3], NULL, 10));
	strew_placer_release(placer);
	strew_map_release(map);
	return EXIT_SUCCESS;
}
