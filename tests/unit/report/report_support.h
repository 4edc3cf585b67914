/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SUPPORT_H
#define REPORT_SUPPORT_H

#include <strew/report.h>

#include "base_str.h"

/** A sink that keeps what it gets. */
struct catcher {
	strew_sink sink;
	struct base_str text;
	size_t writes;
	size_t fail_at; /* the write that fails, from 1; 0: none */
};

void catcher_init(struct catcher *catcher);
void catcher_free(struct catcher *catcher);

/** Report `result` and compare with what is expected, then free both. */
void expect_report(strew_result *result, const char *kind,
		   const strew_report_options *options, const char *expected);

/** Two tables, a record and text of all sorts. */
strew_result *sample_result(void);

#endif
