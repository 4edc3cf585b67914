/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base_error.h"
#include "format_input.h"

/* jansson counts positions in an int. */
#define FILE_MAX   ((size_t)INT32_MAX - 1)
#define PIECE_SIZE ((size_t)1 << 16)

static strew_status read_all(struct base_vec *bytes, FILE *file, const char *name,
			     const strew_allocator *allocator, strew_error *error)
{
	while (!feof(file) && !ferror(file)) {
		char *room = base_vec_extend(bytes, allocator, 1, PIECE_SIZE);

		if (room == NULL)
			return base_error_nomem(error);
		bytes->count -= PIECE_SIZE - fread(room, 1, PIECE_SIZE, file);
		if (bytes->count > FILE_MAX)
			return base_error_at(
				error, STREW_EIO, name, 0, 0,
				"this is larger than 2 GiB, the most that is read");
	}
	if (ferror(file))
		return base_error_at(error, STREW_EIO, name, 0, 0, "can't be read: %s",
				     strerror(errno));
	return STREW_OK;
}

strew_status format_read_bytes(struct base_vec *bytes, const char *path, const char *name,
			       const strew_allocator *allocator, strew_error *error)
{
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	strew_status status;

	if (file == NULL)
		return base_error_at(error, STREW_EIO, name, 0, 0, "can't be opened: %s",
				     strerror(errno));
	status = read_all(bytes, file, name, allocator, error);
	if (file != stdin)
		fclose(file);
	return status;
}
