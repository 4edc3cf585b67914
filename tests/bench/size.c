/* SPDX-License-Identifier: MIT */
/*
 * bench_size [LIMIT]: how large the flat form of 100,000 devices is (map d), and what one
 * thread works in, beside those of the small maps. Exit code 1: more than LIMIT
 * (2,300,000) bytes, or the room of a thread grows with the map.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_maps.h"
#include "support.h"

/* Of a thread: from a map of 42 devices to one of 100,000. */
#define GROWTH_MAX 2.0

struct sizes {
	size_t devices;
	size_t flat;
	size_t scratch;
};

static void need(int fine, const char *what)
{
	if (fine)
		return;
	fprintf(stderr, "can't make %s\n", what);
	exit(EXIT_FAILURE);
}

static struct sizes measure(const char *name)
{
	strew_placer_options how = STREW_PLACER_OPTIONS_INIT;
	struct support_heap heap;
	struct sizes sizes;
	strew_map *map;
	strew_placer *placer;
	strew_scratch *scratch;

	support_heap_init(&heap);
	how.allocator = &heap.allocator;
	need(bench_map_make(&map, name) == STREW_OK, name);
	sizes.devices = strew_map_device_count(map);
	need(strew_placer_new(&placer, map, &how, NULL) == STREW_OK, "a placer");
	sizes.flat = heap.bytes;
	need(strew_scratch_new(&scratch, placer, NULL) == STREW_OK, "a scratch");
	sizes.scratch = heap.bytes - sizes.flat;
	strew_scratch_free(scratch);
	strew_placer_release(placer);
	strew_map_release(map);
	printf("%-8s %8zu %12zu %8.1f %10zu\n", name, sizes.devices, sizes.flat,
	       (double)sizes.flat / (double)sizes.devices, sizes.scratch);
	return sizes;
}

int main(int argc, char **argv)
{
	size_t limit = argc > 1 ? strtoul(argv[1], NULL, 10) : 2300000;
	struct sizes small, large;

	printf("map       devices   flat bytes  a device  of a thread\n");
	small = measure("tiny");
	measure("b");
	measure("real");
	large = measure("d");
	return large.flat <= limit &&
			       (double)large.scratch <= GROWTH_MAX * (double)small.scratch
		       ? EXIT_SUCCESS
		       : EXIT_FAILURE;
}
