/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_CHECK_PRIV_H
#define ANALYZE_CHECK_PRIV_H

#include "analyze.h"
#include "base_str.h"
#include "base_vec.h"

/** From worst to least. */
enum check_severity { CHECK_ERROR, CHECK_WARNING, CHECK_INFO };
#define CHECK_SEVERITIES 3

struct check;
struct check_uses;

/**
 * A kind of finding. To add one, write its function in the file of its subject and give
 * it a line in the table there; doc/analyses/check.md explains each in that order.
 */
struct check_kind {
	const char *code;
	enum check_severity severity;
	const char *advice; /* sentences */
	void (*look)(struct check *check);
};

struct check_subject {
	const struct check_kind *kinds;
	size_t count;
};

#define CHECK_SUBJECT(kinds)                                                             \
	{                                                                                \
		kinds, sizeof(kinds) / sizeof(kinds[0])                                  \
	}

extern const struct check_subject analyze_check_reading;
extern const struct check_subject analyze_check_tree;
extern const struct check_subject analyze_check_weights;
extern const struct check_subject analyze_check_shadows;
extern const struct check_subject analyze_check_names;
extern const struct check_subject analyze_check_pools;
extern const struct check_subject analyze_check_upmaps;
extern const struct check_subject analyze_check_rules;
extern const struct check_subject analyze_check_levels;
extern const struct check_subject analyze_check_roots;
extern const struct check_subject analyze_check_settings;
extern const struct check_subject analyze_check_clients;

/** All of them, in order of the page. */
extern const struct check_subject *const analyze_check_subjects[];
extern const size_t analyze_check_subject_count;

/** Shown of what has one cause in all places. */
#define CHECK_FEW 2

/** What is known of a bucket from below and above. */
struct check_bucket {
	uint64_t sum;     /* of what it holds */
	uint32_t root;    /* the one above it, or ANALYZE_NOWHERE: there are several */
	bool has_devices; /* at any depth */
	bool can_place;   /* a device below has a weight that draws lead to */
	uint32_t holder;  /* of its places that of most weight, or ANALYZE_NOWHERE … */
	uint32_t drawn;   /* … and that weight, which a draw gives it */
};

struct check {
	const strew_map *map; /* NULL: it could not be loaded; then there are only … */
	const strew_builder *builder; /* … this, with its faults, and … */
	const strew_error *failure;   /* … what ended the reading, or NULL */
	struct analyze_tree tree;
	struct check_bucket *buckets; /* by index in the map */
	const strew_placer *placer;   /* NULL when the map can't be compiled … */
	strew_error unplaceable;      /* … and this is why */
	struct check_uses *uses;      /* of rules, or NULL until they are asked for */
	struct analyze_upmaps upmaps; /* without an array until it is asked for */
	int want;                     /* of rules without a pool; 0: what they ask for */
	uint32_t count;               /* of inputs for each use; 0: as many as are due */
	const strew_run *run;
	const strew_allocator *allocator;
	strew_status status; /* what has gone wrong in the run, if anything */

	const struct check_kind *kind; /* that is looked for */
	size_t shown_max;              /* findings of a kind in text … */
	size_t shown; /* … and of this one: its look() may set CHECK_FEW */
	size_t found; /* of this kind */
	int64_t counts[CHECK_SEVERITIES];
	size_t kinds;
	struct base_str path;
	struct base_str message;
	struct base_str advice; /* of this finding; empty: its kind's */
	struct base_str text;
	strew_result *result;
	strew_table *findings;
	strew_table *list; /* the same for people: cut short */
};

/* A finding is begun with its path, its message said piece by piece, and ended. */

void analyze_check_begin(struct check *check, const char *format, ...) STREW_PRINTF(2, 3);
void analyze_check_say(struct check *check, const char *format, ...) STREW_PRINTF(2, 3);
/** What to do about this very finding, in place of what its kind says. */
void analyze_check_advise(struct check *check, const char *format, ...)
	STREW_PRINTF(2, 3);
void analyze_check_end(struct check *check);

/** Fill check->buckets from the tree. */
void analyze_check_survey(struct check *check);

/** Will the monitor drop the upmaps of an override, by its index? */
bool analyze_check_upmap_goes(struct check *check, size_t override);
/** A finding about a PG. */
void analyze_check_begin_pg(struct check *check, strew_pg pg);

/** The uses of rules are freed with the check. */
void analyze_check_uses_free(struct check_uses *uses);

/** For messages: "rack", and a weight as people write it. */
const char *analyze_check_type(const struct check *check, const strew_bucket *bucket);

struct check_weight {
	char text[32];
};

struct check_weight analyze_check_weight(uint64_t weight);

/** The bucket that an item of the tree is, or NULL for a device. */
const strew_bucket *analyze_check_child(const struct check *check, int32_t item);

/** The form in which names are compared: Unicode's forms of a letter become one.
 * @return name itself when it has only one form; else in `folded` */
const char *analyze_check_fold(const char *name, struct base_str *folded);
/** The next code point of a text in UTF-8, or its next byte where that is broken. */
uint32_t analyze_check_point(const char **at);

#endif
