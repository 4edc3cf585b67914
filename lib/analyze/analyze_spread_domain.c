/* SPDX-License-Identifier: MIT */
#include "analyze_spread_priv.h"

#include "base_error.h"

static strew_status find_level(struct spread *spread)
{
	const char *level = spread->how.level;

	if (level == NULL)
		level = analyze_failure_domain(
			spread->map, analyze_spread_rule(spread, spread->plan.groups));
	spread->level = level;
	spread->type = analyze_find_type(spread->map, level);
	if (spread->type < 0)
		return analyze_refuse_type(spread->map, level, spread->allocator,
					   spread->error);
	return STREW_OK;
}

/* Buckets of the level are numbered in order; numbers[bucket] stays -1 for all others. */
static void number_buckets(struct spread *spread, int32_t *numbers)
{
	for (size_t i = 0; i < spread->map->bucket_count; i++) {
		const strew_bucket *bucket = &spread->map->buckets[i];

		numbers[i] = -1;
		if (bucket->type != spread->type || bucket->shadow_of)
			continue;
		numbers[i] = (int32_t)spread->domain_count;
		spread->domains[spread->domain_count++].bucket = (uint32_t)i;
	}
	spread->domains[spread->domain_count++].bucket = ANALYZE_NOWHERE;
}

static int32_t domain_above(const struct spread *spread, size_t device,
			    const int32_t *numbers)
{
	uint32_t bucket = analyze_bucket_above(&spread->tree, device, spread->type);

	return bucket == ANALYZE_NOWHERE ? (int32_t)spread->domain_count - 1
					 : numbers[bucket];
}

strew_status analyze_spread_domains(struct spread *spread)
{
	size_t room = spread->map->bucket_count + 1;
	strew_status status = find_level(spread);
	int32_t *numbers;

	if (status)
		return status;
	spread->domains = base_calloc(spread->allocator, room, sizeof(*spread->domains));
	numbers = base_alloc(spread->allocator, room, sizeof(*numbers));
	if (spread->domains && numbers) {
		number_buckets(spread, numbers);
		for (size_t i = 0; i < spread->map->device_count; i++)
			spread->devices[i].domain = domain_above(spread, i, numbers);
	} else {
		status = base_error_nomem(spread->error);
	}
	base_free(spread->allocator, numbers, room * sizeof(*numbers));
	return status;
}

/* Does the rule put at most one shard of a PG into each domain? */
static bool keeps_apart(const struct spread *spread, const struct map_rule *rule)
{
	int32_t type = -1;
	int emits = 0;

	for (size_t i = 0; i < rule->step_count; i++) {
		emits += rule->steps[i].op == STREW_OP_EMIT;
		if (map_op_chooses((int)rule->steps[i].op))
			type = rule->steps[i].arg2;
	}
	return emits == 1 && type == spread->type &&
	       (rule->kind == STREW_KIND_REPLICATED || rule->kind == STREW_KIND_ERASURE);
}

void analyze_spread_mark_large(struct spread *spread, const struct map_rule *rule,
			       const double *shares)
{
	if (spread->type == 0 || !keeps_apart(spread, rule))
		return;
	for (size_t i = 0; i < spread->domain_count; i++)
		spread->domains[i].share = 0;
	for (size_t i = 0; i < spread->map->device_count; i++)
		spread->domains[spread->devices[i].domain].share += shares[i];
	for (size_t i = 0; i + 1 < spread->domain_count; i++) {
		if (spread->domains[i].share > 1 + 1e-9)
			spread->domains[i].is_large = true;
	}
}

static void add_load(struct spread_load *sum, const struct spread_load *load)
{
	sum->weight += load->weight;
	for (int i = 0; i < SPREAD_STAGES; i++)
		sum->stages[i] += load->stages[i];
	sum->expected += load->expected;
	sum->shards += load->shards;
	sum->primaries += load->primaries;
	sum->bytes += load->bytes;
	sum->size += load->size;
	sum->used += load->used;
	sum->now += load->now;
	sum->later += load->later;
}

void analyze_spread_sum_domains(struct spread *spread)
{
	for (size_t i = 0; i < spread->map->device_count; i++) {
		const struct spread_device *device = &spread->devices[i];
		struct spread_domain *domain = &spread->domains[device->domain];

		if (!analyze_spread_lists(device))
			continue;
		domain->devices++;
		add_load(&domain->load, &device->load);
		add_load(&spread->total, &device->load);
	}
}
