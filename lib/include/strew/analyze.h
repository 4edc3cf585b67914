/* SPDX-License-Identifier: MIT */
#ifndef STREW_ANALYZE_H
#define STREW_ANALYZE_H

#include <strew/builder.h>
#include <strew/placer.h>
#include <strew/result.h>
#include <strew/run.h>
#include <strew/study.h>

STREW_BEGIN_DECLS

/** An object to place, and the bytes stored in it. */
typedef struct strew_named_object {
	const char *name;
	size_t name_len;
	uint64_t bytes;
	int has_bytes;
} strew_named_object;

/**
 * What to place. One of: PGs of pools (all pools by default), raw inputs of a
 * rule, or objects.
 */
typedef struct strew_inputs {
	size_t size;
	/** Pools by id; NULL: all of the map. With objects: one, or NULL when
	 * the map has one. */
	const int64_t *pools;
	size_t pool_count;
	/** One PG only; NULL: all of them. */
	const strew_pg *pg;
	/** Objects; NULL: PGs. Borrowed until the analysis returns. */
	const strew_named_object *objects;
	size_t object_count;
	/** Raw inputs first … last when rule is not negative. */
	int32_t rule;
	int want;
	uint32_t first;
	uint32_t last;
	int hash_pool;   /**< 1: hash pool_id into each input, as crushtool --pool-id */
	int64_t pool_id; /**< used with hash_pool */
} strew_inputs;

#define STREW_INPUTS_INIT                                                                \
	{                                                                                \
		sizeof(strew_inputs), 0, 0, 0, 0, 0, -1, 0, 0, 1023, 0, 0                \
	}

typedef struct strew_placements_options {
	size_t size;
	int stages; /**< also raw and up sets with their primaries */
} strew_placements_options;

#define STREW_PLACEMENTS_OPTIONS_INIT                                                    \
	{                                                                                \
		sizeof(strew_placements_options), 0                                      \
	}

/**
 * Where everything lies: table "placements" with `pool pg x devices primary` (objects:
 * `object` in front), with stages also `raw raw_primary up up_primary acting
 * acting_primary`.
 */
STREW_API STREW_MUST_USE strew_status
strew_placements(strew_result **out, const strew_placer *placer,
		 const strew_inputs *inputs, const strew_placements_options *options,
		 const strew_run *run, strew_error *error);

typedef enum strew_diff_by {
	STREW_BY_POOL, /**< sets where replicated, positions where erasure */
	STREW_BY_SET,
	STREW_BY_POSITION
} strew_diff_by;

typedef struct strew_diff_options {
	size_t size;
	strew_diff_by by;
	const char *level; /**< of the table "domains"; NULL: the rule's failure domain */
	int list;          /**< also the table "pgs": each PG that changes */
	int32_t new_rule;  /**< place NEW by another rule; negative: the same */
	int new_want;      /**< … and size; 0: the same */
	const char *old_name; /**< what to call the two maps in the report */
	const char *new_name;
	int without_causes; /**< don't look for why more moves than has to: faster */
	/** For how long moving takes: bytes a second that a backfill moves (0: don't
	 * tell), and how many a device takes part in at a time (0: one). */
	double backfill_rate;
	int max_backfills;
} strew_diff_options;

#define STREW_DIFF_OPTIONS_INIT                                                          \
	{                                                                                \
		sizeof(strew_diff_options), STREW_BY_POOL, 0, 0, -1, 0, 0, 0, 0, 0, 0    \
	}

/**
 * What moves from one map to another: tables "summary", "changes", "devices", "domains"
 * and, when asked for, "pgs". doc/analyses/diff.md says what each column means.
 */
STREW_API STREW_MUST_USE strew_status
strew_diff(strew_result **out, const strew_placer *before, const strew_placer *after,
	   const strew_inputs *inputs, const strew_diff_options *options,
	   const strew_run *run, strew_error *error);

/** How expected shares are known. */
typedef struct strew_expected {
	size_t size;
	/** NULL: exactly. Else why no formula tells, as "it is an MSR rule"; a constant.
	 */
	const char *reason;
	/** Then shares are counted over so many inputs, … */
	uint32_t inputs;
	/** … and this is the standard error of an average one, as a part of it. */
	double error;
} strew_expected;

