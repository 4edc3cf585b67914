/* SPDX-License-Identifier: MIT */
#ifndef ANALYZE_SHOW_PRIV_H
#define ANALYZE_SHOW_PRIV_H

#include "analyze.h"
#include "place.h"

struct show {
	strew_show_options how;
	const strew_placer *placer;
	const strew_map *map;
	const strew_allocator *allocator;
	const strew_run *run;
	strew_error *error;
	bool out_of_memory; /* in a place that has no status to return */
	strew_result *result;
	struct analyze_tree tree;
	/* What is expected on each bucket and device, of 1; NULL without pools. By index
	 * in the map. */
	double *bucket_shares;
	double *device_shares;
	struct analyze_inexact inexact;
};

/** Fill the shares from the pools of the map. */
strew_status analyze_show_expect(struct show *show);
void analyze_show_forget(struct show *show);
/** Add the tree, as a table for programs and one for people. */
strew_status analyze_show_tree(struct show *show);
/** Add the table "summary", and the first line. */
strew_status analyze_show_summary(const struct show *show);
/** A rule in words: "3 copies, each in another rack of default, hdd only". want: devices
 * that it is asked for; 0: not known. */
void analyze_show_rule(struct base_str *text, const strew_map *map,
		       const struct map_rule *rule, int want);

#endif
