/* SPDX-License-Identifier: MIT */
#include "result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base_str.h"
#include "result_priv.h"

/* Eight bytes a cell. What stands for null is a value that the kind can't have. */
union cell {
	int64_t integer; /* INT64_MIN: null */
	double real;     /* not a number: null */
	uint64_t offset; /* text and sets: into the table's pool; NO_OFFSET: null */
};

#define NO_OFFSET UINT64_MAX

strew_result *result_new(const char *command, const strew_allocator *allocator)
{
	const strew_allocator *from = base_allocator_or_heap(allocator);
	strew_result *result = base_calloc(from, 1, sizeof(*result));

	if (result == NULL)
		return NULL;
	result->allocator = *from;
	base_arena_init(&result->arena, from);
	result->command = base_arena_strdup(&result->arena, command);
	if (result->command == NULL) {
		strew_result_free(result);
		return NULL;
	}
	return result;
}

void strew_result_free(strew_result *result)
{
	strew_allocator allocator;
	strew_table **tables;

	if (result == NULL)
		return;
	allocator = result->allocator;
	tables = result->tables.items;
	for (size_t i = 0; i < result->tables.count; i++) {
		base_vec_free(&tables[i]->cells, &allocator);
		base_vec_free(&tables[i]->sets, &allocator);
		base_vec_free(&tables[i]->texts, &allocator);
	}
	base_vec_free(&result->tables, &allocator);
	base_vec_free(&result->notes, &allocator);
	base_vec_free(&result->drawings, &allocator);
	base_arena_free(&result->arena);
	base_free(&allocator, result, sizeof(*result));
}

strew_status result_status(const strew_result *result)
{
	return result->status;
}

static strew_table *new_table(strew_result *result, const char *name, const char *title,
			      const struct result_column *columns, size_t column_count)
{
	struct base_arena *arena = &result->arena;
	strew_table *table = base_arena_alloc(arena, 1, sizeof(*table));

	if (table == NULL)
		return NULL;
	table->result = result;
	table->name = base_arena_strdup(arena, name);
	table->title = base_arena_strdup(arena, title ? title : name);
	table->columns = base_arena_copy(arena, columns, column_count, sizeof(*columns));
	table->column_count = column_count;
	table->next = column_count;
	if (table->name == NULL || table->title == NULL || table->columns == NULL)
		return NULL;
	return table;
}

strew_table *result_add_table(strew_result *result, const char *name, const char *title,
			      const struct result_column *columns, size_t column_count,
			      unsigned flags)
{
	strew_table *table, **slot = NULL;

	if (result->status)
		return NULL;
	table = new_table(result, name, title, columns, column_count);
	if (table)
		slot = base_vec_push(&result->tables, &result->allocator, sizeof(*slot));
	if (slot == NULL) {
		result->status = STREW_ENOMEM;
		return NULL;
	}
	table->flags = flags;
	*slot = table;
	return table;
}

static const char *print(strew_result *result, const char *format, va_list args)
{
	va_list again;
	char *text;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = len < 0 ? NULL : base_arena_alloc(&result->arena, (size_t)len + 1, 1);
	if (text == NULL) {
		result->status = STREW_ENOMEM;
		return NULL;
	}
	vsnprintf(text, (size_t)len + 1, format, args);
	base_str_make_printable(text);
	return text;
}

static void add_note(strew_result *result, bool warning, const char *format, va_list args)
{
	struct result_note *note;
	const char *text;

	if (result->status)
		return;
	text = print(result, format, args);
	if (text == NULL)
		return;
	note = base_vec_push(&result->notes, &result->allocator, sizeof(*note));
	if (note == NULL) {
		result->status = STREW_ENOMEM;
		return;
	}
	note->text = text;
	note->after = result->tables.count;
	note->warning = warning;
}

void result_add_note(strew_result *result, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_note(result, false, format, args);
	va_end(args);
}

void result_add_warning(strew_result *result, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_note(result, true, format, args);
	va_end(args);
}

