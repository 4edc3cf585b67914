/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* The layouts that other tools print, for scripts that read them. */

static strew_cell cell(const strew_table *table, size_t row, const char *column)
{
	return strew_table_cell(table, row,
				(size_t)strew_table_find_column(table, column));
}

/* A sign and 19 digits, and a comma. */
#define NUMBER_MAX 21
#define SET_MAX    (STREW_WANT_MAX * NUMBER_MAX + 2)

/* A number's digits, where there is room for NUMBER_MAX. There may be millions of them,
 * and printf takes longer for one than it takes to place it. @return the end. */
static char *put_number(char *to, int64_t number)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	char digits[NUMBER_MAX + 1], *first = digits + sizeof(digits);
	size_t count;

	do {
		first -= 2;
		memcpy(first, pairs + left % 100 * 2, 2);
		left /= 100;
	} while (left > 0);
	first += *first == '0' && first + 1 < digits + sizeof(digits);
	count = (size_t)(digits + sizeof(digits) - first);
	if (number < 0)
		*to++ = '-';
	memcpy(to, first, count);
	return to + count;
}

static char *put_set(char *to, const strew_cell *set)
{
	*to++ = '[';
	for (size_t i = 0; i < set->set_count; i++) {
		if (i > 0)
			*to++ = ',';
		to = put_number(to, set->set[i]);
	}
	*to++ = ']';
	return to;
}

static void print_set(struct cli_output *output, const strew_cell *set)
{
	strew_sink sink = cli_output_sink(output);
	char text[SET_MAX];

	sink.write(sink.ctx, text, (size_t)(put_set(text, set) - text));
}

#define LINE_MAX_BYTES (64 + NUMBER_MAX + SET_MAX)

/* Lines are written a few hundred at a time. */
static void print_crushtool(struct cli_output *output, const strew_table *table,
			    const strew_map *map, const strew_inputs *inputs)
{
	size_t x = (size_t)strew_table_find_column(table, "x");
	size_t devices = (size_t)strew_table_find_column(table, "devices");
	size_t count = strew_table_row_count(table), row;
	strew_sink sink = cli_output_sink(output);
	char start[64], lines[3 * LINE_MAX_BYTES], *end = lines;
	size_t len;

	(void)map;
	len = (size_t)snprintf(start, sizeof(start), "CRUSH rule %" PRId32 " x ",
			       inputs->rule);
	for (row = 0; row < count && !cli_output_failed(output); row++) {
		strew_cell set = strew_table_cell(table, row, devices);

		memcpy(end, start, len);
		end = put_number(end + len, strew_table_cell(table, row, x).integer);
		*end++ = ' ';
		end = put_set(end, &set);
		*end++ = '\n';
		if (end <= lines + 2 * LINE_MAX_BYTES)
			continue;
		sink.write(sink.ctx, lines, (size_t)(end - lines));
		end = lines;
	}
	sink.write(sink.ctx, lines, (size_t)(end - lines));
}

static int is_bad(const strew_cell *devices, int want)
{
	size_t i;

	if (devices->set_count != (size_t)want)
		return 1;
	for (i = 0; i < devices->set_count; i++)
		if (devices->set[i] == STREW_NONE)
			return 1;
	return 0;
}

static void print_crushtool_bad(struct cli_output *output, const strew_table *table,
				const strew_map *map, const strew_inputs *inputs)
{
	size_t count = strew_table_row_count(table);
	size_t row;

	(void)map;
	for (row = 0; row < count && !cli_output_failed(output); row++) {
		strew_cell devices = cell(table, row, "devices");

		if (!is_bad(&devices, inputs->want))
			continue;
		cli_output_print(
			output,
			"bad mapping rule %" PRId32 " x %" PRId64 " num_rep %d result ",
			inputs->rule, cell(table, row, "x").integer, inputs->want);
		print_set(output, &devices);
		cli_output_print(output, "\n");
	}
}

static void print_stage(struct cli_output *output, const strew_table *table, size_t row,
			const char *set, const char *primary)
{
	strew_cell devices = cell(table, row, set);
	strew_cell first = cell(table, row, primary);
	int has_primary = first.kind == STREW_CELL_INTEGER && first.integer != STREW_NONE;

	cli_output_print(output, " %s (", set);
	print_set(output, &devices);
	cli_output_print(output, ", p%" PRId64 ")", has_primary ? first.integer : -1);
}

static void print_pg(struct cli_output *output, const strew_table *table, size_t row)
{
	cli_output_print(output, "%s", cell(table, row, "pg").text);
	print_stage(output, table, row, "raw", "raw_primary");
	print_stage(output, table, row, "up", "up_primary");
	print_stage(output, table, row, "acting", "acting_primary");
	cli_output_print(output, "\n");
}

static void print_pg_object(struct cli_output *output, const strew_table *table,
			    size_t row)
{
	strew_cell acting = cell(table, row, "acting");

	cli_output_print(output, " object '%s' -> %s -> ",
			 cell(table, row, "object").text, cell(table, row, "pg").text);
	print_set(output, &acting);
	cli_output_print(output, "\n");
}

/* The rows of a pool stand together, under its line. */
static void print_osdmaptool(struct cli_output *output, const strew_table *table,
			     const strew_map *map, const strew_inputs *inputs)
{
	size_t count = strew_table_row_count(table);
	int64_t pool = -1;
	size_t row;

	for (row = 0; row < count && !cli_output_failed(output); row++) {
		int64_t id = cell(table, row, "pool").integer;

		if (inputs->objects != NULL) {
			print_pg_object(output, table, row);
			continue;
		}
		if (id != pool)
			cli_output_print(
				output, "pool %" PRId64 " pg_num %" PRIu32 "\n", id,
				strew_pool_pg_num(strew_map_pool_by_id(map, id)));
		pool = id;
		print_pg(output, table, row);
	}
}

static const struct layout layouts[] = {
	{"crushtool", 1, 0, print_crushtool},
	{"crushtool-bad", 1, 0, print_crushtool_bad},
	{"osdmaptool", 0, 1, print_osdmaptool},
};

const struct layout *layout_find(const char *name)
{
	size_t i;

	for (i = 0; name != NULL && i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (strcmp(layouts[i].name, name) == 0)
			return &layouts[i];
	return NULL;
}
