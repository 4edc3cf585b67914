/* SPDX-License-Identifier: MIT */
#ifndef RULE_PRIV_H
#define RULE_PRIV_H

#include <stdbool.h>

#include "base_alloc.h"
#include "hash.h"
#include "rule_watch.h"
#include "select.h"

/** Tell who watches, if anyone does. Nothing in files that don't say RULE_WATCHED before
 * they include this: where each instruction counts, a file is compiled once more with
 * it, for calls that are watched. */
#ifdef RULE_WATCHED
#define RULE_TELL(call, ...)                                                             \
	do {                                                                             \
		if ((call)->watch)                                                       \
			(call)->watch->tell((call)->watch->ctx,                          \
					    &(struct rule_event){__VA_ARGS__});          \
	} while (0)
#else
#define RULE_TELL(call, ...) ((void)(call))
#endif

/** One level of an MSR descent: its choosemsr step, and how far it has come. */
struct rule_level {
	/* The step, for as long as its block runs. */
	int32_t type;
	uint32_t span;  /* places of the result that each of its strides covers */
	int32_t *taken; /* want refs: what the step chose for each place, or FLAT_UNDEF */
	/* The stride in hand. */
	const struct flat_bucket *bucket;
	uint32_t start; /* the part of the result that this visit fills … */
	uint32_t end;
	uint32_t stride; /* counts from 0 */
	uint32_t at;     /* … and where the stride starts in it */
	uint32_t mapped;
	int32_t candidate;
	bool *undo; /* want flags: take the stride's choice back in the end */
};

/** The most attempts that are known ahead of need, and that are asked for together. */
#define RULE_AHEAD_KNOWN 64
#define RULE_AHEAD_MAX   16

/** Where an attempt leads from a window's root, and the device below that: asked for
 * before anybody knows whether it is needed. */
struct rule_guess {
	uint32_t r;
	uint32_t leaf_r;
	int32_t item;   /* FLAT_UNDEF: to no item of the wanted type */
	int32_t holder; /* the bucket that it hangs in */
	int32_t leaf;   /* FLAT_UNDEF: to no device, or it wasn't asked for */
	int32_t leaf_holder;
};

struct rule_ahead {
	const struct flat_bucket *root; /* of the window in hand */
	bool in_vain; /* an attempt that was asked for leads nowhere: others may, too */
	uint32_t count;
	struct rule_guess guesses[RULE_AHEAD_KNOWN];
};

struct rule_scratch {
	struct base_arena arena;
	struct rule_needs needs;
	/* Each of needs.want refs. */
	int32_t *work;             /* the working set */
	int32_t *chosen;           /* what a step chooses … */
	int32_t *leaves;           /* … and the devices below it */
	struct rule_level *levels; /* needs.msr_steps */
	struct rule_block *block;
	struct rule_ahead ahead;
};

/** A rule being run. */
struct rule_state {
	const struct rule_call *call;
	struct rule_settings settings;
	struct rule_ahead *ahead; /* NULL: nothing is asked ahead of need */
	/* The scratch's arrays. */
	int32_t *work;
	int32_t *chosen;
	int32_t *leaves;
	uint32_t work_count;
	int32_t *out;
	uint32_t out_count;
};

/** One bucket of the working set, and the window of the step's output that it fills. */
struct rule_window {
	const struct flat_bucket *root;
	int32_t type;
	uint32_t ranks; /* numrep: how many the step asks for */
	uint32_t room;  /* how many there is room for */
	int32_t *chosen;
	int32_t *leaves; /* NULL: the step doesn't go down to devices */
};

/** Fill a window. @return the number of entries. */
uint32_t rule_firstn(const struct rule_state *state, const struct rule_window *window);
uint32_t rule_indep(const struct rule_state *state, const struct rule_window *window);
/** The same, telling who watches. */
uint32_t rule_firstn_watched(const struct rule_state *state,
			     const struct rule_window *window);
