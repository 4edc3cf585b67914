/* SPDX-License-Identifier: MIT */
#ifndef STRAW2_TURN_H
#define STRAW2_TURN_H

#include "straw2_kernel.h"

/*
 * What there is to do before and after a bin is hashed: find the rows of its questions,
 * and take its answers. That needs units of a processor which idle while vectors are
 * hashed; so a kernel does it for other questions meanwhile, some lanes after each part
 * of a hash. All lanes of a group are turned over so: the answer is taken, and the next
 * question put in its place.
 */

/** Questions for a kernel. */
struct straw2_group {
	enum straw2_kind kind; /* of all of them */
	bool told; /* are refs ids, and these evenly apart? Then none need be read */
	uint32_t kinds[STRAW2_BIN];
	struct straw2_bin bin;
};

/** A group that is turned over, lane by lane. */
struct straw2_turn {
	const struct select_batch *batch;
	const struct flat_bucket *buckets;
	uint32_t straw2; /* as buckets name it */
	struct straw2_group *group;
	uint32_t pace;    /* how many lanes to do each time */
	uint32_t lane;    /* the next */
	uint32_t settled; /* how many have answers … */
	uint32_t found;   /* … and how many get questions */
	uint32_t from;    /* where in the batch the answers belong … */
	uint32_t to;      /* … and where the questions are */
	uint32_t any;     /* of the questions' kinds, as bits */
	uint32_t all;
	uint32_t apart; /* not 0 where refs aren't ids */
	/* Where answers belong that aren't sure; there is room for one more than lanes.
	 */
	uint32_t *unsure;
	uint32_t unsure_count;
};

/* What isn't for a kernel counts as odd; so does one item, of which there is no choice.
 */
static inline struct straw2_row straw2_turn_row(const struct straw2_turn *turn, size_t at)
{
	const struct select_batch *batch = turn->batch;
	const struct flat_bucket *bucket = &turn->buckets[-1 - batch->refs[at]];
	const struct flat_args *args = NULL;
	uint32_t position = 0;
	struct straw2_row row;

	if (bucket->selector != turn->straw2)
		return (struct straw2_row){
			.bucket = bucket, .ids = flat_ids(bucket), .kind = STRAW2_ODD};
	if (batch->set) {
		args = flat_args_of(batch->flat, batch->set,
				    (uint32_t)(bucket - turn->buckets));
		position = batch->position ? batch->position[at] : 0;
	}
	row = straw2_row_of(bucket, args, position);
	if (!straw2_is_askable(row.kind, bucket->count))
		row.kind = STRAW2_ODD;
	return row;
}

static inline void straw2_put_row(struct straw2_group *group, uint32_t lane,
				  const struct straw2_row *row)
{
	struct straw2_bin *bin = &group->bin;

	group->kinds[lane] = row->kind;
	bin->spans[lane] = row->span;
	bin->items[lane] = row->bucket->count;
	bin->ids[lane] = row->ids;
	bin->first_ids[lane] = (uint32_t)row->first_id;
	bin->strides[lane] = row->stride;
	bin->scales[lane] = row->scales;
}

/* Take what has won for sure. */
static inline void straw2_settle_lane(struct straw2_turn *turn,
				      const struct straw2_group *group, uint32_t lane,
				      uint32_t at)
{
	uint32_t index = straw2_index_of(group->kind, group->bin.first[lane]);
	int32_t *ref = &turn->batch->refs[at];
	int32_t item = group->told ? (int32_t)(group->bin.first_ids[lane] +
					       index * group->bin.strides[lane])
				   : flat_refs(&turn->buckets[-1 - *ref])[index];
	bool unsure = group->bin.unsure[lane] != 0;

	*ref = unsure ? *ref : item;
	turn->unsure[turn->unsure_count] = at;
	turn->unsure_count += unsure;
}

static inline void straw2_find_lane(struct straw2_turn *turn, uint32_t lane)
{
	struct straw2_row row = straw2_turn_row(turn, turn->to + lane);

	turn->any |= row.kind;
	turn->all &= row.kind;
	turn->apart |= row.bucket->ids ^ row.bucket->refs;
	straw2_put_row(turn->group, lane, &row);
}

static inline uint32_t straw2_turn_lanes(const struct straw2_turn *turn)
{
	return turn->settled > turn->found ? turn->settled : turn->found;
}

/** Do the next lanes, if there are any. */
static inline __attribute__((always_inline)) void
straw2_turn_some(struct straw2_turn *turn)
{
	for (uint32_t left = turn->pace; left > 0; left--) {
		uint32_t lane = turn->lane++;

		if (lane < turn->settled)
			straw2_settle_lane(turn, turn->group, lane, turn->from + lane);
		if (lane < turn->found)
			straw2_find_lane(turn, lane);
	}
}

#endif
