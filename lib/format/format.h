/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>

#include <strew/io.h>

struct json_t;

/** Bytes to read, and what to call them. */
struct format_input {
	const char *bytes;
	size_t count;
	const char *name;
	struct json_t
		*json; /* the bytes parsed, once for all; NULL when they are not JSON */
	const strew_allocator *allocator; /* for what the reader needs while it reads */
};

/** Where a map is written to, and what is to be told. */
struct format_output {
	const strew_sink *sink;
	const strew_allocator *allocator; /* for what the writer needs while it writes */
	bool lossy;
	void (*lost)(void *ctx, const char *fact); /* NULL: nobody is told */
	void *ctx;
	const struct format_dialect *dialect;
	bool pretty;
};

#define FORMAT_WHOLE 1u /**< reads a whole map */
#define FORMAT_JOIN  2u /**< adds facts to the map that the builder has */
#define FORMAT_RAW   4u /**< takes the bytes as they are; all others need JSON */

/** A format: a table, and the only symbol that its file exports. */
struct format_ops {
	const char *name;
	const char *summary;
	unsigned flags;
	/** How sure is it that this is its format: 0 (not) to 100.
	 * Looks at the content only. */
	int (*probe)(const struct format_input *input);
	/** Tell the builder what the input says. Fails for lack of memory and for content
	 * that can't be this format at all; all else becomes faults of the builder. */
	strew_status (*read)(const struct format_input *input, strew_builder *builder,
			     strew_error *error);
	/** Write a map; NULL: this format can't be written. What it can't hold of the map
	 * is told first, and fails the call with STREW_ENOTSUP unless the output may be
	 * lossy; nothing is written then. */
	strew_status (*write)(const strew_map *map, const struct format_output *output,
			      strew_error *error);
};

extern const struct format_ops format_json;
extern const struct format_ops format_crush_text;
extern const struct format_ops format_crush_bin;
extern const struct format_ops format_ceph_json;
extern const struct format_ops format_osdmap;
extern const struct format_ops format_ceph_report;
extern const struct format_ops format_ceph_osd_dump;
extern const struct format_ops format_ceph_osd_df;
extern const struct format_ops format_ceph_osd_tree;
extern const struct format_ops format_ceph_pg_dump;
extern const struct format_ops format_device_list;

#endif
