/* SPDX-License-Identifier: MIT */
#include "analyze.h"
#include "base_error.h"

/** How full devices may be: as the caller says, else as the map does. */

static bool choose(double *ratio, const strew_map *map, enum map_ratio kind)
{
	if (!(*ratio >= 0 && *ratio <= 1))
		return false;
	if (*ratio == 0)
		*ratio = map_ratio(map, kind);
	return true;
}

strew_status analyze_choose_ratios(struct analyze_ratios *ratios, const strew_map *map,
				   strew_error *error)
{
	if (choose(&ratios->full, map, MAP_FULL) &&
	    choose(&ratios->backfillfull, map, MAP_BACKFILLFULL) &&
	    choose(&ratios->nearfull, map, MAP_NEARFULL))
		return STREW_OK;
	return base_error_set(error, STREW_ERANGE, "a ratio is above 0, and at most 1");
}
