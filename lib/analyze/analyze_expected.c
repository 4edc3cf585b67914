/* SPDX-License-Identifier: MIT */
/* Expected shares for programs. */
#include "analyze.h"

#include <string.h>

#include "place.h"

static strew_status find_shares(double *shares, strew_expected *how,
				const struct analyze_share *share,
				const strew_placer *placer, const strew_run *run,
				strew_error *error)
{
	const strew_allocator *allocator = base_allocator_or_heap(run->allocator);
	struct analyze_counted counted = {0};
	strew_status status =
		analyze_expect(shares, &how->reason, share, allocator, error);

	if (status == STREW_OK && how->reason)
		status =
			analyze_count_shares(shares, &counted, share, placer, run, error);
	how->inputs = counted.inputs;
	how->error = counted.error;
	return status;
}

strew_status strew_expected_shares(double *shares, strew_expected *how,
				   const strew_placer *placer, int32_t rule, int want,
				   const strew_run *run, strew_error *error)
{
	const strew_map *map = strew_placer_map(placer);
	struct analyze_tree tree;
	struct analyze_share share = {.tree = &tree,
				      .rule = map_rule_by_id(map, rule),
				      .want = want,
				      .set = place_raw_weight_set(placer)};
	strew_expected found = STREW_EXPECTED_INIT;
	strew_run with = STREW_RUN_INIT;
	strew_status status = analyze_check_rule(map, rule, want, error);

	if (status)
		return status;
	analyze_read_options(&with, run);
	status = analyze_tree_new(&tree, map, base_allocator_or_heap(with.allocator),
				  error);
	if (status)
		return status;
	status = find_shares(shares, &found, &share, placer, &with, error);
	analyze_tree_free(&tree, base_allocator_or_heap(with.allocator));
	if (how) {
		found.size = how->size;
		memcpy(how, &found,
		       how->size < sizeof(found) ? how->size : sizeof(found));
	}
	return status;
}
