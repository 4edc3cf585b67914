/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_JSON_PRIV_H
#define FORMAT_JSON_PRIV_H

#include "base_alloc.h"
#include "format_names.h"
#include "format_walk.h"

/** What the readers of the parts of a strew-map share. */
struct format_map {
	struct format_walk walk;
	uint8_t straw_calc_version;  /* for straw buckets that don't say */
	struct format_names names;   /* buckets and devices with a name of their own */
	struct format_names shadows; /* "BUCKET~CLASS", of class buckets */
	struct base_arena arena;     /* where those names are */
	bool derives;                /* are class buckets made that are not there? */
	int64_t run_devices;         /* devices given in runs so far */
	struct base_vec links; /* items of the tree whose names aren't resolved yet */
};

/** A few bytes of JSON can ask for many devices: all runs of a file, no more than this.
 */
#define FORMAT_RUN_DEVICES_MAX 1000000

/** The members "tree" and "unplaced" (format_json_tree.c). */
void format_json_tree(struct format_map *map, json_t *tree, json_t *unplaced);
/** Its links, when all names are known. */
void format_json_links(struct format_map *map);
/** The members "class_buckets" and "weight_sets" (format_json_class.c). */
void format_json_class_buckets(struct format_map *map, json_t *class_buckets);
void format_json_weight_sets(struct format_map *map, json_t *weight_sets);
/** The member "table" of a bucket, or NULL. */
void format_json_table(struct format_walk *walk, json_t *table, int32_t bucket);
/** The remarks among the members of an object, for an owner (format_json_remark.c). */
void format_json_remarks(struct format_walk *walk, json_t *object,
			 struct map_remark remark);
/** The member "stored", or NULL (format_json_stored.c). */
void format_json_stored(struct format_walk *walk, json_t *stored);
/** The word for where a stored map ends, or NULL beyond the last. */
const char *format_json_tail(enum map_tail tail);
/** The member "rules" (format_json_rule.c). */
void format_json_rules(struct format_map *map, json_t *rules);
/** The member "pools", and the members "upmaps" and "temps" (format_json_pool.c). */
void format_json_pools(struct format_map *map, json_t *pools);
void format_json_uses(struct format_map *map, json_t *pgs);
void format_json_overrides(struct format_map *map, json_t *upmaps, json_t *temps);

/** The id of a bucket, or a device, that the tree names. */
bool format_json_find(struct format_map *map, const char *name, int32_t *id);

#endif
