/* SPDX-License-Identifier: MIT */
/* Four questions at once, in vectors that every 64-bit processor has: SSE2, NEON, … */
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define WIDTH  16
#define CHAINS 4
#define PAUSES 5
#define VEC    uint32_t __attribute__((vector_size(WIDTH)))
#define IVEC   int32_t __attribute__((vector_size(WIDTH)))
#define FVEC   float __attribute__((vector_size(WIDTH)))
#define MASK   VEC

#define TO_FLOAT(v)       (__builtin_convertvector((IVEC)(v), FVEC) + STRAW2_LIFT)
#define AS_FLOAT(v)       ((FVEC)(v))
#define BITS_OF(f)        (f)
#define MUL_ADD(a, b, c)  ((a) * (b) + (c))
#define INVERSE(f)        (1.0f / (f))
#define AT_MOST(a, limit) ((VEC)((IVEC)(a) <= (IVEC)(limit)))
#define IS_BELOW(a, b)    ((VEC)((a) < (b)))

/* Keys keep their order as floats, none being infinite, and SSE2 has no such function for
 * integers. */
static inline VEC smaller(VEC a, VEC b)
{
#if defined(__SSE2__)
	return (VEC)_mm_min_ps((__m128)a, (__m128)b);
#else
	VEC mask = (VEC)((IVEC)a < (IVEC)b);

	return (a & mask) | (b & ~mask);
#endif
}

static inline VEC larger(VEC a, VEC b)
{
#if defined(__SSE2__)
	return (VEC)_mm_max_ps((__m128)a, (__m128)b);
#else
	VEC mask = (VEC)((IVEC)a > (IVEC)b);

	return (a & mask) | (b & ~mask);
#endif
}

static inline VEC deal_low(VEC a, VEC b)
{
	return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}

static inline VEC deal_high(VEC a, VEC b)
{
	return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

/* Where a is below b; both below 2^31. */
static inline MASK is_below(VEC a, VEC b)
{
	return (VEC)((IVEC)a < (IVEC)b);
}

static inline VEC pick(MASK mask, VEC one, VEC other)
{
	return (one & mask) | (other & ~mask);
}

/* Lanes of a, from `step` on, and then of b. */
#define next_lanes(a, b, step)                                                           \
	((step) == 2 ? __builtin_shufflevector(a, b, 2, 3, 4, 5)                         \
		     : __builtin_shufflevector(a, b, 1, 2, 3, 4))

#include "straw2_lanes.h"

#include "straw2_parts.h"

#include "select_lanes.h"

const struct select_kernel straw2_vec128 = {
	.name = "vec128",
	.summary = "vectors of 128 bits, 4 questions at once",
	.equal = fill_equal,
	.mixed = fill_mixed,
	.lanes = LANES,
	.hashes = fill_hashes,
	.parts = fill_parts,
	.probe = probe_all,
};
