/* SPDX-License-Identifier: MIT */
#ifndef REPORT_LIST_H
#define REPORT_LIST_H

#include "report.h"

/** Where wrapped text stands, in columns. */
struct report_margins {
	size_t at;     /* the first line goes on here */
	size_t indent; /* of the others */
	size_t width;  /* 0: no limit */
};

/** Text broken at its spaces, without an end of line. */
void report_add_wrapped(struct base_str *text, const char *prose,
			struct report_margins margins);

/** A table of flag RESULT_LIST: cells in columns, then the last one as wrapped prose,
 * also when the width isn't known (0). */
void report_list_write(struct report_out *out, const strew_table *table, size_t width,
		       bool color);

#endif
