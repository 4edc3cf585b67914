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
#define RESULT_ANSWER    64u /* HTML: above the pictures, a table only for text too */

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

/** Pictures of tables, for reports that can draw; the others pass them by. */

enum result_shape {
	RESULT_TREEMAP, /* names of what holds it, apart by "/"; name, size, colour */
	RESULT_FLOWS,   /* from, to, value */
	RESULT_BARS,   /* name, value, and the part of it that was there before or NULL */
	RESULT_RANKS,  /* values: a line for each column, its values by size */
	RESULT_DESCENT /* draws in order: step, place, bucket, item, runner-up, how far
			* that is behind (a factor), verdict (null: the attempt goes on),
			* reason */
};

/* What a picture's colours and lines say. */
enum result_scale {
	RESULT_SCALE_NONE,
	RESULT_SCALE_FILL,  /* percent of what a device can hold */
	RESULT_SCALE_TARGET /* percent of what was aimed at */
};

#define RESULT_PICTURE_COLUMNS 8
#define RESULT_PICTURE_MARKS   4

struct result_picture {
	enum result_shape shape;
	enum result_scale scale;
	const char *title; /* what it shows */
	/* Names of columns, in the order above; what is not there is left out. */
	const char *columns[RESULT_PICTURE_COLUMNS];
	/* Values to draw a line at, such as the nearfull ratio; no name: none. */
	struct result_mark {
		const char *name;
		double value;
	} marks[RESULT_PICTURE_MARKS];
};

/** Draw a table. Pictures are shown in the order of these calls, each with its table. All
 * is copied but the names of columns and marks, which must be constants. A picture of a
 * table or first column that isn't there is left out. */
void result_draw(strew_result *result, const char *table,
		 const struct result_picture *picture);

/* For reports. */

/** A picture as it is to be drawn. */
struct result_drawing {
	const strew_table *table;
	struct result_picture picture;
};

size_t result_drawing_count(const strew_result *result);
const struct result_drawing *result_drawing_at(const strew_result *result, size_t index);

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