uint32_t rule_indep_watched(const struct rule_state *state,
			    const struct rule_window *window);

/** Attempts to ask for. */
struct rule_wants {
	const struct rule_window *window;
	uint32_t taken; /* entries of window->chosen that are not to be chosen again */
	uint32_t r;     /* the first … */
	uint32_t step;  /* … and from each to the next */
	uint32_t count; /* up to RULE_AHEAD_MAX */
	/* From one that collides to what is asked in its place; 0: what comes next. */
	uint32_t retry;
	uint32_t (*leaf_attempt)(const struct rule_settings *settings,
				 const struct rule_window *window, uint32_t r);
};

/** Forget what is known of another window. */
void rule_ahead_start(const struct rule_state *state, const struct rule_window *window);
/** Ask for attempts side by side, all the way down. @return what is known of them, in
 * their order, and behind these perhaps of more. */
const struct rule_guess *rule_ask_ahead(const struct rule_state *state,
					const struct rule_wants *wants);

/** Fill a place of a window with a guess that doesn't collide. @return false: it is out,
 * or not known down to a device. */
bool rule_take_guess(const struct rule_state *state, const struct rule_window *window,
		     const struct rule_guess *guess, uint32_t place);
/** Behind the last that is known. */
static inline const struct rule_guess *rule_guesses_end(const struct rule_ahead *ahead)
{
	return &ahead->guesses[ahead->count];
}

/** Is it known where r leads from a bucket? *in becomes the bucket that holds the item.
 */
bool rule_foresee(const struct rule_ahead *ahead, const struct flat *flat,
		  const struct flat_bucket **in, uint32_t r, int32_t *item);
/** The same for wants->r, which isn't known yet and is asked for with the others. */
bool rule_foresee_more(const struct rule_state *state, const struct rule_wants *wants,
		       const struct flat_bucket **in, int32_t *item);

/** Is it one of multi-step retry? */
bool rule_is_msr(const struct flat_rule *rule);
/** Run an MSR rule, doc/crush.md, section 9. */
int rule_run_msr(const struct rule_call *call, int32_t *out,
		 struct rule_scratch *scratch);

/** Ask a bucket, which has at least one item. @return a ref. */
static inline int32_t rule_choose(const struct rule_call *call,
				  const struct flat_bucket *bucket, uint32_t r,
				  uint32_t position)
{
	const struct flat *flat = call->flat;
	struct select_in in = {
		.x = call->x, .r = r, .position = position, .kernel = call->kernel};
	int32_t ref;

	if (call->set)
		in.args = flat_args_of(flat, call->set, flat_bucket_index(flat, bucket));
	ref = flat_refs(bucket)[select_choose(bucket, &in)];
	RULE_TELL(call, .kind = RULE_DRAW, .bucket = bucket, .in = &in, .ref = ref);
	return ref;
}

static inline int32_t rule_type_of(const struct rule_call *call, int32_t ref)
{
	return ref >= 0 ? 0 : flat_bucket_of(call->flat, ref)->type;
}

static inline uint32_t rule_hash_device(const struct flat *flat, int32_t device,
					uint32_t x)
{
	return hash_2(x, (uint32_t)flat_device_id(flat, (uint32_t)device)) & 0xffff;
}

/** Does a device's reweight keep it out for this input? doc/crush.md, section 4. */
static inline bool rule_is_out(const struct flat *flat, int32_t device, uint32_t x)
{
	uint32_t reweight = flat_device_reweights(flat)[device];

	if (reweight >= FLAT_IN)
		return false;
	return reweight == 0 || rule_hash_device(flat, device, x) >= reweight;
}

/* Without a branch for each, as it can't be told which it will be. */
static inline bool rule_holds(const int32_t *refs, uint32_t count, int32_t ref)
{
	int32_t held = 0;

	for (uint32_t i = 0; i < count; i++)
		held |= refs[i] == ref;
	return held != 0;
}

#endif