#define STREW_EXPECTED_INIT                                                              \
	{                                                                                \
		sizeof(strew_expected), 0, 0, 0                                          \
	}

/**
 * How many shards of an input a rule puts on each device in the mean of all inputs there
 * could be, with the placer's weight set and the map's reweights: from the law of drawing
 * without replacement (doc/analyses/expected.md), or counted where that doesn't hold.
 *
 * @param shares one for each device, in order of strew_map_device_at(); 0 … want, and
 * summing to at most that
 * @param how filled in; NULL: not wanted
 * @param want devices for each input, 1 … STREW_WANT_MAX
 * @param run its executor counts; NULL: none
 * @return also STREW_ENOTFOUND (rule), STREW_ERANGE (want), STREW_ECANCELED.
 */
STREW_API STREW_MUST_USE strew_status
strew_expected_shares(double *shares, strew_expected *how, const strew_placer *placer,
		      int32_t rule, int want, const strew_run *run, strew_error *error);

typedef struct strew_spread_options {
	size_t size;
	const char *level; /**< of the table "domains"; NULL: the rule's failure domain */
	int acting;        /**< count acting sets: where shards are, not where they go */
	int all_devices;   /**< text: a line for each device, however many there are */
	/** How much of a device may be in use, above 0 up to 1: until writing stops,
	 * until nothing is moved to it, until it is warned of. 0: as the map has it, else
	 * Ceph's defaults, 0.95, 0.90 and 0.85. */
	double full_ratio;
	double backfillfull_ratio;
	double nearfull_ratio;
} strew_spread_options;

#define STREW_SPREAD_OPTIONS_INIT                                                        \
	{                                                                                \
		sizeof(strew_spread_options), 0, 0, 0, 0, 0, 0                           \
	}

/**
 * How evenly shards lie, why, and what that leaves of the space: tables "devices",
 * "domains", "summary", "imbalance", "classes" and, for PGs of pools, "pools".
 * doc/analyses/spread.md says what each column means.
 *
 * @return also STREW_ERANGE: a ratio below 0 or above 1.
 */
STREW_API STREW_MUST_USE strew_status strew_spread(
	strew_result **out, const strew_placer *placer, const strew_inputs *inputs,
	const strew_spread_options *options, const strew_run *run, strew_error *error);

typedef struct strew_show_options {
	size_t size;
	int shadow; /**< also the trees of the device classes */
} strew_show_options;

#define STREW_SHOW_OPTIONS_INIT                                                          \
	{                                                                                \
		sizeof(strew_show_options), 0                                            \
	}

/**
 * What a map holds: tables "tree", row by row as `ceph osd tree` prints it, "rules" and
 * "pools", also in words, and "summary". doc/analyses/show.md says what each column
 * means.
 */
STREW_API STREW_MUST_USE strew_status strew_show(strew_result **out,
						 const strew_placer *placer,
						 const strew_show_options *options,
						 const strew_run *run,
						 strew_error *error);

typedef struct strew_where_options {
	size_t size;
	/** Devices (0 and up) and buckets (below 0), at least one. Borrowed until the
	 * analysis returns. */
	const int32_t *items;
	size_t item_count;
} strew_where_options;

#define STREW_WHERE_OPTIONS_INIT                                                         \
	{                                                                                \
		sizeof(strew_where_options), 0, 0                                        \
	}

/**
 * What lies on some devices, or below some buckets: table "shards" with `device pool pg
 * position bytes` (objects: `object` in front; raw inputs: `x` after pg), and "summary".
 * Up sets are counted, for raw inputs what the rule gives.
 */
STREW_API STREW_MUST_USE strew_status
strew_where(strew_result **out, const strew_placer *placer, const strew_inputs *inputs,
	    const strew_where_options *options, const strew_run *run, strew_error *error);

typedef struct strew_trace_options {
	size_t size;
	/** Of each choice this many candidates, the best first; SIZE_MAX: all. */
	size_t candidates;
} strew_trace_options;

#define STREW_TRACE_OPTIONS_INIT                                                         \
	{                                                                                \
		sizeof(strew_trace_options), 3                                           \
	}

