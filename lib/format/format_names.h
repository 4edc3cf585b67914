/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_NAMES_H
#define FORMAT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base_vec.h"

/** Names of one document and what they stand for. Add all, sort, then look up. The
 * strings are borrowed. Starts cleared. */
struct format_names {
	struct base_vec entries;
};

/** @return false when there is no memory. */
bool format_names_add(struct format_names *names, const strew_allocator *allocator,
		      const char *name, int32_t id);
void format_names_sort(struct format_names *names);
/** The id that was added first for the name. @return false when there is none. */
bool format_names_find(const struct format_names *names, const char *name, int32_t *id);
/** The same for names that mostly come in the order of their numbers: `place` is where
 * the next one is looked for first. */
bool format_names_find_next(const struct format_names *names, const char *name,
			    size_t *place, int32_t *id);
void format_names_free(struct format_names *names, const strew_allocator *allocator);

#endif
