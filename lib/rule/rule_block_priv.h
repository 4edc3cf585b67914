/* SPDX-License-Identifier: MIT */
#ifndef RULE_BLOCK_PRIV_H
#define RULE_BLOCK_PRIV_H

#include "rule_priv.h"
#include "rule_trace.h"

/**
 * A rule run for a block of inputs, side by side. Each step is done for all of them
 * before the next, and each question to a bucket waits until all have theirs: they go
 * down the tree level by level, as long lists, which is what kernels are fast at.
 *
 * What an attempt comes to hardly depends on the attempts before it: the item that r
 * leads to, and the device below that item, are functions of the input, r and at most the
 * position in the result. So answers are kept by input and r, asked for ahead of need,
 * and the search itself, which is a walk over answers, is done again where one was
 * missing.
 */

/** Inputs × answers that a block holds for each. */
#define RULE_BLOCK_WORDS 65536
#define RULE_BLOCK_MAX   1024
/** Inputs × the size of the result, at most: as much as is asked at a time. With more of
 * it, what is asked would be too far from a processor. */
#define RULE_BLOCK_ASKED 4096

/* What an answer may be, besides a ref. */
#define RULE_UNASKED ((int32_t)0x7ffffffc)
#define RULE_DEAD    ((int32_t)0x7ffffffd) /* a device where a bucket was asked for */
#define RULE_NOTHING FLAT_NONE             /* an empty bucket, or no usable device */

/* What may go wrong with first attempts. */
#define RULE_REPEATS 1 /* one led to the item that another had led to */
#define RULE_FAILS   2 /* … to no item, or to no usable device */

/** Questions on their way down the tree. */
struct rule_quest {
	size_t count;
	uint32_t at[RULE_BLOCK_ASKED]; /* where in the answers */
	uint32_t x[RULE_BLOCK_ASKED + SELECT_PAD];
	uint32_t r[RULE_BLOCK_ASKED + SELECT_PAD];
	uint32_t position[RULE_BLOCK_ASKED]; /* where the weight set in use has some */
	int32_t refs[RULE_BLOCK_ASKED];      /* how far they are */
};

/** The search of one input. */
struct rule_seeker {
	uint32_t input; /* its place in the block */
	int32_t root;
	uint32_t start; /* of its window, in the block's rows */
	uint32_t room;
	uint32_t rank;
	uint32_t failures;
	uint32_t taken;
	uint32_t open_count; /* indep's places that are undecided */
};

/** How a window's step chooses. */
struct rule_block_step {
	int32_t type;
	uint32_t ranks;
	bool indep;
	bool leaf;
	uint32_t tries;
	uint32_t leaf_tries;
	uint32_t leaf_stride; /* from a leaf's attempt to the next */
	/* Does an item, or a leaf, depend on the position? */
	bool nodes_vary;
	bool leaves_vary;
};

struct rule_block {
	const struct rule_call *call;
	struct rule_settings settings;
	struct rule_block_step step;
	uint32_t inputs;
	uint32_t rows;           /* answers of each input */
	uint32_t rows_ready;     /* those that were asked for, or marked as not */
	struct rule_quest quest; /* for items … */
	struct rule_quest wish;  /* … and for devices below them */
	/* By r, or place, and then by seeker: rows × inputs. */
	int32_t nodes[RULE_BLOCK_WORDS];
	int32_t leaves[RULE_BLOCK_WORDS];
	/* The position that an answer is for; firstn only heeds it. */
	uint16_t node_positions[RULE_BLOCK_WORDS];
	uint16_t leaf_positions[RULE_BLOCK_WORDS];
	struct rule_seeker seekers[RULE_BLOCK_MAX]; /* who looks for something … */
	uint32_t x[RULE_BLOCK_MAX];                 /* … for which input … */
	uint32_t active[RULE_BLOCK_MAX];            /* … and which of them still do */
	uint32_t active_count;
	int32_t trouble[RULE_BLOCK_MAX]; /* with first attempts: RULE_REPEATS, … */
	/* Rows of `want`: indep's open places, in order, and refs in these three. */
	uint16_t open[RULE_BLOCK_ASKED];
	int32_t rows_of[3][RULE_BLOCK_ASKED];
	int32_t *work;
	int32_t *chosen;
	int32_t *chosen_leaves;
	uint32_t work_counts[RULE_BLOCK_MAX];
	uint32_t counts[RULE_BLOCK_MAX]; /* in the windows before */
	bool left_over[RULE_BLOCK_MAX];  /* inputs that are run one at a time */
	const struct rule_trace *trace;  /* what is kept of it, or NULL … */
	const uint32_t *trace_at;        /* … and where, by input */
};

/** Where the answer to a seeker's attempt is. */
static inline uint32_t rule_answer_at(const struct rule_block *block, uint32_t r,
				      uint32_t seeker)
{
	return r * block->inputs + seeker;
}

/** With which r firstn looks for a device below the item that r led to. */
static inline uint32_t rule_leaf_attempt(const struct rule_block *block, uint32_t r,
					 uint32_t taken)
{
	uint32_t vary_r = block->settings.vary_r;
	uint32_t rank = block->settings.stable ? 0 : taken;

	return rank + (vary_r ? (uint32_t)((int32_t)r >> ((vary_r - 1) % 32)) : 0);
}

/** A leaf that was refused, and its attempt; then: not the first leaf was taken. */
void rule_trace_rejected(const struct rule_block *block, uint32_t at, int32_t leaf,
			 uint32_t r);
void rule_trace_retried(const struct rule_block *block, uint32_t at);

/** Where a seeker's window starts. */
static inline int32_t *rule_chosen_of(const struct rule_block *block,
				      const struct rule_seeker *seeker)
{
	return block->chosen + seeker->start;
}

static inline int32_t *rule_leaves_of(const struct rule_block *block,
				      const struct rule_seeker *seeker)
{
	return block->chosen_leaves + seeker->start;
}

/** Ask where r leads to from a bucket. */
static inline void rule_quest_add(struct rule_quest *quest, uint32_t at, uint32_t x,
				  uint32_t r, uint32_t position, int32_t ref)
{
	size_t i = quest->count++;

	quest->at[i] = at;
	quest->x[i] = x;
	quest->r[i] = r;
	quest->position[i] = position;
	quest->refs[i] = ref;
}

/** Answer all questions for items, into block->nodes. */
void rule_quest_run(struct rule_block *block);
/** Answer all wishes for devices below block->nodes, into block->leaves. */
void rule_wish_run(struct rule_block *block);

/** Start a trace, and end it. */
void rule_trace_start(const struct rule_block *block);
void rule_trace_end(const struct rule_block *block);
/** All attempts of firstn; indep's first of a seeker that has no trouble with these, …
 */
void rule_trace_rows(const struct rule_block *block, uint32_t seekers);
void rule_trace_first(const struct rule_block *block, uint32_t seeker);
/** … and those of one of its rounds for a seeker's open places. */
void rule_trace_round(const struct rule_block *block, uint32_t seeker, uint32_t round);

/** Make the first attempt for each rank of all seekers. Those without trouble have their
 * windows filled; the others stay active, and find the answers: RULE_UNASKED as the leaf
 * of an item that an attempt before led to. */
void rule_block_first(struct rule_block *block);

/** Fill the windows of the seekers that are active, which all are. */
void rule_block_firstn(struct rule_block *block);
void rule_block_indep(struct rule_block *block);

#endif
