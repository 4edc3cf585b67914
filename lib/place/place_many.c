/* SPDX-License-Identifier: MIT */
#include "place_priv.h"

#define CHUNK 256

static void close_row(int32_t *row, int count, int want)
{
	for (int i = count; i < want; i++)
		row[i] = STREW_NONE;
}

strew_status strew_place_many(const strew_placer *placer, int32_t rule,
			      const uint32_t *xs, size_t count, int32_t *out, int want,
			      strew_scratch *scratch)
{
	struct rule_call call = {.flat = placer->flat,
				 .set = placer->raw_set,
				 .kernel = placer->kernel,
				 .want = want};
	strew_status status = place_check(&call.rule, placer, rule, want, scratch);
	int counts[CHUNK];

	for (size_t done = 0; done < count && status == STREW_OK; done += CHUNK) {
		size_t left = count - done < CHUNK ? count - done : CHUNK;
		int32_t *rows = out + done * (size_t)want;

		rule_run_many(&call, xs + done, left, rows, counts, scratch->rule);
		for (size_t i = 0; i < left; i++)
			close_row(rows + i * (size_t)want, counts[i], want);
	}
	return status;
}
