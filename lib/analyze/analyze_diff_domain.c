/* SPDX-License-Identifier: MIT */
#include "analyze_diff_priv.h"

#include <stdlib.h>

#include "base_error.h"

static strew_status find_level(struct diff *diff)
{
	struct diff_domains *domains = &diff->domains;
	const char *level = diff->how.level;

	if (level == NULL)
		level = analyze_failure_domain(
			diff->sides[1].map,
			analyze_diff_rule(diff, diff->plan.groups, 1));
	for (int i = 0; i < 2; i++)
		domains->types[i] = analyze_find_type(diff->sides[i].map, level);
	domains->type_name = level;
	if (domains->types[0] < 0 && domains->types[1] < 0)
		return analyze_refuse_type(diff->sides[1].map, level, diff->allocator,
					   diff->error);
	return STREW_OK;
}

/* Each device is its own domain. */
static void number_devices(struct diff *diff)
{
	for (size_t i = 0; i < diff->device_count; i++) {
		struct diff_device *device = &diff->devices[i];
		struct diff_domain *domain = &diff->domains.items[i];

		domain->name = analyze_diff_device_name(diff, device);
		for (int side = 0; side < 2; side++) {
			domain->in[side] = device->indexes[side] >= 0;
			device->domains[side] = (int32_t)i;
		}
	}
	diff->domains.count = diff->device_count;
}

static bool is_domain(const struct diff *diff, int side, size_t bucket)
{
	const strew_bucket *found = &diff->sides[side].map->buckets[bucket];

	return found->type == diff->domains.types[side] && found->shadow_of == 0;
}

/* Buckets of both maps that are one have one number. */
static void number_buckets(struct diff *diff, int32_t *numbers[2])
{
	struct diff_domains *domains = &diff->domains;

	for (int side = 0; side < 2; side++) {
		const struct diff_side *from = &diff->sides[side];

		for (size_t i = 0; i < from->map->bucket_count; i++) {
			uint32_t other = from->buckets[i];
			struct diff_domain *domain;

			numbers[side][i] = -1;
			if (!is_domain(diff, side, i))
				continue;
			if (side == 1 && other != ANALYZE_NOWHERE)
				numbers[1][i] = numbers[0][other];
			if (numbers[side][i] < 0)
				numbers[side][i] = (int32_t)domains->count++;
			domain = &domains->items[numbers[side][i]];
			domain->name = from->map->buckets[i].name;
			domain->in[side] = true;
		}
	}
}

static int32_t domain_above(const struct diff *diff, int side, size_t device,
			    const int32_t *numbers)
{
	uint32_t bucket = analyze_bucket_above(&diff->sides[side].tree, device,
					       diff->domains.types[side]);

	return bucket == ANALYZE_NOWHERE ? -1 : numbers[bucket];
}

static void put_devices(struct diff *diff, int32_t *const numbers[2])
{
	for (size_t i = 0; i < diff->device_count; i++) {
		struct diff_device *device = &diff->devices[i];

		for (int side = 0; side < 2; side++) {
			device->domains[side] = -1;
			if (device->indexes[side] >= 0)
				device->domains[side] = domain_above(
					diff, side, (size_t)device->indexes[side],
					numbers[side]);
		}
	}
}

static size_t bucket_room(const struct diff *diff)
{
	return diff->sides[0].map->bucket_count + diff->sides[1].map->bucket_count + 1;
}

static size_t domain_room(const struct diff *diff)
{
	size_t buckets = bucket_room(diff);

	return buckets > diff->device_count ? buckets : diff->device_count;
}

static strew_status number_domains(struct diff *diff)
{
	size_t room = bucket_room(diff);
	int32_t *block = base_alloc(diff->allocator, room, sizeof(*block));
	int32_t *numbers[2] = {block, NULL};

	if (block == NULL)
		return base_error_nomem(diff->error);
	numbers[1] = block + diff->sides[0].map->bucket_count;
	number_buckets(diff, numbers);
	put_devices(diff, numbers);
	base_free(diff->allocator, block, room * sizeof(*block));
	return STREW_OK;
}

