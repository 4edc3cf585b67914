/* SPDX-License-Identifier: MIT */
#ifndef RULE_TRACE_H
#define RULE_TRACE_H

#include <stdbool.h>

#include "rule.h"
#include "select.h"

/** Which spots there may be among some: a bit stands for all that are as far from a
 * multiple of RULE_SKETCH_BITS. It fills a line of a cache. */
struct rule_sketch {
	uint64_t bits[8];
};

#define RULE_SKETCH_BITS 512

/**
 * What a rule came to on its way to some results: enough to tell, when the map has
 * changed, which of them may have.
 *
 * A *spot* is a device's index, or behind all devices a bucket's: where an attempt ended,
 * or, when it was given up at an item that was there already, that item. As each item
 * hangs in one place, a spot tells each bucket that was asked, and what it answered.
 */
struct rule_trace {
	size_t inputs; /**< as many as it has room for: a multiple of RULE_TRACE_UNIT */
	int want;
	/** Of attempts 0 … want - 1 of each input, attempt by attempt; and of others,
	 * RULE_TRACE_EXTRAS(want) of each at most: the first of all inputs, the second, …
	 */
	uint32_t *spots;
	uint32_t *extras;  /* their spots … */
	uint8_t *extra_rs; /* … and attempts; with RULE_TRACE_BELOW: below an item */
	uint8_t *used;     /**< how many extras, or RULE_TRACE_UNKNOWN: there were more */
	/** Of the spots of each RULE_TRACE_STRETCH inputs: ordered as spots are, and then
	 * of their extras. If those of one input are unknown, all bits are set. */
	struct rule_sketch *sketches;
	/** By how much the weights in the root may change before its answer does: as
	 * spots are ordered, by what it weighed once. */
	uint8_t *margins;
	struct select_weighing weighing;
	bool measured; /**< are margins by this weighing? */
};

/** Inputs that are looked at together. What lies behind the last of a trace leads
 * nowhere. */
#define RULE_TRACE_UNIT         1024
#define RULE_TRACE_STRETCH      64
#define RULE_TRACE_EXTRAS(want) ((want) / 2 + 4)
#define RULE_TRACE_UNKNOWN      0xff
#define RULE_TRACE_NOWHERE      UINT32_MAX
#define RULE_TRACE_BELOW        0x80u /* no attempt is as high as that, or none is kept */

static inline uint32_t rule_spot_of(const struct flat *flat, int32_t ref)
{
	return ref >= 0 ? (uint32_t)ref : flat->device_count + (uint32_t)(-1 - ref);
}

static inline void rule_sketch_add(struct rule_sketch *sketch, uint32_t spot)
{
	sketch->bits[spot % RULE_SKETCH_BITS / 64] |= (uint64_t)1 << spot % 64;
}

/** The sketch of attempt r of a stretch, or for r = want of its extras. */
static inline struct rule_sketch *rule_sketch_at(const struct rule_trace *trace, size_t r,
						 size_t place)
{
	return &trace->sketches[(r * trace->inputs + place) / RULE_TRACE_STRETCH];
}

/** Can traces of it be kept? One take, one choose step, and answers that depend on
 * nothing but the input and the attempt. */
bool rule_is_traceable(const struct rule_call *call);

/** rule_run_many(), and what it came to: of input i at place at[i] of the trace. The rule
 * is traceable. */
void rule_run_traced(const struct rule_call *call, const uint32_t *xs, size_t count,
		     int32_t *out, int *counts, struct rule_scratch *scratch,
		     const struct rule_trace *trace, const uint32_t *at);

/** Make the sketches of the stretch from `start` on. */
void rule_trace_sketch(const struct rule_trace *trace, size_t start);

/** Weigh the root of a call's rule, which is traceable; once, and then free it. */
strew_status rule_trace_weigh(struct rule_trace *trace, const struct rule_call *call,
			      const strew_allocator *allocator);
void rule_trace_free_weighing(struct rule_trace *trace, const strew_allocator *allocator);
/** Make the margins of `count` inputs from `first` on. */
void rule_trace_measure(const struct rule_trace *trace, const struct rule_call *call,
			const uint32_t *xs, size_t first, uint32_t count);

/** What may be different with another map. */
struct rule_change;

/** @param out NULL when nothing can be told: then every result may be different.
 * @param trace what is kept of `from`. Its root may be weighed anew: then
 * rule_change_find() makes the margins, and when all of them are made they are measured.
 * `from` is traceable; the two calls' maps live on. */
strew_status rule_change_new(struct rule_change **out, const struct rule_call *from,
			     const struct rule_call *to, struct rule_trace *trace,
			     const strew_allocator *allocator);
void rule_change_free(struct rule_change *change);
/** Is nothing different, for any input? */
bool rule_change_is_none(const struct rule_change *change);
/** Can traces only be read further when they were moved? */
bool rule_change_moves(const struct rule_change *change);

/** Working memory for one thread. */
struct rule_finder;
struct rule_finder *rule_finder_new(const strew_allocator *allocator);
void rule_finder_free(struct rule_finder *finder);

/** The inputs of a trace, out of `count` from `first` on, at most a unit, whose results
 * may be different; all others' are the same. @return how many they are. */
size_t rule_change_find(const struct rule_change *change, struct rule_finder *finder,
			const struct rule_trace *trace, const uint32_t *xs, size_t first,
			uint32_t count, uint32_t *found);
/** Let these inputs' spots be those of the new map. What the trace tells of inputs that
 * were found is wrong until they are run again. */
void rule_change_move(const struct rule_change *change, const struct rule_trace *trace,
		      size_t first, uint32_t count);

#endif
