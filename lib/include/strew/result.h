/* SPDX-License-Identifier: MIT */
#ifndef STREW_RESULT_H
#define STREW_RESULT_H

#include <strew/error.h>

STREW_BEGIN_DECLS

/** What an analysis returns: named tables of typed columns, and notes. Immutable once
 * returned; may be shared by threads that only read. */
typedef struct strew_result strew_result;
typedef struct strew_table strew_table;

typedef enum strew_cell_kind {
	STREW_CELL_NULL, /**< not known, or doesn't apply */
	STREW_CELL_INTEGER,
	STREW_CELL_REAL,
	STREW_CELL_TEXT,
	STREW_CELL_SET /**< devices; STREW_NONE is a hole */
} strew_cell_kind;

typedef struct strew_cell {
	strew_cell_kind kind;
	int64_t integer;
	double real;
	const char *text;
	const int32_t *set;
	size_t set_count;
} strew_cell;

STREW_API void strew_result_free(strew_result *result);
STREW_API const char *strew_result_command(const strew_result *result);

/** Tables, the main one first. The one named "summary", if there, has a single row. */
STREW_API size_t strew_result_table_count(const strew_result *result);
STREW_API const strew_table *strew_result_table_at(const strew_result *result,
						   size_t index);
/** @return NULL when there is none. */
STREW_API const strew_table *strew_result_table(const strew_result *result,
						const char *name);

STREW_API const char *strew_table_name(const strew_table *table);
STREW_API size_t strew_table_column_count(const strew_table *table);
STREW_API const char *strew_table_column_name(const strew_table *table, size_t column);
/** @return the column's index, or STREW_ENOTFOUND. */
STREW_API int strew_table_find_column(const strew_table *table, const char *name);
STREW_API size_t strew_table_row_count(const strew_table *table);
/** A cell; of kind null when row or column is out of range. */
STREW_API strew_cell strew_table_cell(const strew_table *table, size_t row,
				      size_t column);

STREW_END_DECLS

#endif
