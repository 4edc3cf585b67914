/* SPDX-License-Identifier: MIT */
/* 16 questions at once; compiled for AVX-512 F, BW, DQ and VL. */
#include <immintrin.h>
#include <stdint.h>

#define WIDTH  64
#define CHAINS 6
#define PAUSES 5
#define VEC    uint32_t __attribute__((vector_size(WIDTH)))
#define FVEC   float __attribute__((vector_size(WIDTH)))
#define MASK   __mmask16

#define TO_FLOAT(v)       ((FVEC)_mm512_cvtepi32_ps((__m512i)(v)))
#define AS_FLOAT(v)       ((FVEC)(v))
#define BITS_OF(f)        (f)
#define MUL_ADD(a, b, c)  ((FVEC)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#define INVERSE(f)        ((FVEC)_mm512_rcp14_ps((__m512)(f)))
#define AT_MOST(a, limit) ((VEC)((a) <= (limit)))
#define IS_BELOW(a, b)    ((VEC)((a) < (b)))

static inline VEC smaller(VEC a, VEC b)
{
	return (VEC)_mm512_min_epu32((__m512i)a, (__m512i)b);
}

static inline VEC larger(VEC a, VEC b)
{
	return (VEC)_mm512_max_epu32((__m512i)a, (__m512i)b);
}

static inline VEC deal_low(VEC a, VEC b)
{
	return (VEC)_mm512_unpacklo_epi32((__m512i)a, (__m512i)b);
}

static inline VEC deal_high(VEC a, VEC b)
{
	return (VEC)_mm512_unpackhi_epi32((__m512i)a, (__m512i)b);
}

/* Four words of each fourth row. */
static inline VEC load_rows(const uint32_t *const *rows)
{
	__m256i low =
		_mm256_loadu2_m128i((const __m128i *)rows[4], (const __m128i *)rows[0]);
	__m256i high =
		_mm256_loadu2_m128i((const __m128i *)rows[12], (const __m128i *)rows[8]);

	return (VEC)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* Where a is below b; both below 2^31. */
static inline MASK is_below(VEC a, VEC b)
{
	return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
}

static inline VEC pick(MASK mask, VEC one, VEC other)
{
	return (VEC)_mm512_mask_mov_epi32((__m512i)other, mask, (__m512i)one);
}

/* Lanes of a, from `step` on, and then of b. */
#define align(a, b, step) (VEC) _mm512_alignr_epi32((__m512i)(b), (__m512i)(a), step)
#define next_lanes(a, b, step)                                                           \
	((step) == 8   ? align(a, b, 8)                                                  \
	 : (step) == 4 ? align(a, b, 4)                                                  \
	 : (step) == 2 ? align(a, b, 2)                                                  \
		       : align(a, b, 1))

#include "straw2_lanes.h"

#include "straw2_parts.h"

#include "select_lanes.h"

static int usable(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

/* Of a few, wide vectors would be mostly empty. */
static void fill_few_hashes(const struct select_words *words, uint32_t *hashes)
{
	if (words->count <= LANES / 2)
		straw2_avx2_hashes(words, hashes);
	else
		fill_hashes(words, hashes);
}

const struct select_kernel straw2_avx512 = {
	.name = "avx512",
	.summary = "AVX-512, 16 questions at once",
	.usable = usable,
	.equal = fill_equal,
	.mixed = fill_mixed,
	.lanes = LANES,
	.hashes = fill_few_hashes,
	.parts = fill_parts,
	.probe = probe_all,
};
