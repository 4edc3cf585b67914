/* SPDX-License-Identifier: MIT */
#ifndef STREW_REPORT_H
#define STREW_REPORT_H

#include <strew/result.h>
#include <strew/sink.h>

STREW_BEGIN_DECLS

typedef struct strew_report_options {
	size_t size;
	const char *table; /**< csv: which table; NULL: the main one */
	int width;	   /**< text: columns of the terminal; 0: no limit */
	int color;	   /**< text: may use terminal colours */
} strew_report_options;

#define STREW_REPORT_OPTIONS_INIT {sizeof(strew_report_options), 0, 0, 0}

/** The kinds of report: "text", "json", "csv", and "html", one page with all it needs. */
STREW_API size_t strew_report_count(void);
STREW_API const char *strew_report_name(size_t index);

/** Write a result. @return also STREW_ENOTFOUND: no such kind or table;
 * STREW_EIO: the sink. */
STREW_API strew_status strew_report_write(const strew_result *result, const char *kind,
					  const strew_report_options *options,
					  const strew_sink *sink, strew_error *error);

STREW_END_DECLS

#endif
