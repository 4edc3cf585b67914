/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base_str.h"

/* What people read first: one line, the totals, and sentences. */

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

static void add_kind(struct base_str *text, size_t count, const char *type)
{
	size_t len = strlen(type);
	bool has_plural = len > 0 && type[len - 1] == 's';

	base_str_addf(text, "%zu %s%s", count, type, count == 1 || has_plural ? "" : "s");
}

/* "1 rack, 8 hosts, 96 devices added to ams1" */
static void add_crowd(struct base_str *text, const strew_map *map,
		      const struct diff_crowd *crowd, const char *verb,
		      const char *preposition)
{
	bool first = true;

	for (size_t i = map->type_count; i-- > 0;) {
		if (crowd->by_type[i] == 0)
			continue;
		if (first)
			begin_phrase(text);
		else
			base_str_add(text, ", ");
		add_kind(text, crowd->by_type[i],
			 map->types[i].id == 0 ? "device" : map->types[i].name);
		first = false;
	}
	if (first)
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
	base_str_addf(text, "placed by rule %s with size %d",
		      strew_map_rule_name(diff->sides[1].map, rule),
		      analyze_diff_want(diff, group, 1));
}

static void tell_headline(struct diff *diff)
{
	const struct diff_changes *changes = &diff->changes;
	const char *before = diff->how.old_name ? diff->how.old_name : "OLD";
	const char *after = diff->how.new_name ? diff->how.new_name : "NEW";
	struct base_str text;

	base_str_init(&text, diff->allocator);
	add_crowd(&text, diff->sides[1].map, &changes->added, "added", "to");
	add_crowd(&text, diff->sides[0].map, &changes->removed, "removed", "from");
	add_counts(&text, changes);
	add_choice(&text, diff);
	if (base_str_len(&text) == 0)
		base_str_add(&text, "no difference between the maps");
	result_set_headline(diff->result, "%s → %s    %s", before, after,
			    base_str_text(&text));
	if (!base_str_ok(&text))
		diff->out_of_memory = true;
	base_str_free(&text);
}

static void add_percent(strew_table *table, double part, double whole)
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
	add_percent(table, moved, total);
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

static void add_shards(strew_table *table, const struct diff_totals *totals)
{
	double moved = (double)totals->moved, shards = (double)totals->shards;

	add_count_total(table, "shards", moved, shards);
	result_textf(table, "%.0f", totals->minimum);
	add_percent(table, totals->minimum, shards);
	if (totals->minimum > 1e-6 * shards)
		result_textf(table, "%.2f×", moved / totals->minimum);
	else
		leave_blank(table, 1);
}

static void add_data(strew_table *table, const struct diff_totals *totals)
{
	char moved[RESULT_BYTES_ROOM], total[RESULT_BYTES_ROOM], least[RESULT_BYTES_ROOM];

	result_print_bytes(moved, totals->bytes_moved);
	result_print_bytes(total, totals->bytes);
	result_print_bytes(least, totals->minimum_bytes);
	result_row(table);
	result_text(table, "data");
	result_text(table, moved);
	result_text(table, "/");
	result_text(table, total);
	add_percent(table, totals->bytes_moved, totals->bytes);
	result_text(table, least);
	leave_blank(table, 2);
}

static void tell_totals(const struct diff *diff)
{
	add_units(diff, diff->tables.totals);
	add_shards(diff->tables.totals, &diff->totals);
	if (diff->totals.has_bytes)
		add_data(diff->tables.totals, &diff->totals);
}

static void warn_unplaced(const struct diff *diff)
{
	uint64_t count = diff->totals.unplaced;

	if (count > 0)
		result_add_warning(diff->result,
				   "%" PRIu64
				   " %s lost: the device goes and no other is found.",
				   count, count == 1 ? "shard is" : "shards are");
}

/* How full a device is before and after, in percent; below 0 when that can't be told. */
struct fill {
	double before;
	double after;
};

static bool tells_use(const struct diff *diff)
{
	const strew_map *map = diff->sides[0].map;

	for (size_t i = 0; i < map->device_count; i++) {
		if (map->devices[i].used_bytes > 0)
			return true;
	}
	return false;
}

