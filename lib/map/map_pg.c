/* SPDX-License-Identifier: MIT */
#include "map.h"

uint32_t map_stable_mod(uint32_t x, uint32_t n)
{
	/* The lowest 2^k - 1 that n - 1 fits in. */
	uint32_t mask = n > 1 ? UINT32_MAX >> __builtin_clz(n - 1) : 0;

	return (x & mask) < n ? x & mask : x & (mask >> 1);
}

static bool comes_before(strew_pg a, strew_pg b)
{
	return a.pool < b.pool || (a.pool == b.pool && a.seed < b.seed);
}

size_t map_override_place(const strew_map *map, strew_pg pg)
{
	size_t low = 0, high = map->override_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (comes_before(map->overrides[middle].pg, pg))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool map_has_upmap(const struct map_override *override)
{
	return override->upmap || override->upmap_item_count > 0 ||
	       override->upmap_primary != STREW_NONE;
}

static int digit_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	if (digit >= 'A' && digit <= 'F')
		return digit - 'A' + 10;
	return -1;
}

/** Digits up to the first other character. @return where that is, or NULL when there was
 * no digit or the number is above `max`. */
static const char *parse_digits(uint64_t *out, const char *text, int base, uint64_t max)
{
	const char *at = text;
	uint64_t value = 0;

	for (int digit; (digit = digit_value(*at)) >= 0 && digit < base; at++) {
		if (value > (max - (uint64_t)digit) / (uint64_t)base)
			return NULL;
		value = value * (uint64_t)base + (uint64_t)digit;
	}
	*out = value;
	return at == text ? NULL : at;
}

strew_status strew_pg_parse(strew_pg *out, const char *text)
{
	uint64_t pool;
	uint64_t seed;
	const char *at = parse_digits(&pool, text, 10, INT64_MAX);

	if (at == NULL || *at != '.')
		return STREW_ESYNTAX;
	at = parse_digits(&seed, at + 1, 16, UINT32_MAX);
	if (at == NULL || *at != '\0')
		return STREW_ESYNTAX;
	out->pool = (int64_t)pool;
	out->seed = (uint32_t)seed;
	return STREW_OK;
}