/**
 * Why one PG, object or raw input lies where it does: tables "steps", "candidates",
 * "stages" and "summary". doc/analyses/trace.md says what each column means. The rule is
 * run once more by the interpreter alone, and must come to what the placer says.
 *
 * @return also STREW_EINVAL when the inputs are more than one, and STREW_EINTERNAL when
 * the two differ: a bug in the library.
 */
STREW_API STREW_MUST_USE strew_status
strew_trace(strew_result **out, const strew_placer *placer, const strew_inputs *inputs,
	    const strew_trace_options *options, const strew_run *run, strew_error *error);

typedef enum strew_fail_what {
	STREW_FAIL_ITEMS, /**< all items at once: one case */
	STREW_FAIL_EACH,  /**< each bucket of a type, or each device: a case each */
	STREW_FAIL_PAIRS  /**< each two of them */
} strew_fail_what;

typedef struct strew_fail_options {
	size_t size;
	strew_fail_what what;
	/** STREW_FAIL_ITEMS: devices (0 and up) and buckets (below 0). Borrowed until the
	 * analysis returns. */
	const int32_t *items;
	size_t item_count;
	const char
		*type; /**< STREW_FAIL_EACH and _PAIRS: its name; "device" for devices */
	const char
		*level; /**< of the table "recovery"; NULL: the rule's failure domain */
	/** Shards of a unit that must be left for it to serve, and for its data to be
	 * there; 0: what the pool says, for replicas of raw inputs more than half, and
	 * 1. */
	int min_size;
	int data_shards;
	/** As those of strew_spread_options. */
	double full_ratio;
	double backfillfull_ratio;
	double nearfull_ratio;
	int list;        /**< text: a line for each case, however many there are */
	int most_failed; /**< the table "odds" goes up to so many devices; at most 32 */
} strew_fail_options;

#define STREW_FAIL_OPTIONS_INIT                                                          \
	{                                                                                \
		sizeof(strew_fail_options), STREW_FAIL_ITEMS, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
			0, 10                                                            \
	}

/**
 * What if these fail: table "failures" with a row a case, the worst first, "recovery"
 * (where the data of the worst one goes), "odds" (of devices that fail at random) and
 * "summary". What fails is down and out: its reweight is 0, and all that it held is
 * placed again. doc/analyses/fail.md says what each column means.
 *
 * @return also STREW_ENOTFOUND (an item, a type), STREW_ERANGE (an option; more than
 * 1,000,000 cases)
 */
STREW_API STREW_MUST_USE strew_status
strew_fail(strew_result **out, const strew_placer *placer, const strew_inputs *inputs,
	   const strew_fail_options *options, const strew_run *run, strew_error *error);

typedef struct strew_check_options {
	size_t size;
	/** Codes of findings that are not to be looked for. */
	const char *const *ignored;
	size_t ignored_count;
	/** The size that rules are judged with which no pool has; 0: what their steps ask
	 * for; else, for erasure rules, what others of the map do; else 3. */
	int want;
	/** Inputs that are placed for each rule and size, to count what comes of them; 0:
	 * 200,000, and fewer where they are many or large. */
	uint32_t count;
} strew_check_options;

#define STREW_CHECK_OPTIONS_INIT                                                         \
	{                                                                                \
		sizeof(strew_check_options), 0, 0, 0, 0                                  \
	}

/**
 * What is wrong, doubtful or odd in a map: table "findings" with `severity code path
 * message advice`, worst first, and "summary" with `errors warnings infos checks`.
 * doc/analyses/check.md explains each code. What the map's reader warned of is among
 * them. Placed are PGs that have upmaps and, for each rule with the sizes that its pools
 * have, options->count inputs, on the threads that are lent.
 *
 * @return also STREW_ENOTFOUND: a code to ignore that isn't one; STREW_ERANGE: want.
 */
STREW_API STREW_MUST_USE strew_status strew_check(strew_result **out,
						  const strew_map *map,
						  const strew_check_options *options,
						  const strew_run *run,
						  strew_error *error);

/**
 * The faults and warnings of a builder that could not build its map, as the findings of
 * such a map: the same tables. `failure` is what ended the reading, or NULL when all was
 * read; strew_builder_build() has been called then.
 */
STREW_API STREW_MUST_USE strew_status strew_check_faults(strew_result **out,
							 const strew_builder *builder,
							 const strew_error *failure,
							 const strew_run *run,
							 strew_error *error);

