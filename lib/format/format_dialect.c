/* SPDX-License-Identifier: MIT */
#include "format_dialect.h"

#include <stdlib.h>
#include <string.h>

#include <strew/io.h>

static const struct format_dialect dialects[] = {
	{"luminous", 12, true, false, 3}, {"mimic", 13, true, false, 3},
	{"nautilus", 14, true, false, 3}, {"octopus", 15, true, false, 3},
	{"pacific", 16, true, false, 3},  {"quincy", 17, false, false, 3},
	{"reef", 18, false, false, 5},    {"squid", 19, false, true, 5},
	{"tentacle", 20, false, true, 5},
};

#define DIALECT_COUNT   (sizeof(dialects) / sizeof(dialects[0]))
#define DEFAULT_DIALECT "pacific"

size_t strew_dialect_count(void)
{
	return DIALECT_COUNT;
}

const char *strew_dialect_name(size_t index)
{
	return index < DIALECT_COUNT ? dialects[index].name : NULL;
}

/* "16", and also "16.2.15". */
static int read_version(const char *name)
{
	char *end;
	long version = strtol(name, &end, 10);

	return end != name && (*end == '\0' || *end == '.') && version < 100
		       ? (int)version
		       : -1;
}

const struct format_dialect *format_dialect_find(const char *name)
{
	const char *wanted = name ? name : DEFAULT_DIALECT;
	int version = read_version(wanted);

	for (size_t i = 0; i < DIALECT_COUNT; i++)
		if (strcmp(dialects[i].name, wanted) == 0 ||
		    dialects[i].version == version)
			return &dialects[i];
	return NULL;
}

struct format_mask format_usual_mask(const struct map_rule *rule)
{
	return (struct format_mask){(uint8_t)rule->id, 1, 100};
}

struct format_mask format_mask(const struct map_rule *rule)
{
	if (!rule->has_mask)
		return format_usual_mask(rule);
	return (struct format_mask){rule->ruleset, rule->min_size, rule->max_size};
}

bool format_mask_tells(const struct map_rule *rule)
{
	struct format_mask usual = format_usual_mask(rule), mask = format_mask(rule);

	return mask.ruleset != usual.ruleset || mask.min_size != usual.min_size ||
	       mask.max_size != usual.max_size;
}
