/* SPDX-License-Identifier: MIT */
/*
 * bench_bound: what the hashes alone take on this processor, for each width of vectors:
 * no kernel can place in less time, as every item that is looked at must be hashed.
 * Beside it what that makes of a mapping of `maptool bench`: its first draws, without
 * retries.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "hash.h"

#define HASHES (1 << 21)
#define ROUNDS 9
#define WORDS  96 /* lanes of the widest, six in turns */
/* Three draws at each level: of 10, 20 and 24 items; of 1,000 and 20; and so on. */
#define ITEMS_B 162
#define ITEMS_C 3060
#define ITEMS_D 225

#define INLINE static inline __attribute__((always_inline))
#define EACH   _Pragma("GCC unroll 8") for (int k = 0; k < chains; k++)

/* `count` vectors in turns, as one hash at a time leaves most of a processor idle: as
 * many as the kernels have. */
#define DEFINE(name, width, instructions, count)                                         \
	typedef uint32_t name##_vec __attribute__((vector_size(width)));                 \
	INLINE void name##_mix(name##_vec *a, name##_vec *b, name##_vec *c, int chains)  \
	{                                                                                \
		EACH a[k] = (a[k] - b[k] - c[k]) ^ (c[k] >> 13);                         \
		EACH b[k] = (b[k] - c[k] - a[k]) ^ (a[k] << 8);                          \
		EACH c[k] = (c[k] - a[k] - b[k]) ^ (b[k] >> 13);                         \
		EACH a[k] = (a[k] - b[k] - c[k]) ^ (c[k] >> 12);                         \
		EACH b[k] = (b[k] - c[k] - a[k]) ^ (a[k] << 16);                         \
		EACH c[k] = (c[k] - a[k] - b[k]) ^ (b[k] >> 5);                          \
		EACH a[k] = (a[k] - b[k] - c[k]) ^ (c[k] >> 3);                          \
		EACH b[k] = (b[k] - c[k] - a[k]) ^ (a[k] << 10);                         \
		EACH c[k] = (c[k] - a[k] - b[k]) ^ (b[k] >> 15);                         \
	}                                                                                \
	__attribute__((target(instructions))) static uint32_t name(                      \
		const uint32_t *words)                                                   \
	{                                                                                \
		enum { chains = count };                                                 \
		name##_vec sum[chains] = {0}, a[chains], b[chains], c[chains];           \
		name##_vec x[chains], y[chains], hash[chains], from[chains];             \
		uint32_t all = 0;                                                        \
                                                                                         \
		memcpy(from, words, sizeof(from));                                       \
		for (uint32_t i = 0; i < HASHES; i += chains * width / 4) {              \
			EACH                                                             \
			{                                                                \
				a[k] = from[k] + i;                                      \
				b[k] = from[k] ^ i;                                      \
				c[k] = from[k] - i;                                      \
				x[k] = (name##_vec){0} + HASH_X;                         \
				y[k] = (name##_vec){0} + HASH_Y;                         \
				hash[k] = HASH_SEED ^ a[k] ^ b[k] ^ c[k];                \
			}                                                                \
			name##_mix(a, b, hash, chains);                                  \
			name##_mix(c, x, hash, chains);                                  \
			name##_mix(y, a, hash, chains);                                  \
			name##_mix(b, x, hash, chains);                                  \
			name##_mix(y, c, hash, chains);                                  \
			EACH sum[k] ^= hash[k];                                          \
		}                                                                        \
		EACH all += sum[k][0];                                                   \
		return all;                                                              \
	}

DEFINE(vec128, 16, "sse2", 4)
DEFINE(avx2, 32, "avx2", 4)
DEFINE(avx512, 64, "avx512f,avx512bw,avx512dq,avx512vl", 6)

static uint32_t one_by_one(const uint32_t *words)
{
	uint32_t all = 0;

	for (uint32_t i = 0; i < HASHES; i++) {
		uint32_t hash = hash_3(words[0] + i, words[1] ^ i, words[2] - i);

		/* Or compilers would do several at once. */
		__asm__ volatile("" : "+r"(hash));
		all ^= hash;
	}
	return all;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/** The least of a few rounds: a bound is what is never beaten. */
static void measure(const char *name, uint32_t (*hash_all)(const uint32_t *))
{
	static uint32_t words[WORDS];
	double best = 1e30, start, cost;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		for (uint32_t k = 0; k < WORDS; k++)
			words[k] ^= hash_2(i, k);
		start = now();
		words[i] ^= hash_all(words);
		cost = (now() - start) / HASHES;
		best = cost < best ? cost : best;
	}
	printf("%-10s %8.2f %8.0f %8.0f %8.0f\n", name, best, best * ITEMS_B,
	       best * ITEMS_C, best * ITEMS_D);
}

int main(void)
{
	printf("           ns each   map b, ns    map c    map d\n");
	if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512vl"))
		measure("avx512", avx512);
	if (__builtin_cpu_supports("avx2"))
		measure("avx2", avx2);
	measure("vec128", vec128);
	measure("one by one", one_by_one);
	return 0;
}
