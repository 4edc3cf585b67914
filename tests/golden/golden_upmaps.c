/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "golden.h"

/* What osdmaptool --upmap-cleanup wants to do, against the findings of check. */

#define PGS_MAX 64

struct subject {
	const char *name;
	const strew_table *findings;
	char pgs[PGS_MAX][16]; /* that commands are about */
	int32_t pg_count;
	struct golden_tally *tally;
};

static const char *text_of(const strew_table *table, size_t row, const char *column)
{
	int index = strew_table_find_column(table, column);

	if (index < 0)
		golden_stop("there is no column %s", column);
	return strew_table_cell(table, row, (size_t)index).text;
}

static int is_upmap(const strew_table *table, size_t row)
{
	const char *code = text_of(table, row, "code");

	return strcmp(code, "upmap-dropped") == 0 || strcmp(code, "upmap-partly") == 0;
}

/* "keeps 2: …" */
static int kept_pairs(const char *message)
{
	const char *at = strstr(message, "keeps ");
	int kept = 0;

	return at && sscanf(at, "keeps %d", &kept) == 1 ? kept : 0;
}

/* How many pairs are kept for a PG; -1: all of them. */
static int find_kept(const struct subject *subject, const char *pg)
{
	char path[64];

	snprintf(path, sizeof(path), "PG %s", pg);
	for (size_t row = 0; row < strew_table_row_count(subject->findings); row++)
		if (is_upmap(subject->findings, row) &&
		    strcmp(text_of(subject->findings, row, "path"), path) == 0)
			return kept_pairs(text_of(subject->findings, row, "message"));
	return -1;
}

/* "ceph osd rm-pg-upmap-items 1.a", "ceph osd pg-upmap-items 1.4 10 14 9 15" */
static void compare_line(char *line, void *ctx)
{
	struct subject *subject = ctx;
	char verb[32], pg[32];
	int32_t expected = 0, got;
	int used = 0, number, more = 0;
	char what[256];

	if (sscanf(line, "ceph osd %31s %31s%n", verb, pg, &used) != 2)
		golden_stop("%s: what is \"%s\"?", subject->name, line);
	while (sscanf(line + used, "%d%n", &number, &more) == 1) {
		used += more;
		expected++;
	}
	expected /= 2;
	got = find_kept(subject, pg);
	snprintf(what, sizeof(what), "%s: pairs that are kept of PG %s", subject->name,
		 pg);
	golden_compare(subject->tally, what, &expected, 1, &got, 1);
}

/* An upmap and items of one PG go by two commands. */
static void note_line(char *line, void *ctx)
{
	struct subject *subject = ctx;
	char pg[16] = "";

	compare_line(line, ctx);
	sscanf(line, "ceph osd %*s %15s", pg);
	for (int32_t i = 0; i < subject->pg_count; i++)
		if (strcmp(subject->pgs[i], pg) == 0)
			return;
	if (subject->pg_count == PGS_MAX)
		golden_stop("%s: too many PGs", subject->name);
	memcpy(subject->pgs[subject->pg_count++], pg, sizeof(pg));
}

static int32_t count_findings(const strew_table *findings)
{
	int32_t count = 0;

	for (size_t row = 0; row < strew_table_row_count(findings); row++)
		count += is_upmap(findings, row);
	return count;
}

static strew_result *check_map(const char *path)
{
	strew_check_options options = STREW_CHECK_OPTIONS_INIT;
	strew_map *map = golden_read_map(path, NULL);
	strew_result *result = NULL;
	strew_error error;

	options.count = 1;
	golden_need(strew_check(&result, map, &options, NULL, &error), path, &error);
	strew_map_release(map);
	return result;
}

static void compare_file(const char *folder, const char *name, struct golden_tally *tally)
{
	char *path = golden_path(folder, name, ".osdmap");
	char *recorded = golden_path(folder, name, ".commands.txt");
	strew_result *result = check_map(path);
	struct subject subject = {.name = name,
				  .findings = strew_result_table(result, "findings"),
				  .tally = tally};
	int32_t found;

	golden_each_line(recorded, note_line, &subject);
	found = count_findings(subject.findings);
	golden_compare(tally, name, &subject.pg_count, 1, &found, 1);
	strew_result_free(result);
	free(path);
	free(recorded);
}

void golden_upmaps(const char *folder, struct golden_tally *tally)
{
	golden_each_file(folder, ".osdmap", compare_file, tally);
}
