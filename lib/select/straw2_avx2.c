/* SPDX-License-Identifier: MIT */
/* Eight questions at once; compiled for AVX2 and FMA. */
#include <immintrin.h>
#include <stdint.h>

#define WIDTH  32
#define CHAINS 4
#define PAUSES 5
#define VEC    uint32_t __attribute__((vector_size(WIDTH)))
#define FVEC   float __attribute__((vector_size(WIDTH)))
#define MASK   VEC

#define TO_FLOAT(v)       ((FVEC)_mm256_cvtepi32_ps((__m256i)(v)))
#define AS_FLOAT(v)       ((FVEC)(v))
#define BITS_OF(f)        (f)
#define MUL_ADD(a, b, c)  ((FVEC)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#define INVERSE(f)        ((FVEC)_mm256_rcp_ps((__m256)(f)))
#define AT_MOST(a, limit) ((VEC)((a) <= (limit)))
#define IS_BELOW(a, b)    ((VEC)((a) < (b)))

static inline VEC smaller(VEC a, VEC b)
{
	return (VEC)_mm256_min_epu32((__m256i)a, (__m256i)b);
}

static inline VEC larger(VEC a, VEC b)
{
	return (VEC)_mm256_max_epu32((__m256i)a, (__m256i)b);
}

static inline VEC deal_low(VEC a, VEC b)
{
	return (VEC)_mm256_unpacklo_epi32((__m256i)a, (__m256i)b);
}

static inline VEC deal_high(VEC a, VEC b)
{
	return (VEC)_mm256_unpackhi_epi32((__m256i)a, (__m256i)b);
}

/* Four words of each fourth row. */
static inline VEC load_rows(const uint32_t *const *rows)
{
	return (VEC)_mm256_loadu2_m128i((const __m128i *)rows[4],
					(const __m128i *)rows[0]);
}

/* Where a is below b; both below 2^31. */
static inline MASK is_below(VEC a, VEC b)
{
	return (VEC)_mm256_cmpgt_epi32((__m256i)b, (__m256i)a);
}

static inline VEC pick(MASK mask, VEC one, VEC other)
{
	return (VEC)_mm256_blendv_ps((__m256)other, (__m256)one, (__m256)mask);
}

/* Lanes of a, from `step` on, and then of b. */
#define middle(a, b)      _mm256_permute2x128_si256((__m256i)(a), (__m256i)(b), 0x21)
#define align(a, b, step) (VEC) _mm256_alignr_epi8(middle(a, b), (__m256i)(a), 4 * (step))
#define next_lanes(a, b, step)                                                           \
	((step) == 4 ? (VEC)middle(a, b) : (step) == 2 ? align(a, b, 2) : align(a, b, 1))

#include "straw2_lanes.h"

#include "straw2_parts.h"

#include "select_lanes.h"

static int usable(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

void straw2_avx2_hashes(const struct select_words *words, uint32_t *hashes)
{
	fill_hashes(words, hashes);
}

const struct select_kernel straw2_avx2 = {
	.name = "avx2",
	.summary = "AVX2, 8 questions at once",
	.usable = usable,
	.equal = fill_equal,
	.mixed = fill_mixed,
	.lanes = LANES,
	.hashes = fill_hashes,
	.parts = fill_parts,
	.probe = probe_all,
};
