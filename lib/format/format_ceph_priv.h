/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_CEPH_PRIV_H
#define FORMAT_CEPH_PRIV_H

#include "format_names.h"
#include "format_walk.h"

/** What is known of a bucket that was added. */
struct format_ceph_bucket {
	int32_t id;
	int32_t type;
	size_t item_count;
};

/** What the readers of the parts of a CRUSH dump share. */
struct format_ceph {
	struct format_walk walk;
	uint8_t straw_calc_version;
	struct format_names
		names; /* of buckets, whose values are places in the list of buckets */
	struct base_vec buckets; /* struct format_ceph_bucket, by id */
	size_t padding;          /* weights that rows lacked so far */
	struct base_vec placed;  /* int32_t: devices that buckets hold */
};

/** The members "buckets" (format_ceph_bucket.c), "rules" and "choose_args"
 * (format_ceph_rule.c). */
void format_ceph_buckets(struct format_ceph *ceph, json_t *buckets);
void format_ceph_rules(struct format_ceph *ceph, json_t *rules);
void format_ceph_choose_args(struct format_ceph *ceph, json_t *sets);

/** NULL when there is none. */
const struct format_ceph_bucket *format_ceph_find(const struct format_ceph *ceph,
						  int32_t id);

#endif
