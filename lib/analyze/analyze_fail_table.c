/* SPDX-License-Identifier: MIT */
#include "analyze_fail_priv.h"

#include <math.h>

/* Columns and the calls that fill them stand in one order. */

#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))

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

void analyze_fail_bytes_cell(strew_table *table, double bytes, bool known)
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
	analyze_fail_bytes_cell(table, found->moved_bytes, fail->has_bytes);
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
		analyze_fail_bytes_cell(table, found->moved_bytes, true);
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
	size_t shown = fail->how.list || fail->case_count <= FAIL_LINES_MAX
			       ? fail->case_count
			       : FAIL_LINES_MAX;
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

strew_status analyze_fail_tables(struct fail *fail)
{
	add_failures(fail);
	return analyze_fail_recovery(fail);
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
	result_real(table, 100 * fail->ratios.nearfull);
	result_real(table, 100 * fail->ratios.backfillfull);
	result_real(table, 100 * fail->ratios.full);
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
