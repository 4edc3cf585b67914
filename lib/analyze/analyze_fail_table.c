/* SPDX-License-Identifier: MIT */
#include "analyze_fail_priv.h"

#include <math.h>
#include <stdlib.h>

#include "base_error.h"

/* Columns and the calls that fill them stand in one order. */

#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))
#define ROWS_MAX       20 /* lines for people, unless all are asked for */

static const struct result_column failure_columns[] = {
	{"failed", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"shards_lost", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_degraded", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_below_min_size", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_lost", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_unhealable", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"moved_bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"fullest_device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"fullest_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"devices", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"least_shards_left", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"moved_shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"over", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"heals_up_to_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"unhealable_why", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column bytes_columns[] = {
	{"failed", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"shards lost", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"below min_size", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"lost", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"unhealable", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"moved", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"heals up to", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"fullest after", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"full", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"over", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column shards_columns[] = {
	{"failed", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"shards lost", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"below min_size", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"lost", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"unhealable", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards moved", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"heals up to", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"fullest after", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"full", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"over", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

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

static const struct result_column summary_columns[] = {
	{"cases", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"worst", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"safe_fill_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"safe_fill_case", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"fill_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"fill_basis", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"nearfull_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"backfillfull_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"full_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"cases_with_loss", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"cases_below_min_size", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"cases_unhealable", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"cases_over_backfillfull", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_lost_max", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_below_min_size_max", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_unhealable_max", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_lost_by_any", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_below_min_size_by_any", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"fullest_device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"fullest_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"pgs", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards_unplaced", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"device_sets", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"scatter_width_min", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"scatter_width_mean", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"scatter_width_max", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
};

static void add_count(strew_table *table, uint64_t count, bool unknown)
{
	result_integer(table, unknown ? INT64_MIN : (int64_t)count);
}

static void add_bytes(strew_table *table, double bytes, bool known)
{
	result_integer(table,
		       known && bytes < (double)INT64_MAX ? llround(bytes) : INT64_MIN);
}

static int32_t device_id(const struct fail *fail, int32_t index)
{
	return index < 0 ? STREW_NONE : fail->map->devices[index].id;
}

/* What ends as text in a cell. */
static void add_text(strew_table *table, struct fail *fail, struct base_str *text)
{
	if (base_str_len(text) > 0)
		result_text(table, base_str_text(text));
	else
		result_null(table);
	if (!base_str_ok(text))
		fail->out_of_memory = true;
	base_str_free(text);
}

void analyze_fail_name_cell(strew_table *table, struct fail *fail,
			    const struct fail_case *found)
{
	struct base_str text;

	base_str_init(&text, fail->allocator);
	if (found)
		analyze_fail_add_name(&text, fail, found);
	add_text(table, fail, &text);
}

static void add_reason(strew_table *table, struct fail *fail,
		       const struct fail_case *found)
{
	struct base_str text;

	base_str_init(&text, fail->allocator);
	analyze_fail_add_reason(&text, fail, &found->reason);
	add_text(table, fail, &text);
}

static void add_failure(strew_table *table, struct fail *fail,
			const struct fail_case *found)
{
	double ratio;

	result_row(table);
	analyze_fail_name_cell(table, fail, found);
	result_integer(table, (int64_t)found->shards_lost);
	result_integer(table, (int64_t)found->degraded);
	add_count(table, found->below_min_size, found->below_unknown);
	add_count(table, found->lost, found->lost_unknown);
	result_integer(table, (int64_t)found->unhealable);
	add_bytes(table, found->moved_bytes, fail->has_bytes);
	result_integer(table, device_id(fail, found->fullest));
	result_real(table, analyze_fail_percent(fail, found->fullest_use));
	result_integer(table, (int64_t)found->devices);
	result_integer(table, found->least_left < 0 ? INT64_MIN : found->least_left);
	result_integer(table, (int64_t)found->moved_shards);
	result_text(table, analyze_fail_passed(fail, found->fullest_use, &ratio));
	result_real(table, 100 * analyze_fail_safe_fill(fail, found));
	add_reason(table, fail, found);
}

static void add_over(strew_table *table, const struct fail *fail,
		     const struct fail_case *found)
{
	double ratio;
	const char *over = analyze_fail_passed(fail, found->fullest_use, &ratio);

	if (over)
		result_textf(table, "%s (%g %%)", over, ratio);
	else
		result_text(table, "");
}

static void add_line(strew_table *table, struct fail *fail, const struct fail_case *found)
{
	result_row(table);
	analyze_fail_name_cell(table, fail, found);
	result_integer(table, (int64_t)found->shards_lost);
	add_count(table, found->below_min_size, found->below_unknown);
	add_count(table, found->lost, found->lost_unknown);
	result_integer(table, (int64_t)found->unhealable);
	if (fail->has_bytes)
		add_bytes(table, found->moved_bytes, true);
	else
		result_integer(table, (int64_t)found->moved_shards);
	result_real(table, 100 * analyze_fail_safe_fill(fail, found));
	result_text(table,
		    found->fullest < 0 ? NULL : fail->map->devices[found->fullest].name);
	result_real(table, analyze_fail_percent(fail, found->fullest_use));
	add_over(table, fail, found);
}

static void add_failures(struct fail *fail)
{
	size_t shown = fail->how.list || fail->case_count <= ROWS_MAX ? fail->case_count
								      : ROWS_MAX;
	strew_table *all =
		result_add_table(fail->result, "failures", NULL, failure_columns,
				 COUNT(failure_columns), RESULT_NO_TEXT);
	strew_table *lines =
		result_add_table(fail->result, "lines", NULL,
				 fail->has_bytes ? bytes_columns : shards_columns,
				 COUNT(bytes_columns) - (fail->absolute ? 0 : 2),
				 RESULT_TEXT_ONLY | RESULT_NO_TITLE);

	for (size_t i = 0; i < fail->case_count; i++)
		add_failure(all, fail, &fail->cases[fail->order[i]]);
	for (size_t i = 0; i < shown; i++)
		add_line(lines, fail, &fail->cases[fail->order[i]]);
	if (shown < fail->case_count)
		result_add_note(fail->result,
				"… and %zu more; `--list` shows all, `--report json` and "
				"csv have them too.",
				fail->case_count - shown);
}

/* Where data goes: a bucket of the level, or a device. */
struct target {
	int32_t item; /* an index: of a device, or -1 - a bucket's; NOWHERE: none */
	uint64_t shards;
	double bytes, load, change, size;
};

#define NOWHERE INT32_MIN

static int32_t target_of(const struct fail *fail, size_t device)
{
	uint32_t bucket = fail->tree.device_spots[device].bucket;

	if (fail->level == 0)
		return (int32_t)device;
	while (bucket != ANALYZE_NOWHERE &&
	       fail->map->buckets[bucket].type != fail->level)
		bucket = fail->tree.bucket_spots[bucket].bucket;
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
	add_bytes(table, target->bytes, fail->has_bytes);
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
		if (i >= ROWS_MAX && !fail->how.list)
			continue;
		result_row(lines);
		add_target(lines, fail, &targets[i]);
	}
	if (count > ROWS_MAX && !fail->how.list)
		result_add_note(fail->result, "… and %zu more.", count - ROWS_MAX);
	if (!base_str_ok(&title))
		fail->out_of_memory = true;
	base_str_free(&title);
}

static strew_status add_recovery(struct fail *fail)
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

strew_status analyze_fail_tables(struct fail *fail)
{
	add_failures(fail);
	return add_recovery(fail);
}

static const char *basis_name(enum fail_basis basis)
{
	static const char *const names[] = {[FAIL_USE] = "use",
					    [FAIL_PLACED] = "placed",
					    [FAIL_WEIGHTS] = "weights",
					    [FAIL_SHARDS] = "shards"};

	return names[basis];
}

static uint64_t count_hurt(const struct fail *fail, uint8_t how)
{
	uint64_t count = 0;

	for (uint64_t i = 0; i < fail->plan.units; i++)
		count += (atomic_load_explicit(&fail->hurt[i], memory_order_relaxed) &
			  how) != 0;
	return count;
}

static void add_fill(strew_table *table, struct fail *fail,
		     const struct fail_totals *totals)
{
	result_real(table, totals->stick == 0 ? 100 * totals->safe_fill : NAN);
	analyze_fail_name_cell(table, fail,
			       totals->stick == 0 ? totals->least_safe : NULL);
	result_real(table, analyze_fail_percent(fail, fail->fill));
	result_text(table, basis_name(fail->basis));
	result_real(table, fail->how.nearfull);
	result_real(table, fail->how.backfillfull);
	result_real(table, fail->how.full);
}

static void add_cases(strew_table *table, const struct fail *fail,
		      const struct fail_totals *totals)
{
	bool lost = totals->lost_unknown, below = totals->below_unknown;

	add_count(table, totals->lose, lost);
	add_count(table, totals->stop, below);
	result_integer(table, (int64_t)totals->stick);
	add_count(table, totals->overfill, !fail->absolute);
	add_count(table, totals->most_lost ? totals->most_lost->lost : 0, lost);
	add_count(table, totals->most_stopped ? totals->most_stopped->below_min_size : 0,
		  below);
	result_integer(table,
		       totals->most_stuck ? (int64_t)totals->most_stuck->unhealable : 0);
	add_count(table, count_hurt(fail, FAIL_HURT_LOST), lost);
	add_count(table, count_hurt(fail, FAIL_HURT_BELOW), below);
	result_integer(table,
		       device_id(fail, totals->fullest ? totals->fullest->fullest : -1));
	result_real(table, totals->fullest ? analyze_fail_percent(
						     fail, totals->fullest->fullest_use)
					   : NAN);
}

strew_status analyze_fail_summary(struct fail *fail)
{
	struct fail_totals totals = analyze_fail_total(fail);
	struct fail_scatter scatter;
	strew_status status = analyze_fail_scatter(&scatter, fail);
	strew_table *table =
		result_add_table(fail->result, "summary", NULL, summary_columns,
				 COUNT(summary_columns), RESULT_RECORD | RESULT_NO_TEXT);

	if (status)
		return status;
	result_row(table);
	result_integer(table, (int64_t)fail->case_count);
	analyze_fail_name_cell(table, fail, &fail->cases[fail->order[0]]);
	add_fill(table, fail, &totals);
	add_cases(table, fail, &totals);
	result_integer(table, (int64_t)fail->plan.units);
	result_integer(table, (int64_t)fail->shards);
	result_integer(table, (int64_t)fail->unplaced);
	result_integer(table, (int64_t)fail->distinct.count);
	result_integer(table, scatter.least);
	result_real(table, scatter.mean);
	result_integer(table, scatter.most);
	return STREW_OK;
}
