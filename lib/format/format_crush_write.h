/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_CRUSH_WRITE_H
#define FORMAT_CRUSH_WRITE_H

#include "format_dialect.h"
#include "format_names.h"
#include "format_write.h"
#include "map.h"

/** The MSR tunables of maps that have none. */
#define FORMAT_CRUSH_MSR_USUAL 100

/** The id of a bucket's shadow for a class. */
struct format_crush_shadow {
	int32_t bucket;
	int32_t class_id;
	int32_t id;
	const char *class_name;
};

/** CRUSH text on its way to a sink. */
struct format_crush_out {
	struct format_out to;
	const strew_map *map;
	const struct format_dialect *dialect;
	struct format_names classes;         /* their ids */
	struct format_crush_shadow *shadows; /* by bucket, from -1 downward, and class */
	size_t shadow_count, shadow_room;
};

/** As releases print a weight: as a signed 32-bit float, with so many decimals, whatever
 * the locale. */
void format_crush_add_weight(struct base_str *text, uint32_t weight, int decimals);
/** The weight that is read from what is printed of one. @return false when none is */
bool format_crush_reread(uint32_t weight, int decimals, uint32_t *out);
/** Does the release have a word for the type of a rule? */
bool format_crush_has_kind(const struct format_dialect *dialect, strew_kind kind);
const char *format_crush_item_name(const strew_map *map, int32_t id);
const char *format_crush_type_name(const strew_map *map, int32_t id);
/** Fills out->classes and out->shadows. @return false without memory */
bool format_crush_list_shadows(struct format_crush_out *out);
/** Their order, for qsort() and bsearch(). */
int format_crush_compare_shadows(const void *left, const void *right);
/** The section of the buckets (format_crush_write_tree.c). */
void format_crush_write_tree(struct format_crush_out *out);
/** Tells what of the map the text can't hold (format_crush_lost.c). */
void format_crush_lose(struct format_losses *losses, const struct format_crush_out *out);
/** Its part about the tree (format_crush_lost_tree.c). */
void format_crush_lose_tree(struct format_losses *losses,
			    const struct format_crush_out *out);

#endif
