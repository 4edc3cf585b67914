/* SPDX-License-Identifier: MIT */
/* The whole way through the library with each allocation failing in turn, jansson's own
 * among them: once that one alone, once it and all after it. What must come of it is
 * STREW_ENOMEM, nothing to hold, and nothing left behind. */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <strew/strew.h>

#include "support.h"

/* What is read and compared. With `dump`, a dump of the cluster is joined to the old map,
 * and the new one is the old one, edited. */
struct scenario {
	const char *name;
	const char *map;
	const char *dump;
	const char *other;
	const char *pg;
};

static const struct scenario scenarios[] = {
	{"strew-map", "maps/three-hosts.json", NULL, "maps/three-hosts-1.json", "1.2f"},
	{"classes", "maps/mixed.json", NULL, "maps/mixed+larger.json", "1.1"},
	{"ceph", "tests/golden/osdmap/all.crush.json",
	 "tests/golden/osdmap/all.dump.json", NULL, "2.b"},
};

/* What a run holds, to be let go of whatever happens. */
struct held {
	strew_map *maps[2];
	strew_placer *placers[2];
	strew_builder *builder;
	strew_edit *edit;
	strew_scratch *scratch;
	strew_result *result;
};

/* jansson's hooks get no context. */
static struct support_heap heap;

/* When jansson gets no memory, all after it gets none either, as when memory is at its
 * end: it takes a single failure of its buffer of characters for a shorter string. */
static void *count_json(size_t size)
{
	const size_t head = alignof(max_align_t);
	char *block;

	if (heap.calls + 1 == heap.fail_at)
		heap.fail_on = 1;
	block = heap.allocator.resize(heap.allocator.ctx, NULL, 0, size + head);

	if (block == NULL)
		return NULL;
	*(size_t *)(void *)block = size + head;
	return block + head;
}

static void free_json(void *block)
{
	char *start = block;

	if (block == NULL)
		return;
	start -= alignof(max_align_t);
	heap.allocator.resize(heap.allocator.ctx, start, *(size_t *)(void *)start, 0);
}

static strew_status read_joined(struct held *held, const struct scenario *scenario,
				const strew_read_options *options)
{
	strew_status status = strew_builder_new(&held->builder, &heap.allocator);

	if (status == STREW_OK)
		status = strew_builder_read_file(
			held->builder, support_path(scenario->map), options, NULL);
	if (status == STREW_OK)
		status = strew_builder_read_file(
			held->builder, support_path(scenario->dump), options, NULL);
	if (status == STREW_OK)
		status = strew_builder_build(&held->maps[0], held->builder, NULL);
	strew_builder_free(held->builder);
	held->builder = NULL;
	return status;
}

static strew_status edit(struct held *held)
{
	static const char script[] = "set reweight osd.1 0.5\nreweight osd.2 3\n";
	strew_status status = strew_edit_new(&held->edit, held->maps[0]);

	if (status == STREW_OK)
		status = strew_edit_apply_script(held->edit, script, strlen(script), NULL,
						 NULL);
	if (status == STREW_OK)
		status = strew_edit_build(&held->maps[1], held->edit, NULL);
	return status;
}

static strew_status load(struct held *held, const struct scenario *scenario)
{
	strew_read_options options = STREW_READ_OPTIONS_INIT;
	strew_status status;

	options.allocator = &heap.allocator;
	if (scenario->dump) {
		status = read_joined(held, scenario, &options);
		return status == STREW_OK ? edit(held) : status;
	}
	status = strew_map_read_file(&held->maps[0], support_path(scenario->map),
				     &options, NULL);
	if (status == STREW_OK)
		status = strew_map_read_file(
			&held->maps[1], support_path(scenario->other), &options, NULL);
	return status;
}

static strew_status compile(struct held *held)
{
	strew_placer_options options = STREW_PLACER_OPTIONS_INIT;
	strew_status status = STREW_OK;

	options.allocator = &heap.allocator;
	for (int i = 0; status == STREW_OK && i < 2; i++)
		status = strew_placer_new(&held->placers[i], held->maps[i], &options,
					  NULL);
	return status;
}

