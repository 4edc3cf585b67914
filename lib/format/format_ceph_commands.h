/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_CEPH_COMMANDS_H
#define FORMAT_CEPH_COMMANDS_H

#include "base_str.h"
#include "format.h"
#include "map.h"

/**
 * The commands of a cluster that carry it from one map to another. Buckets are the same
 * on both sides when they have one name, or else one id and type; devices, rules and
 * pools when they have one id. Shadow buckets follow by themselves.
 */

/** One place of an item in a bucket that is no shadow. */
struct format_hang {
	int32_t item;
	uint32_t bucket; /* its index in the map */
	uint32_t at;     /* the item's in the bucket */
};

/** Places of one item. */
struct format_hangs {
	const struct format_hang *items;
	size_t count;
};

struct format_side {
	const strew_map *map;
	struct format_hang *hangs; /* by item */
	size_t hang_count;
	const strew_bucket **others; /* by bucket: the same on the other side, or NULL */
	uint32_t *order; /* indexes of buckets that are no shadows, parents first */
	size_t order_count;
};

/** Sections, in the order in which they are run. */
enum format_section {
	FORMAT_CRUSH, /* the tree, classes, weights */
	FORMAT_RULES,
	FORMAT_CLUSTER, /* devices, pools and their overrides */
	FORMAT_REMOVALS,
	FORMAT_SECTIONS
};

struct format_commands {
	struct format_side before;
	struct format_side after;
	struct base_str texts[FORMAT_SECTIONS];
	struct base_str facts; /* that no command can say */
	size_t fact_count;
	size_t crush_fact_count; /* of those, about the CRUSH map */
	bool blocked;            /* the CRUSH map must be set as a whole */
	bool failed;             /* no memory */
	bool reshaped;           /* the cluster will make its shadow trees anew */
	const strew_allocator *allocator;
	void (*lost)(void *ctx, const char *fact);
	void *ctx;
	/* By the index of a bucket of `after`: what is in it or below it changes, so that
	 * the cluster sums its weights anew. */
	bool *touched;
};

/** How many things of a kind can't be said, and the first of them. */
struct format_tally {
	size_t count;
	char first[100];
};

/* Text (format_ceph_commands.c). */

/** A line of a section: "ceph " goes before it. */
void format_command(struct format_commands *commands, enum format_section section,
		    const char *format, ...) STREW_PRINTF(3, 4);
/** A word for the shell, quoted where it must be; up to two at a time fit a command. */
struct format_quoted {
	char text[800];
};
/** The name of a part of the CRUSH map. One that the cluster's commands don't take blocks
 * them. */
struct format_quoted format_quote_name(struct format_commands *commands,
				       const char *name);
/** Any name. */
struct format_quoted format_quote(struct format_commands *commands, const char *text);
/** A 16.16 number that the cluster reads as just this one, if it can. */
struct format_fixed {
	char text[24];
};
struct format_fixed format_fixed(uint32_t weight);
bool format_fixed_is_exact(uint32_t weight);
/** Something that no command says: a clause. */
void format_command_lose(struct format_commands *commands, const char *format, ...)
	STREW_PRINTF(2, 3);
void format_tally(struct format_tally *tally, const char *name);
/** Tells of a tally that isn't 0: `what` of its first and how many more. */
void format_tally_lose(struct format_commands *commands, const struct format_tally *tally,
		       const char *what);

/* Where things hang (format_ceph_commands_side.c). */

/** Fill both sides. @return false without memory */
bool format_sides_match(struct format_commands *commands);
void format_sides_free(struct format_commands *commands);
struct format_hangs format_hangs_of(const struct format_side *side, int32_t item);
/** An item of `after` in the tree of `before`: no places when it is new. */
struct format_hangs format_hangs_before(const struct format_commands *commands,
					int32_t item);
/** The one of these places that is in the bucket, or NULL. */
const struct format_hang *format_hang_in(const struct format_side *side,
					 struct format_hangs hangs,
					 const strew_bucket *bucket);
const strew_bucket *format_other(const struct format_side *side,
				 const strew_bucket *bucket);
const char *format_type_of(const struct format_side *side, const strew_bucket *bucket);

/* Parts, in order. */

void format_commands_tunables(struct format_commands *commands);
void format_commands_tree(struct format_commands *commands);
/** What the tree's commands come to in ids, weights and order, where that differs. */
void format_commands_check_tree(struct format_commands *commands);
/** Are there straw buckets, which all become straw2? */
bool format_drops_straw(const struct format_commands *commands);
void format_commands_check_ids(struct format_commands *commands);
void format_commands_classes(struct format_commands *commands);
void format_commands_drop_sets(struct format_commands *commands);
/** Sets of new pools go to FORMAT_CLUSTER, after the pools, all others to FORMAT_CRUSH.
 */
void format_commands_weight_sets(struct format_commands *commands,
				 enum format_section section);
void format_commands_rules(struct format_commands *commands);
void format_commands_devices(struct format_commands *commands);
void format_commands_pools(struct format_commands *commands);
void format_commands_overrides(struct format_commands *commands);
void format_commands_remove_rules(struct format_commands *commands);
void format_commands_remove_items(struct format_commands *commands);

#endif
