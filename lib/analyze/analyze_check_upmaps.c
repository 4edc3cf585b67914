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

static void say_device(struct check *check, int32_t device)
{
	const strew_device *found =
		device < 0 ? NULL : strew_map_device_by_id(check->map, device);

	if (found)
		analyze_check_say(check, "%s", found->name);
	else if (device == STREW_NONE)
		analyze_check_say(check, "a hole");
	else
		analyze_check_say(check, "device %" PRId32, device);
}

static void say_same_domain(struct check *check, const struct analyze_upmap *upmap)
{
	say_device(check, upmap->other);
	analyze_check_say(check, " and ");
	say_device(check, upmap->device);
	analyze_check_say(check, " would both be in %s",
			  analyze_item_name(check->map, upmap->bucket));
}

static void say_reason(struct check *check, const struct analyze_upmap *upmap)
{
	switch (upmap->reason) {
	case ANALYZE_UPMAP_IS_FINE:
		return;
	case ANALYZE_UPMAP_SAME_DOMAIN:
		say_same_domain(check, upmap);
		return;
	case ANALYZE_UPMAP_MANY_DOMAINS:
		analyze_check_say(check,
				  "more %ss would have shards than the rule chooses",
				  strew_map_type_name(check->map, upmap->bucket));
		return;
	case ANALYZE_UPMAP_OUTSIDE:
		say_device(check, upmap->device);
		analyze_check_say(check, " is not below %s, where the rule looks",
				  analyze_item_name(check->map, upmap->bucket));
		return;
	case ANALYZE_UPMAP_WEIGHTLESS:
		say_device(check, upmap->device);
		analyze_check_say(check, " weighs nothing, or is out");
		return;
	case ANALYZE_UPMAP_SIZE:
		analyze_check_say(check, "it has not as many devices as the pool's size");
		return;
	case ANALYZE_UPMAP_EQUAL:
		analyze_check_say(check, "it is what the rule gives anyway");
		return;
	case ANALYZE_UPMAP_NO_SOURCE:
		say_device(check, upmap->device);
		analyze_check_say(check, ", which it replaces, has nothing of it");
		return;
	case ANALYZE_UPMAP_OUT:
		say_device(check, upmap->other);
		analyze_check_say(check, ", which is to have its data, is out");
		return;
	}
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
	say_reason(check, upmap);
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
	say_reason(check, upmap);
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