static const strew_device *device_on(const struct diff *diff,
				     const struct diff_device *device, int side)
{
	int32_t index = device->indexes[side];

	return index >= 0 ? &diff->sides[side].map->devices[index] : NULL;
}

/* From what the cluster says it uses, or else from what is placed on it. */
static struct fill fill_of(const struct diff *diff, const struct diff_device *device,
			   bool use)
{
	const strew_device *before = device_on(diff, device, 0);
	const strew_device *after = device_on(diff, device, 1);
	struct fill fill = {-1, -1};
	double used = device->held[0];

	if (use)
		used = before ? (double)before->used_bytes : 0;
	if (before && before->size_bytes > 0)
		fill.before = 100 * used / (double)before->size_bytes;
	if (after && after->size_bytes > 0)
		fill.after = 100 * (used + device->held[1] - device->held[0]) /
			     (double)after->size_bytes;
	return fill;
}

/* Does what is placed stand for all that is stored? */
static bool covers_all(const struct diff *diff)
{
	return diff->plan.kind == ANALYZE_PGS && diff->plan.inputs.pg == NULL &&
	       diff->plan.group_count == diff->sides[1].map->pool_count;
}

static void note_fullest(const struct diff *diff)
{
	const struct diff_device *fullest = NULL;
	struct fill worst = {-1, -1};
	bool use = tells_use(diff);

	if (!diff->totals.has_bytes || diff->totals.lacks_bytes ||
	    !(use || covers_all(diff)))
		return;
	for (size_t i = 0; i < diff->device_count; i++) {
		struct fill fill = fill_of(diff, &diff->devices[i], use);

		if (fill.after <= worst.after)
			continue;
		worst = fill;
		fullest = &diff->devices[i];
	}
	if (fullest && worst.before >= 0)
		result_add_note(
			diff->result,
			"fullest device after the change: %s %.1f %% (was %.1f %%)",
			analyze_diff_device_name(diff, fullest), worst.after,
			worst.before);
	else if (fullest)
		result_add_note(diff->result,
				"fullest device after the change: %s %.1f %% (new)",
				analyze_diff_device_name(diff, fullest), worst.after);
}

static void note_bytes(const struct diff *diff)
{
	if (diff->totals.has_bytes && diff->totals.lacks_bytes)
		result_add_note(diff->result,
				"The data is that of the pools and objects whose bytes "
				"(and k, for erasure codes) are known.");
}

/* Why more moves than has to. */
static void note_excess(const struct diff *diff)
{
	const struct diff_totals *totals = &diff->totals;
	size_t ids = diff->changes.counts[DIFF_ID];

	if (totals->moved == 0)
		return;
	if (totals->minimum < 1e-6 * (double)totals->shards)
		result_add_note(diff->result, "No device's share by weight grows, so "
					      "nothing would have to move.");
	else if (totals->between_old > 0 && totals->between_old < totals->moved)
		result_add_note(diff->result,
				"%" PRIu64 " of the moved shards go from one device to "
					   "another that both maps use.",
				totals->between_old);
	if (ids > 0)
		result_add_note(
			diff->result,
			"Bucket ids decide where data goes, and %zu changed: with the "
			"ids that they had, buckets keep what they need not give away.",
			ids);
}

static void note_more(const struct diff *diff)
{
	static const char *const units[] = {[ANALYZE_PGS] = "PG",
					    [ANALYZE_RAW] = "input",
					    [ANALYZE_OBJECTS] = "object"};

	if (!diff->how.list && diff->totals.units_changed > 0)
		result_add_note(diff->result,
				"`--list` shows every %s that changes; `--report json` "
				"has the changes of the maps and the devices.",
				units[diff->plan.kind]);
}

void analyze_diff_tell(struct diff *diff)
{
	tell_headline(diff);
	tell_totals(diff);
	warn_unplaced(diff);
	note_fullest(diff);
	note_bytes(diff);
	note_excess(diff);
	note_more(diff);
}
