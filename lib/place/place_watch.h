/* SPDX-License-Identifier: MIT */
#ifndef PLACE_WATCH_H
#define PLACE_WATCH_H

#include <strew/placer.h>

#include "rule_watch.h"

/** What is told to who watches a placement, in the order in which it happens. */
enum place_event_kind {
	PLACE_RULE,       /**< a rule is about to be run: call */
	PLACE_DROPPED,    /**< a device leaves the set: device, verdict */
	PLACE_UPMAP,      /**< the whole set is given: verdict, the device if refused */
	PLACE_UPMAP_ITEM, /**< device, to, verdict */
	PLACE_UPMAP_PRIMARY, /**< device, verdict */
	PLACE_DECLINED,    /**< a device declines to be primary: device, hash, affinity */
	PLACE_LED,         /**< the up set's primary is chosen: device */
	PLACE_TEMP,        /**< pg_temp: verdict */
	PLACE_PRIMARY_TEMP /**< device */
};

enum place_verdict {
	PLACE_APPLIED,
	PLACE_MISSING,    /**< the device doesn't exist */
	PLACE_DOWN,       /**< it is down or doesn't exist */
	PLACE_OUT,        /**< the device to put in is out: its reweight is 0 */
	PLACE_NOT_THERE,  /**< the device isn't in the set */
	PLACE_THERE,      /**< the device to put in is in the set already */
	PLACE_FIRST,      /**< it is the first already */
	PLACE_NONE_SERVES /**< no device of the pg_temp is up */
};

struct place_event {
	enum place_event_kind kind;
	enum place_verdict verdict;
	const struct rule_call *call;
	int32_t device; /**< STREW_NONE: none */
	int32_t to;
	uint32_t hash; /**< 16 bits, below `affinity` to accept */
	uint32_t affinity;
};

struct place_watch {
	void (*tell)(void *ctx, const struct place_event *event);
	struct rule_watch rule; /**< told of what the rule does */
	void *ctx;
};

/** strew_place_pg(), and strew_place() into a set as place_raw_many() does: by the
 * interpreter alone, without a kernel, and watched. */
strew_status place_pg_watched(strew_stages *stages, const strew_placer *placer,
			      strew_pg pg, const struct place_watch *watch,
			      strew_scratch *scratch);
strew_status place_raw_watched(strew_set *set, const strew_placer *placer, int32_t rule,
			       uint32_t x, int want, const struct place_watch *watch,
			       strew_scratch *scratch);

#endif
