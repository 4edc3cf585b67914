/* SPDX-License-Identifier: MIT */
/* Text of a CRUSH dump. */
#include <stdio.h>
#include <string.h>

#include "format_ceph_write.h"

#define INDENT 4

/* The highest weight that a 32-bit float has: 65536 - 2^-8. */
#define FLOAT_WEIGHT_MAX 0xffffff00u

/* Significant digits that Ceph prints of a float, and the decimals of 1/65536. */
#define DIGITS   17
#define DECIMALS 16

static void start_line(struct format_ceph_out *out)
{
	if (!out->to.output->pretty)
		return;
	format_out_put(&out->to, "\n");
	for (unsigned i = 0; i < out->depth * INDENT; i++)
		format_out_put(&out->to, " ");
}

/* What is no plain character stands as its number, but for three; in quotes. */
static void put_string(struct format_ceph_out *out, const char *text)
{
	struct base_str *to = &out->to.text;

	base_str_add(to, "\"");
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			base_str_addf(to, "\\%c", *text);
		else if (*text == '\n' || *text == '\t')
			base_str_add(to, *text == '\n' ? "\\n" : "\\t");
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			base_str_addf(to, "\\u%04x", (unsigned)*text);
		else
			base_str_add_bytes(to, text, 1);
	}
	base_str_add(to, "\"");
}

static void start_value(struct format_ceph_out *out, const char *name)
{
	if (!out->starts)
		format_out_put(&out->to, ",");
	if (out->depth > 0)
		start_line(out);
	out->starts = false;
	if (name == NULL)
		return;
	put_string(out, name);
	format_out_put(&out->to, out->to.output->pretty ? ": " : ":");
}

void format_ceph_open(struct format_ceph_out *out, const char *name, char bracket)
{
	format_out_pass(&out->to);
	start_value(out, name);
	base_str_add_bytes(&out->to.text, &bracket, 1);
	out->depth++;
	out->starts = true;
}

void format_ceph_close(struct format_ceph_out *out, char bracket)
{
	out->depth--;
	if (!out->starts)
		start_line(out);
	base_str_add_bytes(&out->to.text, &bracket, 1);
	out->starts = false;
}

void format_ceph_integer(struct format_ceph_out *out, const char *name, int64_t number)
{
	start_value(out, name);
	base_str_addf(&out->to.text, "%lld", (long long)number);
}

void format_ceph_string(struct format_ceph_out *out, const char *name, const char *text)
{
	start_value(out, name);
	put_string(out, text);
}

static uint64_t round_to_float(uint32_t weight)
{
	return (uint64_t)(float)weight;
}

bool format_ceph_holds_weight(uint32_t weight)
{
	return weight <= FLOAT_WEIGHT_MAX && round_to_float(weight) == weight;
}

/* A number of as many decimals, without those that are 0 at the end. */
static void put_decimals(struct base_str *to, uint64_t number, int decimals)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%0*llu", decimals,
			   (unsigned long long)number);

	while (len > 0 && digits[len - 1] == '0')
		digits[--len] = '\0';
	if (len > 0)
		base_str_addf(to, ".%s", digits);
}

/* All but the last digits of a number, as a printer rounds: half to even. */
static uint64_t cut_digits(uint64_t number, int digits)
{
	uint64_t scale = 1, half, rest;

	for (int i = 0; i < digits; i++)
		scale *= 10;
	half = scale / 2;
	rest = number % scale;
	number /= scale;
	if (digits > 0 && (rest > half || (rest == half && number % 2 == 1)))
		number++;
	return number;
}

/* In whole numbers, so that no locale has a say. */
void format_ceph_weight(struct format_ceph_out *out, uint32_t weight)
{
	struct base_str *to = &out->to.text;
	uint64_t units =
		round_to_float(weight > FLOAT_WEIGHT_MAX ? FLOAT_WEIGHT_MAX : weight);
	uint64_t decimals = units % 65536 * UINT64_C(152587890625); /* 10^16 / 65536 */
	int whole_digits = 1;

	start_value(out, NULL);
	/* Below 0.0001 a printer changes to powers of ten. */
	if (units > 0 && decimals < UINT64_C(1000000000000) && units < 65536) {
		base_str_addf(to, "%llu",
			      (unsigned long long)(decimals / UINT64_C(100000000000)));
		put_decimals(to, decimals % UINT64_C(100000000000), 11);
		base_str_add(to, "e-05");
		return;
	}
	for (uint64_t whole = units / 65536; whole >= 10; whole /= 10)
		whole_digits++;
	base_str_addf(to, "%llu", (unsigned long long)(units / 65536));
	if (units < 65536)
		put_decimals(to, decimals, DECIMALS);
	else
		put_decimals(to, cut_digits(decimals, whole_digits - 1),
			     DIGITS - whole_digits);
}
