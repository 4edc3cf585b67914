/* SPDX-License-Identifier: MIT */
#include "analyze_support.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "result.h"
#include "support.h"

strew_builder *start_map(const strew_allocator *allocator)
{
	strew_builder *builder = NULL;

	if (strew_builder_new(&builder, allocator) != STREW_OK)
		ck_abort_msg("no builder");
	strew_builder_add_type(builder, 0, "osd");
	strew_builder_add_type(builder, HOST, "host");
	strew_builder_add_type(builder, RACK, "rack");
	strew_builder_add_type(builder, ROOT, "root");
	add_bucket(builder, -1, "default", ROOT, 0);
	return builder;
}

void add_bucket(strew_builder *builder, int32_t id, const char *name, int type,
		int32_t parent)
{
	strew_bucket_desc desc = STREW_BUCKET_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.type = type;
	strew_builder_add_bucket(builder, &desc);
	if (parent)
		strew_builder_add_item(builder, parent, id, STREW_AUTO_WEIGHT, 0);
}

void add_device(strew_builder *builder, int32_t id, int32_t host, uint32_t weight)
{
	strew_builder_add_device(builder, id, NULL, NULL);
	strew_builder_add_item(builder, host, id, weight * STREW_WEIGHT_ONE, 0);
}

void add_rule(strew_builder *builder, int32_t id, const char *name, strew_kind kind,
	      strew_op op, int type)
{
	strew_builder_add_rule(builder, id, name, kind);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, op, 0, type, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

void add_pool(strew_builder *builder, int64_t id, const char *name, int size,
	      uint32_t pg_num, int32_t rule)
{
	strew_pool_desc desc = STREW_POOL_DESC_INIT;

	desc.id = id;
	desc.name = name;
	desc.size = size;
	desc.pg_num = pg_num;
	desc.rule = rule;
	desc.has_bytes = 1;
	desc.bytes = pg_num * GIB;
	desc.objects = 10 * pg_num;
	strew_builder_add_pool(builder, &desc);
}

void add_hosts(strew_builder *builder, int hosts, int each)
{
	int32_t device = 0;

	for (int host = 0; host < hosts; host++) {
		char name[16];

		snprintf(name, sizeof(name), "h%d", host);
		add_bucket(builder, -2 - host, name, HOST, -1);
		for (int i = 0; i < each; i++)
			add_device(builder, device++, -2 - host, 1);
	}
}

strew_placer *finish_map(strew_builder *builder)
{
	strew_map *map = NULL;
	strew_placer *placer = NULL;
	strew_error error = {.text = ""};
	strew_status status = strew_builder_build(&map, builder, &error);

	strew_builder_free(builder);
	if (status == STREW_OK)
		status = strew_placer_new(&placer, map, NULL, &error);
	strew_map_release(map);
	if (status)
		ck_abort_msg("%s", error.text);
	return placer;
}

strew_builder *start_hosts(int count, int32_t last, uint32_t weight)
{
	strew_builder *builder = start_map(NULL);
	char name[16];

	snprintf(name, sizeof(name), "h%d", count - 1);
	add_hosts(builder, count - 1, 1);
	add_bucket(builder, -1 - count, name, HOST, -1);
	add_device(builder, last, -1 - count, weight);
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
	add_pool(builder, 1, "data", 3, PGS, 0);
	return builder;
}

strew_builder *start_three(void)
{
	return start_hosts(3, 2, 1);
}

strew_placer *three(void)
{
	return finish_map(start_three());
}

/* osd.3 in the place of osd.2. */
strew_placer *three_replaced(void)
{
	return finish_map(start_hosts(3, 3, 1));
}

strew_cell cell_at(const strew_result *result, const char *name, size_t row,
		   const char *column)
{
	const strew_table *table = strew_result_table(result, name);
	int index = table ? strew_table_find_column(table, column) : STREW_ENOTFOUND;

	if (index < 0 || row >= strew_table_row_count(table))
		ck_abort_msg("there is no %s[%zu].%s", name, row, column);
	return strew_table_cell(table, row, (size_t)index);
}

int64_t summary_integer(const strew_result *result, const char *column)
{
	strew_cell cell = cell_at(result, "summary", 0, column);

	if (cell.kind != STREW_CELL_INTEGER)
		ck_abort_msg("%s is no integer", column);
	return cell.integer;
}

double summary_real(const strew_result *result, const char *column)
{
	strew_cell cell = cell_at(result, "summary", 0, column);

	if (cell.kind != STREW_CELL_REAL)
		ck_abort_msg("%s is no real", column);
	return cell.real;
}

int is_null(const strew_result *result, const char *column)
{
	return cell_at(result, "summary", 0, column).kind == STREW_CELL_NULL;
}

int has_note(const strew_result *result, const char *text)
{
	for (size_t i = 0; i < result_note_count(result); i++) {
		if (strcmp(result_note_at(result, i).text, text) == 0)
			return 1;
	}
	return 0;
}

size_t row_count(const strew_result *result, const char *table)
{
	return strew_table_row_count(strew_result_table(result, table));
}

static int is_text(const strew_cell *cell, const char *text)
{
	if (text == NULL || cell->kind != STREW_CELL_TEXT)
		return text == NULL && cell->kind == STREW_CELL_NULL;
	return strcmp(cell->text, text) == 0;
}

int has_change(const strew_result *result, const char *what, const char *item,
	       const char *from, const char *to)
{
	const char *const texts[] = {what, item, from, to};
	const strew_table *table = strew_result_table(result, "changes");

	for (size_t row = 0; row < strew_table_row_count(table); row++) {
		size_t same = 0;

		for (size_t i = 0; i < 4; i++) {
			strew_cell cell = strew_table_cell(table, row, i);

			same += (size_t)is_text(&cell, texts[i]);
		}
		if (same == 4)
			return 1;
	}
	return 0;
}

double part_of_cause(const strew_result *result, const char *cause)
{
	for (size_t i = 0; i < row_count(result, "causes"); i++)
		if (strcmp(cell_at(result, "causes", i, "cause").text, cause) == 0)
			return cell_at(result, "causes", i, "shards").real;
	return 0;
}

strew_result *diff_maps(const strew_placer *before, const strew_placer *after,
			const strew_inputs *inputs, const strew_diff_options *options,
			const strew_run *run)
{
	strew_result *result = NULL;
	strew_error error = {.text = ""};

	if (strew_diff(&result, before, after, inputs, options, run, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	return result;
}

strew_result *diff_and_release(strew_placer *before, strew_placer *after,
			       const strew_inputs *inputs,
			       const strew_diff_options *options)
{
	strew_result *result = diff_maps(before, after, inputs, options, NULL);

	strew_placer_release(before);
	strew_placer_release(after);
	return result;
}

static int same_cells(const strew_cell *a, const strew_cell *b)
{
	if (a->kind != b->kind)
		return 0;
	switch (a->kind) {
	case STREW_CELL_INTEGER:
		return a->integer == b->integer;
	case STREW_CELL_REAL:
		return memcmp(&a->real, &b->real, sizeof(a->real)) == 0;
	case STREW_CELL_TEXT:
		return strcmp(a->text, b->text) == 0;
	case STREW_CELL_SET:
		return a->set_count == b->set_count &&
		       memcmp(a->set, b->set, a->set_count * sizeof(*a->set)) == 0;
	default:
		return 1;
	}
}

static int same_tables(const strew_table *a, const strew_table *b)
{
	if (strew_table_row_count(a) != strew_table_row_count(b))
		return 0;
	for (size_t row = 0; row < strew_table_row_count(a); row++) {
		for (size_t i = 0; i < strew_table_column_count(a); i++) {
			strew_cell left = strew_table_cell(a, row, i);
			strew_cell right = strew_table_cell(b, row, i);

			if (!same_cells(&left, &right))
				return 0;
		}
	}
	return 1;
}

int same_results(const strew_result *a, const strew_result *b)
{
	size_t count = strew_result_table_count(a);

	for (size_t i = 0; i < count; i++) {
		if (!same_tables(strew_result_table_at(a, i),
				 strew_result_table_at(b, i)))
			return 0;
	}
	return count == strew_result_table_count(b);
}

struct job {
	void (*task)(void *arg, size_t index);
	void *arg;
	size_t tasks;
	atomic_size_t next;
};

static void *work(void *arg)
{
	struct job *job = arg;
	size_t index;

	while ((index = atomic_fetch_add(&job->next, 1)) < job->tasks)
		job->task(job->arg, index);
	return NULL;
}

static void run_threads(void *ctx, size_t tasks, void (*task)(void *arg, size_t index),
			void *arg)
{
	struct job job = {.task = task, .arg = arg, .tasks = tasks};
	pthread_t threads[4];

	(void)ctx;
	atomic_init(&job.next, 0);
	for (size_t i = 0; i < 4; i++) {
		if (pthread_create(&threads[i], NULL, work, &job) != 0)
			ck_abort_msg("no thread");
	}
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

const strew_executor four_threads = {run_threads, NULL};

static strew_result *trace(const strew_placer *placer, const strew_inputs *inputs)
{
	strew_result *result = NULL;
	strew_error error = {.text = ""};

	if (strew_trace(&result, placer, inputs, NULL, NULL, &error) != STREW_OK)
		ck_abort_msg("%s", error.text);
	return result;
}

strew_result *trace_input(const strew_placer *placer, int want, uint32_t x)
{
	strew_inputs inputs = STREW_INPUTS_INIT;

	inputs.rule = 0;
	inputs.want = want;
	inputs.first = inputs.last = x;
	return trace(placer, &inputs);
}

strew_result *trace_pg(const strew_placer *placer, uint32_t seed)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	strew_pg pg = {1, seed};

	inputs.pg = &pg;
	return trace(placer, &inputs);
}

size_t fail_each(strew_status (*analyse)(strew_result **out, const strew_run *run,
					 void *ctx),
		 void *ctx)
{
	strew_run run = STREW_RUN_INIT;
	size_t fail_at = 1, calls = 0;

	do {
		struct support_heap heap;
		strew_result *result;
		strew_status status;

		support_heap_init(&heap);
		heap.fail_at = fail_at;
		run.allocator = &heap.allocator;
		status = analyse(&result, &run, ctx);
		if (status != (heap.calls < fail_at ? STREW_OK : STREW_ENOMEM))
			ck_abort_msg("call %zu gave %d", fail_at, status);
		strew_result_free(result);
		if (heap.blocks != 0 || heap.bytes != 0)
			ck_abort_msg("call %zu leaks", fail_at);
		calls = heap.calls;
	} while (fail_at++ <= calls);
	return calls;
}

strew_builder *start_hosts_of(const uint32_t *weights, int count)
{
	strew_builder *builder = start_map(NULL);
	char name[16];

	for (int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "h%d", i);
		add_bucket(builder, -2 - i, name, HOST, -1);
		add_device(builder, i, -2 - i, weights[i]);
	}
	return builder;
}

void add_hosts_rule(strew_builder *builder)
{
	add_rule(builder, 0, "hosts", STREW_KIND_REPLICATED, STREW_OP_CHOOSELEAF_FIRSTN,
		 HOST);
}

void add_two_by_two_rule(strew_builder *builder)
{
	strew_builder_add_rule(builder, 0, "2x2", STREW_KIND_REPLICATED);
	strew_builder_add_take_name(builder, "default", NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSE_FIRSTN, 2, RACK, NULL);
	strew_builder_add_choose(builder, STREW_OP_CHOOSELEAF_FIRSTN, 2, HOST, NULL);
	strew_builder_add_step(builder, STREW_OP_EMIT, 0);
}

void place_pool(int32_t sets[][SET_ROOM], const strew_placer *placer, uint32_t pgs)
{
	strew_scratch *scratch;

	ck_assert_int_eq(strew_scratch_new(&scratch, placer, NULL), STREW_OK);
	for (uint32_t seed = 0; seed < pgs; seed++) {
		strew_stages stages = {.up = {sets[seed], SET_ROOM, 0, 0}};

		if (strew_place_pg(placer, (strew_pg){1, seed}, &stages, scratch) !=
		    STREW_OK)
			ck_abort_msg("no PG");
		for (int i = stages.up.count; i < SET_ROOM; i++)
			sets[seed][i] = STREW_NONE;
	}
	strew_scratch_free(scratch);
}

/* Three racks, eight hosts, 152 units: the tree of ../shared/theory/t1b_tree.py. */
static const uint32_t tree_devices[][7] = {{4, 4, 4, 4}, {4, 4, 4, 4},      {8, 8},
					   {4, 4, 4},    {8, 8, 8, 8},      {4},
					   {16, 16},     {4, 4, 4, 4, 4, 4}};
static const int tree_racks[] = {0, 0, 0, 1, 1, 1, 2, 2};

strew_builder *start_tree(double *weights)
{
	strew_builder *builder = start_map(NULL);
	int32_t device = 0;
	char name[16];

	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "r%d", i);
		add_bucket(builder, -2 - i, name, RACK, -1);
	}
	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "h%d", i);
		add_bucket(builder, -5 - i, name, HOST, -2 - tree_racks[i]);
		for (int j = 0; tree_devices[i][j] > 0; j++) {
			weights[device] = tree_devices[i][j];
			add_device(builder, device++, -5 - i, tree_devices[i][j]);
		}
	}
	return builder;
}
