/* SPDX-License-Identifier: MIT */
#include "analyze.h"

/* So many exact shares may always be told, and as many more as look at so many items. */
#define EXACT_SHARES 64
#define EXACT_ITEMS  (1u << 21)

static const char too_many[] =
	"the map has more rules, pools and weight sets than are told exactly";

strew_status analyze_inexact_try(double *shares, const char **reason,
				 struct analyze_inexact *inexact,
				 const struct analyze_share *share,
				 const strew_allocator *allocator, strew_error *error)
{
	const strew_map *map = share->tree->map;

	inexact->drawn += map->device_count + map->bucket_count;
	if (inexact->asked++ < EXACT_SHARES || inexact->drawn <= EXACT_ITEMS)
		return analyze_expect(shares, reason, share, allocator, error);
	*reason = too_many;
	return analyze_share(shares, share, allocator, error);
}

static void add(struct analyze_inexact *inexact, const struct map_rule *rule,
		const char *reason, const struct analyze_counted *counted)
{
	enum analyze_basis basis =
		counted->inputs > 0 ? ANALYZE_COUNTED : ANALYZE_BY_WEIGHTS;

	if (inexact->basis < basis)
		inexact->basis = basis;
	for (size_t i = 0; i < inexact->count; i++) {
		if (inexact->items[i].rule == rule)
			return;
	}
	if (inexact->count == ANALYZE_INEXACT_MAX)
		return;
	inexact->items[inexact->count].rule = rule;
	inexact->items[inexact->count].counted = *counted;
	inexact->items[inexact->count++].reason = reason;
}

void analyze_inexact_add(struct analyze_inexact *inexact, const struct map_rule *rule,
			 const char *reason)
{
	if (reason)
		add(inexact, rule, reason, &(struct analyze_counted){0});
}

/* Counting takes long, and a map may have thousands of such rules. */
static bool may_count(const struct analyze_inexact *inexact, const struct map_rule *rule)
{
	for (size_t i = 0; i < inexact->count; i++) {
		if (inexact->items[i].rule == rule)
			return inexact->items[i].counted.inputs > 0;
	}
	return inexact->count < ANALYZE_INEXACT_MAX;
}

strew_status analyze_inexact_expect(double *shares, enum analyze_basis *basis,
				    struct analyze_inexact *inexact,
				    const struct analyze_share *share,
				    const strew_placer *placer, const strew_run *run,
				    strew_error *error)
{
	struct analyze_inexact own = {.count = 0};
	struct analyze_counted counted = {0};
	const char *reason;
	strew_status status =
		analyze_inexact_try(shares, &reason, inexact, share,
				    base_allocator_or_heap(run->allocator), error);

	if (status || reason == NULL)
		return status;
	if (reason != too_many && may_count(inexact, share->rule))
		status =
			analyze_count_shares(shares, &counted, share, placer, run, error);
	add(inexact, share->rule, reason, &counted);
	add(&own, share->rule, reason, &counted);
	if (*basis < own.basis)
		*basis = own.basis;
	return status;
}

const char *analyze_inexact_basis(const struct analyze_inexact *inexact)
{
	static const char *const words[] = {[ANALYZE_EXACT] = "expected",
					    [ANALYZE_COUNTED] = "counted",
					    [ANALYZE_BY_WEIGHTS] = "weights"};

	return words[inexact->basis];
}

void analyze_inexact_note(strew_result *result, const struct analyze_inexact *inexact)
{
	for (size_t i = 0; i < inexact->count; i++) {
		const struct analyze_counted *counted = &inexact->items[i].counted;
		const char *name = inexact->items[i].rule->name;

		if (counted->inputs > 0)
			result_add_note(result,
					"What rule %s is expected to place is counted "
					"over %u inputs (a device's share is true to "
					"%.1f %%), not exact: %s.",
					name, counted->inputs, 100 * counted->error,
					inexact->items[i].reason);
		else
			result_add_note(result,
					"What rule %s is expected to place is by "
					"weights, not exact: %s.",
					name, inexact->items[i].reason);
	}
}
