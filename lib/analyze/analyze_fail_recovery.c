/* SPDX-License-Identifier: MIT */
/* Where the data of the worst case goes. */
#include "analyze_fail_priv.h"

#include <stdlib.h>

#include "base_error.h"

#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))

static const struct result_column recovery_columns[] = {
	{"failed", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"to", NULL, STREW_CELL_TEXT, RESULT_DEVICE},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"fill_before_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"fill_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
};

static const struct result_column target_columns[] = {
	{"to", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"fill before", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"fill after", NULL, STREW_CELL_REAL, RESULT_PERCENT},
};

/* A bucket of the level, or a device. */
struct target {
	int32_t item; /* an index: of a device, or -1 - a bucket's; NOWHERE: none */
	uint64_t shards;
	double bytes, load, change, size;
};

#define NOWHERE INT32_MIN

static int32_t target_of(const struct fail *fail, size_t device)
{
	uint32_t bucket;

	if (fail->level == 0)
		return (int32_t)device;
	bucket = analyze_bucket_above(&fail->tree, device, fail->level);
	return bucket == ANALYZE_NOWHERE ? NOWHERE : -1 - (int32_t)bucket;
}

/* A target's place in a list that has all devices, all buckets and none. */
static size_t place_of(const struct fail *fail, int32_t item)
{
	if (item == NOWHERE)
		return fail->map->device_count + fail->map->bucket_count;
	return item >= 0 ? (size_t)item : fail->map->device_count + (size_t)(-1 - item);
}

static void sum_targets(struct target *targets, const struct fail *fail)
{
	const struct fail_worker *worker = fail->shown;

	for (size_t i = 0; i < fail->map->device_count; i++) {
		int32_t item = target_of(fail, i);
		struct target *target = &targets[place_of(fail, item)];

		if (worker->failed[i])
			continue;
		target->item = item;
		target->shards += worker->shards_in[i];
		target->bytes += worker->bytes_in[i];
		if (!(fail->devices[i].size > 0))
			continue;
		target->load += fail->devices[i].load;
		target->change += worker->change[i];
		target->size += fail->devices[i].size;
	}
}

/* Those that get most come first; of equals in order. */
static int compare_targets(const void *left, const void *right)
{
	const struct target *a = left, *b = right;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	if (a->shards != b->shards)
		return a->shards < b->shards ? 1 : -1;
	if ((a->item < 0) != (b->item < 0))
		return a->item < 0 ? -1 : 1;
	return a->item < 0 ? (a->item < b->item) - (a->item > b->item)
			   : (a->item > b->item) - (a->item < b->item);
}

static const char *target_name(const struct fail *fail, const struct target *target)
{
	if (target->item == NOWHERE)
		return NULL;
	return target->item >= 0 ? fail->map->devices[target->item].name
				 : fail->map->buckets[-1 - target->item].name;
}

static void add_target(strew_table *table, const struct fail *fail,
		       const struct target *target)
{
	double before = target->load / target->size;
	double after = (target->load + target->change) / target->size;

	result_text(table, target_name(fail, target));
	result_integer(table, (int64_t)target->shards);
	analyze_fail_bytes_cell(table, target->bytes, fail->has_bytes);
	result_real(table, analyze_fail_percent(fail, before));
	result_real(table, analyze_fail_percent(fail, after));
}

static void add_targets(struct fail *fail, const struct target *targets, size_t count)
{
	const struct fail_case *found = &fail->cases[fail->order[0]];
	strew_table *all =
		result_add_table(fail->result, "recovery", NULL, recovery_columns,
				 COUNT(recovery_columns), RESULT_NO_TEXT);
	strew_table *lines = NULL;
	struct base_str title;

	base_str_init(&title, fail->allocator);
	base_str_add(&title, "where what was on ");
	analyze_fail_add_name(&title, fail, found);
	base_str_addf(&title, " goes (%s)", fail->level_name);
	if (count > 0)
		lines = result_add_table(fail->result, "targets", base_str_text(&title),
					 target_columns,
					 fail->absolute    ? COUNT(target_columns)
					 : fail->has_bytes ? 3
							   : 2,
					 RESULT_TEXT_ONLY);
	for (size_t i = 0; i < count; i++) {
		result_row(all);
		analyze_fail_name_cell(all, fail, found);
		add_target(all, fail, &targets[i]);
		if (i >= FAIL_LINES_MAX && !fail->how.list)
			continue;
		result_row(lines);
		add_target(lines, fail, &targets[i]);
	}
	if (count > FAIL_LINES_MAX && !fail->how.list)
		result_add_note(fail->result, "… and %zu more.", count - FAIL_LINES_MAX);
	if (!base_str_ok(&title))
		fail->out_of_memory = true;
	base_str_free(&title);
}

strew_status analyze_fail_recovery(struct fail *fail)
{
	size_t room = fail->map->device_count + fail->map->bucket_count + 1, count = 0;
	struct target *targets = base_calloc(fail->allocator, room, sizeof(*targets));

	if (targets == NULL)
		return base_error_nomem(fail->error);
	sum_targets(targets, fail);
	for (size_t i = 0; i < room; i++) {
		if (targets[i].shards > 0)
			targets[count++] = targets[i];
	}
	qsort(targets, count, sizeof(*targets), compare_targets);
	add_targets(fail, targets, count);
	base_free(fail->allocator, targets, room * sizeof(*targets));
	return STREW_OK;
}
