/* SPDX-License-Identifier: MIT */
#include "report_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base_alloc.h"

/*
 * A table of from, to and a value as a matrix; when it has too many names for that, as a
 * list of the largest values.
 */

#define COLUMNS_MAX 12
#define ROWS_MAX    32
#define LIST_MAX    20

struct names {
	const char *items[ROWS_MAX]; /* NULL: a cell that is null */
	size_t count;
};

struct matrix {
	const strew_table *table;
	struct names rows;
	struct names columns;
	size_t cells[ROWS_MAX][COLUMNS_MAX]; /* the table's row, from 1; 0: none */
};

static int compare_numbers(const char **a, const char **b)
{
	size_t length_a, length_b;
	int order;

	*a += strspn(*a, "0");
	*b += strspn(*b, "0");
	length_a = strspn(*a, "0123456789");
	length_b = strspn(*b, "0123456789");
	if (length_a != length_b)
		return length_a < length_b ? -1 : 1;
	order = strncmp(*a, *b, length_a);
	*a += length_a;
	*b += length_b;
	return order;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* r2 before r10; what has no name comes last. */
static int compare_names(const void *left, const void *right)
{
	const char *a = *(const char *const *)left, *b = *(const char *const *)right;

	if (a == NULL || b == NULL)
		return (a == NULL) - (b == NULL);
	while (*a && *b) {
		int order = 0;

		if (is_digit(*a) && is_digit(*b))
			order = compare_numbers(&a, &b);
		else
			order = (unsigned char)*a++ - (unsigned char)*b++;
		if (order != 0)
			return order;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

static const char *name_at(const strew_table *table, size_t row, size_t column)
{
	strew_cell cell = strew_table_cell(table, row, column);

	return cell.kind == STREW_CELL_TEXT ? cell.text : NULL;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static size_t find_name(const struct names *names, const char *name)
{
	size_t i = 0;

	while (i < names->count && !is_same(names->items[i], name))
		i++;
	return i;
}

/* False when there are more than max. */
static bool gather_names(struct names *names, const strew_table *table, size_t column,
			 size_t max)
{
	for (size_t row = 0; row < strew_table_row_count(table); row++) {
		const char *name = name_at(table, row, column);

		if (find_name(names, name) < names->count)
			continue;
		if (names->count == max)
			return false;
		names->items[names->count++] = name;
	}
	qsort(names->items, names->count, sizeof(names->items[0]), compare_names);
	return true;
}

static void fill_cells(struct matrix *matrix)
{
	const strew_table *table = matrix->table;

	for (size_t row = 0; row < strew_table_row_count(table); row++) {
		size_t at = find_name(&matrix->rows, name_at(table, row, 0));
		size_t across = find_name(&matrix->columns, name_at(table, row, 1));

		matrix->cells[at][across] = row + 1;
	}
}

static void add_name(struct base_str *text, const char *name)
{
	strew_cell cell = {.kind = name ? STREW_CELL_TEXT : STREW_CELL_NULL,
			   .text = name};

	report_add_rounded(text, &cell, RESULT_DEVICE);
}

static void add_value(struct base_str *text, const strew_table *table, size_t row)
{
	strew_cell cell = strew_table_cell(table, row, 2);

	report_add_rounded(text, &cell, result_table_column(table, 2)->unit);
}

static void add_matrix_cell(const void *ctx, size_t row, size_t column,
			    struct base_str *text)
{
	const struct matrix *matrix = ctx;

	if (row == 0 && column == 0)
		base_str_add(text, result_table_title(matrix->table));
	else if (row == 0)
		add_name(text, matrix->columns.items[column - 1]);
	else if (column == 0)
		add_name(text, matrix->rows.items[row - 1]);
	else if (matrix->cells[row - 1][column - 1] == 0)
		base_str_add(text, ".");
	else
		add_value(text, matrix->table, matrix->cells[row - 1][column - 1] - 1);
}

static bool only_first_is_left(const void *ctx, size_t column)
{
	(void)ctx;
	return column == 0;
}

/* False when it doesn't fit. */
static bool write_matrix(struct report_out *out, const strew_table *table,
			 size_t width_max)
{
	struct matrix matrix = {.table = table};
	struct report_grid grid = {.add_cell = add_matrix_cell,
				   .is_left = only_first_is_left,
				   .ctx = &matrix};

	if (!gather_names(&matrix.rows, table, 0, ROWS_MAX) ||
	    !gather_names(&matrix.columns, table, 1, COLUMNS_MAX))
		return false;
	fill_cells(&matrix);
	grid.rows = matrix.rows.count + 1;
	grid.columns = matrix.columns.count + 1;
	return report_grid_write(out, &grid, width_max);
}

struct entry {
	double value;
	size_t row;
};

struct list {
	const strew_table *table;
	const struct entry *entries;
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static void add_list_cell(const void *ctx, size_t row, size_t column,
			  struct base_str *text)
{
	const struct list *list = ctx;

	if (row == 0)
		base_str_add(text, result_table_column(list->table, column)->name);
	else if (column < 2)
		add_name(text, name_at(list->table, list->entries[row - 1].row, column));
	else
		add_value(text, list->table, list->entries[row - 1].row);
}

static bool names_are_left(const void *ctx, size_t column)
{
	(void)ctx;
	return column < 2;
}

static struct entry *sort_entries(const strew_table *table)
{
	size_t count = strew_table_row_count(table);
	struct entry *entries = base_alloc(&base_heap, count, sizeof(*entries));

	if (entries == NULL)
		return NULL;
	for (size_t row = 0; row < count; row++) {
		strew_cell cell = strew_table_cell(table, row, 2);

		entries[row].row = row;
		entries[row].value = cell.kind == STREW_CELL_INTEGER
					     ? (double)cell.integer
					     : cell.real;
	}
	qsort(entries, count, sizeof(*entries), compare_entries);
	return entries;
}

static void write_largest(struct report_out *out, const strew_table *table)
{
	size_t count = strew_table_row_count(table);
	size_t shown = count > LIST_MAX ? LIST_MAX : count;
	struct entry *entries = sort_entries(table);
	struct list list = {table, entries};
	struct report_grid grid = {.rows = shown + 1,
				   .columns = 3,
				   .add_cell = add_list_cell,
				   .is_left = names_are_left,
				   .ctx = &list};

	if (entries == NULL) {
		out->text.failed = true;
		return;
	}
	base_str_addf(&out->text, "%s%s\n", result_table_title(table),
		      shown < count ? ", the largest" : "");
	report_grid_write(out, &grid, 0);
	if (shown < count)
		base_str_addf(&out->text, "… and %zu more\n", count - shown);
	base_free(&base_heap, entries, count * sizeof(*entries));
}

void report_matrix_write(struct report_out *out, const strew_table *table,
			 size_t width_max)
{
	if (!write_matrix(out, table, width_max))
		write_largest(out, table);
}
