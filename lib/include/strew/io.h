/* SPDX-License-Identifier: MIT */
#ifndef STREW_IO_H
#define STREW_IO_H

#include <strew/builder.h>

STREW_BEGIN_DECLS

typedef struct strew_read_options {
	size_t size;
	const char *format; /**< a format's name; NULL: recognised from the content */
	const char *name;   /**< of the input, for messages; NULL: the path, or "-" */
	const strew_allocator *allocator; /**< for the map; NULL: the heap */
} strew_read_options;

#define STREW_READ_OPTIONS_INIT {sizeof(strew_read_options), 0, 0, 0}

/** The formats that can be read: "json", "crush-json", "ceph-osd-dump". */
STREW_API size_t strew_format_count(void);
/** @return NULL when index is not below the count. */
STREW_API const char *strew_format_name(size_t index);
STREW_API const char *strew_format_summary(size_t index);

/** Read a map. Blocks; no other thread is needed. @return also STREW_EIO, EFORMAT,
 * ESYNTAX, EMAP. */
STREW_API STREW_MUST_USE strew_status
strew_map_read_file(strew_map **out, const char *path, const strew_read_options *options,
		    strew_error *error);
STREW_API STREW_MUST_USE strew_status
strew_map_read_memory(strew_map **out, const void *bytes, size_t count,
		      const strew_read_options *options, strew_error *error);

/**
 * Read a file into a builder: a whole map, or more facts about the map that the builder
 * has already, as the format is ("joining"). Facts about a map must come after it.
 *
 * What the reader or the builder finds wrong inside well-formed input becomes a fault of
 * the builder and does not fail this call: read all files, then build, and see all faults
 * at once. The call fails when a file can't be read or its syntax is broken. path "-" is
 * standard input.
 */
STREW_API STREW_MUST_USE strew_status
strew_builder_read_file(strew_builder *builder, const char *path,
			const strew_read_options *options, strew_error *error);
STREW_API STREW_MUST_USE strew_status
strew_builder_read_memory(strew_builder *builder, const void *bytes, size_t count,
			  const strew_read_options *options, strew_error *error);

STREW_END_DECLS

#endif
