/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <math.h>

/* Columns and the calls that fill them stand in one order. */

#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))

/* What devices and domains have in common. */
#define LOAD_COLUMNS                                                                     \
	{"weight", NULL, STREW_CELL_REAL, RESULT_PLAIN},                                 \
		{"target_share", NULL, STREW_CELL_REAL, RESULT_SHARE},                   \
		{"expected_share", NULL, STREW_CELL_REAL, RESULT_SHARE},                 \
		{"expected_shards", NULL, STREW_CELL_REAL, RESULT_PLAIN},                \
		{"actual_shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},               \
		{"actual_percent_of_target", NULL, STREW_CELL_REAL, RESULT_PERCENT},     \
		{"fill_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},                 \
		{"primaries", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},                   \
		{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES}, SPREAD_PART_COLUMNS

static const struct result_column device_columns[] = {
	{"device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"class", NULL, STREW_CELL_TEXT, RESULT_NAME},
	LOAD_COLUMNS,
	{"location", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

static const struct result_column domain_columns[] = {
	{"domain", NULL, STREW_CELL_TEXT, RESULT_DEVICE},
	{"devices", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	LOAD_COLUMNS,
};

static const struct result_column summary_columns[] = {
	{"pgs", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"shards_unplaced", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"devices", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"basis", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"level", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"fullest_device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"fullest_percent_of_target", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"emptiest_device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"emptiest_percent_of_target", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"min_var", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"max_var", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"stddev_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"chance_stddev_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"primaries_min", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"primaries_max", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"primaries_mean", NULL, STREW_CELL_REAL, RESULT_PLAIN},
	{"fill_basis", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"highest_fill_device", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
	{"highest_fill_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"growth_basis", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"full_ratio", NULL, STREW_CELL_REAL, RESULT_SHARE},
	{"backfillfull_ratio", NULL, STREW_CELL_REAL, RESULT_SHARE},
	{"nearfull_ratio", NULL, STREW_CELL_REAL, RESULT_SHARE},
	{"size_raw_bytes", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	SPREAD_ROOM_COLUMNS("raw_"),
	{"why", NULL, STREW_CELL_TEXT, RESULT_NAME},
};

/* Sums of parts, rounded once; null when not known, or more than a cell can hold. */
void analyze_spread_add_bytes(strew_table *table, double bytes, bool known)
{
	if (known && bytes < (double)INT64_MAX)
		result_integer(table, llround(bytes));
	else
		result_null(table);
}

static void add_load(strew_table *table, const struct spread *spread,
		     const struct spread_load *load)
{
	double expected = spread->totals.expected;

	result_real(table, load->weight);
	result_real(table, load->stages[SPREAD_TARGET]);
	result_real(table, expected > 0 ? load->expected / expected : NAN);
	result_real(table, load->expected);
	result_integer(table, (int64_t)load->shards);
	result_real(table, analyze_spread_percent(spread, load));
	result_real(table, analyze_spread_fill(spread, load));
	result_integer(table, (int64_t)load->primaries);
	analyze_spread_add_bytes(table, load->bytes, spread->totals.has_bytes);
	analyze_spread_add_parts(table, spread, load);
}

static void add_location(strew_table *table, struct spread *spread, size_t device)
{
	struct base_str location;

	base_str_init(&location, spread->allocator);
	analyze_add_location(&location, &spread->tree, device);
	result_text(table, base_str_text(&location));
	if (!base_str_ok(&location))
		spread->out_of_memory = true;
	base_str_free(&location);
}

static void fill_devices(struct spread *spread, strew_table *table)
{
	for (size_t i = 0; i < spread->map->device_count; i++) {
		const strew_device *device = &spread->map->devices[i];

		if (!analyze_spread_lists(&spread->devices[i]))
			continue;
		result_row(table);
		result_integer(table, device->id);
		result_text(table, device->name);
		result_text(table, device->class_name);
		add_load(table, spread, &spread->devices[i].load);
		add_location(table, spread, i);
	}
}

static void add_domain(strew_table *table, const struct spread *spread, const char *name,
		       size_t devices, const struct spread_load *load)
{
	result_row(table);
	result_text(table, name);
	result_integer(table, (int64_t)devices);
	add_load(table, spread, load);
}

static void fill_domains(struct spread *spread, strew_table *table)
{
	for (size_t i = 0; i < spread->domain_count && spread->type > 0; i++) {
		const struct spread_domain *domain = &spread->domains[i];

		if (domain->devices > 0)
			add_domain(table, spread,
				   analyze_spread_domain_name(spread, domain),
				   domain->devices, &domain->load);
	}
	for (size_t i = 0; i < spread->map->device_count && spread->type == 0; i++) {
		const struct spread_device *device = &spread->devices[i];

		if (analyze_spread_lists(device))
			add_domain(table, spread, spread->map->devices[i].name, 1,
				   &device->load);
	}
}

const char *analyze_spread_domain_name(const struct spread *spread,
				       const struct spread_domain *domain)
{
	return domain->bucket == ANALYZE_NOWHERE
		       ? NULL
		       : spread->map->buckets[domain->bucket].name;
}

static void add_device(strew_table *table, const struct spread *spread, int32_t index)
{
	result_integer(table, index >= 0 ? spread->map->devices[index].id : STREW_NONE);
}

static double percent_of(const struct spread *spread, int32_t index)
{
	return index >= 0 ? analyze_spread_percent(spread, &spread->devices[index].load)
			  : NAN;
}

static void add_balance(strew_table *table, const struct spread *spread)
{
	const struct spread_balance *balance = &spread->balance;
	double most = percent_of(spread, balance->fullest);
	double least = percent_of(spread, balance->emptiest);
	bool known = balance->devices > 0;

	add_device(table, spread, balance->fullest);
	result_real(table, most);
	add_device(table, spread, balance->emptiest);
	result_real(table, least);
	result_real(table, least / 100);
	result_real(table, most / 100);
	result_real(table, known ? balance->stddev : NAN);
	result_real(table, known && spread->plan.kind != ANALYZE_OBJECTS ? balance->chance
									 : NAN);
	result_integer(table, known ? (int64_t)balance->primaries_min : INT64_MIN);
	result_integer(table, known ? (int64_t)balance->primaries_max : INT64_MIN);
	result_real(table, known ? balance->primaries_mean : NAN);
}

static void add_fill(strew_table *table, const struct spread *spread)
{
	static const char *const bases[] = {[SPREAD_FILL_UNKNOWN] = NULL,
					    [SPREAD_FILL_USED] = "used",
					    [SPREAD_FILL_PLACED] = "placed"};
	int32_t highest = spread->balance.highest_fill;

	result_text(table, bases[spread->fill]);
	add_device(table, spread, highest);
	result_real(table, highest >= 0 ? analyze_spread_fill(
						  spread, &spread->devices[highest].load)
					: NAN);
}

static void add_growth(strew_table *table, const struct spread *spread)
{
	struct spread_room room = analyze_spread_whole_room(spread);

	if (!analyze_spread_tells_room(spread))
		room = (struct spread_room){
			.growth = NAN,
			.growth_later = NAN,
			.limit.growth = NAN,
			.first = -1,
			.first_later = -1,
		};
	result_text(table, spread->has_data ? "data" : "shards");
	result_real(table, spread->ratios.full);
	result_real(table, spread->ratios.backfillfull);
	result_real(table, spread->ratios.nearfull);
	analyze_spread_add_bytes(table, room.size, spread->has_sizes && room.size > 0);
	analyze_spread_add_room(table, spread, &room, analyze_spread_raw_stock(&room));
}

static void fill_summary(struct spread *spread, strew_table *table, const char *why)
{
	const struct spread_totals *totals = &spread->totals;

	result_row(table);
	result_integer(table, spread->plan.kind == ANALYZE_OBJECTS
				      ? INT64_MIN
				      : (int64_t)spread->plan.units);
	result_integer(table, (int64_t)totals->wanted);
	result_integer(table, (int64_t)totals->unplaced);
	result_integer(table, (int64_t)totals->devices);
	analyze_spread_add_bytes(table, totals->bytes, totals->has_bytes);
	result_text(table, analyze_inexact_basis(&spread->inexact));
	result_text(table, spread->level);
	add_balance(table, spread);
	add_fill(table, spread);
	add_growth(table, spread);
	result_text(table, why);
}

void analyze_spread_tables(struct spread *spread, const char *why)
{
	strew_result *result = spread->result;

	fill_devices(spread, result_add_table(result, "devices", NULL, device_columns,
					      COUNT(device_columns), RESULT_NO_TEXT));
	fill_domains(spread, result_add_table(result, "domains", NULL, domain_columns,
					      COUNT(domain_columns), RESULT_NO_TEXT));
	fill_summary(spread,
		     result_add_table(result, "summary", NULL, summary_columns,
				      COUNT(summary_columns),
				      RESULT_RECORD | RESULT_NO_TEXT),
		     why);
}
