/* SPDX-License-Identifier: MIT */
/*
 * Writes lib/select/straw2_log_tables.h to standard output: the tables of straw2's
 * logarithm, doc/crush.md, section 2, from their formulas and the places where the tables
 * in use depart from them.
 */
#include <inttypes.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What most entries of the low table are too large by. */
#define LOW_BIAS 0x147700000u

/* The entries of the low table that are right … */
static const uint8_t low_right[] = {0,   1,   203, 216, 222, 233, 237, 238, 239, 243, 244,
				    245, 246, 248, 249, 250, 251, 252, 253, 254, 255};

/* … and those that follow no formula. */
static const struct {
	uint8_t index;
	uint64_t value;
} low_odd[] = {
	{56, 0x0a2b07f3458},  {127, 0x16df6ca19bd}, {134, 0x182b07f3458},
	{181, 0x209c06e6212}, {184, 0x212b07f3458}, {188, 0x21d6a73a78f},
	{193, 0x22c23679b4e}, {198, 0x23a2c3b0ea4}, {199, 0x23d13ee805b},
	{200, 0x24035e9221f}, {207, 0x25492644d65}, {210, 0x25d13ee805b},
	{212, 0x26296453882}, {225, 0x287bdbf5255}, {227, 0x28d13ee805b},
	{228, 0x29035e9221f}, {229, 0x29296453882}, {231, 0x29902a37aab},
	{235, 0x2a4c7605d61}, {236, 0x2a7bdbf5255}, {240, 0x2b296453882},
	{241, 0x2b5d022d80f}, {247, 0x2c61a5e8f4c},
};

/* The upper half of a square, and the lower one. */
static uint64_t square(uint64_t number, uint64_t *low)
{
	uint64_t upper = number >> 32, lower = number & UINT32_MAX;
	uint64_t mixed = upper * lower;

	*low = lower * lower + (mixed << 33);
	return upper * upper + (mixed >> 31) + (*low < mixed << 33);
}

/*
 * floor(2^48 × log2(numerator / 2^bits)), for a quotient of 1 up to 2. Squaring the
 * quotient doubles its logarithm; each time it passes 2 one more binary digit of the
 * logarithm is 1. The quotient has 63 bits after the point, so the result is short by
 * less than 0.0002 before it is cut; the values that are needed here are whole, or 0.0003
 * and more above a whole number.
 */
static uint64_t log_of(uint64_t numerator, unsigned bits)
{
	uint64_t quotient = numerator << (63 - bits);
	uint64_t log = 0;

	for (int digit = 0; digit < 48; digit++) {
		uint64_t low, high = square(quotient, &low);
		unsigned carry = (unsigned)(high >> 63);

		quotient = carry ? high : high << 1 | low >> 63;
		log = log << 1 | carry;
	}
	return log;
}

/* ceil(2^48 × 128 / (128 + index)) */
static uint64_t reciprocal(unsigned index)
{
	uint64_t divisor = 128 + index;

	return (((uint64_t)1 << 55) + divisor - 1) / divisor;
}

static uint64_t high_log(unsigned index)
{
	return index == 128 ? 0xffff00000000 : log_of(128 + index, 7);
}

static uint64_t low_log(unsigned index)
{
	uint64_t exact = log_of(32768 + index, 15);

	for (size_t i = 0; i < COUNT(low_odd); i++) {
		if (low_odd[i].index == index)
			return low_odd[i].value;
	}
	for (size_t i = 0; i < COUNT(low_right); i++) {
		if (low_right[i] == index)
			return exact;
	}
	return exact + LOW_BIAS;
}

static void print_table(const char *name, unsigned count,
			uint64_t (*value)(unsigned index))
{
	printf("\nstatic const uint64_t %s[%u] = {", name, count);
	for (unsigned i = 0; i < count; i++)
		printf("%s0x%012" PRIx64 ",", i % 4 == 0 ? "\n\t" : " ", value(i));
	printf("\n};\n");
}

int main(void)
{
	printf("/* SPDX-License-Identifier: MIT */\n"
	       "/* Made by tools/dev/straw2_log_tables.c. */\n"
	       "#include <stdint.h>\n");
	print_table("reciprocals", 129, reciprocal);
	print_table("high_logs", 129, high_log);
	print_table("low_logs", 256, low_log);
	return 0;
}
