/* SPDX-License-Identifier: MIT */
#ifndef STREW_IO_H
#define STREW_IO_H

#include <strew/builder.h>
#include <strew/sink.h>

STREW_BEGIN_DECLS

typedef struct strew_read_options {
	size_t size;
	const char *format; /**< a format's name; NULL: recognised from the content */
	const char *name;   /**< of the input, for messages; NULL: the path, or "-" */
	const strew_allocator *allocator; /**< for the map; NULL: the heap */
	const char **found; /**< where to put the name of the format that it was, a
			     * constant, once it is known; NULL: nowhere */
} strew_read_options;

#define STREW_READ_OPTIONS_INIT                                                          \
	{                                                                                \
		sizeof(strew_read_options), 0, 0, 0, 0                                   \
	}

/** The formats: "json", "crush-text", "ceph-report", "ceph-osd-dump" and others. All of
 * them can be read. */
STREW_API size_t strew_format_count(void);
/** @return NULL when index is not below the count. */
STREW_API const char *strew_format_name(size_t index);
STREW_API const char *strew_format_summary(size_t index);
/** @return whether maps can be written in it: 1 or 0 */
STREW_API int strew_format_writes(size_t index);

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

typedef struct strew_write_options {
	size_t size;
	int lossy; /**< write also when the format can't hold every fact of the map */
	/** Told of each fact that the format can't hold, before anything is written;
	 * NULL: nobody is told. */
	void (*lost)(void *ctx, const char *fact);
	void *ctx;
	const strew_allocator *allocator; /**< for the writer's needs; NULL: the heap */
	/** Where Ceph's releases write a format in different ways: the release, as
	 * strew_dialect_name() has it, or its number ("16"); NULL: "pacific". */
	const char *dialect;
	int pretty; /**< crush-json: a value a line, as Ceph's json-pretty */
} strew_write_options;

#define STREW_WRITE_OPTIONS_INIT                                                         \
	{                                                                                \
		sizeof(strew_write_options), 0, 0, 0, 0, 0, 0                            \
	}

/** The releases of Ceph whose dialects are known, oldest first. */
STREW_API size_t strew_dialect_count(void);
/** @return NULL when index is not below the count. */
STREW_API const char *strew_dialect_name(size_t index);

/**
 * Write a map in a format of this name. What was written and is read again is the same
 * map, with the same placements.
 *
 * @return STREW_ENOTSUP when the format can't be written, or can't hold all of this map
 * and that was not allowed: then nothing has been written. STREW_EINVAL when there is no
 * such format or dialect, STREW_EIO when the sink stopped it.
 */
STREW_API STREW_MUST_USE strew_status strew_map_write(const strew_map *map,
						      const char *format,
						      const strew_write_options *options,
						      const strew_sink *sink,
						      strew_error *error);

typedef struct strew_commands_options {
	size_t size;
	const char *before_name; /**< what comments call the maps; NULL: "OLD", "NEW" */
	const char *after_name;  /**< also the file to convert, in comments */
	/** Told of each fact that no command can say; NULL: nobody is told. */
	void (*lost)(void *ctx, const char *fact);
	void *ctx;
	const strew_allocator *allocator; /**< for the writer's needs; NULL: the heap */
} strew_commands_options;

#define STREW_COMMANDS_OPTIONS_INIT                                                      \
	{                                                                                \
		sizeof(strew_commands_options), 0, 0, 0, 0, 0                            \
	}

/**
 * Write the commands of a Ceph cluster (`ceph osd …`, one a line, for a shell) that carry
 * it from one map to another. With the maps exchanged they are the way back. What
 * commands can't say stands in comments at the start, with what to do instead, and the
 * call succeeds.
 *
 * Pools, upmaps, reweights and affinities are compared where both maps have pools. No
 * command removes a pool.
 *
 * @return STREW_EIO when the sink stopped it.
 */
STREW_API STREW_MUST_USE strew_status
strew_map_write_commands(const strew_map *before, const strew_map *after,
			 const strew_commands_options *options, const strew_sink *sink,
			 strew_error *error);

STREW_END_DECLS

#endif