/** What somebody measured of placing: a rule of a map, by one of our kernels and by
 * another program (the peer), in turns. The library has no clock. */
typedef struct strew_measurement {
	size_t size;
	const char *map;
	const char *rule;
	const char *mode; /**< "batch": strew_place_many(); "single": strew_place() */
	const char *kernel;
	size_t threads;
	double ns;      /**< nanoseconds for a mapping, the median */
	double peer_ns; /**< the peer's; 0: not known, and nor are the next three */
	double ratio;   /**< how much faster than the peer, the median of all turns … */
	double ratio_low; /**< … and the quartiles */
	double ratio_high;
} strew_measurement;

#define STREW_MEASUREMENT_INIT                                                           \
	{                                                                                \
		sizeof(strew_measurement), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0                  \
	}

/** Measurements as a result: table "bench", a row for each, in order. All have the size
 * that the first tells. doc/commands/bench.md says what each column means. */
STREW_API STREW_MUST_USE strew_status strew_bench(strew_result **out,
						  const strew_measurement *measurements,
						  size_t count,
						  const strew_allocator *allocator,
						  strew_error *error);

/** What happens to the nodes of a comparison. */
typedef enum strew_compare_kind {
	STREW_COMPARE_FAIL,     /**< the node is gone */
	STREW_COMPARE_DRAIN,    /**< its weight becomes 0 */
	STREW_COMPARE_ADD,      /**< a new one */
	STREW_COMPARE_REWEIGHT, /**< another weight */
	STREW_COMPARE_CHURN     /**< so many nodes leave or join, as a generator has it */
} strew_compare_kind;

typedef struct strew_compare_event {
	strew_compare_kind kind;
	const char *node;
	uint32_t weight; /**< add, reweight: 16.16; churn: how many */
} strew_compare_event;

typedef struct strew_compare_options {
	size_t size;
	/** Schemes and how to make their tables; of each entry's own size. */
	const strew_study_options *schemes;
	size_t scheme_count;
	const strew_study_node *nodes;
	size_t node_count;
	/** Keys, and in `bytes` how often each is asked for; NULL: `key_count` made up
	 * ones, key-0 and so on. */
	const strew_named_object *keys;
	size_t key_count;
	/** One after the other. */
	const strew_compare_event *events;
	size_t event_count;
	/** How many nodes a key is on. */
	size_t replicas;
	/** Copy so many of the keys that are asked for most to so many nodes of their
	 * order, which share their requests; 0: none. */
	size_t hot;
	size_t copies;
	/** Nanoseconds from any start; NULL: look-ups aren't timed. */
	double (*clock)(void *ctx);
	void *clock_ctx;
} strew_compare_options;

#define STREW_COMPARE_OPTIONS_INIT                                                       \
	{                                                                                \
		sizeof(strew_compare_options), 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0     \
	}

/**
 * Placement schemes side by side: tables "schemes", "events" and "nodes", and "hot" where
 * keys are copied. doc/analyses/compare.md says what each column means and which are
 * computed, counted or simulated.
 *
 * @return also STREW_ENOTFOUND (a scheme, a hash, an event's node), STREW_EINVAL (two
 * nodes of one name, no scheme, no node with weight left), STREW_ERANGE (replicas not in
 * 1 … STREW_STUDY_WANT_MAX, an option out of its range)
 */
STREW_API STREW_MUST_USE strew_status strew_compare(strew_result **out,
						    const strew_compare_options *options,
						    const strew_run *run,
						    strew_error *error);

/**
 * Experiments of articles on placement, run again: table "figures" with the article's
 * figure, ours, and the room that it has: mostly what an ideal hash gives in 998 of 1000
 * cases. doc/analyses/articles.md has them all.
 *
 * @param ids such as "E1" and "T9", or "all"
 * @param keys a list with how often each is asked for (in `bytes`), the most first, for
 * what needs one; NULL: keys are made up, and such figures are null
 * @return also STREW_ENOTFOUND: no such experiment
 */
STREW_API STREW_MUST_USE strew_status strew_articles(strew_result **out,
						     const char *const *ids, size_t count,
						     const strew_named_object *keys,
						     size_t key_count,
						     const strew_run *run,
						     strew_error *error);

STREW_END_DECLS

#endif
