/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli.h"

static const struct {
	const char *name;
	double bytes;
} units[] = {
	{"", 1},      {"B", 1},        {"kB", 1e3},     {"MB", 1e6},     {"GB", 1e9},
	{"TB", 1e12}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
};

int cli_parse_bytes(double *out, const char *text)
{
	size_t digits = strspn(text, "0123456789.");
	char number[32];
	size_t i;

	if (digits >= sizeof(number))
		return -1;
	memcpy(number, text, digits);
	number[digits] = '\0';
	if (cli_parse_number(out, number) != 0)
		return -1;
	text += digits;
	text += *text == ' ';
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(text, units[i].name) != 0)
			continue;
		*out *= units[i].bytes;
		return 0;
	}
	return -1;
}
