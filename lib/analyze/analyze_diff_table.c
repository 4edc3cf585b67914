/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The tables of a diff. Columns and the calls that fill them stand in one order. */

#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))

static const struct result_column summary_columns[] = {
	{"pgs", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_changed", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards_moved", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards_moved_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"shards_unplaced", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"bytes_moved", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"minimum_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"minimum_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"minimum_basis", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"minimum_stderr_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"minimum_bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"excess_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"forced_shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"positions_changed", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"objects", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"objects_moved", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"fullest_device_before", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"fullest_percent_before", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"usable_bytes_before", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"fullest_device_after", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"fullest_percent_after", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"usable_bytes_after", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"upmaps", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"upmaps_cleaned", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"cleanup_shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"cleanup_bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"backfill_seconds", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"backfill_device", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column change_columns[] = {
	{"what", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"item", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"from", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"to", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column device_columns[] = {
	{"device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"shards_in", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards_out", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes_in", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"bytes_out", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"backfill_seconds", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"fill_percent_before", "fill before", STREW_CELL_REAL, RESULT_PERCENT},
	{"fill_percent_after", "fill after", STREW_CELL_REAL, RESULT_PERCENT},
};

static const struct result_column flow_columns[] = {
	{"from", NULL, STREW_CELL_TEXT, RESULT_DEVICE},
	{"to", NULL, STREW_CELL_TEXT, RESULT_DEVICE},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
};

static const struct result_column pool_columns[] = {
	{"pool", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"pg_num_old", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pg_num_new", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"pgs_changed", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards_moved", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards_moved_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"shards_unplaced", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"minimum_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"bytes_moved", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
};

static const struct result_column moved_pool_columns[] = {
	{"pool", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"moved", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"slash", "/", STREW_CELL_TEXT, RESULT_PLAIN},
	{"shards", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"percent", "", STREW_CELL_TEXT, RESULT_PLAIN},
	{"data", "", STREW_CELL_TEXT, RESULT_PLAIN},
	{"pgs", "", STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column cause_columns[] = {
	{"cause", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"text", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column why_columns[] = {
	{"cause", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"shards", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"percent", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"text", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column cure_columns[] = {
	{"cure", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"shards_moved", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards_moved_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"bytes_moved", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"advice", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column upmap_columns[] = {
	{"pg", "PG", STREW_CELL_TEXT, RESULT_NAME},
	{"upmap", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"fate", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"reason", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
};

/* Upmaps that go, without what moves. */
#define GONE_COLUMNS 4

static const struct result_column total_columns[] = {
	{"what", "", STREW_CELL_TEXT, RESULT_NAME},
	{"moved", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"slash", "/", STREW_CELL_TEXT, RESULT_PLAIN},
	{"total", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
	{"percent", "", STREW_CELL_TEXT, RESULT_PLAIN},
	{"least", "least possible", STREW_CELL_TEXT, RESULT_PLAIN},
	{"least_percent", "", STREW_CELL_TEXT, RESULT_PLAIN},
	{"excess", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
};

static const struct result_column pg_columns[] = {
	{"pg", "PG", STREW_CELL_TEXT, RESULT_NAME},
	{"old", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"new", NULL, STREW_CELL_SET, RESULT_PLAIN},
};

static const struct result_column input_columns[] = {
	{"x", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"old", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"new", NULL, STREW_CELL_SET, RESULT_PLAIN},
};

static const struct result_column object_columns[] = {
	{"object", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"pg", "PG", STREW_CELL_TEXT, RESULT_NAME},
	{"old", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"new", NULL, STREW_CELL_SET, RESULT_PLAIN},
};

static strew_table *add_list(strew_result *result, enum analyze_kind kind)
{
	switch (kind) {
	case ANALYZE_RAW:
		return result_add_table(result, "pgs", "inputs that change",
					input_columns, COUNT(input_columns), 0);
	case ANALYZE_OBJECTS:
		return result_add_table(result, "pgs", "objects that change",
					object_columns, COUNT(object_columns), 0);
	default:
		return result_add_table(result, "pgs", "PGs that change", pg_columns,
					COUNT(pg_columns), 0);
	}
}

void analyze_diff_add_tables(struct diff *diff)
{
	struct diff_tables *tables = &diff->tables;
	strew_result *result = diff->result;
	char title[128];

	snprintf(title, sizeof(title), "from → to (%.90s)", diff->domains.type_name);
	tables->summary =
		result_add_table(result, "summary", NULL, summary_columns,
				 COUNT(summary_columns), RESULT_RECORD | RESULT_NO_TEXT);
	tables->changes = result_add_table(result, "changes", NULL, change_columns,
					   COUNT(change_columns), RESULT_NO_TEXT);
	tables->devices = result_add_table(result, "devices", NULL, device_columns,
					   COUNT(device_columns), RESULT_NO_TEXT);
	tables->domains = result_add_table(result, "domains", NULL, flow_columns,
					   COUNT(flow_columns), RESULT_NO_TEXT);
	tables->pools = result_add_table(result, "pools", NULL, pool_columns,
					 COUNT(pool_columns), RESULT_NO_TEXT);
	tables->causes = result_add_table(result, "causes", NULL, cause_columns,
					  COUNT(cause_columns), RESULT_NO_TEXT);
	tables->cures = result_add_table(result, "cures", NULL, cure_columns,
					 COUNT(cure_columns), RESULT_NO_TEXT);
	tables->upmaps = result_add_table(result, "upmaps", NULL, upmap_columns,
					  COUNT(upmap_columns), RESULT_NO_TEXT);
	tables->totals = result_add_table(
		result, "totals", NULL, total_columns, COUNT(total_columns),
		RESULT_TEXT_ONLY | RESULT_NO_TITLE | RESULT_ANSWER);
	tables->moved_pools = result_add_table(
		result, "moved_pools", NULL, moved_pool_columns,
		COUNT(moved_pool_columns), RESULT_TEXT_ONLY | RESULT_NO_TITLE);
	tables->matrix =
		result_add_table(result, "matrix", title, flow_columns,
				 COUNT(flow_columns), RESULT_TEXT_ONLY | RESULT_MATRIX);
	tables->why =
		result_add_table(result, "why", NULL, why_columns, COUNT(why_columns),
				 RESULT_TEXT_ONLY | RESULT_LIST);
	tables->gone = result_add_table(result, "gone", NULL, upmap_columns, GONE_COLUMNS,
					RESULT_TEXT_ONLY | RESULT_LIST);
	if (diff->how.list)
		tables->pgs = add_list(result, diff->plan.kind);
}

static void add_pg(strew_table *table, const struct diff *diff, uint64_t unit)
{
	/* A PG of the map that has more of them, which is finer. */
	strew_pg pg = analyze_unit_pg(&diff->plan, unit, diff->sides[1].placer);

	result_textf(table, "%" PRId64 ".%" PRIx32, pg.pool, pg.seed);
}

void analyze_diff_list_unit(struct diff *diff, uint64_t unit, const strew_set *before,
			    const strew_set *after)
{
	strew_table *table = diff->tables.pgs;

	if (table == NULL)
		return;
	result_row(table);
	if (diff->plan.kind == ANALYZE_OBJECTS) {
		const strew_named_object *object = analyze_object(&diff->plan, unit);

		result_textf(table, "%.*s", (int)object->name_len, object->name);
	}
	if (diff->plan.kind == ANALYZE_RAW)
		result_integer(table, analyze_raw_input(&diff->plan, unit));
	else
		add_pg(table, diff, unit);
	result_set(table, before->devices, (size_t)before->count);
	result_set(table, after->devices, (size_t)after->count);
}

/* Sums of parts, rounded once; null when not known. */
static void add_whole(strew_table *table, double value, bool known)
{
	if (known)
		result_integer(table, llround(value));
	else
		result_null(table);
}

static void add_percent(strew_table *table, double part, double whole)
{
	result_real(table, whole > 0 ? 100 * part / whole : NAN);
}

/* Objects have bytes of their own, so that the least is of their mean. */
double analyze_diff_least_bytes(const struct diff *diff, const struct diff_totals *totals)
{
	if (diff->plan.kind == ANALYZE_OBJECTS && totals->shards > 0)
		return totals->bytes / (double)totals->shards * totals->minimum;
	return totals->minimum_bytes;
}

static void fill_moved(strew_table *table, const struct diff *diff)
{
	const struct diff_totals *totals = &diff->totals;
	bool has_pgs = diff->plan.kind != ANALYZE_OBJECTS;

	result_row(table);
	add_whole(table, (double)totals->units, has_pgs);
	add_whole(table, (double)totals->units_changed, has_pgs);
	result_integer(table, (int64_t)totals->shards);
	result_integer(table, (int64_t)totals->moved);
	add_percent(table, (double)totals->moved, (double)totals->shards);
	result_integer(table, (int64_t)totals->unplaced);
	add_whole(table, totals->bytes, totals->has_bytes);
	add_whole(table, totals->bytes_moved, totals->has_bytes);
}

static void fill_minimum(strew_table *table, const struct diff *diff)
{
	const struct diff_totals *totals = &diff->totals;

	result_real(table, totals->minimum);
	add_percent(table, totals->minimum, (double)totals->shards);
	result_text(table, analyze_inexact_basis(&diff->inexact));
	result_real(table, sqrt(totals->variance));
	add_whole(table, analyze_diff_least_bytes(diff, totals), totals->has_bytes);
	add_percent(table, (double)totals->moved - totals->minimum,
		    (double)totals->shards);
	result_integer(table, (int64_t)totals->forced);
	add_whole(table, (double)totals->positions_changed, totals->has_positions);
	add_whole(table, totals->objects, !totals->lacks_objects);
	add_whole(table, totals->objects_moved, !totals->lacks_objects);
	analyze_diff_add_fill(table, diff);
}

static void fill_cleanup(strew_table *table, const struct diff *diff)
{
	const struct diff_cleanup *cleanup = &diff->cleanup;

	result_integer(table, (int64_t)cleanup->upmaps);
	result_integer(table, (int64_t)cleanup->gone);
	result_integer(table, (int64_t)cleanup->shards);
	add_whole(table, cleanup->bytes, diff->totals.has_bytes);
}

static void fill_time(strew_table *table, const struct diff *diff)
{
	const struct diff_device *slowest = analyze_diff_slowest(diff);

	if (slowest == NULL)
		return;
	result_real(table, analyze_diff_backfill_seconds(diff, slowest));
	result_text(table, analyze_diff_device_name(diff, slowest));
}

static void fill_devices(const struct diff *diff)
{
	strew_table *table = diff->tables.devices;
	bool has_bytes = diff->totals.has_bytes;
	enum diff_fill basis = analyze_diff_fill_basis(diff);

	for (size_t i = 0; i < diff->device_count; i++) {
		const struct diff_device *device = &diff->devices[i];

		if (device->shards_in == 0 && device->shards_out == 0)
			continue;
		result_row(table);
		result_integer(table, device->id);
		result_text(table, analyze_diff_device_name(diff, device));
		result_integer(table, (int64_t)device->shards_in);
		result_integer(table, (int64_t)device->shards_out);
		add_whole(table, device->bytes_in, has_bytes);
		add_whole(table, device->bytes_out, has_bytes);
		result_real(table, analyze_diff_backfill_seconds(diff, device));
		analyze_diff_add_device_fill(table, diff, device, basis);
	}
}

static void add_domain(strew_table *table, const struct diff *diff, int32_t domain,
		       bool marked)
{
	const struct diff_domain *found;
	const char *mark = "";

	if (domain < 0) {
		result_null(table);
		return;
	}
	found = &diff->domains.items[domain];
	if (marked && !found->in[0])
		mark = " (new)";
	if (marked && !found->in[1])
		mark = " (gone)";
	result_textf(table, "%s%s", found->name, mark);
}

static void fill_flows(const struct diff *diff, strew_table *table, bool marked)
{
	const struct diff_flow *flows = diff->domains.flows.items;

	for (size_t i = 0; i < diff->domains.flows.count; i++) {
		result_row(table);
		add_domain(table, diff, flows[i].from, marked);
		add_domain(table, diff, flows[i].to, marked);
		result_integer(table, (int64_t)flows[i].shards);
		add_whole(table, flows[i].bytes, diff->totals.has_bytes);
	}
}

void analyze_diff_fill_tables(struct diff *diff)
{
	fill_moved(diff->tables.summary, diff);
	fill_minimum(diff->tables.summary, diff);
	fill_cleanup(diff->tables.summary, diff);
	fill_time(diff->tables.summary, diff);
	fill_devices(diff);
	analyze_diff_sort_flows(diff);
	fill_flows(diff, diff->tables.domains, false);
	fill_flows(diff, diff->tables.matrix, true);
}
