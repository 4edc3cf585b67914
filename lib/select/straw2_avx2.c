/* SPDX-License-Identifier: MIT */
/* Eight questions at once; compiled for AVX2 and FMA. */
#include <immintrin.h>
#include <stdint.h>

#define WIDTH  32
#define CHAINS 6
#define VEC    uint32_t __attribute__((vector_size(WIDTH)))
#define FVEC   float __attribute__((vector_size(WIDTH)))

#define TO_FLOAT(v)       ((FVEC)_mm256_cvtepi32_ps((__m256i)(v)))
#define AS_FLOAT(v)       ((FVEC)(v))
#define BITS_OF(f)        (f)
#define MUL_ADD(a, b, c)  ((FVEC)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#define AT_MOST(a, limit) ((VEC)((a) <= (limit)))

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
	return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

static inline VEC deal_high(VEC a, VEC b)
{
	return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/* Where a is at least the limit the one, and else the other. */
static inline VEC pick_at_least(VEC a, VEC limit, VEC one, VEC other)
{
	return (VEC)_mm256_blendv_epi8((__m256i)other, (__m256i)one,
				       (__m256i)(a >= limit));
}

/* Each lane gets what the lane has whose number differs in one bit. */
#define swap_lanes(v, step)                                                              \
	((step) == 4   ? (VEC)_mm256_permute2x128_si256((__m256i)(v), (__m256i)(v), 1)   \
	 : (step) == 2 ? (VEC)_mm256_shuffle_epi32((__m256i)(v), 0x4e)                   \
		       : (VEC)_mm256_shuffle_epi32((__m256i)(v), 0xb1))

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
