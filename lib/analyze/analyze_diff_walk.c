/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <string.h>

/* Placing all units in both maps. What OLD gives is kept for when it is compared again.
 */

/* OLD's placements are kept up to so many words, which are 256 MiB. */
#define KEPT_MAX ((uint64_t)1 << 26)

/* A unit's words: the size of OLD's set, its devices, the same of NEW. */

static int32_t *side_words(const struct diff *diff, const int32_t *words, int side)
{
	return (int32_t *)words + (side == 1 ? 1 + diff->sides[0].room : 0);
}

static void place_side(const struct diff *diff, int side, uint64_t first, size_t count,
		       int32_t *words, strew_scratch *scratch)
{
	struct analyze_units units = {.plan = &diff->plan,
				      .placer = diff->sides[side].placer,
				      .first = first,
				      .count = count};
	strew_stages stages[ANALYZE_CHUNK] = {0};
	strew_pg pgs[ANALYZE_CHUNK];
	size_t stride = 2 + diff->sides[0].room + diff->sides[1].room;

	if (diff->plan.kind == ANALYZE_RAW) {
		units.rule = analyze_diff_rule(diff, diff->plan.groups, side);
		units.want = analyze_diff_want(diff, diff->plan.groups, side);
	}
	for (size_t i = 0; i < count; i++) {
		stages[i].up.devices = side_words(diff, words + i * stride, side) + 1;
		stages[i].up.room = (int)diff->sides[side].room;
	}
	analyze_place_units(stages, pgs, &units, scratch);
	for (size_t i = 0; i < count; i++)
		side_words(diff, words + i * stride, side)[0] = stages[i].up.count;
}

/* Between a chunk's words and what is kept of OLD's. */
static void copy_kept(const struct diff *diff, uint64_t first, size_t count,
		      int32_t *words, bool keep)
{
	size_t size = 1 + diff->sides[0].room, stride = size + 1 + diff->sides[1].room;

	for (size_t i = 0; i < count; i++) {
		int32_t *kept = diff->kept.words + (first + i) * size;
		int32_t *unit = words + i * stride;

		memcpy(keep ? kept : unit, keep ? unit : kept, size * sizeof(*kept));
	}
}

static void place_units(const void *ctx, uint64_t first, size_t count, int32_t *words,
			strew_scratch *const scratch[2])
{
	const struct diff *diff = ctx;

	if (diff->kept.is_full) {
		copy_kept(diff, first, count, words, false);
	} else {
		place_side(diff, 0, first, count, words, scratch[0]);
		if (diff->kept.words)
			copy_kept(diff, first, count, words, true);
	}
	place_side(diff, 1, first, count, words, scratch[1]);
}

strew_status analyze_diff_keep(struct diff *diff)
{
	uint64_t units = diff->plan.units, size = 1 + diff->sides[0].room;

	if (units == 0 || units > KEPT_MAX / size)
		return STREW_OK;
	diff->kept.words = base_alloc(diff->allocator, (size_t)(units * size),
				      sizeof(*diff->kept.words));
	return diff->kept.words ? STREW_OK : STREW_ENOMEM;
}

void analyze_diff_kept_free(struct diff *diff)
{
	base_free(diff->allocator, diff->kept.words,
		  (size_t)diff->plan.units * (1 + diff->sides[0].room) *
			  sizeof(*diff->kept.words));
}

void analyze_diff_measure_rooms(struct diff *diff)
{
	for (int i = 0; i < 2; i++) {
		struct diff_side *side = &diff->sides[i];

		side->room =
			diff->plan.kind == ANALYZE_RAW
				? (size_t)analyze_diff_want(diff, diff->plan.groups, i)
				: (size_t)strew_placer_max_set(side->placer);
	}
}

/* What `take` is called for. */
struct taking {
	struct diff *diff;
	strew_status (*take)(struct diff *diff, uint64_t unit, const strew_set *before,
			     const strew_set *after);
};

static void place_for(const void *ctx, uint64_t first, size_t count, int32_t *words,
		      strew_scratch *const scratch[2])
{
	const struct taking *taking = ctx;

	place_units(taking->diff, first, count, words, scratch);
}

static strew_status take_unit(void *ctx, uint64_t unit, const int32_t *words)
{
	const struct taking *taking = ctx;
	struct diff *diff = taking->diff;
	const struct analyze_group *group = diff->now.group;
	strew_set sets[2];
	strew_status status = STREW_OK;

	if (group == NULL || unit >= group->first + group->count) {
		group = analyze_find_group(&diff->plan, unit);
		status = analyze_diff_enter(diff, group);
	}
	for (int side = 0; side < 2; side++) {
		int32_t *set = side_words(diff, words, side);

		sets[side] = (strew_set){.devices = set + 1, .count = set[0]};
	}
	return status ? status : taking->take(diff, unit, &sets[0], &sets[1]);
}

strew_status analyze_diff_walk(struct diff *diff,
			       strew_status (*take)(struct diff *diff, uint64_t unit,
						    const strew_set *before,
						    const strew_set *after),
			       const strew_run *run)
{
	struct taking taking = {diff, take};
	struct analyze_walk walk = {
		.units = diff->plan.units,
		.words = 2 + diff->sides[0].room + diff->sides[1].room,
		.placers = {diff->sides[0].placer, diff->sides[1].placer},
		.place = place_for,
		.take = take_unit,
		.ctx = &taking};

	return analyze_walk(&walk, run, diff->error);
}

static int tick(void *ctx, uint64_t done, uint64_t total)
{
	const struct diff_meter *meter = ctx;

	(void)total;
	return meter->progress->tick(meter->progress->ctx, meter->before + done,
				     meter->total);
}

strew_run analyze_diff_meter(struct diff *diff, const strew_run *run)
{
	strew_run metered = *run;

	diff->meter.progress = run->progress;
	diff->meter.hook = (strew_progress){.tick = tick, .ctx = &diff->meter};
	if (run->progress)
		metered.progress = &diff->meter.hook;
	return metered;
}
