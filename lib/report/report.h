/* SPDX-License-Identifier: MIT */
#ifndef REPORT_H
#define REPORT_H

#include <strew/report.h>

#include "result.h"

/** A report: a table, and the only symbol that its file exports. */
struct report_ops {
	const char *name;
	strew_status (*write)(const strew_result *result, const strew_report_options *options,
			      const strew_sink *sink, strew_error *error);
};

extern const struct report_ops report_text;
extern const struct report_ops report_json;
extern const struct report_ops report_csv;

#endif
