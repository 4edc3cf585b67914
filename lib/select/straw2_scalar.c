/* SPDX-License-Identifier: MIT */
/* Without vectors: four questions in turns, so that one hash doesn't wait for itself. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WIDTH  4
#define CHAINS 4
#define PAUSES 0
#define VEC    uint32_t
#define FVEC   float
#define MASK   bool

#define TO_FLOAT(v)       ((float)(int32_t)(v) + STRAW2_LIFT)
#define AS_FLOAT(v)       as_float(v)
#define BITS_OF(f)        bits_of(f)
#define MUL_ADD(a, b, c)  ((a) * (b) + (c))
#define INVERSE(f)        (1.0f / (f))
#define AT_MOST(a, limit) (-(uint32_t)((a) <= (limit)))
#define IS_BELOW(a, b)    (-(uint32_t)((a) < (b)))

static inline float as_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline VEC smaller(VEC a, VEC b)
{
	return a < b ? a : b;
}

static inline VEC larger(VEC a, VEC b)
{
	return a > b ? a : b;
}

/* A lane alone has nothing to be dealt with. */
#define deal_low(a, b)  (a)
#define deal_high(a, b) (b)

static inline MASK is_below(VEC a, VEC b)
{
	return a < b;
}

static inline VEC pick(MASK mask, VEC one, VEC other)
{
	return mask ? one : other;
}

/* A lane alone has none behind it. */
#define next_lanes(a, b, step) (b)

#include "straw2_lanes.h"

#include "straw2_parts.h"

#include "select_lanes.h"

const struct select_kernel straw2_scalar = {
	.name = "scalar",
	.summary = "no vectors, 4 questions in turns",
	.equal = fill_equal,
	.mixed = fill_mixed,
	.lanes = LANES,
	.hashes = fill_hashes,
	.parts = fill_parts,
	.probe = probe_all,
};