strew_status analyze_diff_domains(struct diff *diff)
{
	struct diff_domains *domains = &diff->domains;
	strew_status status = find_level(diff);

	if (status)
		return status;
	domains->items =
		base_calloc(diff->allocator, domain_room(diff), sizeof(*domains->items));
	if (domains->items == NULL)
		return base_error_nomem(diff->error);
	if (domains->types[0] <= 0 && domains->types[1] <= 0) {
		number_devices(diff);
		return STREW_OK;
	}
	return number_domains(diff);
}

void analyze_diff_domains_free(struct diff *diff)
{
	struct diff_domains *domains = &diff->domains;

	base_free(diff->allocator, domains->items,
		  domain_room(diff) * sizeof(*domains->items));
	base_free(diff->allocator, domains->slots,
		  domains->slot_count * sizeof(*domains->slots));
	base_vec_free(&domains->flows, diff->allocator);
}

static size_t first_slot(const struct diff_domains *domains, int32_t from, int32_t to)
{
	uint64_t key = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;

	key = (key ^ key >> 31) * 0x9e3779b97f4a7c15u;
	return (size_t)(key >> 32) & (domains->slot_count - 1);
}

/* The slot of a flow, or the free one where it belongs. */
static uint32_t *find_slot(const struct diff_domains *domains, int32_t from, int32_t to)
{
	const struct diff_flow *flows = domains->flows.items;
	size_t at = first_slot(domains, from, to);

	while (domains->slots[at] != 0) {
		const struct diff_flow *flow = &flows[domains->slots[at] - 1];

		if (flow->from == from && flow->to == to)
			break;
		at = (at + 1) & (domains->slot_count - 1);
	}
	return &domains->slots[at];
}

/* Slots are a power of two, and at most half of them are taken. */
static bool grow_slots(struct diff *diff)
{
	struct diff_domains *domains = &diff->domains;
	const struct diff_flow *flows = domains->flows.items;
	size_t count = domains->slot_count ? domains->slot_count * 2 : 64;
	uint32_t *slots;

	if (domains->flows.count * 2 < domains->slot_count)
		return true;
	slots = base_calloc(diff->allocator, count, sizeof(*slots));
	if (slots == NULL)
		return false;
	base_free(diff->allocator, domains->slots,
		  domains->slot_count * sizeof(*domains->slots));
	domains->slots = slots;
	domains->slot_count = count;
	for (size_t i = 0; i < domains->flows.count; i++)
		*find_slot(domains, flows[i].from, flows[i].to) = (uint32_t)(i + 1);
	return true;
}

strew_status analyze_diff_add_flow(struct diff *diff, int32_t from, int32_t to,
				   double bytes)
{
	struct diff_domains *domains = &diff->domains;
	struct diff_flow *flow;
	uint32_t *slot;

	if (!grow_slots(diff))
		return STREW_ENOMEM;
	slot = find_slot(domains, from, to);
	if (*slot == 0) {
		flow = base_vec_push(&domains->flows, diff->allocator, sizeof(*flow));
		if (flow == NULL)
			return STREW_ENOMEM;
		flow->from = from;
		flow->to = to;
		*slot = (uint32_t)domains->flows.count;
	}
	flow = (struct diff_flow *)domains->flows.items + (*slot - 1);
	flow->shards++;
	flow->bytes += bytes > 0 ? bytes : 0;
	return STREW_OK;
}

/* -1, which is none, comes last. */
static int compare_flows(const void *left, const void *right)
{
	const struct diff_flow *a = left, *b = right;

	if (a->from != b->from)
		return (uint32_t)a->from < (uint32_t)b->from ? -1 : 1;
	if (a->to != b->to)
		return (uint32_t)a->to < (uint32_t)b->to ? -1 : 1;
	return 0;
}

void analyze_diff_sort_flows(struct diff *diff)
{
	struct base_vec *flows = &diff->domains.flows;

	if (flows->count > 1)
		qsort(flows->items, flows->count, sizeof(struct diff_flow),
		      compare_flows);
}
