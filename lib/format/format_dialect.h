/* SPDX-License-Identifier: MIT */
#ifndef FORMAT_DIALECT_H
#define FORMAT_DIALECT_H

#include "map.h"

/** How a release of Ceph writes what releases write in different ways. */
struct format_dialect {
	const char *name;
	int version;
	bool has_masks;      /* a rule has ruleset, min_size and max_size */
	bool has_msr;        /* words for MSR rules, their steps and tunables */
	int weight_decimals; /* of the text's weights */
};

/** By its name, or its number; NULL: that of Ceph 16, whose tools ours is held against.
 * @return NULL when there is none */
const struct format_dialect *format_dialect_find(const char *name);

/** What releases with masks have of a rule. A rule without one has the mask that releases
 * without them store for their elders. */
struct format_mask {
	uint8_t ruleset, min_size, max_size;
};

struct format_mask format_usual_mask(const struct map_rule *rule);
struct format_mask format_mask(const struct map_rule *rule);
/** Is the mask lost where rules have none? */
bool format_mask_tells(const struct map_rule *rule);

#endif
