/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"

void report_add_integer(struct base_str *text, int64_t value)
{
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char digits[24], *at = digits + sizeof(digits);

	do {
		*--at = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (value < 0)
		*--at = '-';
	base_str_add_bytes(text, at, (size_t)(digits + sizeof(digits) - at));
}

/* The program's locale may write another decimal point, of more than one byte. */
static void add_with_point(struct base_str *text, const char *number)
{
	size_t whole = strspn(number, "-0123456789e+");
	size_t point = strcspn(number + whole, "0123456789");

	base_str_add_bytes(text, number, whole);
	if (number[whole] == '\0')
		return;
	base_str_add(text, ".");
	base_str_add(text, number + whole + point);
}

void report_add_real(struct base_str *text, double value)
{
	char number[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(number, sizeof(number), "%.*g", digits, value);
		if (strtod(number, NULL) == value)
			break;
	}
	add_with_point(text, number);
}

void report_add_set(struct base_str *text, const strew_cell *cell, const char *separator,
		    const char *hole)
{
	for (size_t i = 0; i < cell->set_count; i++) {
		if (i > 0)
			base_str_add(text, separator);
		if (cell->set[i] == STREW_NONE)
			base_str_add(text, hole);
		else
			report_add_integer(text, cell->set[i]);
	}
}

static void add_decimals(struct base_str *text, double value, int decimals)
{
	char number[512];

	snprintf(number, sizeof(number), "%.*f", decimals, value);
	add_with_point(text, number);
}

static void add_bytes(struct base_str *text, double value)
{
	char bytes[RESULT_BYTES_ROOM];

	result_print_bytes(bytes, value);
	base_str_add(text, bytes);
}

/* Three digits that count, and all of the whole part. */
static void add_plain(struct base_str *text, double value)
{
	double size = fabs(value);

	add_decimals(text, value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

static void add_number(struct base_str *text, double value, enum result_unit unit)
{
	switch (unit) {
	case RESULT_BYTES:
		add_bytes(text, value);
		break;
	case RESULT_PERCENT:
		add_decimals(text, value, fabs(value) >= 9.995 ? 1 : 2);
		base_str_add(text, " %");
		break;
	case RESULT_SHARE:
		add_decimals(text, value, 5);
		break;
	case RESULT_FACTOR:
		add_decimals(text, value, 2);
		base_str_add(text, "×");
		break;
	default:
		add_plain(text, value);
	}
}

void report_add_rounded(struct base_str *text, const strew_cell *cell,
			enum result_unit unit)
{
	switch (cell->kind) {
	case STREW_CELL_INTEGER:
		if (unit == RESULT_BYTES)
			add_bytes(text, (double)cell->integer);
		else
			report_add_integer(text, cell->integer);
		break;
	case STREW_CELL_REAL:
		add_number(text, cell->real, unit);
		break;
	case STREW_CELL_TEXT:
		base_str_add_printable(text, cell->text);
		break;
	case STREW_CELL_SET:
		report_add_set(text, cell, " ", "NONE");
		break;
	case STREW_CELL_NULL:
		base_str_add(text, unit == RESULT_DEVICE ? "NONE" : "-");
		break;
	}
}

void report_add_title(struct base_str *text, const struct result_column *column)
{
	if (column->title) {
		base_str_add(text, column->title);
		return;
	}
	for (const char *at = column->name; *at; at++)
		base_str_add_bytes(text, *at == '_' ? " " : at, 1);
}

bool report_column_is_left(const struct result_column *column)
{
	if (column->kind == STREW_CELL_TEXT)
		return column->unit == RESULT_NAME || column->unit == RESULT_DEVICE;
	return column->kind == STREW_CELL_SET;
}

/* JSON is UTF-8, and a name need not be: then its bytes above ASCII become U+FFFD. */
static json_t *make_replaced(const char *from)
{
	struct base_str text;
	json_t *value;

	base_str_init(&text, &base_heap);
	for (; *from; from++) {
		if ((unsigned char)*from < 0x80)
			base_str_add_bytes(&text, from, 1);
		else
			base_str_add(&text, "\xef\xbf\xbd");
	}
	value = base_str_ok(&text) ? json_string(base_str_text(&text)) : NULL;
	base_str_free(&text);
	return value;
}

static int take_bytes(const char *bytes, size_t count, void *text)
{
	base_str_add_bytes(text, bytes, count);
	return 0;
}

void report_add_json_string(struct base_str *text, const char *from)
{
	json_t *value = json_string(from);

	if (value == NULL)
		value = make_replaced(from);
	if (value == NULL ||
	    json_dump_callback(value, take_bytes, text, JSON_ENCODE_ANY) != 0)
		text->failed = true;
	json_decref(value);
}

void report_add_json_cell(struct base_str *text, const strew_cell *cell)
{
	switch (cell->kind) {
	case STREW_CELL_INTEGER:
		report_add_integer(text, cell->integer);
		break;
	case STREW_CELL_REAL:
		report_add_real(text, cell->real);
		break;
	case STREW_CELL_TEXT:
		report_add_json_string(text, cell->text);
		break;
	case STREW_CELL_SET:
		base_str_add(text, "[");
		report_add_set(text, cell, ", ", "null");
		base_str_add(text, "]");
		break;
	case STREW_CELL_NULL:
		base_str_add(text, "null");
		break;
	}
}
