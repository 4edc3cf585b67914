/* SPDX-License-Identifier: MIT */
/* Shares by placing many inputs, for rules that no formula treats. */
#include "analyze.h"

#include <math.h>
#include <string.h>

#include "base_error.h"
#include "place.h"

#define INPUTS_MIN  65536u
#define INPUTS_MAX  (1u << 20)
#define SHARDS_EACH 300 /* of an average device, where that takes more inputs */

struct count {
	const struct analyze_share *share;
	const strew_placer *placer;
	uint32_t inputs;
	double *shares; /* counts, until all is placed */
};

static void place_inputs(const void *ctx, uint64_t first, size_t inputs, int32_t *words,
			 strew_scratch *const scratch[2])
{
	const struct count *count = ctx;
	uint32_t xs[ANALYZE_CHUNK];

	for (size_t i = 0; i < inputs; i++)
		xs[i] = (uint32_t)(first + i);
	/* The share's rule is the map's. */
	if (strew_place_many(count->placer, count->share->rule->id, xs, inputs, words,
			     count->share->want, scratch[0]))
		return;
}

static strew_status take_input(void *ctx, uint64_t input, const int32_t *words)
{
	struct count *count = ctx;
	const strew_map *map = count->share->tree->map;

	(void)input;
	for (int i = 0; i < count->share->want; i++) {
		int64_t index = words[i] >= 0 && words[i] != STREW_NONE
					? map_device_index(map, words[i])
					: -1;

		if (index >= 0 && analyze_serves(count->share, (size_t)index))
			count->shares[index]++;
	}
	return STREW_OK;
}

static uint32_t choose_inputs(const struct analyze_share *share)
{
	double wanted = (double)SHARDS_EACH * (double)share->tree->map->device_count /
			share->want;

	if (wanted > INPUTS_MAX)
		return INPUTS_MAX;
	return wanted > INPUTS_MIN ? (uint32_t)wanted : INPUTS_MIN;
}

static void finish(struct analyze_counted *counted, const struct count *count)
{
	size_t devices = 0;
	double sum = 0, mean;

	for (size_t i = 0; i < count->share->tree->map->device_count; i++) {
		count->shares[i] /= count->inputs;
		sum += count->shares[i];
		devices += count->shares[i] > 0;
	}
	mean = devices > 0 ? sum / (double)devices : 1;
	counted->inputs = count->inputs;
	counted->error = mean < 1 ? sqrt((1 - mean) / mean / count->inputs) : 0;
}

strew_status analyze_count_shares(double *shares, struct analyze_counted *counted,
				  const struct analyze_share *share,
				  const strew_placer *placer, const strew_run *run,
				  strew_error *error)
{
	struct count count = {
		.share = share, .inputs = choose_inputs(share), .shares = shares};
	struct analyze_walk walk = {.units = count.inputs,
				    .words = (size_t)share->want,
				    .place = place_inputs,
				    .take = take_input,
				    .ctx = &count};
	strew_placer *own;
	strew_status status =
		place_vary_raw(&own, placer, share->set, share->is_whole,
			       base_allocator_or_heap(run->allocator), error);

	if (status)
		return status;
	memset(shares, 0, share->tree->map->device_count * sizeof(*shares));
	count.placer = own;
	walk.placers[0] = own;
	status = analyze_walk(&walk, run, error);
	if (status == STREW_OK)
		finish(counted, &count);
	strew_placer_release(own);
	return status;
}
