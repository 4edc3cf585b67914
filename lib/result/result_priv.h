/* SPDX-License-Identifier: MIT */
#ifndef RESULT_PRIV_H
#define RESULT_PRIV_H

#include "base_alloc.h"
#include "base_vec.h"
#include "result.h"

struct strew_table {
	strew_result *result;
	const char *name;
	const char *title;
	const struct result_column *columns;
	size_t column_count;
	unsigned flags;
	size_t row_count;
	size_t next;           /* the column of the last row that is filled next */
	struct base_vec cells; /* of eight bytes, row by row */
	struct base_vec sets;  /* int32_t: a set's count, then its devices */
	struct base_vec texts; /* each ends in '\0' */
};

struct strew_result {
	strew_allocator allocator;
	struct base_arena arena;
	strew_status status;
	const char *command;
	const char *headline;
	struct base_vec tables;   /* strew_table * */
	struct base_vec notes;    /* struct result_note */
	struct base_vec drawings; /* struct result_drawing */
};

#endif
