/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <inttypes.h>
#include <math.h>

#define NAMES_MAX 5

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void add_subject(struct base_str *text, const struct spread *spread)
{
	const struct analyze_group *group = spread->plan.groups;

	if (spread->plan.kind == ANALYZE_RAW)
		base_str_addf(text, "rule %s",
			      strew_map_rule_name(spread->map,
						  analyze_spread_rule(spread, group)));
	else if (spread->plan.group_count == 1)
		base_str_add(text, group->pools[0]->name);
	else
		base_str_addf(text, "%zu pools", spread->plan.group_count);
}

static void add_extreme(struct base_str *text, const struct spread *spread,
			const char *what, int32_t index)
{
	const struct spread_load *load = &spread->devices[index].load;
	double fill = analyze_spread_fill(spread, load);

	base_str_addf(text, "%s %s at %.1f %%", what, spread->map->devices[index].name,
		      analyze_spread_percent(spread, load));
	if (index == spread->balance.fullest)
		base_str_add(text, " of its share");
	if (isfinite(fill))
		base_str_addf(text, " (%.1f %% full)", fill);
}

/* "data: 12288 shards on 88 devices; fullest osd.54 at 112.3 % of its share, emptiest
 * osd.26 at 75.6 %" */
void analyze_spread_headline(struct spread *spread)
{
	const struct spread_balance *balance = &spread->balance;
	const struct spread_totals *totals = &spread->totals;
	struct base_str text;

	base_str_init(&text, spread->allocator);
	add_subject(&text, spread);
	base_str_addf(&text, ": %" PRIu64 " shard%s on %zu device%s", totals->placed,
		      plural(totals->placed), totals->devices, plural(totals->devices));
	if (balance->fullest >= 0) {
		add_extreme(&text, spread, "; fullest", balance->fullest);
		add_extreme(&text, spread, ", emptiest", balance->emptiest);
	}
	result_set_headline(spread->result, "%s", base_str_text(&text));
	if (!base_str_ok(&text))
		spread->out_of_memory = true;
	base_str_free(&text);
}

static void add_part(struct base_str *text, const char *part, size_t count)
{
	if (count == 0)
		return;
	base_str_addf(text, "%s%zu %s", base_str_len(text) > 0 ? "; " : "", count, part);
}

static size_t count_overrides(const struct spread *spread)
{
	const strew_map *map = spread->map;
	size_t count = 0;

	for (size_t i = 0; i < spread->plan.group_count; i++) {
		const strew_pool *pool = spread->plan.groups[i].pools[0];
		size_t at = pool ? map_override_place(map, (strew_pg){pool->id, 0})
				 : map->override_count;

		for (; at < map->override_count && map->overrides[at].pg.pool == pool->id;
		     at++) {
			const struct map_override *override = &map->overrides[at];

			count += override->upmap_count > 0 ||
				 override->upmap_item_count > 0 ||
				 (spread->how.acting && override->temp_count > 0);
		}
	}
	return count;
}

static void add_device_reasons(struct base_str *text, const struct spread *spread)
{
	size_t down = 0, out = 0, reweighted = 0;

	for (size_t i = 0; i < spread->map->device_count; i++) {
		const strew_device *device = &spread->map->devices[i];

		if (!analyze_spread_lists(&spread->devices[i]))
			continue;
		if (!device->exists || !device->up)
			down++;
		else if (device->reweight == 0)
			out++;
		else if (device->reweight < STREW_WEIGHT_ONE)
			reweighted++;
	}
	add_part(text,
		 reweighted == 1 ? "device with a reweight below 1"
				 : "devices with a reweight below 1",
		 reweighted);
	add_part(text, out == 1 ? "device out" : "devices out", out);
	add_part(text, down == 1 ? "device down" : "devices down", down);
}

static void add_large(struct base_str *text, const struct spread *spread)
{
	const char *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < spread->domain_count; i++) {
		if (!spread->domains[i].is_large)
			continue;
		if (count++ == 0)
			first = analyze_spread_domain_name(spread, &spread->domains[i]);
	}
	if (count == 0)
		return;
	base_str_addf(text, "%s%s", base_str_len(text) > 0 ? "; " : "", first);
	if (count > 1)
		base_str_addf(text, " and %zu more", count - 1);
	base_str_addf(text, " should by weight hold more than one shard of a PG, which "
			    "the rule does not allow");
}

static size_t count_weight_sets(const struct spread *spread)
{
	size_t count = 0;

	for (size_t i = 0; i < spread->plan.group_count; i++)
		count += analyze_spread_set(spread, &spread->plan.groups[i]) != NULL;
	return count;
}

