/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <string.h>

#include "base_alloc.h"
#include "base_error.h"

static const struct report_ops *const reports[] = {&report_text, &report_json,
						   &report_csv, &report_html};

#define REPORT_COUNT (sizeof(reports) / sizeof(reports[0]))

size_t strew_report_count(void)
{
	return REPORT_COUNT;
}

const char *strew_report_name(size_t index)
{
	return index < REPORT_COUNT ? reports[index]->name : NULL;
}

strew_status strew_report_write(const strew_result *result, const char *kind,
				const strew_report_options *options,
				const strew_sink *sink, strew_error *error)
{
	strew_report_options all = STREW_REPORT_OPTIONS_INIT;

	/* A caller built against an older library has fewer members. */
	if (options)
		memcpy(&all, options,
		       options->size < sizeof(all) ? options->size : sizeof(all));
	for (size_t i = 0; i < REPORT_COUNT; i++) {
		if (strcmp(reports[i]->name, kind) == 0)
			return reports[i]->write(result, &all, sink, error);
	}
	return base_error_set(
		error, STREW_ENOTFOUND,
		"there is no report \"%s\"; there are text, json, csv and html", kind);
}

#define PIECE_SIZE 65536

void report_open(struct report_out *out, const strew_sink *sink)
{
	out->sink = sink;
	out->failed = false;
	base_str_init(&out->text, &base_heap);
}

static void hand_on(struct report_out *out)
{
	size_t len = base_str_len(&out->text);

	/* What is gathered after a lack of memory has a gap in it. */
	if (len == 0 || out->failed || !base_str_ok(&out->text))
		return;
	if (out->sink->write(out->sink->ctx, base_str_text(&out->text), len) != 0)
		out->failed = true;
	base_str_clear(&out->text);
}

void report_pass(struct report_out *out)
{
	if (base_str_len(&out->text) >= PIECE_SIZE)
		hand_on(out);
}

strew_status report_close(struct report_out *out, strew_error *error)
{
	bool complete = base_str_ok(&out->text);

	hand_on(out);
	base_str_free(&out->text);
	if (!complete)
		return base_error_nomem(error);
	if (out->failed)
		return base_error_set(error, STREW_EIO,
				      "the report could not be written");
	return STREW_OK;
}
