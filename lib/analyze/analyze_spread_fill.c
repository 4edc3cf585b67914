/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include <math.h>

/* How full devices are. */

static bool tells_sizes(const struct spread *spread)
{
	for (size_t i = 0; i < spread->map->device_count; i++) {
		if (spread->map->devices[i].size_bytes > 0 &&
		    analyze_spread_lists(&spread->devices[i]))
			return true;
	}
	return false;
}

/* Does what is placed stand for all that is stored? */
static bool covers_all(const struct spread *spread)
{
	return analyze_covers_pools(&spread->plan, spread->map) &&
	       spread->totals.has_bytes && !spread->totals.lacks_bytes;
}

static enum spread_fill choose_fill(const struct spread *spread)
{
	if (!tells_sizes(spread))
		return SPREAD_FILL_UNKNOWN;
	if (map_tells_use(spread->map))
		return SPREAD_FILL_USED;
	return covers_all(spread) ? SPREAD_FILL_PLACED : SPREAD_FILL_UNKNOWN;
}

double analyze_spread_fill(const struct spread *spread, const struct spread_load *load)
{
	switch (spread->fill) {
	case SPREAD_FILL_USED:
		return 100 * load->used / load->size;
	case SPREAD_FILL_PLACED:
		return 100 * load->bytes / load->size;
	default:
		return NAN;
	}
}

static void find_highest(struct spread *spread)
{
	double highest = -1;

	spread->balance.highest_fill = -1;
	for (size_t i = 0; i < spread->map->device_count; i++) {
		double fill = analyze_spread_fill(spread, &spread->devices[i].load);

		if (!analyze_spread_lists(&spread->devices[i]) || !(fill > highest))
			continue;
		highest = fill;
		spread->balance.highest_fill = (int32_t)i;
	}
}

void analyze_spread_find_fill(struct spread *spread)
{
	spread->fill = choose_fill(spread);
	find_highest(spread);
}
