/* SPDX-License-Identifier: MIT */
#ifndef REPORT_H
#define REPORT_H

#include <strew/report.h>

#include "base_str.h"
#include "result.h"

/** Text on its way to a sink, gathered into larger pieces. Failures stick. */
struct report_out {
	const strew_sink *sink;
	struct base_str text; /* write here */
	bool failed;          /* the sink's fault */
};

void report_open(struct report_out *out, const strew_sink *sink);
/** To be called now and then: hands on what has gathered. */
void report_pass(struct report_out *out);
/** Hands on the rest. */
strew_status report_close(struct report_out *out, strew_error *error);

/* Pieces of text that several reports need; the same in every locale. */

void report_add_integer(struct base_str *text, int64_t value);
/** The shortest form that reads back to the same number. */
void report_add_real(struct base_str *text, double value);
void report_add_set(struct base_str *text, const strew_cell *cell, const char *separator,
		    const char *hole);
/** A value as people read it: rounded, with its unit. */
void report_add_rounded(struct base_str *text, const strew_cell *cell,
			enum result_unit unit);
/** What stands above a column. */
void report_add_title(struct base_str *text, const struct result_column *column);
bool report_column_is_left(const struct result_column *column);

void report_add_json_string(struct base_str *text, const char *from);
void report_add_json_cell(struct base_str *text, const strew_cell *cell);

/** A report: a table, and the only symbol that its file exports. */
struct report_ops {
	const char *name;
	strew_status (*write)(const strew_result *result,
			      const strew_report_options *options, const strew_sink *sink,
			      strew_error *error);
};

extern const struct report_ops report_text;
extern const struct report_ops report_json;
extern const struct report_ops report_csv;
extern const struct report_ops report_html;

#endif
