/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <math.h>
#include <stdlib.h>

/* What the difference between what devices have and what they should have is made of. */

#define VISIBLE  0.05  /* percent of a share */
#define ROUNDING 1e-13 /* of all shards */

static const struct {
	const char *name;
	const char *text;
} parts[SPREAD_PARTS + 1] = {
	{"rule", "the rule's failure domains"},
	{"multi_pick", "drawing without replacement"},
	{"weight_set", "weight sets"},
	{"reweight", "reweights and devices out or down"},
	{"chance", "chance of these PGs"},
	{"upmap", "upmaps"},
	{"pg_size", "PGs of unequal size"},
	{"all", "all together"},
};

/* What one part makes of the difference between what lies there and what should, in
 * shards of mean size; of all parts together, SPREAD_PARTS. */
static double part_of(const struct spread *spread, const struct spread_load *load,
		      int part)
{
	const double *stages = load->stages;
	double from = stages[part < SPREAD_PARTS ? part : SPREAD_TARGET];
	double to = stages[part < SPREAD_PARTS ? part + 1 : SPREAD_FILLED];

	/* What sums of shares are rounded by is nothing. */
	if (fabs(to - from) < ROUNDING)
		return 0;
	return (double)spread->totals.placed * (to - from);
}

void analyze_spread_add_parts(strew_table *table, const struct spread *spread,
			      const struct spread_load *load)
{
	result_real(table, part_of(spread, load, SPREAD_PARTS));
	for (int part = 0; part < SPREAD_PARTS; part++)
		result_real(table, part_of(spread, load, part));
}

/* Of the target. */
static double percent_of(const struct spread *spread, const struct spread_load *load,
			 int part)
{
	double target = load->stages[SPREAD_TARGET] * (double)spread->totals.placed;

	return 100 * part_of(spread, load, part) / target;
}

static double deviation(const struct spread *spread, int part)
{
	double sum = 0;

	for (size_t i = 0; i < spread->map->device_count; i++) {
		const struct spread_device *device = &spread->devices[i];
		double percent = percent_of(spread, &device->load, part);

		if (analyze_spread_competes(device))
			sum += percent * percent;
	}
	return sqrt(sum / (double)spread->balance.devices);
}

/* Formulas tell the first stages, unless a rule is beyond them. */
static const char *basis_of(const struct spread *spread, int part)
{
	enum analyze_basis basis;

	if (part >= SPREAD_EXPECTED)
		return "counted";
	basis = spread->bases[part + 1];
	if (basis < spread->bases[part])
		basis = spread->bases[part];
	if (basis == ANALYZE_BY_WEIGHTS)
		return "weights";
	return basis == ANALYZE_COUNTED ? "counted" : "computed";
}

static void add_row(strew_table *table, const struct spread *spread, int part)
{
	const struct spread_balance *balance = &spread->balance;
	const struct spread_device *devices = spread->devices;

	result_row(table);
	result_text(table, parts[part].name);
	result_text(table, basis_of(spread, part));
	result_real(table, deviation(spread, part));
	result_real(table, percent_of(spread, &devices[balance->fullest].load, part));
	result_real(table, percent_of(spread, &devices[balance->emptiest].load, part));
	result_text(table, parts[part].text);
}

static const struct result_column columns[] = {
	{"part", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"basis", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"stddev_percent", "STDDEV", STREW_CELL_REAL, RESULT_PERCENT},
	{"fullest_percent", "fullest", STREW_CELL_REAL, RESULT_PERCENT},
	{"emptiest_percent", "emptiest", STREW_CELL_REAL, RESULT_PERCENT},
	{"text", "of what", STREW_CELL_TEXT, RESULT_NAME},
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

/* Text leaves out the name and what isn't there. */
static void add_shown(struct spread *spread)
{
	static const struct result_column shown[] = {
		{"text", "of what", STREW_CELL_TEXT, RESULT_NAME},
		{"stddev_percent", "STDDEV", STREW_CELL_REAL, RESULT_PERCENT},
		{"fullest_percent", "fullest", STREW_CELL_REAL, RESULT_PERCENT},
		{"emptiest_percent", "emptiest", STREW_CELL_REAL, RESULT_PERCENT},
		{"basis", "known", STREW_CELL_TEXT, RESULT_NAME},
	};
	const struct spread_balance *balance = &spread->balance;
	strew_table *table = result_add_table(
		spread->result, "imbalance_text",
		"what the imbalance is made of (in percent of a device's share)", shown,
		sizeof(shown) / sizeof(shown[0]), RESULT_TEXT_ONLY);

	for (int part = 0; part <= SPREAD_PARTS; part++) {
		double all = deviation(spread, part);

		if (!(all >= VISIBLE) && part < SPREAD_PARTS)
			continue;
		result_row(table);
		result_text(table, parts[part].text);
		result_real(table, all);
		result_real(table,
			    percent_of(spread, &spread->devices[balance->fullest].load,
				       part));
		result_real(table,
			    percent_of(spread, &spread->devices[balance->emptiest].load,
				       part));
		result_text(table, part < SPREAD_PARTS ? basis_of(spread, part) : NULL);
	}
}

void analyze_spread_imbalance(struct spread *spread)
{
	strew_table *table = result_add_table(spread->result, "imbalance", NULL, columns,
					      COLUMN_COUNT, RESULT_NO_TEXT);

	if (spread->balance.devices == 0)
		return;
	for (int part = 0; part <= SPREAD_PARTS; part++)
		add_row(table, spread, part);
	if (deviation(spread, SPREAD_PARTS) >= VISIBLE)
		add_shown(spread);
}

struct ranked {
	int part;
	double percent;
};

/* What drives a device out of its share comes first, what holds it back last. */
static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->percent > b->percent || a->percent < b->percent)
		return a->percent < b->percent ? 1 : -1;
	return a->part - b->part;
}

/* "osd.4 holds 12.3 % more than its share: chance of these PGs +9.2, …" */
void analyze_spread_explain(const struct spread *spread, struct base_str *text)
{
	int32_t fullest = spread->balance.fullest;
	const struct spread_load *load;
	struct ranked ranked[SPREAD_PARTS];
	const char *between = ":";
	double all;

	if (fullest < 0)
		return;
	load = &spread->devices[fullest].load;
	all = percent_of(spread, load, SPREAD_PARTS);
	if (!(all >= VISIBLE))
		return;
	for (int part = 0; part < SPREAD_PARTS; part++)
		ranked[part] = (struct ranked){part, percent_of(spread, load, part)};
	qsort(ranked, SPREAD_PARTS, sizeof(*ranked), compare_ranked);
	base_str_addf(text, "%s holds %.1f %% more than its share",
		      spread->map->devices[fullest].name, all);
	for (int i = 0; i < SPREAD_PARTS; i++) {
		if (!(fabs(ranked[i].percent) >= VISIBLE))
			continue;
		base_str_addf(text, "%s %s %+.1f %%", between, parts[ranked[i].part].text,
			      ranked[i].percent);
		between = ",";
	}
}
