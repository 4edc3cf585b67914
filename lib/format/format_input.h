/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_INPUT_H
#define FORMAT_INPUT_H

#include "base_vec.h"
#include "format.h"

/** Append a whole file to a vector of bytes, or standard input when the path is "-".
 * `name` is what messages call it (format_file.c). */
strew_status format_read_bytes(struct base_vec *bytes, const char *path, const char *name,
			       const strew_allocator *allocator, strew_error *error);

/** Parse input that looks like JSON into input->json, which is the caller's to drop. What
 * doesn't look like it is left alone; broken JSON fails, with line, column and what would
 * be right (format_syntax.c). */
strew_status format_parse(struct format_input *input, strew_error *error);

/** Say that no format reads the input, and what to do about it. @return STREW_EFORMAT
 * (format_unknown.c). */
strew_status format_refuse(const struct format_input *input, strew_error *error);

#endif