void result_set_headline(strew_result *result, const char *format, ...)
{
	va_list args;

	if (result->status)
		return;
	va_start(args, format);
	result->headline = print(result, format, args);
	va_end(args);
}

static void set_null(union cell *cell, strew_cell_kind kind)
{
	switch (kind) {
	case STREW_CELL_INTEGER:
		cell->integer = INT64_MIN;
		break;
	case STREW_CELL_REAL:
		cell->real = NAN;
		break;
	default:
		cell->offset = NO_OFFSET;
	}
}

void result_row(strew_table *table)
{
	union cell *row;

	if (table == NULL || table->result->status)
		return;
	row = base_vec_extend(&table->cells, &table->result->allocator, sizeof(*row),
			      table->column_count);
	if (row == NULL) {
		table->result->status = STREW_ENOMEM;
		return;
	}
	for (size_t i = 0; i < table->column_count; i++)
		set_null(&row[i], table->columns[i].kind);
	table->row_count++;
	table->next = 0;
}

/* The next cell of the last row, or NULL when it stays null. */
static union cell *next_cell(strew_table *table, strew_cell_kind kind)
{
	union cell *cells;
	size_t column;

	if (table == NULL || table->result->status || table->next >= table->column_count)
		return NULL;
	column = table->next++;
	if (table->columns[column].kind != kind)
		return NULL;
	cells = table->cells.items;
	return &cells[table->cells.count - table->column_count + column];
}

void result_null(strew_table *table)
{
	next_cell(table, STREW_CELL_NULL);
}

void result_integer(strew_table *table, int64_t value)
{
	union cell *cell = next_cell(table, STREW_CELL_INTEGER);

	if (cell == NULL)
		return;
	if (value == STREW_NONE && table->columns[table->next - 1].unit == RESULT_DEVICE)
		return;
	cell->integer = value;
}

void result_real(strew_table *table, double value)
{
	union cell *cell = next_cell(table, STREW_CELL_REAL);

	if (cell && isfinite(value))
		cell->real = value;
}

/* Room in a pool, which the cell points to; NULL when there is none. */
static void *point_at_room(strew_table *table, union cell *cell, struct base_vec *pool,
			   size_t item_size, size_t count)
{
	uint64_t offset = pool->count;
	void *room = base_vec_extend(pool, &table->result->allocator, item_size, count);

	if (room == NULL)
		table->result->status = STREW_ENOMEM;
	else
		cell->offset = offset;
	return room;
}

void result_text(strew_table *table, const char *text)
{
	union cell *cell = next_cell(table, STREW_CELL_TEXT);
	char *room;

	if (cell == NULL || text == NULL)
		return;
	room = point_at_room(table, cell, &table->texts, 1, strlen(text) + 1);
	if (room)
		memcpy(room, text, strlen(text) + 1);
}

void result_textf(strew_table *table, const char *format, ...)
{
	union cell *cell = next_cell(table, STREW_CELL_TEXT);
	va_list args;
	char *room;
	int len;

	if (cell == NULL)
		return;
	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0)
		return;
	room = point_at_room(table, cell, &table->texts, 1, (size_t)len + 1);
	if (room == NULL)
		return;
	va_start(args, format);
	vsnprintf(room, (size_t)len + 1, format, args);
	va_end(args);
}

void result_set(strew_table *table, const int32_t *devices, size_t count)
{
	union cell *cell = next_cell(table, STREW_CELL_SET);
	int32_t *room;

	if (cell == NULL || count > INT32_MAX)
		return;
	room = point_at_room(table, cell, &table->sets, sizeof(*room), count + 1);
	if (room == NULL)
		return;
	room[0] = (int32_t)count;
	if (count > 0)
		memcpy(room + 1, devices, count * sizeof(*devices));
}

const char *strew_result_command(const strew_result *result)
{
	return result->command;
}

size_t strew_result_table_count(const strew_result *result)
{
	return result->tables.count;
}

