/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_DIFF_UNDO_H
#define ANALYZE_DIFF_UNDO_H

#include "analyze_diff_priv.h"

/* Maps like NEW, but for something that is as in OLD; and what would move to them. */

/** The ids that NEW's buckets would have to have, by index; 0: as it is. */
struct diff_ids {
	int32_t *ids;
	size_t count; /* of those that should have OLD's */
};

/** Whose likes are meant: buckets of the same name, and those that stand for each other
 * when a rule takes another class. */
#define DIFF_IDS_NAMED 1u
#define DIFF_IDS_TAKEN 2u

/** To be freed on failure, too. @return also STREW_ENOMEM */
strew_status analyze_diff_wish_ids(struct diff_ids *ids, const struct diff *diff,
				   unsigned kinds);
void analyze_diff_ids_free(struct diff_ids *ids, const struct diff *diff);

/** Which of them differ in what is compared. */
strew_status analyze_diff_undoable(unsigned *out, const struct diff *diff);

/** Buckets that NEW's rules come to and that weigh more or less in the same parent. */
struct diff_parents {
	size_t grown;
	size_t shrunk;
	const char *first; /* the name of one of them */
};

strew_status analyze_diff_count_parents(struct diff_parents *out,
					const struct diff *diff);

/** One end of a comparison: a map, and by what raw inputs are placed in it. */
struct diff_end {
	strew_placer *placer;
	int32_t rule;
	int want;
};

/** NEW with these taken back. Its pools have the rules and sizes that NEW's are placed
 * by.
 * @return also STREW_ENOTSUP: there is no such map. */
strew_status analyze_diff_undo(struct diff_end *out, const struct diff *diff,
			       unsigned what);
/** An end as it is: side 0 or 1. Ends are released alike. */
struct diff_end analyze_diff_end(const struct diff *diff, int side);
void analyze_diff_end_release(struct diff_end *end);

/** Place all units in both; of the totals those that tell what moves. one_shard: one
 * device for each, and no override. */
strew_status analyze_diff_try(struct diff_totals *out, const struct diff *diff,
			      const struct diff_end *before, const struct diff_end *after,
			      bool one_shard, const strew_run *run);

/** The same, and the diff's meter goes on. */
strew_status analyze_diff_step(struct diff_totals *out, struct diff *diff,
			       const struct diff_end *before,
			       const struct diff_end *after, bool one_shard,
			       const strew_run *run);

/* For the files that make the maps. */

/** NEW's map, copied and changed until it is as OLD's in something. */
struct undoing {
	const struct diff *diff;
	const strew_map *old;
	struct map_renaming copy; /* of NEW */
	strew_map *map;           /* the copy's, whose buckets are at their old places */
	const int32_t *ids;       /* wished for */
	int32_t rule;             /* of raw inputs */
};

void analyze_diff_undo_parents(struct undoing *undoing);
/** @return false when a rule can't be had. */
bool analyze_diff_undo_rules(struct undoing *undoing);
bool analyze_diff_rules_differ(const struct diff *diff);

#endif
