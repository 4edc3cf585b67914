/* SPDX-License-Identifier: MIT */
#include "analyze_diff_undo.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "base_str.h"
#include "place.h"

/* NEW's upmaps as the monitor will leave them, and what that moves. */

/* Text shows so many of those that move something when they go. */
#define SHOWN_MAX 10

struct cleaning {
	struct diff *diff;
	const struct diff_end *end; /* NEW, its pools as they are placed */
	const strew_map *map;       /* of the end */
	struct analyze_upmaps upmaps;
	const struct analyze_group *group; /* of the pool at hand; NULL: not compared */
	strew_scratch *scratch;
	struct base_str text;
	struct base_str reason;
	size_t shown;
};

static const struct analyze_group *group_of(const struct diff *diff, int64_t pool)
{
	const struct analyze_plan *plan = &diff->plan;
	size_t low = 0, high = plan->group_count;

	/* By id, where the caller has not named them in an order of his own. */
	while (plan->inputs.pools == NULL && high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (plan->groups[middle].pools[1]->id <= pool)
			low = middle;
		else
			high = middle;
	}
	for (; low < high; low++)
		if (plan->groups[low].pools[1]->id == pool)
			return &plan->groups[low];
	return NULL;
}

/* The devices of a PG's up set, in no order that counts, with an override's upmaps. */
static int place_with(int32_t *devices, const struct cleaning *cleaning,
		      const struct map_override *override, const strew_set *raw)
{
	bool holes = cleaning->group->pools[1]->kind == STREW_KIND_ERASURE;
	int count, kept = 0;

	memcpy(devices, raw->devices, (size_t)raw->count * sizeof(*devices));
	count = place_apply_upmaps(cleaning->end->placer, override, devices, raw->count);
	for (int i = 0; i < count; i++) {
		const strew_device *device =
			strew_map_device_by_id(cleaning->map, devices[i]);

		if (device && device->exists && device->up)
			devices[kept++] = devices[i];
		else if (holes)
			devices[kept++] = STREW_NONE;
	}
	return kept;
}

/* What is left of an override. */
static struct map_override rest_of(const struct cleaning *cleaning,
				   const struct map_override *override,
				   const struct analyze_upmap *upmap)
{
	struct map_override left = *override;
	const int32_t *kept = cleaning->upmaps.kept_items.items;

	left.upmap_items = kept + 2 * upmap->first_kept;
	left.upmap_item_count = upmap->kept;
	if (upmap->fate == ANALYZE_UPMAP_GOES) {
		left.upmap = NULL;
		left.upmap_item_count = 0;
	}
	return left;
}

/* What moves when the upmaps become what is left of them. */
static strew_status count_moved(int *moved, const struct cleaning *cleaning,
				const struct map_override *override,
				const struct analyze_upmap *upmap)
{
	struct map_override left = rest_of(cleaning, override, upmap);
	int32_t raw[STREW_WANT_MAX], before[STREW_WANT_MAX], after[STREW_WANT_MAX];
	strew_stages stages = {.raw = {.devices = raw, .room = STREW_WANT_MAX}};
	strew_set sets[2] = {{.devices = before}, {.devices = after}};
	strew_status status = strew_place_pg(cleaning->end->placer, override->pg, &stages,
					     cleaning->scratch);

	*moved = 0;
	if (status)
		return status;
	sets[0].count = place_with(before, cleaning, override, &stages.raw);
	sets[1].count = place_with(after, cleaning, &left, &stages.raw);
	*moved = analyze_diff_gains(cleaning->diff, cleaning->group, &sets[0], &sets[1]);
	return STREW_OK;
}

static double shard_bytes(const struct cleaning *cleaning, strew_pg pg)
{
	const struct analyze_group *group = cleaning->group;

	return analyze_shard_amount(&cleaning->diff->plan, group,
				    group->first + pg.seed - group->seed)
		.bytes;
}

static const char *const fates[] = {
	[ANALYZE_UPMAP_STAYS] = "stays",
	[ANALYZE_UPMAP_SHRINKS] = "shorter",
	[ANALYZE_UPMAP_GOES] = "goes",
};

static void add_line(const struct cleaning *cleaning, strew_table *table,
		     const struct map_override *override, enum analyze_upmap_fate fate)
{
	bool stays = fate == ANALYZE_UPMAP_STAYS;

	result_row(table);
	result_textf(table, "%" PRId64 ".%" PRIx32, override->pg.pool, override->pg.seed);
	result_text(table, base_str_text(&cleaning->text));
	result_text(table, fates[fate]);
	result_text(table, stays ? NULL : base_str_text(&cleaning->reason));
}

static void add_row(struct cleaning *cleaning, const struct map_override *override,
		    const struct analyze_upmap *upmap, int moved)
{
	struct diff *diff = cleaning->diff;
	double bytes = shard_bytes(cleaning, override->pg);

	base_str_clear(&cleaning->text);
	analyze_diff_describe_upmap(&cleaning->text, override);
	base_str_clear(&cleaning->reason);
	analyze_upmap_add_reason(&cleaning->reason, cleaning->map, upmap);
	add_line(cleaning, diff->tables.upmaps, override, upmap->fate);
	result_integer(diff->tables.upmaps, moved);
	if (bytes >= 0)
		result_integer(diff->tables.upmaps, llround(bytes * moved));
	diff->cleanup.bytes += bytes > 0 ? bytes * moved : 0;
	if (moved > 0 && cleaning->shown++ < SHOWN_MAX)
		add_line(cleaning, diff->tables.gone, override, upmap->fate);
}

