/* SPDX-License-Identifier: MIT */
/* doc/selectors/hashes.md: where each comes from, and vectors. */
#include "hash.h"

#include <md5.h>
#include <string.h>

#define FNV_OFFSET 0xcbf29ce484222325u
#define FNV_PRIME  0x100000001b3u

#define CRC16_POLYNOMIAL 0x1021u
#define CRC16_TOP        0x8000u

static uint64_t fnv1a(const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	uint64_t hash = FNV_OFFSET;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ at[i]) * FNV_PRIME;
	return hash;
}

static void digest_md5(const void *bytes, size_t count, uint64_t halves[2])
{
	uint8_t digest[MD5_DIGEST_LENGTH];
	MD5_CTX context;

	MD5Init(&context);
	MD5Update(&context, bytes, count);
	MD5Final(digest, &context);
	for (int half = 0; half < 2; half++) {
		halves[half] = 0;
		for (int i = 0; i < 8; i++)
			halves[half] = halves[half] << 8 | digest[8 * half + i];
	}
}

static uint64_t md5(const void *bytes, size_t count)
{
	uint64_t halves[2];

	digest_md5(bytes, count, halves);
	return halves[0];
}

static uint64_t md5_folded(const void *bytes, size_t count)
{
	uint64_t halves[2];

	digest_md5(bytes, count, halves);
	return halves[0] ^ halves[1];
}

static uint32_t crc16(const unsigned char *bytes, size_t count)
{
	uint32_t crc = 0;

	for (size_t i = 0; i < count; i++) {
		crc ^= (uint32_t)bytes[i] << 8;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & CRC16_TOP ? crc << 1 ^ CRC16_POLYNOMIAL : crc << 1;
	}
	return crc & 0xffff;
}

/* Of what stands in the first braces, if anything does. */
static uint64_t crc16_tagged(const void *bytes, size_t count)
{
	const unsigned char *start = bytes, *open, *close;

	open = count ? memchr(start, '{', count) : NULL;
	if (open == NULL)
		return crc16(start, count);
	open++;
	close = memchr(open, '}', count - (size_t)(open - start));
	if (close == NULL || close == open)
		return crc16(start, count);
	return crc16(open, (size_t)(close - open));
}

static uint64_t additive(const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	uint32_t hash = (uint32_t)count;

	for (size_t i = 0; i < count; i++)
		hash += at[i];
	return hash;
}

static uint64_t rotating(const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	uint32_t hash = (uint32_t)count;

	/* As signed integers are shifted: the sign comes in from above. */
	for (size_t i = 0; i < count; i++)
		hash = hash << 4 ^ (hash >> 28 | (hash >> 31) * 0xfffffff0u) ^ at[i];
	return hash;
}

static uint64_t bernstein(const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	uint32_t hash = 0;

	for (size_t i = 0; i < count; i++)
		hash = hash * 33 + at[i];
	return hash;
}

static uint64_t decimal(const void *bytes, size_t count)
{
	const unsigned char *at = bytes;
	uint64_t number = 0;

	for (size_t i = 0; i < count && at[i] >= '0' && at[i] <= '9'; i++)
		number = number * 10 + (at[i] - '0');
	return number;
}

static const struct hash_named list[] = {
	{"fnv1a", "FNV-1a, 64 bits", fnv1a},
	{"md5", "MD5, its first 8 bytes", md5},
	{"md5-folded", "MD5, both halves xored", md5_folded},
	{"crc16", "CRC-16 (XMODEM) of the part in braces, or of all", crc16_tagged},
	{"additive", "length and bytes added up; a bad one", additive},
	{"rotating", "rotate by 4, xor a byte; a bad one", rotating},
	{"bernstein", "33 times, plus a byte; 32 bits", bernstein},
	{"decimal", "the number that a text begins with: places by hand", decimal},
};

const struct hash_named *hash_named_at(size_t index)
{
	return index < sizeof(list) / sizeof(list[0]) ? &list[index] : NULL;
}

const struct hash_named *hash_named_find(const char *name)
{
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	}
	return NULL;
}
