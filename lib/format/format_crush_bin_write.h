/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_CRUSH_BIN_WRITE_H
#define FORMAT_CRUSH_BIN_WRITE_H

#include "format_crush_bin_priv.h"
#include "format_dialect.h"
#include "format_names.h"
#include "format_write.h"

/** What the writers of the parts of a binary CRUSH map share. */
struct format_bin_out {
	struct format_out to;
	const strew_map *map;
	const strew_allocator *allocator;
	const struct format_dialect *dialect;
	struct map_layout layout;
	struct format_names classes; /* the class's id by its name */
	struct base_vec ids, weights, table;
	struct base_vec entries; /* of the part that is written */
};

/** Names, and the parts up to the layout's last one (format_crush_bin_write_tail.c). */
void format_bin_write_tail(struct format_bin_out *out);

/** What a binary map can't hold. @return STREW_ENOTSUP for what it could not even be
 * written without (format_crush_bin_lost.c) */
strew_status format_bin_lose(struct format_losses *losses, const strew_map *map,
			     strew_error *error);

/** The number of a selector, or 0. */
uint8_t format_bin_alg(const char *alg);

#endif
