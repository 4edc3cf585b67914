/* SPDX-License-Identifier: MIT */
#ifndef RULE_CHANGE_PRIV_H
#define RULE_CHANGE_PRIV_H

#include "rule_priv.h"
#include "rule_trace.h"

/* What there is to check of an attempt that ended at a spot. */
#define RULE_FALLS                                                                       \
	1u             /* the root's item that leads here falls, and margins don't tell  \
			*/
#define RULE_DEEPER 2u /* an answer between the root and here may be another one */
#define RULE_OUT    4u /* a device with another reweight */

/** A spot of the old map: how the root's item that leads here draws in the new one. */
struct rule_spot {
	uint32_t id;
	uint32_t scale;
	uint32_t item; /* its index in the old root */
};

#define RULE_NO_BUCKET UINT32_MAX
#define RULE_NO_SPOT   UINT32_MAX

/** How a spot hangs. */
struct rule_way {
	uint32_t bucket; /* the index of the one that holds it; RULE_NO_BUCKET: none */
	uint32_t item;   /* its index there */
	/* On the way up, the first spot below the root whose answer may be another one:
	 * itself, maybe; or RULE_NO_SPOT. */
	uint32_t next;
	bool below; /* do searches for a leaf start here, or further up? */
};

/** Spots from the first to the last that there is something to check of. */
struct rule_span {
	uint32_t first;
	uint32_t length; /* less 1 */
};

/** A bucket of the old map, and what became of it. */
struct rule_fate {
	enum select_extent extent;
	const struct flat_bucket *to; /* NULL: it's gone */
	struct select_change *change; /* SELECT_SOME only */
};

struct rule_change {
	struct base_arena arena;
	struct rule_call from;
	struct rule_call to;
	/* Of the rule. */
	struct rule_settings settings;
	bool indep;
	bool leaf;
	uint32_t ranks;
	int32_t type;
	uint32_t root; /* a bucket's index */
	/* By spot; one more stands for nowhere. */
	uint32_t spot_count;
	uint8_t *marks;
	struct rule_span devices;
	struct rule_span buckets;
	struct rule_sketch sketch; /* of those that are marked */
	/* These only where not just reweights differ. */
	struct rule_spot *spots;
	struct rule_way *ways;
	uint32_t *moved;         /* the new map's spot; NULL: they are the same */
	struct rule_fate *fates; /* by bucket */
	uint32_t *queue;         /* buckets to look into */
	uint32_t queued;
	bool any_bucket; /* does any bucket differ? */
	bool any_out;    /* does any reweight? */
	/* Does the root differ? Then answers with this margin are the same. */
	bool other_root;
	uint32_t margin;
	bool measures; /* are margins still to be made? */
};

static inline uint32_t rule_bucket_spot(const struct rule_change *change, uint32_t bucket)
{
	return change->from.flat->device_count + bucket;
}

/** Find what margin the root's answers need; weigh it anew where that helps. @return
 * false without memory */
bool rule_change_need_margin(struct rule_change *change, struct rule_trace *trace,
			     const strew_allocator *allocator);

#endif
