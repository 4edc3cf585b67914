/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

/* More than any set of the real cluster. */
#define ROOM 16

/** What lies on a device. */
struct count {
	int32_t device;
	int32_t shards;
	int32_t primaries;
};

struct counts {
	struct count *items;
	size_t len;
};

struct subject {
	const char *name;
	const strew_result *result;
	struct counts counts; /* of the real cluster, as recorded */
	struct golden_tally *tally;
};

static strew_cell cell_of(const strew_table *table, size_t row, const char *column)
{
	int index = strew_table_find_column(table, column);

	if (index < 0)
		golden_stop("there is no column %s", column);
	return strew_table_cell(table, row, (size_t)index);
}

/** A device that is not in the table holds nothing. */
static struct count find_count(const strew_result *result, int32_t device)
{
	const strew_table *table = strew_result_table(result, "devices");
	struct count count = {.device = device};

	for (size_t row = 0; row < strew_table_row_count(table); row++) {
		if (cell_of(table, row, "device").integer != device)
			continue;
		count.shards = (int32_t)cell_of(table, row, "actual_shards").integer;
		count.primaries = (int32_t)cell_of(table, row, "primaries").integer;
	}
	return count;
}

static void compare_count(const struct subject *subject, const struct count *expected)
{
	struct count got = find_count(subject->result, expected->device);
	const int32_t left[] = {expected->shards, expected->primaries};
	const int32_t right[] = {got.shards, got.primaries};
	char what[512];

	snprintf(what, sizeof(what), "%s: shards and primaries of device %d",
		 subject->name, (int)expected->device);
	golden_compare(subject->tally, what, left, 2, right, 2);
}

/** "osd.5<TAB>count<TAB>first<TAB>primary…"; every other line is about something else. */
static void compare_line(char *line, void *ctx)
{
	struct count count;

	if (sscanf(line, "osd.%d\t%d\t%*d\t%d", &count.device, &count.shards,
		   &count.primaries) == 3)
		compare_count(ctx, &count);
}

static strew_result *spread_map(const char *path, const char *joined, int acting)
{
	strew_map *map = golden_read_map(path, joined);
	strew_placer *placer = golden_placer(map);
	strew_spread_options options = STREW_SPREAD_OPTIONS_INIT;
	strew_result *result;
	strew_error error = {0};

	options.acting = acting;
	golden_need(strew_spread(&result, placer, NULL, &options, NULL, &error), path,
		    &error);
	strew_placer_release(placer);
	strew_map_release(map);
	return result;
}

static void compare_map(const char *folder, const char *name, struct golden_tally *tally)
{
	char *crush = golden_path(folder, name, ".crush.json");
	char *dump = golden_path(folder, name, ".dump.json");
	char *counts = golden_path(folder, name, ".counts.txt");
	strew_result *result = spread_map(crush, dump, 1);
	struct subject subject = {.name = name, .result = result, .tally = tally};

	golden_each_line(counts, compare_line, &subject);
	strew_result_free(result);
	free(crush);
	free(dump);
	free(counts);
}

void golden_spread(const char *folder, struct golden_tally *tally)
{
	golden_each_file(folder, ".counts.txt", compare_map, tally);
}

static struct count *count_of(struct counts *counts, int32_t device)
{
	struct count *count;

	for (size_t i = 0; i < counts->len; i++) {
		if (counts->items[i].device == device)
			return &counts->items[i];
	}
	counts->items =
		realloc(counts->items, (counts->len + 1) * sizeof(*counts->items));
	if (counts->items == NULL)
		golden_stop("out of memory");
	count = &counts->items[counts->len++];
	*count = (struct count){.device = device};
	return count;
}

/** A PG and its up set; the first line names the columns. */
static void count_pg(char *line, void *ctx)
{
	struct subject *subject = ctx;
	char *id = strsep(&line, "\t");
	char *up = strsep(&line, "\t");
	int32_t devices[ROOM];
	strew_pg pg;
	int count;

	if (up == NULL || strew_pg_parse(&pg, id) != STREW_OK)
		return;
	count = golden_parse_set(devices, ROOM, up);
	for (int i = 0; i < count; i++)
		count_of(&subject->counts, devices[i])->shards++;
	count_of(&subject->counts, devices[0])->primaries++;
}

/** The lowest and the highest deviation from the weight share, in parts of a percent. */
static void compare_extremes(const struct subject *subject, const char *name, int parts,
			     int32_t lowest, int32_t highest)
{
	const strew_table *table = strew_result_table(subject->result, name);
	const int32_t expected[] = {lowest, highest};
	double low = INFINITY, high = -INFINITY;
	int32_t got[2];

	for (size_t row = 0; row < strew_table_row_count(table); row++) {
		double percent = cell_of(table, row, "actual_percent_of_target").real;

		low = fmin(low, percent - 100);
		high = fmax(high, percent - 100);
	}
	got[0] = (int32_t)lround(low * parts);
	got[1] = (int32_t)lround(high * parts);
	golden_compare(subject->tally, name, expected, 2, got, 2);
}

/** What is known of this cluster: −5.41 to +5.91 % by host, −24.4 to +12.3 % by device,
 * 24 to 98 primaries, 46.5 in the mean. */
static void compare_known(const struct subject *subject)
{
	const strew_table *summary = strew_result_table(subject->result, "summary");
	const int32_t expected[] = {24, 98, 465};
	const int32_t got[] = {
		(int32_t)cell_of(summary, 0, "primaries_min").integer,
		(int32_t)cell_of(summary, 0, "primaries_max").integer,
		(int32_t)lround(10 * cell_of(summary, 0, "primaries_mean").real)};

	compare_extremes(subject, "domains", 100, -541, 591);
	compare_extremes(subject, "devices", 10, -244, 123);
	golden_compare(subject->tally, "primaries", expected, 3, got, 3);
}

static void compare_cluster(const char *folder, const char *name,
			    struct golden_tally *tally)
{
	char *crush = golden_path(folder, name, ".crush.json");
	char *dump = golden_path(folder, name, ".osd-dump.json");
	char *up = golden_path(folder, name, ".up.tsv");
	strew_result *result = spread_map(crush, dump, 0);
	struct subject subject = {.name = name, .result = result, .tally = tally};

	golden_each_line(up, count_pg, &subject);
	for (size_t i = 0; i < subject.counts.len; i++)
		compare_count(&subject, &subject.counts.items[i]);
	compare_known(&subject);
	strew_result_free(result);
	free(subject.counts.items);
	free(crush);
	free(dump);
	free(up);
}

void golden_spread_real(const char *folder, struct golden_tally *tally)
{
	golden_each_file(folder, ".up.tsv", compare_cluster, tally);
}
