/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "analyze.h"

/* Why the monitor drops an upmap. */

static void add_device(struct base_str *text, const strew_map *map, int32_t device)
{
	const strew_device *found =
		device < 0 ? NULL : strew_map_device_by_id(map, device);

	if (found)
		base_str_addf(text, "%s", found->name);
	else if (device == STREW_NONE)
		base_str_add(text, "a hole");
	else
		base_str_addf(text, "device %" PRId32, device);
}

static void add_same_domain(struct base_str *text, const strew_map *map,
			    const struct analyze_upmap *upmap)
{
	add_device(text, map, upmap->other);
	base_str_add(text, " and ");
	add_device(text, map, upmap->device);
	base_str_addf(text, " would both be in %s",
		      analyze_item_name(map, upmap->bucket));
}

void analyze_upmap_add_reason(struct base_str *text, const strew_map *map,
			      const struct analyze_upmap *upmap)
{
	switch (upmap->reason) {
	case ANALYZE_UPMAP_IS_FINE:
		return;
	case ANALYZE_UPMAP_SAME_DOMAIN:
		add_same_domain(text, map, upmap);
		return;
	case ANALYZE_UPMAP_MANY_DOMAINS:
		base_str_addf(text, "more %ss would have shards than the rule chooses",
			      strew_map_type_name(map, upmap->bucket));
		return;
	case ANALYZE_UPMAP_OUTSIDE:
		add_device(text, map, upmap->device);
		base_str_addf(text, " is not below %s, where the rule looks",
			      analyze_item_name(map, upmap->bucket));
		return;
	case ANALYZE_UPMAP_WEIGHTLESS:
		add_device(text, map, upmap->device);
		base_str_add(text, " weighs nothing, or is out");
		return;
	case ANALYZE_UPMAP_SIZE:
		base_str_add(text, "it has not as many devices as the pool's size");
		return;
	case ANALYZE_UPMAP_EQUAL:
		base_str_add(text, "it is what the rule gives anyway");
		return;
	case ANALYZE_UPMAP_NO_SOURCE:
		add_device(text, map, upmap->device);
		base_str_add(text, ", which it replaces, has nothing of it");
		return;
	case ANALYZE_UPMAP_OUT:
		add_device(text, map, upmap->other);
		base_str_add(text, ", which is to have its data, is out");
		return;
	}
}