const strew_table *strew_result_table_at(const strew_result *result, size_t index)
{
	strew_table **tables = result->tables.items;

	return index < result->tables.count ? tables[index] : NULL;
}

const strew_table *strew_result_table(const strew_result *result, const char *name)
{
	strew_table **tables = result->tables.items;

	for (size_t i = 0; i < result->tables.count; i++) {
		if (strcmp(tables[i]->name, name) == 0)
			return tables[i];
	}
	return NULL;
}

const char *strew_table_name(const strew_table *table)
{
	return table->name;
}

size_t strew_table_column_count(const strew_table *table)
{
	return table->column_count;
}

const char *strew_table_column_name(const strew_table *table, size_t column)
{
	return column < table->column_count ? table->columns[column].name : NULL;
}

int strew_table_find_column(const strew_table *table, const char *name)
{
	for (size_t i = 0; i < table->column_count; i++) {
		if (strcmp(table->columns[i].name, name) == 0)
			return (int)i;
	}
	return STREW_ENOTFOUND;
}

size_t strew_table_row_count(const strew_table *table)
{
	return table->row_count;
}

static void read_integer(strew_cell *cell, const union cell *from)
{
	if (from->integer == INT64_MIN)
		return;
	cell->kind = STREW_CELL_INTEGER;
	cell->integer = from->integer;
}

static void read_real(strew_cell *cell, const union cell *from)
{
	if (isnan(from->real))
		return;
	cell->kind = STREW_CELL_REAL;
	cell->real = from->real;
}

static void read_text(strew_cell *cell, const strew_table *table, const union cell *from)
{
	if (from->offset == NO_OFFSET)
		return;
	cell->kind = STREW_CELL_TEXT;
	cell->text = (const char *)table->texts.items + from->offset;
}

static void read_set(strew_cell *cell, const strew_table *table, const union cell *from)
{
	const int32_t *set;

	if (from->offset == NO_OFFSET)
		return;
	set = (const int32_t *)table->sets.items + from->offset;
	cell->kind = STREW_CELL_SET;
	cell->set_count = (size_t)set[0];
	cell->set = set + 1;
}

strew_cell strew_table_cell(const strew_table *table, size_t row, size_t column)
{
	strew_cell cell = {.kind = STREW_CELL_NULL};
	const union cell *from = table->cells.items;

	if (row >= table->row_count || column >= table->column_count)
		return cell;
	from += row * table->column_count + column;
	switch (table->columns[column].kind) {
	case STREW_CELL_INTEGER:
		read_integer(&cell, from);
		break;
	case STREW_CELL_REAL:
		read_real(&cell, from);
		break;
	case STREW_CELL_TEXT:
		read_text(&cell, table, from);
		break;
	case STREW_CELL_SET:
		read_set(&cell, table, from);
		break;
	case STREW_CELL_NULL:
		break;
	}
	return cell;
}

unsigned result_table_flags(const strew_table *table)
{
	return table->flags;
}

const char *result_table_title(const strew_table *table)
{
	return table->title;
}

const struct result_column *result_table_column(const strew_table *table, size_t column)
{
	return &table->columns[column];
}

size_t result_note_count(const strew_result *result)
{
	return result->notes.count;
}

struct result_note result_note_at(const strew_result *result, size_t index)
{
	const struct result_note *notes = result->notes.items;

	return notes[index];
}

const char *result_headline(const strew_result *result)
{
	return result->headline;
}

void result_print_bytes(char text[RESULT_BYTES_ROOM], double bytes)
{
	static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
					    "TiB", "PiB", "EiB"};
	size_t unit = 0;

	/* 1023.95 would round to 1024.0. */
	while (fabs(bytes) >= (unit > 0 ? 1023.95 : 1024) && unit < 6) {
		bytes /= 1024;
		unit++;
	}
	/* No map has so many that %f needs more room than this. */
	snprintf(text, RESULT_BYTES_ROOM, "%.*f %s", unit > 0 ? 1 : 0, bytes,
		 units[unit]);
}
