/* SPDX-License-Identifier: MIT */
#ifndef RESULT_H
#define RESULT_H

#include <stdbool.h>

#include <strew/alloc.h>
#include <strew/result.h>

/**
 * Typed tables that an analysis fills and a report prints; neither knows the other.
 *
 * Running out of memory sticks: calls after it do nothing, and result_status() tells at
 * the end.
 */

/** What a column's numbers are, for reports that round and add units. */
enum result_unit {
	RESULT_PLAIN,   /* counts, ids */
	RESULT_BYTES,   /* text: KiB … PiB */
	RESULT_PERCENT, /* 0 … 100 */
	RESULT_SHARE,   /* 0 … 1 */
	RESULT_FACTOR,  /* text: 1.09× */
	RESULT_NAME,    /* text, set left */
	RESULT_DEVICE   /* a device or domain, or none: null, and NONE in text */
};

struct result_column {
	const char *name;     /* snake_case, with the unit where there is one */
	const char *title;    /* for people; NULL: the name with spaces */
	strew_cell_kind kind; /* text is set right unless its unit is NAME or DEVICE */
	enum result_unit unit;
};

/* How a table is shown. */
#define RESULT_RECORD    1u /* one row; JSON prints an object */
#define RESULT_TEXT_ONLY 2u /* only in text reports */
#define RESULT_NO_TEXT   4u /* not in text reports */
#define RESULT_MATRIX    8u /* text: first column by second column, third column inside */
#define RESULT_NO_TITLE  16u /* text: without its title line */
#define RESULT_LIST      32u /* text: no titles, and the last column is wrapped prose */

struct strew_result;
struct strew_table;

/** NULL when there is no memory. */
strew_result *result_new(const char *command, const strew_allocator *allocator);
strew_status result_status(const strew_result *result);

/** NULL when there is no memory. Columns are copied but not their strings, which must be
 * constants; the table's name and title are copied. At least one column. */
strew_table *result_add_table(strew_result *result, const char *name, const char *title,
			      const struct result_column *columns, size_t column_count,
			      unsigned flags);
/** A sentence for people, shown after what has been added so far. JSON: "notes". */
void result_add_note(strew_result *result, const char *format, ...) STREW_PRINTF(2, 3);
/** The same, of something that needs a hand: text may colour it. */
void result_add_warning(strew_result *result, const char *format, ...) STREW_PRINTF(2, 3);
/** The answer in one line, shown first. */
void result_set_headline(strew_result *result, const char *format, ...)
	STREW_PRINTF(2, 3);

/** Start a row of nulls; the calls below fill cells of the last row, in order of columns:
 * each call fills the next one. A value of another kind than the column's leaves null.
 * table may be NULL (no memory). */
void result_row(strew_table *table);
void result_null(strew_table *table);
/** INT64_MIN, and STREW_NONE in a column of RESULT_DEVICE: null. */
void result_integer(strew_table *table, int64_t value);
/** Not a finite number: null. */
void result_real(strew_table *table, double value);
/** The text is copied; NULL: null. */
void result_text(strew_table *table, const char *text);
void result_textf(strew_table *table, const char *format, ...) STREW_PRINTF(2, 3);
void result_set(strew_table *table, const int32_t *devices, size_t count);

/* Room for what result_print_bytes() writes. */
#define RESULT_BYTES_ROOM 64
/** A number of bytes for people, such as "97.1 TiB". */
void result_print_bytes(char text[RESULT_BYTES_ROOM], double bytes);

/* For reports. */

unsigned result_table_flags(const strew_table *table);
const char *result_table_title(const strew_table *table);
const struct result_column *result_table_column(const strew_table *table, size_t column);

struct result_note {
	const char *text;
	size_t after; /* how many tables had been added before it */
	bool warning;
};

/** Notes in order. */
size_t result_note_count(const strew_result *result);
struct result_note result_note_at(const strew_result *result, size_t index);
const char *result_headline(const strew_result *result); /* NULL: none */

#endif