void analyze_spread_why(const struct spread *spread, struct base_str *text)
{
	const struct spread_balance *balance = &spread->balance;
	size_t overrides = count_overrides(spread), sets = count_weight_sets(spread);

	analyze_spread_explain(spread, text);
	if (balance->devices > 0 && spread->plan.kind != ANALYZE_OBJECTS)
		base_str_addf(
			text,
			"%schance alone makes a STDDEV of %.1f %%, with %.1f shards a "
			"device in the mean",
			base_str_len(text) > 0 ? "; " : "", balance->chance,
			(double)spread->totals.placed / (double)balance->devices);
	add_large(text, spread);
	add_device_reasons(text, spread);
	add_part(text, overrides == 1 ? "PG with overrides" : "PGs with overrides",
		 overrides);
	if (spread->plan.kind == ANALYZE_RAW)
		add_part(text, "weight set", sets);
	else
		add_part(text,
			 sets == 1 ? "pool with a weight set" : "pools with a weight set",
			 sets);
}

static void note_highest_fill(const struct spread *spread)
{
	int32_t highest = spread->balance.highest_fill;

	if (highest < 0 || highest == spread->balance.fullest)
		return;
	result_add_note(spread->result, "highest fill: %s at %.1f %%",
			spread->map->devices[highest].name,
			analyze_spread_fill(spread, &spread->devices[highest].load));
}

void analyze_spread_last_line(struct spread *spread)
{
	const struct spread_balance *balance = &spread->balance;
	const struct spread_device *devices = spread->devices;

	if (balance->fullest < 0)
		return;
	result_add_note(
		spread->result, "MIN/MAX VAR: %.2f/%.2f  STDDEV: %.1f %% of the share",
		analyze_spread_percent(spread, &devices[balance->emptiest].load) / 100,
		analyze_spread_percent(spread, &devices[balance->fullest].load) / 100,
		balance->stddev);
	result_add_note(spread->result,
			"primaries: %" PRIu64 " to %" PRIu64 " a device, mean %.1f",
			balance->primaries_min, balance->primaries_max,
			balance->primaries_mean);
	note_highest_fill(spread);
}

static void warn_unplaced(const struct spread *spread)
{
	uint64_t count = spread->totals.unplaced;

	if (count > 0)
		result_add_warning(spread->result, "%" PRIu64 " %s no device.", count,
				   count == 1 ? "shard finds" : "shards find");
}

/* Devices over nearfull: how many, and the fullest of them. */
struct full {
	size_t count;
	size_t named;
	int32_t indexes[NAMES_MAX];
	double fills[NAMES_MAX];
};

/* The fullest first; of equals, in order. */
static void keep_fullest(struct full *full, int32_t index, double fill)
{
	size_t at = full->named < NAMES_MAX ? full->named++ : NAMES_MAX - 1;

	if (full->count++ >= NAMES_MAX && fill <= full->fills[at])
		return;
	for (; at > 0 && full->fills[at - 1] < fill; at--) {
		full->indexes[at] = full->indexes[at - 1];
		full->fills[at] = full->fills[at - 1];
	}
	full->indexes[at] = index;
	full->fills[at] = fill;
}

static void find_full(const struct spread *spread, struct full *full)
{
	for (size_t i = 0; i < spread->map->device_count; i++) {
		double fill = analyze_spread_fill(spread, &spread->devices[i].load);

		if (analyze_spread_lists(&spread->devices[i]) &&
		    fill >= 100 * spread->ratios.nearfull)
			keep_fullest(full, (int32_t)i, fill);
	}
}

static void warn_full(struct spread *spread)
{
	struct full full = {.count = 0};
	struct base_str names;

	find_full(spread, &full);
	if (full.count == 0)
		return;
	base_str_init(&names, spread->allocator);
	for (size_t i = 0; i < full.named; i++)
		base_str_addf(&names, "%s%s %.1f %%", i > 0 ? ", " : "",
			      spread->map->devices[full.indexes[i]].name, full.fills[i]);
	if (full.count > full.named)
		base_str_addf(&names, " and %zu more", full.count - full.named);
	result_add_warning(spread->result, "%zu device%s over nearfull (%g %%): %s.",
			   full.count, full.count == 1 ? " is" : "s are",
			   100 * spread->ratios.nearfull, base_str_text(&names));
	if (!base_str_ok(&names))
		spread->out_of_memory = true;
	base_str_free(&names);
}

void analyze_spread_notes(struct spread *spread, const char *why)
{
	warn_unplaced(spread);
	warn_full(spread);
	if (*why)
		result_add_note(spread->result, "Why: %s.", why);
	analyze_inexact_note(spread->result, &spread->inexact);
	if (spread->totals.has_bytes && spread->totals.lacks_bytes)
		result_add_note(spread->result,
				"The data is that of the pools and objects whose bytes "
				"(and k, for erasure codes) are known.");
	if (!analyze_spread_shows_devices(spread))
		result_add_note(spread->result,
				"`--devices` shows all %zu devices; `--report json` and "
				"csv have them too.",
				spread->totals.devices);
}
