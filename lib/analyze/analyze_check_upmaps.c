/* SPDX-License-Identifier: MIT */
#include "analyze_check_priv.h"

#include <inttypes.h>

/** Upmaps that Ceph's monitor drops at the next change of the map. */

/* Judged when first asked for. */
static const struct analyze_upmaps *judged(struct check *check)
{
	if (check->placer == NULL || check->map->override_count == 0)
		return NULL;
	if (check->upmaps.upmaps == NULL && check->status == STREW_OK)
		check->status =
			analyze_upmaps_new(&check->upmaps, check->placer, &check->tree,
					   check->run, check->allocator, NULL);
	return check->status == STREW_OK ? &check->upmaps : NULL;
}

bool analyze_check_upmap_goes(struct check *check, size_t override)
{
	const struct analyze_upmaps *upmaps = judged(check);

	return upmaps && upmaps->upmaps[override].fate == ANALYZE_UPMAP_GOES;
}

void analyze_check_begin_pg(struct check *check, strew_pg pg)
{
	analyze_check_begin(check, "PG %" PRId64 ".%" PRIx32, pg.pool, pg.seed);
}

static void look(struct check *check, enum analyze_upmap_fate fate,
		 void (*tell)(struct check *, const struct map_override *,
			      const struct analyze_upmap *))
{
	const struct analyze_upmaps *upmaps = judged(check);

	for (size_t i = 0; upmaps && i < upmaps->count; i++)
		if (upmaps->upmaps[i].fate == fate)
			tell(check, &check->map->overrides[i], &upmaps->upmaps[i]);
}

static void tell_dropped(struct check *check, const struct map_override *override,
			 const struct analyze_upmap *upmap)
{
	analyze_check_begin_pg(check, override->pg);
	analyze_check_say(check,
			  "the monitor drops the upmap of PG %" PRId64 ".%" PRIx32 ": ",
			  override->pg.pool, override->pg.seed);
	analyze_upmap_add_reason(&check->message, check->map, upmap);
	analyze_check_end(check);
}

static void tell_shrunk(struct check *check, const struct map_override *override,
			const struct analyze_upmap *upmap)
{
	analyze_check_begin_pg(check, override->pg);
	analyze_check_say(check,
			  "of the %zu pairs in the upmap of PG %" PRId64 ".%" PRIx32
			  " the monitor keeps %zu: ",
			  override->upmap_item_count, override->pg.pool,
			  override->pg.seed, upmap->kept);
	analyze_upmap_add_reason(&check->message, check->map, upmap);
	analyze_check_end(check);
}

static void find_dropped(struct check *check)
{
	look(check, ANALYZE_UPMAP_GOES, tell_dropped);
}

static void find_shrunk(struct check *check)
{
	look(check, ANALYZE_UPMAP_SHRINKS, tell_shrunk);
}

static const struct check_kind kinds[] = {
	{"upmap-dropped", CHECK_WARNING,
	 "Remove it (ceph osd rm-pg-upmap-items and its like) when its data may move: at "
	 "the next change of the map the monitor does, and the PG goes where the rule "
	 "puts it.",
	 find_dropped},
	{"upmap-partly", CHECK_INFO,
	 "Nothing to do: the monitor takes these pairs out at the next change of the "
	 "map, and nothing moves.",
	 find_shrunk},
};

const struct check_subject analyze_check_upmaps = CHECK_SUBJECT(kinds);