static strew_status clean_one(struct cleaning *cleaning, size_t index)
{
	const struct map_override *override = &cleaning->map->overrides[index];
	const struct analyze_upmap *upmap = &cleaning->upmaps.upmaps[index];
	struct diff_cleanup *cleanup = &cleaning->diff->cleanup;
	strew_status status = STREW_OK;
	int moved = 0;

	if (upmap->fate != ANALYZE_UPMAP_STAYS) {
		status = count_moved(&moved, cleaning, override, upmap);
		cleanup->gone++;
	}
	cleanup->upmaps++;
	cleanup->shards += (uint64_t)moved;
	add_row(cleaning, override, upmap, moved);
	return status;
}

static bool is_compared(const struct cleaning *cleaning,
			const struct map_override *override)
{
	const strew_pg *pg = cleaning->diff->plan.inputs.pg;

	return cleaning->group && (override->upmap || override->upmap_item_count > 0) &&
	       (pg == NULL || pg->seed == override->pg.seed);
}

static strew_status clean_all(struct cleaning *cleaning)
{
	strew_status status = strew_scratch_new(&cleaning->scratch, cleaning->end->placer,
						cleaning->diff->error);
	int64_t pool = -1;

	for (size_t i = 0; i < cleaning->map->override_count && !status; i++) {
		const struct map_override *override = &cleaning->map->overrides[i];

		if (override->pg.pool != pool)
			cleaning->group = group_of(cleaning->diff, override->pg.pool);
		pool = override->pg.pool;
		if (is_compared(cleaning, override))
			status = clean_one(cleaning, i);
	}
	if (!base_str_ok(&cleaning->text) || !base_str_ok(&cleaning->reason))
		status = base_error_nomem(cleaning->diff->error);
	strew_scratch_free(cleaning->scratch);
	return status;
}

static strew_status judge(struct cleaning *cleaning, const strew_run *run)
{
	const struct diff *diff = cleaning->diff;
	struct analyze_tree tree = {0};
	strew_status status =
		analyze_tree_new(&tree, cleaning->map, diff->allocator, diff->error);

	if (status == STREW_OK)
		status = analyze_upmaps_new(&cleaning->upmaps, cleaning->end->placer,
					    &tree, run, diff->allocator, diff->error);
	analyze_tree_free(&tree, diff->allocator);
	return status;
}

static strew_status clean(struct diff *diff, const struct diff_end *end,
			  const strew_run *run)
{
	struct cleaning cleaning = {
		.diff = diff, .end = end, .map = strew_placer_map(end->placer)};
	strew_status status;

	base_str_init(&cleaning.text, diff->allocator);
	base_str_init(&cleaning.reason, diff->allocator);
	status = judge(&cleaning, run);
	if (status == STREW_OK)
		status = clean_all(&cleaning);
	analyze_upmaps_free(&cleaning.upmaps);
	base_str_free(&cleaning.text);
	base_str_free(&cleaning.reason);
	return status;
}

/* The rules and sizes of pools may be others than NEW says. */
static bool is_varied(const struct diff *diff)
{
	return diff->how.new_rule >= 0 || diff->how.new_want > 0;
}

strew_status analyze_diff_clean_upmaps(struct diff *diff, const strew_run *run)
{
	struct diff_end end = {0};
	strew_run quiet = *run;
	strew_status status = STREW_OK;

	if (diff->plan.kind != ANALYZE_PGS || diff->sides[1].map->override_count == 0)
		return STREW_OK;
	/* There are few, beside the PGs that progress is told of. */
	quiet.progress = NULL;
	if (is_varied(diff))
		status = analyze_diff_undo(&end, diff, 0);
	else
		end = analyze_diff_end(diff, 1);
	if (status == STREW_OK)
		status = clean(diff, &end, &quiet);
	analyze_diff_end_release(&end);
	if (status == STREW_ENOTSUP)
		return STREW_OK;
	return status ? base_error_set(diff->error, status, "%s",
				       strew_status_text(status))
		      : STREW_OK;
}

void analyze_diff_note_cleanup(const struct diff *diff)
{
	const struct diff_cleanup *cleanup = &diff->cleanup;
	char moved[96] = "nothing more", bytes[RESULT_BYTES_ROOM] = "";

	if (cleanup->gone == 0)
		return;
	if (diff->totals.has_bytes)
		result_print_bytes(bytes, cleanup->bytes);
	if (cleanup->shards > 0)
		snprintf(moved, sizeof(moved), "%" PRIu64 " more %s%s%.40s%s",
			 cleanup->shards, cleanup->shards == 1 ? "shard" : "shards",
			 bytes[0] ? " (" : "", bytes, bytes[0] ? ")" : "");
	result_add_warning(diff->result,
			   "The monitor takes away or shortens %zu of the %zu upmaps, "
			   "which don't hold in NEW: that moves %s.",
			   cleanup->gone, cleanup->upmaps, moved);
}
