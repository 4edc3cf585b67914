/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_CEPH_WRITE_H
#define FORMAT_CEPH_WRITE_H

#include "format_dialect.h"
#include "format_write.h"

/** What the writers of the parts of a CRUSH dump share. */
struct format_ceph_out {
	struct format_out to;
	const strew_map *map;
	const struct format_dialect *dialect;
	unsigned depth;
	bool starts; /* nothing was written yet into the innermost object or list */
};

/* Layout (format_ceph_layout.c): that of Ceph's tools, byte for byte, compact or with a
 * value a line. A value is a member where it has a name; NULL in lists. */

void format_ceph_open(struct format_ceph_out *out, const char *name, char bracket);
void format_ceph_close(struct format_ceph_out *out, char bracket);
void format_ceph_integer(struct format_ceph_out *out, const char *name, int64_t number);
void format_ceph_string(struct format_ceph_out *out, const char *name, const char *text);
/** A weight of a weight set, which Ceph keeps in a 32-bit float. */
void format_ceph_weight(struct format_ceph_out *out, uint32_t weight);
/** Is there a float of 32 bits for this weight, and is it read again? */
bool format_ceph_holds_weight(uint32_t weight);

/** The members "rules" and "tunables" (format_ceph_write_rule.c). */
void format_ceph_write_rules(struct format_ceph_out *out);
void format_ceph_write_tunables(struct format_ceph_out *out);
/** The word for a step, or NULL where the dialect has none. */
const char *format_ceph_step_word(const struct format_dialect *dialect, strew_op op);

/** Buckets must be of Ceph's own algorithms; STREW_ENOTSUP if not (format_ceph_lost.c).
 */
strew_status format_ceph_accept(const strew_map *map, strew_error *error);
/** Tells what of the map a dump can't hold. @return false without memory */
bool format_ceph_lose(struct format_losses *losses, const strew_map *map);

/** The first id beyond those that "devices" lists, and whether it lists those that no
 * device has, which are left out when there are too many. */
int32_t format_ceph_device_end(const strew_map *map);
bool format_ceph_lists_gaps(const strew_map *map);
/** NULL when there is none. */
const char *format_ceph_class_name(const strew_map *map, int32_t id);

/** The format's call. */
strew_status format_ceph_write(const strew_map *map, const struct format_output *output,
			       strew_error *error);

#endif
