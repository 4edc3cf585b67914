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

/* The digits of a fraction, one after the other: so far, and what remains, in the parts
 * that the last digit is divided into. */
struct division {
	struct decimal down;
	uint64_t rest;
	uint64_t parts;
};

static struct division divide(uint64_t number, uint64_t parts)
{
	return (struct division){{number / parts, 0, 1}, number % parts, parts};
}

static void next_digit(struct division *division)
{
	struct decimal *down = &division->down;
	uint64_t rest = division->rest * 10;

	down->digits = down->digits * 10 + rest / division->parts;
	down->decimals++;
	down->power *= 10;
	division->rest = rest % division->parts;
}

static struct decimal up_one(const struct division *division)
{
	struct decimal up = division->down;

	up.digits++;
	return up;
}

static bool is_nearer_up(const struct division *division)
{
	return division->rest >= division->parts - division->rest;
}

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

/* Is a number that is off by so many 65536ths of its last digit so near to the weight
 * that a parser makes the weight's own double of it? That is within half of what the last
 * bit of that double is worth; below a power of two the doubles lie twice as close. */
static bool is_nearest(const struct decimal *number, uint64_t distance, uint32_t weight)
{
	int bits = 0, closer = (weight & (weight - 1)) == 0;

	while (weight >> bits > 1)
		bits++;
	/* A double of 2^bits / 65536 has its last bit at 2^(bits - 52) / 65536. */
	return distance <= (number->power - 1) >> (53 - bits + closer);
}

static bool reads_as_weight(const struct decimal *number, uint64_t distance,
			    uint32_t weight)
{
	uint32_t got = 0;

	if (is_nearest(number, distance, weight))
		return true;
	return number->digits < EXACT_DIGITS &&
	       format_round_weight(value_of(number), &got) && got == weight;
}

void format_add_weight(struct base_str *text, uint32_t weight)
{
	struct division division = divide(weight, STREW_WEIGHT_ONE);

	for (int i = 0; i <= DECIMALS_MAX; i++, next_digit(&division)) {
		uint64_t rest = division.rest;
		struct decimal down = division.down, up = up_one(&division);
		bool reads_up =
			rest > 0 && reads_as_weight(&up, STREW_WEIGHT_ONE - rest, weight);
		bool reads_down = reads_as_weight(&down, rest, weight);

		if (!reads_up && !reads_down)
			continue;
		/* Both, when a decimal is worth less than a weight. */
		if (!reads_down || (reads_up && is_nearer_up(&division)))
			add_decimal(text, &up);
		else
			add_decimal(text, &down);
		return;
	}
}

void format_add_share(struct base_str *text, uint32_t share)
{
	struct division division = divide(share, STREW_WEIGHT_ONE);

	for (int i = 0; i <= DECIMALS_MAX; i++, next_digit(&division)) {
		struct decimal number =
			is_nearer_up(&division) ? up_one(&division) : division.down;
		uint32_t got = 0;

		if (!base_fixed_nearest(&got, value_of(&number)) || got != share)
			continue;
		add_decimal(text, &number);
		return;
	}
}

/* Finds the number of units, with the fewest decimals, from which so many bytes are read:
 * what it is off by is less than half a byte. */
static bool count_units(uint64_t bytes, uint64_t unit, struct decimal *number)
{
	struct division division = divide(bytes, unit);

	for (int i = 0; i <= SIZE_DECIMALS; i++, next_digit(&division)) {
		uint64_t power = division.down.power;

		if (division.down.digits >= SIZE_DIGITS)
			return false;
		*number = division.down;
		if (division.rest <= power / 2)
			return true;
		*number = up_one(&division);
		if (unit - division.rest < power - power / 2)
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
