/* SPDX-License-Identifier: MIT */
#ifndef RULE_WATCH_H
#define RULE_WATCH_H

#include <stdbool.h>

#include "rule.h"

struct select_in;

/**
 * What the interpreter tells to who watches a rule being run, in the order in which it
 * happens. An attempt's end follows its last draw; in between, an attempt at a device
 * below what was drawn may begin and end.
 */
enum rule_event_kind {
	RULE_STEP,   /**< a step begins: step, refs, count, settings */
	RULE_WINDOW, /**< a choose step turns to an item of the working set: ref, place */
	RULE_ATTEMPT, /**< an attempt begins: rank, place, number, level */
	RULE_DRAW,    /**< a bucket was asked: bucket, in, permuted, ref */
	RULE_VERDICT, /**< an attempt ends: verdict */
	RULE_GIVE_UP  /**< no attempts are left: rank, place, level */
};

/** What comes of an attempt. */
enum rule_verdict {
	RULE_TAKEN,
	RULE_COLLIDED,   /**< chosen already for another place */
	RULE_OUT,        /**< its reweight keeps it out for this input */
	RULE_LEAFLESS,   /**< no device below it could be taken */
	RULE_EMPTY,      /**< a bucket on the way has no items */
	RULE_WRONG_TYPE, /**< a device where a bucket is asked for */
	RULE_UNPLACED    /**< of an MSR rule: a device before the last step, or no device
			  * in it */
};

struct rule_event {
	enum rule_event_kind kind;
	uint32_t step;       /**< from 0 */
	const int32_t *refs; /**< the working set */
	uint32_t count;
	const struct rule_settings *settings; /**< NULL in MSR rules */
	uint32_t rank;   /**< firstn: what r counts from; else the place */
	uint32_t place;  /**< in the window; of a window: where it begins in the step's
			  * result; in MSR rules in the rule's */
	uint32_t number; /**< firstn: failures so far; indep: the round; MSR: the descent
			  */
	uint32_t level;  /**< MSR: which choosemsr step of the block, from 0 */
	const struct flat_bucket *bucket;
	const struct select_in *in;
	bool permuted; /**< by firstn's local fallback, not by the bucket's selector */
	int32_t ref;
	enum rule_verdict verdict;
};

struct rule_watch {
	void (*tell)(void *ctx, const struct rule_event *event);
	void *ctx;
};

/** 16 bits: below a device's reweight it is in for this input. */
uint32_t rule_reweight_hash(const struct flat *flat, int32_t device, uint32_t x);

#endif
