/* SPDX-License-Identifier: MIT */
#include "analyze.h"

void analyze_inexact_add(struct analyze_inexact *inexact, const struct map_rule *rule,
			 const char *reason)
{
	if (reason == NULL)
		return;
	inexact->any = true;
	for (size_t i = 0; i < inexact->count; i++) {
		if (inexact->items[i].rule == rule)
			return;
	}
	if (inexact->count == ANALYZE_INEXACT_MAX)
		return;
	inexact->items[inexact->count].rule = rule;
	inexact->items[inexact->count++].reason = reason;
}

const char *analyze_inexact_basis(const struct analyze_inexact *inexact)
{
	return inexact->any ? "weights" : "expected";
}

void analyze_inexact_note(strew_result *result, const struct analyze_inexact *inexact)
{
	for (size_t i = 0; i < inexact->count; i++)
		result_add_note(result,
				"What rule %s is expected to place is by weights, not "
				"exact: %s.",
				inexact->items[i].rule->name, inexact->items[i].reason);
}
