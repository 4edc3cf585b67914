/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "golden.h"

/* PGID raw primary up primary acting primary */
#define PG_FIELDS 7
/* pool object PGID acting */
#define OBJECT_FIELDS 4

struct subject {
	const char *name;
	strew_placer *placer;
	strew_scratch *scratch;
	struct golden_tally *tally;
};

/** A PG's placement with room for it. */
struct placement {
	strew_stages stages;
	int32_t raw[STREW_WANT_MAX];
	int32_t up[STREW_WANT_MAX];
	int32_t acting[STREW_WANT_MAX];
};

/** Cut a line at its tabs. */
static void split_line(char *line, char **fields, int count)
{
	for (int i = 0; i < count; i++) {
		fields[i] = strsep(&line, "\t");
		if (fields[i] == NULL)
			golden_stop("a line has %d fields, not %d", i, count);
	}
}

static void place(struct placement *out, const struct subject *subject, strew_pg pg)
{
	memset(&out->stages, 0, sizeof(out->stages));
	out->stages.raw = (strew_set){.devices = out->raw, .room = STREW_WANT_MAX};
	out->stages.up = (strew_set){.devices = out->up, .room = STREW_WANT_MAX};
	out->stages.acting = (strew_set){.devices = out->acting, .room = STREW_WANT_MAX};
	golden_need(strew_place_pg(subject->placer, pg, &out->stages, subject->scratch),
		    subject->name, NULL);
}

static strew_pg parse_pg(const char *text)
{
	strew_pg pg;

	golden_need(strew_pg_parse(&pg, text), text, NULL);
	return pg;
}

/** Recorded primaries are -1 when there is none. */
static int32_t parse_primary(const char *text)
{
	int32_t primary = (int32_t)strtol(text, NULL, 10);

	return primary == -1 ? STREW_NONE : primary;
}

/** A stage, with the primary as the last entry of what is compared. */
static void compare_stage(const struct subject *subject, const char *pg,
			  const char *stage, char **fields, const strew_set *set)
{
	int32_t expected[STREW_WANT_MAX + 1];
	int32_t got[STREW_WANT_MAX + 1];
	int count = golden_parse_set(expected, STREW_WANT_MAX, fields[0]);
	char what[512];

	snprintf(what, sizeof(what), "%s: %s, %s and its primary", subject->name, pg,
		 stage);
	memcpy(got, set->devices, (size_t)set->count * sizeof(*got));
	expected[count] = parse_primary(fields[1]);
	got[set->count] = set->primary;
	golden_compare(subject->tally, what, expected, count + 1, got, set->count + 1);
}

static void trace_pg(const struct subject *subject, strew_pg pg, char **fields)
{
	strew_inputs inputs = STREW_INPUTS_INIT;
	int32_t expected[STREW_WANT_MAX];
	int count = golden_parse_set(expected, STREW_WANT_MAX, fields[5]);

	inputs.pg = &pg;
	golden_trace(subject->tally, fields[0], subject->placer, &inputs, expected,
		     count);
}

static void compare_pg(char *line, void *ctx)
{
	const struct subject *subject = ctx;
	char *fields[PG_FIELDS];
	struct placement placement;

	if (line[0] == '#')
		return;
	split_line(line, fields, PG_FIELDS);
	place(&placement, subject, parse_pg(fields[0]));
	compare_stage(subject, fields[0], "raw", fields + 1, &placement.stages.raw);
	compare_stage(subject, fields[0], "up", fields + 3, &placement.stages.up);
	compare_stage(subject, fields[0], "acting", fields + 5, &placement.stages.acting);
	trace_pg(subject, parse_pg(fields[0]), fields);
}

/** The object's PG, which must be the recorded one. */
static strew_pg find_pg(const struct subject *subject, char **fields, const char *what)
{
	strew_object object = {.name = fields[1], .name_len = strlen(fields[1])};
	strew_pg recorded = parse_pg(fields[2]);
	strew_pg pg;

	golden_need(strew_object_pg(&pg, subject->placer, atoll(fields[0]), &object),
		    what, NULL);
	if (pg.pool != recorded.pool || pg.seed != recorded.seed)
		golden_stop("%s: the PG is %lld.%x, not %s", what, (long long)pg.pool,
			    pg.seed, fields[2]);
	return pg;
}

static void compare_object(char *line, void *ctx)
{
	const struct subject *subject = ctx;
	char *fields[OBJECT_FIELDS];
	struct placement placement;
	int32_t expected[STREW_WANT_MAX];
	char what[512];
	int count;

	if (line[0] == '#')
		return;
	split_line(line, fields, OBJECT_FIELDS);
	snprintf(what, sizeof(what), "%s: object %s in pool %s", subject->name, fields[1],
		 fields[0]);
	place(&placement, subject, find_pg(subject, fields, what));
	count = golden_parse_set(expected, STREW_WANT_MAX, fields[3]);
	golden_compare(subject->tally, what, expected, count, placement.acting,
		       placement.stages.acting.count);
}

/** Against what was recorded; the map is released. */
static void compare_records(const char *folder, const char *name, strew_map *map,
			    struct golden_tally *tally)
{
	char *pgs = golden_path(folder, name, ".pgs.tsv.gz");
	char *objects = golden_path(folder, name, ".objects.tsv");
	struct subject subject = {
		.name = name, .placer = golden_placer(map), .tally = tally};

	subject.scratch = golden_scratch(subject.placer);
	golden_each_line(pgs, compare_pg, &subject);
	golden_each_line(objects, compare_object, &subject);
	strew_scratch_free(subject.scratch);
	strew_placer_release(subject.placer);
	strew_map_release(map);
	free(pgs);
	free(objects);
}

/** The cluster from its dumps, and from its binary map. */
static void compare_map(const char *folder, const char *name, struct golden_tally *tally)
{
	char *crush = golden_path(folder, name, ".crush.json");
	char *dump = golden_path(folder, name, ".dump.json");
	char *binary = golden_path(folder, name, ".osdmap");

	compare_records(folder, name, golden_read_map(crush, dump), tally);
	compare_records(folder, name, golden_read_map(binary, NULL), tally);
	free(crush);
	free(dump);
	free(binary);
}

void golden_osdmap(const char *folder, struct golden_tally *tally)
{
	golden_each_file(folder, ".pgs.tsv.gz", compare_map, tally);
}
