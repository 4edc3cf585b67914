/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_WRITE_H
#define FORMAT_WRITE_H

#include "base_str.h"
#include "format.h"
#include "map.h"

/** What the writers of all formats share. */

/** Bytes on their way to the sink, in pieces (format_out.c). Failures stick. */
struct format_out {
	const struct format_output *output;
	struct base_str text; /* gathered; numbers may be added here */
	bool failed;          /* the sink's fault */
};

void format_out_init(struct format_out *out, const struct format_output *output);
void format_out_put(struct format_out *out, const char *text);
/** Hands on what has gathered, now and then. */
void format_out_pass(struct format_out *out);
/** Memory of the writer ran out. */
void format_out_no_memory(struct format_out *out);
bool format_out_stopped(const struct format_out *out);
/** Hands on the rest, frees, and tells how it went. */
strew_status format_out_end(struct format_out *out, strew_error *error);

/** Frees, and hands on nothing. @return the status */
strew_status format_out_drop(struct format_out *out, strew_status status);

/** The facts of a map that a format can't hold (format_losses.c). */
struct format_losses {
	const struct format_output *output;
	size_t count;
	char first[400];
};

/** Tells of one: a clause without a full stop. */
void format_lose(struct format_losses *losses, const char *format, ...)
	STREW_PRINTF(2, 3);
/** What of the map only a whole cluster has: pools, states, overrides, remarks, …
 * (format_lose_cluster.c). */
void format_lose_cluster(struct format_losses *losses, const strew_map *map);
/** The names of the map that are not UTF-8, which JSON can't hold. */
void format_lose_names(struct format_losses *losses, const strew_map *map);
/** The names of weight sets that are not their ids. */
void format_lose_set_names(struct format_losses *losses, const strew_map *map);
/** @return STREW_ENOTSUP when there were some and that is not allowed */
strew_status format_losses_end(const struct format_losses *losses, const char *format,
			       strew_error *error);

/** The same map with all names in UTF-8, no two of which become one; the map itself when
 * they are. To be released (format_repair.c). */
strew_status format_repair(strew_map **out, const strew_map *map, strew_error *error);

/** Is all of the text UTF-8? */
bool format_is_utf8(const char *text);
/** The bytes of the character at the start of a text, or 0 when that is none. */
size_t format_utf8_len(const char *text);

#endif
