/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base_str.h"

/* What people read first: one line and the totals. */

/* Of what is counted, one and many. */
static const char *const nouns[DIFF_CHANGE_COUNT][2] = {
	[DIFF_MOVED] = {"item moved", "items moved"},
	[DIFF_PLACES] = {"item linked or unlinked", "items linked or unlinked"},
	[DIFF_RENAMED] = {"name changed", "names changed"},
	[DIFF_TYPE] = {"type changed", "types changed"},
	[DIFF_ALG] = {"selector changed", "selectors changed"},
	[DIFF_ORDER] = {"bucket in another order", "buckets in another order"},
	[DIFF_ID] = {"bucket id changed", "bucket ids changed"},
	[DIFF_WEIGHT] = {"weight changed", "weights changed"},
	[DIFF_CLASS] = {"device class changed", "device classes changed"},
	[DIFF_REWEIGHT] = {"reweight changed", "reweights changed"},
	[DIFF_STATE] = {"device state changed", "device states changed"},
	[DIFF_AFFINITY] = {"primary affinity changed", "primary affinities changed"},
	[DIFF_TUNABLE] = {"tunable changed", "tunables changed"},
	[DIFF_RULE] = {"rule changed", "rules changed"},
	[DIFF_WEIGHT_SET] = {"weight set changed", "weight sets changed"},
	[DIFF_POOL] = {"pool changed", "pools changed"},
	[DIFF_UPMAP] = {"upmap changed", "upmaps changed"},
};

static void begin_phrase(struct base_str *text)
{
	if (base_str_len(text) > 0)
		base_str_add(text, "; ");
}

/* "1 rack, 8 hosts, 96 devices added to ams1" */
static void add_crowd(struct base_str *text, const strew_map *map,
		      const struct diff_crowd *crowd, const char *verb,
		      const char *preposition)
{
	const char *before = base_str_len(text) > 0 ? "; " : "";

	if (!analyze_add_types(text, map, crowd->by_type, before))
		return;
	base_str_addf(text, " %s", verb);
	if (crowd->place && !crowd->many_places)
		base_str_addf(text, " %s %s", preposition, crowd->place);
}

static void add_counts(struct base_str *text, const struct diff_changes *changes)
{
	for (size_t i = 0; i < DIFF_CHANGE_COUNT; i++) {
		size_t count = changes->counts[i];

		if (count == 0 || nouns[i][0] == NULL)
			continue;
		begin_phrase(text);
		base_str_addf(text, "%zu %s", count, nouns[i][count > 1]);
	}
}

static void add_choice(struct base_str *text, const struct diff *diff)
{
	const struct analyze_group *group = diff->plan.groups;
	int32_t rule = analyze_diff_rule(diff, group, 1);

	if (diff->changes.counts[DIFF_CHOICE] == 0)
		return;
	begin_phrase(text);
	base_str_add(text, "placed");
	if (diff->how.new_rule >= 0)
		base_str_addf(text, " by rule %s",
			      strew_map_rule_name(diff->sides[1].map, rule));
	if (diff->how.new_want > 0)
		base_str_addf(text, " with size %d", diff->how.new_want);
}

const char *analyze_diff_side_name(const struct diff *diff, int side)
{
	if (side == 0)
		return diff->how.old_name ? diff->how.old_name : "OLD";
	return diff->how.new_name ? diff->how.new_name : "NEW";
}

static void tell_headline(struct diff *diff)
{
	const struct diff_changes *changes = &diff->changes;
	struct base_str text;

	base_str_init(&text, diff->allocator);
	add_crowd(&text, diff->sides[1].map, &changes->added, "added", "to");
	add_crowd(&text, diff->sides[0].map, &changes->removed, "removed", "from");
	add_counts(&text, changes);
	add_choice(&text, diff);
	if (base_str_len(&text) == 0)
		base_str_add(&text, "no difference between the maps");
	result_set_headline(diff->result, "%s → %s    %s",
			    analyze_diff_side_name(diff, 0),
			    analyze_diff_side_name(diff, 1), base_str_text(&text));
	if (!base_str_ok(&text))
		diff->out_of_memory = true;
	base_str_free(&text);
}

void analyze_diff_add_percent(strew_table *table, double part, double whole)
{
	double percent = whole > 0 ? 100 * part / whole : 0;
	bool nearly_all = percent >= 99.9 && percent < 100;

	result_textf(table, "(%.*f %%)", percent < 9.995 || nearly_all ? 2 : 1, percent);
}

static void add_count_total(strew_table *table, const char *what, double moved,
			    double total)
{
	result_row(table);
	result_text(table, what);
	result_textf(table, "%.0f", moved);
	result_text(table, "/");
	result_textf(table, "%.0f", total);
	analyze_diff_add_percent(table, moved, total);
}

static void leave_blank(strew_table *table, int cells)
{
	while (cells-- > 0)
		result_text(table, "");
}

static void add_units(const struct diff *diff, strew_table *table)
{
	static const char *const units[] = {[ANALYZE_PGS] = "PGs",
					    [ANALYZE_RAW] = "inputs",
					    [ANALYZE_OBJECTS] = "objects"};
	const struct diff_totals *totals = &diff->totals;

	add_count_total(table, units[diff->plan.kind], (double)totals->units_changed,
			(double)totals->units);
	leave_blank(table, 3);
	if (diff->plan.kind == ANALYZE_OBJECTS || totals->lacks_objects)
		return;
	add_count_total(table, "objects", totals->objects_moved, totals->objects);
	leave_blank(table, 3);
}

/* A mean; of a few, its part of a shard tells. */
static void add_mean(strew_table *table, double shards)
{
	bool has_part = shards < 9.95 && fabs(shards - round(shards)) >= 0.05;

	result_textf(table, "%.*f", has_part ? 1 : 0, shards);
}

static void add_shards(strew_table *table, const struct diff_totals *totals)
{
	double moved = (double)totals->moved, shards = (double)totals->shards;

	add_count_total(table, "shards", moved, shards);
	add_mean(table, totals->minimum);
	analyze_diff_add_percent(table, totals->minimum, shards);
	if (totals->minimum > 1e-6 * shards)
		result_textf(table, "%.2f×", moved / totals->minimum);
	else
		leave_blank(table, 1);
}

static void add_data(strew_table *table, const struct diff *diff)
{
	const struct diff_totals *totals = &diff->totals;
	char moved[RESULT_BYTES_ROOM], total[RESULT_BYTES_ROOM], least[RESULT_BYTES_ROOM];

	result_print_bytes(moved, totals->bytes_moved);
	result_print_bytes(total, totals->bytes);
	result_print_bytes(least, analyze_diff_least_bytes(diff, totals));
	result_row(table);
	result_text(table, "data");
	result_text(table, moved);
	result_text(table, "/");
	result_text(table, total);
	analyze_diff_add_percent(table, totals->bytes_moved, totals->bytes);
	result_text(table, least);
	leave_blank(table, 2);
}

static void tell_totals(const struct diff *diff)
{
	add_units(diff, diff->tables.totals);
	add_shards(diff->tables.totals, &diff->totals);
	if (diff->totals.has_bytes)
		add_data(diff->tables.totals, diff);
}

void analyze_diff_tell(struct diff *diff)
{
	tell_headline(diff);
	tell_totals(diff);
	analyze_diff_add_notes(diff);
}
