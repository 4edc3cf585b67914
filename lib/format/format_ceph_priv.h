/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_CEPH_PRIV_H
#define FORMAT_CEPH_PRIV_H

#include "format_names.h"
#include "format_walk.h"

/** Any number that isn't a hash of Ceph's: such a bucket hashes everything to 0. */
#define FORMAT_CEPH_UNKNOWN_HASH 255

/** What is known of a bucket that was added. */
struct format_ceph_bucket {
	int32_t id;
	int32_t type;
	size_t item_count;
};

/** What the readers of the parts of a CRUSH dump share. */
struct format_ceph {
	struct format_walk *walk;
	uint8_t straw_calc_version;
	struct format_names
		names; /* of buckets, whose values are places in the list of buckets */
	struct base_vec buckets;         /* struct format_ceph_bucket, by id */
	size_t padding;                  /* weights that rows lacked so far */
	struct base_vec placed;          /* int32_t: devices that buckets hold */
	struct base_vec types, nameless; /* int32_t: those listed; those of buckets and
					  * steps that don't name theirs */
};

/** The documents that stand alone or in a `ceph report`: a CRUSH dump
 * (format_ceph_json.c), an OSD dump (format_ceph_cluster.c), and the lists of statistics
 * of a PG dump (format_ceph_stats.c). */
void format_ceph_crush(struct format_walk *walk, json_t *document);
void format_ceph_cluster(struct format_walk *walk, json_t *document);
void format_ceph_stats(struct format_walk *walk, json_t *document);
/** The use of a device, in units of 1024 bytes. */
void format_ceph_capacity(struct format_walk *walk, int64_t device, int64_t kb,
			  int64_t kb_used);

/** Lists of ids: add all, sort, then look up. */
bool format_ceph_keep_id(struct format_ceph *ceph, struct base_vec *ids, int32_t id);
void format_ceph_sort_ids(struct base_vec *ids);

/** What there is to know of the buckets before anything is read (format_ceph_bucket.c).
 */
void format_ceph_list_buckets(struct format_ceph *ceph, json_t *buckets);
/** The members "buckets" (format_ceph_bucket.c), "rules" and "choose_args"
 * (format_ceph_rule.c). */
void format_ceph_buckets(struct format_ceph *ceph, json_t *buckets);
void format_ceph_rules(struct format_ceph *ceph, json_t *rules);
void format_ceph_choose_args(struct format_ceph *ceph, json_t *sets);

/** NULL when there is none. */
const struct format_ceph_bucket *format_ceph_find(const struct format_ceph *ceph,
						  int32_t id);

#endif
