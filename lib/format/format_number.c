/* SPDX-License-Identifier: MIT */
#include "format_number.h"

#include <stdio.h>
#include <string.h>

#include "base_fixed.h"
#include "format_walk.h"

/* Every multiple of 1/65536 ends within so many decimals. */
#define DECIMALS_MAX 16
/* Below 2^53, and with a power of ten below 10^22, a division gives the very double that
 * a parser makes of the digits. */
#define EXACT_DIGITS (UINT64_C(1) << 53)

/* A size in a unit is worth reading with so many decimals, and digits in all. */
#define SIZE_DECIMALS 3
#define SIZE_DIGITS   100000

/* digits / 10^decimals. */
struct decimal {
	uint64_t digits;
	int decimals;
	uint64_t power;
};

static void add_decimal(struct base_str *text, const struct decimal *number)
{
	base_str_addf(text, "%llu", (unsigned long long)(number->digits / number->power));
	if (number->decimals > 0)
		base_str_addf(text, ".%0*llu", number->decimals,
			      (unsigned long long)(number->digits % number->power));
}

static double value_of(const struct decimal *number)
{
	return (double)number->digits / (double)number->power;
}

/* 16.16 in decimals: the nearest ones, or the next ones from there up. */
static struct decimal in_decimals(uint32_t fixed, int decimals, uint64_t power, bool up)
{
	unsigned __int128 scaled = (unsigned __int128)fixed * power;
	uint32_t rest = up ? UINT16_MAX : STREW_WEIGHT_ONE / 2;

	return (struct decimal){(uint64_t)((scaled + rest) / STREW_WEIGHT_ONE), decimals,
				power};
}

/* Is the number so near to the weight that a parser makes the weight's own double of it?
 * That is within half of what the last bit of that double is worth; below a power of two
 * the doubles lie twice as close. */
static bool is_nearest(const struct decimal *number, uint32_t weight)
{
	unsigned __int128 exact = (unsigned __int128)weight * number->power;
	unsigned __int128 ours = (unsigned __int128)number->digits * STREW_WEIGHT_ONE;
	unsigned __int128 distance = ours > exact ? ours - exact : exact - ours;
	int bits = 0, closer = (weight & (weight - 1)) == 0;

	while (weight >> bits > 1)
		bits++;
	/* A double of 2^bits / 65536 has its last bit at 2^(bits - 52) / 65536. */
	return distance << (53 - bits + closer) < number->power;
}

static bool reads_as_weight(const struct decimal *number, uint32_t weight)
{
	uint32_t got = 0;

	if (is_nearest(number, weight))
		return true;
	return number->digits < EXACT_DIGITS &&
	       format_round_weight(value_of(number), &got) && got == weight;
}

void format_add_weight(struct base_str *text, uint32_t weight)
{
	struct decimal number = {0, 0, 1};

	for (int i = 0; i <= DECIMALS_MAX; i++) {
		uint64_t power = i ? number.power * 10 : 1;

		number = in_decimals(weight, i, power, false);
		if (reads_as_weight(&number, weight))
			break;
		number = in_decimals(weight, i, power, true);
		if (reads_as_weight(&number, weight))
			break;
	}
	add_decimal(text, &number);
}

void format_add_share(struct base_str *text, uint32_t share)
{
	struct decimal number = {0, 0, 1};
	uint32_t got = 0;

	for (int i = 0; i <= DECIMALS_MAX; i++) {
		number = in_decimals(share, i, i ? number.power * 10 : 1, false);
		if (base_fixed_nearest(&got, value_of(&number)) && got == share)
			break;
	}
	add_decimal(text, &number);
}

/* Finds the number of units, with the fewest decimals, that is exactly so many bytes. */
static bool count_units(uint64_t bytes, uint64_t unit, struct decimal *number)
{
	*number = (struct decimal){0, 0, 1};
	for (int i = 0; i <= SIZE_DECIMALS; i++) {
		uint64_t power = i ? number->power * 10 : 1;
		unsigned __int128 scaled = (unsigned __int128)bytes * power;
		unsigned __int128 digits = (scaled + unit / 2) / unit;

		if (digits >= SIZE_DIGITS)
			return false;
		*number = (struct decimal){(uint64_t)digits, i, power};
		if ((digits * unit + power / 2) / power == bytes)
			return true;
	}
	return false;
}

static void print_size(char *text, size_t room, const struct decimal *number,
		       const char *unit)
{
	int len = snprintf(text, room, "\"%llu",
			   (unsigned long long)(number->digits / number->power));

	if (number->decimals > 0)
		len += snprintf(text + len, room - (size_t)len, ".%0*llu",
				number->decimals,
				(unsigned long long)(number->digits % number->power));
	snprintf(text + len, room - (size_t)len, "%s\"", unit);
}

void format_add_bytes(struct base_str *text, uint64_t bytes)
{
	static const char *const units[] = {"EB", "EiB", "PB", "PiB", "TB", "TiB",
					    "GB", "GiB", "MB", "MiB", "kB", "KiB"};
	char best[64] = "", size[64];

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		uint64_t unit = (uint64_t)format_word_of(WORD_UNIT, units[i])->value;
		struct decimal number;

		if (bytes < unit || !count_units(bytes, unit, &number))
			continue;
		print_size(size, sizeof(size), &number, units[i]);
		if (best[0] == '\0' || strlen(size) < strlen(best))
			memcpy(best, size, sizeof(best));
	}
	if (best[0] != '\0')
		base_str_add(text, best);
	else
		base_str_addf(text, "%llu", (unsigned long long)bytes);
}
