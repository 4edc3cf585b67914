/* SPDX-License-Identifier: MIT */
#ifndef RULE_CHANGE_PRIV_H
#define RULE_CHANGE_PRIV_H

#include "rule_priv.h"
#include "rule_trace.h"

#define RULE_FALLS  1u /* the root's item that leads here falls */
#define RULE_DEEPER 2u /* something changed between the root and here */
#define RULE_OUT    4u /* a device with another reweight */

/** A spot of the old map: what can be told without its way. */
struct rule_spot {
	/* How the root's item that leads here draws in the new map … */
	uint32_t id;
	uint32_t scale;
	uint32_t item; /* … and its index in the old root */
	uint32_t flags;
};

#define RULE_NO_BUCKET UINT32_MAX

/** How a spot hangs. */
struct rule_way {
	uint32_t bucket; /* the index of the one that holds it; RULE_NO_BUCKET: none */
	uint32_t item;   /* its index there */
	bool below;      /* do searches for a leaf start here, or further up? */
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
	struct rule_spot *spots;
	struct rule_way *ways;
	uint32_t *moved;         /* the new map's spot; NULL: they are the same */
	struct rule_fate *fates; /* by bucket */
	uint32_t *queue;         /* buckets to look into */
	uint32_t queued;
	bool any_bucket;  /* does any bucket differ? */
	uint32_t outs[4]; /* the first devices with another reweight */
	uint32_t out_count;
};

static inline uint32_t rule_bucket_spot(const struct rule_change *change, uint32_t bucket)
{
	return change->from.flat->device_count + bucket;
}

#endif
