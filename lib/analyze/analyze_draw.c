/* SPDX-License-Identifier: MIT */
#include "analyze.h"

void analyze_draw_fill(strew_result *result, const char *table,
		       const struct result_picture *picture,
		       const struct analyze_ratios *ratios)
{
	struct result_picture drawn = *picture;

	drawn.marks[0] = (struct result_mark){"nearfull", ratios->nearfull};
	drawn.marks[1] = (struct result_mark){"backfillfull", ratios->backfillfull};
	drawn.marks[2] = (struct result_mark){"full", ratios->full};
	result_draw(result, table, &drawn);
}
