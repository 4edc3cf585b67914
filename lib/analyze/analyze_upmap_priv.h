/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_UPMAP_PRIV_H
#define ANALYZE_UPMAP_PRIV_H

#include "analyze.h"

/** Where the devices are that a rule's takes lead to. */
struct upmap_rule {
	const struct map_rule *rule;
	size_t take_count;
	size_t type_count; /* types that its steps name, buckets only */
	int32_t *types;
	bool *below;       /* by take and device */
	uint32_t *parents; /* by type and device: a bucket, shadows too, or NOWHERE */
	bool *weighs;      /* by device: it has a weight below some take */
};

/** Items and buckets that analyze_upmap_rule_new() looks at. */
double analyze_upmap_rule_work(const struct analyze_tree *tree,
			       const struct map_rule *rule);
strew_status analyze_upmap_rule_new(struct upmap_rule *out,
				    const struct analyze_tree *tree,
				    const struct map_rule *rule,
				    const strew_allocator *allocator);
void analyze_upmap_rule_free(struct upmap_rule *rule, const strew_map *map,
			     const strew_allocator *allocator);

/** Is such a set what the rule could give? @return else false, and why */
bool analyze_upmap_verify(struct analyze_upmap *why, const struct upmap_rule *rule,
			  const strew_map *map, int size, const int32_t *devices,
			  int count);

#endif
