/* SPDX-License-Identifier: MIT */
#include "place_priv.h"

static void fill_row(const struct rule_call *call, int32_t *row, strew_scratch *scratch)
{
	int count = rule_run(call, row, scratch->rule);

	for (int i = count; i < call->want; i++)
		row[i] = STREW_NONE;
}

strew_status strew_place_many(const strew_placer *placer, int32_t rule,
			      const uint32_t *xs, size_t count, int32_t *out, int want,
			      strew_scratch *scratch)
{
	struct rule_call call = {
		.flat = placer->flat, .set = placer->raw_set, .want = want};
	strew_status status = place_check(&call.rule, placer, rule, want, scratch);

	if (status != STREW_OK)
		return status;
	for (size_t i = 0; i < count; i++) {
		call.x = xs[i];
		fill_row(&call, out + i * (size_t)want, scratch);
	}
	return STREW_OK;
}