/* Placing itself takes no memory, so it must not fail once there is a scratch. */
static strew_status place(struct held *held, strew_pg pg)
{
	int32_t devices[STREW_WANT_MAX];
	strew_stages stages = {.acting = {.devices = devices, .room = STREW_WANT_MAX}};
	strew_status status = strew_scratch_new(&held->scratch, held->placers[0], NULL);
	size_t calls = heap.calls;

	if (status != STREW_OK)
		return status;
	if (strew_place_pg(held->placers[0], pg, &stages, held->scratch) != STREW_OK ||
	    stages.acting.count == 0 || heap.calls != calls)
		status = STREW_EINVAL;
	return status;
}

static int swallow(void *ctx, const void *bytes, size_t count)
{
	(void)bytes;
	*(size_t *)ctx += count;
	return 0;
}

static strew_status report(const strew_result *result)
{
	size_t written = 0;
	strew_sink sink = {swallow, &written};
	strew_status status = STREW_OK;

	for (size_t i = 0; status == STREW_OK && i < strew_report_count(); i++)
		status = strew_report_write(result, strew_report_name(i), NULL, &sink,
					    NULL);
	return status;
}

/* One PG keeps it quick: what takes memory is the same. */
static strew_status analyze(struct held *held, strew_pg pg)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_placements_options stages = STREW_PLACEMENTS_OPTIONS_INIT;
	strew_diff_options list = STREW_DIFF_OPTIONS_INIT;
	strew_run run = STREW_RUN_INIT;
	strew_status status;

	run.allocator = &heap.allocator;
	inputs.pg = &pg;
	inputs.pools = &pg.pool;
	inputs.pool_count = 1;
	stages.stages = 1;
	list.list = 1;
	status = strew_placements(&held->result, held->placers[0], &inputs, &stages, &run,
				  NULL);
	if (status == STREW_OK)
		status = report(held->result);
	strew_result_free(held->result);
	held->result = NULL;
	if (status == STREW_OK)
		status = strew_diff(&held->result, held->placers[0], held->placers[1],
				    &inputs, &list, &run, NULL);
	return status == STREW_OK ? report(held->result) : status;
}

static strew_status run(const struct scenario *scenario)
{
	struct held held = {.result = NULL};
	strew_pg pg;
	strew_status status = strew_pg_parse(&pg, scenario->pg);

	if (status == STREW_OK)
		status = load(&held, scenario);
	if (status == STREW_OK)
		status = compile(&held);
	if (status == STREW_OK)
		status = place(&held, pg);
	if (status == STREW_OK)
		status = analyze(&held, pg);
	strew_result_free(held.result);
	strew_scratch_free(held.scratch);
	strew_builder_free(held.builder);
	strew_edit_free(held.edit);
	for (int i = 0; i < 2; i++) {
		strew_placer_release(held.placers[i]);
		strew_map_release(held.maps[i]);
	}
	return status;
}

/* @return the number of things that are wrong */
static int try(const struct scenario *scenario, size_t fail_at, int fail_on)
{
	strew_status status, wanted = fail_at ? STREW_ENOMEM : STREW_OK;
	int wrong = 0;

	support_heap_init(&heap);
	heap.fail_at = fail_at;
	heap.fail_on = fail_on;
	status = run(scenario);
	if (status != wanted) {
		printf("%s: allocation %zu: %s, not %s\n", scenario->name, fail_at,
		       strew_status_name(status), strew_status_name(wanted));
		wrong++;
	}
	if (heap.blocks != 0 || heap.bytes != 0) {
		printf("%s: allocation %zu: %zu blocks (%zu bytes) are left\n",
		       scenario->name, fail_at, heap.blocks, heap.bytes);
		wrong++;
	}
	return wrong;
}

int main(void)
{
	int wrong = 0;

	json_set_alloc_funcs(count_json, free_json);
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		size_t calls;

		wrong += try(&scenarios[i], 0, 0);
		calls = heap.calls;
		for (size_t n = 1; n <= calls; n++) {
			wrong += try(&scenarios[i], n, 0);
			if (!heap.fail_on)
				wrong += try(&scenarios[i], n, 1);
		}
		printf("%s: each of %zu allocations failed\n", scenarios[i].name, calls);
	}
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
