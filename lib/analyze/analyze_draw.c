/* SPDX-License-Identifier: MIT */
#include "analyze.h"

void analyze_draw_fill(strew_result *result, const char *table,
		       const struct result_picture *picture,
		       const struct analyze_ratios *ratios)
{
	struct result_picture drawn = *picture;

	drawn.marks[0] = (struct result_mark){"nearfull", 100 * ratios->nearfull};
	drawn.marks[1] = (struct result_mark){"backfillfull", 100 * ratios->backfillfull};
	drawn.marks[2] = (struct result_mark){"full", 100 * ratios->full};
	result_draw(result, table, &drawn);
}
