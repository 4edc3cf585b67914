/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Sentences below the tables: what needs a hand, what explains, what to do next. */

static void warn_unplaced(const struct diff *diff)
{
	uint64_t count = diff->totals.unplaced;

	if (count > 0)
		result_add_warning(diff->result, "%" PRIu64 " %s.", count,
				   count == 1
					   ? "shard loses its device and gets no other"
					   : "shards lose their device and get no other");
}

static bool is_asked_for(const strew_inputs *inputs, int64_t pool)
{
	for (size_t i = 0; i < inputs->pool_count && inputs->pools; i++) {
		if (inputs->pools[i] == pool)
			return true;
	}
	return inputs->pools == NULL;
}

static void note_one_sided(const struct diff *diff, int side)
{
	const strew_map *map = diff->sides[side].map, *other = diff->sides[1 - side].map;
	size_t count = 0;

	if (diff->plan.kind != ANALYZE_PGS || diff->plan.inputs.pg)
		return;
	for (size_t i = 0; i < map->pool_count; i++)
		count += is_asked_for(&diff->plan.inputs, map->pools[i].id) &&
			 strew_map_pool_by_id(other, map->pools[i].id) == NULL;
	if (count > 0)
		result_add_note(diff->result, "%zu %s only in %s and not counted.", count,
				count == 1 ? "pool is" : "pools are",
				analyze_diff_side_name(diff, side));
}

static void note_bytes(const struct diff *diff)
{
	if (diff->totals.has_bytes && diff->totals.lacks_bytes)
		result_add_note(diff->result,
				"The data is that of the pools and objects whose bytes "
				"(and k, for erasure codes) are known.");
}

const strew_bucket *analyze_diff_first_taken(const struct diff *diff, int side)
{
	const strew_map *map = diff->sides[side].map;
	const struct map_rule *rule =
		map_rule_by_id(map, analyze_diff_rule(diff, diff->plan.groups, side));

	for (size_t i = 0; i < rule->step_count; i++) {
		if (rule->steps[i].op == STREW_OP_TAKE)
			return strew_map_bucket_by_id(map, rule->steps[i].arg1);
	}
	return NULL;
}

/* Why more moves than has to. */
static void note_excess(const struct diff *diff)
{
	const struct diff_totals *totals = &diff->totals;

	if (totals->moved == 0)
		return;
	if (totals->minimum < 1e-6 * (double)totals->shards)
		result_add_note(diff->result, "No device's expected share grows, so "
					      "nothing would have to move.");
	else if (totals->between_old > 0 && totals->between_old < totals->moved)
		result_add_note(diff->result,
				"%" PRIu64 " of the moved shards %s from one device to "
				"another that both maps use.",
				totals->between_old,
				totals->between_old == 1 ? "goes" : "go");
	if (totals->forced > 0)
		result_add_note(diff->result,
				"%" PRIu64 " %s on devices that NEW can't use at all.",
				totals->forced,
				totals->forced == 1 ? "shard lies" : "shards lie");
}

void analyze_diff_note_more(const struct diff *diff)
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

void analyze_diff_add_notes(const struct diff *diff)
{
	warn_unplaced(diff);
	analyze_diff_note_cleanup(diff);
	note_one_sided(diff, 0);
	note_one_sided(diff, 1);
	analyze_diff_note_fill(diff);
	note_bytes(diff);
	analyze_diff_note_time(diff);
	note_excess(diff);
	analyze_inexact_note(diff->result, &diff->inexact);
}
