/* SPDX-License-Identifier: MIT */
/* Some units of a plan, placed together. */
#include "analyze.h"

#include "place.h"

static uint64_t unit_at(const struct analyze_units *units, size_t index)
{
	return units->list ? units->list[index] : units->first + index;
}

static void place_raw(strew_stages *stages, const struct analyze_units *units,
		      strew_scratch *scratch)
{
	uint32_t xs[ANALYZE_CHUNK];
	strew_set sets[ANALYZE_CHUNK];

	for (size_t i = 0; i < units->count; i++) {
		xs[i] = analyze_hashed_input(units->plan, unit_at(units, i));
		sets[i] = stages[i].up;
		sets[i].count = 0;
	}
	/* The plan has checked all that could be wrong. */
	if (place_raw_many(sets, units->placer, units->rule, xs, units->count,
			   units->want, scratch))
		return;
	for (size_t i = 0; i < units->count; i++) {
		stages[i].x = xs[i];
		stages[i].up = sets[i];
	}
}

static void clear(strew_set *set)
{
	set->count = 0;
	set->primary = STREW_NONE;
}

void analyze_place_units(strew_stages *stages, strew_pg *pgs,
			 const struct analyze_units *units, strew_scratch *scratch)
{
	for (size_t i = 0; i < units->count; i++) {
		clear(&stages[i].raw);
		clear(&stages[i].up);
		clear(&stages[i].acting);
	}
	if (units->plan->kind == ANALYZE_RAW) {
		place_raw(stages, units, scratch);
		return;
	}
	for (size_t i = 0; i < units->count; i++)
		pgs[i] = analyze_unit_pg(units->plan, unit_at(units, i), units->placer);
	/* The plan's pools are there. */
	if (strew_place_pgs(units->placer, pgs, units->count, stages, scratch))
		return;
}

int analyze_count_devices(const strew_set *set)
{
	int count = 0;

	for (int i = 0; i < set->count; i++)
		count += set->devices[i] != STREW_NONE;
	return count;
}
