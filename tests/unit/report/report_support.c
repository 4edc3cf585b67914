/* SPDX-License-Identifier: MIT */
#include "report_support.h"

#include <check.h>

#include "base_alloc.h"
#include "result.h"

static int catch (void *ctx, const void *bytes, size_t count)
{
	struct catcher *catcher = ctx;

	if (++catcher->writes == catcher->fail_at)
		return 1;
	base_str_add_bytes(&catcher->text, bytes, count);
	return 0;
}

void catcher_init(struct catcher *catcher)
{
	*catcher = (struct catcher){.sink = {catch, catcher}};
	base_str_init(&catcher->text, &base_heap);
}

void catcher_free(struct catcher *catcher)
{
	base_str_free(&catcher->text);
}

void expect_report(strew_result *result, const char *kind,
		   const strew_report_options *options, const char *expected)
{
	struct catcher catcher;
	strew_error error = {.text = ""};

	catcher_init(&catcher);
	ck_assert_msg(strew_report_write(result, kind, options, &catcher.sink, &error) ==
			      STREW_OK,
		      "%s", error.text);
	ck_assert_str_eq(base_str_text(&catcher.text), expected);
	catcher_free(&catcher);
	strew_result_free(result);
}

static const struct result_column summary_columns[] = {
	{"pgs", "PGs", STREW_CELL_INTEGER, RESULT_PLAIN},
	{"bytes_moved", NULL, STREW_CELL_INTEGER, RESULT_BYTES},
	{"moved_percent", NULL, STREW_CELL_REAL, RESULT_PERCENT},
	{"excess", NULL, STREW_CELL_REAL, RESULT_FACTOR},
};

static const struct result_column device_columns[] = {
	{"name", NULL, STREW_CELL_TEXT, RESULT_NAME},
	{"count", NULL, STREW_CELL_INTEGER, RESULT_PLAIN},
	{"share", NULL, STREW_CELL_REAL, RESULT_SHARE},
	{"devices", NULL, STREW_CELL_SET, RESULT_PLAIN},
	{"primary", NULL, STREW_CELL_INTEGER, RESULT_DEVICE},
};

static const struct result_column word_columns[] = {
	{"words", NULL, STREW_CELL_TEXT, RESULT_PLAIN},
};

static void add_summary(strew_result *result)
{
	strew_table *table =
		result_add_table(result, "summary", "Summary", summary_columns, 4,
				 RESULT_RECORD | RESULT_NO_TITLE);

	result_row(table);
	result_integer(table, 1024);
	result_integer(table, (int64_t)97 << 40);
	result_real(table, 0.1);
	result_real(table, 1.0918);
}

static void add_devices(strew_result *result)
{
	strew_table *table =
		result_add_table(result, "devices", NULL, device_columns, 5, 0);
	const int32_t set[] = {14, STREW_NONE, 203};

	result_row(table);
	result_text(table, "Z\xc3\xbcrich");
	result_integer(table, 7);
	result_real(table, 1.0 / 3);
	result_set(table, set, 3);
	result_integer(table, 14);
	result_row(table);
	result_text(table, "say \"a,b\"");
	result_integer(table, -12345);
	result_null(table);
	result_set(table, NULL, 0);
}

strew_result *sample_result(void)
{
	strew_result *result = result_new("sample", NULL);
	strew_table *table;

	result_set_headline(result, "the answer");
	add_summary(result);
	result_add_note(result, "a note");
	add_devices(result);
	table = result_add_table(result, "words", NULL, word_columns, 1,
				 RESULT_TEXT_ONLY | RESULT_NO_TITLE);
	result_row(table);
	result_text(table, "only text");
	result_add_table(result, "hidden", NULL, word_columns, 1, RESULT_NO_TEXT);
	result_add_warning(result, "mind this");
	return result;
}
